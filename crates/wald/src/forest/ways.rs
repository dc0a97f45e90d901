//! The ways of growing that users choose by name.

use serde::{Deserialize, Serialize};

use crate::data::Task;
use crate::options::setting_of_words;

/// Which rows a tree is grown on.
///
/// ```
/// use wald::ForestConfig;
/// use wald::forest::{Sampling, Splitting};
///
/// let party = ForestConfig::for_splitting(Splitting::Conditional);
/// assert_eq!(party.sampling, Sampling::Subsample);
/// assert_eq!(party.min_leaf_size, 7);
/// assert_eq!(ForestConfig::for_splitting(Splitting::Best), ForestConfig::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    /// Draws with replacement.
    Bootstrap,
    /// Draws without replacement.
    Subsample,
    /// Every row once; no row is out of bag.
    All,
}

/// How a node is split.
///
/// Only what differs from the defaults is named:
///
/// ```
/// use wald::ForestConfig;
/// use wald::forest::{Sampling, Splitting};
///
/// let config = ForestConfig { n_trees: 1000, min_leaf_size: 5, seed: 1, ..ForestConfig::default() };
/// assert!(config.validate().is_ok());
///
/// let extra_trees = ForestConfig {
///     splitting: Splitting::RandomThreshold,
///     sampling: Sampling::All, // no row is out of bag: measures that need such rows refuse
///     ..ForestConfig::default()
/// };
/// assert!(extra_trees.validate().is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Splitting {
    /// The best of all thresholds and sets of levels of mtry variables (CART; Breiman 2001).
    Best,
    /// The best of mtry random divisions, one for each of mtry variables that are not constant
    /// at the node (Extra-Trees; Geurts, Ernst & Wehenkel 2006). A threshold is uniform between
    /// the smallest and the largest in-bag value of the node; a set of levels is uniform among
    /// those that divide the levels present. Where values are missing, a fair coin decides
    /// which side they go to; they are divided from the present ones where these are all equal.
    /// With mtry 1 trees are totally randomized. Sampling is what [`ForestConfig::sampling`]
    /// describes; Geurts, Ernst & Wehenkel use all rows.
    ///
    /// [`ForestConfig::sampling`]: crate::forest::ForestConfig::sampling
    RandomThreshold,
    /// A child for each level that is present at the node, of one of mtry variables that no
    /// node above splits on; all variables must be categorical (Louppe et al. 2013). Missing
    /// values have a child of their own where there are any. Levels without a row at the node
    /// follow its heaviest child.
    ///
    /// Variables are drawn whether or not they are constant at the node, and a node that asks
    /// about a constant one has a single child: its depth is the number of variables that it
    /// is conditioned on. A node is a leaf when no variable is left that divides it.
    Multiway,
    /// The variable that depends most significantly on the target, of mtry variables, then its
    /// division with the largest two-sample statistic (conditional inference trees; Hothorn,
    /// Hornik & Zeileis 2006). [`ForestConfig::for_splitting`] gives the settings that go with it:
    /// those of `cforest_unbiased` of the R package party.
    ///
    /// [`ForestConfig::for_splitting`]: crate::forest::ForestConfig::for_splitting
    ///
    /// The statistic is the quadratic form of the linear statistic of the variable's numbers, or
    /// indicators of its levels, and the target's numbers, or indicators of its classes; the
    /// p-value is that of chi-square (Strasser & Weber 1999). Rows where a variable is missing
    /// take part neither in its test nor in the choice of its division; they go to the side where
    /// they let the statistic be larger. Thresholds are values of the table. If the limits on the
    /// children allow no division of the variable, the second most significant one is tried.
    /// Case weights are multiplied by a common number that makes their mean 1, so that the
    /// number of rows is how much is known.
    Conditional,
}

/// What becomes of a node whose mtry drawn variables are all constant there.
///
/// Variables of many levels of which no division is worth taking are made up for by drawing on
/// either way; see `split/categories.rs`. Where one of those drawn varies at the node, but the
/// limits on the children allow none of its divisions, the node is a leaf either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConstantDraws {
    /// Variables are drawn on until one varies at the node, which is then divided by that one, as
    /// in scikit-learn.
    Search,
    /// The node is a leaf, as in ranger and randomForest.
    Leaf,
}

/// Which p-values choose the variable of a node and decide whether it is significant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PValues {
    /// Of each variable alone.
    Univariate,
    /// Of each variable among all that the node tries: 1 - (1 - p)^m, with m of them tested.
    Bonferroni,
}

/// What draws of classes weigh in a tree.
///
/// ```
/// use wald::forest::ClassWeight;
/// use wald::simulate::Design;
/// use wald::{Forest, ForestConfig, Run};
///
/// let classes = Design::LiLeafSize.draw(60, 1)?; // two classes
/// let class_weight = ClassWeight::BalancedSubsample;
/// let config = ForestConfig { n_trees: 1, class_weight, ..ForestConfig::default() };
/// let forest = Forest::grow(&classes, &config, &Run::all())?;
/// let root = forest.trees()[0].value(0); // both classes have half of the weight
/// assert!((root[0] - 0.5).abs() < 1e-12 && (root[1] - 0.5).abs() < 1e-12);
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClassWeight {
    /// The same, whatever their class.
    Equal,
    /// The more, the more seldom their class was drawn for the tree: draws / (classes * draws of the
    /// class), where classes are those that were drawn (scikit-learn's `balanced_subsample`). It
    /// multiplies case weights.
    BalancedSubsample,
}

/// The impurity of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Impurity {
    /// Variance of a numeric target, divisor N.
    Variance,
    /// 1 - sum of squared class proportions.
    Gini,
    /// Entropy of the class proportions in bits.
    Entropy,
    /// Half the mean Poisson deviance of a target of counts from their mean. Splits below whose
    /// children one would predict 0 are not allowed.
    Poisson,
    /// Mean absolute deviation of a numeric target from its median, which is what nodes predict.
    AbsoluteError,
}

/// Gives the words that users type, with an underscore for a dash.
macro_rules! words {
    ($($type:ident { $($variant:ident = $id:literal),+ })+) => {$(
        impl $type {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word users type, with an underscore for a dash.
            pub fn id(self) -> &'static str {
                match self { $(Self::$variant => $id),+ }
            }
        }
    )+};
}

words! {
    Sampling { Bootstrap = "bootstrap", Subsample = "subsample", All = "all" }
    Splitting {
        Best = "best",
        RandomThreshold = "random_threshold",
        Multiway = "multiway",
        Conditional = "conditional"
    }
    ConstantDraws { Search = "search", Leaf = "leaf" }
    ClassWeight { Equal = "equal", BalancedSubsample = "balanced_subsample" }
    PValues { Univariate = "univariate", Bonferroni = "bonferroni" }
    Impurity {
        Variance = "variance",
        Gini = "gini",
        Entropy = "entropy",
        Poisson = "poisson",
        AbsoluteError = "absolute_error"
    }
}

impl Splitting {
    /// Whether nodes can be divided such that predictions change in one direction with a variable.
    pub(crate) fn keeps_trends(self) -> bool {
        matches!(self, Self::Best | Self::RandomThreshold)
    }
}

setting_of_words!(Sampling, Splitting, ConstantDraws, ClassWeight, PValues, Impurity);

impl Impurity {
    /// Those that follow from the distribution of the target alone: in `wald population`.
    pub const OF_DISTRIBUTIONS: [Self; 3] = [Self::Variance, Self::Gini, Self::Entropy];

    /// The kind of target that it is of.
    pub fn task(self) -> Task {
        match self {
            Self::Variance | Self::Poisson | Self::AbsoluteError => Task::Regression,
            Self::Gini | Self::Entropy => Task::Classification,
        }
    }

    /// Whether it is a loss of numbers that is not the squared one.
    pub(crate) fn is_other_loss(self) -> bool {
        matches!(self, Self::Poisson | Self::AbsoluteError)
    }

    /// The impurity of class proportions; Gini and entropy only.
    pub(crate) fn of_proportions(self, proportions: &[f64]) -> f64 {
        match self {
            Self::Variance | Self::Gini | Self::Poisson | Self::AbsoluteError => {
                1.0 - proportions.iter().map(|share| share * share).sum::<f64>()
            }
            Self::Entropy => proportions
                .iter()
                .filter(|share| **share > 0.0)
                .map(|share| -share * share.log2())
                .sum(),
        }
    }
}

/// Whether a forest keeps its trees once they were measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// All trees and bags.
    Trees,
    /// Nothing: one tree per thread is in memory at a time.
    Nothing,
}
