//! Helpers: tables from bytes, and errors as one comparable text.

use std::io::Write;
use wald::message::Neutral;

use wald::data::MISSING_LEVEL;
use wald_table::{DesignOptions, Prepared, ReadOptions, Table, TableError, Values, prepare, read};

/// Reads a table from a file with these bytes.
pub(crate) fn read_bytes(bytes: &[u8]) -> Result<Table, TableError> {
    read_with(bytes, &ReadOptions::default())
}

/// Reads a table from a file with these bytes and options.
pub(crate) fn read_with(bytes: &[u8], options: &ReadOptions) -> Result<Table, TableError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    read(file.path(), options)
}

/// Reads and prepares with the target `y`.
pub(crate) fn prepare_y(text: &str) -> Result<Prepared, TableError> {
    prepare_with(text, &DesignOptions { target: Some("y".into()), ..Default::default() })
}

/// Reads and prepares.
pub(crate) fn prepare_with(text: &str, options: &DesignOptions) -> Result<Prepared, TableError> {
    prepare(read_with(text.as_bytes(), &options.read_options())?, options)
}

/// Bytes compressed by gzip.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Bytes compressed by zstd, with a checksum.
pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The cells of a column as text; `-` where missing.
pub(crate) fn cells(table: &Table, name: &str) -> Vec<String> {
    match table.column(name).unwrap().values.as_ref().unwrap() {
        Values::Numeric { values, .. } => {
            let text = |value: &f64| if value.is_nan() { "-".into() } else { value.to_string() };
            values.iter().map(text).collect()
        }
        Values::Text { levels, codes } => {
            let text = |&code: &u32| match code {
                MISSING_LEVEL => "-".to_owned(),
                code => levels[code as usize].clone(),
            };
            codes.iter().map(text).collect()
        }
    }
}

/// Why a column cannot be used.
pub(crate) fn refusal(table: &Table, name: &str) -> TableError {
    table.column(name).unwrap().values.clone().unwrap_err()
}

/// An error without its file, as the command line would print it.
pub(crate) fn text(error: &TableError) -> String {
    let mut place = Vec::new();
    if let Some(line) = error.line {
        place.push(format!("line {line}"));
    }
    if let Some(row) = error.row {
        place.push(format!("row {row}"));
    }
    if let Some(column) = &error.column {
        place.push(format!("column {column}"));
    }
    if let Some(value) = &error.value {
        place.push(format!("value {value}"));
    }
    format!(
        "{} [{}] help: {}",
        error.what.worded(&Neutral),
        place.join(", "),
        error.help.worded(&Neutral)
    )
}

/// Checks each part of a message.
pub(crate) fn assert_told(error: &TableError, parts: &[&str]) {
    let text = text(error);
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing in: {text}");
    }
}

/// Messages of all notices.
pub(crate) fn messages(prepared: &Prepared) -> Vec<String> {
    prepared.notices.iter().map(|notice| notice.message.worded(&Neutral)).collect()
}
