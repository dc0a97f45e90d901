//! Commands that store forests, convert them, and predict with them.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::groups::{CellArguments, DataArguments, OutputArguments, RunArguments};
use crate::arguments::growing::GrowingArguments;
use crate::arguments::quantiles::QuantileArguments;
use crate::arguments::values;

/// Grow a forest and store it
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald fit trees.csv --target height --output trees.forest
  wald fit trees.csv --target height --output trees.json       as wald-forest JSON")]
pub(crate) struct FitArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// The forest: wald-forest JSON if the name ends in .json, else a wald model file;
    /// `-` writes JSON to the standard output
    #[arg(long, short, value_name = "FOREST", help_heading = "Output")]
    pub(crate) output: PathBuf,
    /// Replace an existing output file
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) growing: GrowingArguments,
    #[command(flatten)]
    pub(crate) run: RunArguments,
}

/// Predict new rows with a stored forest
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald predict trees.forest new.csv > heights.csv
  wald predict trees.forest new.csv --format json --output heights.json
  wald predict trees.forest new.csv --quantiles 0.05,0.95 --training trees.csv
  wald predict trees.forest trees.csv --quantiles 0.05,0.95 --out-of-bag")]
#[command(mut_arg("format", |format| format.default_value("csv").help("Output format: csv, json, parquet, table, md or latex")))]
pub(crate) struct PredictArguments {
    /// The forest: wald model file or wald-forest JSON
    #[arg(value_name = "FOREST")]
    pub(crate) forest: PathBuf,
    /// The rows: CSV (plain, gzip or zstd), Parquet or Arrow (Feather); `-` is the standard input
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    #[command(flatten)]
    pub(crate) quantiles: QuantileArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) cells: CellArguments,
    /// Threads; all processors unless given
    #[arg(long, value_name = "N", value_parser = values::threads)]
    pub(crate) threads: Option<wald::Threads>,
    /// Print results and errors only
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Convert a forest between the wald model file and wald-forest JSON
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald convert trees.forest trees.json
  wald convert ranger.json ranger.forest")]
pub(crate) struct ConvertArguments {
    /// The forest: wald model file or wald-forest JSON
    #[arg(value_name = "FOREST")]
    pub(crate) forest: PathBuf,
    /// The result: wald-forest JSON if the name ends in .json, else a wald model file;
    /// `-` writes JSON to the standard output
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Replace an existing output file
    #[arg(long)]
    pub(crate) force: bool,
    /// Print results and errors only
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
