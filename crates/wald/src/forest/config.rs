//! How a forest is grown.

use crate::message;
use crate::message::Setting;
use crate::setting;
use serde::{Deserialize, Serialize};

use crate::data::{ColumnData, Dataset, Task};
use crate::error::Error;
use crate::forest::settings::Settings;
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

/// Variables that `cforest_unbiased` of the R package party tries at a node.
const MTRY_OF_CONDITIONAL: usize = 5;

/// More columns than this are not named one by one.
const MOST_NAMES: usize = 8;

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

    /// The settings of a forest on a data set.
    ///
    /// # Errors
    /// [`Error::Setting`] and [`Error::Data`] when the settings do not fit the data.
    pub fn resolve(&self, data: &Dataset) -> Result<Settings, Error> {
        self.resolve_for(data, data.n_features())
    }

    /// The same for a forest that uses so many of the variables of a table.
    pub(crate) fn resolve_for(&self, data: &Dataset, p: usize) -> Result<Settings, Error> {
        self.validate()?;
        let task = data.target().task();
        let (mtry, subspace) = self.resolve_variables(p)?;
        if self.splitting == Splitting::Multiway {
            refuse_numbers(data)?;
        }
        if self.stratify && task == Task::Regression {
            return Err(Error::bad_setting(
                setting::STRATIFY,
                "stratified draws need classes, but the target is a number",
                message!("leave out ", setting::STRATIFY, ", or use classification"),
            ));
        }
        if self.stratify && data.clusters().is_some() {
            return Err(Error::bad_setting(
                setting::STRATIFY,
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
            return Err(Error::bad_setting(
                setting::IMPURITY,
                "the impurity does not fit the target",
                "use variance for a number, gini or entropy for classes",
            ));
        }
        let impurity = match task {
            Task::Regression => Impurity::Variance,
            Task::Classification => Impurity::Gini,
        };
        let min_node_size = match (self.splitting, task) {
            (Splitting::Conditional, _) => 19,
            (Splitting::Best | Splitting::RandomThreshold, Task::Regression) => 5,
            (Splitting::Multiway, _) | (_, Task::Classification) => 1,
        };
        Ok(Settings {
            mtry,
            constant_draws: self.constant_draws,
            min_node_size: self.min_node_size.unwrap_or(min_node_size),
            min_leaf_size: self.min_leaf_size,
            max_depth: self.max_depth.unwrap_or(usize::MAX),
            sampling: self.sampling,
            sample_fraction: self.sample_fraction.unwrap_or(match self.sampling {
                Sampling::Subsample => 0.632,
                Sampling::Bootstrap | Sampling::All => 1.0,
            }),
            stratify: self.stratify,
            splitting: self.splitting,
            split_pure: self.split_pure,
            subspace,
            impurity: self.impurity.unwrap_or(impurity),
            min_criterion: self.min_criterion.unwrap_or(0.0),
            p_values: self.p_values.unwrap_or(PValues::Univariate),
            min_child_fraction: self.min_child_fraction,
            min_weight_fraction_leaf: self.min_weight_fraction_leaf,
            min_impurity_decrease: self.min_impurity_decrease,
            mtry_one_probability: self.mtry_one_probability,
            seed: self.seed,
        })
    }

    /// The same settings without those that name what the data would have anyway, so that equal
    /// forests have equal files, whoever asked for them. Settings that do not fit stay.
    #[must_use]
    pub fn without_defaults(self, data: &Dataset) -> Self {
        let silent = Self {
            mtry: None,
            min_node_size: None,
            sample_fraction: None,
            impurity: None,
            ..self.clone()
        };
        let (Ok(asked), Ok(found)) = (self.resolve(data), silent.resolve(data)) else {
            return self;
        };
        Self {
            mtry: self.mtry.filter(|_| asked.mtry != found.mtry),
            min_node_size: self
                .min_node_size
                .filter(|_| asked.min_node_size != found.min_node_size),
            sample_fraction: self
                .sample_fraction
                .filter(|_| asked.sample_fraction != found.sample_fraction),
            impurity: self.impurity.filter(|_| asked.impurity != found.impurity),
            ..silent
        }
    }

    /// Variables tried at each node, and variables of each tree.
    fn resolve_variables(&self, p: usize) -> Result<(usize, usize), Error> {
        let subspace = self.subspace.unwrap_or(p);
        if subspace > p {
            return Err(Error::bad_setting(
                setting::SUBSPACE,
                format!("the subspace has {subspace} variables, but there are {p}"),
                format!("give a subspace between 1 and {p}"),
            ));
        }
        let mtry = self.mtry.unwrap_or_else(|| match self.splitting {
            Splitting::Conditional => subspace.min(MTRY_OF_CONDITIONAL),
            _ => subspace.isqrt().max(1),
        });
        if mtry <= subspace {
            return Ok((mtry, subspace));
        }
        let what = match self.subspace {
            None => format!("mtry is {mtry}, but there are {p} input variables"),
            Some(_) => format!("mtry is {mtry}, but each tree uses {subspace} variables"),
        };
        Err(Error::bad_setting(
            setting::MTRY,
            what,
            format!("give an mtry between 1 and {subspace}"),
        ))
    }
}

/// Numbers have no branches.
fn refuse_numbers(data: &Dataset) -> Result<(), Error> {
    let columns = data.features().columns().iter();
    let numbers: Vec<String> = columns
        .filter(|column| matches!(column.data(), ColumnData::Numeric(_)))
        .map(|column| format!("\"{}\"", column.name()))
        .collect();
    if numbers.is_empty() {
        return Ok(());
    }
    let n_more = numbers.len().saturating_sub(MOST_NAMES);
    let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
    let named = numbers[..numbers.len().min(MOST_NAMES)].join(", ");
    Err(Error::bad_setting(
        setting::SPLITTING,
        format!(
            "multiway splitting needs categories, but there are columns of numbers: {named}{more}"
        ),
        "read columns of few distinct values as categories, or leave columns out",
    ))
}
