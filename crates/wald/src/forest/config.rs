//! How a forest is grown.

use crate::message;
use crate::message::Setting;
use crate::setting;
use serde::{Deserialize, Serialize};

use crate::data::{Dataset, Features, MOST_BINS};
use crate::error::Error;
use crate::forest::trends::{Trend, Trends};
use crate::forest::ways::{ClassWeight, ConstantDraws, Impurity, PValues, Sampling, Splitting};
use crate::options::settings;

settings! {
    /// Settings of a forest. `ForestConfig::default()` follows ranger's defaults.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    ForestConfig,
    /// Settings of a forest that users give by name.
    ForestOption,
    options {
        /// Number of trees
        Trees("N", "500", "trees") = n_trees: usize = 500;
        /// Variables tried at each node
        Mtry("N", "square root of their number; 5 for conditional splitting")
            = mtry: Option<usize> = None;
        /// Split only nodes with more draws than this
        MinNodeSize("N", "5 for regression (1 for absolute errors), 1 for classification and multiway \
                          splitting, 19 for conditional splitting") = min_node_size: Option<usize> = None;
        /// Minimum number of draws in a child
        MinLeafSize("N", "1; 7 for conditional splitting") = min_leaf_size: usize = 1;
        /// Maximum depth of a leaf; the root has depth 0
        MaxDepth("N", "no limit") = max_depth: Option<usize> = None;
        /// Rows of a tree: bootstrap, subsample or all
        Sampling("HOW", "bootstrap; subsample for conditional splitting")
            = sampling: Sampling = Sampling::Bootstrap;
        /// Number of draws as a fraction of the rows
        SampleFraction("SHARE", "1 for bootstrap, 0.632 for subsample")
            = sample_fraction: Option<f64> = None;
        /// Draw the same number of rows from every class
        Stratify("", "") = stratify: bool = false;
        /// How a node is split: best, random-threshold (Extra-Trees; with all rows as originally
        /// published, with mtry 1 for totally randomized trees), multiway (a child per level) or
        /// conditional (the most significant variable: conditional inference trees, as party's
        /// cforest)
        Splitting("HOW", "best") = splitting: Splitting = Splitting::Best;
        /// Also split pure nodes, until no variable divides them; multiway only
        SplitPure("", "") = split_pure: bool = false;
        /// Number of variables drawn for each tree (random subspace)
        Subspace("N", "all") = subspace: Option<usize> = None;
        /// Impurity that splits reduce: variance, gini, entropy, poisson (half the deviance of counts)
        /// or absolute-error (nodes predict medians)
        Impurity("WHAT", "variance or gini") = impurity: Option<Impurity> = None;
        /// Split only if 1 - p of the selected variable exceeds this; conditional only
        MinCriterion("P", "0") = min_criterion: Option<f64> = None;
        /// P-values of variables: univariate, or bonferroni-corrected for the variables tried at a
        /// node; conditional only
        PValues("WHICH", "univariate") = p_values: Option<PValues> = None;
        /// Minimum share of the parent's draws in a child
        MinChildFraction("SHARE", "0; 0.01 for conditional splitting")
            = min_child_fraction: f64 = 0.0;
        /// Minimum share of the tree's weight in a child (case weights summed over draws)
        MinWeightFractionLeaf("SHARE", "0") = min_weight_fraction_leaf: f64 = 0.0;
        /// Minimum decrease in impurity of a split, weighted by the node's share of the tree's weight;
        /// not for conditional splitting
        MinImpurityDecrease("NUMBER", "0") = min_impurity_decrease: f64 = 0.0;
        /// Probability that a node tries only one variable
        MtryOneProbability("P", "0") = mtry_one_probability: f64 = 0.0;
        /// Seed of all random numbers
        Seed("SEED", "0") = seed: u64 = 0;
        // Fields after this line are missing in older files, whose forests have the default of today;
        // see `store.rs`.
        /// If all variables drawn at a node are constant: leaf, as in ranger, or search further
        /// variables, as in scikit-learn; best splitting only
        ConstantDraws("HOW", "leaf") = constant_draws: ConstantDraws = ConstantDraws::Leaf;
        /// Approximate splits for tables of millions of rows: the values of a numeric variable in at
        /// most so many bins (2 to 255) of about as many rows each, finer at both ends; best splitting only
        MaxBins("N", "every value on its own") = max_bins: Option<usize> = None;
        /// Trees of this seed that are left out before the first one, because they are grown elsewhere:
        /// merged, the forests are one
        FirstTree("N", "0") = first_tree: usize = 0;
        /// Most leaves of a tree: of all leaves that can be split, the one whose split decreases the
        /// impurity most is split first. Trees are grown to the end before, so that this saves no time
        MaxLeafNodes("N", "no limit") = max_leaf_nodes: Option<usize> = None;
        /// Minimal cost-complexity pruning: branches stay only if they decrease the impurity by more
        /// than this for each leaf that they add, weighted by the share of the tree's weight
        CcpAlpha("NUMBER", "0") = ccp_alpha: f64 = 0.0;
        /// What draws of classes weigh: equal, or balanced-subsample (in every tree, draws / (classes
        /// * draws of the class), so that all classes have the same weight); classification only
        ClassWeight("HOW", "equal") = class_weight: ClassWeight = ClassWeight::Equal;
    }
    shared {
        /// Variables with which predictions must not decrease (of two classes, the probability of the
        /// second one); splits that would break this are not made. Best and random-threshold splitting
        Increasing("none", "increasing") = monotonic[Trend::Increasing];
        /// Variables with which predictions must not increase
        Decreasing("none", "decreasing") = monotonic[Trend::Decreasing];
    }
    others {
        /// In which direction predictions may change with which variables: what `increasing` and
        /// `decreasing` name. A missing value of such a variable is neither small nor large: predictions
        /// keep to the direction among values.
        monotonic: Trends = Trends::default();
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

    /// The same for some of the columns, with `mtry` and `subspace` as far as there are so many.
    #[must_use]
    pub(crate) fn on_columns(&self, columns: &Features, seed: u64) -> Self {
        let n_columns = columns.n_columns();
        let subspace = self.subspace.map(|subspace| subspace.min(n_columns));
        let most = subspace.unwrap_or(n_columns);
        let mtry = self.mtry.map(|mtry| mtry.min(most));
        let monotonic = self.monotonic.on(columns, |name| name);
        Self { mtry, subspace, seed, monotonic, ..self.clone() }
    }

    /// The same for the columns of a table and their shadows, which are to be exchangeable: shadows
    /// have the trends of what they show.
    #[must_use]
    pub(crate) fn on_shadows(&self, of: &Dataset, both: &Dataset, seed: u64) -> Self {
        let columns = both.features();
        let monotonic = self.monotonic.on(columns, of.shown_by_shadows());
        Self { monotonic, ..self.on_columns(columns, seed) }
    }

    /// Whether trees are pruned after they were grown.
    pub(crate) fn prunes(&self) -> bool {
        self.max_leaf_nodes.is_some() || self.ccp_alpha > 0.0
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
        at_least_one(self.mtry, setting::MTRY)?;
        at_least_one(self.min_node_size, setting::MIN_NODE_SIZE)?;
        at_least_one(Some(self.min_leaf_size), setting::MIN_LEAF_SIZE)?;
        at_least_one(self.max_depth, setting::MAX_DEPTH)?;
        at_least_one(self.subspace, setting::SUBSPACE)?;
        if let Some(most @ (0 | 1)) = self.max_leaf_nodes {
            return Err(Error::bad_setting(
                setting::MAX_LEAF_NODES,
                message!(setting::MAX_LEAF_NODES.name(), " is ", most),
                "give a whole number of 2 or more",
            ));
        }
        let n_trees = self.n_trees.saturating_add(self.first_tree);
        if n_trees > MOST_TREES {
            return Err(Error::too_large(
                format!("{n_trees} trees were requested; at most {MOST_TREES} are possible"),
                "a few thousand trees are enough for stable rankings",
            ));
        }
        if let Some(fraction) = self.sample_fraction {
            let most = if self.sampling == Sampling::Bootstrap { MOST_DRAWS_OF_A_ROW } else { 1.0 };
            if !(fraction > 0.0 && fraction <= most) {
                return Err(Error::bad_setting(
                    setting::SAMPLE_FRACTION,
                    message!(setting::SAMPLE_FRACTION.name(), " is ", fraction),
                    format!("give a number above 0 and at most {most}"),
                ));
            }
            if self.sampling == Sampling::All {
                return Err(Error::bad_setting(
                    setting::SAMPLE_FRACTION,
                    message!(setting::SAMPLE_FRACTION.name(), " was given, but all rows are used"),
                    message!(
                        "leave out ",
                        setting::SAMPLE_FRACTION,
                        " or ",
                        setting::SAMPLING.word("all")
                    ),
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
        self.validate_bins()?;
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
        if !(0.0..f64::INFINITY).contains(&self.ccp_alpha) {
            return Err(Error::bad_setting(
                setting::CCP_ALPHA,
                message!(setting::CCP_ALPHA.name(), " is ", self.ccp_alpha),
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

    fn validate_bins(&self) -> Result<(), Error> {
        let Some(most) = self.max_bins else { return Ok(()) };
        if !(2..=MOST_BINS).contains(&most) {
            return Err(Error::bad_setting(
                setting::MAX_BINS,
                message!(setting::MAX_BINS.name(), " is ", most),
                message!(
                    "give a whole number between 2 and ",
                    MOST_BINS,
                    ", or leave out ",
                    setting::MAX_BINS,
                    " for exact splits"
                ),
            ));
        }
        if self.splitting != Splitting::Best {
            return Err(Error::bad_setting(
                setting::MAX_BINS,
                message!(setting::MAX_BINS.name(), " was given, but only best splitting has bins"),
                message!("leave out ", setting::MAX_BINS, " or ", setting::SPLITTING),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Target};

    #[test]
    fn settings_shrink_with_the_columns() {
        let asked = ForestConfig { mtry: Some(5), subspace: Some(8), ..ForestConfig::default() };
        let columns = |n: usize| {
            let column = |at| Column::numeric(format!("x{at}"), vec![0.0]).expect("a number");
            Features::new((0..n).map(column).collect()).expect("names differ")
        };
        let config = |n| {
            let config = asked.on_columns(&columns(n), 3);
            (config.mtry, config.subspace)
        };
        assert_eq!(config(20), (Some(5), Some(8)));
        assert_eq!(config(6), (Some(5), Some(6)));
        assert_eq!(config(2), (Some(2), Some(2)));
        let asked = ForestConfig { subspace: None, mtry: None, ..asked };
        assert_eq!(asked.on_columns(&columns(2), 0).mtry, None);
    }

    #[test]
    fn trends_are_those_of_the_columns_that_are_there_and_of_their_shadows() {
        let column = |name| Column::numeric(name, vec![0.0, 1.0]).expect("finite");
        let target = Target::regression("y", vec![1.0, 2.0]).expect("finite");
        let data = Dataset::new(vec![column("a"), column("b")], target).expect("consistent");
        let config = ForestConfig {
            monotonic: [("a", Trend::Increasing), ("gone", Trend::Decreasing)]
                .into_iter()
                .collect(),
            ..ForestConfig::default()
        };
        let trends = |config: ForestConfig| -> Vec<(String, Trend)> {
            config.monotonic.iter().map(|(name, trend)| (name.to_owned(), trend)).collect()
        };
        let own = ("a".to_owned(), Trend::Increasing);
        assert_eq!(trends(config.on_columns(data.features(), 0)), std::slice::from_ref(&own));
        let both = data.with_common_shadows(&[1, 0]).expect("shadows");
        let shadow = ("shadow of a".to_owned(), Trend::Increasing);
        assert_eq!(trends(config.on_shadows(&data, &both, 0)), [own, shadow]);
    }
}
