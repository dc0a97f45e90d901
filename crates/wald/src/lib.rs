//! Random forests and the importance of their variables.
//!
//! The data flow is `Dataset -> Forest -> measures (folds over its trees) -> Importance ->
//! Report`. The engine prints nothing, keeps no global state and contains no unsafe code;
//! seeds, threads and cancellation are arguments.

pub mod data;
mod error;
pub mod importance;
pub mod report;

pub use data::{Dataset, Features};
pub use error::Error;
pub use importance::Importance;
