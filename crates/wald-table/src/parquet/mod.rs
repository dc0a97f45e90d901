//! Parquet files.

mod columns;
mod kinds;

use std::fs::File;

use ::parquet::file::metadata::ParquetMetaData;
use ::parquet::file::reader::{FileReader, SerializedFileReader};

use crate::columnar::{ColumnCells, Forced, TypedFile};
use crate::csv::check_names;
use crate::error::TableError;
use crate::infer::Inferred;
use crate::options::ReadOptions;
use crate::origin::Origin;
use crate::parquet::columns::read_chunk;
use crate::parquet::kinds::kind;
use crate::table::{Table, TableColumn};

/// Reads a Parquet file of flat columns.
pub(crate) fn read(origin: &Origin, options: &ReadOptions) -> Result<Table, TableError> {
    TypedFile { format: "Parquet", origin, options }.read(read_columns)
}

fn read_columns(file: TypedFile<'_>) -> Result<Table, TableError> {
    let origin = file.origin;
    let reader =
        SerializedFileReader::new(origin.rewound()?).map_err(|error| file.broken(&error))?;
    let metadata = reader.metadata();
    let root = metadata.file_metadata().schema_descr();
    let fields = root.root_schema().get_fields();
    let names: Vec<String> = fields.iter().map(|field| field.name().to_owned()).collect();
    check_names(&names).map_err(|error| error.file(origin.name()))?;
    let n_rows = n_rows(metadata, file)?;
    file.check_rows(n_rows, names.len())?;
    check_ranges(metadata, file)?;
    let mut columns = Vec::with_capacity(names.len());
    for (index, name) in names.into_iter().enumerate() {
        let leaves: Vec<usize> = (0..root.num_columns())
            .filter(|&leaf| root.get_column_root_idx(leaf) == index)
            .collect();
        let is_flat = fields[index].is_primitive();
        let (values, notices) = match leaves.as_slice() {
            [leaf] if is_flat && root.column(*leaf).max_rep_level() == 0 => {
                read_column(&reader, *leaf, file, &name)?
            }
            _ => (Err(file.nested(&name)), Vec::new()),
        };
        columns.push(TableColumn { name, values, notices });
    }
    Ok(file.table(columns, n_rows))
}

/// The number of rows, on which all parts of the file have to agree.
fn n_rows(metadata: &ParquetMetaData, file: TypedFile<'_>) -> Result<u64, TableError> {
    let contradiction = || file.damaged("its row counts contradict each other");
    let mut n_rows = 0_u64;
    for group in metadata.row_groups() {
        let rows = u64::try_from(group.num_rows()).map_err(|_| contradiction())?;
        n_rows = n_rows.checked_add(rows).ok_or_else(contradiction)?;
    }
    if u64::try_from(metadata.file_metadata().num_rows()) != Ok(n_rows) {
        return Err(contradiction());
    }
    Ok(n_rows)
}

/// Refuses columns that claim to lie outside the file, before memory is set aside for them.
fn check_ranges(metadata: &ParquetMetaData, file: TypedFile<'_>) -> Result<(), TableError> {
    let length = file.origin.length()?;
    for group in metadata.row_groups() {
        for column in group.columns() {
            let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
            let end = start.checked_add(column.compressed_size());
            let fits = start >= 0
                && column.compressed_size() >= 0
                && end.is_some_and(|end| end as u64 <= length);
            if !fits {
                return Err(file.damaged("a column lies outside the file"));
            }
        }
    }
    Ok(())
}

/// Reads one column from all row groups.
fn read_column(
    reader: &SerializedFileReader<File>,
    leaf: usize,
    file: TypedFile<'_>,
    name: &String,
) -> Result<Inferred, TableError> {
    let metadata = reader.metadata();
    let Some(kind) = kind(&metadata.file_metadata().schema_descr().column(leaf)) else {
        return Ok((Err(file.unsupported(name, "raw bytes")), Vec::new()));
    };
    let mut cells = ColumnCells::new(kind, Forced::of(name, file.options));
    for group in 0..metadata.num_row_groups() {
        let expected = metadata.row_group(group).num_rows() as usize;
        let before = cells.len();
        let mut stop = || file.origin.check_stop().is_err();
        reader
            .get_row_group(group)
            .and_then(|group| group.get_column_reader(leaf))
            .and_then(|chunk| read_chunk(&mut cells, chunk, expected, &mut stop))
            .map_err(|error| file.broken(&error).column(name))?;
        file.origin.check_stop()?;
        if cells.len() - before != expected {
            let why = "a column has another number of rows than the file";
            return Err(file.damaged(why).column(name));
        }
    }
    Ok(cells.finish(&file.about(name)))
}
