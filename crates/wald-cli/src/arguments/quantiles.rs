//! Quantiles that `wald predict` adds to predictions.

use std::path::{Path, PathBuf};

use clap::Args;
use wald_table::{DesignOptions, Missing};

use super::groups::CellArguments;
use super::known::words;
use super::values::{self, MISSING};
use crate::failure::Failure;

/// Quantiles, and the training data that they are made of.
#[derive(Debug, Args)]
#[command(next_help_heading = "Quantiles")]
pub(crate) struct QuantileArguments {
    /// Also predict these quantiles of the target, separated by commas, for example 0.05,0.5,0.95;
    /// of forests of numbers
    #[arg(long, value_name = "LEVELS", value_delimiter = ',', value_parser = values::number)]
    pub(crate) quantiles: Vec<f64>,
    /// The table that the forest was grown on, of whose targets quantiles are made
    #[arg(long, value_name = "DATA", requires = "quantiles", conflicts_with = "out_of_bag")]
    training: Option<PathBuf>,
    /// The rows are those that the forest was grown on: predict each by the trees that did not see it
    #[arg(long, requires = "quantiles")]
    pub(crate) out_of_bag: bool,
    /// The target in the training table, where the forest does not name it
    #[arg(long, short, value_name = "COLUMN", requires = "quantiles")]
    target: Option<String>,
    /// The column of case weights in the training table, where the forest was grown with them
    #[arg(long, value_name = "COLUMN", requires = "quantiles")]
    weights: Option<String>,
    /// What growing did with rows with missing input: separate or omit
    #[arg(long, value_name = "HOW", default_value = "separate", value_parser = words(MISSING))]
    missing: Missing,
}

impl QuantileArguments {
    /// The training table, where `rows` are those to predict.
    pub(crate) fn training<'a>(&'a self, rows: &'a Path) -> Result<&'a Path, Failure> {
        if self.out_of_bag {
            return Ok(rows);
        }
        self.training.as_deref().ok_or_else(|| {
            Failure::usage(
                "quantiles are made of the targets of the training rows, but no table of them is named",
                "name the table that the forest was grown on with `--training`; to predict its own \
                 rows, give `--out-of-bag`",
            )
        })
    }

    /// The parts of the columns of the training table.
    pub(crate) fn design(&self, cells: &CellArguments) -> DesignOptions {
        DesignOptions {
            target: self.target.clone(),
            weights: self.weights.clone(),
            missing: self.missing,
            numeric: cells.numeric(),
            infinite: cells.infinite,
            ..DesignOptions::default()
        }
    }
}
