//! What a single cell of a text file can mean.

use crate::digits::{LARGEST_EXACT_INTEGER, SMALL_POWERS, eight_digits, last_digits, quotient};

/// A cell that spells a decimal number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Number {
    /// The nearest f64; infinite when the number is too large.
    pub(crate) value: f64,
    /// How it is written.
    pub(crate) spelling: Spelling,
    /// True for integers such as `007`, which may be codes.
    pub(crate) padded: bool,
}

/// How a number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// Digits only, exact as f64.
    Integer,
    /// Digits only, but beyond 2^53, where neighbours merge.
    LargeInteger,
    /// With a decimal mark or an exponent.
    Real,
}

/// Reads `text` as a decimal number: sign, digits, decimal mark, digits, exponent.
///
/// Hexadecimal, digit grouping, `inf` and `nan` are not numbers here.
#[inline]
pub(crate) fn number(text: &[u8], decimal: u8) -> Option<Number> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let mut mantissa = 0_u64;
    let mut position = 0;
    while let Some(digit) = digit_at(digits, position) {
        mantissa = mantissa.wrapping_mul(10).wrapping_add(digit);
        position += 1;
    }
    let n_whole = position;
    let padded = n_whole > 1 && digits[0] == b'0';
    if position == digits.len() {
        return (n_whole > 0).then(|| integer(text, negative, mantissa, n_whole, padded));
    }
    let mut n_fraction = 0;
    if digits[position] == decimal {
        let start = position + 1;
        position = start;
        while let Some(eight) = digits.get(position..).and_then(<[u8]>::first_chunk) {
            let Some(value) = eight_digits(u64::from_le_bytes(*eight)) else { break };
            mantissa = mantissa.wrapping_mul(100_000_000).wrapping_add(value);
            position += 8;
        }
        if let Some((rest, value)) = last_digits(digits, position) {
            mantissa = mantissa.wrapping_mul(SMALL_POWERS[rest]).wrapping_add(value);
            position += rest;
        }
        while let Some(digit) = digit_at(digits, position) {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(digit);
            position += 1;
        }
        n_fraction = position - start;
    }
    if n_whole + n_fraction == 0 {
        return None;
    }
    let has_exponent = position < digits.len();
    if has_exponent {
        check_exponent(&digits[position..])?;
    }
    let is_short = |n_digits| {
        let significant = digits.iter().filter(|&&byte| byte != decimal);
        n_digits <= 19 || n_digits - significant.take_while(|&&byte| byte == b'0').count() <= 19
    };
    let size = if !has_exponent && is_short(n_whole + n_fraction) {
        quotient(mantissa, n_fraction)
    } else {
        None
    };
    let value = match size {
        Some(size) if negative => -size,
        Some(size) => size,
        None => slow_number(text, decimal)?,
    };
    Some(Number { value, spelling: Spelling::Real, padded: false })
}

/// The digit at `position`, where there is one.
#[inline]
fn digit_at(text: &[u8], position: usize) -> Option<u64> {
    let digit = text.get(position)?.wrapping_sub(b'0');
    (digit < 10).then_some(u64::from(digit))
}

fn integer(text: &[u8], negative: bool, mantissa: u64, n_digits: usize, padded: bool) -> Number {
    if n_digits <= 19 && mantissa <= LARGEST_EXACT_INTEGER {
        let size = mantissa as f64;
        let value = if negative { -size } else { size };
        return Number { value, spelling: Spelling::Integer, padded };
    }
    let value = slow_number(text, b'.').unwrap_or(f64::NAN);
    Number { value, spelling: Spelling::LargeInteger, padded }
}

/// Accepts `e5`, `E-05` and nothing else.
fn check_exponent(text: &[u8]) -> Option<()> {
    let [b'e' | b'E', rest @ ..] = text else { return None };
    let digits = unsigned(rest);
    (!digits.is_empty() && digits.iter().all(u8::is_ascii_digit)).then_some(())
}

/// `text` without its sign.
fn unsigned(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text)
}

/// Correctly rounded reading of any length, by the standard library.
fn slow_number(text: &[u8], decimal: u8) -> Option<f64> {
    let text = std::str::from_utf8(text).ok()?;
    if decimal == b'.' {
        return text.parse().ok();
    }
    text.replacen(char::from(decimal), ".", 1).parse().ok()
}

/// Spellings of a missing value in any column: an empty cell and `NA`.
#[inline]
pub(crate) fn is_missing_text(text: &[u8]) -> bool {
    text.is_empty() || text == b"NA"
}

/// Spellings of a missing value among numbers.
///
/// Text columns keep all but an empty cell and `NA` as levels, because `None` or `?` may be an
/// answer there.
pub(crate) fn is_missing_number(text: &[u8]) -> bool {
    matches!(
        text,
        b"" | b"NA"
            | b"N/A"
            | b"n/a"
            | b"na"
            | b"#N/A"
            | b"<NA>"
            | b"NaN"
            | b"nan"
            | b"NAN"
            | b"-nan"
            | b"null"
            | b"NULL"
            | b"Null"
            | b"None"
            | b"none"
            | b"."
            | b"?"
            | b"-"
            | b"--"
    )
}

/// True for a text that begins with a letter, and so is neither a number, in disguise or not, nor a
/// date, and that does not spell a missing or an infinite value.
#[inline]
pub(crate) fn is_word(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_alphabetic)
        && !is_missing_number(text)
        && !is_infinite(text)
}

/// True for `inf`, `Infinity` and their negatives.
pub(crate) fn is_infinite(text: &[u8]) -> bool {
    let size = unsigned(text);
    size.eq_ignore_ascii_case(b"inf") || size.eq_ignore_ascii_case(b"infinity")
}

/// The number next to an infinite one: trees compare ranks only, and all that is computed of it
/// stays finite.
pub(crate) fn extreme(text: &[u8]) -> f64 {
    if text.starts_with(b"-") { -f64::MAX } else { f64::MAX }
}

/// A number in a dress that keeps it from being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Disguise {
    /// `1,234,567`, `1 234 567` or `1'234'567`.
    Thousands,
    /// `1,5` where the decimal mark is a point, or `1.5` where it is a comma.
    OtherDecimal,
    /// `12%`.
    Percent,
    /// `$12`, `12 €`.
    Currency,
}

impl Disguise {
    /// How to mend cells of this kind.
    pub(crate) fn help(self) -> &'static str {
        match self {
            Self::Thousands => "remove the thousands separators",
            Self::OtherDecimal => "use one decimal mark in the whole file",
            Self::Percent => "remove the percent signs",
            Self::Currency => "remove the currency signs",
        }
    }
}

/// Recognises grouped digits, percentages and amounts of money.
pub(crate) fn disguise(text: &[u8], decimal: u8) -> Option<Disguise> {
    let other = if decimal == b'.' { b',' } else { b'.' };
    if is_grouped(text, other, decimal) || is_spaced(text, decimal) {
        return Some(Disguise::Thousands);
    }
    if text.contains(&other) && number(text, other).is_some() {
        return Some(Disguise::OtherDecimal);
    }
    if let [rest @ .., b'%'] = text {
        return is_amount(rest, other, decimal).then_some(Disguise::Percent);
    }
    let text = std::str::from_utf8(text).ok()?;
    let signs = ['$', '€', '£', '¥'];
    let bare = text.strip_prefix(signs).or_else(|| text.strip_suffix(signs))?;
    is_amount(bare.as_bytes(), other, decimal).then_some(Disguise::Currency)
}

fn is_amount(text: &[u8], group: u8, decimal: u8) -> bool {
    let text = text.trim_ascii();
    number(text, decimal).is_some() || is_grouped(text, group, decimal)
}

/// The same with blanks, also narrow ones and such as do not break, or apostrophes between groups.
fn is_spaced(text: &[u8], decimal: u8) -> bool {
    const BETWEEN: [char; 5] = [' ', '\u{a0}', '\u{202f}', '\'', '\u{2019}'];
    if !unsigned(text).first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let found = text.find(BETWEEN).and_then(|at| text[at..].chars().next());
    found.is_some_and(|one| is_grouped(text.replace(one, "_").as_bytes(), b'_', decimal))
}

/// Matches `1,234` and `-12,345,678.9`: groups of three digits after a first one of up to three.
pub(crate) fn is_grouped(text: &[u8], group: u8, decimal: u8) -> bool {
    let mut halves = unsigned(text).splitn(2, |&byte| byte == decimal);
    let whole = halves.next().unwrap_or_default();
    if !halves.next().unwrap_or_default().iter().all(u8::is_ascii_digit) {
        return false;
    }
    let mut groups = whole.split(|&byte| byte == group);
    let first = groups.next().unwrap_or_default();
    let mut n_groups = 0;
    let all_threes = groups.all(|digits| {
        n_groups += 1;
        digits.len() == 3 && digits.iter().all(u8::is_ascii_digit)
    });
    let starts_well =
        matches!(first.len(), 1..=3) && first.iter().all(u8::is_ascii_digit) && first[0] != b'0';
    all_threes && n_groups > 0 && starts_well
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<f64> {
        number(text.as_bytes(), b'.').map(|number| number.value)
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        for text in [
            "0",
            "-0",
            "+7",
            "1.",
            ".5",
            "-.5",
            "1e5",
            "1E-05",
            "3.14159265358979",
            "5e-324",
            "1e308",
            "0.1234567890123456789",
            "123456789012345678901234567890",
            "9007199254740993.0",
            "1e400",
            "2.2250738585072011e-308",
            "179769313486231580793e289",
            "0000000000000000000000001.5",
        ] {
            let expected: f64 = text.parse().expect(text);
            assert_eq!(value(text).map(f64::to_bits), Some(expected.to_bits()), "{text}");
        }
    }

    #[test]
    fn numbers_of_all_lengths_are_rounded_as_by_the_standard_library() {
        let mut state = 1_u64;
        for round in 0..200_000_u64 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(round | 1);
            let digits = (state >> (round % 64)).to_string();
            let point = (state >> 59) as usize % (digits.len() + 1);
            let zeros = "0".repeat((state >> 32) as usize % 12 * usize::from(point == 0));
            let text = format!("{}.{zeros}{}", &digits[..point], &digits[point..]);
            let expected: f64 = text.parse().expect("a number");
            assert_eq!(value(&text).map(f64::to_bits), Some(expected.to_bits()), "{text}");
        }
        // Halfway between two numbers, and next to it.
        for text in [
            "4503599627370497.5",
            "4503599627370496.5",
            "4503599627370497.4999",
            "0.5000000000000000555",
        ] {
            assert_eq!(value(text), text.parse().ok(), "{text}");
        }
    }

    #[test]
    fn other_spellings_are_no_numbers() {
        for text in [
            "", "-", ".", "e5", "1e", "1e+", "0x1F", "1_000", "1,5", "inf", "nan", "1.2.3", "1 2",
            "3+", "<1", "12%", "--1", "1f", "1d5", "٣",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
    }

    #[test]
    fn spelling_tells_integers_and_codes() {
        let spelling = |text: &str| number(text.as_bytes(), b'.').map(|n| (n.spelling, n.padded));
        assert_eq!(spelling("9007199254740992"), Some((Spelling::Integer, false)));
        assert_eq!(spelling("9007199254740993"), Some((Spelling::LargeInteger, false)));
        assert_eq!(spelling("-99999999999999999999"), Some((Spelling::LargeInteger, false)));
        assert_eq!(spelling("02139"), Some((Spelling::Integer, true)));
        assert_eq!(spelling("0.5"), Some((Spelling::Real, false)));
    }

    #[test]
    fn decimal_commas_are_read_when_asked() {
        assert_eq!(number(b"1,5", b',').map(|n| n.value), Some(1.5));
        assert_eq!(number(b"-1,5e3", b',').map(|n| n.value), Some(-1500.0));
        assert_eq!(number(b"1.5", b','), None);
    }

    #[test]
    fn disguised_numbers_are_recognised() {
        let kind = |text: &str| disguise(text.as_bytes(), b'.');
        assert_eq!(kind("1,234"), Some(Disguise::Thousands));
        assert_eq!(kind("-1,234,567.89"), Some(Disguise::Thousands));
        for text in ["1 234", "-12\u{a0}345\u{a0}678.9", "1\u{202f}000", "1'234.5", "1\u{2019}000"]
        {
            assert_eq!(kind(text), Some(Disguise::Thousands), "{text}");
        }
        assert_eq!(disguise(b"1 234,5", b','), Some(Disguise::Thousands));
        assert_eq!(kind("1,5"), Some(Disguise::OtherDecimal));
        assert_eq!(kind("12.5%"), Some(Disguise::Percent));
        assert_eq!(kind("$1,200"), Some(Disguise::Currency));
        assert_eq!(kind("12 €"), Some(Disguise::Currency));
        for text in [
            "A12",
            "3+",
            "<1",
            "2020-01-01",
            "12:30",
            "0x1F",
            "1,23,4",
            "%",
            "$",
            "1 23",
            "a 123",
            "1 234'567",
            "020 123",
        ] {
            assert_eq!(kind(text), None, "{text}");
        }
        assert_eq!(disguise(b"1.234,5", b','), Some(Disguise::Thousands));
    }
}
