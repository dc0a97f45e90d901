//! Arguments of `wald population`.

use std::path::PathBuf;

use clap::Args;
use wald::forest::Impurity;
use wald_table::{DesignOptions, Missing, WeightKind};

use super::groups::{CellArguments, OutputArguments, RunArguments};
use super::known::{by_id, words};
use super::names::{Names, names};
use super::picture::PictureArguments;
use super::values::{self, Format, MISSING, Mtry};
use crate::failure::Failure;

/// Exact importances of a known distribution: those of infinitely many trees on infinitely many
/// rows
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald population digits.csv --target digit --impurity entropy
  wald population joint.csv --target y --probability p --mtry all --svg masking.svg
  wald population joint.csv --target y --probability p --local --format json
  wald population wide.csv --target y --samples 2000        more variables than can be listed")]
#[command(mut_arg("svg", |svg| svg.help("\
Write a picture of the importances to this file, as SVG: by degree, or with `--mtry all` against mtry")))]
pub(crate) struct PopulationArguments {
    /// The distribution: CSV (plain, gzip or zstd), Parquet or Arrow, a row for every combination of
    /// values; `-` is the standard input
    #[arg(value_name = "TABLE")]
    pub(crate) table: PathBuf,
    /// The target column
    #[arg(long, short, value_name = "COLUMN", help_heading = "Data")]
    target: String,
    /// The column of probabilities, or counts, of the rows [default: all rows are equally likely]
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    pub(crate) probability: Option<String>,
    /// Columns to leave out, separated by commas (names with commas in double quotes)
    #[arg(long, value_name = "COLUMNS", value_parser = names, help_heading = "Data")]
    exclude: Vec<Names>,
    /// Columns whose numbers are categories, separated by commas (names with commas in double quotes)
    #[arg(long, value_name = "COLUMNS", value_parser = names, help_heading = "Data")]
    categorical: Vec<Names>,
    #[command(flatten)]
    cells: CellArguments,
    /// Columns that count as one variable: a name and its columns, as place=latitude,longitude
    #[arg(long, value_name = "NAME=COLUMNS", value_parser = values::group, help_heading = "Data")]
    pub(crate) group: Vec<(String, Vec<String>)>,
    /// Rows with missing values: separate (a category of its own) or omit
    #[arg(long, value_name = "HOW", default_value = "separate", value_parser = words(MISSING))]
    #[arg(help_heading = "Data")]
    missing: Missing,
    /// Impurity: entropy, gini or variance [default: variance for numbers, entropy for classes]
    #[arg(long, value_name = "WHAT", value_parser = by_id(&Impurity::OF_DISTRIBUTIONS, Impurity::id), help_heading = "Trees")]
    pub(crate) impurity: Option<Impurity>,
    /// Number of variables among which each node chooses the best: 1 (totally randomized trees),
    /// more, or all (importances for each number)
    #[arg(long, value_name = "K|all", default_value = "1", value_parser = values::mtry)]
    #[arg(help_heading = "Trees")]
    pub(crate) mtry: Mtry,
    /// Levels of splits of a tree [default: fully developed]
    #[arg(long, value_name = "Q", value_parser = values::whole, help_heading = "Trees")]
    pub(crate) depth: Option<usize>,
    /// Number of variables drawn for each tree (random subspace); with `--mtry 1` [default: all]
    #[arg(long, value_name = "Q", value_parser = values::whole)]
    #[arg(help_heading = "Trees", conflicts_with = "depth")]
    pub(crate) subspace: Option<usize>,
    /// Also report the importances at every point, and where a variable is irrelevant
    #[arg(long, help_heading = "Importances", conflicts_with_all = ["depth", "subspace"])]
    pub(crate) local: bool,
    /// Also report the terms that contribute most to each importance, at most N: the information of
    /// a variable given certain others; with `--mtry 1`
    #[arg(long, value_name = "N", value_parser = values::whole, help_heading = "Importances")]
    pub(crate) terms: Option<usize>,
    /// Estimate from N random orders of the variables (or paths through trees) instead, with
    /// standard errors
    #[arg(long, value_name = "N", value_parser = values::whole)]
    #[arg(help_heading = "Importances", conflicts_with_all = ["local", "subspace", "terms"])]
    pub(crate) samples: Option<usize>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) picture: PictureArguments,
    /// Refuse exact work that is estimated to take longer than this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = values::number, help_heading = "Run")]
    pub(crate) limit: Option<f64>,
    #[command(flatten)]
    pub(crate) run: RunArguments,
}

impl PopulationArguments {
    /// The parts of the columns. An impurity of classes makes the target one of classes.
    pub(crate) fn design(&self) -> DesignOptions {
        let task = self.impurity.map(Impurity::task);
        DesignOptions {
            target: Some(self.target.clone()),
            exclude: Names::all(&self.exclude),
            categorical: Names::all(&self.categorical),
            numeric: self.cells.numeric(),
            infinite: self.cells.infinite,
            weights: self.probability.clone(),
            weights_are: WeightKind::Probabilities,
            missing: self.missing,
            task,
            ..DesignOptions::default()
        }
    }

    /// Refuses what does not go together.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let is_random = self.mtry == Mtry::Best(1);
        let only_random = [
            (self.subspace.is_some() && !is_random, "subspace"),
            (self.terms.is_some() && !is_random && self.mtry != Mtry::All, "terms"),
        ];
        if let Some((_, option)) = only_random.into_iter().find(|(is_wrong, _)| *is_wrong) {
            return Err(Failure::usage(
                format!("`--{option}` is about totally randomized trees"),
                "leave out `--mtry`, or give `--mtry 1`",
            ));
        }
        if self.local && self.terms.is_some() && matches!(self.output.format(), Format::Frame(_)) {
            return Err(Failure::usage(
                "`--local` and `--terms` are two tables, but CSV and Parquet hold one",
                "leave out one of them, or give `--format json`",
            ));
        }
        for (number, option) in [(self.depth, "depth"), (self.subspace, "subspace")] {
            if number == Some(0) {
                return Err(Failure::usage(
                    format!("trees need at least one split (`--{option}`)"),
                    "give 1 or more",
                ));
            }
        }
        if self.mtry == Mtry::All && self.samples.is_some() {
            return Err(Failure::usage(
                "`--samples` estimates trees of one kind at a time",
                "give a number by `--mtry`",
            ));
        }
        if self.limit.is_some_and(|seconds| seconds <= 0.0) {
            let help = "give a number of seconds, for example 600";
            return Err(Failure::usage("`--limit` leaves no time", help));
        }
        Ok(())
    }
}
