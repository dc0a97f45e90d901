//! Arguments of `wald compare`.

use std::path::{Path, PathBuf};

use clap::Args;
use wald::inference::{ComparisonConfig, Subsampling};
use wald::{Measure, MeasureId};

use super::groups::{DataArguments, OutputArguments, ReportedArguments, RunArguments};
use super::growing::GrowingArguments;
use super::measures::{MeasureArguments, help_of_one};
use super::picture::PictureArguments;
use super::values;
use crate::failure::Failure;

/// What is compared unless a measure is named.
const USUAL: MeasureId = MeasureId::SobolMda;

/// Compare importances between two tables, or two forests: differences, intervals and p-values
///
/// A forest is grown on each table, with the same settings, unless forests are given. Errors include
/// the finite number of rows, which forests on random subsamples of both tables estimate. Where both
/// tables are the same, the subsamples are, too, and the differences are paired.
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald compare before.csv --second after.csv --target height
  wald compare north.csv --second south.csv --target height --measure mdi_oob,sobol_mda
  wald compare trees.csv --forest one.forest --second-forest other.forest")]
#[command(mut_arg("test", |test| test.hide(true)))]
#[command(mut_arg("background", |background| background.hide(true)))]
#[command(mut_arg("measure", |measure| measure.value_name("ID[,ID...]").help(help_of_one("What to measure", USUAL))))]
#[command(mut_arg("svg", |svg| svg.help("\
Write a picture of the differences with their intervals to this file, as SVG")))]
pub(crate) struct CompareArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// The second table, with the same columns; the first one, if two forests are compared, unless given
    #[arg(long, value_name = "DATA", help_heading = "Comparison")]
    second: Option<PathBuf>,
    /// The forest on the second table; `--forest` is that on the first
    #[arg(long, value_name = "FOREST", help_heading = "Comparison")]
    pub(crate) second_forest: Option<PathBuf>,
    /// Number of subsamples of each table
    #[arg(long, value_name = "N", default_value = "100", value_parser = values::whole)]
    #[arg(help_heading = "Comparison")]
    subsamples: usize,
    #[command(flatten, next_help_heading = "Comparison")]
    reported: ReportedArguments,
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

impl CompareArguments {
    /// The second table.
    pub(crate) fn second(&self) -> &Path {
        self.second.as_ref().unwrap_or(&self.data.data)
    }

    /// The measures and what is asked of them, checked as far as that can be done without the data.
    pub(crate) fn settings(&self) -> Result<(Vec<Measure>, ComparisonConfig), Failure> {
        let measures = self.measures.of_training_rows(USUAL, self.run.seed)?;
        let usual = Subsampling::default();
        let asked = ComparisonConfig {
            confidence: self.reported.confidence()?,
            subsampling: Subsampling { n_subsamples: self.subsamples, ..usual },
            adjustment: self.reported.multiple_testing,
        };
        asked.subsampling.validate()?;
        if self.measures.forest.is_some() != self.second_forest.is_some() {
            return Err(Failure::usage(
                "a forest is given for one of the two tables only",
                "give both `--forest` and `--second-forest`, or none",
            ));
        }
        if self.second.is_none() && self.second_forest.is_none() {
            return Err(Failure::usage(
                "there is nothing to compare with",
                "give a second table with `--second`, or two forests with `--forest` and \
                 `--second-forest`",
            ));
        }
        Ok((measures, asked))
    }
}
