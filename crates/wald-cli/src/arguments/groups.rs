//! Options that commands share.

use std::path::{Path, PathBuf};

use clap::Args;
use wald::data::Task;
use wald::grouping::GroupRule;
use wald::inference::{Adjustment, Confidence};
use wald::{DecimalMark, Threads};
use wald_table::{DesignOptions, Infinite, Missing, WeightKind};

use super::known::{by_id, words};
use super::names::{Names, names};
use super::values::{self, FORMATS, Format, INFINITE, MISSING, TASKS};
use crate::arguments::Shared;
use crate::failure::Failure;
use crate::grouping::Grouping;
use crate::proposal::no_target;

/// Which columns count as one variable.
#[derive(Debug, Args)]
pub(crate) struct GroupingArguments {
    /// Columns that count as one variable; may be given several times
    #[arg(long, value_name = "NAME=A,B,...", value_parser = values::group)]
    group: Vec<(String, Vec<String>)>,
    /// Also group columns automatically: names (one-hot columns such as `colour_red`), or
    /// dependence (clusters of mean rank correlation 0.7, or dependence=LEVEL)
    #[arg(long, value_name = "RULE", alias = "groups", value_parser = values::groups)]
    group_by: Option<GroupRule>,
}

impl GroupingArguments {
    pub(crate) fn grouping(&self) -> Grouping<'_> {
        Grouping { named: &self.group, rule: self.group_by }
    }
}

/// The table and the parts its columns play.
#[derive(Debug, Args)]
#[command(next_help_heading = "Data")]
pub(crate) struct DataArguments {
    /// The table: CSV (plain, gzip or zstd), Parquet or Arrow (Feather); `-` is the standard input
    #[arg(value_name = "DATA", help_heading = None::<&str>)]
    pub(crate) data: PathBuf,
    /// Target and input variables: "y ~ .", "y ~ a + b" or "y ~ . - c", odd names in backticks
    #[arg(value_name = "FORMULA", help_heading = None::<&str>)]
    formula: Option<String>,
    /// The column to predict
    #[arg(long, short, value_name = "COLUMN")]
    target: Option<String>,
    /// regression or classification; inferred from the target unless given
    #[arg(long, value_name = "TASK", value_parser = words(TASKS))]
    task: Option<Task>,
    /// Columns to leave out, separated by commas (names with commas in double quotes)
    #[arg(long, value_name = "COLUMNS", value_parser = names)]
    exclude: Vec<Names>,
    /// Columns to read as categories, separated by commas (names with commas in double quotes)
    #[arg(long, value_name = "COLUMNS", value_parser = names)]
    categorical: Vec<Names>,
    #[command(flatten)]
    cells: CellArguments,
    /// The column of case weights: they multiply impurity, leaf values and losses
    #[arg(long, value_name = "COLUMN")]
    weights: Option<String>,
    /// The column of clusters: rows with equal values stay together, in bag and out of bag
    #[arg(long, value_name = "COLUMN")]
    cluster: Option<String>,
    /// Rows with missing input: separate (each split learns a side for missing values, as "missing
    /// incorporated in attributes") or omit
    #[arg(long, value_name = "HOW", default_value = "separate", value_parser = words(MISSING))]
    missing: Missing,
}

/// How cells are read.
#[derive(Debug, Args)]
pub(crate) struct CellArguments {
    /// Columns to read as numbers, separated by commas (names with commas in double quotes); their other
    /// cells count as missing
    #[arg(long, value_name = "COLUMNS", value_parser = names, help_heading = "Data")]
    numeric: Vec<Names>,
    /// Infinite numbers of input variables: refuse, or keep (they count as the largest number)
    #[arg(long, value_name = "HOW", default_value = "refuse", value_parser = words(INFINITE))]
    #[arg(help_heading = "Data")]
    pub(crate) infinite: Infinite,
}

/// Seed, threads, and verbosity.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct RunArguments {
    /// Seed of all random numbers; results do not depend on the number of threads
    #[arg(long, default_value = "0", value_name = "SEED", value_parser = values::seed)]
    pub(crate) seed: u64,
    /// Threads; all processors unless given
    #[arg(long, value_name = "N", value_parser = values::threads)]
    threads: Option<Threads>,
    /// Print results and errors only
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[arg(skip)]
    pub(crate) shared: Shared,
}

/// Where results go.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArguments {
    /// Output format: table, json, csv, parquet, or for documents md (Markdown) or latex
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = words(FORMATS))]
    #[arg(display_order = 0)]
    format: Format,
    /// Sign before decimals in tables, documents, pictures and CSV: point, or comma, where CSV has
    /// semicolons between cells; json and parquet hold numbers and have none
    #[arg(long, value_name = "MARK", default_value = "point")]
    #[arg(value_parser = by_id(&DecimalMark::ALL, DecimalMark::id))]
    pub(crate) decimal_mark: DecimalMark,
    /// Write to a file instead of the standard output
    #[arg(long, short, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Replace an existing output file
    #[arg(long)]
    pub(crate) force: bool,
}

impl CellArguments {
    /// Columns to read as numbers.
    pub(crate) fn numeric(&self) -> Vec<String> {
        Names::all(&self.numeric)
    }
}

impl DataArguments {
    /// The parts of the columns. With a stored forest, the target may be left out.
    pub(crate) fn design(&self, has_forest: bool) -> Result<DesignOptions, Failure> {
        if let Some(formula) = self.formula.as_deref().filter(|text| !text.contains('~')) {
            let help = "write a formula such as \"y ~ .\", or name the target with `--target`";
            return Err(
                Failure::usage("what follows the table is not a formula", help).value(formula)
            );
        }
        let options = DesignOptions {
            target: self.target.clone(),
            formula: self.formula.clone(),
            exclude: Names::all(&self.exclude),
            categorical: Names::all(&self.categorical),
            numeric: self.cells.numeric(),
            infinite: self.cells.infinite,
            weights: self.weights.clone(),
            weights_are: WeightKind::Weights,
            cluster: self.cluster.clone(),
            missing: self.missing,
            task: self.task,
        };
        if self.target.is_none() && self.formula.is_none() && !has_forest {
            return Err(no_target(&self.data, options.read_options()));
        }
        Ok(options)
    }
}

impl RunArguments {
    pub(crate) fn threads(&self) -> Threads {
        self.threads.unwrap_or_else(Threads::all)
    }
}

impl OutputArguments {
    pub(crate) fn format(&self) -> Format {
        self.format.with(self.decimal_mark)
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        self.output.as_deref()
    }
}

/// What tests report: intervals and p-values.
#[derive(Debug, Args)]
pub(crate) struct ReportedArguments {
    /// Confidence level of the intervals
    #[arg(long, value_name = "P", default_value = "0.9", value_parser = values::number)]
    confidence: f64,
    /// Correction of p-values for the number of variables: none, holm or benjamini-hochberg
    #[arg(long, value_name = "HOW", default_value = "holm")]
    #[arg(value_parser = by_id(Adjustment::ALL, Adjustment::id))]
    pub(crate) multiple_testing: Adjustment,
}

impl ReportedArguments {
    /// The probability with which intervals cover.
    pub(crate) fn confidence(&self) -> Result<Confidence, Failure> {
        Ok(Confidence::new(self.confidence)?)
    }
}
