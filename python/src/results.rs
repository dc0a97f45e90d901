//! Results as Python's own types: JSON for words, arrays for numbers.

use numpy::ndarray::{Array1, Array2};
use numpy::{Element, IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wald::Importance;
use wald::pass::Measured;

use crate::settings::json;

/// Rows of equal length as an array of two dimensions.
pub(crate) fn matrix<'py>(
    py: Python<'py>,
    rows: &[Vec<f64>],
    width: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let numbers: Vec<f64> = rows.iter().flatten().copied().collect();
    grid(py, numbers, width)
}

/// Numbers, row after row, as an array of two dimensions.
pub(crate) fn grid<T: Element>(
    py: Python<'_>,
    numbers: Vec<T>,
    width: usize,
) -> PyResult<Bound<'_, PyAny>> {
    let shape = (numbers.len() / width.max(1), width);
    let array = Array2::from_shape_vec(shape, numbers);
    let array = array.map_err(|error| crate::errors::internal(py, &error.to_string()))?;
    Ok(array.into_pyarray(py).into_any())
}

/// Numbers; NaN where there is none.
pub(crate) fn optional<'py>(py: Python<'py>, values: &[Option<f64>]) -> Bound<'py, PyArray1<f64>> {
    let values: Array1<f64> = values.iter().map(|value| value.unwrap_or(f64::NAN)).collect();
    values.into_pyarray(py)
}

/// An importance as a dictionary.
pub(crate) fn importance<'py>(py: Python<'py>, found: &Importance) -> PyResult<Bound<'py, PyDict>> {
    let result = PyDict::new(py);
    result.set_item("json", json(py, found)?)?;
    result.set_item("values", optional(py, &found.values))?;
    let errors = found.standard_errors.as_ref().map(|errors| optional(py, errors));
    result.set_item("standard_errors", errors)?;
    let p_values = found.p_values.as_ref().map(|values| optional(py, values));
    result.set_item("p_values", p_values)?;
    let n = found.values.len();
    let lists = |rows: &[Vec<f64>]| {
        if rows.is_empty() { Ok(None) } else { matrix(py, rows, n).map(Some) }
    };
    result.set_item("per_tree", lists(&found.per_tree)?)?;
    result.set_item("repeats", lists(&found.repeats)?)?;
    Ok(result)
}

/// What a pass over the trees found, as a dictionary.
pub(crate) fn measured<'py>(py: Python<'py>, found: &Measured) -> PyResult<Bound<'py, PyDict>> {
    let result = PyDict::new(py);
    let importances: Vec<_> =
        found.importances.iter().map(|one| importance(py, one)).collect::<PyResult<_>>()?;
    result.set_item("importances", importances)?;
    result.set_item("names", found.groups.names().to_vec())?;
    result.set_item("errors", json(py, &found.errors)?)?;
    result.set_item("n_trees", found.n_trees)?;
    result.set_item("mean_leaves", found.mean_leaves)?;
    result.set_item("mean_depth", found.mean_depth)?;
    result.set_item("convergence", found.out_of_bag.convergence().to_vec())?;
    Ok(result)
}
