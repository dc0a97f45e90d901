//! A picture of the values of rows: a beeswarm, or one row as a sum.

use wald::data::{Response, Target};
use wald::explain::Layout;
use wald::words::counted;
use wald::{Dataset, Features};
use wald_html::chart::{Beeswarm, Drawing, waterfall};
use wald_report::{Cells, ExplainedOutput, ExplainedRows, Explanations, Waterfall};

use crate::explained::found::Found;

/// Rows in a picture, and numbers that are held for it, at most.
const MOST_ROWS: usize = 2000;
const MOST_NUMBERS: usize = 1 << 22;

/// The records of the rows that a picture shows.
pub(crate) struct Shown {
    n_rows: usize,
    /// Which rows are held: evenly spread over all.
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl Shown {
    pub(crate) fn new(layout: &Layout) -> Self {
        let n_held = (MOST_NUMBERS / layout.n_values().max(1)).clamp(1, MOST_ROWS);
        let n_rows = layout.n_records();
        Self { n_rows: n_held.min(n_rows), rows: even(n_rows, n_held), values: Vec::new() }
    }

    /// How many rows are held.
    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Holds the record of a row if it is one of those shown; rows come in their order.
    pub(crate) fn record(&mut self, row: usize, record: &[f64]) {
        let n_held = self.values.len() / record.len().max(1);
        if self.rows.get(n_held).is_some_and(|&next| next as usize == row) {
            self.values.extend_from_slice(record);
        }
    }

    /// The file: `features` are those of the rows explained, and `target` their responses if they
    /// are known; the forest grew on the `training` rows.
    pub(crate) fn svg(
        self,
        found: &Found<'_>,
        training: &Dataset,
        features: &Features,
        target: Option<&Target>,
    ) -> String {
        let layout = found.layout;
        let classes = layout.classes.as_deref();
        let n_shown = self.rows.len();
        let cells = |name: &String| match features.column(name) {
            Some(column) => Cells::of(column, &self.rows),
            None => Cells::Several { n_columns: 1 },
        };
        // Values of some variables alone do not add up.
        let is_whole = layout.variables.len() == found.forest.features().len();
        let expected = found.expected_value.filter(|_| is_whole).map(|of| of.repeat(n_shown));
        let rows = ExplainedRows {
            names: layout.variables.clone(),
            cells: layout.variables.iter().map(cells).collect(),
            classes: layout.classes.clone(),
            class_counts: classes.map_or_else(Vec::new, |classes| {
                class_counts(training.target(), classes, training.n_rows())
            }),
            numbers: self.rows.iter().map(|&row| found.places[row as usize]).collect(),
            expected,
            responses: target.and_then(|target| {
                self.rows.iter().map(|&row| response(target, classes, row as usize)).collect()
            }),
            values: self.values,
        };
        let explanations = Explanations::of_rows(found.info.id, String::new(), &rows);
        Drawing::file(&drawings(&explanations, found))
    }
}

/// So many of `n_rows` rows, as evenly spread as can be.
fn even(n_rows: usize, n_wanted: usize) -> Vec<u32> {
    let n_wanted = n_wanted.min(n_rows);
    (0..n_wanted).map(|place| (place * n_rows / n_wanted) as u32).collect()
}

/// A response as a number: that of its class in `classes`, or the number itself. `None` where the
/// task is another or the class unknown.
fn response(target: &Target, classes: Option<&[String]>, row: usize) -> Option<f64> {
    match (target.response(), classes) {
        (Response::Regression(values), None) => Some(values[row]),
        (Response::Classification(found), Some(classes)) => {
            let class = &found.levels()[found.codes()[row] as usize];
            classes.iter().position(|known| known == class).map(|place| place as f64)
        }
        _ => None,
    }
}

/// How many training rows each class has.
fn class_counts(target: &Target, classes: &[String], n_rows: usize) -> Vec<usize> {
    let mut counts = vec![0; classes.len()];
    let known = (0..n_rows).filter_map(|row| response(target, Some(classes), row));
    known.for_each(|class| counts[class as usize] += 1);
    counts
}

fn drawings(explanations: &Explanations, found: &Found<'_>) -> Vec<Drawing> {
    let info = found.info;
    let what = |class: Option<&String>| match class {
        Some(class) => format!("the probability of {class}"),
        None => format!("the prediction of {}", found.forest.target().name),
    };
    if let [_] = explanations.rows.as_slice() {
        let draw = |row: &Waterfall| {
            waterfall(row, &format!("{}: row {}", info.id, row.row), &what(row.class.as_ref()))
        };
        return explanations.waterfalls.iter().map(draw).collect();
    }
    let draw = |output: &ExplainedOutput| {
        let title = format!("{} of {}", info.id, counted(explanations.rows.len(), "row"));
        let what = what(output.class.as_ref());
        let unit = if found.adds_up {
            format!("added to {what}")
        } else {
            format!("{}, {what}", info.name)
        };
        Beeswarm::of(explanations, output, title, unit).drawing()
    };
    explanations.outputs.iter().map(draw).collect()
}
