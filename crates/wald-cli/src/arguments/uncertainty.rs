//! Arguments of `wald uncertainty`.

use clap::{ArgAction, Args};
use wald::inference::{
    Adjustment, Confidence, SamplingErrors, Subsampling, Test, UncertaintyConfig,
};
use wald::{Measure, MeasureId};

use super::groups::{DataArguments, OutputArguments, RunArguments};
use super::growing::GrowingArguments;
use super::known::{by_id, words};
use super::measures::{MeasureArguments, help_of_one};
use super::picture::PictureArguments;
use super::values;
use crate::failure::Failure;

/// What is looked at unless a measure is named.
const USUAL: MeasureId = MeasureId::SobolMda;

/// Compute the uncertainty of importances: intervals for values and ranks, and p-values
///
/// Errors have two parts. The Monte-Carlo part comes from the finite number of trees. The sampling
/// part comes from the finite number of rows; forests on random subsamples estimate it. Intervals
/// include both, for the mean importance of forests on as many rows. Several measures share all
/// forests.
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald uncertainty trees.csv --target height
  wald uncertainty trees.csv --target height --measure mdi_oob --confidence 0.95
  wald uncertainty trees.csv --target height --measure mdi,sobol_mda --null-distribution shadow
  wald uncertainty trees.csv --target height --null-forests 999 --multiple-testing holm --format json
  wald uncertainty trees.csv --forest trees.forest --measure mdi --variance jackknife")]
#[command(mut_arg("test", |test| test.hide(true)))]
#[command(mut_arg("background", |background| background.hide(true)))]
#[command(mut_arg("measure", |measure| measure.value_name("ID[,ID...]").help(help_of_one("What to measure", USUAL))))]
#[command(mut_arg("svg", |svg| svg.help("\
Write a picture of importances and ranks with their intervals to this file, as SVG")))]
pub(crate) struct UncertaintyArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// Confidence level of the intervals
    #[arg(long, value_name = "P", default_value = "0.9", value_parser = values::number)]
    #[arg(help_heading = "Uncertainty")]
    confidence: f64,
    /// Method for sampling errors: subsampling (forests on subsamples of the rows), or jackknife
    /// (from the bags of the forest itself; for `mdi`, `split_count` and `minimal_depth`, with
    /// about ten trees per row)
    #[arg(long = "variance", alias = "errors", value_name = "HOW", default_value = "subsampling")]
    #[arg(value_parser = words(&[("subsampling", false), ("jackknife", true)]))]
    #[arg(action = ArgAction::Set, help_heading = "Uncertainty")]
    is_jackknife: bool,
    /// Number of subsamples [default: 100]
    #[arg(long, value_name = "N", value_parser = values::whole, help_heading = "Uncertainty")]
    subsamples: Option<usize>,
    /// Share of the rows (or clusters) in a subsample [default: 0.5]
    #[arg(long, value_name = "SHARE", value_parser = values::number)]
    #[arg(help_heading = "Uncertainty")]
    subsample_fraction: Option<f64>,
    /// Trees per subsample [default: a fifth of the trees, at least 50]
    #[arg(long, value_name = "N", value_parser = values::whole, help_heading = "Uncertainty")]
    subsample_trees: Option<usize>,
    /// Also compute p-values, with this null distribution: permuted (permuted responses), shadow
    /// (permuted copies of the variables in the same forest; fewer forests), or mirrored (negative
    /// differences to shadows; one forest, for tables of many variables) [default with
    /// --null-forests: permuted]
    #[arg(long, value_name = "HOW", alias = "null", value_parser = by_id(Test::IDS, |id| id))]
    #[arg(help_heading = "Uncertainty")]
    null_distribution: Option<&'static str>,
    /// Number of forests for p-values [default: 999 permuted, which stop early for clearly
    /// irrelevant variables, or 40 with shadows]
    #[arg(long, value_name = "N", alias = "tests", value_parser = values::whole)]
    #[arg(help_heading = "Uncertainty")]
    null_forests: Option<usize>,
    /// Correction of p-values for the number of variables: none, holm or benjamini-hochberg
    /// [default: holm]
    #[arg(long, value_name = "HOW", alias = "adjust", value_parser = by_id(Adjustment::ALL, Adjustment::id))]
    #[arg(help_heading = "Uncertainty")]
    multiple_testing: Option<Adjustment>,
    #[command(flatten)]
    pub(crate) measures: MeasureArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) picture: PictureArguments,
    #[command(flatten)]
    pub(crate) growing: GrowingArguments,
    #[command(flatten)]
    pub(crate) run: RunArguments,
}

impl UncertaintyArguments {
    /// The measures and what is asked of them, checked as far as that can be done without the data.
    /// How many trees parts of the rows have, where it was not given, follows from the forest.
    pub(crate) fn settings(&self) -> Result<(Vec<Measure>, UncertaintyConfig), Failure> {
        let measures = self.measures.of_training_rows(USUAL, self.run.seed)?;
        let asked = UncertaintyConfig {
            confidence: Confidence::new(self.confidence)?,
            errors: self.errors()?,
            test: self.test()?,
            adjustment: self.multiple_testing.unwrap_or(Adjustment::Holm),
        };
        asked.validate(&measures)?;
        Ok((measures, asked))
    }

    fn errors(&self) -> Result<SamplingErrors, Failure> {
        let usual = Subsampling::default();
        let Self { subsamples, subsample_fraction, subsample_trees, .. } = self;
        if !self.is_jackknife {
            return Ok(SamplingErrors::Subsampling(Subsampling {
                n_subsamples: subsamples.unwrap_or(usual.n_subsamples),
                fraction: subsample_fraction.unwrap_or(usual.fraction),
                n_trees: *subsample_trees,
            }));
        }
        if subsamples.is_some() || subsample_fraction.is_some() || subsample_trees.is_some() {
            return Err(Failure::usage(
                "the jackknife grows no forests on subsamples, but subsamples are specified",
                "leave out `--subsamples`, `--subsample-fraction` and `--subsample-trees`",
            ));
        }
        Ok(SamplingErrors::Jackknife)
    }

    fn test(&self) -> Result<Option<Test>, Failure> {
        if self.null_distribution.is_none() && self.null_forests.is_none() {
            if self.multiple_testing.is_some() {
                return Err(Failure::usage(
                    "a correction of p-values is given, but no p-values are requested",
                    "request p-values with `--null-distribution`, or leave out `--multiple-testing`",
                ));
            }
            return Ok(None);
        }
        Ok(Some(Test::named(self.null_distribution.unwrap_or("permuted"), self.null_forests)?))
    }
}
