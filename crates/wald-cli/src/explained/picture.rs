//! A picture of the values of rows: curves, a beeswarm, or one row as a sum.

use wald::data::{Response, Target};
use wald::explain::{Layout, Shape};
use wald::{Dataset, Features};
use wald_html::chart::{Beeswarm, Columns, Drawing, Medium, Sheet, waterfall};
use wald_report::{Cells, ExplainedOutput, ExplainedRows, Explanations, Waterfall};

use crate::explained::curve_picture::Curves;
use crate::explained::found::Found;

/// Rows in a picture, and numbers that are held for it, at most.
const MOST_ROWS: usize = 2000;
const MOST_NUMBERS: usize = 1 << 22;

/// What a picture needs of the records.
pub(crate) enum Shown {
    Curves(Curves),
    Rows(ShownRows),
}

impl Shown {
    pub(crate) fn new(layout: &Layout) -> Self {
        match layout.shape {
            Shape::Curves(_) => Self::Curves(Curves::new(layout)),
            _ => Self::Rows(ShownRows::new(layout)),
        }
    }

    /// How many records are held.
    pub(crate) fn n_rows(&self) -> usize {
        match self {
            Self::Curves(curves) => curves.n_held(),
            Self::Rows(rows) => rows.n_rows,
        }
    }

    /// Takes the record of a row of this weight; rows come in their order.
    pub(crate) fn record(&mut self, row: usize, weight: f64, record: &[f64]) {
        match self {
            Self::Curves(curves) => curves.record(row, weight, record),
            Self::Rows(rows) => rows.record(row, record),
        }
    }

    /// The picture: `features` are those of the rows explained, and `target` their responses if they
    /// are known; the forest grew on the `training` rows.
    pub(crate) fn sheet(
        self,
        found: &Found<'_>,
        (training, features, target): (&Dataset, &Features, Option<&Target>),
        columns: Columns,
        most_variables: usize,
    ) -> Sheet {
        match self {
            Self::Curves(curves) => curves.sheet(found, features, columns, most_variables),
            Self::Rows(rows) => {
                let explanations = rows.explanations(found, training, features, target);
                Sheet::of(&drawings(explanations, found, columns, most_variables), columns)
            }
        }
    }
}

/// The records of the rows that are shown.
pub(crate) struct ShownRows {
    n_rows: usize,
    /// Which rows are held: evenly spread over all.
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl ShownRows {
    fn new(layout: &Layout) -> Self {
        let n_held = (MOST_NUMBERS / layout.n_values().max(1)).clamp(1, MOST_ROWS);
        let n_rows = layout.n_records();
        Self { n_rows: n_held.min(n_rows), rows: even(n_rows, n_held), values: Vec::new() }
    }

    /// Holds the record of a row if it is one of those shown; rows come in their order.
    fn record(&mut self, row: usize, record: &[f64]) {
        let n_held = self.values.len() / record.len().max(1);
        if self.rows.get(n_held).is_some_and(|&next| next as usize == row) {
            self.values.extend_from_slice(record);
        }
    }

    fn explanations(
        self,
        found: &Found<'_>,
        training: &Dataset,
        features: &Features,
        target: Option<&Target>,
    ) -> Explanations {
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
            // Sums of other values are not to be compared with them.
            responses: target.filter(|_| found.info.is_of_predictions()).and_then(|target| {
                self.rows.iter().map(|&row| response(target, classes, row as usize)).collect()
            }),
            weights: found
                .weights_of_records()
                .map(|of| self.rows.iter().map(|&row| of[row as usize]).collect()),
            values: self.values,
        };
        Explanations::of_rows(found.info.id, String::new(), &rows)
    }
}

/// So many of `n_rows` rows, as evenly spread as can be.
pub(super) fn even(n_rows: usize, n_wanted: usize) -> Vec<u32> {
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

fn drawings(
    mut explanations: Explanations,
    found: &Found<'_>,
    columns: Columns,
    most_variables: usize,
) -> Vec<Drawing> {
    let info = found.info;
    let medium = Medium::Paper(columns);
    let what = |class: Option<&String>| found.measured_in(class.map(String::as_str));
    if let [_] = explanations.rows.as_slice() {
        let draw = |row: &Waterfall| {
            waterfall(row, "", what(row.class.as_ref()).trim_start_matches("the "), medium)
        };
        return explanations.waterfalls.iter().map(draw).collect();
    }
    explanations.variables.truncate(most_variables);
    let draw = |output: &ExplainedOutput| {
        let what = what(output.class.as_ref());
        let unit = if found.adds_up {
            format!("added to {what}")
        } else {
            format!("{}, {what}", info.name)
        };
        Beeswarm::of(&explanations, output, String::new(), unit, medium).drawing()
    };
    explanations.outputs.iter().map(draw).collect()
}
