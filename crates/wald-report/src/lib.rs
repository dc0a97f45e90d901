//! The plain data of a report: every number that the HTML page shows.
//!
//! The page renders this and computes nothing; the command line writes the same numbers. [`advice`]
//! finds which measure answers which question, [`Parts`] what stands beside rankings, and
//! [`Report::build`] gathers all of it with the works to cite.
//!
//! ```
//! use wald::data::{Column, Target};
//! use wald::forest::Keep;
//! use wald::{Dataset, Forest, ForestConfig, MeasureId, Run};
//! use wald_report::advice::{AdviceInput, AdviceSettings, advise};
//!
//! # fn main() -> Result<(), wald::Error> {
//! let x: Vec<f64> = (0..100).map(f64::from).collect();
//! let noise: Vec<f64> = (0..100_u32).map(|row| f64::from(row * 37 % 100)).collect();
//! let y = x.iter().map(|x| 2.0 * x).collect();
//! let columns = vec![Column::numeric("x", x)?, Column::numeric("noise", noise)?];
//! let data = Dataset::new(columns, Target::regression("y", y)?)?;
//!
//! let run = Run::all();
//! let config = ForestConfig { n_trees: 50, ..ForestConfig::default() };
//! let grown = Forest::grow_and_measure(&data, &config, &[], Keep::Nothing, &run)?;
//! let allowed = MeasureId::allowed_when_grown(&config);
//! let input = AdviceInput {
//!     data: &data,
//!     measured: &grown.measured,
//!     config: Some(&config),
//!     target: None,
//!     allowed: &allowed,
//!     wording: &wald::message::Neutral,
//! };
//! let advice = advise(&input, AdviceSettings::default(), &run)?;
//! assert!(advice.findings.iter().any(|finding| finding.id == "dependence"));
//! # Ok(())
//! # }
//! ```

pub mod advice;
mod answer;
mod bibtex;
mod build;
mod explanations;
mod input;
mod leading;
mod making;
mod methods;
mod parts;
mod report;

pub use answer::{Adds, Answer, AnswerEntry};
pub use build::forest_settings;
pub use explanations::{
    Cells, Contribution, DependencePart, ExplainedOutput, ExplainedRows, ExplainedVariable,
    Explanations, Outcome, PartValues, VariableValues, Waterfall,
};
pub use input::ReportInput;
pub use leading::{LEADING, unasked};
pub use making::{Depth, Parts, PartsInput};
pub use parts::{
    Curve, CurvePlaces, Decomposition, DependenceMap, Disagreement, Distribution, MaskingPoint,
    Merge, Overfitting, Partner, SelectionCurve, SelectionPoint, VariableDisagreement,
    VariablePage,
};
pub use report::{
    Citation, ColumnKind, ColumnSummary, Confusion, DataSummary, ForestSummary, MeasureSummary,
    NamedValue, RankedVariable, Report, ReportNotice, SampledVariable,
};
