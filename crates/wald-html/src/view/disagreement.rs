//! Why measures disagree: terms as bars in tables, masking as lines, partners, sentences.

use serde::Serialize;
use wald_report::{Decomposition, Overfitting, Report, VariableDisagreement};

use super::ranking::Columns;
use crate::chart::{Scale, masking};
use crate::number::{self, Number};
use crate::view::cell::{Cell, align};

/// Rows shown at once.
const SHOWN: usize = 20;

/// The section.
#[derive(Debug, Serialize)]
pub(super) struct Disagreement<'a> {
    summary: &'a [String],
    about: &'a [String],
    n_shown: usize,
    correlations: Vec<(&'a str, Vec<Cell>)>,
    decomposition: Option<Bars<'a>>,
    overfitting: Option<Bars<'a>>,
    masking: Option<Masking<'a>>,
    partners: Vec<Partners<'a>>,
    sentences: Vec<(&'a str, String, &'a str)>,
}

/// A table with a picture in every row.
#[derive(Debug, Serialize)]
struct Bars<'a> {
    ticks: Vec<(String, String)>,
    zero: Option<String>,
    rows: Vec<Bar<'a>>,
}

/// Start and width of the stretches of a row, in percent of the width of the cell, and its numbers.
#[derive(Debug, Serialize)]
struct Bar<'a> {
    name: &'a str,
    places: Vec<(String, String)>,
    cells: Vec<Cell>,
}

#[derive(Debug, Serialize)]
struct Masking<'a> {
    /// Markup made by this crate.
    picture: String,
    mtry: Vec<usize>,
    rows: Vec<(&'a str, Vec<Cell>)>,
}

#[derive(Debug, Serialize)]
struct Partners<'a> {
    name: &'a str,
    partner: &'a str,
    alone: Cell,
    together: Cell,
}

/// Arranges the section.
pub(super) fn disagreement(report: &Report) -> Option<Disagreement<'_>> {
    let found = report.disagreement.as_ref()?;
    let name_of = |id: &'_ String| {
        let named = report.measures.iter().find(|measure| measure.id == *id);
        named.map(|measure| measure.name.as_str())
    };
    let correlations = found.measures.iter().zip(&found.correlations).map(|(id, row)| {
        let cells = row.iter().map(|value| Cell::rounded(*value)).collect();
        (name_of(id).unwrap_or(id), cells)
    });
    let sentences = found.variables.iter().filter(|variable| !variable.sentence.is_empty());
    Some(Disagreement {
        summary: &found.summary,
        about: &found.about,
        n_shown: SHOWN,
        correlations: correlations.collect(),
        decomposition: decomposition(&found.variables),
        overfitting: overfitting(&found.variables),
        masking: masking_lines(&found.variables),
        partners: partners(&found.variables),
        sentences: sentences
            .map(|v| (v.name.as_str(), number::count(v.rank_spread as u64), v.sentence.as_str()))
            .collect(),
    })
}

fn decomposition(variables: &[VariableDisagreement]) -> Option<Bars<'_>> {
    let found: Vec<(&str, Decomposition)> = variables
        .iter()
        .filter_map(|variable| Some((variable.name.as_str(), variable.decomposition?)))
        .collect();
    let terms = |d: &Decomposition| [d.total_sobol, d.full_total_sobol, d.third];
    // Terms above zero stand behind each other to its right, the others to its left.
    let ends = |d: &Decomposition| {
        let mut ends = [0.0; 2];
        terms(d).map(|term| {
            let end = &mut ends[usize::from(term < 0.0)];
            let from = *end;
            *end += term;
            (from, *end)
        })
    };
    let scale = Scale::of(found.iter().flat_map(|(_, d)| ends(d)).map(|(_, end)| end))?;
    let stretches = |d: &Decomposition| {
        ends(d).iter().map(|(from, to)| scale.stretch(*from, *to)).collect::<Option<Vec<_>>>()
    };
    Some(bars(&scale, &found, terms, stretches))
}

fn overfitting(variables: &[VariableDisagreement]) -> Option<Bars<'_>> {
    let found: Vec<(&str, Overfitting)> = variables
        .iter()
        .filter_map(|variable| Some((variable.name.as_str(), variable.overfitting?)))
        .collect();
    let both = |o: &Overfitting| [o.in_bag, o.out_of_bag];
    let scale = Scale::of(found.iter().flat_map(|(_, o)| both(o)))?;
    // The line between both, and two dots.
    let stretches = |o: &Overfitting| {
        let ends = [(o.in_bag, o.out_of_bag), (o.in_bag, o.in_bag), (o.out_of_bag, o.out_of_bag)];
        ends.iter().map(|(from, to)| scale.stretch(*from, *to)).collect::<Option<Vec<_>>>()
    };
    Some(bars(&scale, &found, both, stretches))
}

fn bars<'a, T, const N: usize>(
    scale: &Scale,
    found: &[(&'a str, T)],
    numbers: impl Fn(&T) -> [f64; N],
    stretches: impl Fn(&T) -> Option<Vec<(String, String)>>,
) -> Bars<'a> {
    let column = |term: usize| -> Vec<Number> {
        found.iter().map(|(_, part)| number::value(Some(numbers(part)[term]))).collect()
    };
    let mut columns = Columns::of::<N>(std::array::from_fn(column));
    let rows = found.iter().map(|(name, part)| Bar {
        name,
        places: stretches(part).unwrap_or_default(),
        cells: columns.next_row().collect(),
    });
    Bars { rows: rows.collect(), ticks: scale.ticks(), zero: scale.percent(0.0) }
}

fn masking_lines(variables: &[VariableDisagreement]) -> Option<Masking<'_>> {
    let picture = masking(variables)?.embedded();
    let mut mtry: Vec<usize> =
        variables.iter().flat_map(|v| v.masking.iter().map(|point| point.mtry)).collect();
    mtry.sort_unstable();
    mtry.dedup();
    let of = |variable: &VariableDisagreement, mtry: usize| {
        let point = variable.masking.iter().find(|point| point.mtry == mtry);
        number::value(point.map(|point| point.share))
    };
    let masked: Vec<&VariableDisagreement> =
        variables.iter().filter(|variable| !variable.masking.is_empty()).collect();
    let columns: Vec<Vec<Cell>> =
        mtry.iter().map(|&mtry| align(masked.iter().map(|v| of(v, mtry)))).collect();
    let rows = masked.iter().enumerate().map(|(row, variable)| {
        let cells = columns.iter().map(|column| column[row].clone()).collect();
        (variable.name.as_str(), cells)
    });
    Some(Masking { picture, rows: rows.collect(), mtry })
}

fn partners(variables: &[VariableDisagreement]) -> Vec<Partners<'_>> {
    let both: Vec<_> = variables
        .iter()
        .flat_map(|variable| variable.partners.iter().map(move |partner| (variable, partner)))
        .collect();
    let mut columns = Columns::of([
        both.iter().map(|(_, partner)| number::value(Some(partner.alone))).collect(),
        both.iter().map(|(_, partner)| number::value(Some(partner.together))).collect(),
    ]);
    let mut rows = Vec::with_capacity(both.len());
    for (variable, partner) in both {
        let mut cells = columns.next_row();
        let mut next = || cells.next().unwrap_or_else(Cell::none);
        let (alone, together) = (next(), next());
        rows.push(Partners { name: &variable.name, partner: &partner.name, alone, together });
    }
    rows
}
