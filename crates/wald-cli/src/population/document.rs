//! The result as JSON, CSV or Parquet.

use serde::Serialize;
use wald_population::{Categories, Category, Term};
use wald_table::{Frame, FrameColumn};

use crate::failure::wald_version;
use crate::population::Answer;

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
    rows: Vec<Vec<Categories<'a>>>,
    probabilities: &'a [f64],
    values: &'a [Vec<f64>],
    irrelevant: &'a [Vec<bool>],
}

/// The result as one JSON object.
pub(crate) fn document<'a>(answer: &'a Answer<'_>) -> impl Serialize + use<'a> {
    let population = answer.population;
    let names = population.variables();
    let term = |term: &Term| TermObject {
        known: term.known.iter().map(|variable| names[variable].as_str()).collect(),
        information: term.information,
        contribution: term.contribution,
    };
    let terms = answer.found.terms.as_ref().map(|terms| {
        terms.iter().map(|of_variable| of_variable.iter().map(term).collect()).collect()
    });
    let local = answer.found.local.as_ref().map(|local| LocalObject {
        rows: (0..local.values.len())
            .map(|point| (0..names.len()).map(|of| population.categories(point, of)).collect())
            .collect(),
        probabilities: population.probabilities(),
        values: &local.values,
        irrelevant: &local.is_irrelevant,
    });
    let errors = answer.found.errors.as_ref();
    Document {
        wald: wald_version(),
        features: names,
        target: population.target(),
        impurity: population.impurity().id(),
        root_impurity: population.root_impurity(),
        total: population.total(),
        n_points: population.probabilities().len(),
        mtry: answer.mtry(),
        depth: answer.request.depth,
        subspace: answer.request.subspace,
        samples: answer.request.samples,
        values: &answer.found.values,
        standard_errors: errors.map(|errors| errors.values.as_slice()),
        by_degree: &answer.found.by_degree,
        by_degree_standard_errors: errors.map(|errors| errors.by_degree.as_slice()),
        relevance: relevance(answer).collect(),
        marginal: &answer.found.is_marginally_relevant,
        by_mtry: answer.found.by_mtry.as_deref(),
        terms,
        local,
    }
}

fn relevance<'a>(answer: &'a Answer<'_>) -> impl Iterator<Item = Option<&'static str>> + 'a {
    answer.found.relevance.iter().map(|relevance| relevance.map(wald_population::Relevance::id))
}

/// A line per variable, or per point and variable where local importances were requested.
pub(crate) fn frame(answer: &Answer<'_>) -> Frame {
    let columns = if answer.found.local.is_some() { local(answer) } else { global(answer) };
    Frame { columns }
}

fn global(answer: &Answer<'_>) -> Vec<(String, FrameColumn)> {
    let numbers =
        |values: &[f64]| FrameColumn::Numbers(values.iter().map(|value| Some(*value)).collect());
    let of_degree = |by_degree: &[Vec<f64>], degree: usize| {
        numbers(&by_degree.iter().map(|of_variable| of_variable[degree]).collect::<Vec<_>>())
    };
    let word = |word: Option<&str>| word.unwrap_or_default().to_owned();
    let marginal: Vec<f64> =
        answer.found.is_marginally_relevant.iter().map(|&is| f64::from(u8::from(is))).collect();
    let names = answer.population.variables().to_vec();
    let mut columns = vec![
        ("variable".to_owned(), FrameColumn::Text(names)),
        ("importance".to_owned(), numbers(&answer.found.values)),
    ];
    if let Some(errors) = &answer.found.errors {
        columns.push(("standard_error".to_owned(), numbers(&errors.values)));
    }
    columns
        .push(("relevance".to_owned(), FrameColumn::Text(relevance(answer).map(word).collect())));
    columns.push(("marginal".to_owned(), numbers(&marginal)));
    for degree in 0..answer.found.by_degree.first().map_or(0, Vec::len) {
        columns.push((format!("degree_{degree}"), of_degree(&answer.found.by_degree, degree)));
    }
    for (values, mtry) in answer.found.by_mtry.iter().flatten().zip(1..) {
        columns.push((format!("mtry_{mtry}"), numbers(values)));
    }
    columns
}

fn local(answer: &Answer<'_>) -> Vec<(String, FrameColumn)> {
    let population = answer.population;
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
    let Some(local) = &answer.found.local else { return Vec::new() };
    let irrelevant =
        |point: usize, variable: usize| f64::from(u8::from(local.is_irrelevant[point][variable]));
    [
        ("point", numbers(&|point, _| point as f64 + 1.0)),
        ("probability", numbers(&|point, _| population.probabilities()[point])),
        ("variable", texts(&|_, variable| names[variable].clone())),
        ("category", texts(&|point, variable| category_text(answer, point, variable))),
        ("importance", numbers(&|point, variable| local.values[point][variable])),
        ("irrelevant", numbers(&irrelevant)),
    ]
    .map(|(name, column)| (name.to_owned(), column))
    .into()
}

/// The category of a variable at a point, as text.
pub(super) fn category_text(answer: &Answer<'_>, point: usize, variable: usize) -> String {
    let text = |category: &Category<'_>| match *category {
        Category::Level(level) => level.to_owned(),
        Category::Number(number) => crate::csv::shortest(number),
        Category::Missing => String::new(),
    };
    let categories = answer.population.categories(point, variable);
    categories.0.iter().map(text).collect::<Vec<_>>().join(", ")
}
