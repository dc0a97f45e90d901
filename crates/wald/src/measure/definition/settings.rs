//! Settings of measures.
//!
//! They are one type for all measures, because users give the same options for all of them; each
//! measure lists those that it offers. To add an option, add its line here, and name it in the
//! measures that read it.

use crate::message;
use crate::setting;
use std::sync::Arc;
use std::time::Duration;

use crate::data::{Dataset, Features};
use crate::error::Error;
use crate::forest::Impurity;
use crate::loss::Loss;
use crate::measure::definition::{MeasureInfo, Normalise, Part, Permutations, RowAggregate};
use crate::options::{Options as _, settings};
use crate::tree_shap::BackgroundWanted;
use crate::words::{counted, there_are, were};

/// More random permutations than this are a mistake.
const MOST_PERMUTATIONS: u32 = 100_000;

/// More samples than this are a mistake; sampling for precision ends there.
pub(in crate::measure) const MOST_SAMPLES: usize = 1 << 20;

settings! {
    /// How measures compute; the default is what the documentation describes.
    #[derive(Debug, Clone, PartialEq)]
    MeasureSettings,
    /// Settings that users give by name.
    MeasureOption,
    options {
        /// Loss of a prediction.
        Loss("LOSS", "that of the measure") = loss: Option<Loss> = None;
        /// The expectation over all permutations (exact), or a number of random permutations.
        Permutations("exact|R", "exact") = permutations: Permutations = Permutations::Exact;
        /// Conditional permutation conditions on variables whose test of association has 1 - p above
        /// this.
        ConditioningThreshold("LEVEL", "0.2") = conditioning_threshold: Option<f64> = None;
        /// What values are divided by.
        Normalise("BY", "none") = normalise: Normalise = Normalise::None;
        /// Impurity of impurity measures.
        Impurity("WHAT", "that of the forest") = impurity: Option<Impurity> = None;
        /// Number of blocks of consecutive trees; errors are computed per block of averaged trees: 1
        /// block is the whole forest, as many blocks as trees are single trees.
        Blocks("N", "1") = blocks: usize = 1;
        /// How Shapley values of rows are aggregated: by the mean of their absolute values, by their
        /// mean, or by their covariance with the response.
        Aggregate("HOW", "mean_abs") = aggregate: RowAggregate = RowAggregate::MeanAbs;
        /// Also report the values of every class.
        PerClass("", "") = per_class: bool = false;
        /// Also decompose values by degree of interaction: the number of other variables used above a
        /// split.
        ByDegree("", "") = by_degree: bool = false;
        /// Also report second-order Sobol indices: what the interaction of two variables explains, for
        /// every pair of variables.
        SecondOrder("", "") = second_order: bool = false;
        /// The level of a quantile whose loss is scored.
        Quantile("LEVEL", "the whole distribution") = quantile: Option<f64> = None;
        /// A row never receives its own value in a permutation.
        ExcludeSelf("", "") = exclude_self: bool = false;
        /// Rows that the forest was not grown on, with the columns of the training data and the target,
        /// for measures of test rows.
        TestRows("DATA", "none") = test: Option<Arc<Dataset>> = None;
        /// Background rows over which SAGE and interventional Shapley values average unknown
        /// variables, all of them, each as often as any other: case weights in the table do not count. They
        /// need no target.
        Background("DATA", "training rows drawn at random") = background: Option<Arc<Features>> = None;
        /// Number of training rows drawn as background rows.
        BackgroundRows("N", "512 for SAGE, 100 for Shapley values")
            = background_rows: Option<usize> = None;
        /// SAGE and Shapley effects sample until the largest standard error is at most this share of the
        /// range of values.
        Precision("SHARE", "0.025 for SAGE, 0.05 for Shapley effects")
            = precision: Option<f64> = None;
        /// Number of samples of SAGE and of Shapley effects, whatever the precision; number of rows
        /// over which Shapley values are averaged.
        Samples("N", "as many as the precision requires; 2000 rows") = samples: Option<usize> = None;
        /// Seconds after which SAGE stops sampling, whatever its precision; values then depend on the
        /// clock.
        TimeBudget("SECONDS", "no limit") = time_budget: Option<Duration> = None;
    }
    others {
        /// Seed of random permutations and samples.
        seed: u64 = 0;
        /// Trees and rows that stand for all, for measures that take part of their work from
        /// [`Measure::with_part`](crate::Measure::with_part); `None` for all.
        part: Option<Part> = None;
    }
}

/// Refuses a loss that a measure does not offer for a target.
///
/// # Errors
/// [`Error::Measure`].
pub(crate) fn check_loss(
    measure: &'static str,
    offered: &[Loss],
    loss: Option<Loss>,
) -> Result<(), Error> {
    let Some(loss) = loss.filter(|loss| !offered.contains(loss)) else { return Ok(()) };
    let names: Vec<&str> = offered.iter().map(|loss| loss.id()).collect();
    Err(Error::measure(
        measure,
        format!("does not offer the loss `{}` for this target", loss.id()),
        match names.as_slice() {
            [] => message!("leave out ", setting::LOSS),
            names => message!("use one of: ", names.join(", ")),
        },
    ))
}

impl MeasureSettings {
    /// Those of the options that a measure offers; the others have their defaults.
    #[must_use]
    pub fn offered_by(&self, info: &MeasureInfo) -> Self {
        let mut offered = Self { seed: self.seed, part: self.part, ..Self::default() };
        for option in MeasureOption::ALL.iter().filter(|option| option.is_offered(info, self)) {
            option.copy(self, &mut offered);
        }
        offered
    }
}

impl MeasureOption {
    /// Whether a measure offers the option with the value that it has in the settings.
    fn is_offered(self, info: &MeasureInfo, settings: &MeasureSettings) -> bool {
        match self {
            Self::Loss => {
                let mut losses = info.regression_losses.iter().chain(info.classification_losses);
                losses.any(|loss| Some(*loss) == settings.loss)
            }
            Self::Normalise => info.normalisations.contains(&settings.normalise),
            _ => info.takes(self),
        }
    }
}

impl MeasureSettings {
    /// Whether so many trees are enough for blocks of them and for a standard error.
    pub(in crate::measure) fn check_trees(&self, n_trees: usize) -> Result<(), Error> {
        if self.blocks > n_trees {
            let requested =
                format!("{} {} requested", counted(self.blocks, "block"), were(self.blocks));
            return Err(Error::bad_setting(
                setting::BLOCKS,
                format!("{requested}, but {}", there_are(n_trees, "tree")),
                "give at most as many blocks as trees",
            ));
        }
        if self.normalise == Normalise::StandardError && n_trees < 2 {
            return Err(Error::bad_setting(
                setting::NORMALISE,
                "a single tree has no standard error to divide by",
                "use 2 trees or more, or another scale",
            ));
        }
        Ok(())
    }

    pub(crate) fn check(&self, info: &MeasureInfo) -> Result<(), Error> {
        if self.normalise != Normalise::None && !info.normalisations.contains(&self.normalise) {
            let offered: Vec<&str> = std::iter::once("none")
                .chain(info.normalisations.iter().map(|offered| offered.id()))
                .collect();
            return Err(Error::measure(
                info.id,
                format!("does not offer the normalisation `{}`", self.normalise.id()),
                format!("use one of: {}", offered.join(", ")),
            ));
        }
        if let Permutations::Random(repeats) = self.permutations
            && (repeats == 0 || repeats > MOST_PERMUTATIONS)
        {
            return Err(Error::bad_setting(
                setting::PERMUTATIONS,
                match repeats {
                    0 => "0 random permutations were requested".to_owned(),
                    _ => {
                        format!("more than {MOST_PERMUTATIONS} random permutations were requested")
                    }
                },
                message!(
                    "give ",
                    setting::PERMUTATIONS.word("exact"),
                    ", or a number between 1 and ",
                    MOST_PERMUTATIONS
                ),
            ));
        }
        if let Some(threshold) = self.conditioning_threshold
            && !(0.0..=1.0).contains(&threshold)
        {
            return Err(Error::bad_setting(
                setting::CONDITIONING_THRESHOLD,
                message!(setting::CONDITIONING_THRESHOLD.name(), " is ", threshold),
                "give a number between 0 and 1: a variable is conditioned on where 1 - p of its \
                 association is larger",
            ));
        }
        if self.blocks == 0 {
            return Err(Error::bad_setting(
                setting::BLOCKS,
                "0 blocks of trees were requested",
                "give 1 for the whole forest, or up to the number of trees",
            ));
        }
        self.check_sampling()?;
        // Test rows are for the measures that read them; others ignore them. Losses have a check of
        // their own, which depends on the target.
        let is_checked = |option: &MeasureOption| {
            !matches!(option, MeasureOption::TestRows | MeasureOption::Loss)
        };
        let mut given = MeasureOption::ALL.iter().filter(|option| option.is_set(self));
        if let Some(option) =
            given.find(|option| is_checked(option) && !option.is_offered(info, self))
        {
            return Err(not_offered(info.id, option.id()));
        }
        if self.exclude_self && self.permutations != Permutations::Exact {
            return Err(Error::bad_setting(
                setting::EXCLUDE_SELF,
                "permutations in which no row receives its own value require the exact expectation",
                message!("leave out ", setting::EXCLUDE_SELF, ", or the number of permutations"),
            ));
        }
        if self.per_class && self.loss == Some(Loss::Auc) {
            return Err(Error::bad_setting(
                setting::PER_CLASS,
                "there is no area under the curve of a single class, because it compares two",
                message!("leave out ", setting::PER_CLASS, ", or use the loss `log`"),
            ));
        }
        Ok(())
    }

    /// Which background rows are wanted, of the training rows so many by default.
    pub(crate) fn background_wanted(&self, n_rows: usize) -> BackgroundWanted {
        BackgroundWanted {
            table: self.background.clone(),
            n_rows: self.background_rows.unwrap_or(n_rows),
            is_given: self.background_rows.is_some(),
            seed: self.seed,
        }
    }

    /// Checks what only measures that sample read.
    fn check_sampling(&self) -> Result<(), Error> {
        check_background(self.background.is_some(), self.background_rows)?;
        if let Some(precision) = self.precision.filter(|share| !(*share > 0.0 && *share < 1.0)) {
            return Err(Error::bad_setting(
                setting::PRECISION,
                format!("a precision of {precision} was requested"),
                "give a number between 0 and 1: the largest standard error over the range of the \
                 values",
            ));
        }
        if let Some(samples) = self.samples.filter(|n| !(3..=MOST_SAMPLES).contains(n)) {
            return Err(Error::bad_setting(
                setting::SAMPLES,
                format!("{} {} requested", counted(samples, "sample"), were(samples)),
                format!("give a number between 3 and {MOST_SAMPLES}"),
            ));
        }
        if self.samples.is_some() && self.precision.is_some() {
            return Err(Error::bad_setting(
                setting::SAMPLES,
                "both a precision and a number of samples were requested",
                "leave out one of them: the first decides the second",
            ));
        }
        Ok(())
    }
}

/// The refusal of an option that a measure does not read.
pub(crate) fn not_offered(measure: &'static str, option: &'static str) -> Error {
    let why = message!("does not offer ", message::Setting::new(option));
    Error::measure(measure, why, "leave it out")
}

/// Checks the settings of background rows: whether a table is given, and how many rows are to be
/// drawn.
///
/// # Errors
/// [`Error::Setting`].
pub(crate) fn check_background(has_table: bool, n_rows: Option<usize>) -> Result<(), Error> {
    if n_rows == Some(0) {
        return Err(Error::bad_setting(
            setting::BACKGROUND_ROWS,
            "0 background rows were requested",
            "give 1 or more; what is not known is averaged over them",
        ));
    }
    if has_table && n_rows.is_some() {
        return Err(Error::bad_setting(
            setting::BACKGROUND_ROWS,
            "both a table of background rows and a number of training rows were given",
            message!(
                "leave out one of ",
                setting::BACKGROUND,
                " and ",
                setting::BACKGROUND_ROWS,
                ": all rows of the table count"
            ),
        ));
    }
    Ok(())
}
