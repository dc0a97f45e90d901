//! Importances against the number of variables that compete for a split.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use wald::masking::{masking as grow, usual_mtry};

use crate::data::Dataset;
use crate::results;
use crate::settings;
use crate::watch::Work;

/// The values of mtry, usual ones unless given, and the importances of the forest of each.
#[pyfunction]
#[pyo3(signature = (data, config, measure, mtry=None, *, work))]
pub(crate) fn masking<'py>(
    data: &Dataset,
    config: &str,
    measure: settings::NamedMeasure<'py>,
    mtry: Option<Vec<usize>>,
    work: Work<'py>,
) -> PyResult<(Vec<usize>, Vec<Bound<'py, PyDict>>)> {
    let py = work.py;
    let config = settings::config(py, config)?;
    let measure = measure.measure()?;
    let data = Arc::clone(&data.0);
    let usual = || usual_mtry(config.subspace.unwrap_or(data.n_features()));
    let mtry = mtry.unwrap_or_else(usual);
    let found = work.watched(|run| {
        measure.check_config(&config)?;
        grow(&data, &config, &measure, &mtry, run)
    })?;
    let importances = found.importances.iter().map(|one| results::importance(py, one));
    Ok((found.mtry, importances.collect::<PyResult<_>>()?))
}
