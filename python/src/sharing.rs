//! Work that several processes share: what a call is given as the last part of its `work`.

use std::io::Cursor;
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use wald::memory::{Size, amount};
use wald::parts::{PartFile, PartOf, Parts as Found, Recorder};
use wald::{Error, Run};

use crate::errors;

pyo3::create_exception!(
    wald._native,
    Divided,
    PyException,
    "A call did its part of the work, or what else was asked of it, and nothing more."
);

/// A part of the work of a call, which ends with `Divided` where the rest is left for merging.
#[pyclass(frozen, module = "wald._native")]
pub(crate) struct Part(Arc<Recorder>);

/// What all parts found; the call does the rest.
#[pyclass(frozen, module = "wald._native")]
pub(crate) struct Parts(Arc<Found>);

/// The memory that each of so many parts takes. The call ends with `Divided` when that is known.
#[pyclass(frozen, module = "wald._native")]
pub(crate) struct Room {
    parts: usize,
    /// How many of them share the memory that is free here, where they do.
    together: Option<u64>,
    bytes: OnceLock<u64>,
}

/// What other processes have to do with a call.
#[derive(FromPyObject)]
pub(crate) enum Sharing<'py> {
    Part(Bound<'py, Part>),
    Merge(Bound<'py, Parts>),
    Room(Bound<'py, Room>),
}

impl Sharing<'_> {
    pub(crate) fn run(&self, run: Run) -> Run {
        match self {
            Self::Part(part) => run.recording(&part.get().0),
            Self::Merge(parts) => run.merging(Arc::clone(&parts.get().0)),
            Self::Room(_) => run,
        }
    }

    /// Ends the call where it is only about the memory that it takes.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where that is more than is free, and [`Error::Cancelled`].
    pub(crate) fn check_room(
        &self,
        data: &wald::Dataset,
        n_trees: usize,
        size: impl FnOnce() -> Result<Size, Error>,
    ) -> Result<(), Error> {
        let Self::Room(room) = self else { return Ok(()) };
        let Room { parts, together, bytes } = room.get();
        let size = size()?.of_part(*parts, n_trees, data.n_rows());
        if let Some(together) = *together {
            size.check_together(together, data.n_rows(), wald_table::free_memory())?;
        }
        bytes.get_or_init(|| size.with_table());
        Err(Error::Cancelled)
    }
}

#[pymethods]
impl Part {
    #[new]
    fn new(py: Python<'_>, number: usize, of: usize) -> PyResult<Self> {
        let part = PartOf::new(number, of).map_err(|error| errors::exception(py, &error))?;
        Ok(Self(Arc::new(Recorder::new(part, Vec::new()))))
    }

    /// What was found; `None` where nothing was divided.
    fn take<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let bytes = self.0.bytes().map_err(|error| errors::exception(py, &error))?;
        Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
    }
}

#[pymethods]
impl Parts {
    /// Of what [`Part::take`] gave, in any order.
    #[new]
    fn new(py: Python<'_>, parts: Vec<PyBackedBytes>) -> PyResult<Self> {
        let named = |(number, bytes): (usize, PyBackedBytes)| {
            PartFile::new(format!("result {number}"), Cursor::new(bytes))
        };
        let read = Found::read((1..).zip(parts).map(named).collect());
        read.map(Self).map_err(|error| errors::exception(py, &error))
    }
}

#[pymethods]
impl Room {
    #[new]
    #[pyo3(signature = (parts, together=None))]
    fn new(parts: usize, together: Option<u64>) -> Self {
        Self { parts, together, bytes: OnceLock::new() }
    }

    /// The memory of a part in words, once it is known.
    #[getter]
    fn amount(&self) -> Option<String> {
        self.bytes.get().copied().map(amount)
    }
}
