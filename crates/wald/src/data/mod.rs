//! Data sets: named columns, a target, and how rows count.

mod column;
mod dataset;
mod target;

pub use column::{Categories, Column, ColumnData, MISSING_LEVEL};
pub use dataset::{Dataset, Features};
pub use target::{Response, Target, Task};
