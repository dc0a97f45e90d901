//! Files: written as a whole or not at all, and read.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wald_table::file::{Output, Temporary};

use crate::errors::{self, About};

/// Refuses a path where no file may be written, before any work.
#[pyfunction]
#[pyo3(signature = (path, *, force))]
pub(crate) fn check_file(path: &Bound<'_, PyAny>, force: bool) -> PyResult<()> {
    checked(path, force).map(|_| ())
}

/// Writes a file as a whole or not at all.
#[pyfunction]
#[pyo3(signature = (path, content, *, force))]
pub(crate) fn write_file(path: &Bound<'_, PyAny>, content: &[u8], force: bool) -> PyResult<()> {
    let output = checked(path, force)?;
    let write = || output.write(&Temporary::default(), |writer| writer.write_all(content));
    path.py().detach(write).map_err(|error| cannot_write(path, &error))
}

/// The bytes of a file.
#[pyfunction]
pub(crate) fn read_file<'py>(path: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let place = place(path)?;
    let name = place.as_os_str().into_pyobject(path.py())?.repr()?;
    if is_device(&place) {
        // Reading it may never end.
        return Err(device(path.py(), &name));
    }
    let content = path.py().detach(|| fs::read(&place)).map_err(|error| {
        let (class, what, help) = match error.kind() {
            ErrorKind::NotFound => {
                ("InputNotFoundError", format!("there is no file {name}"), "give the path of one")
            }
            ErrorKind::IsADirectory => folder(&name),
            _ => (
                "FileError",
                format!("{name} cannot be read: {}", reason(&error)),
                "give the path of a file that you may read",
            ),
        };
        errors::make(path.py(), class, [&what, help], About::default())
    })?;
    Ok(PyBytes::new(path.py(), &content))
}

/// The bytes of a file that may be written again, if it exists.
#[pyfunction]
pub(crate) fn stored<'py>(path: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    check_file(path, true)?;
    place(path)?.exists().then(|| read_file(path)).transpose()
}

fn checked(path: &Bound<'_, PyAny>, force: bool) -> PyResult<Output> {
    let output = Output::check(&place(path)?, force, &Temporary::default());
    match output.map_err(|error| cannot_write(path, &error))? {
        Output::Device(_) => Err(device(path.py(), &path.str()?)),
        file @ Output::File { .. } => Ok(file),
    }
}

/// Something that names a file.
fn place(given: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    let path = given.extract().ok();
    let path = path.filter(|path: &PathBuf| !path.as_os_str().as_encoded_bytes().contains(&0));
    path.map_or_else(
        || {
            let what = format!("{} is not a path of a file", given.repr()?);
            let words = [what.as_str(), "give the name of a file"];
            Err(errors::make(given.py(), "DataTypeError", words, About::default()))
        },
        Ok,
    )
}

fn cannot_write(path: &Bound<'_, PyAny>, error: &io::Error) -> PyErr {
    let name = match path.str() {
        Ok(name) => name,
        Err(error) => return error,
    };
    let (class, what, help) = match error.kind() {
        ErrorKind::AlreadyExists => {
            ("OutputExistsError", format!("{name} exists already"), "give force=True to replace it")
        }
        ErrorKind::IsADirectory => folder(&name),
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            ("InputNotFoundError", format!("the folder of {name} does not exist"), "make it first")
        }
        _ => (
            "FileError",
            format!("{name} cannot be written: {}", reason(error)),
            "name a file in a folder where you may write",
        ),
    };
    errors::make(path.py(), class, [&what, help], About::default())
}

fn folder(name: &impl std::fmt::Display) -> (&'static str, String, &'static str) {
    ("NotAFileError", format!("{name} is a folder"), "name a file in it")
}

fn device(py: Python<'_>, name: &impl std::fmt::Display) -> PyErr {
    let what = format!("{name} is a device, not a file");
    errors::make(py, "FileError", [&what, "name a file"], About::default())
}

/// The system's words without its error number.
fn reason(error: &io::Error) -> String {
    error.to_string().split(" (os error").next().unwrap_or_default().to_owned()
}

#[cfg(unix)]
fn is_device(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(path).is_ok_and(|found| found.file_type().is_char_device())
}

#[cfg(not(unix))]
fn is_device(_: &Path) -> bool {
    false
}
