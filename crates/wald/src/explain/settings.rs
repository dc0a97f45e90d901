//! Settings of local measures. To add an option, add its line here, and read it in the measures that
//! offer it.

use std::sync::Arc;

use crate::data::Features;
use crate::error::Error;
use crate::explain::grid::GridSize;
use crate::explain::{ExplanationId, ExplanationInfo};
use crate::forest::Impurity;
use crate::measure::{BACKGROUND, Loss, check_background, not_offered};
use crate::options::{Options, ValueKind, settings};
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
        /// them; they need no target.
        Background("DATA", "training rows drawn at random") = background: Option<Arc<Features>> = None;
        /// Number of training rows drawn as background rows.
        BackgroundRows("N", "100") = background_rows: Option<usize> = None;
        /// Seed of the background rows drawn.
        Seed("N", "0") = seed: u64 = 0;
    }
    others {}
}

/// The losses that local measures take.
fn losses() -> ValueKind {
    let is_offered = |loss: &&Loss| {
        let mut infos = ExplanationId::ALL.iter().map(|id| id.info());
        infos.any(|info| {
            [info.regression_losses, info.classification_losses].concat().contains(loss)
        })
    };
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

    /// Those of the options that a measure reads; the others have their defaults.
    ///
    /// ```
    /// use wald::{ExplanationId, ExplanationSettings};
    ///
    /// let settings = ExplanationSettings { out_of_bag: true, seed: 7, ..Default::default() };
    /// let offered = settings.offered_by(ExplanationId::Saabas.info());
    /// assert!(offered.out_of_bag);
    /// assert_eq!(offered.seed, 0); // Saabas values draw nothing at random
    /// ```
    #[must_use]
    pub fn offered_by(&self, info: &ExplanationInfo) -> Self {
        let mut offered = Self::default();
        for option in ExplanationOption::ALL.iter().filter(|option| info.takes(**option)) {
            option.copy(self, &mut offered);
        }
        offered
    }

    /// Refuses what a measure does not read; losses have a check of their own, which depends on the
    /// target.
    pub(super) fn check_offered(&self, info: &ExplanationInfo) -> Result<(), Error> {
        let mut given = ExplanationOption::ALL.iter().filter(|option| option.is_set(self));
        let is_refused = |option: &&ExplanationOption| {
            **option != ExplanationOption::Loss && !info.takes(**option)
        };
        match given.find(is_refused) {
            Some(option) => Err(not_offered(info.id, option.id())),
            None => Ok(()),
        }
    }

    /// Which background rows are wanted.
    pub(super) fn background_wanted(&self) -> BackgroundWanted {
        BackgroundWanted {
            table: self.background.clone(),
            n_rows: self.background_rows.unwrap_or(BACKGROUND),
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
