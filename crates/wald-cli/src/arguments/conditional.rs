//! Arguments of `wald conditional`.

use clap::Args;
use wald::ForestConfig;
use wald::inference::{ConditionalConfig, ConditionalMethod};

use super::groups::{
    DataArguments, GroupingArguments, OutputArguments, ReportedArguments, RunArguments,
};
use super::growing::GrowingArguments;
use super::known::by_id;
use super::values;
use crate::failure::Failure;

/// Test whether each variable adds to what the others explain: indices, intervals and p-values
///
/// The null hypothesis is that the response does not depend on the variable given all others. Forests are
/// grown on the rows outside of each fold and judged by the rows inside. The value is an estimate of the
/// total Sobol index, as `sobol_mda` is, with an error over rows instead of trees.
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald conditional trees.csv --target height
  wald conditional trees.csv --target height --method loco --folds 10
  wald conditional trees.csv --target height --group soil=ph,clay,sand --format json")]
pub(crate) struct ConditionalArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// Estimator: sobol-cpi (predictions with values drawn given the other variables) or loco (forests
    /// grown with its values shuffled; less power)
    #[arg(long, value_name = "HOW", default_value = "sobol_cpi", help_heading = "Test")]
    #[arg(value_parser = by_id(ConditionalMethod::IDS, |id| id))]
    method: &'static str,
    /// Values drawn for each row by sobol-cpi [default: 10]
    #[arg(long, value_name = "N", value_parser = values::whole, help_heading = "Test")]
    draws: Option<usize>,
    /// Folds of the cross-fitting; rows of one cluster stay together
    #[arg(long, value_name = "K", default_value = "5", value_parser = values::whole)]
    #[arg(help_heading = "Test")]
    folds: usize,
    #[command(flatten, next_help_heading = "Test")]
    reported: ReportedArguments,
    #[command(flatten, next_help_heading = "Test")]
    pub(crate) grouping: GroupingArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) growing: GrowingArguments,
    #[command(flatten)]
    pub(crate) run: RunArguments,
}

impl ConditionalArguments {
    /// The settings, checked as far as that can be done without the data.
    pub(crate) fn config(&self) -> Result<ConditionalConfig, Failure> {
        let forest: ForestConfig = self.growing.config(self.run.seed)?;
        Ok(ConditionalConfig {
            forest,
            method: ConditionalMethod::named(self.method, self.draws)?,
            folds: self.folds,
            confidence: self.reported.confidence()?,
            adjustment: self.reported.multiple_testing,
        })
    }
}
