//! Exact importances of a joint distribution.

use pyo3::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};
use wald::data::{ColumnData, MISSING_LEVEL};
use wald::{Error, Run};
use wald_population::{
    BestOf, Importances, Limits, LocalImportances, Population, Relevance, SampleSettings,
    TreeSettings,
};

use crate::data::Dataset;
use crate::errors;
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

/// What was found, in the words of `wald population --format json`.
#[derive(Serialize)]
struct Found {
    features: Vec<String>,
    target: String,
    impurity: &'static str,
    root_impurity: f64,
    total: f64,
    mtry: Vec<usize>,
    depth: Option<usize>,
    subspace: Option<usize>,
    samples: Option<usize>,
    values: Vec<f64>,
    standard_errors: Option<Vec<f64>>,
    by_degree: Vec<Vec<f64>>,
    relevance: Vec<Option<&'static str>>,
    marginal: Vec<bool>,
    by_mtry: Option<Vec<Vec<f64>>>,
    points: Vec<Vec<Value>>,
    probabilities: Vec<f64>,
    local: Option<Value>,
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
    let found = work.watched(|run| {
        let population = Population::new(&data.0, impurity)?;
        find(&population, &asked, run)
    })?;
    serde_json::to_string(&found).map_err(|error| errors::internal(py, &error.to_string()))
}

fn find(population: &Population, asked: &Asked, around: &Run) -> Result<Found, Error> {
    let mut found = outline(population, asked);
    if let Some(samples) = asked.samples {
        let mtry = asked.mtry.first().copied().unwrap_or(1);
        let settings = SampleSettings { samples, mtry, depth: asked.depth, seed: asked.seed };
        let sampled = population.sampled(settings, around)?;
        found.set(&sampled.importances);
        found.standard_errors = Some(sampled.standard_errors);
        found.relevance = sampled.relevance.iter().map(|known| known.map(Relevance::id)).collect();
        found.marginal = sampled.is_marginally_relevant;
        return Ok(found);
    }
    let usual = Limits::default();
    let limits = Limits { seconds: asked.seconds.unwrap_or(usual.seconds), ..usual };
    let exact = population.exact(&limits, around)?;
    found.relevance = exact.relevance().iter().map(|relevance| Some(relevance.id())).collect();
    found.marginal = exact.is_marginally_relevant();
    match (asked.subspace, asked.depth) {
        (Some(size), _) => found.set(&exact.subspace(size)?),
        (None, Some(depth)) => found.set(&exact.importances().pruned(depth)),
        (None, None) => found.set(exact.importances()),
    }
    if asked.mtry != [1] || asked.local {
        let settings = TreeSettings { mtry: asked.mtry.clone(), local: asked.local };
        let trees = population.best_of(&settings, &limits, around)?;
        found.add_trees(population, asked, &trees);
    }
    Ok(found)
}

fn outline(population: &Population, asked: &Asked) -> Found {
    let n_points = population.probabilities().len();
    Found {
        features: population.variables().to_vec(),
        target: population.target().to_owned(),
        impurity: population.impurity().id(),
        root_impurity: population.root_impurity(),
        total: population.total(),
        mtry: asked.mtry.clone(),
        depth: asked.depth,
        subspace: asked.subspace,
        samples: asked.samples,
        values: Vec::new(),
        standard_errors: None,
        by_degree: Vec::new(),
        relevance: Vec::new(),
        marginal: Vec::new(),
        by_mtry: None,
        points: (0..n_points).map(|point| categories(population, point)).collect(),
        probabilities: population.probabilities().to_vec(),
        local: None,
    }
}

impl Found {
    fn set(&mut self, importances: &Importances) {
        self.values = importances.values();
        self.by_degree.clone_from(&importances.by_degree);
    }

    /// Trees that choose the best of one number of variables, or of several.
    fn add_trees(&mut self, population: &Population, asked: &Asked, trees: &[BestOf]) {
        let depth = asked.depth.unwrap_or(population.n_variables());
        let pruned = |trees: &BestOf| trees.importances.pruned(depth);
        if trees.len() > 1 {
            self.by_mtry = Some(trees.iter().map(|trees| pruned(trees).values()).collect());
        }
        if let Some(first) = trees.first() {
            if first.mtry > 1 {
                self.set(&pruned(first));
            }
            self.local = first.local.as_ref().map(local);
        }
    }
}

fn local(found: &LocalImportances) -> Value {
    json!({"values": found.values, "irrelevant": found.is_irrelevant})
}

/// The categories at a point, a value per column of every variable.
fn categories(population: &Population, point: usize) -> Vec<Value> {
    let column = |&at: &u32| match population.points().columns()[at as usize].data() {
        ColumnData::Numeric(values) => Some(values[point]).filter(|value| !value.is_nan()).into(),
        ColumnData::Categorical(categories) => match categories.codes()[point] {
            MISSING_LEVEL => Value::Null,
            code => categories.levels()[code as usize].as_str().into(),
        },
    };
    let of_variable = |variable: usize| {
        let mut values: Vec<Value> = population.columns_of(variable).iter().map(column).collect();
        if values.len() == 1 { values.remove(0) } else { values.into() }
    };
    (0..population.n_variables()).map(of_variable).collect()
}
