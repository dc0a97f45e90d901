//! The answer where no variable is found to matter, and why that may be.

use crate::answer::AnswerEntry;
use crate::answer::sentences::{Subject, below_zero, have_intervals};
use crate::answer::words::{MOST_NAMES, called, listed, number, shortened};
use wald::words;

/// What no variable is seen to add, by how much the forest explains.
pub(super) fn nothing_matters(
    entries: &[AnswerEntry],
    variance: &str,
    about: Subject<'_>,
) -> String {
    let has_groups = entries.iter().any(|entry| !entry.members.is_empty());
    let who = if has_groups { "any variable or group" } else { "any variable" };
    let but = if about.first.is_empty() {
        String::new()
    } else {
        format!(
            "; by permutation importance, which counts what others could replace, {} {} first",
            listed(about.first, MOST_NAMES),
            if about.first.len() == 1 { "comes" } else { "come" }
        )
    };
    match about.explained {
        Some(explained) if explained > 0.0 && !have_intervals(entries) => format!(
            "The tree explains {} of {variance}, but what {who} adds beyond the others cannot be \
             judged from a single tree{but}.",
            number(explained, 2)
        ),
        Some(explained) if explained > 0.0 && entries.len() == 1 && !has_groups => format!(
            "The forest explains {} of {variance}, which is not distinguishable from zero: the only \
             variable adds nothing, or the table is too small to decide.",
            number(explained, 2)
        ),
        Some(explained) if explained > 0.0 => {
            let below = below_zero(entries);
            let not_seen =
                if below.is_empty() { "distinguishable from" } else { "seen to be above" };
            let why = if has_groups {
                "they replace each other, or the table is too small to decide"
            } else {
                "the table or the leaves are too small to decide, or they replace each other"
            };
            format!(
                "The forest explains {} of {variance}, but what {who} adds beyond the others is not \
                 {not_seen} zero: {why}{below}{but}.",
                number(explained, 2)
            )
        }
        Some(_) => no_better_than_the_mean(entries, variance, &but),
        None => format!("No variable is seen to account for any of {variance}{but}."),
    }
}

/// Of a forest that explains nothing: its errors may still grow without a variable that matters.
fn no_better_than_the_mean(entries: &[AnswerEntry], variance: &str, but: &str) -> String {
    let is_missed = |entry: &&AnswerEntry| entry.low > Some(0.0);
    let missed: Vec<String> = entries.iter().filter(is_missed).map(called).collect();
    if missed.is_empty() {
        return format!(
            "No variable is seen to account for any of {variance}: the forest predicts rows it has not \
             seen no better than their mean does; it may overfit, which larger leaves reduce{but}."
        );
    }
    format!(
        "The forest predicts rows it has not seen no better than their mean does, so that its shares do not \
         show what accounts for {variance}: it may overfit, which larger leaves reduce. It predicts even worse \
         without {}{but}.",
        words::listed(&shortened(&missed, MOST_NAMES), "and")
    )
}
