//! What a report is made from.

use crate::making::Parts;
use crate::report::ReportNotice;
use wald::data::Dataset;
use wald::forest::ForestConfig;
use wald::measure::Measure;
use wald::pass::Measured;

/// What a report is made from.
#[derive(Debug, Clone)]
pub struct ReportInput<'a> {
    /// The data the forest was grown on.
    pub data: &'a Dataset,
    /// What was measured.
    pub measured: &'a Measured,
    /// The measures, in the order of `measured.importances`.
    pub measures: &'a [Measure],
    /// What there is beside rankings.
    pub parts: Parts,
    /// How the forest was grown; `None` for a foreign forest.
    pub config: Option<&'a ForestConfig>,
    /// Name of the file.
    pub source: String,
    /// Rows in the file, before rows were left out.
    pub n_rows_read: usize,
    /// What the reader should know about the table.
    pub notices: Vec<ReportNotice>,
    /// The command that repeats the report.
    pub command: String,
    /// The day, as `2026-11-21`.
    pub date: String,
}
