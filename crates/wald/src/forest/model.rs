//! A forest: trees, and the variables that they split on.

use crate::data::Task;
use crate::forest::config::ForestConfig;
use crate::forest::info::{Aggregation, FeatureInfo, TargetInfo};
use crate::forest::sample::Bag;
use crate::forest::tree::Tree;
use crate::forest::ways::{ClassWeight, Impurity};

/// Trees together with the names they speak of.
///
/// Two forests are equal where their trees, bags and settings are, whether or not it is known on which tables
/// they were grown.
#[derive(Debug, Clone)]
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
    /// The number of variables that were tried at a node, where the file of a foreign forest has it.
    pub(crate) mtry: Option<usize>,
    /// A hash of the table that it was grown on, row by row; `None` for a foreign forest, and for files of
    /// earlier versions.
    pub(crate) table: Option<[u8; blake3::OUT_LEN]>,
}

impl PartialEq for Forest {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            features,
            target,
            trees,
            bags,
            aggregation,
            float32_inputs,
            impurity,
            config,
            mtry,
            table: _,
        } = self;
        *features == other.features
            && *target == other.target
            && *trees == other.trees
            && *bags == other.bags
            && *aggregation == other.aggregation
            && *float32_inputs == other.float32_inputs
            && *impurity == other.impurity
            && *config == other.config
            && *mtry == other.mtry
    }
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

    /// Whether any tree has a split.
    pub(crate) fn has_splits(&self) -> bool {
        self.trees.iter().any(|tree| tree.n_leaves() > 1)
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

    /// The number of variables that were tried at a node, where the file of a foreign forest has it.
    /// That of a forest that wald grew is among [how it was grown](Self::config).
    pub fn mtry(&self) -> Option<usize> {
        self.mtry
    }

    /// The criterion of the nodes' impurities.
    pub fn impurity(&self) -> Impurity {
        self.impurity
    }

    /// What draws of classes weigh in its trees.
    pub(crate) fn class_weight(&self) -> ClassWeight {
        self.config.as_ref().map_or(ClassWeight::Equal, |config| config.class_weight)
    }

    /// A forest of the first trees of this one, at most so many.
    ///
    /// For example, to see how predictions settle as trees are added:
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{Forest, ForestConfig, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let forest = Forest::grow(&data, &config, &Run::all())?;
    /// let half = forest.first_trees(5);
    /// let few = ForestConfig { n_trees: 5, ..config };
    /// assert_eq!(half, Forest::grow(&data, &few, &Run::all())?);
    /// # Ok::<(), wald::Error>(())
    /// ```
    #[must_use]
    pub fn first_trees(&self, n_trees: usize) -> Self {
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
