//! Arguments of `wald masking`.

use clap::Args;
use wald::{ForestConfig, Measure, MeasureId};

use super::groups::{DataArguments, OutputArguments, RunArguments};
use super::growing::GrowingArguments;
use super::measures::{MeasureArguments, help_of_one};
use super::picture::PictureArguments;
use super::values;
use crate::failure::Failure;

/// What is shown unless a measure is named.
const USUAL: MeasureId = MeasureId::Mdi;

/// Show how importances change with mtry: which variables are masked by others
///
/// A forest is grown for every mtry, all else equal. A masked variable, which other variables
/// outperform at most nodes, loses importance as more variables compete.
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald masking trees.csv --target height --svg masking.svg
  wald masking trees.csv --target species --splitting multiway --values 1,2,4 --format json")]
#[command(mut_arg("forest", |forest| forest.hide(true)))]
#[command(mut_arg("test", |test| test.hide(true)))]
#[command(mut_arg("background", |background| background.hide(true)))]
#[command(mut_arg("mtry", |mtry| mtry.hide(true)))]
#[command(mut_arg("measure", |measure| measure.value_name("ID").help(help_of_one("What to measure", USUAL))))]
#[command(mut_arg("svg", |svg| svg.help("\
Write a picture of importances against mtry to this file, as SVG, with a line per variable")))]
pub(crate) struct MaskingArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// Values of mtry, separated by commas [default: all of up to 12 variables, else 1, 2, 4, ...
    /// and all]
    #[arg(long, value_name = "N[,N...]", value_delimiter = ',', value_parser = values::whole)]
    #[arg(help_heading = "Measures")]
    pub(crate) values: Vec<usize>,
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

impl MaskingArguments {
    /// Forest and measure, checked as far as that can be done without the data.
    pub(crate) fn settings(&self) -> Result<(ForestConfig, Measure), Failure> {
        self.measures.refuse_forest("masking")?;
        let config = self.growing.config(self.run.seed)?;
        if config.mtry.is_some() {
            let what = "masking varies mtry, but `--mtry` is given";
            return Err(Failure::usage(what, "give the values by `--values`"));
        }
        self.measures.check_blocks(config.n_trees)?;
        Ok((config, self.measures.single(USUAL, self.run.seed)?))
    }
}
