//! Which column plays which part.

use wald::data::Task;

use crate::options::{Infinite, ReadOptions};

/// What to do with rows in which an input variable is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Missing {
    /// Keep them: splits learn a side for missing values.
    #[default]
    Separate,
    /// Drop them.
    Omit,
}

/// What weights are, for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WeightKind {
    /// Of cases.
    #[default]
    Weights,
    /// Of the rows of a distribution.
    Probabilities,
}

impl WeightKind {
    /// All of them, and one of them.
    pub(crate) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Weights => ("weights", "weight"),
            Self::Probabilities => ("probabilities", "probability"),
        }
    }
}

/// The parts that columns play.
#[derive(Debug, Clone, Default)]
pub struct DesignOptions {
    /// The column to predict; may be left out when there is a formula.
    pub target: Option<String>,
    /// `y ~ .`, `y ~ a + b` or `y ~ . - c`, with odd names in backticks.
    pub formula: Option<String>,
    /// Columns to leave out.
    pub exclude: Vec<String>,
    /// Columns to treat as categorical whatever they hold.
    pub categorical: Vec<String>,
    /// Columns to read as numbers; their other cells count as missing.
    pub numeric: Vec<String>,
    /// What to do with infinite numbers of input variables.
    pub infinite: Infinite,
    /// The column of case weights.
    pub weights: Option<String>,
    /// What messages call them.
    pub weights_are: WeightKind,
    /// The column whose equal values keep rows together.
    pub cluster: Option<String>,
    /// What to do with incomplete rows.
    pub missing: Missing,
    /// Regression or classification; inferred from the target when left out.
    pub task: Option<Task>,
}

impl DesignOptions {
    /// The options with which the table should be read, so that categorical columns keep the
    /// spelling of the file.
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions {
            categorical: self.categorical.clone(),
            ..self.cells_as_here(ReadOptions::default())
        }
    }

    /// The same options with the cell options of these.
    pub fn cells_as_here(&self, options: ReadOptions) -> ReadOptions {
        ReadOptions { numeric: self.numeric.clone(), infinite: self.infinite, ..options }
    }
}
