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
    fn long_names_are_cut() {
        assert_eq!(named("age"), "\"age\"");
        assert_eq!(named(&"ä".repeat(50)), format!("\"{}…\"", "ä".repeat(40)));
        assert_eq!(listed(&["a".into(), "b".into(), "c".into()], 2), "\"a\", \"b\" and 1 more");
    }
}
