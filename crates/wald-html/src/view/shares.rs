//! What matters: the sentences, and shares of variables and groups as a table whose rows hold their
//! picture.

use serde::Serialize;
use wald::digits::Digits;
use wald_report::{Adds, Answer, AnswerEntry, FirstOrder};

use super::ranking::{Columns, Pages};
use crate::chart::Scale;
use crate::number;
use crate::view::cell::Cell;

/// Variables and groups shown; the rankings have all.
const SHOWN: usize = 15;

/// Members of a group that are shown.
const MEMBERS: usize = 10;

/// The answer.
#[derive(Debug, Serialize)]
pub(super) struct Shares<'a> {
    lead: &'a str,
    more: &'a [String],
    interval: Option<&'a str>,
    sample: Option<&'a str>,
    /// The measure that the shares are of.
    measure: &'a str,
    unit: &'a str,
    has_groups: bool,
    /// Whether any variable has a first-order index.
    has_first: bool,
    rows: Vec<Row<'a>>,
    n_left_out: usize,
    ticks: Vec<(String, String)>,
    zero: Option<String>,
}

/// A variable, a group, or a member of the group above.
#[derive(Debug, Serialize)]
struct Row<'a> {
    /// The variable, or those of a group.
    names: Vec<&'a str>,
    /// Number of the page of the variable, where it has one.
    page: Option<usize>,
    is_group: bool,
    is_member: bool,
    /// Members that are not shown.
    n_more: usize,
    value: Cell,
    low: Cell,
    high: Cell,
    adds: &'static str,
    dot: Option<String>,
    line: Option<(String, String)>,
    /// What it explains by itself; `None` where that was not measured.
    first: Option<Cell>,
    first_dot: Option<String>,
    first_line: Option<(String, String)>,
}

/// Arranges the answer.
pub(super) fn shares<'a>(answer: &'a Answer, pages: &Pages<'_>) -> Option<Shares<'a>> {
    let (lead, more) = answer.sentences.split_first()?;
    let entries = &answer.entries[..answer.entries.len().min(SHOWN)];
    let mut all: Vec<(&AnswerEntry, bool)> = Vec::new();
    for entry in entries {
        all.push((entry, false));
        all.extend(entry.members.iter().take(MEMBERS).map(|member| (member, true)));
    }
    let numbers = all.iter().flat_map(|(entry, _)| {
        let first = entry.first_order;
        let first = [first.map(|first| first.share), low(first), high(first)];
        [entry.share, entry.low, entry.high].into_iter().chain(first)
    });
    let scale = Scale::of(numbers.flatten());
    let digits = Digits::of(all.iter().filter_map(|(entry, _)| entry.share));
    let column = |of: &dyn Fn(&AnswerEntry) -> Option<f64>| {
        all.iter().map(|(entry, _)| number::shared(digits, of(entry))).collect()
    };
    let mut columns = Columns::of([
        column(&|entry| entry.share),
        column(&|entry| entry.low),
        column(&|entry| entry.high),
        column(&|entry| Some(entry.first_order?.share)),
    ]);
    let row = |&(entry, is_member): &(&'a AnswerEntry, bool)| {
        let mut cells = columns.next_row();
        let mut next = || cells.next().unwrap_or_else(Cell::none);
        let is_group = !entry.members.is_empty();
        let names: Vec<&str> = if is_group {
            entry.members.iter().map(|member| member.name.as_str()).collect()
        } else {
            vec![&entry.name]
        };
        Row {
            page: if is_group { None } else { pages.get(entry.name.as_str()).copied() },
            names,
            is_group,
            is_member,
            n_more: entry.members.len().saturating_sub(MEMBERS),
            value: next(),
            low: next(),
            high: next(),
            adds: match entry.finding {
                Adds::Something => "yes",
                Adds::Unclear => "not clear",
                Adds::Nothing if entry.is_below_zero() => "no: below zero",
                Adds::Nothing => "not distinguishable",
            },
            dot: entry.share.and_then(|share| scale.as_ref()?.percent(share)),
            line: entry
                .low
                .zip(entry.high)
                .and_then(|(low, high)| scale.as_ref()?.stretch(low, high)),
            first: entry.first_order.map(|_| next()),
            first_dot: entry.first_order.and_then(|first| scale.as_ref()?.percent(first.share)),
            first_line: low(entry.first_order)
                .zip(high(entry.first_order))
                .and_then(|(low, high)| scale.as_ref()?.stretch(low, high)),
        }
    };
    let rows = all.iter().map(row).collect();
    Some(Shares {
        lead,
        more,
        interval: answer.interval.as_deref(),
        sample: answer.sample.as_deref(),
        measure: &answer.measure,
        unit: &answer.unit,
        has_groups: entries.iter().any(|entry| !entry.members.is_empty()),
        has_first: all.iter().any(|(entry, _)| entry.first_order.is_some()),
        rows,
        n_left_out: answer.entries.len() - entries.len(),
        ticks: scale.as_ref().map_or_else(Vec::new, Scale::ticks),
        zero: scale.as_ref().and_then(|scale| scale.percent(0.0)),
    })
}

fn low(first: Option<FirstOrder>) -> Option<f64> {
    first?.low
}

fn high(first: Option<FirstOrder>) -> Option<f64> {
    first?.high
}
