//! Forests: configuration, growing, routing rows, predicting, storing.

mod agree;
mod config;
mod fold;
mod grow;
mod info;
mod json;
mod measured;
mod met;
mod out_of_bag;
mod out_of_bag_tally;
mod packed;
mod pass;
mod placement;
mod position;
mod predict;
mod ranked;
mod sample;
mod settings;
mod shadow;
mod size;
mod split;
mod store;
mod tally;
mod tree;
mod validate;
mod walk;
mod ways;

pub use config::ForestConfig;
pub use info::{Aggregation, FeatureInfo, FeatureKind, TargetInfo};
pub use json::TreeArrays;
pub use measured::{Grown, Keep, Measured};
pub use out_of_bag::{Errors, OutOfBag};
pub use predict::argmax;
pub use sample::Bag;
pub use shadow::Shadowed;
pub use size::{Size, SizePart};
pub use tree::{Branches, LevelSet, Node, NodeStatistics, Rule, Side, Split, Tree};
pub use ways::{ConstantDraws, Impurity, PValues, Sampling, Splitting};

pub(crate) use agree::{rows as aligned_rows, training as aligned_training};
pub(crate) use fold::{Fold, Outcome, Plan, TreeView, Whole};
#[cfg(test)]
pub(crate) use grow::MOST_BITS;
pub(crate) use grow::{Branch, GrowBranches, Growing, Wide, Workspace, wide};
pub(crate) use info::{align, align_target};
pub(crate) use measured::{Ground, fold_again};
pub(crate) use out_of_bag::{OutOfBagPart, area_under_curve};
pub(crate) use out_of_bag_tally::OutOfBagTally;
pub(crate) use placement::Placement;
pub(crate) use ranked::{RankedNode, RankedTree, Router, split_rows};
pub(crate) use settings::Settings;
pub(crate) use shadow::ShadowForest;
pub(crate) use walk::Walk;

use crate::data::Task;

/// Trees together with the names they speak of.
#[derive(Debug, Clone, PartialEq)]
pub struct Forest {
    pub(crate) features: Vec<FeatureInfo>,
    pub(crate) target: TargetInfo,
    pub(crate) trees: Vec<Tree>,
    /// One bag per tree; `None` for a foreign forest that does not name them.
    pub(crate) bags: Option<Vec<Bag>>,
    pub(crate) aggregation: Aggregation,
    /// True when values are rounded to f32 before they meet a threshold (scikit-learn).
    pub(crate) float32_inputs: bool,
    /// The criterion of the nodes' impurities.
    pub(crate) impurity: Impurity,
    /// How it was grown; `None` for a foreign forest.
    pub(crate) config: Option<ForestConfig>,
}

impl Forest {
    /// The input variables.
    pub fn features(&self) -> &[FeatureInfo] {
        &self.features
    }

    /// The target.
    pub fn target(&self) -> &TargetInfo {
        &self.target
    }

    /// Regression or classification.
    pub fn task(&self) -> Task {
        self.target.task()
    }

    /// The trees.
    pub fn trees(&self) -> &[Tree] {
        &self.trees
    }

    /// One bag per tree; `None` for a foreign forest that does not name them.
    pub fn bags(&self) -> Option<&[Bag]> {
        self.bags.as_deref()
    }

    /// How the trees' predictions become one.
    pub fn aggregation(&self) -> Aggregation {
        self.aggregation
    }

    /// True when values are rounded to f32 before they meet a threshold.
    pub fn float32_inputs(&self) -> bool {
        self.float32_inputs
    }

    /// How it was grown; `None` for a foreign forest.
    pub fn config(&self) -> Option<&ForestConfig> {
        self.config.as_ref()
    }

    /// The criterion of the nodes' impurities.
    pub fn impurity(&self) -> Impurity {
        self.impurity
    }

    /// A forest of the first trees of this one, at most so many.
    pub(crate) fn first_trees(&self, n_trees: usize) -> Self {
        let n_trees = n_trees.min(self.trees.len());
        Self {
            trees: self.trees[..n_trees].to_vec(),
            bags: self.bags.as_ref().map(|bags| bags[..n_trees].to_vec()),
            config: self.config.as_ref().map(|config| ForestConfig { n_trees, ..config.clone() }),
            features: self.features.clone(),
            target: self.target.clone(),
            ..*self
        }
    }
}
