//! How a forest is grown.

use serde::{Deserialize, Serialize};

use crate::data::{Dataset, Task};
use crate::error::Error;

/// Settings of a forest. `ForestConfig::default()` follows ranger's defaults.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ForestConfig {
    /// Number of trees, M.
    pub n_trees: usize,
    /// Variables tried at each node; `None` for floor(sqrt(p)).
    pub mtry: Option<usize>,
    /// A node splits only if it holds more draws than this; `None` for 5 (regression) or 1.
    pub min_node_size: Option<usize>,
    /// A child holds at least this many draws.
    pub min_leaf_size: usize,
    /// Deepest level of a leaf, the root being level 0; `None` for no limit.
    pub max_depth: Option<usize>,
    /// Which rows a tree is grown on.
    pub sampling: Sampling,
    /// Draws per row of the table; `None` for 1 (bootstrap) or 0.632 (subsample).
    pub sample_fraction: Option<f64>,
    /// Draw equally many rows of every class.
    pub stratify: bool,
    /// How a node is split.
    pub splitting: Splitting,
    /// What a split reduces; `None` for variance (regression) or Gini (classification).
    pub impurity: Option<Impurity>,
    /// A child holds at least this fraction of its parent's draws: gamma of Benard's (A2').
    pub min_child_fraction: f64,
    /// Probability that a node tries one variable only: delta of Benard's (A2').
    pub mtry_one_probability: f64,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// Which rows a tree is grown on.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Splitting {
    /// The best of all thresholds (CART).
    Best,
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
            impurity: None,
            min_child_fraction: 0.0,
            mtry_one_probability: 0.0,
            seed: 0,
        }
    }
}

/// A [`ForestConfig`] whose defaults were filled in for a data set and whose ranges hold.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    pub(crate) mtry: usize,
    pub(crate) min_node_size: usize,
    pub(crate) min_leaf_size: usize,
    pub(crate) max_depth: usize,
    pub(crate) sampling: Sampling,
    pub(crate) sample_fraction: f64,
    pub(crate) stratify: bool,
    pub(crate) impurity: Impurity,
    pub(crate) min_child_fraction: f64,
    pub(crate) mtry_one_probability: f64,
    pub(crate) seed: u64,
}

const MOST_TREES: usize = 10_000_000;

impl ForestConfig {
    /// Checks the ranges that do not depend on the data.
    ///
    /// # Errors
    /// [`Error::Setting`] for a value outside its range.
    pub fn validate(&self) -> Result<(), Error> {
        let at_least_one = |value: Option<usize>, name: &str| match value {
            Some(0) => {
                Err(Error::setting(format!("{name} is 0"), "give a whole number of 1 or more"))
            }
            _ => Ok(()),
        };
        at_least_one(Some(self.n_trees), "the number of trees")?;
        at_least_one(self.mtry, "mtry")?;
        at_least_one(self.min_node_size, "min_node_size")?;
        at_least_one(Some(self.min_leaf_size), "min_leaf_size")?;
        at_least_one(self.max_depth, "max_depth")?;
        if self.n_trees > MOST_TREES {
            return Err(Error::TooLarge {
                what: format!(
                    "{} trees were asked for; at most {MOST_TREES} are possible",
                    self.n_trees
                ),
                help: "a few thousand trees are enough for stable rankings".to_owned(),
            });
        }
        if let Some(fraction) = self.sample_fraction {
            if !(fraction > 0.0 && fraction <= 1.0) {
                return Err(Error::setting(
                    format!("the sample fraction is {fraction}"),
                    "give a sample fraction above 0 and at most 1",
                ));
            }
            if self.sampling == Sampling::All {
                return Err(Error::setting(
                    "a sample fraction was given, but all rows are used",
                    "leave one of the two settings out",
                ));
            }
        }
        if !(0.0..0.5).contains(&self.min_child_fraction) {
            return Err(Error::setting(
                format!("min_child_fraction is {}", self.min_child_fraction),
                "give a fraction of at least 0 and below 0.5",
            ));
        }
        if !(0.0..=1.0).contains(&self.mtry_one_probability) {
            return Err(Error::setting(
                format!("mtry_one_probability is {}", self.mtry_one_probability),
                "give a probability between 0 and 1",
            ));
        }
        if self.stratify && self.sampling == Sampling::All {
            return Err(Error::setting(
                "stratified draws were asked for, but all rows are used",
                "use bootstrap or subsample with stratify",
            ));
        }
        Ok(())
    }

    pub(crate) fn resolve(&self, data: &Dataset) -> Result<Settings, Error> {
        self.validate()?;
        let task = data.target().task();
        let p = data.n_features();
        let mtry = self.mtry.unwrap_or_else(|| p.isqrt().max(1));
        if mtry > p {
            return Err(Error::setting(
                format!("mtry is {mtry}, but there are {p} input variables"),
                format!("give an mtry between 1 and {p}"),
            ));
        }
        if self.stratify && task == Task::Regression {
            return Err(Error::setting(
                "stratified draws need classes, but the target is a number",
                "leave out stratify, or use classification",
            ));
        }
        if self.stratify && data.clusters().is_some() {
            return Err(Error::setting(
                "stratified draws and clusters exclude each other",
                "leave out one of the two settings",
            ));
        }
        let fits = match self.impurity {
            None => true,
            Some(Impurity::Variance) => task == Task::Regression,
            Some(Impurity::Gini | Impurity::Entropy) => task == Task::Classification,
        };
        if !fits {
            return Err(Error::setting(
                "the impurity does not fit the target",
                "use variance for a number, gini or entropy for classes",
            ));
        }
        let (impurity, min_node_size) = match task {
            Task::Regression => (Impurity::Variance, 5),
            Task::Classification => (Impurity::Gini, 1),
        };
        Ok(Settings {
            mtry,
            min_node_size: self.min_node_size.unwrap_or(min_node_size),
            min_leaf_size: self.min_leaf_size,
            max_depth: self.max_depth.unwrap_or(usize::MAX),
            sampling: self.sampling,
            sample_fraction: self.sample_fraction.unwrap_or(match self.sampling {
                Sampling::Subsample => 0.632,
                Sampling::Bootstrap | Sampling::All => 1.0,
            }),
            stratify: self.stratify,
            impurity: self.impurity.unwrap_or(impurity),
            min_child_fraction: self.min_child_fraction,
            mtry_one_probability: self.mtry_one_probability,
            seed: self.seed,
        })
    }
}

impl Settings {
    /// Draws a child must hold when its parent holds `draws`.
    pub(crate) fn least_draws(&self, draws: f64) -> f64 {
        (self.min_leaf_size as f64).max((self.min_child_fraction * draws).ceil())
    }
}

impl Impurity {
    /// The word users type.
    pub fn id(self) -> &'static str {
        match self {
            Self::Variance => "variance",
            Self::Gini => "gini",
            Self::Entropy => "entropy",
        }
    }

    /// The impurity of class proportions; Gini and entropy only.
    pub(crate) fn of_proportions(self, proportions: &[f64]) -> f64 {
        match self {
            Self::Variance | Self::Gini => {
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
