//! Random forests and the importance of their variables.
//!
//! The data flow is `Dataset -> Forest -> measures (folds over its trees) -> Importance ->
//! Report`. The engine prints nothing, keeps no global state and contains no unsafe code;
//! seeds, threads and cancellation are arguments.

pub mod data;
mod error;
pub mod forest;
pub mod importance;
pub mod measure;
mod monitor;
mod random;
pub mod report;
mod threads;

pub use data::{Dataset, Features};
pub use error::Error;
pub use forest::{Forest, ForestConfig};
pub use importance::Importance;
pub use measure::{Measure, MeasureId};
pub use monitor::Monitor;
pub use threads::Threads;
