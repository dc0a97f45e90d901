//! Settings of a forest on a given table.

use crate::forest::ways::{ConstantDraws, Impurity, PValues, Sampling, Splitting};

/// A [`ForestConfig`](crate::forest::ForestConfig) whose defaults were filled in for a data set and whose ranges hold.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    pub(crate) mtry: usize,
    pub(crate) constant_draws: ConstantDraws,
    pub(crate) min_node_size: usize,
    pub(crate) min_leaf_size: usize,
    pub(crate) max_depth: usize,
    pub(crate) sampling: Sampling,
    pub(crate) sample_fraction: f64,
    pub(crate) stratify: bool,
    pub(crate) splitting: Splitting,
    pub(crate) split_pure: bool,
    /// Variables of each tree.
    pub(crate) subspace: usize,
    pub(crate) impurity: Impurity,
    pub(crate) min_criterion: f64,
    pub(crate) p_values: PValues,
    pub(crate) min_child_fraction: f64,
    pub(crate) min_weight_fraction_leaf: f64,
    pub(crate) min_impurity_decrease: f64,
    pub(crate) mtry_one_probability: f64,
    pub(crate) seed: u64,
}

impl Settings {
    /// Draws a child must hold when its parent holds `draws`.
    pub(crate) fn least_draws(&self, draws: f64) -> f64 {
        (self.min_leaf_size as f64).max((self.min_child_fraction * draws).ceil())
    }
}
