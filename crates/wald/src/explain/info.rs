//! Facts of a local measure, and the settings that it reads.

use serde::Serialize;

use crate::error::Error;
use crate::explain::settings::{ExplanationOption, ExplanationSettings};
use crate::measure::{Loss, Reference, not_offered};
use crate::options::Options;

/// The unit of what adds up to predictions.
pub(crate) const UNITS_OF_PREDICTION: &str = "units of the prediction";

/// What a local measure is, in words; feeds the help and the documentation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ExplanationInfo {
    /// The name users type.
    pub id: &'static str,
    /// Its name in words.
    pub name: &'static str,
    /// What it computes.
    pub estimand: &'static str,
    /// What to beware of.
    pub caveat: &'static str,
    /// What values are in.
    pub unit: &'static str,
    /// Paper and equation.
    pub source: &'static str,
    /// The works to cite.
    pub references: &'static [Reference],
    /// What it costs.
    pub cost: &'static str,
    /// The settings that it reads, besides a loss.
    pub options: &'static [ExplanationOption],
    /// Losses that a measure of losses can use for a regression target, the default first; none for
    /// measures of predictions. A measure of losses needs the target of the rows.
    pub regression_losses: &'static [Loss],
    /// The same for a classification target.
    pub classification_losses: &'static [Loss],
}

impl ExplanationInfo {
    /// True when values are parts of predictions: of classes, those of one class are taken from the others.
    pub fn is_of_predictions(&self) -> bool {
        self.unit == UNITS_OF_PREDICTION
    }

    /// True when the measure reads an option.
    pub fn takes(&self, option: ExplanationOption) -> bool {
        match option {
            ExplanationOption::Loss => {
                !self.regression_losses.is_empty() || !self.classification_losses.is_empty()
            }
            _ => self.options.contains(&option),
        }
    }
}

impl ExplanationSettings {
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
}
