//! Which measure answers which question.

use crate::wording::Arguments;
use std::sync::Arc;

use pyo3::prelude::*;
use wald::Origin;
use wald_report::advice::{AdviceSettings, advise as advise_on, measures};
use wald_report::{Depth, Quiet, Study};

use crate::data::Dataset;
use crate::errors;
use crate::forest::Forest;
use crate::watch::Work;

/// How it is tested.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked {
    level: f64,
    seed: u64,
    /// Measures that are not advised.
    refused: Vec<String>,
}

/// The advice as JSON.
#[pyfunction]
#[pyo3(signature = (forest, data, asked, *, work))]
pub(crate) fn advise(
    forest: &Forest,
    data: &Dataset,
    asked: Asked,
    work: Work<'_>,
) -> PyResult<String> {
    let Asked { level, seed, refused } = asked;
    let (own, data) = (forest, Arc::clone(&data.0));
    let found = work.watched(|run| {
        let settings = AdviceSettings { level, seed };
        settings.validate()?;
        let front = Quiet { run, wording: &Arguments, free: wald_table::free_memory() };
        let fitted = own.fitted(&data, run)?;
        let origin = Origin::Fitted(&fitted);
        let mut study =
            Study::new(&data, origin, measures(origin, &data), Depth::Importances, &front)?;
        study.allowed.retain(|id| !refused.iter().any(|name| name == id.info().id));
        advise_on(&study, settings, &front)
    })?;
    serde_json::to_string(&found).map_err(|error| errors::internal(work.py, &error.to_string()))
}
