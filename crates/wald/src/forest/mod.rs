//! Forests: configuration, growing, routing rows, predicting, storing.

mod agree;
mod config;
mod drawn;
mod drawn_together;
mod grow;
mod info;
mod json;
mod merge;
mod met;
mod model;
mod packed;
mod placement;
mod position;
mod predict;
mod predictions;
mod ranked;
mod resolve;
mod sample;
mod settings;
mod several;
mod shadow;
mod shares;
mod split;
mod store;
mod tally;
mod tree;
mod trends;
mod validate;
mod walk;
mod ways;

pub use config::{ForestConfig, ForestOption};
pub use info::{
    Aggregation, FeatureInfo, FeatureKind, OutputsInfo, TargetInfo, align, align_target,
};
pub use json::TreeArrays;
pub use merge::ForestPart;
pub(crate) use met::{ENTRY, FEWEST_CLASSES};
pub use model::Forest;
pub use predict::argmax;
pub(crate) use predict::{SCORE_TIE, predictions_of_tree};
pub use predictions::Predictions;
pub use sample::Bag;
pub(crate) use sample::{Expected, Sampler};
pub use shadow::Shadowed;
pub(crate) use split::{LEAST_ROWS, MOST_FREE_LEVELS};
pub use tree::{Branches, LevelSet, Node, NodeStatistics, Rule, Side, Split, Tree};
pub use trends::{Trend, Trends};
pub use ways::{ClassWeight, ConstantDraws, Impurity, Keep, PValues, Sampling, Splitting};

pub(crate) use agree::{check_trees, rows as aligned_rows, training as aligned_training};
pub(crate) use grow::{Branch, GrowBranches, Growing, Workspace, keeps_sorted};
pub(crate) use placement::Placement;
pub(crate) use ranked::{RankedNode, RankedTree, Router, split_in_order, split_rows};
pub use settings::Settings;
pub(crate) use shadow::ShadowForest;
pub(crate) use trends::Bounds;
pub(crate) use validate::check_tree;
pub(crate) use walk::Walk;
