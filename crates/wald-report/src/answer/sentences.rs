//! The answer in words.

use crate::advice::in_sentence;
use crate::answer::nothing::nothing_matters;
use crate::answer::words::{
    MOST_MEMBERS, MOST_NAMES, called, listed, named, number, share, shortened,
};
use crate::answer::{Adds, AnswerEntry, DependentRows, FEW_ROWS, MUCH};
use wald::data::Task;
use wald::words::{self, thousands};

/// Smaller shares than this are counted, not named, where there are larger ones.
const SMALL: f64 = 0.005;

/// A variable that explains less by itself than this part of what is lost without it acts together with
/// others.
const MOSTLY: f64 = 0.25;

/// A forest that explains less than this explains little.
const WEAK: f64 = 0.1;

/// What the sentences are about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) target: &'a str,
    pub(crate) task: Task,
    pub(crate) n_rows: usize,
    pub(crate) n_trees: usize,
    /// Trees that were grown again where the forest hides variables.
    pub(crate) n_regrown: usize,
    /// Which rows and trees, where these are not all.
    pub(crate) sample: Option<&'a str>,
    /// The share of the variance that the forest explains out of bag.
    pub(crate) explained: Option<f64>,
    /// Whether any tree has a split.
    pub(crate) has_splits: bool,
    /// How many clusters the rows are in, where they are not independent.
    pub(crate) n_clusters: Option<usize>,
    /// The variables that come first by permutation importance, above zero by more than its error.
    pub(crate) first: &'a [&'a str],
    /// Where rows depend on their neighbours.
    pub(crate) dependent: Option<&'a DependentRows>,
    /// Why groups of variables were not looked for or not measured.
    pub(crate) without_groups: Option<&'a str>,
}

/// What matters, how sure that is, and what the shares are.
pub(crate) fn in_sentences(entries: &[AnswerEntry], about: Subject<'_>) -> Vec<String> {
    let target = named(about.target);
    if !about.has_splits {
        return vec![format!(
            "Nothing is known about the relevance of variables for {target}: no tree has a split, \
             so that every prediction is the same. Trees divide rows where the target and an input \
             variable vary, and where there are enough rows for the leaves."
        )];
    }
    if entries.iter().all(|entry| entry.share.is_none()) {
        return vec![format!(
            "Nothing is known about the relevance of variables for {target}: no share of its \
             variance is defined, because it is constant or no row was left out by any tree."
        )];
    }
    let mut sentences = vec![what_matters(entries, &target, about)];
    sentences.extend(about.dependent.map(DependentRows::sentence));
    sentences.extend(regrown(entries, about));
    sentences.extend(masked(entries));
    sentences.extend(replaced(entries));
    sentences.extend(together(entries));
    sentences.push(how_sure(entries, about));
    sentences.push(what_it_is(entries, about));
    sentences
}

/// Where shares are unknown: what comes first by a measure, and why no more is known.
pub(crate) fn by_rank(
    measure: &str,
    leaders: &[&str],
    target: &str,
    has_splits: bool,
    dependent: Option<&DependentRows>,
    why: &str,
) -> Vec<String> {
    let target = named(target);
    if !has_splits {
        return vec![format!(
            "Nothing is known about the relevance of variables for {target}: no tree has a split."
        )];
    }
    let by = in_sentence(measure);
    let first = match leaders {
        [] => format!("By {by}, no variable is detectably relevant for {target}."),
        [one] => format!("By {by}, {} comes first for {target}.", named(one)),
        [one, others @ ..] => format!(
            "By {by}, {} comes first for {target}, before {}.",
            named(one),
            listed(others, MOST_NAMES)
        ),
    };
    let why = why.trim_end_matches('.');
    let mut sentences = vec![first];
    sentences.extend(dependent.map(DependentRows::sentence));
    sentences
        .push(format!("What share of the variance each accounts for is not estimated: {why}."));
    sentences
}

fn what_matters(entries: &[AnswerEntry], target: &str, about: Subject<'_>) -> String {
    let of = |finding: Adds| entries.iter().filter(move |entry| entry.finding == finding);
    let largest = entries.iter().filter_map(|entry| entry.share).fold(0.0, f64::max);
    let is_small = |entry: &&AnswerEntry| entry.share < Some(SMALL.min(largest));
    let (small, large): (Vec<&AnswerEntry>, Vec<&AnswerEntry>) =
        of(Adds::Something).partition(is_small);
    let variance = match about.task {
        Task::Regression => format!("the variance of {target}"),
        Task::Classification => format!("the variance of the classes of {target}"),
    };
    let are_doubted = about.dependent.is_some_and(|dependent| !dependent.slow.is_empty());
    if large.is_empty()
        && are_doubted
        && let Some(explained) = about.explained.filter(|explained| *explained > 0.0)
    {
        let explained = number(explained, 2);
        return format!("The forest explains {explained} of {variance}{}.", others(entries));
    }
    if large.is_empty() {
        return nothing_matters(entries, &variance, about);
    }
    let (named_ones, rest) = large.split_at(large.len().min(MOST_NAMES));
    let mut parts: Vec<String> = named_ones
        .iter()
        .enumerate()
        .map(|(place, entry)| {
            let verb = if place == 0 { "accounts for" } else { "for" };
            format!("{} {verb} {}", called(entry), share(entry))
        })
        .collect();
    if let Some(most) = rest.first() {
        let n = rest.len();
        let each = if n > 1 { " each" } else { "" };
        parts.push(format!("{n} more for {} or less{each}", number(most.share.unwrap_or(0.0), 3)));
    }
    let mut sentence = format!("Of {variance}, {}", words::listed(&parts, "and"));
    if !small.is_empty() {
        let names: Vec<String> = small.iter().map(|entry| called(entry)).collect();
        let verb = if small.len() == 1 { "adds" } else { "add" };
        let names = words::listed(&shortened(&names, MOST_NAMES), "and");
        sentence += &format!("; {names} {verb} less than {SMALL}");
        sentence += if small.len() == 1 { "" } else { " each" };
    }
    sentence + &others(entries) + "."
}

/// What else there is, after a semicolon.
fn others(entries: &[AnswerEntry]) -> String {
    let names = |finding: Adds| -> Vec<String> {
        let is_found = |entry: &&AnswerEntry| entry.finding == finding && !entry.is_below_zero();
        entries.iter().filter(is_found).map(called).collect()
    };
    let list = |names: &[String]| words::listed(&shortened(names, MOST_NAMES), "and");
    let mut text = String::new();
    let unclear = names(Adds::Unclear);
    if !unclear.is_empty() {
        let verb = if unclear.len() == 1 { "adds" } else { "add" };
        text += &format!("; whether {} {verb} anything is not clear", list(&unclear));
    }
    let nothing = names(Adds::Nothing);
    if !nothing.is_empty() {
        let verb = if nothing.len() == 1 { "adds" } else { "add" };
        let verdict = if have_intervals(entries) {
            "is not distinguishable from zero"
        } else {
            "cannot be judged from a single tree"
        };
        text += &format!("; what {} {verb} beyond the others {verdict}", list(&nothing));
    }
    text + &below_zero(entries)
}

/// What the forest predicts better without, after a semicolon.
pub(super) fn below_zero(entries: &[AnswerEntry]) -> String {
    let names: Vec<String> =
        entries.iter().filter(|entry| entry.is_below_zero()).map(called).collect();
    let (share_of, is, it, these) = match names.len() {
        0 => return String::new(),
        1 => ("the share of", "is", "it", "it"),
        _ => ("the shares of", "are", "each of them", "these"),
    };
    format!(
        "; {share_of} {} {is} below zero: the forest predicts better without {it}, so that its splits on {these} \
         follow noise more than the target",
        words::listed(&shortened(&names, MOST_NAMES), "and")
    )
}

/// Whether there are errors to judge by: a single tree has none.
pub(super) fn have_intervals(entries: &[AnswerEntry]) -> bool {
    entries.iter().any(|entry| entry.low.is_some())
}

/// Whether trees were grown again for a share that would not be small otherwise.
fn has_masked_share(entry: &AnswerEntry) -> bool {
    entry.masked_share >= Some(SMALL)
}

/// Of shares of trees that were grown again, why, and what they would be.
fn regrown(entries: &[AnswerEntry], about: Subject<'_>) -> Option<String> {
    let part = |(place, entry): (usize, &AnswerEntry)| {
        let by = if place == 0 { "Sobol-MDA: " } else { "" };
        format!("{} ({by}{})", called(entry), number(entry.masked_share.unwrap_or(f64::NAN), 3))
    };
    let parts: Vec<String> =
        entries.iter().filter(|entry| has_masked_share(entry)).enumerate().map(part).collect();
    let (that, is, it) = match parts.len() {
        0 => return None,
        1 => ("That", "is", "it"),
        _ => ("Those", "are", "them"),
    };
    Some(format!(
        "Shares by Sobol-MDA are too large where the forest hides variables that could take the place of \
         others (masking). {that} of {} {is} therefore from {} trees that were grown again without {it}.",
        words::listed(&shortened(&parts, MOST_NAMES), "and"),
        thousands(about.n_regrown)
    ))
}

/// Of shares that are too large, by how much.
fn masked(entries: &[AnswerEntry]) -> Option<String> {
    let excess = |entry: &AnswerEntry| {
        let excess = entry.too_large_by.filter(|_| entry.share > Some(0.0))?;
        Some(format!("{} by about {}", called(entry), number(excess, 3)))
    };
    let parts: Vec<String> = entries.iter().filter_map(excess).collect();
    let these = match parts.len() {
        0 => return None,
        1 => "this share is",
        _ => "these shares are",
    };
    let list = words::listed(&shortened(&parts, MOST_NAMES), "and");
    Some(format!(
        "Because the trees have not learned what other variables could take their place (masking), {these} \
         too large: {list}. The lower ends of the intervals allow for that; total_sobol_regrow, or a \
         forest that is grown with a smaller mtry, shows how large they are."
    ))
}

/// Of groups that matter, that no member does alone.
fn replaced(entries: &[AnswerEntry]) -> Option<String> {
    let is_replaced = |entry: &&AnswerEntry| {
        let most = entry.members.iter().filter_map(|member| member.share).fold(0.0, f64::max);
        entry.finding == Adds::Something && 10.0 * most < entry.share.unwrap_or(0.0)
    };
    let groups: Vec<String> = entries
        .iter()
        .filter(|entry| !entry.members.is_empty())
        .filter(is_replaced)
        .take(2)
        .map(|entry| listed(&entry.variables(), MOST_MEMBERS))
        .collect();
    if groups.is_empty() {
        return None;
    }
    Some(format!(
        "Each of {} alone adds little, because the others of the group replace it.",
        groups.join(", and each of ")
    ))
}

/// Of variables that matter, that they hardly do so by themselves.
fn together(entries: &[AnswerEntry]) -> Option<String> {
    let mut names = Vec::new();
    let mut most = 0.0_f64;
    for entry in entries {
        if let (Some(share), Some(first)) = (entry.share, entry.first_order)
            && entry.finding == Adds::Something
            && share >= MUCH
            && first.share <= MOSTLY * share
        {
            names.push(called(entry));
            most = most.max(first.share);
        }
    }
    let (verb, by_itself) = match names.len() {
        0 => return None,
        1 => ("acts", "by itself it explains"),
        _ => ("act", "by itself each explains at most"),
    };
    let names = words::listed(&shortened(&names, MOST_NAMES), "and");
    Some(format!(
        "{names} {verb} mostly together with other variables: {by_itself} {}.",
        number(most, 3)
    ))
}

fn how_sure(entries: &[AnswerEntry], about: Subject<'_>) -> String {
    let mut sentence = match about.sample {
        Some(sample) => format!("The shares come from {sample}. "),
        None => String::new(),
    };
    let n_rows = thousands(about.n_rows);
    let (units, of_units) = match about.n_clusters {
        None => ("rows", n_rows),
        Some(n) => ("clusters", format!("{} of {n_rows} rows", thousands(n))),
    };
    if have_intervals(entries) {
        sentence += &format!(
            "The intervals (95 % for each of them alone) include the error of a finite number of \
             trees ({}) and that of a sample of {units} ({of_units})",
            thousands(about.n_trees),
        );
        sentence += "; they leave out that other rows would grow other trees, and are too narrow where \
                     effects interact or the target is skewed";
        if about.n_clusters.unwrap_or(about.n_rows) < FEW_ROWS {
            sentence += &format!("; with so few {units} they are approximate");
        }
    } else {
        sentence += "A single tree has no intervals";
    }
    sentence.push('.');
    match about.explained {
        Some(explained) if explained > 0.0 && explained < WEAK => {
            sentence += &format!(
                " The forest explains only {} of the variance: what it misses may depend on other \
                 variables.",
                number(explained, 2)
            );
        }
        _ => {}
    }
    if let Some(why) = about.without_groups {
        sentence += &format!(
            " Groups of variables that replace each other were not measured: {}.",
            why.trim_end_matches('.')
        );
    }
    sentence
}

fn what_it_is(entries: &[AnswerEntry], about: Subject<'_>) -> String {
    let has_groups = entries.iter().any(|entry| !entry.members.is_empty());
    let of_members = entries.iter().flat_map(|entry| &entry.members);
    let is_regrown = entries.iter().chain(of_members).any(|entry| entry.masked_share.is_some());
    let of_all = about
        .explained
        .filter(|explained| *explained > 0.0)
        .map_or_else(String::new, |explained| {
            let is_above = |entry: &AnswerEntry| entry.share > Some(explained + SMALL);
            let of_members = entries.iter().flat_map(|entry| &entry.members);
            let are_above = entries.iter().chain(of_members).any(is_above);
            let but = if are_above {
                ", less than the largest share, as without these variables it predicts worse than the mean does \
                 (larger leaves reduce that)"
            } else {
                ""
            };
            format!("; with all variables it explains {}{but}", number(explained, 2))
        });
    let classes = match about.task {
        Task::Regression => "",
        Task::Classification => {
            "; the variance is that of the indicators of the classes, as in the Brier score"
        }
    };
    format!(
        "A share is the part of the variance that the forest no longer explains without the \
         variable{} (Sobol-MDA{}){of_all}{classes}. Shares need not add up, because those of variables \
         that interact or replace each other overlap.",
        if has_groups { " or group" } else { "" },
        if is_regrown { ", or trees that were grown again" } else { "" },
    )
}
