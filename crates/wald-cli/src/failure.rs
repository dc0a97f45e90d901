//! Why a command ends without a result: one shape for every message, one place for exit codes.

use crate::wording::CommandLine;
use std::io;
use std::path::Path;

use wald_table::{TableError, escape, escape_controls};

/// Options cannot be understood or contradict each other.
pub(crate) const USAGE: u8 = 2;
const BAD_DATA: u8 = 3;
const BAD_FOREST: u8 = 4;
const CANNOT_READ_OR_WRITE: u8 = 5;
const TOO_LARGE: u8 = 6;
/// A defect of wald itself (`EX_SOFTWARE` of sysexits.h).
const INTERNAL: u8 = 70;
/// As shells report a program that SIGINT ended.
const INTERRUPTED: u8 = 130;

/// What exit codes stand for.
pub(crate) const EXIT_CODES: &[(u8, &str)] = &[
    (0, "all went well"),
    (USAGE, "options cannot be understood, contradict each other, or do not fit the data"),
    (BAD_DATA, "a table cannot be used"),
    (BAD_FOREST, "a forest, or another stored state, cannot be used"),
    (CANNOT_READ_OR_WRITE, "a file cannot be read or written"),
    (TOO_LARGE, "the work needs more memory than is free"),
    (INTERNAL, "a defect of wald"),
    (INTERRUPTED, "interrupted"),
];

/// What is wrong, where, and how to mend it; every text is safe to print on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) exit_code: u8,
    pub(crate) what: String,
    /// File, line and column, as far as they are known.
    pub(crate) place: Option<String>,
    /// The offending text.
    pub(crate) value: Option<String>,
    /// Empty where nothing helps.
    pub(crate) help: String,
}

impl Failure {
    fn new(exit_code: u8, what: impl AsRef<str>, help: impl AsRef<str>) -> Self {
        Self {
            exit_code,
            what: escape_controls(what.as_ref()),
            place: None,
            value: None,
            help: escape_controls(help.as_ref()),
        }
    }

    /// Options cannot be understood or contradict each other.
    pub(crate) fn usage(what: impl AsRef<str>, help: impl AsRef<str>) -> Self {
        Self::new(USAGE, what, help)
    }

    /// A file cannot be read or written.
    pub(crate) fn file(doing: &str, path: &Path, error: &io::Error) -> Self {
        let help = match error.kind() {
            io::ErrorKind::NotFound if doing == "read" => "check the name and the folder",
            io::ErrorKind::NotFound => "check the path; the folder must exist",
            io::ErrorKind::PermissionDenied => "check the permissions of the file and its folder",
            io::ErrorKind::IsADirectory => "give a file, not a folder",
            io::ErrorKind::StorageFull => "free some space, or write to another disk",
            _ => "",
        };
        let what = match error.kind() {
            io::ErrorKind::NotFound if doing == "read" => "there is no such file".to_owned(),
            _ => format!("cannot {doing} the file: {}", reason(error)),
        };
        Self::new(CANNOT_READ_OR_WRITE, what, help).at_file(&path.to_string_lossy())
    }

    /// The standard output cannot be written.
    pub(crate) fn stdout(error: &io::Error) -> Self {
        let what = format!("cannot write to the standard output: {}", reason(error));
        Self::new(CANNOT_READ_OR_WRITE, what, "")
    }

    /// A defect of wald.
    pub(crate) fn internal(what: &str) -> Self {
        let help = format!("please report it, with the command and `wald {}`", wald_version());
        Self::new(INTERNAL, format!("internal error: {what}"), help)
    }

    /// Whether the work was asked to stop.
    pub(crate) fn is_interruption(&self) -> bool {
        self.exit_code == INTERRUPTED
    }

    /// As [`Failure::at_file`], where the data and not the options are at fault.
    pub(crate) fn at_data_file(self, file: &str) -> Self {
        if self.exit_code == BAD_DATA { self.at_file(file) } else { self }
    }

    pub(crate) fn value(mut self, value: &str) -> Self {
        self.value = Some(escape(value));
        self
    }

    /// Names the file, where no place is named yet; a column stays named.
    pub(crate) fn at_file(mut self, file: &str) -> Self {
        let file = escape_controls(file);
        self.place = Some(match self.place {
            Some(column) if column.starts_with("column ") => format!("{file}, {column}"),
            Some(place) => place,
            None => file,
        });
        self
    }
}

/// The version of this program.
pub(crate) fn wald_version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The system's words without its error number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut characters = text.chars();
    let first = characters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(characters).collect()
}

impl From<wald::Error> for Failure {
    fn from(error: wald::Error) -> Self {
        let exit_code = match error {
            wald::Error::Data { .. } => BAD_DATA,
            wald::Error::ForestFile { .. } | wald::Error::State { .. } => BAD_FOREST,
            wald::Error::TooLarge { .. } => TOO_LARGE,
            wald::Error::Inconsistent { .. } => INTERNAL,
            wald::Error::Cancelled => INTERRUPTED,
            _ => USAGE,
        };
        let wald::WordedError { what, help } = error.worded(&CommandLine);
        let mut failure = Self::new(exit_code, what, help);
        failure.place = error.column().map(|column| format!("column \"{}\"", escape(column)));
        failure
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        let mut place = error.file.as_deref().unwrap_or_default().to_owned();
        if let Some(line) = error.line {
            place.push_str(&format!(":{line}"));
        }
        let row = error.row.map(|row| format!("row {row}"));
        let column = error.column.as_deref().map(|column| format!("column \"{column}\""));
        for part in row.into_iter().chain(column) {
            if !place.is_empty() {
                place.push_str(", ");
            }
            place.push_str(&part);
        }
        Self {
            exit_code: error.class.exit_code(),
            what: error.what.worded(&CommandLine),
            place: (!place.is_empty()).then_some(place),
            value: error.value.map(Into::into),
            help: error.help.worded(&CommandLine),
        }
    }
}

impl From<wald_html::RenderError> for Failure {
    fn from(error: wald_html::RenderError) -> Self {
        Self::internal(&error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_short() {
        let error = io::Error::from_raw_os_error(2);
        assert_eq!(reason(&error), "no such file or directory");
    }

    #[test]
    fn a_column_keeps_its_place_when_the_file_is_named() {
        let mut failure = Failure::usage("what", "help");
        failure.place = Some("column \"a\"".to_owned());
        assert_eq!(failure.at_file("f.csv").place.as_deref(), Some("f.csv, column \"a\""));
    }
}
