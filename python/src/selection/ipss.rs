//! Which variables are selected with few false discoveries.

use std::sync::Arc;

use pyo3::prelude::*;
use wald::selection::{IpssConfig, Power};

use crate::arguments::{one_of, refuse};
use crate::data::Dataset;
use crate::errors::exception;
use crate::settings;
use crate::watch::Work;

/// How the stability of selections is judged.
#[derive(FromPyObject)]
pub(crate) struct Stability {
    pairs: usize,
    power: usize,
    subsample_trees: Option<usize>,
    preselect: Option<usize>,
}

/// Scores every variable. What was found is JSON.
#[pyfunction]
#[pyo3(signature = (data, config, measure, stability, *, work))]
pub(crate) fn ipss<'py>(
    data: &Dataset,
    config: &str,
    measure: settings::NamedMeasure<'py>,
    stability: Stability,
    work: Work<'py>,
) -> PyResult<String> {
    let py = work.py;
    let word = stability.power.to_string();
    let known: Vec<&str> = Power::ALL.iter().map(|each| each.id()).collect();
    let power = Power::ALL.iter().copied().find(|each| each.id() == word);
    let power =
        power.ok_or_else(|| refuse(py, "power", &format!("power is {word}"), &one_of(&known)))?;
    let config = IpssConfig {
        forest: settings::config(py, config)?,
        subsample_trees: stability.subsample_trees,
        measure: measure.measure()?,
        pairs: stability.pairs,
        power,
        preselect: stability.preselect,
    };
    let data = Arc::clone(&data.0);
    let found = work.watched(|run| wald::selection::ipss(&data, &config, run))?;
    settings::json(py, &found.document(&data, &config))
}

/// The measure that halves select by unless one is named.
#[pyfunction]
pub(crate) fn ipss_measure(py: Python<'_>, config: &str) -> PyResult<&'static str> {
    let usual = IpssConfig::usual_measure(&settings::config(py, config)?);
    Ok(usual.map_err(|error| exception(py, &error))?.id().info().id)
}
