//! Explanations of single rows: Shapley values of a sample of them, as pictures need them.

mod cells;
mod of_forest;
mod parts;
mod rows;
mod waterfall;

pub use cells::Cells;
pub use parts::{DependencePart, PartValues, VariableValues};
pub use rows::ExplainedRows;
pub use waterfall::{Contribution, Outcome, Waterfall};

use serde::Serialize;

/// Variables shown; the others are one bar of a waterfall.
const MOST_VARIABLES: usize = 12;

/// Classes shown where there are more than two.
const MOST_CLASSES: usize = 6;

/// Values: by how much each variable moves the predictions of some rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanations {
    /// The local measure, for example `tree_shap`.
    pub measure: String,
    /// Which rows these are and which trees explain them, in sentences.
    pub about: String,
    /// The rows, by their numbers in the table, counted from 1.
    pub rows: Vec<u32>,
    /// Number of variables of the forest.
    pub n_variables: usize,
    /// The variables shown, by decreasing mean absolute value over all outputs shown.
    pub variables: Vec<ExplainedVariable>,
    /// One entry for a number; the second of two classes; the most frequent of more classes.
    pub outputs: Vec<ExplainedOutput>,
    /// Single rows, as sums.
    pub waterfalls: Vec<Waterfall>,
}

/// A variable and its cells in the rows explained.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExplainedVariable {
    /// Its name.
    pub name: String,
    /// Its cells, in the order of [`Explanations::rows`].
    pub cells: Cells,
}

/// What is explained: the prediction of a number, or the probability of a class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExplainedOutput {
    /// Name of the class; `None` for numbers.
    pub class: Option<String>,
    /// One entry per variable shown, in their order.
    pub variables: Vec<VariableValues>,
}

impl Explanations {
    /// Sums up values of rows, from whatever local measure they are; `about` describes which rows
    /// these are. Rows of which a value is not a number are left out. Cost
    /// O(rows * variables * outputs).
    pub fn of_rows(measure: &str, about: String, rows: &ExplainedRows) -> Self {
        let rows = &rows.defined();
        let n_variables = rows.names.len();
        let shown_outputs = outputs(rows);
        let total = |variable: usize| -> f64 {
            shown_outputs.iter().map(|&output| rows.mean_absolute(variable, output)).sum()
        };
        let mut order: Vec<(f64, usize)> =
            (0..n_variables).map(|variable| (total(variable), variable)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.truncate(MOST_VARIABLES);
        let variable = |&(_, variable): &(f64, usize)| ExplainedVariable {
            name: rows.names[variable].clone(),
            cells: rows.cells[variable].clone(),
        };
        let output = |&output: &usize| ExplainedOutput {
            class: rows.classes.as_ref().map(|classes| classes[output].clone()),
            variables: order.iter().map(|&(_, variable)| rows.summary(variable, output)).collect(),
        };
        Self {
            measure: measure.to_owned(),
            about,
            rows: rows.numbers.clone(),
            n_variables,
            variables: order.iter().map(variable).collect(),
            outputs: shown_outputs.iter().map(output).collect(),
            waterfalls: waterfall::of_rows(rows, &shown_outputs),
        }
    }
}

/// The outputs shown: the number, the second of two classes, the most frequent of more.
fn outputs(rows: &ExplainedRows) -> Vec<usize> {
    match &rows.classes {
        None => vec![0],
        Some(classes) if classes.len() == 2 => vec![1],
        Some(classes) => {
            let count = |class: usize| rows.class_counts.get(class).copied().unwrap_or(0);
            let mut order: Vec<usize> = (0..classes.len()).collect();
            order.sort_by_key(|&class| (std::cmp::Reverse(count(class)), class));
            order.truncate(MOST_CLASSES);
            order
        }
    }
}
