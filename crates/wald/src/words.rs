//! Words that messages are made of.

/// A number of things: `1 row`, `2 rows`, `1 class`, `2 classes`.
///
/// `noun` is the singular; a noun of several words changes its last one.
///
/// ```
/// use wald::words::counted;
///
/// assert_eq!(counted(1, "row"), "1 row");
/// assert_eq!(counted(3, "class"), "3 classes");
/// ```
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {}", numbered(number, noun))
}

/// The noun alone, for numbers that are written in a form of their own.
pub fn numbered(number: usize, noun: &str) -> String {
    match noun {
        _ if number == 1 => noun.to_owned(),
        _ if noun.ends_with('s') => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// The note on trees that have no out-of-bag rows to be judged by, or too few; none without such trees.
pub(crate) fn trees_left_out(n_trees: usize, few: &str) -> Option<String> {
    let trees = counted(n_trees, "tree");
    let note =
        || format!("{trees} {few} out-of-bag rows of positive weight {} left out", were(n_trees));
    (n_trees > 0).then(note)
}

/// Words as in a sentence: `a`, `a and b`, `a, b and c`.
///
/// ```
/// use wald::words::listed;
///
/// assert_eq!(listed(&["x1"], "or"), "x1");
/// assert_eq!(listed(&["x1", "x2"], "and"), "x1 and x2");
/// assert_eq!(listed(&["x1", "x2", "x3"], "or"), "x1, x2 or x3");
/// ```
pub fn listed(words: &[impl AsRef<str>], joined_by: &str) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [before @ .., last] => format!("{} {joined_by} {last}", before.join(", ")),
    }
}

/// The first words of a list as in a sentence, and how many more there are.
///
/// ```
/// use wald::words::some_of;
///
/// assert_eq!(some_of(&["a", "b", "c"], 3), "a, b and c");
/// assert_eq!(some_of(&["a", "b", "c", "d"], 2), "a, b and 2 more");
/// ```
pub fn some_of(words: &[impl AsRef<str>], most: usize) -> String {
    let mut shown: Vec<String> =
        words.iter().take(most).map(|word| word.as_ref().to_owned()).collect();
    if words.len() > most {
        shown.push(format!("{} more", words.len() - most));
    }
    listed(&shown, "and")
}

/// A share in percent; small and large ones are not rounded to none and all.
///
/// ```
/// use wald::words::percent;
///
/// assert_eq!(percent(0.734), "73 %");
/// assert_eq!(percent(0.9991), "99.9 %");
/// assert_eq!(percent(0.9999), "more than 99.9 %");
/// ```
pub fn percent(share: f64) -> String {
    let value = 100.0 * share;
    let is_extreme = (value != 0.0 && value.abs() < 1.95) || (value > 98.05 && value < 100.0);
    match is_extreme {
        true if value > 0.0 && value < 0.05 => "less than 0.1 %".to_owned(),
        true if value > 99.95 => "more than 99.9 %".to_owned(),
        true => format!("{value:.1} %"),
        false => format!("{value:.0} %"),
    }
}

/// That so many things exist.
///
/// ```
/// use wald::words::there_are;
///
/// assert_eq!(there_are(1, "tree"), "there is 1 tree");
/// assert_eq!(there_are(3, "tree"), "there are 3 trees");
/// ```
pub fn there_are(number: usize, noun: &str) -> String {
    let verb = if number == 1 { "is" } else { "are" };
    format!("there {verb} {}", counted(number, noun))
}

/// The verb of so many things.
pub fn were(number: usize) -> &'static str {
    if number == 1 { "was" } else { "were" }
}

/// A count with commas between thousands.
pub fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The shortest text that reads back as `value`, without an exponent where that is short.
pub fn shortest(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-5..1e16).contains(&size) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
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
    fn numbers_read_back() {
        for value in [0.1, -1e-300, 1e300, 0.0, 123.456, f64::MIN_POSITIVE] {
            assert_eq!(shortest(value).parse(), Ok(value));
        }
    }

    #[test]
    fn one_is_singular() {
        let words = [(1, "row"), (0, "row"), (2, "test row"), (1, "class"), (3, "class")];
        let found = words.map(|(number, noun)| counted(number, noun));
        assert_eq!(found, ["1 row", "0 rows", "2 test rows", "1 class", "3 classes"]);
    }
}
