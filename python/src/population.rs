//! Exact importances of a joint distribution.

use pyo3::prelude::*;
use serde_json::{Value, json};
use wald::{Error, Run};
use wald_population::{Limits, Population, Relevance, Request};

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
    let impurity = impurity.map(|word| settings::impurity(work.py, word)).transpose()?;
    let found = work.watched(|run| {
        let population = Population::new(&data.0, impurity)?;
        find(&population, asked, run)
    })?;
    Ok(found.to_string())
}

fn find(population: &Population, asked: Asked, around: &Run) -> Result<Value, Error> {
    let Asked { mtry, depth, subspace, local, samples, seed, seconds } = asked;
    let request = Request { mtry, depth, subspace, local, terms: None, samples, seed };
    let usual = Limits::default();
    let limits = Limits { seconds: seconds.unwrap_or(usual.seconds), ..usual };
    let found = population.find(&request, &limits, around)?;
    let (n_points, n_variables) = (population.probabilities().len(), population.n_variables());
    let at = |point| (0..n_variables).map(|of| population.categories(point, of)).collect();
    let local = found.local.map(|of| json!({"values": of.values, "irrelevant": of.is_irrelevant}));
    let relevance = found.relevance.iter().map(|known| known.map(Relevance::id));
    Ok(json!({
        "features": population.variables(),
        "target": population.target(),
        "impurity": population.impurity().id(),
        "root_impurity": population.root_impurity(),
        "total": population.total(),
        "mtry": request.mtry,
        "depth": depth,
        "subspace": subspace,
        "samples": samples,
        "values": found.values,
        "standard_errors": found.errors.map(|errors| errors.values),
        "by_degree": found.by_degree,
        "relevance": relevance.collect::<Vec<_>>(),
        "marginal": found.is_marginally_relevant,
        "by_mtry": found.by_mtry,
        "points": (0..n_points).map(at).collect::<Vec<Vec<_>>>(),
        "probabilities": population.probabilities(),
        "local": local,
    }))
}
