//! The native part of the Python package `wald`: the engine's types as Python meets them.
//!
//! Nothing is computed here. `wald/` holds what users see; these classes are its own affair.

mod data;
mod errors;
mod forest;
mod results;
mod settings;
mod watch;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::data::{_dataset, Dataset, Table};
    #[pymodule_export]
    use crate::forest::Forest;
    #[pymodule_export]
    use crate::settings::{explanations, measures};

    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_init]
    fn version(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
