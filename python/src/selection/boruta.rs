//! Which variables are relevant at all.

use std::sync::Arc;

use pyo3::prelude::*;
use wald::selection::{BorutaConfig, Correction};

use crate::arguments::{one_of, refuse};
use crate::data::Dataset;
use crate::settings;
use crate::watch::Work;

/// How variables are confirmed and rejected.
#[derive(FromPyObject)]
pub(crate) struct Confirmation {
    /// That of the correction unless given.
    level: Option<f64>,
    multiple_testing: String,
    percentile: f64,
    max_runs: usize,
    rough_fix: bool,
}

/// Confirms or rejects every variable. What was found is JSON.
#[pyfunction]
#[pyo3(signature = (data, config, measure, confirmation, *, work))]
pub(crate) fn boruta<'py>(
    data: &Dataset,
    config: &str,
    measure: settings::NamedMeasure<'py>,
    confirmation: Confirmation,
    work: Work<'py>,
) -> PyResult<String> {
    let py = work.py;
    let word = confirmation.multiple_testing.as_str();
    let known: Vec<&str> = Correction::ALL.iter().map(|each| each.id()).collect();
    let correction = Correction::ALL.iter().copied().find(|each| each.id() == word);
    let correction = correction.ok_or_else(|| {
        refuse(py, "multiple_testing", &format!("{word:?} is not a correction"), &one_of(&known))
    })?;
    let config = BorutaConfig {
        forest: settings::config(py, config)?.without_defaults(&data.0),
        measure: measure.measure()?,
        level: confirmation.level.unwrap_or(correction.usual_level()),
        correction,
        percentile: confirmation.percentile,
        max_runs: confirmation.max_runs,
        rough_fix: confirmation.rough_fix,
    };
    let data = Arc::clone(&data.0);
    let found = work.watched(|run| wald::selection::boruta(&data, &config, run))?;
    settings::json(py, &found.document(&data, &config))
}
