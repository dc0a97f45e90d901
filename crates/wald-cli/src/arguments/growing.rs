//! How a forest is grown.

use clap::Args;
use wald::ForestConfig;
use wald::forest::{ConstantDraws, Impurity, PValues, Sampling, Splitting};

use super::values;
use crate::failure::Failure;

/// Options of a forest; those left out follow `ForestConfig`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Forest")]
pub(crate) struct GrowingArguments {
    /// Number of trees [default: 500]
    #[arg(long, value_name = "N", value_parser = values::whole, allow_negative_numbers = true)]
    trees: Option<usize>,
    /// Variables tried at each node [default: square root of their number; 5 for conditional
    /// splitting]
    #[arg(long, value_name = "N", value_parser = values::whole, allow_negative_numbers = true)]
    mtry: Option<usize>,
    /// If all variables drawn at a node are constant: leaf, as in ranger, or search further
    /// variables, as in scikit-learn; best splitting only [default: leaf]
    #[arg(long, value_name = "HOW", value_parser = values::constant_draws)]
    constant_draws: Option<ConstantDraws>,
    /// Split only nodes with more draws than this [default: 5 for regression, 1 for classification
    /// and multiway splitting, 19 for conditional splitting]
    #[arg(long, value_name = "N", value_parser = values::whole, allow_negative_numbers = true)]
    min_node_size: Option<usize>,
    /// Minimum number of draws in a child [default: 1; 7 for conditional splitting]
    #[arg(long, value_name = "N", value_parser = values::whole, allow_negative_numbers = true)]
    min_leaf_size: Option<usize>,
    /// Maximum depth of a leaf; the root has depth 0 [default: no limit]
    #[arg(long, value_name = "N", value_parser = values::whole, allow_negative_numbers = true)]
    max_depth: Option<usize>,
    /// Rows of a tree: bootstrap, subsample or all [default: bootstrap; subsample for conditional
    /// splitting]
    #[arg(long, value_name = "HOW", value_parser = values::sampling)]
    sampling: Option<Sampling>,
    /// Number of draws as a fraction of the rows [default: 1 for bootstrap, 0.632 for subsample]
    #[arg(long, value_name = "SHARE", value_parser = values::number, allow_negative_numbers = true)]
    sample_fraction: Option<f64>,
    /// Draw the same number of rows from every class
    #[arg(long)]
    stratify: bool,
    /// How a node is split: best, random-threshold (Extra-Trees; `--sampling all` as originally
    /// published, `--mtry 1` for totally randomized trees), multiway (a child per level) or conditional
    /// (the most significant variable: conditional inference trees, as party's cforest)
    /// [default: best]
    #[arg(long, value_name = "HOW", value_parser = values::splitting)]
    splitting: Option<Splitting>,
    /// Also split pure nodes, until no variable divides them; multiway only
    #[arg(long)]
    split_pure: bool,
    /// Split only if 1 - p of the selected variable exceeds this; conditional only [default: 0]
    #[arg(long, value_name = "P", value_parser = values::number, allow_negative_numbers = true)]
    min_criterion: Option<f64>,
    /// P-values of variables: univariate, or bonferroni-corrected for the variables tried at a
    /// node; conditional only [default: univariate]
    #[arg(long, value_name = "WHICH", value_parser = values::p_values)]
    p_values: Option<PValues>,
    /// Number of variables drawn for each tree (random subspace) [default: all]
    #[arg(long, value_name = "N", value_parser = values::whole, allow_negative_numbers = true)]
    subspace: Option<usize>,
    /// Impurity that splits reduce: variance, gini or entropy [default: variance or gini]
    #[arg(long, value_name = "WHAT", value_parser = values::impurity)]
    impurity: Option<Impurity>,
    /// Minimum share of the parent's draws in a child [default: 0; 0.01 for conditional splitting]
    #[arg(long, value_name = "SHARE", value_parser = values::number, allow_negative_numbers = true)]
    min_child_fraction: Option<f64>,
    /// Minimum share of the tree's weight in a child (case weights summed over draws) [default: 0]
    #[arg(long, value_name = "SHARE", value_parser = values::number, allow_negative_numbers = true)]
    min_weight_fraction_leaf: Option<f64>,
    /// Minimum decrease in impurity of a split, weighted by the node's share of the tree's weight;
    /// not for conditional splitting [default: 0]
    #[arg(long, value_name = "NUMBER", value_parser = values::number, allow_negative_numbers = true)]
    min_impurity_decrease: Option<f64>,
    /// Probability that a node tries only one variable [default: 0]
    #[arg(long, value_name = "P", value_parser = values::number, allow_negative_numbers = true)]
    mtry_one_probability: Option<f64>,
}

impl GrowingArguments {
    /// The settings, checked as far as that can be done without the data.
    pub(crate) fn config(&self, seed: u64) -> Result<ForestConfig, Failure> {
        let default = ForestConfig::for_splitting(self.splitting.unwrap_or(Splitting::Best));
        let config = ForestConfig {
            n_trees: self.trees.unwrap_or(default.n_trees),
            mtry: self.mtry,
            constant_draws: self.constant_draws.unwrap_or(default.constant_draws),
            min_node_size: self.min_node_size,
            min_leaf_size: self.min_leaf_size.unwrap_or(default.min_leaf_size),
            max_depth: self.max_depth,
            sampling: self.sampling.unwrap_or(default.sampling),
            sample_fraction: self.sample_fraction,
            stratify: self.stratify,
            splitting: default.splitting,
            split_pure: self.split_pure,
            subspace: self.subspace,
            impurity: self.impurity,
            min_criterion: self.min_criterion,
            p_values: self.p_values,
            min_child_fraction: self.min_child_fraction.unwrap_or(default.min_child_fraction),
            min_weight_fraction_leaf: self
                .min_weight_fraction_leaf
                .unwrap_or(default.min_weight_fraction_leaf),
            min_impurity_decrease: self
                .min_impurity_decrease
                .unwrap_or(default.min_impurity_decrease),
            mtry_one_probability: self.mtry_one_probability.unwrap_or(default.mtry_one_probability),
            seed,
        };
        config.validate()?;
        if self.constant_draws.is_some() && config.splitting != Splitting::Best {
            return Err(Failure::usage(
                "`--constant-draws` was given, but only best splitting draws constant variables in vain",
                "leave it out, or leave out `--splitting`",
            ));
        }
        Ok(config)
    }
}
