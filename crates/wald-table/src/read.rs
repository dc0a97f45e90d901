//! From a path to a table.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::content::Container;
use crate::error::TableError;
use crate::origin::Origin;
use crate::table::Table;
use crate::{csv, parquet};

/// How to read a table.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Columns kept as text, with the spelling of the file, whatever they hold; names that the
    /// table does not have are ignored here and reported by [`crate::prepare`].
    pub categorical: Vec<String>,
    /// Columns read as numbers, whose other cells count as missing.
    pub numeric: Vec<String>,
    /// What becomes of infinite numbers.
    pub infinite: Infinite,
    /// Bytes that the table may take while it is read; unlimited when left out.
    pub memory: Option<u64>,
    /// Threads to use; as many as are useful when left out. They change nothing but the time.
    pub threads: Option<usize>,
    /// Reading ends soon after this becomes true.
    pub stop: Option<Arc<AtomicBool>>,
}

/// What to do with infinite numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Infinite {
    /// The column cannot be used.
    #[default]
    Refuse,
    /// They count as the largest number there is, and as its negative.
    Keep,
}

/// Reads a CSV (plain or gzip) or Parquet table; the path `-` is the standard input.
///
/// The format is told by the content. Separator, quote, encoding and types are inferred; what was
/// decided is said in [`Table::notes`] and in the notices of the columns. A column whose cells
/// contradict each other is an error only when it is used.
///
/// # Errors
/// When the file cannot be read or is not a table; the error names the place.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Table, TableError> {
    let origin = Origin::open(path, options.stop.as_ref())?;
    let head = origin.head(64)?;
    let container = Container::of(&head).map_err(|error| error.file(origin.name()))?;
    match container {
        Container::Plain => csv::read(&origin, false, options),
        Container::Gzip => csv::read(&origin, true, options),
        Container::Parquet => parquet::read(&origin, options),
    }
}
