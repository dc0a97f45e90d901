//! Random forests and the importance of their variables.
//!
//! The data flow is `Dataset -> Forest -> measures (folds over its trees) -> Importance`; the crate
//! `wald-report` makes a report of it. The engine prints nothing, keeps no global state, and its only unsafe
//! code is three small modules, for one kind of processor and one system; seeds, threads and cancellation
//! are arguments.
//!
//! ```
//! use wald::data::{Column, Target};
//! use wald::{Dataset, ForestConfig, Run};
//!
//! # fn main() -> Result<(), wald::Error> {
//! let x: Vec<f64> = (0..100).map(f64::from).collect();
//! let noise: Vec<f64> = (0..100_u32).map(|row| f64::from(row * 37 % 100)).collect();
//! let y = x.iter().map(|x| x * x).collect();
//! let columns = vec![Column::numeric("x", x)?, Column::numeric("noise", noise)?];
//! let data = Dataset::new(columns, Target::regression("y", y)?)?;
//!
//! let run = Run::all();
//! let config = ForestConfig { n_trees: 50, ..ForestConfig::default() };
//! let forest = wald::fit(data, &config, &run)?;
//! let found = forest.importance("mdi".parse()?, &run)?;
//! let ranking: Vec<&str> = found.ranking().map(|variable| variable.name).collect();
//! assert_eq!(ranking, ["x", "noise"]);
//! # Ok(())
//! # }
//! ```

#[doc(hidden)] // As `work`.
pub mod association;
mod cholesky;
mod counterfactual;
pub mod data;
mod decimal_mark;
pub mod digits;
pub mod document;
mod error;
pub mod explain;
mod fingerprint;
mod fitted;
mod folds;
pub mod forest;
pub mod frame;
pub mod grouping;
pub mod importance;
pub mod inference;
pub mod interactions;
mod loss;
pub mod masking;
pub mod measure;
mod measuring;
pub mod memory;
pub mod message;
pub mod options;
mod origin;
mod pages;
pub mod parts;
pub mod pass;
mod quantile;
mod random;
mod run;
pub mod selection;
pub mod setting;
pub mod simulate;
mod stump_ridge;
mod table_notes;
mod threads;
mod tree_shap;
pub mod weights;
pub mod words;
#[doc(hidden)] // Its items follow the needs of the crates beside the engine, not of users.
pub mod work;

pub use data::{Dataset, Features};
pub use decimal_mark::DecimalMark;
pub use error::{Error, WordedError};
pub use explain::{ExplanationId, ExplanationSettings};
pub use fitted::{Fitted, fit};
pub use forest::{Forest, ForestConfig};
pub use frame::Frame;
pub use importance::{Importance, RankedVariable};
pub use measure::{Measure, MeasureId};
pub use origin::Origin;
pub use run::{Progress, Run, Threads};
pub use selection::{Selection, SelectionConfig, select};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
