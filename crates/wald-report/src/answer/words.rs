//! Names and shares as text.

use crate::answer::AnswerEntry;
use wald::words;

/// Names listed in a sentence; more are counted.
pub(super) const MOST_NAMES: usize = 6;

/// Members of a group listed in a sentence.
pub(super) const MOST_MEMBERS: usize = 4;

/// Characters of a name; more are cut.
const LONGEST: usize = 40;

/// A name as it stands in a sentence: in quotes where it is not one word, or a number.
pub(super) fn named(name: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || "_.-".contains(c);
    let is_number = name.parse::<f64>().is_ok_and(f64::is_finite);
    let is_short = !name.is_empty() && name.chars().count() <= LONGEST;
    if is_short && !is_number && name.chars().all(is_word) {
        return name.to_owned();
    }
    crate::advice::named(name)
}

/// `a`, `a and b`, `a, b and c`; of many, the first ones and how many more.
pub(super) fn listed(names: &[&str], most: usize) -> String {
    let names: Vec<String> = names.iter().map(|name| named(name)).collect();
    words::listed(&shortened(&names, most), "and")
}

/// The first parts of a list, and how many more; never "1 more".
pub(super) fn shortened(parts: &[String], most: usize) -> Vec<String> {
    if parts.len() <= most + 1 {
        return parts.to_vec();
    }
    let more = format!("{} more", parts.len() - most);
    parts[..most].iter().cloned().chain([more]).collect()
}

/// What an entry is called in a sentence.
pub(super) fn called(entry: &AnswerEntry) -> String {
    if entry.members.is_empty() {
        return named(&entry.name);
    }
    let names: Vec<String> = entry.variables().into_iter().map(named).collect();
    let shown = shortened(&names, MOST_MEMBERS);
    let list =
        if shown.len() < names.len() { words::listed(&shown, "and") } else { shown.join(", ") };
    format!("the group ({list})")
}

/// A share with its interval: `0.50 [0.49, 0.51]`.
pub(super) fn share(entry: &AnswerEntry) -> String {
    let value = entry.share.unwrap_or(f64::NAN);
    let half = entry.high.zip(entry.low).map(|(high, low)| (high - low) / 2.0);
    let decimals = match half {
        Some(half) if half > 0.0 => (-half.log10()).ceil().clamp(2.0, 4.0) as usize,
        _ => 2,
    };
    let text = |value: f64| number(value, decimals);
    match (entry.low, entry.high) {
        (Some(low), Some(high)) => format!("{} [{}, {}]", text(value), text(low), text(high)),
        _ => text(value),
    }
}

/// A number with so many decimals, and no sign before a zero.
pub(super) fn number(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.chars().all(|c| c == '0' || c == '.') => zero.to_owned(),
        _ => text,
    }
}
