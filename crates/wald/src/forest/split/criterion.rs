//! What scores of classes measure.

use crate::forest::ways::Impurity;

/// The statistics of scores of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Criterion {
    /// The reduction of the weighted Gini impurity.
    Gini,
    /// The reduction of the weighted entropy.
    Entropy,
    /// Pearson's chi-square of children and classes, divided by the weight, plus one: the
    /// two-sample statistic of conditional inference but for a factor (Hothorn, Hornik & Zeileis
    /// 2006, Section 4.2).
    ChiSquare,
}

impl Criterion {
    /// The reduction of an impurity.
    pub(crate) fn of(impurity: Impurity) -> Self {
        match impurity {
            Impurity::Entropy => Self::Entropy,
            // Those of numbers have scorers of their own.
            Impurity::Gini | Impurity::Variance | Impurity::Poisson | Impurity::AbsoluteError => {
                Self::Gini
            }
        }
    }
}
