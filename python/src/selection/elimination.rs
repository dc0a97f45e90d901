//! Which variables to keep.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytesMethods;
use wald::selection::{PerStep, SelectionConfig, SelectionState, select};

use crate::data::Dataset;
use crate::errors;
use crate::file;
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
    /// The file of the state, from which an earlier selection goes on.
    resume: Option<Bound<'py, PyAny>>,
}

#[derive(FromPyObject)]
enum Step {
    Variables(usize),
    Share(f64),
}

/// Eliminates variables in every fold and on all rows. What was found is JSON. The
/// state is written whenever eliminations were finished.
#[pyfunction]
#[pyo3(signature = (data, config, measure, elimination, *, work))]
pub(crate) fn eliminate<'py>(
    data: &Dataset,
    config: &str,
    measure: settings::NamedMeasure<'py>,
    elimination: Elimination<'py>,
    work: Work<'py>,
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
    work.check_room(&data, config.forest.n_trees, || config.size(&data, work.threads))?;
    let resume = elimination.resume.as_ref();
    let earlier = resume.map(file::stored).transpose()?.flatten();
    let state = earlier.as_ref().map_or_else(
        || Ok(SelectionState::new(&data, &config)),
        |bytes| SelectionState::from_bytes(bytes.as_bytes(), &data, &config),
    );
    let state = state.map_err(|error| errors::exception(py, &error))?;
    // Workers never touch Python: they leave the newest state here.
    let newest = Mutex::new(None);
    let is_stored = resume.is_some();
    let leave = |state: &SelectionState| {
        if is_stored {
            *newest.lock().unwrap_or_else(PoisonError::into_inner) = Some(state.clone());
        }
    };
    let fetch = || {
        let state = newest.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (Some(path), Some(state)) = (resume, state) else { return Ok(()) };
        let bytes = state.to_bytes().map_err(|error| errors::exception(py, &error))?;
        file::write_file(path, &bytes, true)
    };
    let found = work.watched_with(fetch, |run| select(&data, &config, state, leave, run));
    // Also what was finished before an interruption.
    fetch()?;
    let found = found?;
    settings::json(py, &found.document(&data, &config))
}
