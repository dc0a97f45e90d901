//! Errors of the engine as exceptions of the package (`wald/errors.py`).

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::sharing::Divided;
use crate::wording::{self, Arguments};

/// The name of the exception that an error becomes.
fn class_of(error: &wald::Error) -> &'static str {
    match error {
        wald::Error::Data { .. } => "DataError",
        wald::Error::Setting { .. } => "SettingError",
        wald::Error::ForestFile { .. } | wald::Error::State { .. } => "ForestFileError",
        wald::Error::Measure { .. } => "MeasureError",
        wald::Error::TooLarge { .. } => "TooLargeError",
        _ => "InternalError",
    }
}

/// What an exception is about, besides its words.
#[derive(Default)]
pub(crate) struct About<'a> {
    /// The column concerned.
    pub(crate) column: Option<&'a str>,
    /// The argument concerned.
    pub(crate) setting: Option<&'a str>,
}

/// The exception of an error of the engine.
pub(crate) fn exception(py: Python<'_>, error: &wald::Error) -> PyErr {
    // Where Python interrupts, it raises what interrupted.
    if *error == wald::Error::Cancelled {
        return Divided::new_err(());
    }
    let wald::WordedError { what, help } = error.worded(&Arguments);
    let setting = error.setting().and_then(wording::argument);
    make(py, class_of(error), [&what, &help], About { column: error.column(), setting })
}

/// A defect of wald.
pub(crate) fn internal(py: Python<'_>, what: &str) -> PyErr {
    let help = "this is a defect of wald: please report it with the data";
    make(py, "InternalError", [what, help], About::default())
}

/// The exception of a class of `wald.errors`: what is wrong and how to fix it.
pub(crate) fn make(py: Python<'_>, class: &str, words: [&str; 2], about: About<'_>) -> PyErr {
    let [what, help] = words;
    let raised = || {
        let keywords = PyDict::new(py);
        keywords.set_item("help", help)?;
        keywords.set_item("column", about.column)?;
        keywords.set_item("setting", about.setting)?;
        py.import("wald.errors")?.getattr(class)?.call((what,), Some(&keywords))
    };
    raised().map_or_else(|error| error, PyErr::from_value)
}
