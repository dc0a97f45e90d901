//! Which measure answers which question.

use crate::wording::Arguments;
use std::sync::Arc;

use pyo3::prelude::*;
use wald::measure::MeasureSettings;
use wald::{Measure, MeasureId};
use wald_report::advice::{AdviceInput, AdviceSettings, advise as advise_on};

use crate::data::Dataset;
use crate::errors;
use crate::forest::{Forest, threads as of_number};
use crate::watch::watched;

/// The advice as JSON; measures that are `refused` are not advised.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one call of Python's, with keywords")]
#[pyo3(signature = (forest, data, level, seed, *, refused, threads=None, progress=None))]
pub(crate) fn advise(
    py: Python<'_>,
    forest: &Forest,
    data: &Dataset,
    level: f64,
    seed: u64,
    refused: Vec<String>,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let threads = of_number(py, threads)?;
    let (own, forest, data) = (forest, Arc::clone(&forest.0), Arc::clone(&data.0));
    let found = watched(py, threads, progress, |run| {
        let settings = AdviceSettings { level, seed };
        settings.validate()?;
        // Means over trees show whether there are enough of them.
        let measure = Measure::new(MeasureId::MdaBreimanCutler, MeasureSettings::default())?;
        let measures: Vec<Measure> =
            if measure.check(&forest).is_ok() { vec![measure] } else { Vec::new() };
        let measured = own.fitted(&data, run)?.measure(&measures, run)?;
        let mut allowed = MeasureId::allowed_by(&forest);
        allowed.retain(|id| !refused.iter().any(|name| name == id.info().id));
        let input = AdviceInput {
            data: &data,
            measured: &measured,
            config: forest.config(),
            target: Some(forest.target()),
            allowed: &allowed,
            wording: &Arguments,
        };
        advise_on(&input, settings, run)
    })?;
    serde_json::to_string(&found).map_err(|error| errors::internal(py, &error.to_string()))
}
