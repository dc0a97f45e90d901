//! Importances from few runs: a Gaussian process, a large sample of it, and a forest.

use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use wald::ForestConfig;
use wald::data::Response;
use wald::inference::Confidence;
use wald_gp::{Kernel, Parameters};
use wald_surrogate::{Errors, Estimate, Model, Settings, Source, Surrogate, surrogate as find};

use crate::arguments::{one_of, refuse, required};
use crate::data::{self, Dataset, Table};
use crate::errors;
use crate::results;
use crate::settings;
use crate::watch::Work;
use crate::wording::Arguments;

type Numbers<'py> = Bound<'py, PyArray1<f64>>;

/// Where the inputs of the sample come from.
#[derive(FromPyObject)]
enum Inputs<'py> {
    Rows(PyRef<'py, Table>),
    Law(String),
}

/// A fitted process: its kernel, lengths as multiples of ranges, and relative variance of the noise.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Process {
    kernel: String,
    lengths: Vec<f64>,
    noise: f64,
}

/// The fields of a result for every measure.
#[pyfunction]
#[pyo3(signature = (data, config, measures, asked, *, work))]
pub(crate) fn surrogate<'py>(
    data: &Dataset,
    config: &str,
    measures: settings::NamedMeasures<'py>,
    asked: Bound<'py, PyDict>,
    work: Work<'py>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let py = work.py;
    let asked_settings = settings_of(&asked, settings::config(py, config)?)?;
    let measures = measures.measures()?;
    let inputs: Inputs<'_> = asked.as_any().get_item("inputs")?.extract()?;
    let source = match &inputs {
        Inputs::Rows(table) => Source::Rows(&table.0),
        Inputs::Law(name) if name == "independent" => Source::Independent,
        Inputs::Law(_) => Source::Copula,
    };
    let runs = Arc::clone(&data.0);
    let found = work.watched(|run| find(&runs, &source, &measures, &asked_settings, run))?;
    let shared = shared(py, &found, data, &asked_settings)?;
    let of_measure = |(at, estimate)| {
        let result = shared.copy()?;
        fill(py, &result, &found, at, estimate)?;
        Ok(result)
    };
    found.two_step.iter().enumerate().map(of_measure).collect()
}

/// The mean and the variance of a process for every row of a table.
#[pyfunction]
#[pyo3(signature = (runs, process, table, *, work))]
pub(crate) fn process_predictions<'py>(
    runs: &Dataset,
    process: Process,
    table: &Table,
    work: Work<'py>,
) -> PyResult<(Numbers<'py>, Numbers<'py>)> {
    let py = work.py;
    let kernel = kernel(py, &process.kernel)?;
    let parameters = Parameters {
        log_lengths: process.lengths.iter().map(|length| length.ln()).collect(),
        log_noise: process.noise.ln(),
    };
    let data = Arc::clone(&runs.0);
    let predictions = work
        .watched(|run| Model::at_parameters(&data, kernel, parameters)?.predict(&table.0, run))?;
    let means: Vec<f64> = predictions.iter().map(|found| found.mean).collect();
    let variances: Vec<f64> = predictions.iter().map(|found| found.variance).collect();
    Ok((means.into_pyarray(py), variances.into_pyarray(py)))
}

fn kernel(py: Python<'_>, name: &str) -> PyResult<Kernel> {
    let found = Kernel::ALL.iter().copied().find(|kernel| kernel.id() == name);
    let known: Vec<&str> = Kernel::ALL.iter().map(|kernel| kernel.id()).collect();
    found.ok_or_else(|| refuse(py, "kernel", &format!("kernel is {name:?}"), &one_of(&known)))
}

fn settings_of(given: &Bound<'_, PyDict>, forest: ForestConfig) -> PyResult<Settings> {
    let py = given.py();
    let confidence = Confidence::new(required(given, "confidence")?);
    Ok(Settings {
        kernel: kernel(py, &required::<String>(given, "kernel")?)?,
        n_starts: required(given, "starts")?,
        n_rows: required(given, "rows")?,
        n_draws: required(given, "draws")?,
        confidence: confidence.map_err(|error| errors::exception(py, &error))?,
        forest,
    })
}

/// The fields that do not depend on the measure.
fn shared<'py>(
    py: Python<'py>,
    found: &Surrogate,
    runs: &Dataset,
    settings: &Settings,
) -> PyResult<Bound<'py, PyDict>> {
    let result = PyDict::new(py);
    let words = json!({ "judged": found.judged, "inputs": found.source });
    result.set_item("words", settings::json(py, &words)?)?;
    result.set_item("explained_of_sample", found.explained_by_forest)?;
    result.set_item("confidence", settings.confidence.get())?;
    let process = PyDict::new(py);
    let parameters = found.model.process().parameters();
    let lengths: Vec<f64> = parameters.log_lengths.iter().map(|length| length.exp()).collect();
    process.set_item("kernel", settings.kernel.id())?;
    process.set_item("lengths", lengths)?;
    process.set_item("noise", parameters.log_noise.exp())?;
    result.set_item("process", process)?;
    let outside = PyDict::new(py);
    for input in &found.outside {
        outside.set_item(&input.input, input.share)?;
    }
    result.set_item("outside", outside)?;
    for (inputs, outputs, data) in
        [("runs", "outputs", &runs.0), ("sample_inputs", "sample_outputs", &found.sample)]
    {
        let columns = data.features().columns().iter();
        let columns: Vec<_> =
            columns.map(|column| data::cells(py, column)).collect::<PyResult<_>>()?;
        result.set_item(inputs, columns)?;
        if let Response::Regression(values) = data.target().response() {
            result.set_item(outputs, data::numbers(py, values))?;
        }
    }
    Ok(result)
}

/// The fields of a measure.
fn fill<'py>(
    py: Python<'py>,
    result: &Bound<'py, PyDict>,
    found: &Surrogate,
    at: usize,
    estimate: &Estimate,
) -> PyResult<()> {
    let (of, direct) = (&estimate.importance, &found.direct[at]);
    let errors = |of: fn(&Errors) -> Option<f64>| {
        let values: Vec<_> = estimate.errors.iter().map(|one| of(one.as_ref()?)).collect();
        results::optional(py, &values)
    };
    let exact = found.exact_of(at);
    let exact_values = exact.map(|exact| exact.values.clone().into_pyarray(py));
    result.set_item("exact", exact_values)?;
    let exact_errors = exact.map(|exact| exact.standard_errors.clone().into_pyarray(py));
    result.set_item("exact_errors", exact_errors)?;
    result.set_item("measure", of.id)?;
    result.set_item("unit", &of.unit)?;
    result.set_item("feature_names", &of.names)?;
    result.set_item("lower_is_more_important", of.small_is_important)?;
    result.set_item("direct", results::optional(py, &direct.values))?;
    let of_trees = direct.standard_errors.as_ref().map(|errors| results::optional(py, errors));
    result.set_item("direct_errors", of_trees)?;
    result.set_item("two_step", results::optional(py, &of.values))?;
    let apart = PyDict::new(py);
    apart.set_item("trees", errors(|errors| errors.trees))?;
    apart.set_item("rows", errors(|errors| Some(errors.rows)))?;
    apart.set_item("process", errors(|errors| Some(errors.process)))?;
    result.set_item("errors", apart)?;
    result.set_item("standard_errors", errors(|errors| Some(errors.total())))?;
    let ends = estimate.intervals.iter();
    let ends = ends.flat_map(|ends| ends.map_or([f64::NAN; 2], |ends| [ends.low, ends.high]));
    result.set_item("intervals", results::grid(py, ends.collect(), 2)?)?;
    let of_surrogate = found.notes().map(|note| note.worded(&Arguments));
    let notes = of_surrogate.chain(of.notes_on_values().cloned());
    result.set_item("notes", notes.collect::<Vec<_>>())
}
