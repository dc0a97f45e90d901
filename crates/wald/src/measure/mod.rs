//! The measures: what each one computes stands in a file of its own, in the folder of its family.
//!
//! A measure is a fold over the trees of a forest. To add one, write its file, which implements
//! [`MeasureDef`](definition::MeasureDef), and name it in the list below.

mod kept;
pub(crate) mod kernel;
mod names;
pub(crate) mod references;
mod requirement;
mod settings;

pub use crate::loss::Loss;
pub(crate) use crate::loss::{prediction_loss, response_in, unseen_loss, unseen_response_in};
pub(crate) use crate::pass::Subject;
pub(crate) use impurity::kernel::mirrored_null::{ColumnType, p_values as mirrored_p_values};
pub(crate) use impurity::kernel::node_terms::check_impurity;
pub(crate) use kept::KeptAltered;
pub use kernel::part::Part;
pub(crate) use permutation::kernel::test_loss::MOST_AT_A_TIME;
pub(crate) use projection::kernel::masking::smaller_mtry;
pub use references::Reference;
pub use requirement::Needs;
pub(crate) use settings::check_background;
pub use settings::{MeasureOption, MeasureSettings, Normalise, Permutations, Summary};

use serde::Serialize;

use crate::data::Task;
use crate::error::Error;
use crate::forest::{Forest, ForestConfig};
use crate::importance::DataUsed;
use crate::pass::Plan;

/// Refuses a loss that a measure does not offer for a target.
///
/// # Errors
/// [`Error::Measure`].
pub(crate) fn check_loss(
    (measure, offered): (&'static str, &[Loss]),
    loss: Option<Loss>,
) -> Result<(), Error> {
    let Some(loss) = loss.filter(|loss| !offered.contains(loss)) else { return Ok(()) };
    let names: Vec<&str> = offered.iter().map(|loss| loss.id()).collect();
    Err(Error::Measure {
        measure,
        why: format!("does not offer the loss `{}` for this target", loss.id()),
        help: match names.as_slice() {
            [] => "leave out `loss`".to_owned(),
            names => format!("use one of: {}", names.join(", ")),
        },
    })
}

/// What a measure is, in words; feeds the help, the documentation and the report.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeasureInfo {
    /// The name users type.
    pub id: &'static str,
    /// Its name in words.
    pub name: &'static str,
    /// What it estimates.
    pub estimand: &'static str,
    /// What to beware of.
    pub caveat: &'static str,
    /// Paper and equation.
    pub source: &'static str,
    /// The works to cite.
    pub references: &'static [Reference],
    /// Unit of the values.
    pub unit: &'static str,
    /// What multiplying a numeric target does to the values.
    pub scale: Scale,
    /// What it costs.
    pub cost: &'static str,
    /// What it takes besides looking at the trees.
    pub effort: Effort,
    /// Which rows it looks at.
    pub data: DataUsed,
    /// True when small values mean important.
    pub small_is_important: bool,
    /// What the forest must have besides splits.
    pub needs: &'static [Needs],
    /// Losses it can use for a number; the first is the default; empty if it has no loss.
    pub regression_losses: &'static [Loss],
    /// Losses it can use for classes; the first is the default; empty if it has no loss.
    pub classification_losses: &'static [Loss],
    /// Normalisations it offers besides none.
    pub normalisations: &'static [Normalise],
    /// Further settings it offers.
    pub options: &'static [MeasureOption],
}

/// What a measure takes; nobody should meet more than a pass unasked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// Looks at trees and rows.
    Pass,
    /// Sends all rows to all leaves.
    AllLeaves,
    /// Samples until its values are precise.
    Samples,
    /// Divides all rows by all trees for many sets of variables.
    Coalitions,
    /// Grows forests again.
    Refits,
}

impl Effort {
    /// Why it should be asked for by name; `None` where it need not.
    pub fn warning(self) -> Option<&'static str> {
        match self {
            Self::Pass => None,
            Self::AllLeaves => Some("sends all rows to all leaves"),
            Self::Samples => Some("samples until its values are precise"),
            Self::Coalitions => Some("projects the forest onto many sets of variables"),
            Self::Refits => Some("grows forests again"),
        }
    }
}

impl MeasureInfo {
    /// What standard errors are taken over, where there are any: what was drawn at random, and only
    /// that.
    pub fn errors_over(&self) -> &'static str {
        match (self.effort, self.data) {
            (Effort::Samples, _) => "samples of rows and orders",
            (Effort::Coalitions, _) => "trees and sets of variables",
            // The forest is given.
            (_, DataUsed::Test) => "random permutations",
            (_, DataUsed::Training | DataUsed::OutOfBag) => "trees",
        }
    }
}

/// What multiplying a numeric target does to the values of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// They change as the loss or impurity does.
    Loss,
    /// They change as the target does.
    Prediction,
    /// Nothing: they are counts, or shares of the target's variance, which a constant target
    /// has not.
    Free,
}

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
            pub fn info(self) -> &'static MeasureInfo {
                match self { $($(Self::$variant => &$family::$module::INFO),*),* }
            }

            fn plan(
                self,
                settings: &MeasureSettings,
                subject: Subject<'_>,
            ) -> Result<Plan, Error> {
                match self { $($(Self::$variant => $family::$module::plan(settings, subject)),*),* }
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
        sobol_mda_lundberg => SobolMdaLundberg,
        total_sobol_regrow => TotalSobolRegrow,
        total_sobol_retrain => TotalSobolRetrain,
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
    }
}

/// A measure with its settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    id: MeasureId,
    settings: MeasureSettings,
}

impl MeasureId {
    /// The measure of that name; dashes and underscores are equal.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.replace('-', "_");
        Self::ALL.iter().copied().find(|measure| measure.info().id == name)
    }
}

impl Measure {
    /// Joins a measure with settings.
    ///
    /// # Errors
    /// [`Error::Setting`] when the measure does not offer a setting.
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
    pub(crate) fn needs_trees(&self) -> bool {
        self.id.info().needs.contains(&Needs::TestRows)
            || self.explains_rows()
            || matches!(self.id, MeasureId::Sage | MeasureId::ShapleyEffects)
    }

    /// True when it explains row after row by all trees.
    pub(crate) fn explains_rows(&self) -> bool {
        matches!(
            self.id,
            MeasureId::TreeShap
                | MeasureId::TreeShapInterventional
                | MeasureId::TreeShapLoss
                | MeasureId::TreeShapOob
        )
    }

    /// Why the measure cannot be computed on a forest; `Ok` if it can.
    ///
    /// # Errors
    /// [`Error::Measure`] with the reason and what to do instead.
    pub fn check(&self, forest: &Forest) -> Result<(), Error> {
        let info = self.id.info();
        let refuse = |why: &str, help: &str| {
            Err(Error::Measure { measure: info.id, why: why.to_owned(), help: help.to_owned() })
        };
        let losses = match forest.task() {
            Task::Regression => info.regression_losses,
            Task::Classification => info.classification_losses,
        };
        check_loss((info.id, losses), self.settings.loss)?;
        let n_classes = forest.target().classes.as_ref().map_or(0, Vec::len);
        if self.settings.loss == Some(Loss::Auc) && n_classes != 2 {
            return refuse(
                &format!("has the loss `auc` for two classes, but the target has {n_classes}"),
                "use the loss `log`, which takes any number of classes",
            );
        }
        if self.settings.per_class && n_classes == 0 {
            return refuse(
                "has values per class where the target has classes, but it is a number",
                "leave out `per-class`",
            );
        }
        let unmet = info.needs.iter().find_map(|needs| needs.unmet(forest, &self.settings));
        unmet.map_or(Ok(()), |unmet| Err(unmet.refusal(info)))
    }

    /// Why the measure cannot be computed on a forest that is to be grown, as far as its settings
    /// tell; `Ok` if it can.
    ///
    /// # Errors
    /// [`Error::Measure`] with the reason and what to do instead.
    pub fn check_config(&self, config: &ForestConfig) -> Result<(), Error> {
        let info = self.id.info();
        let mut needs = info.needs.iter();
        let unmet = needs.find_map(|needs| needs.unmet_when_grown(config, &self.settings));
        unmet.map_or(Ok(()), |unmet| Err(unmet.refusal(info)))
    }

    pub(crate) fn plan(&self, subject: Subject<'_>) -> Result<Plan, Error> {
        self.check(subject.forest)?;
        if self.settings.blocks > subject.n_trees {
            return Err(Error::setting(
                format!("{} blocks of {} trees", self.settings.blocks, subject.n_trees),
                "give at most as many blocks as trees",
            ));
        }
        self.id.plan(&self.settings, subject)
    }
}
