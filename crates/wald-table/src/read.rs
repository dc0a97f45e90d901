//! From a path to a table.

use std::path::Path;

use crate::content::Container;
use crate::error::TableError;
use crate::options::ReadOptions;
use crate::origin::Origin;
use crate::table::Table;
use crate::{arrow, csv, parquet};

/// Reads a CSV (plain, gzip or zstd), Parquet or Arrow table; the path `-` is the standard input.
///
/// The format is detected from the content. Separator, quote, encoding and types are inferred; what
/// was decided is reported in [`Table::notes`] and in the notices of the columns. A column whose cells
/// contradict each other is an error only when it is used.
///
/// # Errors
/// When the file cannot be read or is not a table; the error names the place.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Table, TableError> {
    let origin = Origin::open(path, options.stop.as_ref())?;
    let head = origin.head(64)?;
    let container = Container::of(&head).map_err(|error| error.file(origin.name()))?;
    match container {
        Container::Plain => csv::read(&origin, None, options),
        Container::Packed(packing) => csv::read(&origin, Some(packing), options),
        Container::Parquet => parquet::read(&origin, options),
        Container::Arrow => arrow::read(&origin, options),
    }
}
