//! The measures: what each one computes stands in a file of its own, in the folder of its family.
//!
//! A measure is a fold over the trees of a forest, or looks at all trees at once. To add one, write
//! its file, which implements `MeasureDef` (`definition/`), and name it in the list below. What the
//! measures of a family share stands in its `kernel/`, what families share in `kernel/` here.

mod check;
pub(crate) mod definition;
pub(crate) mod kernel;
pub(crate) mod names;

pub use crate::loss::Loss;
pub(crate) use crate::pass::Subject;
pub use definition::{
    ClassMeaning, CostClass, MeasureInfo, MeasureOption, MeasureSettings, Normalise, Part,
    Permutations, Reference, Requirement, RowAggregate, Scale, references,
};
pub(crate) use definition::{
    KeptAltered, MeasureDef, OverTrees, TreeShape, check_background, check_loss, check_means,
    check_one_target, check_shares, not_offered,
};
pub(crate) use impurity::kernel::mirrored_null::{ColumnType, p_values as mirrored_p_values};
pub(crate) use impurity::kernel::node_terms::check_impurity;
pub(crate) use permutation::kernel::test_loss::MOST_AT_A_TIME;
#[doc(hidden)] // For `work`.
pub use projection::kernel::masking::{compared_trees, is_comparable, smaller_mtry};

use crate::setting;
use std::str::FromStr;

use serde::Serialize;

use crate::error::Error;
use crate::forest::{Forest, ForestConfig};
use crate::pass::Plan;

/// Background rows of Shapley values, unless another number is given.
pub(crate) const BACKGROUND: usize = 100;

macro_rules! measures {
    ($($(#[$doc:meta])* $family:ident $(($kernel:ident))? { $($module:ident => $variant:ident),* $(,)? })*) => {
        $($(#[$doc])* pub(crate) mod $family {
            $(pub(in crate::measure) mod $kernel;)?
            $(pub(crate) mod $module;)*
        })*

        /// The measures by name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum MeasureId {
            $($(#[doc = concat!("`", stringify!($module), "`")] $variant,)*)*
        }

        impl MeasureId {
            /// All measures, by family.
            pub const ALL: &'static [Self] = &[$($(Self::$variant),*),*];

            /// What the measure is.
            ///
            /// ```
            /// use wald::MeasureId;
            /// use wald::measure::CostClass;
            ///
            /// let cheap = |id: &&MeasureId| id.info().effort == CostClass::Pass;
            /// for id in MeasureId::ALL.iter().filter(cheap) {
            ///     let info = id.info();
            ///     println!("{}: {} ({})", info.id, info.name, info.source);
            /// }
            /// assert_eq!(MeasureId::Mdi.info().aliases[0], "gini");
            /// assert!(MeasureId::MinimalDepth.info().small_is_important);
            /// ```
            pub fn info(self) -> &'static MeasureInfo {
                match self { $($(Self::$variant => &$family::$module::Definition::INFO),*),* }
            }

            fn plan(
                self,
                settings: &MeasureSettings,
                subject: Subject<'_>,
            ) -> Result<Plan, Error> {
                match self {
                    $($(Self::$variant => $family::$module::Definition::plan(settings, subject)),*),*
                }
            }

            fn altered(self, settings: &MeasureSettings) -> Option<KeptAltered> {
                match self {
                    $($(Self::$variant => $family::$module::Definition::altered(settings)),*),*
                }
            }

            /// Bytes that it keeps of all trees besides altered predictions.
            pub(crate) fn kept_bytes(self, tree: &TreeShape, n_trees: f64) -> f64 {
                match self {
                    $($(Self::$variant => $family::$module::Definition::kept_bytes(tree, n_trees)),*),*
                }
            }

            /// Bytes that a thread needs while it explains rows by one tree, besides what all
            /// measures need.
            pub(crate) fn thread_bytes(self, tree: &TreeShape) -> f64 {
                match self {
                    $($(Self::$variant => $family::$module::Definition::thread_bytes(tree)),*),*
                }
            }
        }
    };
}

measures! {
    /// Decreases in impurity.
    impurity(kernel) {
        mdi => Mdi,
        mdi_oob => MdiOob,
        mdi_oob_uncentred => MdiOobUncentred,
        mdi_oob_naive => MdiOobNaive,
        mdi_oob_naive_in_bag_added => MdiOobNaiveInBagAdded,
        ufi => Ufi,
        air => Air,
        mdi_plus => MdiPlus,
    }
    /// Losses after values were permuted.
    permutation(kernel) {
        mda_breiman_cutler => MdaBreimanCutler,
        mda_ishwaran_kogalur => MdaIshwaranKogalur,
        mda_random_split => MdaRandomSplit,
        mda_train_test => MdaTrainTest,
        conditional_permutation => ConditionalPermutation,
        total_sobol_full => TotalSobolFull,
    }
    /// What is explained without a variable: projected trees, and trees that are grown again.
    projection(kernel) {
        sobol_mda => SobolMda,
        sobol_first => SobolFirst,
        sobol_mda_lundberg => SobolMdaLundberg,
        total_sobol_regrow => TotalSobolRegrow,
        total_sobol_retrain => TotalSobolRetrain,
        distribution_retrain => DistributionRetrain,
        shapley_effects => ShapleyEffects,
    }
    /// Shapley values of predictions and of losses.
    shapley(kernel) {
        tree_shap => TreeShap,
        tree_shap_interventional => TreeShapInterventional,
        tree_shap_loss => TreeShapLoss,
        tree_shap_oob => TreeShapOob,
        tree_shap_oob_covariance => TreeShapOobCovariance,
        sage => Sage,
    }
    /// Where trees split.
    structure {
        split_count => SplitCount,
        minimal_depth => MinimalDepth,
        depth_weighted_splits => DepthWeightedSplits,
    }
}

/// A measure with its settings.
///
/// ```
/// use wald::measure::{MeasureSettings, Normalise};
/// use wald::{Measure, MeasureId};
///
/// let by_name: Measure = "sobol_mda".parse()?;
/// let by_id = Measure::from(MeasureId::SobolMda);
/// assert_eq!(by_name, by_id); // both with default settings
///
/// let settings = MeasureSettings { normalise: Normalise::Sum, ..MeasureSettings::default() };
/// let as_shares = Measure::new(MeasureId::Mdi, settings)?; // shares that sum to 1
/// assert_eq!(as_shares.id(), MeasureId::Mdi);
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    id: MeasureId,
    settings: MeasureSettings,
}

impl MeasureId {
    /// The measure of that name or alias; dashes and underscores are equal.
    ///
    /// ```
    /// use wald::MeasureId;
    ///
    /// assert_eq!(MeasureId::parse("sobol-mda"), Some(MeasureId::SobolMda));
    /// assert_eq!(MeasureId::parse("gini"), Some(MeasureId::Mdi)); // an alias
    /// assert_eq!(MeasureId::parse("no such measure"), None);
    /// ```
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.replace('-', "_");
        let is_named =
            |info: &MeasureInfo| info.id == name || info.aliases.contains(&name.as_str());
        Self::ALL.iter().copied().find(|measure| is_named(measure.info()))
    }

    /// The measures that a forest allows, given rows that it never saw where they look at such.
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{Forest, ForestConfig, MeasureId, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 3, ..ForestConfig::default() };
    /// let forest = Forest::grow(&data, &config, &Run::all())?;
    /// assert_eq!(MeasureId::allowed_by(&forest), MeasureId::ALL); // wald's own forest: all of them
    /// # Ok::<(), wald::Error>(())
    /// ```
    pub fn allowed_by(forest: &Forest) -> Vec<Self> {
        let settings = MeasureSettings::default();
        let mut allowed = Self::where_met(|needs| needs.unmet(forest, &settings).is_none());
        allowed.retain(|id| id.info().unmet_by_targets(forest, &settings).is_none());
        allowed
    }

    /// The measures that a forest will allow when it is grown.
    pub fn allowed_when_grown(config: &ForestConfig) -> Vec<Self> {
        let settings = MeasureSettings::default();
        Self::where_met(|needs| needs.unmet_when_grown(config, &settings).is_none())
    }

    fn where_met(is_met: impl Fn(Requirement) -> bool) -> Vec<Self> {
        let is_met = |&needs: &Requirement| needs == Requirement::TestRows || is_met(needs);
        let all = Self::ALL.iter().copied();
        all.filter(|id| id.info().needs.iter().all(is_met)).collect()
    }
}

impl From<MeasureId> for Measure {
    /// The measure with default settings.
    fn from(id: MeasureId) -> Self {
        Self { id, settings: MeasureSettings::default() }
    }
}

impl FromStr for Measure {
    type Err = Error;

    /// The measure of that name or alias, with default settings.
    fn from_str(name: &str) -> Result<Self, Error> {
        let unknown = || {
            Error::bad_setting(
                setting::MEASURE,
                format!("there is no measure {name:?}"),
                MeasureId::suggestion(name),
            )
        };
        MeasureId::parse(name).map(Self::from).ok_or_else(unknown)
    }
}

impl Measure {
    /// Joins a measure with settings.
    ///
    /// ```
    /// use wald::measure::MeasureSettings;
    /// use wald::{Measure, MeasureId};
    ///
    /// let by_degree = MeasureSettings { by_degree: true, ..MeasureSettings::default() };
    /// assert!(Measure::new(MeasureId::Mdi, by_degree.clone()).is_ok());
    /// let refused = Measure::new(MeasureId::SplitCount, by_degree).unwrap_err();
    /// assert_eq!(refused.to_string(), "measure `split_count` does not offer `by_degree`");
    /// ```
    ///
    /// # Errors
    /// [`Error::Measure`] for a setting or a normalisation that the measure does not offer, and
    /// [`Error::Setting`] for a value outside its range and for settings that exclude each other: a
    /// precision and a number of samples, two kinds of background rows, random permutations in which
    /// no row receives its own value, the area under the curve by class. Test rows are accepted by all
    /// measures, and losses are checked when the task is known.
    pub fn new(id: MeasureId, settings: MeasureSettings) -> Result<Self, Error> {
        let info = id.info();
        settings.check(info)?;
        Ok(Self { id, settings })
    }

    /// Which measure it is.
    pub fn id(&self) -> MeasureId {
        self.id
    }

    /// Its settings.
    pub fn settings(&self) -> &MeasureSettings {
        &self.settings
    }

    /// The same measure where some trees and rows stand for all, if it can be computed so.
    #[must_use]
    pub fn with_part(&self, part: Part) -> Self {
        let settings = MeasureSettings { part: Some(part), ..self.settings.clone() };
        Self { id: self.id, settings }
    }

    /// The same measure with another seed for what it draws at random.
    #[must_use]
    pub(crate) fn with_seed(&self, seed: u64) -> Self {
        let settings = MeasureSettings { seed, ..self.settings.clone() };
        Self { id: self.id, settings }
    }

    /// True when all trees must be there at once.
    pub fn needs_trees(&self) -> bool {
        let info = self.id.info();
        info.needs_test_rows() || info.facts.needs_all_trees
    }

    /// True when it explains row after row by all trees.
    pub(crate) fn explains_rows(&self) -> bool {
        self.id.info().facts.explains_rows
    }

    /// What the measure keeps of altered predictions while it passes over trees, if anything.
    pub(crate) fn keeps_altered(&self) -> Option<KeptAltered> {
        self.id.altered(&self.settings)
    }

    /// Of how many rows the measure copies all codes for every tree.
    pub(crate) fn n_rows_copied(&self, out_of_bag: f64, all: f64) -> f64 {
        self.id.info().facts.copies.n_rows(out_of_bag, all)
    }

    pub(crate) fn plan(&self, subject: Subject<'_>) -> Result<Plan, Error> {
        self.check(subject.forest)?;
        self.check_rows(subject.data)?;
        self.check_bags(subject.forest, subject.data)?;
        self.settings.check_trees(subject.n_trees)?;
        self.id.plan(&self.settings, subject)
    }
}
