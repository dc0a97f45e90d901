//! How a forest is grown.

use crate::message;
use crate::message::Setting;
use crate::setting;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::forest::ways::{ConstantDraws, Impurity, PValues, Sampling, Splitting};

/// Settings of a forest. `ForestConfig::default()` follows ranger's defaults.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ForestConfig {
    /// Number of trees, M.
    pub n_trees: usize,
    /// Variables tried at each node; `None` for floor(sqrt(p)), p being the number of variables
    /// that the tree uses, or for 5 with [`Splitting::Conditional`].
    pub mtry: Option<usize>,
    /// A node splits only if it holds more draws than this; `None` for 5 (regression) or 1
    /// (classification, and [`Splitting::Multiway`]), or for 19 with [`Splitting::Conditional`].
    pub min_node_size: Option<usize>,
    /// A child holds at least this many draws.
    pub min_leaf_size: usize,
    /// Deepest level of a leaf, the root being level 0; `None` for no limit.
    pub max_depth: Option<usize>,
    /// Which rows a tree is grown on.
    pub sampling: Sampling,
    /// Draws per row of the table; `None` for 1 (bootstrap) or 0.632 (subsample). Above 1 with
    /// bootstrap only.
    pub sample_fraction: Option<f64>,
    /// Draw equally many rows of every class.
    pub stratify: bool,
    /// How a node is split.
    pub splitting: Splitting,
    /// Split also nodes whose rows all have the same response, until no variable is left to
    /// divide them; [`Splitting::Multiway`] only.
    pub split_pure: bool,
    /// Variables drawn for each tree, which uses no others; `None` for all.
    pub subspace: Option<usize>,
    /// What a split reduces; `None` for variance (regression) or Gini (classification). With
    /// [`Splitting::Conditional`] it is stored of the nodes, but does not choose splits.
    pub impurity: Option<Impurity>,
    /// How sure a node must be that its variable and the target depend on each other: it splits
    /// if 1 - p is above this; `None` for 0. [`Splitting::Conditional`] only.
    pub min_criterion: Option<f64>,
    /// Which p-values these are; `None` for univariate ones. [`Splitting::Conditional`] only.
    pub p_values: Option<PValues>,
    /// A child holds at least this fraction of its parent's draws: gamma of Benard's (A2').
    pub min_child_fraction: f64,
    /// A child holds at least this fraction of the tree's weight, which is the sum over draws of
    /// the rows' case weights; at most 0.5.
    pub min_weight_fraction_leaf: f64,
    /// A node splits only if that decreases the tree's impurity by at least so much: the decrease
    /// of the node's impurity times its share of the tree's weight. Not with
    /// [`Splitting::Conditional`].
    pub min_impurity_decrease: f64,
    /// Probability that a node tries one variable only: delta of Benard's (A2').
    pub mtry_one_probability: f64,
    /// Seed of all random numbers.
    pub seed: u64,
    // Fields after this line are missing in older files, whose forests have the default of today; see
    // `store.rs`.
    /// What becomes of a node whose drawn variables are all constant there; [`Splitting::Best`] only.
    pub constant_draws: ConstantDraws,
}

impl Default for ForestConfig {
    fn default() -> Self {
        Self {
            n_trees: 500,
            mtry: None,
            min_node_size: None,
            min_leaf_size: 1,
            max_depth: None,
            sampling: Sampling::Bootstrap,
            sample_fraction: None,
            stratify: false,
            splitting: Splitting::Best,
            split_pure: false,
            subspace: None,
            impurity: None,
            min_criterion: None,
            p_values: None,
            min_child_fraction: 0.0,
            min_weight_fraction_leaf: 0.0,
            min_impurity_decrease: 0.0,
            mtry_one_probability: 0.0,
            seed: 0,
            constant_draws: ConstantDraws::Leaf,
        }
    }
}

const MOST_TREES: usize = 10_000_000;

/// Draws are counted in 16 bits per row; with so many on average no row comes near their end.
const MOST_DRAWS_OF_A_ROW: f64 = 1000.0;

impl ForestConfig {
    /// The same with so many trees, all of which leave rows out.
    #[must_use]
    pub fn out_of_bag(&self, n_trees: usize) -> Self {
        let sampling = match self.sampling {
            Sampling::All => Sampling::Bootstrap,
            sampling => sampling,
        };
        Self { n_trees, sampling, ..self.clone() }
    }

    /// Checks the ranges that do not depend on the data.
    ///
    /// # Errors
    /// [`Error::Setting`] for a value outside its range.
    pub fn validate(&self) -> Result<(), Error> {
        let at_least_one = |value: Option<usize>, setting: Setting| match value {
            Some(0) => Err(Error::bad_setting(
                setting,
                message!(setting.name(), " is 0"),
                "give a whole number of 1 or more",
            )),
            _ => Ok(()),
        };
        at_least_one(Some(self.n_trees), setting::TREES)?;
        if self.mtry == Some(0) {
            return Err(Error::bad_setting(
                setting::MTRY,
                "mtry is 0",
                "give a whole number of 1 or more",
            ));
        }
        at_least_one(self.min_node_size, setting::MIN_NODE_SIZE)?;
        at_least_one(Some(self.min_leaf_size), setting::MIN_LEAF_SIZE)?;
        at_least_one(self.max_depth, setting::MAX_DEPTH)?;
        at_least_one(self.subspace, setting::SUBSPACE)?;
        if self.n_trees > MOST_TREES {
            return Err(Error::too_large(
                format!("{} trees were requested; at most {MOST_TREES} are possible", self.n_trees),
                "a few thousand trees are enough for stable rankings",
            ));
        }
        if let Some(fraction) = self.sample_fraction {
            let most = if self.sampling == Sampling::Bootstrap { MOST_DRAWS_OF_A_ROW } else { 1.0 };
            if !(fraction > 0.0 && fraction <= most) {
                return Err(Error::bad_setting(
                    setting::SAMPLE_FRACTION,
                    format!("the sample fraction is {fraction}"),
                    format!("give a sample fraction above 0 and at most {most}"),
                ));
            }
            if self.sampling == Sampling::All {
                return Err(Error::bad_setting(
                    setting::SAMPLE_FRACTION,
                    "a sample fraction was given, but all rows are used",
                    "leave one of the two settings out",
                ));
            }
        }
        self.validate_limits()?;
        if !(0.0..=1.0).contains(&self.mtry_one_probability) {
            return Err(Error::bad_setting(
                setting::MTRY_ONE_PROBABILITY,
                message!(setting::MTRY_ONE_PROBABILITY.name(), " is ", self.mtry_one_probability),
                "give a probability between 0 and 1",
            ));
        }
        if self.split_pure && self.splitting != Splitting::Multiway {
            return Err(Error::bad_setting(
                setting::SPLIT_PURE,
                message!(
                    setting::SPLIT_PURE.name(),
                    " was requested, but only multiway trees split pure nodes"
                ),
                message!("use multiway splitting, or leave out ", setting::SPLIT_PURE),
            ));
        }
        self.validate_tests()?;
        if self.stratify && self.sampling == Sampling::All {
            return Err(Error::bad_setting(
                setting::STRATIFY,
                "stratified draws were requested, but all rows are used",
                message!("use bootstrap or subsample with ", setting::STRATIFY),
            ));
        }
        Ok(())
    }

    /// The settings that go with a way of splitting: the defaults, and for
    /// [`Splitting::Conditional`] those of `cforest_unbiased` of the R package party, which are
    /// subsamples of 63.2 % of the rows, children of at least 7 draws and 1 % of their parent's.
    pub fn for_splitting(splitting: Splitting) -> Self {
        let default = Self { splitting, ..Self::default() };
        match splitting {
            Splitting::Best | Splitting::RandomThreshold | Splitting::Multiway => default,
            Splitting::Conditional => Self {
                sampling: Sampling::Subsample,
                min_leaf_size: 7,
                min_child_fraction: 0.01,
                ..default
            },
        }
    }

    fn validate_limits(&self) -> Result<(), Error> {
        if !(0.0..0.5).contains(&self.min_child_fraction) {
            return Err(Error::bad_setting(
                setting::MIN_CHILD_FRACTION,
                message!(setting::MIN_CHILD_FRACTION.name(), " is ", self.min_child_fraction),
                "give a fraction of at least 0 and below 0.5",
            ));
        }
        if !(0.0..=0.5).contains(&self.min_weight_fraction_leaf) {
            return Err(Error::bad_setting(
                setting::MIN_WEIGHT_FRACTION_LEAF,
                message!(
                    setting::MIN_WEIGHT_FRACTION_LEAF.name(),
                    " is ",
                    self.min_weight_fraction_leaf
                ),
                "give a fraction between 0 and 0.5",
            ));
        }
        if !(0.0..f64::INFINITY).contains(&self.min_impurity_decrease) {
            return Err(Error::bad_setting(
                setting::MIN_IMPURITY_DECREASE,
                message!(setting::MIN_IMPURITY_DECREASE.name(), " is ", self.min_impurity_decrease),
                "give 0 or a larger number",
            ));
        }
        if self.min_impurity_decrease > 0.0 && self.splitting == Splitting::Conditional {
            return Err(Error::bad_setting(
                setting::MIN_IMPURITY_DECREASE,
                message!(
                    setting::MIN_IMPURITY_DECREASE.name(),
                    " was given, but conditional splitting reduces no impurity"
                ),
                message!(
                    "give ",
                    setting::MIN_CRITERION,
                    " instead, or use another way of splitting"
                ),
            ));
        }
        Ok(())
    }

    fn validate_tests(&self) -> Result<(), Error> {
        if let Some(criterion) = self.min_criterion
            && !(0.0..1.0).contains(&criterion)
        {
            return Err(Error::bad_setting(
                setting::MIN_CRITERION,
                message!(setting::MIN_CRITERION.name(), " is ", criterion),
                "give a number of at least 0 and below 1, for example 0.95",
            ));
        }
        let given = [
            (setting::MIN_CRITERION, self.min_criterion.is_some()),
            (setting::P_VALUES, self.p_values.is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some(&(setting, _)) if self.splitting != Splitting::Conditional => {
                Err(Error::bad_setting(
                    setting,
                    message!(
                        setting.name(),
                        " was given, but only conditional splitting tests variables"
                    ),
                    message!("use conditional splitting, or leave out ", setting),
                ))
            }
            _ => Ok(()),
        }
    }
}
