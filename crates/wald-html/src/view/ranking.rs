//! Rankings as tables whose rows hold a picture: a dot with its intervals.

use std::collections::HashMap;

use serde::Serialize;
use wald::digits::Digits;
use wald_report::{MeasureSummary, RankedVariable, SampledVariable};

use crate::chart::Scale;
use crate::number::{self, Number};
use crate::view::cell::{Cell, align};

/// Variables shown at once; the others are one click away.
pub(super) const SHOWN: usize = 30;

/// A ranking with what its table has columns for.
#[derive(Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each stands for a column of the table")]
pub(super) struct Ranking<'a> {
    pub(super) rows: Vec<Row<'a>>,
    has_errors: bool,
    has_intervals: bool,
    has_sampling: bool,
    has_ranks: bool,
    has_p_values: bool,
    /// Places, in percent, and words of the ticks of the rows' axis.
    ticks: Vec<(String, String)>,
    /// Where zero lies on it.
    zero: Option<String>,
}

/// One variable of a ranking.
#[derive(Debug, Serialize)]
pub(super) struct Row<'a> {
    rank: usize,
    name: &'a str,
    /// Number of the page of the variable, where it has one.
    page: Option<usize>,
    value: Cell,
    error: Cell,
    low: Cell,
    high: Cell,
    sampling_error: Cell,
    sampling_low: Cell,
    sampling_high: Cell,
    /// The ranks that the table does not rule out.
    ranks: Option<String>,
    p_value: Cell,
    /// Positions on the row's axis, in percent of its width.
    dot: Option<String>,
    /// Start and width of its intervals, or of the way from zero where it has none.
    line: Option<(String, String)>,
    stem: Option<(String, String)>,
    sampling_line: Option<(String, String)>,
}

/// The numbers of the pages of variables, by name.
pub(super) type Pages<'a> = HashMap<&'a str, usize>;

/// Columns of numbers, row by row.
pub(super) struct Columns(Vec<std::vec::IntoIter<Cell>>);

impl Columns {
    /// Aligns every column.
    pub(super) fn of<const N: usize>(columns: [Vec<Number>; N]) -> Self {
        Self(columns.into_iter().map(|column| align(column).into_iter()).collect())
    }

    /// The cells of the next row.
    pub(super) fn next_row(&mut self) -> std::vec::IntoIter<Cell> {
        let row: Vec<Cell> =
            self.0.iter_mut().map(|column| column.next().unwrap_or_else(Cell::none)).collect();
        row.into_iter()
    }
}

/// Arranges a ranking.
pub(super) fn ranking<'a>(measure: &'a MeasureSummary, pages: &Pages<'_>) -> Ranking<'a> {
    let ranking = &measure.ranking;
    let any = |has: &dyn Fn(&RankedVariable) -> bool| ranking.iter().any(has);
    let scale = Scale::of(ranking.iter().flat_map(|variable| {
        let sampling = variable.sampling.iter().flat_map(|found| [found.low, found.high]);
        let own = [variable.value, variable.low, variable.high].into_iter().flatten();
        own.chain(sampling)
    }));
    Ranking {
        rows: rows(ranking, scale.as_ref(), pages),
        has_errors: any(&|variable| variable.standard_error.is_some()),
        has_intervals: any(&|variable| variable.low.is_some() && variable.high.is_some()),
        has_sampling: any(&|variable| variable.sampling.is_some()),
        has_ranks: any(&|variable| variable.sampling.as_ref().is_some_and(|s| ranks(s).is_some())),
        has_p_values: any(&|variable| variable.p_value.is_some()),
        zero: scale.as_ref().and_then(|scale| scale.percent(0.0)),
        ticks: scale.as_ref().map_or_else(Vec::new, Scale::ticks),
    }
}

fn rows<'a>(
    ranking: &'a [RankedVariable],
    scale: Option<&Scale>,
    pages: &Pages<'_>,
) -> Vec<Row<'a>> {
    let percent = |value: Option<f64>| scale?.percent(value?);
    let stretch = |ends: Option<(f64, f64)>| ends.and_then(|(from, to)| scale?.stretch(from, to));
    let digits = digits(ranking);
    let column = |of: &dyn Fn(&RankedVariable) -> Option<f64>| {
        let numbers = ranking.iter().map(|variable| number::shared(digits, of(variable)));
        numbers.collect::<Vec<Number>>()
    };
    let mut columns = Columns::of([
        column(&|v| v.value),
        column(&|v| v.standard_error),
        column(&|v| v.low),
        column(&|v| v.high),
        column(&|v| Some(v.sampling?.standard_error)),
        column(&|v| Some(v.sampling?.low)),
        column(&|v| Some(v.sampling?.high)),
        ranking.iter().map(|variable| number::p_value(variable.p_value)).collect(),
    ]);
    let row = |variable: &'a RankedVariable| {
        let mut cells = columns.next_row();
        let mut next = || cells.next().unwrap_or_else(Cell::none);
        let sampling = variable.sampling;
        Row {
            rank: variable.rank,
            name: &variable.name,
            page: pages.get(variable.name.as_str()).copied(),
            value: next(),
            error: next(),
            low: next(),
            high: next(),
            sampling_error: next(),
            sampling_low: next(),
            sampling_high: next(),
            p_value: next(),
            ranks: sampling.as_ref().and_then(ranks),
            dot: percent(variable.value),
            line: stretch(variable.low.zip(variable.high)),
            stem: stretch(variable.value.map(|value| (0.0, value))),
            sampling_line: stretch(sampling.map(|found| (found.low, found.high))),
        }
    };
    ranking.iter().map(row).collect()
}

/// The digits of the importances by a measure, their errors and intervals.
pub(super) fn digits(ranking: &[RankedVariable]) -> Digits {
    Digits::of(ranking.iter().filter_map(|variable| variable.value))
}

/// The ranks of an interval in words.
pub(super) fn ranks(sampling: &SampledVariable) -> Option<String> {
    let (low, high) = sampling.lowest_rank.zip(sampling.highest_rank)?;
    Some(if low == high { low.to_string() } else { format!("{low}\u{2013}{high}") })
}
