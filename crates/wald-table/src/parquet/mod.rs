//! Parquet files.
//!
//! The reader of the `parquet` crate works on a thread of its own: damaged files make it panic
//! or recurse deeply, and neither may take the program down.

mod columns;
mod kinds;

use std::fs::File;
use std::sync::Once;
use wald::{message, setting};

use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::ParquetMetaData;
use ::parquet::file::reader::{FileReader, SerializedFileReader};

use wald::words::counted;

use crate::about::About;
use crate::csv::check_names;
use crate::error::{ErrorClass, TableError, escape, escape_controls};
use crate::infer::Inferred;
use crate::options::ReadOptions;
use crate::origin::Origin;
use crate::parquet::columns::{ColumnCells, Forced};
use crate::parquet::kinds::Kind;
use crate::table::{RowPlaces, Table, TableColumn};

/// Name of the thread whose panics are turned into errors.
const THREAD: &str = "wald-parquet";

/// Stack of that thread; schemas may be nested as deeply as the footer is long.
const STACK: usize = 64 << 20;

/// Rows are addressed by u32, and `u32::MAX` is kept as a mark.
const MOST_ROWS: u64 = u32::MAX as u64 - 1;

/// A table of this size is always accepted.
const MODEST_BYTES: u64 = 1 << 30;

/// No real table grows more than this when it is unpacked; a hostile one may.
const MOST_GROWTH: u64 = 2000;

/// Reads a Parquet file of flat columns.
pub(crate) fn read(origin: &Origin, options: &ReadOptions) -> Result<Table, TableError> {
    silence_panics();
    let outcome = std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name(THREAD.to_owned()).stack_size(STACK);
        let worker = builder.spawn_scoped(scope, || read_on_this_thread(origin, options));
        match worker {
            Ok(worker) => worker.join().ok(),
            Err(error) => Some(Err(origin.cannot_read(&error))),
        }
    });
    outcome.unwrap_or_else(|| Err(damaged(origin, "its parts contradict each other")))
}

/// Keeps the panics of the reading thread, which become errors, from the screen.
fn silence_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if std::thread::current().name() != Some(THREAD) {
                previous(panic);
            }
        }));
    });
}

fn read_on_this_thread(origin: &Origin, options: &ReadOptions) -> Result<Table, TableError> {
    let reader = SerializedFileReader::new(origin.rewound()?)
        .map_err(|error| damaged(origin, &words(&error)))?;
    let metadata = reader.metadata();
    let root = metadata.file_metadata().schema_descr();
    let fields = root.root_schema().get_fields();
    let names: Vec<String> = fields.iter().map(|field| field.name().to_owned()).collect();
    check_names(&names).map_err(|error| error.file(origin.name()))?;
    let n_rows = n_rows(metadata, origin, names.len(), options.memory)?;
    check_ranges(metadata, origin)?;
    let places = RowPlaces::Rows;
    let mut columns = Vec::with_capacity(names.len());
    for (index, name) in names.into_iter().enumerate() {
        let leaves: Vec<usize> = (0..root.num_columns())
            .filter(|&leaf| root.get_column_root_idx(leaf) == index)
            .collect();
        let about = About {
            file: origin.name(),
            column: &name,
            places: &places,
            decimal: b'.',
            infinite: options.infinite,
        };
        let is_flat = fields[index].is_primitive();
        let (values, notices) = match leaves.as_slice() {
            [leaf] if is_flat && root.column(*leaf).max_rep_level() == 0 => {
                let forced = Forced::of(&name, options);
                read_column(&reader, *leaf, forced, origin, &about)?
            }
            _ => (Err(nested(&about)), Vec::new()),
        };
        columns.push(TableColumn { name, values, notices });
    }
    Ok(Table {
        source: origin.name().to_owned(),
        columns,
        n_rows: n_rows as usize,
        notes: vec!["the file is a Parquet file".to_owned()],
        places,
    })
}

/// The number of rows, checked against what the file can hold.
fn n_rows(
    metadata: &ParquetMetaData,
    origin: &Origin,
    n_columns: usize,
    memory: Option<u64>,
) -> Result<u64, TableError> {
    let contradiction = || damaged(origin, "its row counts contradict each other");
    let mut n_rows = 0_u64;
    for group in metadata.row_groups() {
        let rows = u64::try_from(group.num_rows()).map_err(|_| contradiction())?;
        n_rows = n_rows.checked_add(rows).ok_or_else(contradiction)?;
    }
    if u64::try_from(metadata.file_metadata().num_rows()) != Ok(n_rows) {
        return Err(contradiction());
    }
    if n_rows == 0 {
        return Err(TableError::data("the table has columns but no rows", "add rows of data")
            .file(origin.name()));
    }
    let bytes = n_rows.saturating_mul(8).saturating_mul(n_columns as u64);
    let bound = MODEST_BYTES.max(origin.length()?.saturating_mul(MOST_GROWTH));
    if n_rows > MOST_ROWS || bytes > bound {
        return Err(TableError::new(
            ErrorClass::TooLarge,
            format!("the file claims {}, more than can be held", counted(n_rows as usize, "row")),
            "use a sample of the rows; if the file should be smaller, it is damaged",
        )
        .file(origin.name()));
    }
    // Text takes half as much as numbers, besides its levels.
    if memory.is_some_and(|memory| bytes / 2 > memory) {
        let what = format!(
            "the table of {} needs more memory than is free",
            counted(n_rows as usize, "row")
        );
        let help = "use a sample of the rows, or fewer columns";
        return Err(TableError::new(ErrorClass::TooLarge, what, help).file(origin.name()));
    }
    Ok(n_rows)
}

/// Refuses columns that claim to lie outside the file, before memory is set aside for them.
fn check_ranges(metadata: &ParquetMetaData, origin: &Origin) -> Result<(), TableError> {
    let length = origin.length()?;
    for group in metadata.row_groups() {
        for column in group.columns() {
            let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
            let end = start.checked_add(column.compressed_size());
            let fits = start >= 0
                && column.compressed_size() >= 0
                && end.is_some_and(|end| end as u64 <= length);
            if !fits {
                return Err(damaged(origin, "a column lies outside the file"));
            }
        }
    }
    Ok(())
}

/// Reads one column from all row groups.
fn read_column(
    reader: &SerializedFileReader<File>,
    leaf: usize,
    forced: Forced,
    origin: &Origin,
    about: &About<'_>,
) -> Result<Inferred, TableError> {
    let metadata = reader.metadata();
    let Some(kind) = Kind::of(&metadata.file_metadata().schema_descr().column(leaf)) else {
        return Ok((Err(unsupported(about)), Vec::new()));
    };
    let broken = |error: &ParquetError| damaged(origin, &words(error)).column(about.column);
    let mut cells = ColumnCells::new(kind, forced);
    for group in 0..metadata.num_row_groups() {
        let expected = metadata.row_group(group).num_rows() as usize;
        let before = cells.len();
        let chunk = reader
            .get_row_group(group)
            .and_then(|group| group.get_column_reader(leaf))
            .map_err(|error| broken(&error))?;
        cells
            .read_chunk(chunk, expected, &mut || origin.check_stop().is_err())
            .map_err(|error| broken(&error))?;
        origin.check_stop()?;
        if cells.len() - before != expected {
            return Err(damaged(origin, "a column has another number of rows than the file")
                .column(about.column));
        }
    }
    Ok(cells.finish(about))
}

fn damaged(origin: &Origin, why: &str) -> TableError {
    TableError::data(
        format!("the Parquet file cannot be read: {why}"),
        "write the file again; if that fails too, write it as CSV",
    )
    .file(origin.name())
}

/// The reader's own words, made safe.
fn words(error: &ParquetError) -> String {
    let text = error.to_string();
    let words = text.split_once(": ").map_or(text.as_str(), |(_, words)| words);
    escape_controls(words.trim_end_matches('.'))
}

fn nested(about: &About<'_>) -> TableError {
    TableError::data(
        format!("column \"{}\" is nested (a list, map or structure)", escape(about.column)),
        message!("write one column per value, or leave it out", setting::EXCLUDE.hint()),
    )
    .file(about.file)
    .column(about.column)
}

fn unsupported(about: &About<'_>) -> TableError {
    TableError::data(
        format!("column \"{}\" holds raw bytes, not numbers or text", escape(about.column)),
        message!("write it as numbers or text, or leave it out", setting::EXCLUDE.hint()),
    )
    .file(about.file)
    .column(about.column)
}
