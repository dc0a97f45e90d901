//! How well the forest predicts.

use serde::Serialize;
use wald_report::{Confusion, Report};

use crate::view::cell::{Cell, align};
use crate::{chart, number};

/// Classes up to which the confusion matrix is shown as a matrix.
const MATRIX_CLASSES: usize = 30;

/// Cells listed where there are more classes.
const LISTED_CELLS: usize = 100;

/// Rows of the table behind the convergence chart.
const CONVERGENCE_ROWS: usize = 25;

/// The section on the forest.
#[derive(Debug, Serialize)]
pub(super) struct Forest<'a> {
    n_trees: String,
    mean_leaves: Cell,
    mean_depth: Cell,
    n_rows_out_of_bag: String,
    n_rows: String,
    settings: &'a [(String, String)],
    /// (name, value) of everything that describes how well the forest predicts.
    quality: Vec<(&'a str, Cell)>,
    confusion: Option<Matrix<'a>>,
    /// Markup made by this crate; empty where there are no points.
    convergence_picture: String,
    convergence: Vec<(String, Cell)>,
    convergence_label: String,
    convergence_total: usize,
}

/// A confusion matrix, or its largest cells.
#[derive(Debug, Serialize)]
struct Matrix<'a> {
    classes: &'a [String],
    /// Empty if there are too many classes.
    rows: Vec<MatrixRow<'a>>,
    /// (true class, predicted class, count), by decreasing count, if there are many classes.
    largest: Vec<(&'a str, &'a str, String)>,
}

#[derive(Debug, Serialize)]
struct MatrixRow<'a> {
    class: &'a str,
    /// Count, shade in percent (share of the row), and whether the prediction was right.
    cells: Vec<(String, u64, bool)>,
}

/// Arranges the section on the forest.
pub(super) fn forest(report: &Report) -> Forest<'_> {
    let forest = &report.forest;
    let mut names: Vec<&str> = forest.errors.iter().map(|error| error.name.as_str()).collect();
    let mut values: Vec<Option<f64>> = forest.errors.iter().map(|e| Some(e.value)).collect();
    if report.task == wald::data::Task::Regression || forest.explained_variance.is_some() {
        names.push("explained variance");
        values.push(forest.explained_variance);
    }
    if forest.auc.is_some() {
        names.push("area under the ROC curve (AUC)");
        values.push(forest.auc);
    }
    let values = align(values.into_iter().map(number::value));
    Forest {
        n_trees: number::count(forest.n_trees as u64),
        mean_leaves: Cell::single(Some(forest.mean_leaves)),
        mean_depth: Cell::single(Some(forest.mean_depth)),
        n_rows_out_of_bag: number::count(forest.n_rows_out_of_bag as u64),
        n_rows: number::count(report.data.n_rows as u64),
        settings: &forest.settings,
        quality: names.into_iter().zip(values).collect(),
        confusion: forest.confusion.as_ref().map(matrix),
        convergence_picture: if forest.convergence.is_empty() {
            String::new()
        } else {
            chart::convergence(&forest.convergence, &loss_name(report)).embedded()
        },
        convergence: convergence(&forest.convergence),
        convergence_label: loss_name(report),
        convergence_total: forest.convergence.len(),
    }
}

/// The name of the loss whose convergence is shown.
fn loss_name(report: &Report) -> String {
    let id = &report.forest.convergence_loss;
    let named = report.forest.errors.iter().find(|error| error.id == *id);
    named.map_or_else(|| id.replace('_', " "), |error| error.name.clone())
}

/// At most [`CONVERGENCE_ROWS`] points, evenly spread, the last one among them.
fn convergence(points: &[(usize, f64)]) -> Vec<(String, Cell)> {
    let step = points.len().div_ceil(CONVERGENCE_ROWS).max(1);
    let kept: Vec<_> = points.iter().rev().step_by(step).rev().collect();
    let errors = align(kept.iter().map(|(_, error)| number::value(Some(*error))));
    let trees = kept.iter().map(|(k, _)| number::count(*k as u64));
    trees.zip(errors).collect()
}

fn matrix(confusion: &Confusion) -> Matrix<'_> {
    let classes = &confusion.classes;
    if classes.len() <= MATRIX_CLASSES {
        let rows = classes.iter().zip(&confusion.counts).enumerate();
        let rows = rows.map(|(i, (class, counts))| matrix_row(i, class, counts)).collect();
        return Matrix { classes, rows, largest: Vec::new() };
    }
    let mut cells: Vec<(u64, usize, usize)> = Vec::new();
    for (i, counts) in confusion.counts.iter().enumerate() {
        let present = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        cells.extend(present.map(|(j, count)| (*count, i, j)));
    }
    cells.sort_by(|a, b| b.0.cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    cells.truncate(LISTED_CELLS);
    let named = |(count, i, j)| {
        let class = |k: usize| classes.get(k).map_or("", String::as_str);
        (class(i), class(j), number::count(count))
    };
    Matrix { classes, rows: Vec::new(), largest: cells.into_iter().map(named).collect() }
}

fn matrix_row<'a>(index: usize, class: &'a str, counts: &[u64]) -> MatrixRow<'a> {
    let total = counts.iter().sum::<u64>().max(1);
    let cell = |(j, count): (usize, &u64)| {
        (number::count(*count), whole_percent(*count, total), j == index)
    };
    MatrixRow { class, cells: counts.iter().enumerate().map(cell).collect() }
}

fn whole_percent(count: u64, total: u64) -> u64 {
    (u128::from(count) * 100 / u128::from(total)) as u64
}
