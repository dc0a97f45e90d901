//! Numbers as the page shows them.

use wald::digits::{self, Digits};
use wald::words::numbered;

/// Usual significant digits of a value.
pub(crate) const DIGITS: i32 = 4;

/// Double precision has no more.
const MOST_DIGITS: i32 = 17;

const P_VALUE_DECIMALS: usize = 4;

/// A number as text, with what is needed to align it on its decimal point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Number {
    /// The text; `None` where the number is undefined.
    pub(crate) text: Option<String>,
    /// Digits after the decimal point; `None` where there is none to align on.
    pub(crate) decimals: Option<usize>,
}

/// A value with four significant digits.
pub(crate) fn value(value: Option<f64>) -> Number {
    number(value, DIGITS)
}

/// Significant digits with which values differ that are hundredths of half their range apart: more than
/// four where the range is narrow, such as that of pressures in pascals.
pub(crate) fn digits_apart(values: impl Iterator<Item = f64>) -> i32 {
    let finite = values.filter(|value| value.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (value.min(low), value.max(high))
    });
    if low >= high {
        return DIGITS;
    }
    let largest = low.abs().max(high.abs());
    (exponent(largest) - exponent(high / 2.0 - low / 2.0) + 2).clamp(DIGITS, MOST_DIGITS)
}

/// The power of ten of a number, also of one that is a power but for rounding.
fn exponent(value: f64) -> i32 {
    (value.abs().log10() + 1e-6).floor() as i32
}

/// A value with so many significant digits, to be aligned.
pub(crate) fn of_digits(value: Option<f64>, digits: i32) -> Number {
    number(value, digits)
}

/// The same as text.
pub(crate) fn with_digits(value: f64, digits: i32) -> String {
    number(Some(value), digits).text.unwrap_or_default()
}

/// A value as the shortest power of ten that has the decimals of a step: 2×10⁹, or 1.7105×10⁹.
pub(crate) fn power_of_ten(value: f64, step: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let decimals = (exponent(value) - exponent(step)).clamp(0, MOST_DIGITS - 1) as usize;
    let sign = if value < 0.0 { "\u{2212}" } else { "" };
    let scientific = format!("{:.decimals$e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    format!("{sign}{mantissa}\u{d7}10{}", superscript(exponent.parse().unwrap_or(0)))
}

/// A p-value.
pub(crate) fn p_value(value: Option<f64>) -> Number {
    let text = value.filter(|p| !p.is_nan()).map(digits::p_value);
    // Small ones stand under the others by their digits.
    Number { decimals: text.as_ref().map(|_| P_VALUE_DECIMALS), text }
}

/// A number of a column whose numbers share these digits, as on the terminal.
pub(crate) fn shared(digits: Digits, value: Option<f64>) -> Number {
    match (digits, value.filter(|value| value.is_finite())) {
        (Digits::Fixed(decimals), Some(value)) => {
            let text = digits.text(value).replace('-', "\u{2212}");
            Number { text: Some(text), decimals: Some(decimals) }
        }
        _ => number(value, DIGITS),
    }
}

/// A value with four significant digits, as programs read it; nothing where it is undefined.
pub(crate) fn plain(value: f64) -> String {
    plain_with(value, DIGITS)
}

/// The same with so many significant digits.
pub(crate) fn plain_with(value: f64, digits: i32) -> String {
    if !value.is_finite() {
        return String::new();
    }
    let scientific = format!("{value:.*e}", (digits - 1) as usize);
    let rounded: f64 = scientific.parse().unwrap_or(value);
    if rounded == 0.0 || (1e-4..1e6).contains(&rounded.abs()) {
        // Adding zero leaves no sign before a zero.
        return format!("{}", rounded + 0.0);
    }
    format!("{rounded:e}")
}

/// A name as a cell of comma-separated lines.
pub(crate) fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", name.replace('"', "\"\""));
    }
    name.to_owned()
}

/// A whole number, in groups of three digits from five digits on.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut text = String::with_capacity(digits.len() * 2);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// So many things, as [`count`] writes numbers.
pub(crate) fn of(number: usize, noun: &str) -> String {
    format!("{} {}", count(number as u64), numbered(number, noun))
}

fn number(value: Option<f64>, digits: i32) -> Number {
    let Some(value) = value.filter(|v| !v.is_nan()) else {
        return Number { text: None, decimals: None };
    };
    let sign = if value < 0.0 { "\u{2212}" } else { "" };
    let size = value.abs();
    if size.is_infinite() {
        return Number { text: Some(format!("{sign}\u{221e}")), decimals: None };
    }
    if size == 0.0 {
        return Number { text: Some("0".to_owned()), decimals: Some(0) };
    }
    // The exponent after rounding: 0.99996 has four digits as 1.000.
    let scientific = format!("{size:.*e}", (digits - 1) as usize);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..6).contains(&exponent) {
        let text = format!("{sign}{mantissa}\u{d7}10{}", superscript(exponent));
        return Number { text: Some(text), decimals: None };
    }
    let decimals = (digits - 1 - exponent).max(0) as usize;
    // Whole numbers such as counts and classes need no zeros behind the point.
    let decimals = if size.fract() == 0.0 { 0 } else { decimals };
    Number { text: Some(format!("{sign}{size:.decimals$}")), decimals: Some(decimals) }
}

fn superscript(exponent: i32) -> String {
    let digit = |c: char| match c {
        '-' => '\u{207b}',
        '1' => '\u{b9}',
        '2' => '\u{b2}',
        '3' => '\u{b3}',
        c => char::from_u32(0x2070 + c.to_digit(10).unwrap_or(0)).unwrap_or(c),
    };
    exponent.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(x: f64) -> String {
        value(Some(x)).text.unwrap_or_default()
    }

    #[test]
    fn four_significant_digits() {
        assert_eq!(text(0.123_456), "0.1235");
        assert_eq!(text(0.999_96), "1.000");
        assert_eq!(text(-12.345_6), "\u{2212}12.35");
        assert_eq!(text(123_456.7), "123457");
        assert_eq!(text(0.000_123_456), "0.0001235");
        assert_eq!(text(0.0), "0");
        assert_eq!(text(-0.0), "0");
        assert_eq!(text(3.0), "3");
    }

    #[test]
    fn extremes_are_powers_of_ten() {
        assert_eq!(text(1.234_56e-17), "1.235\u{d7}10\u{207b}\u{b9}\u{2077}");
        assert_eq!(text(-2.5e200), "\u{2212}2.500\u{d7}10\u{b2}\u{2070}\u{2070}");
        assert_eq!(text(999_999.9), "1.000\u{d7}10\u{2076}");
        assert_eq!(text(f64::INFINITY), "\u{221e}");
    }

    #[test]
    fn undefined_has_no_text() {
        assert_eq!(value(None).text, None);
        assert_eq!(value(Some(f64::NAN)).text, None);
    }

    #[test]
    fn columns_have_the_digits_of_the_terminal() {
        let digits = Digits::of([0.2395, -0.0022]);
        let texts = [0.2395, -0.002_16, 0.0].map(|value| shared(digits, Some(value)).text);
        assert_eq!(texts.map(Option::unwrap_or_default), ["0.2395", "\u{2212}0.0022", "0.0000"]);
        assert_eq!(shared(digits, None), number(None, DIGITS));
        assert_eq!(shared(Digits::of([1e-12]), Some(1e-12)), number(Some(1e-12), DIGITS));
        assert_eq!(p_value(Some(1e-9)).text.as_deref(), Some("<0.0001"));
        assert_eq!(p_value(Some(0.05)).text.as_deref(), Some("0.0500"));
    }

    #[test]
    fn programs_can_read_lines() {
        assert_eq!(plain(0.123_456), "0.1235");
        assert_eq!(plain(-12.0), "-12");
        assert_eq!(plain(1.234_56e-17), "1.235e-17");
        assert_eq!((plain(-0.0), plain(f64::NAN)), ("0".into(), String::new()));
        assert_eq!((quoted("a,\"b\""), quoted("a b")), ("\"a,\"\"b\"\"\"".into(), "a b".into()));
    }

    #[test]
    fn narrow_ranges_have_more_digits() {
        let digits = |values: &[f64]| digits_apart(values.iter().copied());
        assert_eq!(digits(&[0.0, 12.0]), 4);
        assert_eq!(digits(&[7.0, 7.0]), 4);
        assert_eq!(digits(&[f64::NAN]), 4);
        assert_eq!(digits(&[101_269.4, 101_391.2]), 6);
        assert_eq!(digits(&[1.333, 1.3332]), 6);
        assert_eq!(with_digits(1.333_051_2, 6), "1.33305");
        assert_eq!(plain_with(101_269.43, 7), "101269.4");
        assert_eq!(digits(&[-1e300, 1e300]), 4);
        assert_eq!(digits(&[1.0, 1.0 + f64::EPSILON]), 17);
    }

    #[test]
    fn powers_of_ten_are_as_short_as_steps() {
        let texts = [0.0, 2e13, -4e13].map(|tick| power_of_ten(tick, 2e13));
        assert_eq!(texts, ["0", "2\u{d7}10\u{b9}\u{b3}", "\u{2212}4\u{d7}10\u{b9}\u{b3}"]);
        assert_eq!(power_of_ten(1.710_05e9, 5e4), "1.71005\u{d7}10\u{2079}");
        assert_eq!(power_of_ten(1.5e-7, 5e-8), "1.5\u{d7}10\u{207b}\u{2077}");
        assert_eq!(power_of_ten(3e-8, 1e-8), "3\u{d7}10\u{207b}\u{2078}");
    }

    #[test]
    fn counts_in_groups() {
        assert_eq!(count(9999), "9999");
        assert_eq!(count(12_345), "12\u{202f}345");
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
    }
}
