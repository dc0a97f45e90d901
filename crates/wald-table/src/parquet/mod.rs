//! Parquet (in the making).
use crate::{ReadOptions, Table, TableError, origin::Origin};

pub(crate) fn read(origin: &Origin, _options: &ReadOptions) -> Result<Table, TableError> {
    Err(TableError::data("Parquet is not read yet", "write CSV").file(origin.name()))
}
