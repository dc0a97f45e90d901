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

/// The advice as JSON; measures that are `refused` are not advised.
#[pyfunction]
pub(crate) fn advise(
    forest: &Forest,
    data: &Dataset,
    settings: (f64, u64),
    refused: Vec<String>,
    work: Work<'_>,
) -> PyResult<String> {
    let (level, seed) = settings;
    let (own, data) = (forest, Arc::clone(&data.0));
    let found = work.watched(|run| {
        let settings = AdviceSettings { level, seed };
        settings.validate()?;
        let front = Quiet { run, wording: &Arguments, free: wald_table::free_memory() };
        let fitted = own.fitted(&data, run)?;
        let origin = Origin::Fitted(&fitted);
        let mut study = Study::new(&data, origin, measures(origin), Depth::Importances, &front)?;
        study.allowed.retain(|id| !refused.iter().any(|name| name == id.info().id));
        advise_on(&study, settings, &front)
    })?;
    serde_json::to_string(&found).map_err(|error| errors::internal(work.py, &error.to_string()))
}
