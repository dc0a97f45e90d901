//! The result as JSON, CSV or Parquet.

use serde::Serialize;
use serde_json::Value;
use wald_population::Term;
use wald_table::{Frame, FrameColumn};

use crate::failure::wald_version;
use crate::population::{Found, category};

#[derive(Serialize)]
struct Document<'a> {
    wald: &'static str,
    features: &'a [String],
    target: &'a str,
    impurity: &'static str,
    /// Impurity of the target when nothing is known.
    root_impurity: f64,
    /// I(V; Y).
    total: f64,
    n_points: usize,
    mtry: usize,
    depth: Option<usize>,
    subspace: Option<usize>,
    samples: Option<usize>,
    values: &'a [f64],
    standard_errors: Option<&'a [f64]>,
    by_degree: &'a [Vec<f64>],
    by_degree_standard_errors: Option<&'a [Vec<f64>]>,
    relevance: Vec<Option<&'static str>>,
    marginal: &'a [bool],
    by_mtry: Option<&'a [Vec<f64>]>,
    terms: Option<Vec<Vec<TermObject<'a>>>>,
    local: Option<LocalObject<'a>>,
}

#[derive(Serialize)]
struct TermObject<'a> {
    known: Vec<&'a str>,
    information: f64,
    contribution: f64,
}

#[derive(Serialize)]
struct LocalObject<'a> {
    rows: Vec<Vec<Value>>,
    probabilities: &'a [f64],
    values: &'a [Vec<f64>],
    irrelevant: &'a [Vec<bool>],
}

/// The result as one JSON object.
pub(crate) fn document<'a>(found: &'a Found<'_>) -> impl Serialize + use<'a> {
    let population = found.population;
    let names = population.variables();
    let term = |term: &Term| TermObject {
        known: term.known.iter().map(|variable| names[variable].as_str()).collect(),
        information: term.information,
        contribution: term.contribution,
    };
    let terms = found.terms.as_ref().map(|terms| {
        terms.iter().map(|of_variable| of_variable.iter().map(term).collect()).collect()
    });
    let local = found.local.as_ref().map(|local| LocalObject {
        rows: (0..local.values.len())
            .map(|point| (0..names.len()).map(|variable| value(found, point, variable)).collect())
            .collect(),
        probabilities: population.probabilities(),
        values: &local.values,
        irrelevant: &local.is_irrelevant,
    });
    let samples = found.samples.as_ref();
    Document {
        wald: wald_version(),
        features: names,
        target: population.target(),
        impurity: population.impurity().id(),
        root_impurity: population.root_impurity(),
        total: population.total(),
        n_points: population.probabilities().len(),
        mtry: found.trees.mtry,
        depth: found.trees.depth,
        subspace: found.trees.subspace,
        samples: samples.map(|samples| samples.n),
        values: &found.values,
        standard_errors: samples.map(|samples| samples.errors.as_slice()),
        by_degree: &found.by_degree,
        by_degree_standard_errors: samples.map(|samples| samples.by_degree.as_slice()),
        relevance: relevance(found).collect(),
        marginal: &found.is_marginal,
        by_mtry: found.by_mtry.as_deref(),
        terms,
        local,
    }
}

/// A value, or a list of them for a group of columns.
fn value(found: &Found<'_>, point: usize, variable: usize) -> Value {
    let mut values = category(found.population, point, variable);
    if values.len() == 1 { values.remove(0) } else { values.into() }
}

fn relevance<'a>(found: &'a Found<'_>) -> impl Iterator<Item = Option<&'static str>> + 'a {
    found.relevance.iter().map(|relevance| relevance.map(wald_population::Relevance::id))
}

/// A line per variable, or per point and variable where local importances were requested.
pub(crate) fn frame(found: &Found<'_>) -> Frame {
    let columns = if found.local.is_some() { local(found) } else { global(found) };
    Frame { columns }
}

fn global(found: &Found<'_>) -> Vec<(String, FrameColumn)> {
    let numbers =
        |values: &[f64]| FrameColumn::Numbers(values.iter().map(|value| Some(*value)).collect());
    let of_degree = |by_degree: &[Vec<f64>], degree: usize| {
        numbers(&by_degree.iter().map(|of_variable| of_variable[degree]).collect::<Vec<_>>())
    };
    let word = |word: Option<&str>| word.unwrap_or_default().to_owned();
    let marginal: Vec<f64> = found.is_marginal.iter().map(|&is| f64::from(u8::from(is))).collect();
    let names = found.population.variables().to_vec();
    let mut columns = vec![
        ("variable".to_owned(), FrameColumn::Text(names)),
        ("importance".to_owned(), numbers(&found.values)),
    ];
    if let Some(samples) = &found.samples {
        columns.push(("standard_error".to_owned(), numbers(&samples.errors)));
    }
    columns.push(("relevance".to_owned(), FrameColumn::Text(relevance(found).map(word).collect())));
    columns.push(("marginal".to_owned(), numbers(&marginal)));
    for degree in 0..found.by_degree.first().map_or(0, Vec::len) {
        columns.push((format!("degree_{degree}"), of_degree(&found.by_degree, degree)));
    }
    for (values, mtry) in found.by_mtry.iter().flatten().zip(1..) {
        columns.push((format!("mtry_{mtry}"), numbers(values)));
    }
    columns
}

fn local(found: &Found<'_>) -> Vec<(String, FrameColumn)> {
    let population = found.population;
    let names = population.variables();
    let places = (0..population.probabilities().len())
        .flat_map(|point| (0..names.len()).map(move |variable| (point, variable)));
    let numbers = |of: &dyn Fn(usize, usize) -> f64| {
        FrameColumn::Numbers(
            places.clone().map(|(point, variable)| Some(of(point, variable))).collect(),
        )
    };
    let texts = |of: &dyn Fn(usize, usize) -> String| {
        FrameColumn::Text(places.clone().map(|(point, variable)| of(point, variable)).collect())
    };
    let Some(local) = &found.local else { return Vec::new() };
    let irrelevant =
        |point: usize, variable: usize| f64::from(u8::from(local.is_irrelevant[point][variable]));
    [
        ("point", numbers(&|point, _| point as f64 + 1.0)),
        ("probability", numbers(&|point, _| population.probabilities()[point])),
        ("variable", texts(&|_, variable| names[variable].clone())),
        ("category", texts(&|point, variable| category_text(found, point, variable))),
        ("importance", numbers(&|point, variable| local.values[point][variable])),
        ("irrelevant", numbers(&irrelevant)),
    ]
    .map(|(name, column)| (name.to_owned(), column))
    .into()
}

/// The category of a variable at a point, as text.
pub(super) fn category_text(found: &Found<'_>, point: usize, variable: usize) -> String {
    let text = |value: Value| match value {
        Value::String(text) => text,
        Value::Number(number) => number.as_f64().map_or_else(String::new, crate::csv::shortest),
        _ => String::new(),
    };
    let values = category(found.population, point, variable);
    values.into_iter().map(text).collect::<Vec<_>>().join(", ")
}
