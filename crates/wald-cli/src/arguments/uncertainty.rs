//! What `wald uncertainty` is told.

use clap::Args;
use wald::inference::{Adjustment, Confidence, PermutedResponse, Subsampling, UncertaintyConfig};
use wald::{ForestConfig, Measure, MeasureId};

use super::{
    DataArguments, Format, GrowingArguments, MeasureArguments, OutputArguments, RunArguments,
    help_of_one, values,
};
use crate::failure::Failure;

/// What is looked at unless a measure is named.
const USUAL: MeasureId = MeasureId::SobolMda;

/// Subsamples have this share of the trees unless told otherwise, but not fewer than `FEWEST_TREES`.
const SHARE_OF_TREES: usize = 5;
const FEWEST_TREES: usize = 50;

/// Tell how sure importances are: intervals of values and ranks, and p-values
///
/// Errors have two parts. The Monte-Carlo part comes from the finite number of trees. The sampling
/// part comes from the rows that happen to be in the table; forests on random parts of the rows tell
/// it. Intervals are for both together, around what forests on so many rows find on average.
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald uncertainty trees.csv --target height
  wald uncertainty trees.csv --target height --measure mdi_oob --confidence 0.95
  wald uncertainty trees.csv --target height --tests 999 --adjust holm --format json")]
#[command(mut_arg("forest", |forest| forest.hide(true)))]
#[command(mut_arg("measure", |measure| measure.value_name("ID").help(help_of_one("What to measure", USUAL))))]
pub(crate) struct UncertaintyArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// The probability with which intervals cover
    #[arg(long, value_name = "P", default_value = "0.9", value_parser = values::number)]
    #[arg(allow_negative_numbers = true, help_heading = "Uncertainty")]
    confidence: f64,
    /// Forests on parts of the rows, which tell sampling errors
    #[arg(long, value_name = "N", default_value = "100", value_parser = values::whole)]
    #[arg(allow_negative_numbers = true, help_heading = "Uncertainty")]
    subsamples: usize,
    /// Share of the rows (or clusters) of such a part
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = values::number)]
    #[arg(allow_negative_numbers = true, help_heading = "Uncertainty")]
    subsample_fraction: f64,
    /// Trees of such a forest [default: a fifth of the trees, at least 50]
    #[arg(long, value_name = "N", value_parser = values::whole)]
    #[arg(allow_negative_numbers = true, help_heading = "Uncertainty")]
    subsample_trees: Option<usize>,
    /// Add p-values by at most so many forests whose responses were permuted; they stop early for
    /// variables that clearly mean nothing
    #[arg(long, value_name = "N", value_parser = values::whole)]
    #[arg(allow_negative_numbers = true, help_heading = "Uncertainty")]
    tests: Option<usize>,
    /// How p-values are corrected for the number of variables: none, holm or benjamini-hochberg
    #[arg(long, value_name = "HOW", default_value = "holm", value_parser = values::adjustment)]
    #[arg(help_heading = "Uncertainty", requires = "tests")]
    adjust: Adjustment,
    #[command(flatten)]
    pub(crate) measures: MeasureArguments,
    /// How results are written: table, json, csv or parquet
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = Format::importance)]
    #[arg(help_heading = "Output")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) growing: GrowingArguments,
    #[command(flatten)]
    pub(crate) run: RunArguments,
}

impl UncertaintyArguments {
    /// Forest, measure and questions, checked as far as that can be done without the data.
    pub(crate) fn settings(&self) -> Result<(ForestConfig, Measure, UncertaintyConfig), Failure> {
        self.measures.refuse_forest("uncertainty")?;
        let config = self.growing.config(self.run.seed)?;
        self.measures.check_blocks(config.n_trees)?;
        let measure = self.measures.single(USUAL, self.run.seed)?;
        let fewer = (config.n_trees / SHARE_OF_TREES).max(FEWEST_TREES).min(config.n_trees);
        let test = self.tests.map(|tests| PermutedResponse {
            permutations: u32::try_from(tests).unwrap_or(u32::MAX),
            ..PermutedResponse::default()
        });
        let asked = UncertaintyConfig {
            confidence: Confidence::new(self.confidence)?,
            subsampling: Subsampling {
                n_subsamples: self.subsamples,
                fraction: self.subsample_fraction,
                n_trees: Some(self.subsample_trees.unwrap_or(fewer)),
            },
            test,
            adjustment: self.adjust,
        };
        asked.subsampling.validate()?;
        test.map_or(Ok(()), PermutedResponse::validate)?;
        Ok((config, measure, asked))
    }
}
