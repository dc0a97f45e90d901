//! Measures one at a time, and all of them side by side.

use std::collections::HashMap;

use serde::Serialize;
use wald_report::{DependenceMap, MeasureSummary, RankedVariable, Report};

use super::ranking::{self, Pages, Ranking, SHOWN};
use crate::number;
use crate::view::cell::{Cell, align};

/// Variables named in words.
const LEADERS: usize = 5;

/// What the leading measure puts on top, in words.
#[derive(Debug, Serialize)]
pub(super) struct Reading<'a> {
    measure: &'a str,
    n_variables: usize,
    small_is_important: bool,
    /// Empty if the measure finds nothing.
    leaders: Vec<ranking::Row<'a>>,
    /// Whether any variable has a value.
    defined: bool,
}

/// One measure's article.
#[derive(Debug, Serialize)]
pub(super) struct Measure<'a> {
    number: usize,
    id: &'a str,
    name: &'a str,
    estimand: &'a str,
    caveat: &'a str,
    source: &'a str,
    data: &'a str,
    unit: &'a str,
    interval: Option<&'a str>,
    sampling: Option<&'a str>,
    null: Option<&'a str>,
    small_is_important: bool,
    notes: &'a [String],
    ranking: Ranking<'a>,
    n_shown: usize,
    n_variables: usize,
    /// Questions that the advice answers with it.
    answers: Vec<&'a str>,
}

/// The table of all variables by all measures.
#[derive(Debug, Serialize)]
pub(super) struct AllVariables<'a> {
    measures: Vec<&'a str>,
    rows: Vec<VariableRow<'a>>,
    n_clusters: usize,
}

#[derive(Debug, Serialize)]
struct VariableRow<'a> {
    name: &'a str,
    page: Option<usize>,
    /// Number of its cluster, from 1 on.
    cluster: Option<usize>,
    /// Rank (`None` where the measure leaves the variable out) and value.
    cells: Vec<(Option<usize>, Cell)>,
}

/// Puts the leading measure's first variables into words.
pub(super) fn reading(measures: &[MeasureSummary]) -> Option<Reading<'_>> {
    let leading = measures.first()?;
    let is_defined = |variable: &RankedVariable| variable.value.is_some_and(|v| !v.is_nan());
    // A value that is not above zero by more than the error of the trees is no evidence about the
    // variable, whatever its rank.
    let is_positive = |variable: &RankedVariable| {
        variable.value > Some(0.0) && variable.low.is_none_or(|low| low > 0.0)
    };
    let matters = |variable: &RankedVariable| {
        is_defined(variable) && (leading.small_is_important || is_positive(variable))
    };
    let leaders = ranking::ranking(leading, &Pages::new())
        .rows
        .into_iter()
        .zip(&leading.ranking)
        .take(LEADERS);
    let leaders = leaders.filter(|(_, variable)| matters(variable)).map(|(row, _)| row);
    Some(Reading {
        measure: &leading.name,
        n_variables: leading.ranking.len(),
        small_is_important: leading.small_is_important,
        leaders: leaders.collect(),
        defined: leading.ranking.iter().any(is_defined),
    })
}

/// Arranges all measures: those that the page answers with, then the others.
pub(super) fn measures<'a>(report: &'a Report, pages: &Pages<'_>) -> [Vec<Measure<'a>>; 2] {
    let mut parts = [Vec::new(), Vec::new()];
    for (index, measure) in report.measures.iter().enumerate() {
        let objectives = report.advice.iter().flat_map(|advice| &advice.objectives);
        let recommended =
            objectives.filter(|objective| objective.recommended.as_ref() == Some(&measure.id));
        let answers: Vec<&str> = recommended.map(|objective| objective.question.as_str()).collect();
        let part = usize::from(index > 0 && answers.is_empty());
        parts[part].push(article(measure, index + 1, pages, answers));
    }
    parts
}

fn article<'a>(
    measure: &'a MeasureSummary,
    number: usize,
    pages: &Pages<'_>,
    answers: Vec<&'a str>,
) -> Measure<'a> {
    let n_variables = measure.ranking.len();
    Measure {
        number,
        id: &measure.id,
        name: &measure.name,
        estimand: &measure.estimand,
        caveat: &measure.caveat,
        source: &measure.source,
        data: &measure.data,
        unit: &measure.unit,
        interval: measure.interval.as_deref(),
        sampling: measure.sampling.as_deref(),
        null: measure.null.as_deref(),
        small_is_important: measure.small_is_important,
        notes: &measure.notes,
        ranking: ranking::ranking(measure, pages),
        n_shown: SHOWN.min(n_variables),
        n_variables,
        answers,
    }
}

/// Joins all measures, the variables in the order of the first one.
pub(super) fn all_variables<'a>(report: &'a Report, pages: &Pages<'_>) -> AllVariables<'a> {
    let measures = &report.measures;
    let mut names = Vec::new();
    let mut positions = HashMap::new();
    for variable in measures.iter().flat_map(|measure| &measure.ranking) {
        positions.entry(variable.name.as_str()).or_insert_with(|| {
            names.push(variable.name.as_str());
            names.len() - 1
        });
    }
    let cluster_of = clusters(report.dependence.as_ref());
    let row = |name: &'a str| VariableRow {
        name,
        page: pages.get(name).copied(),
        cluster: cluster_of.get(name).copied(),
        cells: Vec::with_capacity(measures.len()),
    };
    let mut rows: Vec<VariableRow<'_>> = names.into_iter().map(row).collect();
    for (index, measure) in measures.iter().enumerate() {
        let digits = ranking::digits(&measure.ranking);
        let values = align(measure.ranking.iter().map(|v| number::shared(digits, v.value)));
        for (variable, value) in measure.ranking.iter().zip(values) {
            let cells = &mut rows[positions[variable.name.as_str()]].cells;
            // Names are unique; should they not be, the first one is kept.
            if cells.len() == index {
                cells.push((Some(variable.rank), value));
            }
        }
        for row in &mut rows {
            row.cells.resize_with(index + 1, || (None, Cell::none()));
        }
    }
    AllVariables {
        measures: measures.iter().map(|measure| measure.name.as_str()).collect(),
        rows,
        n_clusters: report.dependence.as_ref().map_or(0, |map| map.clusters.len()),
    }
}

/// The number, from 1 on, of the cluster of every variable that is in one.
pub(super) fn clusters(map: Option<&DependenceMap>) -> HashMap<&str, usize> {
    let clusters = map.into_iter().flat_map(|map| map.clusters.iter().zip(1..));
    clusters
        .flat_map(|(names, number)| names.iter().map(move |name| (name.as_str(), number)))
        .collect()
}
