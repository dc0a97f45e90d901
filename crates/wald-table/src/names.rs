//! Column names in messages.

use std::fmt::Write as _;

use crate::error::escape;

/// Names that are at least this similar are suggested.
const SIMILAR: f64 = 0.7;

/// The name of `known` that was probably meant by `name`.
///
/// Names that differ only by case, blanks and punctuation come first.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = folded(name);
    let score = |candidate: &str| {
        let other = folded(candidate);
        if other == plain { 2.0 } else { strsim::normalized_damerau_levenshtein(&plain, &other) }
    };
    known
        .map(|candidate| (score(candidate), candidate))
        .filter(|(score, _)| *score >= SIMILAR)
        .max_by(|left, right| left.0.total_cmp(&right.0))
        .map(|(_, candidate)| candidate)
}

/// `did you mean "x"?`, or a list of the names there are.
pub(crate) fn suggestion<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(name, known.clone()) {
        Some(near) => format!("did you mean \"{}\"?", escape(near)),
        None => format!("the columns are {}", listed(known)),
    }
}

/// At most eight names in quotes, and how many more there are.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str> + Clone) -> String {
    const SHOWN: usize = 8;
    let total = names.clone().count();
    let mut text = names
        .take(SHOWN)
        .map(|name| format!("\"{}\"", escape(name)))
        .collect::<Vec<_>>()
        .join(", ");
    if total > SHOWN {
        // Writing to a string cannot fail.
        let _ = write!(text, " and {} more", total - SHOWN);
    }
    text
}

fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        let known = ["bill_length_mm", "Sex", "year"];
        let near = |name| nearest(name, known.into_iter());
        assert_eq!(near("sex"), Some("Sex"));
        assert_eq!(near("bill.length.mm"), Some("bill_length_mm"));
        assert_eq!(near("bill_lenght_mm"), Some("bill_length_mm"));
        assert_eq!(near("price"), None);
    }

    #[test]
    fn without_a_near_name_the_columns_are_listed() {
        let many: Vec<String> = (0..10).map(|i| format!("a{i}")).collect();
        let text = suggestion("zzz", many.iter().map(String::as_str));
        assert!(text.ends_with("\"a7\" and 2 more"), "{text}");
    }
}
