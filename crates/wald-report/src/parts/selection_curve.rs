//! How many variables are enough.

use serde::Serialize;

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
