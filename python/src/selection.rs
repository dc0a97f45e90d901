//! Which variables to keep.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;
use serde_json::json;
use wald::measure::Loss;
use wald::selection::{PerStep, Selection, SelectionConfig, SelectionState, SizePoint, select};

use crate::data::Dataset;
use crate::errors;
use crate::settings;
use crate::watch::Work;

/// How variables are eliminated.
#[derive(FromPyObject)]
pub(crate) struct Elimination<'py> {
    folds: usize,
    repeats: usize,
    step: Step,
    smallest: usize,
    loss: String,
    /// What an earlier selection stored.
    state: Option<Vec<u8>>,
    /// What is called with the state as bytes.
    store: Option<Bound<'py, PyAny>>,
}

#[derive(FromPyObject)]
enum Step {
    Variables(usize),
    Share(f64),
}

/// Eliminates variables in every fold and on all rows. What was found is JSON. `store` is called
/// with the state as bytes whenever eliminations were finished.
#[pyfunction]
#[pyo3(signature = (data, config, measure, elimination, *, work))]
pub(crate) fn eliminate(
    data: &Dataset,
    config: &str,
    measure: settings::NamedMeasure<'_>,
    elimination: Elimination<'_>,
    work: Work<'_>,
) -> PyResult<String> {
    let py = work.py;
    let measure = measure.measure()?;
    let config = SelectionConfig {
        folds: elimination.folds,
        repeats: elimination.repeats,
        drop: match elimination.step {
            Step::Variables(number) => PerStep::Variables(number),
            Step::Share(share) => PerStep::Share(share),
        },
        smallest: elimination.smallest,
        loss: settings::loss(py, &elimination.loss)?,
        ..SelectionConfig::new(settings::config(py, config)?.without_defaults(&data.0), measure)
    };
    let data = Arc::clone(&data.0);
    let state = elimination.state.as_deref().map_or_else(
        || Ok(SelectionState::new(&data, &config)),
        |bytes| SelectionState::from_bytes(bytes, &data, &config),
    );
    let state = state.map_err(|error| errors::exception(py, &error))?;
    // Workers never touch Python: they leave the newest state here.
    let newest = Mutex::new(None);
    let store = elimination.store.as_ref();
    let is_stored = store.is_some();
    let leave = |state: &SelectionState| {
        if is_stored {
            *newest.lock().unwrap_or_else(PoisonError::into_inner) = Some(state.clone());
        }
    };
    let fetch = || {
        let state = newest.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (Some(store), Some(state)) = (store, state) else { return Ok(()) };
        let bytes = state.to_bytes().map_err(|error| errors::exception(py, &error))?;
        store.call1((PyBytes::new(py, &bytes),)).map(|_| ())
    };
    let found = work.watched_with(fetch, |run| select(&data, &config, state, leave, run));
    // Also what was finished before an interruption.
    fetch()?;
    let found = found?;
    let words = document(&found, config.loss);
    serde_json::to_string(&words).map_err(|error| errors::internal(py, &error.to_string()))
}

fn document(found: &Selection, loss: Loss) -> impl Serialize {
    let point = |point: &SizePoint| {
        json!({
            "n_variables": point.n_variables,
            "error": point.error,
            "standard_error": point.standard_error,
            "sd": point.sd,
            "errors": point.errors,
            "explained_variance": point.explained_variance,
            "explained_variances": point.explained_variances,
            "frequencies": point.frequencies,
            "leaving": point.leaving,
        })
    };
    let folds = found
        .folds
        .iter()
        .map(|fold| json!({"repeat": fold.repeat, "fold": fold.fold, "order": fold.order}));
    json!({
        "variables": found.variables,
        "loss": loss.id(),
        "curve": found.curve.iter().map(point).collect::<Vec<_>>(),
        "best_size": found.best_size,
        "one_standard_error_size": found.one_standard_error_size,
        "order": found.order,
        "folds": folds.collect::<Vec<_>>(),
        "standard_errors_over": if found.is_error_over_repeats { "repeats" } else { "folds" },
    })
}
