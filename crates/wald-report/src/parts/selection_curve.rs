//! How many variables are enough.

use serde::Serialize;
use wald::selection::Selection;

/// Error against the number of variables kept, by backward elimination.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SelectionCurve {
    /// Identifier of the measure that decides which variable leaves.
    pub measure: String,
    /// How it was done, in a sentence.
    pub about: String,
    /// Name of the error, for example `mean squared error`.
    pub loss: String,
    /// By increasing number of variables.
    pub points: Vec<SelectionPoint>,
    /// Number of variables with the smallest error.
    pub best: usize,
    /// Fewest variables within one standard error of the smallest error.
    pub enough: usize,
    /// The variables kept at `enough`, the last to leave first.
    pub kept: Vec<String>,
    /// Whether some number of variables predicts held-out rows better than their mean does.
    pub beats_mean: bool,
}

impl SelectionCurve {
    /// Of what a selection found, by increasing number of variables. `about` is how it was done, and
    /// `loss` the name of the error.
    pub fn of(found: &Selection, measure: &str, about: String, loss: &str) -> Self {
        let points = found.curve.iter().rev().map(|point| SelectionPoint {
            n_variables: point.n_variables,
            error: point.error,
            standard_error: point.standard_error,
        });
        let n_gone = found.order.len() - found.one_standard_error_size;
        let kept =
            found.order[n_gone..].iter().rev().map(|&variable| found.variables[variable].clone());
        Self {
            measure: measure.to_owned(),
            about,
            loss: loss.to_owned(),
            points: points.collect(),
            best: found.best_size,
            enough: found.one_standard_error_size,
            kept: kept.collect(),
            beats_mean: found.beats_mean(),
        }
    }
}

/// The error with so many variables.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SelectionPoint {
    /// How many.
    pub n_variables: usize,
    /// Cross-validated error.
    pub error: f64,
    /// Its standard error over folds or repetitions.
    pub standard_error: f64,
}
