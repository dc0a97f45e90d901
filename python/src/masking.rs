//! Importances against the number of variables that compete for a split.

use std::sync::Arc;

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wald::Origin;
use wald::forest::Keep;
use wald::masking::{masking as grow, usual_mtry};
use wald::memory::Size;

use crate::data::Dataset;
use crate::results;
use crate::settings;
use crate::watch::Work;

/// The fields of a masking, but for the name of the measure; usual values of mtry unless given.
#[pyfunction]
#[pyo3(signature = (data, config, measure, mtry=None, *, work))]
pub(crate) fn masking<'py>(
    data: &Dataset,
    config: &str,
    measure: settings::NamedMeasure<'py>,
    mtry: Option<Vec<usize>>,
    work: Work<'py>,
) -> PyResult<Bound<'py, PyDict>> {
    let py = work.py;
    let config = settings::config(py, config)?;
    let measure = measure.measure()?;
    let data = Arc::clone(&data.0);
    let usual = || usual_mtry(config.subspace.unwrap_or(data.n_features()));
    let mtry = mtry.unwrap_or_else(usual);
    work.check_room(&data, config.n_trees, || {
        let measures = std::slice::from_ref(&measure);
        Size::of_growing(&data, &config, measures, Keep::Nothing, work.threads)
    })?;
    let found = work.watched(|run| {
        Origin::Settings(&config).check(&measure, &data)?;
        grow(&data, &config, &measure, &mtry, run)
    })?;
    let (importances, sizes) = (&found.importances, found.mtry.iter());
    let names = data.groups().names();
    let grid = |rows: Vec<&[Option<f64>]>| {
        let numbers = rows.concat().iter().map(|value| value.unwrap_or(f64::NAN)).collect();
        results::grid(py, numbers, names.len())
    };
    let values = importances.iter().map(|one| &one.values[..]).collect();
    let errors: Option<_> = importances.iter().map(|one| one.standard_errors.as_deref()).collect();
    let result = PyDict::new(py);
    result.set_item("feature_names", names)?;
    result.set_item("mtry", sizes.map(|&size| size as i64).collect::<Vec<_>>().into_pyarray(py))?;
    result.set_item("values", grid(values)?)?;
    result.set_item("standard_errors", errors.map(grid).transpose()?)?;
    result.set_item("unit", importances.first().map_or("", |one| &one.unit))?;
    Ok(result)
}
