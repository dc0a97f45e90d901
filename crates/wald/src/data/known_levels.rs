//! Levels of new rows among those that are known.

use std::collections::HashMap;

/// Known levels by their spelling. Programs write the same truth value as `true`, `True` and `TRUE`, and the
/// same whole number as `1` and `1.0` where a column has gaps: a level is found by either unless several known
/// levels differ in nothing else, or some are numbers with fractions.
#[derive(Debug)]
pub struct KnownLevels<'a> {
    exact: HashMap<&'a str, u32>,
    /// `None` where several are spelt alike.
    alike: HashMap<String, Option<u32>>,
}

impl<'a> KnownLevels<'a> {
    /// The levels in the order of their codes.
    pub fn new(levels: &'a [String]) -> Self {
        let exact = levels.iter().map(String::as_str).zip(0_u32..).collect();
        let mut alike = HashMap::new();
        let are_whole = !levels.iter().any(|level| has_fraction(level));
        for (level, code) in levels.iter().zip(0_u32..).filter(|_| are_whole) {
            if let Some(plain) = plain(level) {
                alike.entry(plain).and_modify(|found| *found = None).or_insert(Some(code));
            }
        }
        Self { exact, alike }
    }

    /// The code of a level; `None` of one that is not known.
    ///
    /// ```
    /// use wald::data::KnownLevels;
    ///
    /// let levels = ["False", "True", "01", "1"].map(str::to_owned);
    /// let known = KnownLevels::new(&levels);
    /// assert_eq!(known.code("TRUE"), Some(1));
    /// assert_eq!(known.code("1.0"), Some(3));
    /// assert_eq!(known.code("2"), None);
    /// ```
    pub fn code(&self, level: &str) -> Option<u32> {
        let exact = self.exact.get(level).copied();
        exact.or_else(|| self.alike.get(&plain(level)?).copied().flatten())
    }
}

/// A truth value in small letters, or a whole number without the zeros behind its point; `None` of other levels.
/// Zeros in front are part of what a level is, such as a postal code.
fn plain(level: &str) -> Option<String> {
    if level.eq_ignore_ascii_case("true") || level.eq_ignore_ascii_case("false") {
        return Some(level.to_ascii_lowercase());
    }
    let (whole, zeros) = level.split_once('.').unwrap_or((level, ""));
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let is_whole = !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && zeros.bytes().all(|byte| byte == b'0');
    is_whole.then(|| whole.to_owned())
}

/// Whether a level is a number with a fraction, such as a version or a code of a disease, where zeros behind the
/// point may have a meaning.
fn has_fraction(level: &str) -> bool {
    level.contains('.') && plain(level).is_none() && level.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(levels: &[&str], asked: &[&str]) -> Vec<Option<u32>> {
        let levels: Vec<String> = levels.iter().map(|&level| level.to_owned()).collect();
        let known = KnownLevels::new(&levels);
        asked.iter().map(|level| known.code(level)).collect()
    }

    #[test]
    fn truth_values_and_numbers_are_found_in_other_spellings() {
        let found = codes(&["FALSE", "TRUE"], &["true", "False", "TRUE", "truth", "T"]);
        assert_eq!(found, [Some(1), Some(0), Some(1), None, None]);
        let found = codes(&["-1", "2", "3.0"], &["-1.00", "2.", "2.0", "3", "2.01", "02", "2e0"]);
        let expected = [Some(0), Some(1), Some(1), Some(2), None, None, None];
        assert_eq!(found, expected);
        let found = codes(&["250.0", "250.1"], &["250.0", "250", "250.00", "250.10"]);
        assert_eq!(found, [Some(0), None, None, None]);
    }

    #[test]
    fn levels_that_are_spelt_alike_are_known_by_their_own_spelling_only() {
        let found = codes(&["True", "true", "1", "1.0"], &["TRUE", "True", "1.00", "1", "1.0"]);
        assert_eq!(found, [None, Some(0), None, Some(2), Some(3)]);
    }
}
