//! What scores the divisions of a node.

use crate::forest::position::Position;
use crate::forest::split::best::{Best, Cut};
use crate::forest::split::binned::Binned;
use crate::forest::split::limits::Limits;
use crate::forest::split::sequence::Sequence;
use crate::forest::tree::Side;
use crate::forest::trends::{Bounds, Trend};

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

    /// Moves rows so that those that go left come first, from position `start` on: one side for each
    /// row. Both parts keep their order.
    fn divide(&mut self, start: usize, goes_right: &[bool]);

    /// True when all responses are equal.
    fn is_pure<P: Position>(&self, members: &[P]) -> bool;

    /// Multiplicities of the rows, summed.
    fn draws<P: Position>(&self, members: &[P]) -> f64;

    /// Looks at the rows of a node, appends its value, and makes it the current node.
    fn summarise<P: Position>(&mut self, members: &[P], values: &mut Vec<f64>) -> NodeSummary;

    /// Lets divisions keep to the bounds of the current node, and to the trend of a variable, until it is
    /// called again; never called, it allows all of them.
    fn constrain(&mut self, bounds: Bounds, trend: Option<Trend>);

    /// Whether trends and bounds allow a division.
    fn allows(&self, left: &Self::Left, cut: Cut) -> bool;

    /// What a node of some rows predicts, as [`Bounds`] count it: the bits that [`Self::summarise`] makes.
    fn value<P: Position>(&self, members: &[P]) -> f64;

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

    /// Offers all cuts between the bins of a column of numbers. Returns false, and does nothing,
    /// where the scorer needs the rows in order.
    fn search_bins<P: Position, F: Fn(P) -> u8>(
        &mut self,
        _node: &Binned<'_, P, F>,
        _best: &mut Best,
    ) -> bool {
        false
    }

    /// Sums up groups of rows (levels; ranges of `sequence`) and orders them so that one of
    /// the cuts of the order is best, or as good as is known.
    fn order_groups(&mut self, sequence: &impl Sequence, groups: &[Group]) -> GroupOrder;

    /// Moves a whole group of the last [`Scorer::order_groups`] to the given side.
    fn move_group(&mut self, left: &mut Self::Left, group: u32, to: Side);
}

/// Copies what is stored for some positions.
pub(super) fn select<T: Copy, P: Position>(to: &mut Vec<T>, from: &[T], members: &[P]) {
    to.clear();
    to.extend(members.iter().map(|position| from[position.index()]));
}

/// A cut in a sequence.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub(super) score: f64,
    /// Number of items before the cut.
    pub(super) n_before: u32,
    pub(super) draws_left: f64,
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

impl GroupOrder {
    /// Scan groups in the order of their scores.
    pub(crate) fn by_scores(scores: &[f64]) -> Self {
        let mut order: Vec<u32> = (0..scores.len() as u32).collect();
        order.sort_by(|&a, &b| scores[a as usize].total_cmp(&scores[b as usize]));
        Self::Scan(order)
    }
}
