//! The native part of the Python package `wald`: the engine's types as Python meets them.
//!
//! Nothing is computed here. `wald/` holds what users see; these classes are its own affair.

#![expect(
    clippy::needless_pass_by_value,
    reason = "arguments that were made from Python's objects belong to the function"
)]

mod advice;
mod arguments;
mod arrow;
mod comparison;
mod conditional;
mod data;
mod digits;
mod errors;
mod file;
mod forest;
mod grouping;
mod interactions;
mod masking;
mod population;
mod report;
mod results;
mod selection;
mod settings;
mod sharing;
mod simulate;
mod surrogate;
mod trees;
mod uncertainty;
mod watch;
mod weights;
mod wording;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::advice::advise;
    #[pymodule_export]
    use crate::arrow::arrow_columns;
    #[pymodule_export]
    use crate::comparison::compare;
    #[pymodule_export]
    use crate::conditional::conditional_test;
    #[pymodule_export]
    use crate::data::{_dataset, Dataset, Table, check_dense, reading_of};
    #[pymodule_export]
    use crate::digits::{number_texts, p_value_texts};
    #[pymodule_export]
    use crate::file::{check_file, read_file, stored, write_file};
    #[pymodule_export]
    use crate::forest::Forest;
    #[pymodule_export]
    use crate::grouping::{dependence, suggested_groups};
    #[pymodule_export]
    use crate::interactions::interactions;
    #[pymodule_export]
    use crate::masking::masking;
    #[pymodule_export]
    use crate::population::population;
    #[pymodule_export]
    use crate::report::{leading, report};
    #[pymodule_export]
    use crate::selection::boruta::boruta;
    #[pymodule_export]
    use crate::selection::elimination::{eliminate, eliminate_further};
    #[pymodule_export]
    use crate::selection::ipss::{ipss, ipss_measure};
    #[pymodule_export]
    use crate::settings::{check_measures, explanations, measures, options, suggestion};
    #[pymodule_export]
    use crate::sharing::{Divided, Part, Parts, Room};
    #[pymodule_export]
    use crate::simulate::{designs, simulate};
    #[pymodule_export]
    use crate::surrogate::{process_predictions, surrogate};
    #[pymodule_export]
    use crate::uncertainty::uncertainty;
    #[pymodule_export]
    use crate::weights::{outliers, prototypes, quantiles, weights};

    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_init]
    fn version(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
