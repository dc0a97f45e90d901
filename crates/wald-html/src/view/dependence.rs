//! Which variables are redundant.

use serde::Serialize;
use wald_report::Report;

use crate::chart::{Medium, heat_map};
use crate::number;
use crate::view::cell::Cell;

/// Variables up to which pairs are cells of a table; of more they are lines of text.
const MOST_IN_TABLE: usize = 40;

/// The section.
#[derive(Debug, Serialize)]
pub(super) struct Dependence<'a> {
    method: &'a str,
    left_out: Option<&'a str>,
    n_variables: usize,
    threshold: f64,
    /// Markup made by this crate.
    picture: String,
    clusters: &'a [Vec<String>],
    /// For every variable its name and its dependence on those before it.
    rows: Vec<(&'a str, Vec<Cell>)>,
    /// The same as comma-separated lines, where a table would be too wide.
    lines: Option<String>,
    /// Names of both sides and their dependence, in the order of merging.
    merges: Vec<(String, Cell)>,
}

/// Arranges the section.
pub(super) fn dependence(report: &Report) -> Option<Dependence<'_>> {
    let map = report.dependence.as_ref().filter(|map| !map.variables.is_empty())?;
    let n_variables = map.variables.len();
    let is_table = n_variables <= MOST_IN_TABLE;
    let both = || map.variables.iter().zip(&map.values).enumerate();
    let rows = both().filter(|_| is_table).map(|(place, (name, values))| {
        let before = values.iter().take(place).map(|value| Cell::rounded(Some(*value)));
        (name.as_str(), before.collect())
    });
    let line = |(place, (name, values)): (usize, (&String, &Vec<f64>))| {
        let numbers = values.iter().take(place).map(|value| format!(",{}", number::plain(*value)));
        format!("{}{}\n", number::quoted(name), numbers.collect::<String>())
    };
    let of = |from: usize, to: usize| match map.variables.get(from) {
        Some(name) if to == from + 1 => name.clone(),
        Some(name) => format!("{name} and {} more", to - from - 1),
        None => String::new(),
    };
    let merges = map.merges.iter().map(|merge| {
        let sides = [of(merge.first, merge.middle), of(merge.middle, merge.end)];
        (sides.join(" with "), Cell::rounded(Some(merge.dependence)))
    });
    Some(Dependence {
        method: &map.method,
        left_out: map.left_out.as_deref(),
        n_variables,
        threshold: map.threshold,
        picture: heat_map(map, Medium::Page).embedded(),
        clusters: &map.clusters,
        rows: rows.collect(),
        lines: (!is_table).then(|| both().map(line).collect()),
        merges: merges.collect(),
    })
}
