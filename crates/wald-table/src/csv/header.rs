//! Column names.

use std::collections::HashMap;

use crate::cell;
use crate::csv::records::Records;
use crate::error::{TableError, escape};
use crate::levels::BadText;

/// Why a header cannot be used.
#[derive(Debug)]
pub(crate) enum BadHeader {
    /// The bytes are no text.
    Text(BadText),
    /// The names cannot be used.
    Names(TableError),
}

/// The names in the current record.
pub(crate) fn names(records: &Records<'_>) -> Result<Vec<String>, BadHeader> {
    let mut names = Vec::with_capacity(records.len());
    for cell in records.cells() {
        let name = std::str::from_utf8(cell).map_err(|_| BadHeader::Text(BadText::NotUtf8))?;
        names.push(name.to_owned());
    }
    check_names(&names).map_err(BadHeader::Names)?;
    Ok(names)
}

/// Refuses empty names and names that occur twice.
pub(crate) fn check_names(names: &[String]) -> Result<(), TableError> {
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        let number = index + 1;
        if name.trim().is_empty() {
            return Err(TableError::data(
                format!("column {number} of {} has no name", names.len()),
                "name it in the header, or write the table without row names (`row.names = FALSE` in R, `index=False` in pandas)",
            ));
        }
        if let Some(first) = seen.insert(name, number) {
            return Err(TableError::data(
                format!("columns {first} and {number} have the same name \"{}\"", escape(name)),
                "rename one of them",
            )
            .column(name));
        }
    }
    Ok(())
}

/// A remark when the header looks like a row of data.
pub(crate) fn headerless_note(names: &[String], decimal: u8) -> Option<String> {
    let all_numbers = names.iter().all(|name| cell::number(name.as_bytes(), decimal).is_some());
    all_numbers.then(|| "all column names are numbers: is the header line missing?".to_owned())
}
