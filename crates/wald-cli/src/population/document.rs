//! The result as JSON, CSV or Parquet.

use serde::Serialize;
use wald_population::{Categories, Category, LocalImportances, Relevance, Term};
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
    relevance: &'a [Option<Relevance>],
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
        relevance: &answer.found.relevance,
        marginal: &answer.found.is_marginally_relevant,
        by_mtry: answer.found.by_mtry.as_deref(),
        terms,
        local,
    }
}

/// A line per variable, or per point and variable where local importances were requested.
pub(crate) fn frame(answer: &Answer<'_>) -> Frame {
    answer.found.local.as_ref().map_or_else(|| global(answer), |found| local(answer, found))
}

fn global(answer: &Answer<'_>) -> Frame {
    let Answer { population, found, .. } = answer;
    let numbers = |values: &[f64]| FrameColumn::numbers(values, |value| Some(*value));
    let mut columns = vec![
        ("variable".to_owned(), FrameColumn::Text(population.variables().to_vec())),
        ("importance".to_owned(), numbers(&found.values)),
    ];
    if let Some(errors) = &found.errors {
        columns.push(("standard_error".to_owned(), numbers(&errors.values)));
    }
    let word = |known: &Option<Relevance>| known.map_or("", Relevance::id).to_owned();
    columns.push(("relevance".to_owned(), FrameColumn::texts(&found.relevance, word)));
    let marginal = &found.is_marginally_relevant;
    let marginal = FrameColumn::numbers(marginal, |&is| Some(f64::from(u8::from(is))));
    columns.push(("marginal".to_owned(), marginal));
    for degree in 0..found.by_degree.first().map_or(0, Vec::len) {
        let values = FrameColumn::numbers(&found.by_degree, |degrees| Some(degrees[degree]));
        columns.push((format!("degree_{degree}"), values));
    }
    for (values, mtry) in found.by_mtry.iter().flatten().zip(1..) {
        columns.push((format!("mtry_{mtry}"), numbers(values)));
    }
    Frame { columns }
}

fn local(answer: &Answer<'_>, found: &LocalImportances) -> Frame {
    let (names, shares) = (answer.population.variables(), answer.population.probabilities());
    let of_point = |point| (0..names.len()).map(move |variable| (point, variable));
    let places: Vec<(usize, usize)> = (0..shares.len()).flat_map(of_point).collect();
    let numbers = |of: &dyn Fn(usize, usize) -> f64| {
        FrameColumn::numbers(&places, |&(point, variable)| Some(of(point, variable)))
    };
    let category = |&(point, variable): &(usize, usize)| category_text(answer, point, variable);
    let is_irrelevant = &found.is_irrelevant;
    Frame::from_iter([
        ("point", numbers(&|point, _| point as f64 + 1.0)),
        ("probability", numbers(&|point, _| shares[point])),
        ("variable", FrameColumn::texts(&places, |(_, variable)| names[*variable].clone())),
        ("category", FrameColumn::texts(&places, category)),
        ("importance", numbers(&|point, variable| found.values[point][variable])),
        ("irrelevant", numbers(&|point, of| f64::from(u8::from(is_irrelevant[point][of])))),
    ])
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
