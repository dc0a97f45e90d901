//! Arguments of `wald advise`.

use std::path::PathBuf;

use clap::Args;
use wald_report::advice::AdviceSettings;

use super::groups::{DataArguments, GroupingArguments, OutputArguments, RunArguments};
use super::growing::GrowingArguments;
use super::picture::PictureArguments;
use super::values;
use crate::failure::Failure;

/// Test which measure is valid for which question on these data
///
/// Tests dependence between variables, additivity of effects, and other reasons why importances
/// mislead. The verdicts on measures follow Table 2 of Bénard, Da Veiga & Scornet (2022).
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald advise trees.csv --target height
  wald advise trees.csv \"height ~ . - id\" --format json
  wald advise trees.csv --forest trees.forest")]
#[command(mut_arg("svg", |svg| svg.help("\
Write a picture of the dependence of variables, with clusters and their tree, to this file, as SVG")))]
pub(crate) struct AdviseArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// Level of the tests, each corrected for the number of variables tested
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = values::number)]
    #[arg(help_heading = "Advice")]
    level: f64,
    #[command(flatten, next_help_heading = "Advice")]
    pub(crate) grouping: GroupingArguments,
    /// Advise on this forest instead of growing one: wald model file or wald-forest JSON
    #[arg(long, value_name = "FOREST", conflicts_with = "GrowingArguments")]
    #[arg(help_heading = "Advice")]
    pub(crate) forest: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) picture: PictureArguments,
    #[command(flatten)]
    pub(crate) growing: GrowingArguments,
    #[command(flatten)]
    pub(crate) run: RunArguments,
}

impl AdviseArguments {
    /// How it is tested.
    pub(crate) fn settings(&self) -> Result<AdviceSettings, Failure> {
        let settings = AdviceSettings { level: self.level, seed: self.run.seed };
        settings.validate()?;
        Ok(settings)
    }
}
