//! What limits the splits of a node.

/// How many draws a child must hold, given the node's draws, and how much weight; and what scores
/// must come to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) least: f64,
    pub(crate) total: f64,
    pub(crate) least_weight: f64,
    /// What is taken from scores before they compete.
    pub(super) charge: f64,
    /// What scores must be above then.
    pub(super) floor: f64,
}

impl Limits {
    /// Limits of children, given the node's draws.
    pub(crate) fn new(least: f64, total: f64, least_weight: f64) -> Self {
        Self { least, total, least_weight, charge: 0.0, floor: f64::NEG_INFINITY }
    }

    pub(super) fn allow(self, draws_left: f64, [left, right]: [f64; 2]) -> bool {
        draws_left >= self.least
            && self.total - draws_left >= self.least
            && left >= self.least_weight
            && right >= self.least_weight
    }
}
