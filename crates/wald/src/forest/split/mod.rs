//! Finding the best split of a node.

mod categories;
mod classes;
mod numbers;
mod ordered;
mod sort;

pub(crate) use classes::ClassScorer;
pub(crate) use numbers::NumberScorer;
pub(crate) use sort::Sorter;

use crate::data::{RankedFeatures, RankedKind};
use crate::forest::tree::Side;

/// Scores that differ by less than this share of the node's impurity differ by rounding only.
///
/// Different variables often make the same division of a small node; summing its rows in
/// another order must not decide between them.
pub(crate) const TIE: f64 = 1e-12;

/// What a node knows of its in-bag rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NodeSummary {
    /// Multiplicity times case weight, summed.
    pub(crate) weight: f64,
    /// Multiplicity, summed.
    pub(crate) draws: f64,
    pub(crate) impurity: f64,
    /// True when all responses are equal.
    pub(crate) is_pure: bool,
}

/// Scores ways of dividing the rows of a node between two children.
///
/// Scores of one node compare with each other, for all variables; larger is better.
pub(crate) trait Scorer {
    /// Looks at the rows of a node, appends its value, and makes it the current node.
    fn summarise(&mut self, rows: &[u32], values: &mut Vec<f64>) -> NodeSummary;

    /// Scores of the current node that are no further apart than this are tied.
    fn tolerance(&self) -> f64;

    /// Weight of a row in this tree: multiplicity times case weight.
    fn weight(&self, row: u32) -> f64;

    /// Moves all rows of the current node to the right.
    fn start(&mut self);

    /// Moves one row to the left.
    fn push(&mut self, row: u32);

    /// Draws on the left.
    fn draws_left(&self) -> f64;

    /// The score of the present division; -infinity when a side has no weight.
    fn score(&self) -> f64;

    /// Sums up groups of rows (levels; `groups` are ranges of `rows`) and orders them so that
    /// one of the cuts of the order is best, or as good as is known.
    fn order_groups(&mut self, rows: &[u32], groups: &[Group]) -> GroupOrder;

    /// Moves a whole group of the last [`Scorer::order_groups`] to the given side.
    fn move_group(&mut self, group: u32, to: Side);
}

/// The rows of one level at a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Group {
    pub(crate) level: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// How groups should be cut in two.
#[derive(Debug, Clone)]
pub(crate) enum GroupOrder {
    /// Scan the cuts of this order.
    Scan(Vec<u32>),
    /// So few groups and so many classes that all divisions should be tried.
    Exhaustive,
}

/// The best split of a node found so far.
#[derive(Debug, Clone)]
pub(crate) struct Best {
    pub(crate) score: f64,
    pub(crate) column: u32,
    pub(crate) cut: Cut,
    /// Where missing values go; `None` when none were there to learn from.
    pub(crate) missing: Option<Side>,
    /// The levels on the left, for [`Cut::Levels`].
    pub(crate) levels_left: Vec<u32>,
    /// The levels on the right, for [`Cut::Levels`].
    pub(crate) levels_right: Vec<u32>,
}

/// Where a split divides the values of its variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Nothing was found.
    None,
    /// Between two neighbouring codes of the node's rows.
    Between { low: u32, high: u32 },
    /// Between two sets of levels.
    Levels,
    /// Between present (left) and missing (right).
    Present,
}

impl Best {
    /// Takes the scorer's present division if the limits allow it and it beats the best one by
    /// more than rounding; of ties the first stays. Says whether it was taken.
    #[inline]
    fn offer(
        &mut self,
        scorer: &impl Scorer,
        limits: Limits,
        column: u32,
        (cut, missing): (Cut, Option<Side>),
    ) -> bool {
        let score = scorer.score();
        let is_better = score > self.score + scorer.tolerance();
        if is_better && limits.allow(scorer.draws_left()) {
            self.score = score;
            self.column = column;
            self.cut = cut;
            self.missing = missing;
            return true;
        }
        false
    }

    pub(crate) fn new() -> Self {
        Self {
            score: f64::NEG_INFINITY,
            column: 0,
            cut: Cut::None,
            missing: None,
            levels_left: Vec::new(),
            levels_right: Vec::new(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.score = f64::NEG_INFINITY;
        self.cut = Cut::None;
    }
}

/// How many draws a child must hold, given the node's draws.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) least: f64,
    pub(crate) total: f64,
}

impl Limits {
    fn allow(self, draws_left: f64) -> bool {
        draws_left >= self.least && self.total - draws_left >= self.least
    }
}

/// Tries all splits of a node's `rows` on one column: cuts between values or levels with
/// missing rows on either side, then present against missing.
pub(crate) fn search(
    scorer: &mut impl Scorer,
    features: &RankedFeatures,
    column: u32,
    rows: &[u32],
    sorter: &mut Sorter,
    (limits, best): (Limits, &mut Best),
) {
    let ranked = features.column(column);
    sorter.sort(ranked, rows);
    if sorter.keys.is_empty() {
        return;
    }
    match ranked.kind() {
        RankedKind::Ordered { .. } => ordered::search(scorer, column, sorter, (limits, best)),
        RankedKind::Unordered { .. } => categories::search(scorer, column, sorter, (limits, best)),
    }
    if !sorter.missing.is_empty() {
        scorer.start();
        sorter.keys.iter().for_each(|&key| scorer.push(sort::row_of(key)));
        best.offer(scorer, limits, column, (Cut::Present, Some(Side::Right)));
    }
}
