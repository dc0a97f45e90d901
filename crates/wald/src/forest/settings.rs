//! Settings of a forest on a given table.

use crate::forest::trends::Trend;
use crate::forest::ways::{ClassWeight, ConstantDraws, Impurity, PValues, Sampling, Splitting};
use crate::random::{Purpose, Stream};

/// A [`ForestConfig`](crate::forest::ForestConfig) whose defaults were filled in for a data set and whose ranges hold.
///
/// ```
/// use wald::ForestConfig;
/// use wald::simulate::Friedman1;
///
/// let data = Friedman1::default().draw(60, 1)?; // 10 inputs, a numeric target
/// let settings = ForestConfig::default().resolve(&data)?;
/// assert_eq!(settings.mtry, 3); // floor(sqrt(10))
/// assert_eq!(settings.min_node_size, 5);
///
/// let refused = ForestConfig { mtry: Some(11), ..ForestConfig::default() }.resolve(&data);
/// assert_eq!(refused.unwrap_err().to_string(), "`mtry` is 11, but there are 10 input variables");
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Variables tried at a node.
    pub mtry: usize,
    /// What happens to drawn variables that are constant in a node.
    pub constant_draws: ConstantDraws,
    /// Fewest draws of a node that is split.
    pub min_node_size: usize,
    /// Fewest draws of a leaf.
    pub min_leaf_size: usize,
    /// Most levels of splits.
    pub max_depth: usize,
    /// How bags are drawn.
    pub sampling: Sampling,
    /// Size of a bag, as a share of the rows.
    pub sample_fraction: f64,
    /// Whether bags keep the shares of the classes.
    pub stratify: bool,
    /// How nodes are divided.
    pub splitting: Splitting,
    /// Whether nodes without impurity are split.
    pub split_pure: bool,
    /// Variables of each tree.
    pub subspace: usize,
    /// What splits reduce.
    pub impurity: Impurity,
    /// Least 1 - p of a conditional split.
    pub min_criterion: f64,
    /// How conditional splitting computes p-values.
    pub p_values: PValues,
    /// Least share of its parent that a child holds.
    pub min_child_fraction: f64,
    /// Least share of all weight that a leaf holds.
    pub min_weight_fraction_leaf: f64,
    /// Least decrease of impurity by a split.
    pub min_impurity_decrease: f64,
    /// Most leaves of a tree.
    pub max_leaf_nodes: usize,
    /// What a leaf costs besides its impurity, when trees are pruned.
    pub ccp_alpha: f64,
    /// What draws of classes weigh.
    pub class_weight: ClassWeight,
    /// In which direction predictions may change with every variable; empty where all may go both ways.
    pub trends: Vec<Option<Trend>>,
    /// Most bins of a variable's values; exact splits without.
    pub max_bins: Option<usize>,
    /// How often a node tries one variable alone.
    pub mtry_one_probability: f64,
    /// Seed of all random numbers.
    pub seed: u64,
    /// The number of the first tree, which names random numbers.
    pub first_tree: usize,
}

impl Settings {
    /// The same for trees on so many of the columns.
    pub(crate) fn among(&self, n_columns: usize) -> Self {
        let (mtry, subspace) = (self.mtry.min(n_columns), self.subspace.min(n_columns));
        Self { mtry, subspace, ..self.clone() }
    }

    /// The random numbers of a tree of the forest, whose first one is 0.
    pub(crate) fn stream(&self, tree: usize, purpose: Purpose) -> Stream {
        Stream::new(self.seed, self.first_tree + tree, purpose)
    }

    /// Draws a child must hold when its parent holds `draws`.
    pub fn least_draws(&self, draws: f64) -> f64 {
        (self.min_leaf_size as f64).max((self.min_child_fraction * draws).ceil())
    }
}
