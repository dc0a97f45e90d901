//! Arrow files, which are Feather files of version 2.

mod columns;
mod kinds;
mod parts;

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::FileDecoder;
use arrow_ipc::root_as_footer;

use crate::arrow::kinds::kind;
use crate::arrow::parts::Parts;
use crate::columnar::{ColumnCells, Forced, TypedFile};
use crate::csv::check_names;
use crate::error::TableError;
use crate::options::ReadOptions;
use crate::origin::Origin;
use crate::table::{Table, TableColumn};

/// Reads an Arrow file of flat columns.
pub(crate) fn read(origin: &Origin, options: &ReadOptions) -> Result<Table, TableError> {
    TypedFile { format: "Arrow", origin, options }.read(read_columns)
}

fn read_columns(file: TypedFile<'_>) -> Result<Table, TableError> {
    let mut parts = Parts::of(file)?;
    let footer = parts.footer()?;
    let footer = root_as_footer(&footer).map_err(|_| file.damaged("its footer is damaged"))?;
    let schema = footer.schema().ok_or_else(|| file.damaged("it describes no columns"))?;
    if !schema.endianness().equals_to_target_endianness() {
        return Err(file.damaged("the bytes of its numbers are in the order of other machines"));
    }
    let schema = Arc::new(fb_to_schema(schema));
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    check_names(&names).map_err(|error| error.file(file.origin.name()))?;
    let cells =
        |(field, name)| Ok(ColumnCells::new(kind(field, file)?, Forced::of(name, file.options)));
    let mut columns: Vec<Result<ColumnCells, TableError>> =
        schema.fields().iter().map(AsRef::as_ref).zip(&names).map(cells).collect();
    let is_read = |&index: &usize| columns[index].is_ok();
    let read = (0..columns.len()).filter(is_read).collect();
    let mut decoder = FileDecoder::new(schema, footer.version()).with_projection(read);
    for block in footer.dictionaries().iter().flatten() {
        let (part, _) = parts.part(block)?;
        decoder.read_dictionary(block, &part).map_err(|error| file.broken(&error))?;
    }
    let mut n_rows = 0_u64;
    for block in footer.recordBatches().iter().flatten() {
        file.origin.check_stop()?;
        let (part, n_more) = parts.part(block)?;
        if n_more == 0 {
            continue;
        }
        n_rows = n_rows.saturating_add(n_more);
        file.check_rows(n_rows, names.len())?;
        let batch = decoder.read_record_batch(block, &part);
        let batch = batch.map_err(|error| file.broken(&error))?;
        let arrays = batch.iter().flat_map(RecordBatch::columns);
        for (cells, array) in columns.iter_mut().flatten().zip(arrays) {
            columns::add(cells, array).map_err(|error| file.broken(&error))?;
        }
    }
    file.check_rows(n_rows, names.len())?;
    let mut finished = Vec::with_capacity(names.len());
    for (name, cells) in names.into_iter().zip(columns) {
        let (values, notices) = match cells {
            Ok(cells) if cells.len() as u64 != n_rows => {
                let why = "a column has another number of rows than the file";
                return Err(file.damaged(why).column(&name));
            }
            Ok(cells) => cells.finish(&file.about(&name)),
            Err(error) => (Err(error), Vec::new()),
        };
        finished.push(TableColumn { name, values, notices });
    }
    Ok(file.table(finished, n_rows))
}
