//! Rankings: one measure at a time, all of them side by side, and the first lines in words.

use std::collections::HashMap;

use serde::Serialize;
use wald::report::{MeasureSummary, RankedVariable};

use super::{Cell, align};
use crate::number;

/// Variables shown at once; the others are one click away.
const SHOWN: usize = 30;

/// Variables named in words.
const LEADERS: usize = 5;

/// The page's first lines: what the leading measure puts on top.
#[derive(Debug, Serialize)]
pub(super) struct Reading<'a> {
    measure: &'a str,
    n_variables: usize,
    small_is_important: bool,
    /// Empty if the measure finds nothing.
    leaders: Vec<Row<'a>>,
    /// Whether any variable has a value.
    defined: bool,
    /// The first names by each measure; empty for a single measure.
    first_by_measure: Vec<FirstNames<'a>>,
    /// The ranks of that table.
    ranks: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct FirstNames<'a> {
    measure: &'a str,
    names: Vec<&'a str>,
}

/// One measure's section.
#[derive(Debug, Serialize)]
pub(super) struct Measure<'a> {
    #[serde(flatten)]
    summary: Summary<'a>,
    shown: Vec<Row<'a>>,
    hidden: Vec<Row<'a>>,
    n_variables: usize,
    has_errors: bool,
    has_intervals: bool,
    has_p_values: bool,
    /// Where zero lies on the rows' axis, in percent of its width.
    zero: Option<String>,
    /// What the chart shows, for readers who cannot see it.
    description: String,
}

/// The words of a measure.
#[derive(Debug, Serialize)]
struct Summary<'a> {
    id: &'a str,
    name: &'a str,
    estimand: &'a str,
    caveat: &'a str,
    source: &'a str,
    data: &'a str,
    unit: &'a str,
    interval: Option<&'a str>,
    null: Option<&'a str>,
    small_is_important: bool,
    notes: &'a [String],
}

/// One variable of a ranking.
#[derive(Debug, Serialize)]
struct Row<'a> {
    rank: usize,
    name: &'a str,
    value: Cell,
    error: Cell,
    low: Cell,
    high: Cell,
    p_value: Cell,
    /// Positions on the row's axis, in percent of its width.
    dot: Option<String>,
    line: Option<(String, String)>,
}

/// The table of all variables by all measures.
#[derive(Debug, Serialize)]
pub(super) struct AllVariables<'a> {
    measures: Vec<Heading<'a>>,
    rows: Vec<VariableRow<'a>>,
}

#[derive(Debug, Serialize)]
struct Heading<'a> {
    name: &'a str,
    has_errors: bool,
    has_p_values: bool,
}

#[derive(Debug, Serialize)]
struct VariableRow<'a> {
    name: &'a str,
    /// Rank (`None` where the measure leaves the variable out), value, standard error, p-value.
    cells: Vec<(Option<usize>, Cell, Cell, Cell)>,
}

/// Puts the leading measure's first variables into words.
pub(super) fn reading(measures: &[MeasureSummary]) -> Option<Reading<'_>> {
    let leading = measures.first()?;
    let rows = rows(&leading.ranking);
    // A value of zero or less says that the variable does not help, whatever its rank.
    let matters = |variable: &RankedVariable| {
        variable
            .value
            .is_some_and(|value| !value.is_nan() && (leading.small_is_important || value > 0.0))
    };
    let leaders = rows.into_iter().zip(&leading.ranking).take(LEADERS);
    let leaders = leaders.filter(|(_, variable)| matters(variable)).map(|(row, _)| row);
    let first_by_measure = measures.iter().filter(|_| measures.len() > 1).map(first_names);
    Some(Reading {
        measure: &leading.name,
        n_variables: leading.ranking.len(),
        small_is_important: leading.small_is_important,
        leaders: leaders.collect(),
        defined: leading.ranking.iter().any(is_defined),
        first_by_measure: first_by_measure.collect(),
        ranks: (1..=LEADERS.min(leading.ranking.len())).collect(),
    })
}

fn is_defined(variable: &RankedVariable) -> bool {
    variable.value.is_some_and(|value| !value.is_nan())
}

fn first_names(measure: &MeasureSummary) -> FirstNames<'_> {
    let defined = measure.ranking.iter().filter(|variable| is_defined(variable));
    let names = defined.take(LEADERS).map(|variable| variable.name.as_str());
    FirstNames { measure: &measure.name, names: names.collect() }
}

/// Arranges one measure's section.
pub(super) fn measure(measure: &MeasureSummary) -> Measure<'_> {
    let mut shown = rows(&measure.ranking);
    let hidden = shown.split_off(shown.len().min(SHOWN));
    Measure {
        summary: Summary {
            id: &measure.id,
            name: &measure.name,
            estimand: &measure.estimand,
            caveat: &measure.caveat,
            source: &measure.source,
            data: &measure.data,
            unit: &measure.unit,
            interval: measure.interval.as_deref(),
            null: measure.null.as_deref(),
            small_is_important: measure.small_is_important,
            notes: &measure.notes,
        },
        shown,
        hidden,
        n_variables: measure.ranking.len(),
        has_errors: has_errors(measure),
        has_intervals: measure.ranking.iter().any(|v| v.low.is_some() && v.high.is_some()),
        has_p_values: has_p_values(measure),
        zero: Axis::of(&measure.ranking).and_then(|axis| axis.percent(0.0)),
        description: description(measure),
    }
}

/// Joins all measures, the variables in the order of the first one.
pub(super) fn all_variables(measures: &[MeasureSummary]) -> AllVariables<'_> {
    let mut names = Vec::new();
    let mut positions = HashMap::new();
    for variable in measures.iter().flat_map(|measure| &measure.ranking) {
        positions.entry(variable.name.as_str()).or_insert_with(|| {
            names.push(variable.name.as_str());
            names.len() - 1
        });
    }
    let undefined = Cell { text: None, pad: 0 };
    let row = |name| VariableRow { name, cells: Vec::with_capacity(measures.len()) };
    let mut table: Vec<VariableRow<'_>> = names.into_iter().map(row).collect();
    for (index, measure) in measures.iter().enumerate() {
        let values = align(measure.ranking.iter().map(|v| number::value(v.value)));
        let errors = measure.ranking.iter().map(|v| number::standard_error(v.standard_error));
        let p_values = align(measure.ranking.iter().map(|v| number::p_value(v.p_value)));
        let numbers = values.into_iter().zip(align(errors)).zip(p_values);
        for (variable, ((value, error), p_value)) in measure.ranking.iter().zip(numbers) {
            let cells = &mut table[positions[variable.name.as_str()]].cells;
            // Names are unique; should they not be, the first one is kept.
            if cells.len() == index {
                cells.push((Some(variable.rank), value, error, p_value));
            }
        }
        for row in &mut table {
            let none = || undefined.clone();
            row.cells.resize_with(index + 1, || (None, none(), none(), none()));
        }
    }
    AllVariables { measures: measures.iter().map(Heading::of).collect(), rows: table }
}

impl<'a> Heading<'a> {
    fn of(measure: &'a MeasureSummary) -> Self {
        let (has_errors, has_p_values) = (has_errors(measure), has_p_values(measure));
        Self { name: &measure.name, has_errors, has_p_values }
    }
}

fn has_errors(measure: &MeasureSummary) -> bool {
    measure.ranking.iter().any(|variable| variable.standard_error.is_some())
}

fn has_p_values(measure: &MeasureSummary) -> bool {
    measure.ranking.iter().any(|variable| variable.p_value.is_some())
}

fn rows<'a>(ranking: &'a [RankedVariable]) -> Vec<Row<'a>> {
    let axis = Axis::of(ranking);
    let percent = |value: Option<f64>| axis.as_ref()?.percent(value?);
    let mut values = align(ranking.iter().map(|v| number::value(v.value))).into_iter();
    let errors = align(ranking.iter().map(|v| number::standard_error(v.standard_error)));
    let mut errors = errors.into_iter();
    let mut lows = align(ranking.iter().map(|v| number::value(v.low))).into_iter();
    let mut highs = align(ranking.iter().map(|v| number::value(v.high))).into_iter();
    let mut p_values = align(ranking.iter().map(|v| number::p_value(v.p_value))).into_iter();
    let next =
        |cells: &mut std::vec::IntoIter<Cell>| cells.next().unwrap_or(Cell { text: None, pad: 0 });
    let row = |variable: &'a RankedVariable| Row {
        rank: variable.rank,
        name: &variable.name,
        value: next(&mut values),
        error: next(&mut errors),
        low: next(&mut lows),
        high: next(&mut highs),
        p_value: next(&mut p_values),
        dot: percent(variable.value),
        line: percent(variable.low).zip(percent(variable.high)),
    };
    ranking.iter().map(row).collect()
}

fn description(measure: &MeasureSummary) -> String {
    let n = measure.ranking.len();
    let name = &measure.name;
    let variables = if n == 1 { "variable" } else { "variables" };
    let first = measure.ranking.first().and_then(|first| {
        let value = number::value(first.value).text?;
        Some(format!("; first is {} with {value}", shortened(&first.name)))
    });
    format!("{name} of {n} {variables}, as dots{}", first.unwrap_or_default())
}

/// A name that can be read aloud.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(60) {
        Some((end, _)) => format!("{}\u{2026}", &name[..end]),
        None => name.to_owned(),
    }
}

/// The horizontal axis of a ranking: from the smallest to the largest value or end of an
/// interval, zero included.
#[derive(Debug)]
struct Axis {
    minimum: f64,
    maximum: f64,
}

impl Axis {
    fn of(ranking: &[RankedVariable]) -> Option<Self> {
        let ends = ranking.iter().flat_map(|v| [v.value, v.low, v.high]).flatten();
        let ends = ends.filter(|end| end.is_finite());
        let (minimum, maximum) =
            ends.fold((0.0, 0.0), |(low, high): (f64, f64), end| (low.min(end), high.max(end)));
        (minimum < maximum).then_some(Self { minimum, maximum })
    }

    fn percent(&self, value: f64) -> Option<String> {
        // Halved, so that the width of an axis over all floats does not overflow.
        let width = self.maximum / 2.0 - self.minimum / 2.0;
        let share = (value / 2.0 - self.minimum / 2.0) / width;
        // Dots at the ends stay inside.
        share.is_finite().then(|| format!("{:.1}", 2.0 + 96.0 * share))
    }
}
