//! Exact importances of a joint distribution.

use pyo3::prelude::*;
use serde::Serialize;
use wald_population::{Categories, Limits, Population, Request};

use crate::data::Dataset;
use crate::settings;
use crate::watch::Work;

/// Which trees, and what to compute.
#[derive(FromPyObject)]
pub(crate) struct Asked {
    mtry: Vec<usize>,
    depth: Option<usize>,
    subspace: Option<usize>,
    local: bool,
    samples: Option<usize>,
    seed: u64,
    seconds: Option<f64>,
}

/// What was found, as `wald population --format json` writes it, and the points.
#[derive(Serialize)]
struct Described<'a, D> {
    #[serde(flatten)]
    document: D,
    points: Vec<Vec<Categories<'a>>>,
    probabilities: &'a [f64],
}

/// The importances of infinitely many trees on infinitely many rows, as JSON. The rows of `data`
/// have probabilities proportional to their weights.
#[pyfunction]
#[pyo3(signature = (data, impurity, asked, *, work))]
pub(crate) fn population(
    data: &Dataset,
    impurity: Option<&str>,
    asked: Asked,
    work: Work<'_>,
) -> PyResult<String> {
    let py = work.py;
    let impurity = impurity.map(|word| settings::impurity(py, word)).transpose()?;
    let Asked { mtry, depth, subspace, local, samples, seed, seconds } = asked;
    let request = Request { mtry, depth, subspace, local, terms: None, samples, seed };
    let usual = Limits::default();
    let limits = Limits { seconds: seconds.unwrap_or(usual.seconds), ..usual };
    let (population, found) = work.watched(|run| {
        let population = Population::new(&data.0, impurity)?;
        let found = population.find(&request, &limits, run)?;
        Ok((population, found))
    })?;
    let (document, points) = (found.document(&population, &request), population.all_categories());
    settings::json(py, &Described { document, points, probabilities: population.probabilities() })
}
