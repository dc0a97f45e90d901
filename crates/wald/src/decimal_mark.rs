//! The sign before the decimals of numbers in texts for people.
//!
//! Numbers are formatted with a point everywhere. Where texts are about to be shown, [`DecimalMark::text`]
//! gives the numbers in them another mark, so that nothing else needs to know of it.

use std::borrow::Cow;
use std::ops::Range;

/// The sign before the decimals of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DecimalMark {
    /// As in 0.5.
    #[default]
    Point,
    /// As in 0,5.
    Comma,
}

impl DecimalMark {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Point, Self::Comma];

    /// The word by which users name it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Comma => "comma",
        }
    }

    /// A text whose numbers have this mark. With a comma, numbers in a list are separated by semicolons.
    /// What is in quotes or backticks, versions, identifiers and words with digits stay as they are.
    ///
    /// ```
    /// use wald::DecimalMark;
    ///
    /// let text = "0.50 [0.49, 0.51] of \"1100.5\", by wald 0.1.0: x2.5 is p < 0.001, 3 rows";
    /// let shown = "0,50 [0,49; 0,51] of \"1100.5\", by wald 0.1.0: x2.5 is p < 0,001; 3 rows";
    /// assert_eq!(DecimalMark::Comma.text(text), shown);
    /// assert_eq!(DecimalMark::Point.text(text), text);
    /// ```
    pub fn text(self, text: &str) -> Cow<'_, str> {
        if self == Self::Point || !text.contains('.') {
            return text.into();
        }
        let mut shown = text.as_bytes().to_vec();
        let mut before: Option<Number> = None;
        for number in numbers(text) {
            if let Some(before) = before
                && (before.point.is_some() || number.point.is_some())
                && is_comma(&text[before.place.end..number.place.start])
            {
                shown[before.place.end] = b';';
            }
            if let Some(point) = number.point {
                shown[point] = b',';
            }
            before = Some(number);
        }
        // Bytes of ASCII took the place of others.
        String::from_utf8(shown).map_or_else(|_| text.into(), Cow::Owned)
    }
}

/// Where a number stands, and its point if it has one.
struct Number {
    place: Range<usize>,
    point: Option<usize>,
}

/// Whether nothing but a comma is between two numbers, and signs of the second one.
fn is_comma(between: &str) -> bool {
    between
        .strip_prefix(',')
        .is_some_and(|rest| rest.chars().all(|c| c.is_whitespace() || "+-\u{2212}±<".contains(c)))
}

/// The numbers of a text.
fn numbers(text: &str) -> Vec<Number> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'`') => {
                let rest = &bytes[at + 1..];
                at += 1 + rest.iter().position(|&byte| byte == quote).map_or(0, |end| end + 1);
            }
            byte if byte.is_ascii_digit() => {
                let end = at + word(&text[at..]);
                if is_free(&text[..at]) {
                    found.extend(number(text, at..end));
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    found
}

/// The length of what belongs to a digit: letters, digits, and points between them.
fn word(text: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || "_/".contains(c);
    let mut length = 0;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let joins = c == '.' && rest.peek().is_some_and(|&next| is_part(next))
            // The sign of an exponent.
            || "+-".contains(c) && text[..length].ends_with(['e', 'E'])
                && rest.peek().is_some_and(char::is_ascii_digit);
        if !is_part(c) && !joins {
            break;
        }
        length += c.len_utf8();
    }
    length
}

/// Whether a number may begin after this text.
fn is_free(before: &str) -> bool {
    let mut last = before.chars().rev();
    match last.next() {
        None => true,
        // A sign, or a part of a word.
        Some('-') => !last.next().is_some_and(char::is_alphabetic),
        // Identifiers of papers, and their sections.
        Some(':') => !before.ends_with("arXiv:"),
        Some(' ') => !before.ends_with("ection "),
        Some(c) => !c.is_alphanumeric() && !"_./".contains(c),
    }
}

/// What looks like a number: digits, with at most one point, and perhaps an exponent.
fn number(text: &str, place: Range<usize>) -> Option<Number> {
    let word = &text[place.clone()];
    let (mantissa, exponent) = match word.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.trim_start_matches(['+', '-']))),
        None => (word, None),
    };
    let (whole, decimals) = match mantissa.split_once('.') {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (mantissa, None),
    };
    let is_number = [Some(whole), decimals, exponent]
        .into_iter()
        .flatten()
        .all(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
    is_number.then(|| Number { point: decimals.map(|_| place.start + whole.len()), place })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(DecimalMark::Comma.text(text), expected);
    }

    #[test]
    fn numbers_have_commas() {
        check("0.5", "0,5");
        check("It is 0.5.", "It is 0,5.");
        check(
            "-0.5 \u{2212}0.5 ±0.25 <0.0001 (1.5e-17)",
            "-0,5 \u{2212}0,5 ±0,25 <0,0001 (1,5e-17)",
        );
        check(
            "1.235\u{d7}10\u{207b}\u{b9} and 99.9 % or 12.5%",
            "1,235\u{d7}10\u{207b}\u{b9} and 99,9 % or 12,5%",
        );
        check("12\u{202f}345.5–0.6", "12\u{202f}345,5–0,6");
    }

    #[test]
    fn numbers_of_a_list_have_semicolons_between_them() {
        check("[0, 0.5]", "[0; 0,5]");
        check("0.1,0.2, -3, ±0.5", "0,1;0,2; -3; ±0,5");
        check("0.5, and 1, 2 or x, 0.5", "0,5, and 1, 2 or x, 0,5");
    }

    #[test]
    fn what_is_no_number_stays() {
        for text in [
            "x1.5 PM2.5 v1.2 2.5x a-1.5 a_1.5 1.5_a 1.a",
            "wald 0.1.0",
            "https://doi.org/10.1214/18-AOS1709, arXiv:2307.01932, section 3.3",
            "\"1.5\" `--level 0.05`",
            "file.csv 3. 4 …",
        ] {
            check(text, text);
        }
        check("a \" 1.5", "a \" 1,5");
        check("\"ä\" 1.5 ü", "\"ä\" 1,5 ü");
    }
}
