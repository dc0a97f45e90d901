//! What files with typed columns, Parquet and Arrow, have in common.

mod cells;
mod file;
mod kind;

pub(crate) use cells::{ColumnCells, Forced};
pub(crate) use file::TypedFile;
pub(crate) use kind::Kind;
