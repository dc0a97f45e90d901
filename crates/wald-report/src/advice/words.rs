//! Numbers and names inside of sentences.

/// Characters of a name that a sentence shows.
const MOST_CHARACTERS: usize = 40;

/// A name in quotes, cut where it is long. What prints it escapes it.
pub(crate) fn named(name: &str) -> String {
    let mut characters = name.chars();
    let mut shown: String = characters.by_ref().take(MOST_CHARACTERS).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

/// A list of names, of which so many are shown.
pub(super) fn listed(names: &[String], most: usize) -> String {
    let shown: Vec<String> = names.iter().take(most).map(|name| named(name)).collect();
    match names.len().saturating_sub(most) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A number with its noun.
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A share in percent; small and large ones are not rounded to none and all.
pub(crate) fn percent(share: f64) -> String {
    let value = 100.0 * share;
    let is_extreme = (value != 0.0 && value.abs() < 1.95) || (value > 98.05 && value < 100.0);
    match is_extreme {
        true if value > 0.0 && value < 0.05 => "less than 0.1 %".to_owned(),
        true if value > 99.95 => "more than 99.9 %".to_owned(),
        true => format!("{value:.1} %"),
        false => format!("{value:.0} %"),
    }
}

/// A dependence between 0 and 1; what is not quite 1 is not rounded to it.
pub(crate) fn correlation(size: f64) -> String {
    if (0.995..1.0).contains(&size) { "above 0.99".to_owned() } else { format!("{size:.2}") }
}

/// A p-value in words.
pub(super) fn p_value(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

/// A name or a sentence within another one: without a capital, unless it begins with an abbreviation
/// or somebody's name.
pub(crate) fn in_sentence(name: &str) -> String {
    const PEOPLE: [&str; 2] = ["Shapley", "Sobol"];
    let mut letters = name.chars();
    let first = letters.next();
    if letters.clone().next().is_none_or(char::is_uppercase)
        || PEOPLE.iter().any(|people| name.starts_with(people))
    {
        return name.to_owned();
    }
    first.into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_not_rounded_to_none_and_all() {
        let words = [0.0, 0.0002, 0.004, 0.123, 0.996, 0.9999, 1.0, -0.004].map(percent);
        let expected = [
            "0 %",
            "less than 0.1 %",
            "0.4 %",
            "12 %",
            "99.6 %",
            "more than 99.9 %",
            "100 %",
            "-0.4 %",
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(named("age"), "\"age\"");
        assert_eq!(named(&"ä".repeat(50)), format!("\"{}…\"", "ä".repeat(40)));
        assert_eq!(listed(&["a".into(), "b".into(), "c".into()], 2), "\"a\", \"b\" and 1 more");
    }
}
