//! The numbers that the charts draw, as the script reads them.

use std::collections::HashMap;

use serde::Serialize;
use wald::report::Report;

/// The content of the page's inert data block.
#[derive(Debug, Serialize)]
pub(crate) struct Charts<'a> {
    /// Every variable's name, once; rankings point into it.
    names: Vec<&'a str>,
    rankings: Vec<Ranking<'a>>,
    convergence: &'a [(usize, f64)],
    convergence_label: String,
}

#[derive(Debug, Serialize)]
struct Ranking<'a> {
    measure: &'a str,
    unit: &'a str,
    /// The most important variable first.
    rows: Vec<Row>,
}

/// Position of the name, value, low and high end of the interval; an array in JSON.
#[derive(Debug, Serialize)]
struct Row(usize, Option<f64>, Option<f64>, Option<f64>);

/// Collects what the charts of a report draw.
pub(crate) fn charts(report: &Report) -> Charts<'_> {
    let mut names = Vec::new();
    let mut positions = HashMap::new();
    let mut rankings = Vec::with_capacity(report.measures.len());
    for measure in &report.measures {
        let rows = measure.ranking.iter().map(|variable| {
            let position = *positions.entry(variable.name.as_str()).or_insert_with(|| {
                names.push(variable.name.as_str());
                names.len() - 1
            });
            Row(position, variable.value, variable.low, variable.high)
        });
        rankings.push(Ranking {
            measure: &measure.name,
            unit: &measure.unit,
            rows: rows.collect(),
        });
    }
    Charts {
        names,
        rankings,
        convergence: &report.forest.convergence,
        convergence_label: loss_name(report),
    }
}

/// The name of the loss whose convergence is shown.
pub(crate) fn loss_name(report: &Report) -> String {
    let id = &report.forest.convergence_loss;
    let named = report.forest.errors.iter().find(|error| error.id == *id);
    named.map_or_else(|| id.replace('_', " "), |error| error.name.clone())
}
