//! Finding the best split of a node.

mod categories;
mod child_rows;
mod children;
mod classes;
mod dependence;
#[cfg(test)]
mod dependence_tests;
mod numbers;
mod ordered;
mod principal;

pub(crate) use categories::{LEAST_ROWS, MOST_FREE_LEVELS};
pub(crate) use child_rows::ByChild;
pub(crate) use children::{ChildScorer, Divided, Mask, mask};
pub(crate) use classes::{ClassScorer, Criterion};
pub(crate) use dependence::{Dependence, TestScorer};
pub(crate) use numbers::NumberScorer;

use crate::data::{RankedColumn, RankedKind};
use crate::forest::position::Position;
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
    pub(crate) impurity: f64,
}

/// The rows of a node whose value of one column is present, by increasing code.
pub(crate) trait Sequence {
    /// Stands for one row.
    type Item: Copy;
    /// Differs where codes differ.
    type Key: Copy + PartialEq;

    /// True when all codes are known to differ.
    const ALL_DIFFER: bool;

    fn items(&self) -> &[Self::Item];

    fn position(&self, item: Self::Item) -> usize;

    fn key(&self, item: Self::Item) -> Self::Key;

    /// The row of the table.
    fn row(&self, item: Self::Item) -> u32;
}

/// Scores ways of dividing the rows of a node between two children.
///
/// Scores of one node compare with each other, for all variables; larger is better.
pub(crate) trait Scorer: Sized + Send + Sync {
    /// The rows that a division puts on the left.
    type Left: Copy;

    /// A scorer of the same kind, of no rows.
    fn empty(&self) -> Self;

    /// Makes this the scorer of some of another one's rows; their positions become 0, 1, ...
    fn select<P: Position>(&mut self, from: &Self, members: &[P]);

    /// True when all responses are equal.
    fn is_pure<P: Position>(&self, members: &[P]) -> bool;

    /// Multiplicities of the rows, summed.
    fn draws<P: Position>(&self, members: &[P]) -> f64;

    /// Looks at the rows of a node, appends its value, and makes it the current node.
    fn summarise<P: Position>(&mut self, members: &[P], values: &mut Vec<f64>) -> NodeSummary;

    /// Scores of the current node that are no further apart than this are tied.
    fn tolerance(&self) -> f64;

    /// Weight of a row in this tree: multiplicity times case weight.
    fn weight(&self, position: usize) -> f64;

    /// Moves all rows of the current node to the right.
    fn start(&mut self) -> Self::Left;

    /// Moves one row to the left.
    fn push(&mut self, left: &mut Self::Left, position: usize);

    /// Draws on the left.
    fn draws_left(&self, left: &Self::Left) -> f64;

    /// Weights on the left and on the right.
    fn weights(&self, left: &Self::Left) -> [f64; 2];

    /// What a score stands for: the weight of the current node times the decrease of its impurity
    /// (of chi-square, nothing of the kind).
    fn decrease(&self, score: f64) -> f64;

    /// The score of the current node left as it is.
    fn undivided(&self) -> f64;

    /// The impurity of the current node, in units of scores: what a division into pure children
    /// would be above [`Scorer::undivided`].
    fn spread(&self) -> f64;

    /// The score of a division; -infinity when a side has no weight.
    fn score(&self, left: &Self::Left) -> f64;

    /// Moves the rows of a sequence to the left, one after the other, and returns the best cut
    /// between different keys that the limits allow and that beats `score` by more than
    /// rounding; of ties the first.
    fn scan(
        &mut self,
        left: Self::Left,
        sequence: &impl Sequence,
        limits: Limits,
        score: f64,
    ) -> Option<Found>;

    /// Sums up groups of rows (levels; ranges of `sequence`) and orders them so that one of
    /// the cuts of the order is best, or as good as is known.
    fn order_groups(&mut self, sequence: &impl Sequence, groups: &[Group]) -> GroupOrder;

    /// Moves a whole group of the last [`Scorer::order_groups`] to the given side.
    fn move_group(&mut self, left: &mut Self::Left, group: u32, to: Side);
}

/// Copies what is stored for some positions.
fn select<T: Copy, P: Position>(to: &mut Vec<T>, from: &[T], members: &[P]) {
    to.clear();
    to.extend(members.iter().map(|position| from[position.index()]));
}

/// A cut in a sequence.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    score: f64,
    /// Number of items before the cut.
    n_before: u32,
    draws_left: f64,
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
}

/// Where a split divides the values of its variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Nothing was found.
    None,
    /// Between the codes of these rows of the table, which are neighbours in the order of the
    /// node's rows; this many rows of the node come before the cut.
    Between { low_row: u32, high_row: u32, n_low: u32 },
    /// Between two sets of levels.
    Levels,
    /// Between present (left) and missing (right).
    Present,
}

impl Best {
    /// Takes a division if the limits allow it and it beats the best one by more than
    /// rounding; of ties the first stays. Returns whether it was taken.
    #[inline]
    fn offer<S: Scorer>(
        &mut self,
        scorer: &S,
        left: &S::Left,
        limits: Limits,
        column: u32,
        (cut, missing): (Cut, Option<Side>),
    ) -> bool {
        let score = scorer.score(left) - limits.charge;
        let draws_left = scorer.draws_left(left);
        let is_better = score > self.score.max(limits.floor) + scorer.tolerance();
        if is_better && limits.allow(draws_left, scorer.weights(left)) {
            self.score = score;
            self.column = column;
            self.cut = cut;
            self.missing = missing;
            self.draws_left = draws_left;
            return true;
        }
        false
    }

    pub(crate) fn clear(&mut self) {
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
        }
    }
}

/// How many draws a child must hold, given the node's draws, and how much weight; and what scores
/// must come to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) least: f64,
    pub(crate) total: f64,
    pub(crate) least_weight: f64,
    /// What is taken from scores before they compete.
    charge: f64,
    /// What scores must be above then.
    floor: f64,
}

impl Limits {
    /// Limits of children, given the node's draws.
    pub(crate) fn new(least: f64, total: f64, least_weight: f64) -> Self {
        Self { least, total, least_weight, charge: 0.0, floor: f64::NEG_INFINITY }
    }

    fn allow(self, draws_left: f64, [left, right]: [f64; 2]) -> bool {
        draws_left >= self.least
            && self.total - draws_left >= self.least
            && left >= self.least_weight
            && right >= self.least_weight
    }
}

/// Tries all splits of a node on one column: cuts between values or levels with missing rows
/// on either side, then present against missing.
pub(crate) fn search<S: Scorer>(
    scorer: &mut S,
    (ranked, column): (&RankedColumn, u32),
    sequence: &impl Sequence,
    missing: &[impl Position],
    (limits, best): (Limits, &mut Best),
) {
    if sequence.items().is_empty() {
        return;
    }
    let node = Asked { sequence, missing, column, codes: ranked.codes() };
    match ranked.kind() {
        RankedKind::Ordered(_) => ordered::search(scorer, &node, (limits, best)),
        RankedKind::Unordered { n_levels } if *n_levels > categories::MOST_FREE_LEVELS => {
            categories::search_many(scorer, &node, (limits, best));
        }
        RankedKind::Unordered { .. } => categories::search(scorer, &node, (limits, best)),
    }
    if !missing.is_empty() {
        let mut left = scorer.start();
        for &item in sequence.items() {
            scorer.push(&mut left, sequence.position(item));
        }
        best.offer(scorer, &left, limits, column, (Cut::Present, Some(Side::Right)));
    }
}

/// Tries the cuts of some rows between numbers, or levels, given the level of every row of a
/// column of levels.
pub(crate) fn search_present<S: Scorer>(
    scorer: &mut S,
    (column, levels): (u32, Option<&[u32]>),
    sequence: &impl Sequence,
    offered: (Limits, &mut Best),
) {
    let missing: &[u32] = &[];
    let node = Asked { sequence, missing, column, codes: levels.unwrap_or_default() };
    match levels {
        None => ordered::search(scorer, &node, offered),
        Some(_) => categories::search(scorer, &node, offered),
    }
}

/// The rows of a node as one column sees them.
struct Asked<'a, Q, P> {
    sequence: &'a Q,
    missing: &'a [P],
    column: u32,
    codes: &'a [u32],
}

impl<Q, P: Position> Asked<'_, Q, P> {
    /// Where missing rows may go while present ones are divided.
    fn sides(&self) -> &'static [Option<Side>] {
        if self.missing.is_empty() { &[None] } else { &[Some(Side::Right), Some(Side::Left)] }
    }

    /// Moves missing rows to their side, and all others to the right.
    fn start<S: Scorer>(&self, scorer: &mut S, missing: Option<Side>) -> S::Left {
        let mut left = scorer.start();
        if missing == Some(Side::Left) {
            self.missing.iter().for_each(|&position| scorer.push(&mut left, position.index()));
        }
        left
    }
}
