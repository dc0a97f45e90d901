//! Arguments of `wald select`.

use std::path::PathBuf;

use clap::Args;
use wald::measure::Loss;
use wald::selection::PerStep;
use wald::{MeasureId, SelectionConfig};

use super::groups::{DataArguments, OutputArguments, RunArguments};
use super::growing::GrowingArguments;
use super::measures::{MeasureArguments, help_of_one};
use super::values::{self, CSV, JSON, TABLE, by_id, words};
use crate::failure::Failure;

/// What variables are dropped by unless a measure is named.
const USUAL: MeasureId = MeasureId::SobolMda;

/// What a measure is for.
const MEASURE: &str = "Measure that determines the least important variable";

/// Select variables by recursive feature elimination with cross-validation
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald select trees.csv --target height
  wald select trees.csv --target height --folds 10 --repeats 40 --resume height.state
  wald select trees.csv --target species --error zero-one --step 0.2 --format json")]
#[command(mut_arg("forest", |forest| forest.hide(true)))]
#[command(mut_arg("test", |test| test.hide(true)))]
#[command(mut_arg("background", |background| background.hide(true)))]
#[command(mut_arg("measure", |measure| measure.value_name("ID").help(help_of_one(MEASURE, USUAL))))]
#[command(mut_arg("format", |format| format.value_parser(words(&[TABLE, JSON, CSV])).help("Output format: table, json, or csv (the errors alone)")))]
pub(crate) struct SelectArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    #[command(flatten)]
    pub(crate) elimination: EliminationArguments,
    #[command(flatten)]
    pub(crate) measures: MeasureArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) growing: GrowingArguments,
    #[command(flatten)]
    pub(crate) run: RunArguments,
}

/// How variables are eliminated.
#[derive(Debug, Args)]
#[command(next_help_heading = "Elimination")]
pub(crate) struct EliminationArguments {
    /// Folds of the cross-validation; rows of one cluster stay together
    #[arg(long, default_value = "10", value_name = "K", value_parser = values::whole)]
    folds: usize,
    /// Number of repetitions of the cross-validation, with new folds
    #[arg(long, default_value = "1", value_name = "N", value_parser = values::whole)]
    repeats: usize,
    /// Variables dropped per step: a number, or a share of the remaining ones such as 0.2
    #[arg(long, default_value = "1", value_name = "N|SHARE", value_parser = values::per_step)]
    #[arg(alias = "drop")]
    step: PerStep,
    /// The smallest number of variables that is tried
    #[arg(long, default_value = "1", value_name = "N", value_parser = values::whole)]
    smallest: usize,
    /// Loss of held-out rows: squared, absolute (regression) or zero-one (classification)
    #[arg(long, default_value = "squared", value_name = "LOSS", value_parser = by_id(Loss::ALL, Loss::id))]
    error: Loss,
    /// Store finished folds in this file, and resume from it
    #[arg(long, value_name = "STATE")]
    pub(crate) resume: Option<PathBuf>,
}

impl SelectArguments {
    /// The settings, checked as far as that can be done without the data.
    pub(crate) fn config(&self) -> Result<SelectionConfig, Failure> {
        self.measures.refuse_forest("a selection")?;
        let EliminationArguments { folds, repeats, step, smallest, error, .. } = self.elimination;
        let seed = self.run.seed;
        let measure = self.measures.single(USUAL, seed)?;
        let config = SelectionConfig {
            folds,
            repeats,
            drop: step,
            smallest,
            loss: error,
            ..SelectionConfig::new(self.growing.config(seed)?, measure)
        };
        config.validate()?;
        Ok(config)
    }
}
