//! Arguments of `wald simulate`.

use clap::Args;
use wald::simulate::Design;

use super::groups::OutputArguments;
use super::known::by_id;
use super::values;

/// Draw data from a design of the papers, with known relevant variables
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald simulate                                                  the designs
  wald simulate friedman_1 --rows 500 --output friedman.csv
  wald simulate li_classification --seed 7 | wald importance - --target y --measure mdi,mdi_oob
  wald simulate li_classification --seed 7 --truth               which variables matter there")]
#[command(mut_arg("format", |format| format.default_value("csv").requires("design")))]
#[command(mut_arg("format", |format| format.help("Output format: csv, parquet, json, table, md or latex")))]
pub(crate) struct SimulateArguments {
    /// The design; without it, all designs are listed
    #[arg(value_name = "DESIGN", value_parser = by_id(Design::ALL, Design::id))]
    pub(crate) design: Option<Design>,
    /// Number of rows; with one seed, fewer rows are the first of more
    #[arg(long, value_name = "N", default_value = "1000", value_parser = values::whole)]
    #[arg(requires = "design", conflicts_with = "truth")]
    pub(crate) rows: usize,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value = "0", value_parser = values::seed)]
    #[arg(requires = "design")]
    pub(crate) seed: u64,
    /// Write the truth instead of rows: a line per variable, 1 if relevant, else 0
    #[arg(long, requires = "design")]
    pub(crate) truth: bool,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Print results and errors only
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
