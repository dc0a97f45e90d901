//! Which variables to keep.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyBytesMethods};
use wald::Run;
use wald::selection::{self, PerStep, SelectionConfig, SelectionState, select};

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
    /// `None` for the usual one.
    step: Option<Step>,
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
    let config = elimination.config(py, &data.0, config, measure)?;
    let data = Arc::clone(&data.0);
    work.check_room(&data, config.forest.n_trees, || config.size(&data, work.threads))?;
    let resume = elimination.resume.as_ref();
    let earlier = resume.map(file::stored).transpose()?.flatten();
    let state = state_of(py, earlier.as_ref().map(PyBytesMethods::as_bytes), &data, &config)?;
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

/// Adds up to `at_most` eliminations to an earlier state, where others share the work. Returns the
/// new state, and how many eliminations it lacks.
#[pyfunction]
#[pyo3(signature = (data, config, measure, elimination, earlier, at_most, *, work))]
pub(crate) fn eliminate_further<'py>(
    data: &Dataset,
    config: &str,
    measure: settings::NamedMeasure<'py>,
    elimination: Elimination<'py>,
    earlier: Option<&[u8]>,
    at_most: usize,
    work: Work<'py>,
) -> PyResult<(Bound<'py, PyBytes>, usize)> {
    let py = work.py;
    let config = elimination.config(py, &data.0, config, measure)?;
    let data = Arc::clone(&data.0);
    work.check_room(&data, config.forest.n_trees, || config.size(&data, work.threads))?;
    let state = state_of(py, earlier, &data, &config)?;
    let further = |run: &Run| selection::eliminate(&data, &config, state, at_most, |_| {}, run);
    let state = work.watched(further)?;
    let bytes = state.to_bytes().map_err(|error| errors::exception(py, &error))?;
    Ok((PyBytes::new(py, &bytes), config.n_eliminations() - state.n_done()))
}

impl<'py> Elimination<'py> {
    fn config(
        &self,
        py: Python<'py>,
        data: &wald::Dataset,
        forest: &str,
        measure: settings::NamedMeasure<'py>,
    ) -> PyResult<SelectionConfig> {
        let forest = settings::config(py, forest)?.without_defaults(data);
        Ok(SelectionConfig {
            folds: self.folds,
            repeats: self.repeats,
            drop: match self.step {
                None => PerStep::Auto,
                Some(Step::Variables(number)) => PerStep::Variables(number),
                Some(Step::Share(share)) => PerStep::Share(share),
            },
            smallest: self.smallest,
            loss: settings::loss(py, &self.loss)?,
            ..SelectionConfig::new(forest, measure.measure()?)
        })
    }
}

fn state_of(
    py: Python<'_>,
    earlier: Option<&[u8]>,
    data: &wald::Dataset,
    config: &SelectionConfig,
) -> PyResult<SelectionState> {
    let state = earlier.map_or_else(
        || Ok(SelectionState::new(data, config)),
        |bytes| SelectionState::from_bytes(bytes, data, config),
    );
    state.map_err(|error| errors::exception(py, &error))
}
