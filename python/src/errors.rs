//! Errors of the engine as exceptions of the package (`wald/errors.py`).

use pyo3::prelude::*;
use pyo3::types::PyDict;

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

/// The exception of an error of the engine.
pub(crate) fn exception(py: Python<'_>, error: &wald::Error) -> PyErr {
    make(py, class_of(error), &error.to_string(), error.help(), error.column())
}

/// A defect of wald.
pub(crate) fn internal(py: Python<'_>, what: &str) -> PyErr {
    let help = "this is a defect of wald: please report it with the data";
    make(py, "InternalError", what, help, None)
}

/// An argument of the wrong kind, which only a defect of the package can send here.
pub(crate) fn make(
    py: Python<'_>,
    class: &str,
    what: &str,
    help: &str,
    column: Option<&str>,
) -> PyErr {
    let raised = || {
        let keywords = PyDict::new(py);
        keywords.set_item("help", help)?;
        keywords.set_item("column", column)?;
        py.import("wald.errors")?.getattr(class)?.call((what,), Some(&keywords))
    };
    raised().map_or_else(|error| error, PyErr::from_value)
}
