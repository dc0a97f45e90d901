//! The content of a report.

use serde::Serialize;

use crate::advice::Advice;
use crate::answer::Answer;
use crate::explanations::Explanations;
use crate::parts::{DependenceMap, Disagreement, SelectionCurve, VariablePage};
use wald::data::Task;

/// The content of a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Heading, for example `What matters for benign`.
    pub title: String,
    /// The version of wald.
    pub version: String,
    /// The day it was made, as `2026-11-21`.
    pub date: String,
    /// The command that repeats it.
    pub command: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Regression or classification.
    pub task: Task,
    /// Name of the target.
    pub target: String,
    /// What predictions are, such as log-odds, where they are not the target or its probabilities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predictions: Option<String>,
    /// The table.
    pub data: DataSummary,
    /// The forest and how well it predicts.
    pub forest: ForestSummary,
    /// What matters for the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// The measures, the first one being the one the page leads with.
    pub measures: Vec<MeasureSummary>,
    /// Which measure answers which question here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<Advice>,
    /// Why the measures disagree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disagreement: Option<Disagreement>,
    /// Redundant variables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dependence: Option<DependenceMap>,
    /// Single variables, in the order of the measure the page leads with; those with most content.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<VariablePage>,
    /// How many variables are enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionCurve>,
    /// Explanations of single rows, if requested and possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanations: Option<Explanations>,
    /// One paragraph that can be pasted into a paper.
    pub methods: String,
    /// The works that the paragraph cites.
    pub citations: Vec<Citation>,
}

impl Report {
    /// What is predicted, in words: of a class its probability, else the target.
    pub fn predicted(&self, class: Option<&str>) -> String {
        match (class, &self.predictions) {
            (Some(class), _) => format!("{} of {class}", self.of_class()),
            (None, Some(words)) => format!("{words} of {}", self.target),
            (None, None) => self.target.clone(),
        }
    }

    /// What is predicted of a class.
    pub fn of_class(&self) -> &str {
        self.predictions.as_deref().unwrap_or("probability")
    }
}

/// The table behind a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DataSummary {
    /// Name of the file.
    pub source: String,
    /// Rows in the file.
    pub n_rows_read: usize,
    /// Rows the forest was grown on.
    pub n_rows: usize,
    /// Number of input variables.
    pub n_features: usize,
    /// Missing cells among the input variables of the rows used.
    pub n_missing: usize,
    /// The target's distribution.
    pub target: ColumnSummary,
    /// One entry per input variable, in the order of the table.
    pub columns: Vec<ColumnSummary>,
    /// What the reader should know about the table.
    pub notices: Vec<ReportNotice>,
}

/// One column of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnSummary {
    /// Its name.
    pub name: String,
    /// Missing cells.
    pub n_missing: usize,
    /// Number of distinct values.
    pub n_distinct: usize,
    /// Its values.
    #[serde(flatten)]
    pub kind: ColumnKind,
}

/// The distribution of a column.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ColumnKind {
    /// Numbers: extremes and mean (`None` when all are missing).
    Numeric {
        /// Smallest value.
        minimum: Option<f64>,
        /// Mean.
        mean: Option<f64>,
        /// Largest value.
        maximum: Option<f64>,
    },
    /// Levels: the most frequent ones with their counts.
    Categorical {
        /// At most five (level, count), by decreasing count.
        most_frequent: Vec<(String, usize)>,
    },
}

/// Something about the table that the reader should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReportNotice {
    /// A short word for the kind: `constant`, `id-like`, `leak`, `missing`, `note`.
    pub kind: String,
    /// The column concerned, where there is one.
    pub column: Option<String>,
    /// A sentence.
    pub message: String,
}

/// The forest behind a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ForestSummary {
    /// Number of trees.
    pub n_trees: usize,
    /// Mean number of leaves of a tree.
    pub mean_leaves: f64,
    /// Mean depth of a tree (edges from the root to its deepest leaf).
    pub mean_depth: f64,
    /// The settings, as (name, value) in the words of the command line.
    pub settings: Vec<(String, String)>,
    /// Rows that were out of bag at least once.
    pub n_rows_out_of_bag: usize,
    /// Out-of-bag errors as (loss, value).
    pub errors: Vec<NamedValue>,
    /// 1 - squared error / variance, out of bag; `None` where the target is constant.
    pub explained_variance: Option<f64>,
    /// Area under the receiver operating characteristic, out of bag; two classes only.
    pub auc: Option<f64>,
    /// Out-of-bag confusion matrix; `None` for regression.
    pub confusion: Option<Confusion>,
    /// Out-of-bag error after the first k trees, as (k, error).
    pub convergence: Vec<(usize, f64)>,
    /// Identifier of the loss of `convergence`.
    pub convergence_loss: String,
}

/// A number with the name of what it measures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NamedValue {
    /// Identifier, for example `squared`.
    pub id: String,
    /// In words, for example `mean squared error`.
    pub name: String,
    /// The number.
    pub value: f64,
}

/// How often each class was predicted as which.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Confusion {
    /// Class names.
    pub classes: Vec<String>,
    /// `counts[true class][predicted class]`.
    pub counts: Vec<Vec<u64>>,
}

/// One measure, for all variables.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeasureSummary {
    /// Identifier, for example `mda_breiman_cutler`.
    pub id: String,
    /// Its name in words.
    pub name: String,
    /// What it estimates.
    pub estimand: String,
    /// What to beware of.
    pub caveat: String,
    /// Paper and equation.
    pub source: String,
    /// Which rows it looked at, in words.
    pub data: String,
    /// Unit of the values, in words.
    pub unit: String,
    /// True when small values mean important.
    pub small_is_important: bool,
    /// What standard errors are taken over, in words; `None` where there are none.
    pub errors_over: Option<String>,
    /// What the interval covers, in words; `None` where there are no intervals.
    pub interval: Option<String>,
    /// What intervals over samples of rows cover, and how they were found, in words; `None` where
    /// they were not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampling: Option<String>,
    /// Of which hypothesis the p-values are, and what they rest on, in words; `None` where there
    /// are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub null: Option<String>,
    /// One entry per variable, by decreasing importance.
    pub ranking: Vec<RankedVariable>,
    /// Remarks of the measure.
    pub notes: Vec<String>,
}

/// One variable in a ranking.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankedVariable {
    /// 1 for the most important one.
    pub rank: usize,
    /// Name of the variable.
    pub name: String,
    /// The value; `None` where undefined.
    pub value: Option<f64>,
    /// Monte-Carlo standard error, over what [`MeasureSummary::errors_over`] names.
    pub standard_error: Option<f64>,
    /// p-value of the hypothesis that the variable is irrelevant, where the measure has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_value: Option<f64>,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
    /// What other rows of the same population would change, where that was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampling: Option<SampledVariable>,
}

/// How sure the importance of a variable is, over forests and over samples of rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SampledVariable {
    /// Standard error of the rows in the table, without that of the trees.
    pub standard_error: f64,
    /// Lower end of the interval for both errors together.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The best rank that the table does not rule out; `None` where ranks were not compared.
    pub lowest_rank: Option<usize>,
    /// The worst one.
    pub highest_rank: Option<usize>,
}

/// A work that the methods paragraph cites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Citation {
    /// Key, for example `breiman2001`.
    pub key: String,
    /// The full reference as a line of text.
    pub text: String,
    /// The same as an entry of BibTeX.
    pub bibtex: String,
}
