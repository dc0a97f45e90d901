//! Single variables: their values, what the forest makes of them, and their importance by all
//! measures.

use std::collections::HashMap;

use serde::Serialize;
use wald_report::{
    Curve, CurvePlaces, Distribution, MeasureSummary, RankedVariable, Report, VariablePage,
};

use super::explanations::{self, Dependence};
use super::ranking::{digits, ranks};
use crate::chart::{curve, distribution};
use crate::number;
use crate::view::cell::{Cell, align};

/// The sentences on a variable.
#[derive(Debug, Serialize)]
pub(super) struct Variable<'a> {
    name: &'a str,
    sentence: Option<&'a str>,
    cluster: Option<&'a [String]>,
    importances: Vec<Importance<'a>>,
    /// Markup made by this crate.
    distribution: String,
    /// What is counted and its rows.
    counts: Vec<(String, String)>,
    curves: Vec<Predictions<'a>>,
    dependence: Vec<(Option<&'a str>, Dependence<'a>)>,
}

#[derive(Debug, Serialize)]
struct Importance<'a> {
    measure: &'a str,
    number: usize,
    rank: usize,
    n_variables: usize,
    value: Cell,
    error: Cell,
    interval: Option<(Cell, Cell)>,
    sampling: Option<(Cell, Cell)>,
    ranks: Option<String>,
    p_value: Cell,
}

/// Predictions against the variable.
#[derive(Debug, Serialize)]
struct Predictions<'a> {
    class: Option<&'a str>,
    /// Markup made by this crate.
    picture: String,
    /// Place and mean prediction.
    means: Vec<(String, Cell)>,
    /// All curves as comma-separated lines, one per place.
    lines: String,
}

/// Arranges the pages of all variables that have one.
pub(super) fn variables(report: &Report) -> Vec<Variable<'_>> {
    let ranked: Vec<HashMap<&str, &RankedVariable>> = report
        .measures
        .iter()
        .map(|measure| measure.ranking.iter().map(|v| (v.name.as_str(), v)).collect())
        .collect();
    report.variables.iter().map(|page| variable(page, report, &ranked)).collect()
}

fn variable<'a>(
    page: &'a VariablePage,
    report: &'a Report,
    ranked: &[HashMap<&str, &'a RankedVariable>],
) -> Variable<'a> {
    let name = page.name.as_str();
    let found = report.disagreement.iter().flat_map(|found| &found.variables);
    let mut found = found.filter(|variable| variable.name == name);
    let sentence = found.next().map(|variable| variable.sentence.as_str());
    let mut clusters = report.dependence.iter().flat_map(|map| &map.clusters);
    let cluster = clusters.find(|names| names.iter().any(|other| other == name));
    let both = report.measures.iter().zip(ranked).zip(1..);
    Variable {
        name,
        sentence: sentence.filter(|sentence| !sentence.is_empty()),
        cluster: cluster.map(Vec::as_slice),
        importances: both
            .filter_map(|((measure, of), number)| Some(importance(measure, number, of.get(name)?)))
            .collect(),
        distribution: distribution(name, &page.distribution).embedded(),
        counts: counts(&page.distribution),
        curves: page.curves.iter().map(|one| predictions(name, one, report)).collect(),
        dependence: explanations::of_variable(report, name),
    }
}

fn importance<'a>(
    measure: &'a MeasureSummary,
    number: usize,
    variable: &RankedVariable,
) -> Importance<'a> {
    let digits = digits(&measure.ranking);
    let value = |value| Cell { text: number::shared(digits, value).text, pad: 0 };
    Importance {
        measure: &measure.name,
        number,
        rank: variable.rank,
        n_variables: measure.ranking.len(),
        value: value(variable.value),
        error: value(variable.standard_error),
        interval: variable.low.zip(variable.high).map(|(l, h)| (value(Some(l)), value(Some(h)))),
        sampling: variable.sampling.map(|found| (value(Some(found.low)), value(Some(found.high)))),
        ranks: variable.sampling.as_ref().and_then(ranks),
        p_value: Cell { text: number::p_value(variable.p_value).text, pad: 0 },
    }
}

fn counts(distribution: &Distribution) -> Vec<(String, String)> {
    let count = |n: usize| number::count(n as u64);
    match distribution {
        Distribution::Numeric { edges, counts } => {
            let digits = number::digits_apart(edges.iter().copied());
            let shown = |edge: f64| number::with_digits(edge, digits);
            let ends =
                edges.windows(2).map(|ends| format!("{} to {}", shown(ends[0]), shown(ends[1])));
            ends.zip(counts.iter().map(|&n| count(n))).collect()
        }
        Distribution::Categorical { counts, others } => {
            let mut lines: Vec<_> =
                counts.iter().map(|(level, n)| (level.clone(), count(*n))).collect();
            if *others > 0 {
                lines.push(("all other levels".to_owned(), count(*others)));
            }
            lines
        }
    }
}

fn predictions<'a>(name: &str, one: &'a Curve, report: &Report) -> Predictions<'a> {
    let unit = match one.class.as_deref() {
        Some(class) => report.predicted(Some(class)),
        None => format!("predicted {}", report.predicted(None)),
    };
    let [places, exact]: [Vec<String>; 2] = match &one.places {
        CurvePlaces::Numeric { values, .. } => {
            // Values of a grid are closer than those of a table of edges.
            let digits = match number::digits_apart(values.iter().copied()) {
                number::DIGITS => number::DIGITS,
                more => more + 1,
            };
            [
                values.iter().map(|value| number::with_digits(*value, digits)).collect(),
                values.iter().map(|value| number::plain_with(*value, digits)).collect(),
            ]
        }
        CurvePlaces::Categorical { levels } => {
            [levels.clone(), levels.iter().map(|level| number::quoted(level)).collect()]
        }
    };
    // Programs may compute with what follows: one digit more than is shown.
    let digits = 1 + number::digits_apart(one.rows.iter().chain([&one.mean]).flatten().copied());
    let line = |(place, words): (usize, &String)| {
        let of_rows = one.rows.iter().map(|row| row.get(place));
        let numbers = [one.mean.get(place)].into_iter().chain(of_rows);
        let numbers = numbers
            .map(|value| value.map_or(String::new(), |value| number::plain_with(*value, digits)));
        format!("{words},{}\n", numbers.collect::<Vec<_>>().join(","))
    };
    let heads = (1..=one.rows.len()).map(|row| format!("row {row}"));
    let heads: Vec<String> = ["mean".to_owned()].into_iter().chain(heads).collect();
    let lines: String = exact.iter().enumerate().map(line).collect();
    let digits = number::digits_apart(one.mean.iter().copied());
    let means = align(one.mean.iter().map(|value| number::of_digits(Some(*value), digits)));
    Predictions {
        class: one.class.as_deref(),
        picture: curve(name, one, &unit).embedded(),
        means: places.into_iter().zip(means).collect(),
        lines: format!("{},{}\n{lines}", number::quoted(name), heads.join(",")),
    }
}
