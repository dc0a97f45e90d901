//! Tests of what variables add to the others.

use std::sync::Arc;

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wald::inference::{Adjustment, ConditionalConfig, ConditionalMethod, Confidence};

use crate::arguments::{optional, required};
use crate::data::Dataset;
use crate::errors;
use crate::results::grid;
use crate::settings;
use crate::watch::Work;

/// The fields of a test.
#[pyfunction]
#[pyo3(signature = (data, config, asked, *, work))]
pub(crate) fn conditional_test<'py>(
    data: &Dataset,
    config: &str,
    asked: Bound<'py, PyDict>,
    work: Work<'py>,
) -> PyResult<Bound<'py, PyDict>> {
    let py = work.py;
    let exception = |error: wald::Error| errors::exception(py, &error);
    let data = Arc::clone(&data.0);
    let name: String = required(&asked, "multiple_testing")?;
    let method: String = required(&asked, "method")?;
    let draws: Option<usize> = optional(&asked, "draws")?;
    let config = ConditionalConfig {
        forest: settings::config(py, config)?.without_defaults(&data),
        method: ConditionalMethod::named(&method, draws).map_err(exception)?,
        folds: required(&asked, "folds")?,
        confidence: Confidence::new(required(&asked, "confidence")?).map_err(exception)?,
        adjustment: Adjustment::named(&name).map_err(exception)?,
    };
    work.check_room(&data, config.forest.n_trees, || config.size(&data, work.threads))?;
    let found = work.watched(|run| wald::inference::conditional_test(&data, &config, run))?;
    let array = |values: &[f64]| values.to_vec().into_pyarray(py);
    let intervals = found.intervals.iter().flat_map(|interval| [interval.low, interval.high]);
    let result = PyDict::new(py);
    result.set_item("feature_names", &found.variables)?;
    result.set_item("values", array(&found.values))?;
    result.set_item("standard_errors", array(&found.standard_errors))?;
    result.set_item("intervals", grid(py, intervals.collect(), 2)?)?;
    result.set_item("p_values", array(&found.p_values))?;
    result.set_item("adjusted_p_values", array(&found.adjusted))?;
    result.set_item("explained_variance", found.explained_variance)?;
    result.set_item("notes", &found.notes)?;
    Ok(result)
}
