//! The losses by name.

use serde::Serialize;

use crate::data::Task;

/// What a prediction's error costs.
///
/// ```
/// use wald::data::Task;
/// use wald::measure::Loss;
///
/// assert_eq!(Loss::parse("zero-one"), Some(Loss::ZeroOne));
/// assert_eq!(Loss::Squared.unit(Task::Regression), "mean squared error");
/// assert_eq!(Loss::Squared.unit(Task::Classification), "Brier score, summed over classes");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// Squared error; the Brier score summed over classes.
    Squared,
    /// Absolute error.
    Absolute,
    /// 1 if the class with the largest mean proportion is wrong.
    ZeroOne,
    /// 1 if the class with the most trees' votes is wrong.
    ZeroOneVote,
    /// Minus the natural logarithm of the true class's probability, which is at least 1e-15.
    Log,
    /// One minus the area under the receiver operating characteristic, of two classes.
    Auc,
}

impl Loss {
    /// All losses.
    pub const ALL: &'static [Self] =
        &[Self::Squared, Self::Absolute, Self::ZeroOne, Self::ZeroOneVote, Self::Log, Self::Auc];

    /// The word users type.
    pub fn id(self) -> &'static str {
        match self {
            Self::Squared => "squared",
            Self::Absolute => "absolute",
            Self::ZeroOne => "zero_one",
            Self::ZeroOneVote => "zero_one_vote",
            Self::Log => "log",
            Self::Auc => "auc",
        }
    }

    /// What its mean is called.
    pub fn unit(self, task: Task) -> &'static str {
        match (self, task) {
            (Self::Squared, Task::Regression) => "mean squared error",
            (Self::Squared, Task::Classification) => "Brier score, summed over classes",
            (Self::Absolute, _) => "mean absolute error",
            (Self::ZeroOne, _) => "misclassified share",
            (Self::ZeroOneVote, _) => "misclassified share by votes",
            (Self::Log, _) => "log loss",
            (Self::Auc, _) => "1 - area under the curve",
        }
    }

    /// The loss of that name; dashes and underscores are equal.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.replace('-', "_");
        Self::ALL.iter().copied().find(|loss| loss.id() == name)
    }
}
