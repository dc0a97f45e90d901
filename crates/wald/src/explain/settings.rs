//! Settings of local measures. To add an option, add its line here, and read it in the measures that
//! offer it.

use std::sync::Arc;

use crate::data::Features;
use crate::error::Error;
use crate::explain::grid::GridSize;
use crate::forest::Impurity;
use crate::measure::{BACKGROUND, Loss, check_background};
use crate::options::{ValueKind, settings};
use crate::setting;
use crate::tree_shap::BackgroundWanted;

settings! {
    /// How local measures compute.
    #[derive(Debug, Clone, PartialEq)]
    ExplanationSettings,
    /// Settings that users give by name.
    ExplanationOption,
    options {
        /// Variables to explain.
        Variables("COLUMNS", "all") = variables: Vec<String> = Vec::new();
        /// Explain every training row by the trees that did not see it.
        OutOfBag("", "") = out_of_bag: bool = false;
        /// Loss of a prediction, for measures of losses.
        Loss("LOSS", "squared"; losses()) = loss: Option<Loss> = None;
        /// Values of a numeric variable at which curves are evaluated: at most so many of the training
        /// data (distinct values or quantiles), or between all neighbouring thresholds of the forest
        /// (exact).
        Grid("G|exact", "exact") = grid: GridSize = GridSize::default();
        /// Impurity of local impurity measures.
        Impurity("WHAT", "that of the forest") = impurity: Option<Impurity> = None;
        /// Background rows over which interventional Shapley values average unknown variables, all of
        /// them, each as often as any other: case weights in the table do not count. They need no target.
        Background("DATA", "training rows drawn at random") = background: Option<Arc<Features>> = None;
        /// Number of training rows drawn as background rows.
        BackgroundRows("N", "100") = background_rows: Option<usize> = None;
        /// Seed of the rows drawn: background rows, or those that Friedman's H looks at.
        Seed("N", "0") = seed: u64 = 0;
    }
    others {}
}

/// Losses of single predictions, for a regression target; the default first.
pub(super) const REGRESSION_LOSSES: &[Loss] = &[Loss::Squared, Loss::Absolute];
/// The same for a classification target.
pub(super) const CLASSIFICATION_LOSSES: &[Loss] = &[Loss::Squared, Loss::Log];

/// The losses that local measures take.
fn losses() -> ValueKind {
    let offered = [REGRESSION_LOSSES, CLASSIFICATION_LOSSES].concat();
    let is_offered = |loss: &&Loss| offered.contains(loss);
    ValueKind::Word(Loss::ALL.iter().filter(is_offered).map(|loss| loss.id()).collect())
}

impl ExplanationSettings {
    /// Checks the ranges that do not depend on the data.
    ///
    /// # Errors
    /// [`Error::Setting`] for a value outside its range.
    pub fn validate(&self) -> Result<(), Error> {
        check_background(self.background.is_some(), self.background_rows)?;
        self.grid.check()
    }

    /// Which background rows are wanted.
    pub(super) fn background_wanted(&self) -> BackgroundWanted {
        BackgroundWanted {
            table: self.background.clone(),
            n_rows: self.background_rows.unwrap_or(BACKGROUND),
            is_given: self.background_rows.is_some(),
            seed: self.seed,
        }
    }

    /// Checks that the variables exist, before a forest is grown on them.
    ///
    /// # Errors
    /// [`Error::Setting`] for a name that is no column.
    pub fn check(&self, features: &Features) -> Result<(), Error> {
        match self.variables.iter().find(|name| features.column(name).is_none()) {
            Some(name) => Err(unknown_variable(name, &features.names())),
            None => Ok(()),
        }
    }
}

/// The refusal of a variable that does not exist.
pub(crate) fn unknown_variable(name: &str, known: &[String]) -> Error {
    let shown: Vec<String> = known.iter().take(8).map(|name| format!("\"{name}\"")).collect();
    let more = known.len().saturating_sub(8);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Error::bad_setting(
        setting::VARIABLES,
        format!("\"{name}\" is not an input variable"),
        format!("the input variables are {}{more}", shown.join(", ")),
    )
}
