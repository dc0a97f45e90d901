//! Local measures: what variables do to the predictions of single rows.
//!
//! A local measure writes a record of numbers for every row, or one for all. Records come in the
//! order of the rows, a few at a time, so that not all of them need to be held. To add a measure,
//! write its file (`INFO` and `plan`) and name it in the list below.

mod additive;
mod ale;
mod along_paths;
mod curves;
mod document;
mod friedman_h;
mod grid;
mod ice;
mod info;
mod layout;
mod local_mdi;
mod local_relevance;
mod mdi_oob;
mod mdi_plus;
mod names;
mod output;
mod path_sums;
mod pdp;
mod saabas;
mod settings;
mod summary;
mod training_rows;
mod tree_shap;
mod tree_shap_interactions;
mod tree_shap_interventional;
mod tree_shap_loss;

pub use grid::{Grid, GridSize, GridValues};
pub use info::ExplanationInfo;
pub(crate) use info::UNITS_OF_PREDICTION;
pub use layout::{Layout, Shape};
pub(crate) use settings::unknown_variable;
pub use settings::{ExplanationOption, ExplanationSettings};
pub use summary::{CurveSummary, MeanValue, Means};
#[doc(hidden)] // For `work`.
pub use training_rows::TrainingRows;

use serde::Serialize;

use crate::data::{Dataset, Features, Task};
use crate::error::Error;
use crate::forest::Forest;
use crate::measure::{check_loss, check_one_target};
use crate::run::{Run, Threads};

macro_rules! explanations {
    ($($module:ident => $variant:ident),* $(,)?) => {
        /// The local measures by name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum ExplanationId {
            $(#[doc = concat!("`", stringify!($module), "`")] $variant,)*
        }

        impl ExplanationId {
            /// All local measures, in the order in which they are listed.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// What the measure is.
            pub fn info(self) -> &'static ExplanationInfo {
                match self { $(Self::$variant => &$module::INFO),* }
            }

            fn plan<'a>(
                self,
                settings: &ExplanationSettings,
                subject: ToExplain<'a>,
            ) -> Result<Box<dyn Local + 'a>, Error> {
                match self { $(Self::$variant => $module::plan(settings, subject)),* }
            }
        }
    };
}

explanations! {
    ice => Ice,
    pdp => Pdp,
    ale => Ale,
    friedman_h => FriedmanH,
    local_mdi => LocalMdi,
    local_relevance => LocalRelevance,
    mdi_oob => MdiOob,
    mdi_plus => MdiPlus,
    saabas => Saabas,
    tree_shap => TreeShap,
    tree_shap_interactions => TreeShapInteractions,
    tree_shap_interventional => TreeShapInterventional,
    tree_shap_loss => TreeShapLoss,
}

impl ExplanationId {
    /// The local measure of that name; dashes and underscores are equal.
    ///
    /// ```
    /// use wald::ExplanationId;
    ///
    /// assert_eq!(ExplanationId::parse("tree-shap"), Some(ExplanationId::TreeShap));
    /// for id in ExplanationId::ALL {
    ///     println!("{}: {}", id.info().id, id.info().name);
    /// }
    /// ```
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.replace('-', "_");
        Self::ALL.iter().copied().find(|measure| measure.info().id == name)
    }
}

/// The rows to explain.
#[derive(Debug, Clone, Copy)]
pub enum Rows<'a> {
    /// Those of the training data.
    Training,
    /// Other rows; each counts once.
    Other(&'a Features),
    /// Other rows whose target is known, too.
    WithTarget(&'a Dataset),
}

impl<'a> Rows<'a> {
    /// The values of the rows.
    fn features(self, training: &'a Dataset) -> &'a Features {
        match self {
            Self::Training => training.features(),
            Self::Other(features) => features,
            Self::WithTarget(rows) => rows.features(),
        }
    }

    fn are_training(self) -> bool {
        matches!(self, Self::Training)
    }
}

/// A forest with its training data and rows, as a local measure meets them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ToExplain<'a> {
    pub(crate) forest: &'a Forest,
    pub(crate) training: &'a Dataset,
    pub(crate) rows: Rows<'a>,
}

/// Writes records; see [`Explainer::run`].
pub(crate) type Sink<'a> = &'a mut (dyn FnMut(usize, &[f64]) + Send);

/// A local measure that is ready to explain rows.
pub(crate) trait Local: Send + Sync {
    fn layout(&self) -> &Layout;

    /// What values are counted from, one number per output, where they add up to predictions.
    fn expected_value(&self) -> Option<&[f64]> {
        None
    }

    /// Whether values, and what they are counted from, add up to predictions.
    fn adds_up(&self) -> bool {
        false
    }

    /// What to know of the values before they are read.
    fn note(&self) -> Option<&'static str> {
        None
    }

    /// Bytes that are held besides the records while rows are explained, where they are many.
    fn working_bytes(&self, _threads: Threads) -> u64 {
        0
    }

    fn run(&self, run: &Run, each: Sink<'_>) -> Result<(), Error>;
}

/// A local measure of a forest that is ready to explain rows.
pub struct Explainer<'a> {
    measure: Box<dyn Local + 'a>,
    notes: Vec<String>,
}

impl std::fmt::Debug for Explainer<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Explainer").field(self.layout()).finish()
    }
}

impl Forest {
    /// Prepares a local measure of rows.
    ///
    /// ```
    /// use wald::explain::Rows;
    /// use wald::simulate::Friedman1;
    /// use wald::{ExplanationId, ExplanationSettings, Forest, ForestConfig, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let new_rows = Friedman1::default().draw(5, 2)?;
    /// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let forest = Forest::grow(&data, &config, &Run::all())?;
    /// let settings = ExplanationSettings::default();
    /// let rows = Rows::Other(new_rows.features());
    /// let explainer = forest.explainer(&data, rows, ExplanationId::Saabas, &settings)?;
    /// assert_eq!(explainer.layout().n_rows, 5);
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Data`] when the rows do not fit, [`Error::Setting`] when a setting is out of range
    /// or names an unknown variable, and [`Error::Measure`] when the measure does not apply or does not
    /// read a setting that is given.
    pub fn explainer<'a>(
        &'a self,
        training: &'a Dataset,
        rows: Rows<'a>,
        id: ExplanationId,
        settings: &ExplanationSettings,
    ) -> Result<Explainer<'a>, Error> {
        let info = id.info();
        settings.validate()?;
        settings.check_offered(info)?;
        let losses = match self.task() {
            Task::Regression => info.regression_losses,
            Task::Classification => info.classification_losses,
        };
        check_loss(info.id, losses, settings.loss)?;
        check_one_target(info.id, self)?;
        let measure = id.plan(settings, ToExplain { forest: self, training, rows })?;
        let of_background = settings.background_wanted().note_on_fewer(training);
        let notes = measure.note().map(str::to_owned).into_iter().chain(of_background).collect();
        Ok(Explainer { measure, notes })
    }
}

impl Explainer<'_> {
    /// What the records hold.
    pub fn layout(&self) -> &Layout {
        self.measure.layout()
    }

    /// What the values of every row are counted from, one number per output: with it they add up to
    /// the prediction of the forest. `None` where values do not add up, or only to what trees of
    /// their own predict.
    pub fn expected_value(&self) -> Option<&[f64]> {
        self.measure.expected_value()
    }

    /// Whether the values of a row, and what they are counted from, add up to its prediction by the
    /// trees that explain it.
    pub fn adds_up(&self) -> bool {
        self.measure.adds_up()
    }

    /// What to know of the values before they are read, in words: that losses are those of rows that trees
    /// have seen, and that there are fewer background rows than were wanted.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// About how many bytes are held while rows are explained, besides forest, tables and records; 0
    /// where that is little beside them.
    pub fn working_bytes(&self, threads: Threads) -> u64 {
        self.measure.working_bytes(threads)
    }

    /// Explains all rows: calls `each` with the row and its record, in the order of the rows. A
    /// number that is not defined is NaN: where a row was in the bag of every tree that counts.
    ///
    /// # Errors
    /// [`Error::Cancelled`], and [`Error::Inconsistent`] should values that add up to predictions
    /// not do so.
    pub fn run(&self, run: &Run, mut each: impl FnMut(usize, &[f64]) + Send) -> Result<(), Error> {
        self.measure.run(run, &mut each)
    }
}
