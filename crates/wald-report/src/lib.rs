//! The plain data of a report: every number that the HTML page shows.
//!
//! A [`Study`] is a table with a forest and what was measured of it; every front makes one, and asks
//! it for advice and reports. [`advice`] finds which measure answers which question, [`Parts`] what
//! stands beside rankings, and [`Report::build`] gathers all of it with the works to cite. The page
//! renders that and computes nothing; the command line writes the same numbers.
//!
//! ```
//! use std::sync::Arc;
//!
//! use wald::data::{Column, Target};
//! use wald::{Dataset, ForestConfig, Origin, Run};
//! use wald_report::advice::{AdviceSettings, advise, measures};
//! use wald_report::{Depth, Quiet, Study};
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
//! let front = Quiet { run: &run, wording: &wald::message::Neutral, free: None };
//! let (data, origin) = (Arc::new(data), Origin::Settings(&config));
//! let study = Study::new(&data, origin, measures(origin, &data), Depth::Importances, &front)?;
//! let advice = advise(&study, AdviceSettings::default(), &front)?;
//! assert!(advice.findings.iter().any(|finding| finding.id == "dependence"));
//! # Ok(())
//! # }
//! ```

pub mod advice;
mod answer;
mod bibtex;
mod build;
mod explanations;
mod leading;
mod making;
mod methods;
mod parts;
mod report;
mod study;
mod surrogate;

pub use answer::{Adds, Answer, AnswerEntry, FirstOrder};
pub use build::{Page, forest_settings};
pub use explanations::{
    Cells, Contribution, DependencePart, ExplainedOutput, ExplainedRows, ExplainedVariable,
    Explanations, Outcome, PartValues, VariableValues, Waterfall,
};
pub use leading::{LEADING, unasked};
pub use making::{Content, Parts};
pub use parts::{
    Curve, CurvePlaces, Decomposition, DependenceMap, Disagreement, Distribution, MaskingPoint,
    Merge, Overfitting, Partner, SelectionCurve, SelectionPoint, VariableDisagreement,
    VariablePage,
};
pub use report::{
    Citation, ColumnKind, ColumnSummary, Confusion, DataSummary, ForestSummary, MeasureSummary,
    NamedValue, RankedVariable, Report, ReportNotice, SampledVariable,
};
pub use study::{
    Choice, Depth, Front, Growing, Quiet, Study, WantedMeasures, check_room, leading_measures,
    watched,
};
pub use surrogate::{Judgement, LeftOut, SurrogateReport, TwoWays, Value};
