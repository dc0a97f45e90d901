//! Settings that measures share.
//!
//! They are one type for all measures, because users set the same options for all of them; each
//! measure lists those that it honours.

use std::sync::Arc;
use std::time::Duration;

use crate::data::{Dataset, Features};
use crate::error::Error;
use crate::forest::Impurity;
use crate::loss::Loss;
use crate::measure::definition::{MeasureInfo, Part};
use crate::tree_shap::BackgroundWanted;

/// More random permutations than this are a mistake.
const MOST_PERMUTATIONS: u32 = 100_000;

/// More samples than this are a mistake; sampling for precision ends there.
pub(in crate::measure) const MOST_SAMPLES: usize = 1 << 20;

/// How measures compute; the default is what the documentation describes.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasureSettings {
    /// The loss; `None` for the measure's default.
    pub loss: Option<Loss>,
    /// Exact expectations or random permutations.
    pub permutations: Permutations,
    /// What values are divided by.
    pub normalise: Normalise,
    /// Variables whose test of association has 1 - p above this are conditioned on; `None` for
    /// 0.2.
    pub association: Option<f64>,
    /// The impurity of impurity measures; `None` for the forest's own.
    pub impurity: Option<Impurity>,
    /// Rows that the forest never saw, for measures that look at them.
    pub test: Option<Arc<Dataset>>,
    /// Seed of random permutations.
    pub seed: u64,
    /// Blocks of consecutive trees whose predictions are put together: 1 for the whole forest, as
    /// many as trees for every tree alone.
    pub blocks: usize,
    /// How values of rows are summed up, for measures that average local values.
    pub summary: Summary,
    /// Whether values are also given for every class: errors of its rows, impurity of its
    /// indicator.
    pub per_class: bool,
    /// Whether values are also given by degree of interaction: the number of other variables used
    /// above a split.
    pub by_degree: bool,
    /// Whether rows receive values of other rows only, never their own.
    pub exclude_self: bool,
    /// Rows over which variables that are not known are averaged, all of them; `None` for training
    /// rows drawn at random.
    pub background: Option<Arc<Features>>,
    /// How many training rows to draw for that; `None` for 512 (SAGE) or 100 (Shapley values).
    pub background_rows: Option<usize>,
    /// The largest standard error that ends sampling, as a share of the range of the values;
    /// `None` for 0.025.
    pub precision: Option<f64>,
    /// Samples to draw at least, whatever the precision: rows, each with a random order of the
    /// variables and that order backwards; every row that is drawn comes with two orders, or, where
    /// there are enough samples, with two sets of orders in which every variable stands at every
    /// place equally often. `None` to let the precision decide. For Shapley values of rows: how many
    /// rows are explained, drawn at random from more; `None` for 2000.
    pub samples: Option<usize>,
    /// The time after which no further samples are drawn, however precise the values are; `None`
    /// for no limit. Results then depend on the clock.
    pub time_budget: Option<Duration>,
    /// Trees and rows that stand for all, for measures that take part of their work from
    /// [`Measure::with_part`](crate::Measure::with_part); `None` for all.
    pub part: Option<Part>,
}

impl Default for MeasureSettings {
    fn default() -> Self {
        Self {
            loss: None,
            permutations: Permutations::default(),
            normalise: Normalise::default(),
            association: None,
            impurity: None,
            test: None,
            seed: 0,
            blocks: 1,
            summary: Summary::default(),
            per_class: false,
            by_degree: false,
            exclude_self: false,
            background: None,
            background_rows: None,
            precision: None,
            samples: None,
            time_budget: None,
            part: None,
        }
    }
}

/// Settings that only some measures offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MeasureOption {
    /// [`MeasureSettings::blocks`].
    Blocks,
    /// [`MeasureSettings::summary`].
    Summary,
    /// [`MeasureSettings::per_class`].
    PerClass,
    /// [`MeasureSettings::by_degree`].
    ByDegree,
    /// [`MeasureSettings::exclude_self`].
    ExcludeSelf,
    /// [`MeasureSettings::test`], for measures that look at training rows without it.
    TestRows,
    /// [`MeasureSettings::background`].
    Background,
    /// [`MeasureSettings::background_rows`].
    BackgroundRows,
    /// [`MeasureSettings::precision`].
    Precision,
    /// [`MeasureSettings::samples`].
    Samples,
    /// [`MeasureSettings::time_budget`].
    TimeBudget,
}

impl MeasureOption {
    /// All options.
    pub const ALL: &'static [Self] = &[
        Self::Blocks,
        Self::Summary,
        Self::PerClass,
        Self::ByDegree,
        Self::ExcludeSelf,
        Self::TestRows,
        Self::Background,
        Self::BackgroundRows,
        Self::Precision,
        Self::Samples,
        Self::TimeBudget,
    ];

    /// The word users type, after two dashes.
    pub fn id(self) -> &'static str {
        match self {
            Self::Blocks => "blocks",
            Self::Summary => "summary",
            Self::PerClass => "per-class",
            Self::ByDegree => "by-degree",
            Self::ExcludeSelf => "exclude-self",
            Self::TestRows => "test",
            Self::Background => "background",
            Self::BackgroundRows => "background-rows",
            Self::Precision => "precision",
            Self::Samples => "samples",
            Self::TimeBudget => "time-budget",
        }
    }

    /// Whether settings ask for more than the default.
    pub fn is_asked_for(self, settings: &MeasureSettings) -> bool {
        match self {
            Self::Blocks => settings.blocks != 1,
            Self::Summary => settings.summary != Summary::default(),
            Self::PerClass => settings.per_class,
            Self::ByDegree => settings.by_degree,
            Self::ExcludeSelf => settings.exclude_self,
            Self::TestRows => settings.test.is_some(),
            Self::Background => settings.background.is_some(),
            Self::BackgroundRows => settings.background_rows.is_some(),
            Self::Precision => settings.precision.is_some(),
            Self::Samples => settings.samples.is_some(),
            Self::TimeBudget => settings.time_budget.is_some(),
        }
    }
}

/// How the values of a variable are permuted.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Permutations {
    /// The expectation over all permutations, without drawing any.
    #[default]
    Exact,
    /// The mean over this many random permutations; with case weights, values are given away in
    /// proportion to them, as if rows were repeated.
    Random(u32),
    /// One given permutation per tree and variable: `[tree][variable][r]` names the
    /// out-of-bag row (by its place among the tree's out-of-bag rows in increasing order)
    /// whose value the r-th out-of-bag row receives. For measures that look at test rows,
    /// `[repeat][variable][r]` names the test row.
    Given(Arc<Vec<Vec<Vec<u32>>>>),
}

impl Permutations {
    /// How results speak of it.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Exact => "exact".to_owned(),
            Self::Random(repeats) => repeats.to_string(),
            Self::Given(_) => "given".to_owned(),
        }
    }
}

/// How the local values of a variable become one number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Summary {
    /// The mean of absolute values: how far the variable moves predictions.
    #[default]
    Absolute,
    /// The mean: which way it moves them. Of classes, whose values sum up to zero, the sum of the
    /// sizes of their means.
    Signed,
    /// The covariance with the response: how much of it the variable predicts. Over variables these
    /// sum up to the covariance of predictions with the response.
    Target,
}

impl Summary {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Absolute, Self::Signed, Self::Target];

    /// The word users type.
    pub fn id(self) -> &'static str {
        match self {
            Self::Absolute => "absolute",
            Self::Signed => "signed",
            Self::Target => "target",
        }
    }

    /// The unit of the summary of values of some unit.
    pub(crate) fn unit(self, of_values: &str) -> String {
        match self {
            Self::Absolute => format!("mean size, in {of_values}"),
            Self::Signed => format!("mean, in {of_values}"),
            Self::Target => {
                format!("covariance with the response, in {of_values} times that of the target")
            }
        }
    }
}

/// What values are divided by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Normalise {
    /// Nothing.
    #[default]
    None,
    /// The variance of the target, times the factor that the papers use.
    Variance,
    /// The standard error over trees (randomForest).
    StandardError,
    /// Their sum, first in every tree, then over all (scikit-learn).
    Sum,
}

impl Normalise {
    /// The word users type.
    pub fn id(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Variance => "variance",
            Self::StandardError => "standard_error",
            Self::Sum => "sum",
        }
    }
}

impl MeasureSettings {
    pub(crate) fn check(&self, info: &MeasureInfo) -> Result<(), Error> {
        if self.normalise != Normalise::None && !info.normalisations.contains(&self.normalise) {
            let offered: Vec<&str> = std::iter::once("none")
                .chain(info.normalisations.iter().map(|offered| offered.id()))
                .collect();
            return Err(Error::Measure {
                measure: info.id,
                why: format!("does not offer the normalisation `{}`", self.normalise.id()),
                help: format!("use one of: {}", offered.join(", ")),
            });
        }
        if let Permutations::Random(repeats) = self.permutations
            && (repeats == 0 || repeats > MOST_PERMUTATIONS)
        {
            return Err(Error::setting(
                format!("{repeats} random permutations were requested"),
                format!("give `exact`, or a number between 1 and {MOST_PERMUTATIONS}"),
            ));
        }
        if let Some(association) = self.association
            && !(0.0..=1.0).contains(&association)
        {
            return Err(Error::setting(
                format!("the threshold of associations is {association}"),
                "give a number between 0 and 1: a variable is conditioned on where 1 - p of its \
                 association is larger",
            ));
        }
        if self.blocks == 0 {
            return Err(Error::setting(
                "0 blocks of trees were requested",
                "give 1 for the whole forest, or up to the number of trees",
            ));
        }
        self.check_sampling()?;
        // Test rows are for the measures that look at them; others do not mind.
        let is_offered = |option: &MeasureOption| {
            info.options.contains(option) || *option == MeasureOption::TestRows
        };
        let mut asked_for = MeasureOption::ALL.iter().filter(|option| option.is_asked_for(self));
        if let Some(option) = asked_for.find(|option| !is_offered(option)) {
            return Err(Error::Measure {
                measure: info.id,
                why: format!("does not offer the option `{}`", option.id()),
                help: "leave it out".to_owned(),
            });
        }
        if self.exclude_self && self.permutations != Permutations::Exact {
            return Err(Error::setting(
                "permutations in which no row receives its own value require the exact expectation",
                "leave out `exclude-self`, or the number of permutations",
            ));
        }
        if self.per_class && self.loss == Some(Loss::Auc) {
            return Err(Error::setting(
                "there is no area under the curve of a single class, because it compares two",
                "leave out `per-class`, or use the loss `log`",
            ));
        }
        Ok(())
    }

    /// Which background rows are wanted, of the training rows so many by default.
    pub(crate) fn background_wanted(&self, n_rows: usize) -> BackgroundWanted {
        BackgroundWanted {
            table: self.background.clone(),
            n_rows: self.background_rows.unwrap_or(n_rows),
            seed: self.seed,
        }
    }

    /// Checks what only measures that sample read.
    fn check_sampling(&self) -> Result<(), Error> {
        check_background(self.background.is_some(), self.background_rows)?;
        if let Some(precision) = self.precision.filter(|share| !(*share > 0.0 && *share < 1.0)) {
            return Err(Error::setting(
                format!("a precision of {precision} was requested"),
                "give a number between 0 and 1: the largest standard error over the range of the \
                 values",
            ));
        }
        if self.samples.is_some_and(|samples| !(3..=MOST_SAMPLES).contains(&samples)) {
            return Err(Error::setting(
                format!("{} samples were requested", self.samples.unwrap_or_default()),
                format!("give a number between 3 and {MOST_SAMPLES}"),
            ));
        }
        if self.samples.is_some() && self.precision.is_some() {
            return Err(Error::setting(
                "both a precision and a number of samples were requested",
                "leave out one of them: the first decides the second",
            ));
        }
        Ok(())
    }
}

/// Checks the settings of background rows: whether a table is given, and how many rows are to be
/// drawn.
///
/// # Errors
/// [`Error::Setting`].
pub(crate) fn check_background(has_table: bool, n_rows: Option<usize>) -> Result<(), Error> {
    if n_rows == Some(0) {
        return Err(Error::setting(
            "0 background rows were requested",
            "give 1 or more; what is not known is averaged over them",
        ));
    }
    if has_table && n_rows.is_some() {
        return Err(Error::setting(
            "both a table of background rows and a number of training rows were given",
            "leave out one of the options `background` and `background-rows`: all rows of the table count",
        ));
    }
    Ok(())
}
