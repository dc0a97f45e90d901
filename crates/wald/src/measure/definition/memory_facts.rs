//! What a measure states of the memory that it takes.

use crate::measure::definition::choices::Permutations;
use crate::measure::definition::part::Part;

/// Of which rows a measure copies all codes for every tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Copies {
    Nothing,
    OutOfBag,
    All,
}

impl Copies {
    /// Rows, of a tree with so many out-of-bag rows and a table of so many.
    pub(crate) fn n_rows(self, out_of_bag: f64, all: f64) -> f64 {
        match self {
            Self::Nothing => 0.0,
            Self::OutOfBag => out_of_bag,
            Self::All => all,
        }
    }
}

/// Rows that a tree explains, its nodes, and what values are given for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TreeShape {
    pub(crate) rows: f64,
    pub(crate) nodes: f64,
    pub(crate) columns: f64,
    pub(crate) groups: f64,
    pub(crate) outputs: f64,
}

/// What a measure keeps of altered predictions, for every row and group that a tree changes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeptAltered {
    /// Sums of changes, one number per output in each.
    pub(crate) repeats: f64,
    /// Sets of groups that take the place of groups, all of which trees change; `None` for
    /// groups.
    pub(crate) sets: Option<f64>,
    /// One more number.
    pub(crate) has_variances: bool,
    /// Whether trees are kept for standard errors.
    pub(crate) keeps_trees: bool,
}

impl KeptAltered {
    /// The changes of every tree, once.
    pub(crate) const ONE: Self =
        Self { repeats: 1.0, sets: None, has_variances: false, keeps_trees: true };

    /// The same where some trees may stand for all, so that squares are summed up, too.
    pub(crate) fn of_part(part: Option<Part>) -> Self {
        Self { has_variances: part.is_some(), ..Self::ONE }
    }

    /// The changes of permutations.
    pub(crate) fn of_permutations(permutations: &Permutations) -> Self {
        match permutations {
            Permutations::Exact => Self { has_variances: true, ..Self::ONE },
            Permutations::Random(repeats) => {
                Self { repeats: f64::from(*repeats), keeps_trees: false, ..Self::ONE }
            }
            Permutations::Given(_) => Self { keeps_trees: false, ..Self::ONE },
        }
    }
}
