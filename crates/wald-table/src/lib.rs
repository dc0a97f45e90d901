//! Tables for wald: CSV, Parquet and Arrow files become data sets.
//!
//! The data flow is [`read`] (bytes to [`Table`]) and [`prepare`] ([`Table`] to
//! [`wald::Dataset`]); [`prepare_new`] turns a table of new rows into the features that a
//! forest expects. Every refusal is a [`TableError`] that names file, line, column and value;
//! every decision is reported in a note or a [`Notice`]. [`mod@file`] writes results safely.

mod about;
mod arrow;
mod cell;
mod columnar;
mod content;
mod csv;
mod dates;
mod decode;
mod design;
mod digits;
mod error;
pub mod file;
mod infer;
mod level_order;
mod levels;
mod memory;
mod mixed;
mod names;
mod new_rows;
mod notice;
mod options;
mod origin;
mod parquet;
mod read;
mod remarks;
mod table;
mod temporary;
mod text_cells;
mod write;

pub use design::{
    DesignOptions, LikelyTarget, Missing, Prepared, WeightKind, likely_targets, prepare, remarks_on,
};
pub use error::{ErrorClass, Place, TableError, escape, escape_controls};
pub use infer::reading_of;
pub use level_order::sorted_levels;
pub use memory::free as free_memory;
pub use mixed::Reading;
pub use new_rows::{
    ExpectedColumn, ExpectedKind, NewRows, expected_columns, prepare_new, prepare_test,
    read_options_for, read_options_for_test,
};
pub use notice::{Notice, NoticeKind};
pub use options::{Infinite, ReadOptions};
pub use read::read;
pub use table::{Table, TableColumn, Values};
pub use write::{FrameFormat, FrameWriter};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
