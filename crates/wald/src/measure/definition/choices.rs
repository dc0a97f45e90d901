//! Values that settings of measures take.

use std::sync::Arc;

use crate::loss::Loss;
use crate::options::{OptionValue, Setting, ValueKind, setting_of_words};

setting_of_words!(Loss, RowAggregate, Normalise);

/// How the values of a variable are permuted.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Permutations {
    /// The expectation over all permutations, without drawing any.
    #[default]
    Exact,
    /// The mean over this many random permutations; with case weights, values are given away in
    /// proportion to them, as if rows were repeated.
    Random(u32),
    /// One given permutation per tree and variable: `[tree][variable][r]` names the
    /// out-of-bag row (by its place among the tree's out-of-bag rows in increasing order)
    /// whose value the r-th out-of-bag row receives. For measures that look at test rows,
    /// `[repeat][variable][r]` names the test row.
    Given(Arc<Vec<Vec<Vec<u32>>>>),
}

impl Setting for Permutations {
    fn kind() -> ValueKind {
        ValueKind::WholeOr("exact")
    }

    fn of(value: OptionValue) -> Option<Self> {
        match value {
            // More than there can be is refused with the range.
            OptionValue::Whole(repeats) => {
                Some(Self::Random(repeats.try_into().unwrap_or(u32::MAX)))
            }
            OptionValue::Word(word) => (word == "exact").then_some(Self::Exact),
            _ => None,
        }
    }
}

impl Permutations {
    /// How results speak of it.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Exact => "exact".to_owned(),
            Self::Random(repeats) => repeats.to_string(),
            Self::Given(_) => "given".to_owned(),
        }
    }
}

/// What the values of a measure for single classes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassMeaning {
    /// The measure, of the rows of the class alone.
    OfRows,
    /// What the class adds to the value of the measure, of all rows: the part of its probability.
    OfProbability,
}

impl ClassMeaning {
    /// What follows the name of the measure, in words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::OfRows => "by class, of the rows of each class alone",
            Self::OfProbability => {
                "by class, of the probability of each class, over the rows of all classes"
            }
        }
    }
}

/// How the local values of a variable become one number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RowAggregate {
    /// The mean of absolute values: how far the variable moves predictions.
    #[default]
    MeanAbs,
    /// The mean: which way it moves them. Of classes, whose values sum up to zero, the sum of the
    /// sizes of their means.
    Mean,
    /// The covariance with the response: how much of it the variable predicts. Over variables these
    /// sum up to the covariance of predictions with the response.
    Covariance,
}

impl RowAggregate {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::MeanAbs, Self::Mean, Self::Covariance];

    /// The word users type.
    pub fn id(self) -> &'static str {
        match self {
            Self::MeanAbs => "mean_abs",
            Self::Mean => "mean",
            Self::Covariance => "covariance",
        }
    }

    /// The unit of the aggregate of values of some unit.
    pub(crate) fn unit(self, of_values: &str) -> String {
        match self {
            Self::MeanAbs => format!("mean absolute value, in {of_values}"),
            Self::Mean => format!("mean, in {of_values}"),
            Self::Covariance => {
                format!("covariance with the response, in {of_values} times that of the target")
            }
        }
    }
}

/// What values are divided by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Normalise {
    /// Nothing.
    #[default]
    None,
    /// The variance of the target, times the factor that the papers use.
    Variance,
    /// The standard error over trees (randomForest).
    StandardError,
    /// Their sum, first in every tree, then over all (scikit-learn).
    Sum,
}

impl Normalise {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::None, Self::Variance, Self::StandardError, Self::Sum];

    /// The word users type.
    pub fn id(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Variance => "variance",
            Self::StandardError => "standard_error",
            Self::Sum => "sum",
        }
    }
}
