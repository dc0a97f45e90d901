//! How much work a part of a report may take, unasked. It depends on sizes alone, never on a clock, so
//! that equal data have equal reports.

use crate::making::left_out::LeftOut;

/// Up to so many variables, every number of them is looked at; of more, some.
pub(super) const FEW_VARIABLES: usize = 12;

/// What a look at a row of a tree takes besides trying variables, in variables tried: measuring takes
/// about as long as trying eight.
const MEASURING: f64 = 8.0;

/// Where there are few trees, they may take so many times the work before a part is left out.
const AT_MOST: f64 = 4.0;

/// Trees of a forest grown anew.
pub(super) const FEWEST_TREES: usize = 20;
const MOST_TREES: usize = 100;

/// What forests grown anew take, in rows times variables tried, and the rows that they are grown on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    pub(super) work: f64,
    pub(super) most_rows: usize,
}

impl Budget {
    /// The work that one tree takes.
    pub(super) fn of_tree(n_rows: usize, mtry: usize) -> f64 {
        n_rows as f64 * (mtry as f64 + MEASURING)
    }

    /// The trees of every forest where one tree in each takes so much; no more than are `enough` for what is
    /// shown.
    pub(super) fn trees(self, per_tree: f64, enough: usize) -> Result<usize, LeftOut> {
        let most = MOST_TREES.min(enough);
        let fewest = FEWEST_TREES.min(most);
        if per_tree * fewest as f64 > AT_MOST * self.work {
            return Err(LeftOut::because("it would take longer than growing the forest"));
        }
        Ok(((self.work / per_tree.max(1.0)) as usize).clamp(fewest, most))
    }
}
