//! Arguments of `wald proximities`.

use std::path::PathBuf;

use clap::Args;
use wald_table::FrameFormat;

use super::groups::{DataArguments, OutputArguments, RunArguments};
use super::growing::GrowingArguments;
use super::known::words;
use super::values::{self, Format};
use crate::failure::Failure;

/// What is shown of proximities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shows {
    Outliers,
    Prototypes,
    Weights,
}

const SHOWS: &[(&str, Shows)] = &[
    ("outliers", Shows::Outliers),
    ("prototypes", Shows::Prototypes),
    ("weights", Shows::Weights),
];

/// Show which training rows a forest finds alike: outliers, prototypes of classes, or the weights
/// themselves
///
/// The weights are those that rows have in the out-of-bag prediction of another (RF-GAP proximities);
/// outliers are found by how often rows share a leaf. No matrix of all pairs of rows is held.
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald proximities trees.csv --target species
  wald proximities trees.csv --target species --show prototypes --neighbours 50
  wald proximities trees.csv --forest trees.forest --show weights --format parquet -o weights.parquet")]
pub(crate) struct ProximitiesArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// outliers: how far each row lies apart from its class (a table shows the 20 that lie farthest);
    /// prototypes: the middle of each class;
    /// weights: a line for each pair of rows that has one
    #[arg(long, value_name = "WHAT", default_value = "outliers", value_parser = words(SHOWS))]
    #[arg(help_heading = "Proximities")]
    pub(crate) show: Shows,
    /// Neighbours that prototypes are made of [default: one less than the size of the smallest class]
    #[arg(long, value_name = "N", value_parser = values::whole, help_heading = "Proximities")]
    pub(crate) neighbours: Option<usize>,
    /// Weights of the rows of this table, by all trees, instead of the training rows
    #[arg(long, value_name = "DATA", help_heading = "Proximities")]
    pub(crate) rows: Option<PathBuf>,
    /// Use this forest instead of growing one: wald model file or wald-forest JSON
    #[arg(long, value_name = "FOREST", conflicts_with = "GrowingArguments")]
    #[arg(help_heading = "Proximities")]
    pub(crate) forest: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) growing: GrowingArguments,
    #[command(flatten)]
    pub(crate) run: RunArguments,
}

impl ProximitiesArguments {
    /// The form of long tables; refuses options that do not fit each other.
    pub(crate) fn frame_format(&self) -> Result<FrameFormat, Failure> {
        let shows = |shows| self.show == shows;
        if self.neighbours.is_some() && !shows(Shows::Prototypes) {
            let help = "leave it out, or give `--show prototypes`";
            return Err(Failure::usage("`--neighbours` is for prototypes", help));
        }
        if self.neighbours == Some(0) {
            return Err(Failure::usage("a prototype of 0 neighbours is none", "give 1 or more"));
        }
        if self.rows.is_some() && !shows(Shows::Weights) {
            let help = "leave it out, or give `--show weights`";
            return Err(Failure::usage("`--rows` is for weights", help));
        }
        match self.output.format() {
            Format::Frame(format) => Ok(format),
            _ if shows(Shows::Weights) => {
                let help = "give `--format csv` or `--format parquet`";
                Err(Failure::usage("weights are written as a long table only", help))
            }
            _ => Ok(FrameFormat::Csv(self.output.decimal_mark)),
        }
    }
}
