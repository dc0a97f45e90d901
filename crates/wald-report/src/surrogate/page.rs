//! The content of a page on a surrogate.

use serde::Serialize;
use wald::inference::Interval;
use wald_surrogate::{Errors, Explained, Outside, Way};

use crate::report::{Citation, ReportNotice};

/// Importances of a forest of runs, beside those of a sample of a Gaussian process.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SurrogateReport {
    /// Heading, for example `What matters for y`.
    pub title: String,
    /// The version of wald.
    pub version: String,
    /// The day it was made, as `2026-11-21`.
    pub date: String,
    /// The command that repeats it.
    pub command: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Name of the target.
    pub target: String,
    /// Name of the file of runs.
    pub source: String,
    /// Number of runs.
    pub n_runs: usize,
    /// Number of inputs.
    pub n_inputs: usize,
    /// Shares of the variance that are explained.
    pub explained: Explained,
    /// The way to believe.
    pub believed: Way,
    /// Which way to believe, as a sentence.
    pub verdict: String,
    /// Why, as a sentence.
    pub reason: String,
    /// What the reader should know besides.
    pub notices: Vec<ReportNotice>,
    /// The importances, by measure.
    pub measures: Vec<TwoWays>,
    /// What the importances are, as sentences.
    pub about: Vec<String>,
    /// The probability of intervals, for example `90 %`.
    pub confidence: String,
    /// How far the process is to be believed.
    pub judgements: Vec<Judgement>,
    /// Runs, each predicted from all others.
    pub left_out: Vec<LeftOut>,
    /// Rows of the sample.
    pub n_rows: usize,
    /// Where its inputs come from, as a sentence.
    pub inputs: String,
    /// Inputs that leave the range of the runs, with the shares of rows.
    pub outside: Vec<Outside>,
    /// One paragraph that can be pasted into a paper.
    pub methods: String,
    /// The works that the paragraph cites.
    pub citations: Vec<Citation>,
}

/// One measure, both ways.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TwoWays {
    /// Identifier.
    pub id: String,
    /// Name in words.
    pub name: String,
    /// What it estimates.
    pub estimand: String,
    /// Unit of the values.
    pub unit: String,
    /// The variables, the most important first by the way to believe.
    pub values: Vec<Value>,
    /// What deserves a second look.
    pub notes: Vec<String>,
}

/// The importances of one variable or group, both ways.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Value {
    /// The variable.
    pub name: String,
    /// By the forest of the sample.
    pub two_step: Option<f64>,
    /// Standard errors of that, by reason.
    pub errors: Option<Errors>,
    /// An interval for all of them.
    pub interval: Option<Interval<f64>>,
    /// By the forest of the runs.
    pub direct: Option<f64>,
    /// An interval for its finite number of trees alone.
    pub direct_interval: Option<Interval<f64>>,
    /// The total Sobol index of the process itself, without a forest.
    pub exact: Option<f64>,
}

/// A number that judges the process.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judgement {
    /// What it is.
    pub name: String,
    /// The number; `None` where undefined.
    pub value: Option<f64>,
    /// How to read it, as a sentence.
    pub reading: String,
}

/// A run that was predicted from all others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LeftOut {
    /// Its output.
    pub output: f64,
    /// The prediction.
    pub predicted: f64,
}
