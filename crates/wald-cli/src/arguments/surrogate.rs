//! Arguments of `wald surrogate`.

use std::path::PathBuf;

use clap::Args;
use wald::inference::Confidence;
use wald::{Measure, MeasureId};
use wald_gp::Kernel;
use wald_surrogate::{Settings, Source};

use super::groups::{DataArguments, OutputArguments, RunArguments};
use super::growing::GrowingArguments;
use super::known::{by_id, words};
use super::measures::{MeasureArguments, help_of_one};
use super::picture::PictureArguments;
use super::values;
use crate::failure::Failure;

/// What is measured unless a measure is named.
const USUAL: MeasureId = MeasureId::SobolMda;

/// Laws of inputs that are estimated from the runs.
const LAWS: &[(&str, Law)] = &[("copula", Law::Copula), ("independent", Law::Independent)];

/// A law of inputs that is estimated from the runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Law {
    Copula,
    Independent,
}

/// Measure importances from few runs of a smooth model, by a Gaussian process
///
/// A Gaussian process is fitted to the runs, a large sample of inputs is drawn, the process provides
/// the outputs, and the forest of this sample is measured beside the forest of the runs themselves. The
/// process is judged first: the verdict states which of both to believe. Intervals include the errors of
/// trees, rows and process.
#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  wald surrogate runs.csv --target stress
  wald surrogate runs.csv --target stress --inputs inputs.csv
  wald surrogate runs.csv --target stress --law independent --group load=fx,fy
  wald surrogate runs.csv --target stress --write sample.csv --format json")]
#[command(mut_arg("forest", |forest| forest.hide(true)))]
#[command(mut_arg("test", |test| test.hide(true)))]
#[command(mut_arg("background", |background| background.hide(true)))]
#[command(mut_arg("weights", |weights| weights.hide(true)))]
#[command(mut_arg("cluster", |cluster| cluster.hide(true)))]
#[command(mut_arg("measure", |measure| measure.value_name("ID[,ID...]").help(help_of_one("What to measure", USUAL))))]
#[command(mut_arg("svg", |svg| svg.help("\
Write a picture of both ways with their intervals to this file, as SVG")))]
pub(crate) struct SurrogateArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// A table of inputs for the large sample, with a column for every input of the runs: CSV
    /// (plain, gzip or zstd), Parquet or Arrow
    #[arg(long, value_name = "FILE", help_heading = "Sample", conflicts_with = "law")]
    pub(crate) inputs: Option<PathBuf>,
    /// How inputs of the sample are drawn: copula (as in the runs, with a Gaussian copula for their
    /// dependence) or independent [default: copula]
    #[arg(long, value_name = "LAW", value_parser = words(LAWS), help_heading = "Sample")]
    law: Option<Law>,
    /// Rows of the sample; of a table of inputs, at most so many
    #[arg(long, value_name = "N", default_value = "10000", value_parser = values::whole)]
    #[arg(help_heading = "Sample")]
    rows: usize,
    /// Write the sample, inputs and outputs, to this file: Parquet if its name ends in .parquet,
    /// CSV if it ends in .csv or has no ending
    #[arg(long, value_name = "PATH", help_heading = "Sample")]
    pub(crate) write: Option<PathBuf>,
    /// Correlations of the process: `matern_52`, `matern_32` or `squared_exponential`
    #[arg(long, value_name = "KERNEL", default_value = "matern_52", help_heading = "Process")]
    #[arg(value_parser = by_id(Kernel::ALL, Kernel::id))]
    kernel: Kernel,
    /// Starts of the search for the lengths and the noise of the process
    #[arg(long, value_name = "N", default_value_t = Settings::default().n_starts)]
    #[arg(value_parser = values::whole, help_heading = "Process")]
    starts: usize,
    /// Functions drawn from the process, for its error
    #[arg(long, value_name = "N", default_value = "20", value_parser = values::whole)]
    #[arg(help_heading = "Process")]
    draws: usize,
    /// Write a page (HTML) with the verdict, both ways, and how the process was judged
    #[arg(long, value_name = "PATH", help_heading = "Output")]
    pub(crate) html: Option<PathBuf>,
    /// Confidence level of the intervals
    #[arg(long, value_name = "P", default_value = "0.9", value_parser = values::number)]
    #[arg(help_heading = "Output")]
    confidence: f64,
    #[command(flatten)]
    pub(crate) measures: MeasureArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) picture: PictureArguments,
    #[command(flatten)]
    pub(crate) growing: GrowingArguments,
    #[command(flatten)]
    pub(crate) run: RunArguments,
}

impl SurrogateArguments {
    /// The settings and the measures, checked as far as that can be done without the data.
    pub(crate) fn settings(&self) -> Result<(Settings, Vec<Measure>), Failure> {
        self.measures.refuse_forest("surrogate")?;
        let forest = self.growing.config(self.run.seed)?;
        self.measures.check_blocks(forest.n_trees)?;
        let measures = self.measures.of_training_rows(USUAL, self.run.seed)?;
        let settings = Settings {
            kernel: self.kernel,
            n_starts: self.starts,
            n_rows: self.rows,
            n_draws: self.draws,
            forest,
            confidence: Confidence::new(self.confidence)?,
        };
        settings.validate()?;
        Ok((settings, measures))
    }

    /// The law of inputs, where they are not in a file.
    pub(crate) fn source(&self) -> Source<'static> {
        match self.law.unwrap_or(Law::Copula) {
            Law::Copula => Source::Copula,
            Law::Independent => Source::Independent,
        }
    }
}
