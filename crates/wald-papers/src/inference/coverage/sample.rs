//! One measure on one data set.

use wald::Importance;
use wald::inference::Intervals;

/// What intervals are to cover with.
pub(super) const CONFIDENCE: f64 = 0.9;

/// One measure on one data set.
pub(super) struct Sample {
    pub(super) importance: Importance,
    pub(super) intervals: Intervals,
    /// Sampling errors as they are reported.
    pub(super) of_rows: Vec<Option<f64>>,
    pub(super) n_trees: usize,
}
