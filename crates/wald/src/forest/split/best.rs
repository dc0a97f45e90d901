//! The best split of a node found so far.

use crate::forest::split::limits::Limits;
use crate::forest::split::scorer::Scorer;
use crate::forest::tree::Side;

/// The best split of a node found so far.
#[derive(Debug, Clone)]
pub(crate) struct Best {
    pub(crate) score: f64,
    pub(crate) column: u32,
    pub(crate) cut: Cut,
    /// Draws of the left child.
    pub(crate) draws_left: f64,
    /// Where missing values go; `None` when none were there to learn from.
    pub(crate) missing: Option<Side>,
    /// The levels on the left, for [`Cut::Levels`].
    pub(crate) levels_left: Vec<u32>,
    /// The levels on the right, for [`Cut::Levels`].
    pub(crate) levels_right: Vec<u32>,
    /// Where levels without a row at the node go; `None` for the heavier child.
    pub(crate) others: Option<Side>,
    /// Variables of many levels of which no division was taken.
    pub(crate) n_in_vain: u32,
    /// The column whose splits are being offered.
    pub(crate) candidate: u32,
    /// The limits on splits of the node.
    pub(crate) limits: Limits,
}

/// Where a split divides the values of its variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Nothing was found.
    None,
    /// Between the values of two rows of the table, or between two bins where values are in bins:
    /// neighbours in the order of the node's rows. This many of these come before the cut, where they
    /// were in order.
    Between { low: u32, high: u32, n_low: u32 },
    /// Between two sets of levels.
    Levels,
    /// Between present (left) and missing (right).
    Present,
}

impl Best {
    /// Takes a division if the limits allow it and it beats the best one by more than
    /// rounding; of ties the first stays. Returns whether it was taken.
    #[inline]
    pub(super) fn offer<S: Scorer>(
        &mut self,
        scorer: &S,
        left: &S::Left,
        cut: Cut,
        missing: Option<Side>,
    ) -> bool {
        let limits = self.limits;
        let score = scorer.score(left) - limits.charge;
        let draws_left = scorer.draws_left(left);
        let is_better = score > self.score.max(limits.floor) + scorer.tolerance();
        if is_better && limits.allow(draws_left, scorer.weights(left)) && scorer.allows(left, cut) {
            self.score = score;
            self.column = self.candidate;
            self.cut = cut;
            self.missing = missing;
            self.draws_left = draws_left;
            return true;
        }
        false
    }

    /// Forgets the node before, and starts one with these limits.
    pub(crate) fn start(&mut self, limits: Limits) {
        self.limits = limits;
        self.score = f64::NEG_INFINITY;
        self.cut = Cut::None;
        self.n_in_vain = 0;
    }
}

impl Default for Best {
    fn default() -> Self {
        Self {
            score: f64::NEG_INFINITY,
            column: 0,
            cut: Cut::None,
            draws_left: 0.0,
            missing: None,
            levels_left: Vec::new(),
            levels_right: Vec::new(),
            others: None,
            n_in_vain: 0,
            candidate: 0,
            limits: Limits::new(0.0, 0.0, 0.0),
        }
    }
}
