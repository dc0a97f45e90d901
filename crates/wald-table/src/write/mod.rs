//! Long tables of results as files.

mod csv;
mod format;
mod parquet;
mod writer;

pub use format::FrameFormat;
pub use writer::FrameWriter;
