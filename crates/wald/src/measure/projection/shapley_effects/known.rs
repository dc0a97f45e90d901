//! What is known before trees are projected.

use crate::data::Truth;
use crate::measure::kernel::residuals::Residuals;
use crate::pass::OutOfBag;

/// The forest that is projected, and what players get of a pair of sets.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) truth: Truth,
    pub(super) out_of_bag: OutOfBag,
    pub(super) residuals: Residuals,
    /// The variance of the response over rows out of bag.
    pub(super) variance: f64,
    /// The weight of the rows out of bag that are looked at.
    pub(super) weight: f64,
    /// Trees of the whole forest.
    pub(super) n_trees: usize,
    /// By pair: what every player gets of what its set is worth more than the complement.
    pub(super) of_pairs: Vec<Vec<f64>>,
    /// What every player gets of what all of them explain.
    pub(super) of_all: Vec<f64>,
    /// Whether rows stand for others, so that their error is needed.
    pub(super) has_part: bool,
    /// One of so many rows counts for standard errors.
    pub(super) stride: usize,
}
