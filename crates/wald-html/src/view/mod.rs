//! The report in the shape in which the template walks through it: numbers as text, tables as
//! rows. Nothing here computes a number that a reader sees; positions of dots and shades of
//! cells are layout.

mod data;
mod explanations;
mod forest;
mod measure;

use serde::Serialize;
use wald::data::Task;
use wald::report::{Citation, Report};

use crate::number::{self, Number};

/// Everything the template needs.
#[derive(Debug, Serialize)]
pub(crate) struct Page<'a> {
    title: &'a str,
    version: &'a str,
    date: &'a str,
    command: &'a str,
    seed: String,
    task: &'static str,
    target: &'a str,
    facts: Vec<Fact>,
    reading: Option<measure::Reading<'a>>,
    measures: Vec<measure::Measure<'a>>,
    variables: measure::AllVariables<'a>,
    rows: Option<explanations::Rows<'a>>,
    forest: forest::Forest<'a>,
    data: data::Data<'a>,
    methods: &'a str,
    citations: &'a [Citation],
}

/// One of the key facts under the title.
#[derive(Debug, Serialize)]
struct Fact {
    label: String,
    value: Cell,
}

/// A number in a table: its text (`None`: undefined) and the room, in digits, to leave on its
/// right so that the decimal points of a column stand under each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Cell {
    text: Option<String>,
    pad: usize,
}

impl Cell {
    /// A number that stands alone.
    fn single(value: Option<f64>) -> Self {
        Self { text: number::value(value).text, pad: 0 }
    }

    /// A count that stands alone.
    fn count(n: usize) -> Self {
        Self { text: Some(number::count(n as u64)), pad: 0 }
    }
}

/// Aligns the numbers of one column of a table.
fn align(numbers: impl IntoIterator<Item = Number>) -> Vec<Cell> {
    let numbers: Vec<Number> = numbers.into_iter().collect();
    let widest = numbers.iter().filter_map(|n| n.decimals).max().unwrap_or(0);
    let cell = |n: Number| {
        let missing = n.decimals.map_or(0, |decimals| widest - decimals);
        // A number without a point leaves room for the point as well.
        let pad = if n.decimals == Some(0) && widest > 0 { missing + 1 } else { missing };
        Cell { text: n.text, pad }
    };
    numbers.into_iter().map(cell).collect()
}

/// Arranges a report.
pub(crate) fn page(report: &Report) -> Page<'_> {
    Page {
        title: &report.title,
        version: &report.version,
        date: &report.date,
        command: &report.command,
        seed: report.seed.to_string(),
        task: match report.task {
            Task::Regression => "Regression",
            Task::Classification => "Classification",
        },
        target: &report.target,
        facts: facts(report),
        reading: measure::reading(&report.measures),
        measures: report.measures.iter().map(measure::measure).collect(),
        variables: measure::all_variables(&report.measures),
        rows: explanations::rows(report),
        forest: forest::forest(report),
        data: data::data(&report.data),
        methods: &report.methods,
        citations: &report.citations,
    }
}

fn facts(report: &Report) -> Vec<Fact> {
    let fact = |label: &str, value| Fact { label: label.to_owned(), value };
    let mut facts = vec![
        fact("rows", Cell::count(report.data.n_rows)),
        fact("variables", Cell::count(report.data.n_features)),
        fact("missing cells", Cell::count(report.data.n_missing)),
        fact("trees", Cell::count(report.forest.n_trees)),
    ];
    if let Some(error) = report.forest.errors.first() {
        facts.push(fact(&format!("{}, out of bag", error.name), Cell::single(Some(error.value))));
    }
    if let Some(auc) = report.forest.auc {
        facts.push(fact("AUC, out of bag", Cell::single(Some(auc))));
    } else if report.task == Task::Regression {
        let explained = Cell::single(report.forest.explained_variance);
        facts.push(fact("explained variance, out of bag", explained));
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_points_stand_under_each_other() {
        let cells = align([Some(0.5), Some(12.25), None, Some(3.0)].map(number::value));
        let pads: Vec<usize> = cells.iter().map(|cell| cell.pad).collect();
        let texts: Vec<_> = cells.iter().map(|cell| cell.text.as_deref()).collect();
        assert_eq!(texts, [Some("0.5000"), Some("12.25"), None, Some("3")]);
        assert_eq!(pads, [0, 2, 0, 5]);
    }
}
