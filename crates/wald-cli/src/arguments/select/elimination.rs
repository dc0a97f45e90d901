//! How variables are eliminated.

use std::path::PathBuf;

use clap::Args;
use wald::measure::Loss;
use wald::selection::PerStep;
use wald::{ForestConfig, Measure, SelectionConfig};

use crate::arguments::known::by_id;
use crate::arguments::values;
use crate::failure::Failure;

/// How variables are eliminated.
#[derive(Debug, Args)]
#[command(next_help_heading = "Elimination")]
pub(crate) struct EliminationArguments {
    /// Folds of the cross-validation; rows of one cluster stay together [default: 10]
    #[arg(long, value_name = "K", value_parser = values::whole)]
    folds: Option<usize>,
    /// Number of repetitions of the cross-validation, with new folds [default: 1]
    #[arg(long, value_name = "N", value_parser = values::whole)]
    repeats: Option<usize>,
    /// Variables dropped per step: a number, a share of the remaining ones such as 0.2, or auto: 1
    /// while at most 100 remain, before that a tenth of them [default: auto]
    #[arg(long, value_name = "N|SHARE|auto", value_parser = values::per_step, alias = "drop")]
    step: Option<PerStep>,
    /// The smallest number of variables that is tried [default: 1]
    #[arg(long, value_name = "N", value_parser = values::whole)]
    smallest: Option<usize>,
    /// Loss of held-out rows: squared, absolute (regression) or zero-one (classification)
    /// [default: squared]
    #[arg(long, value_name = "LOSS", value_parser = by_id(Loss::ALL, Loss::id))]
    error: Option<Loss>,
    /// Store finished folds in this file, and resume from it
    #[arg(long, value_name = "STATE")]
    pub(crate) resume: Option<PathBuf>,
}

impl EliminationArguments {
    /// An option that was given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let Self { folds, repeats, step, smallest, error, resume } = self;
        let all = [
            (folds.is_some(), "--folds"),
            (repeats.is_some(), "--repeats"),
            (step.is_some(), "--step"),
            (smallest.is_some(), "--smallest"),
            (error.is_some(), "--error"),
            (resume.is_some(), "--resume"),
        ];
        all.into_iter().find_map(|(is_given, option)| is_given.then_some(option))
    }

    pub(super) fn config(
        &self,
        forest: ForestConfig,
        measure: Measure,
    ) -> Result<SelectionConfig, Failure> {
        let usual = SelectionConfig::new(forest, measure);
        let config = SelectionConfig {
            folds: self.folds.unwrap_or(usual.folds),
            repeats: self.repeats.unwrap_or(usual.repeats),
            drop: self.step.unwrap_or(usual.drop),
            smallest: self.smallest.unwrap_or(usual.smallest),
            loss: self.error.unwrap_or(usual.loss),
            ..usual
        };
        config.validate()?;
        Ok(config)
    }
}
