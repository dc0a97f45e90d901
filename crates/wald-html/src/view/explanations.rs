//! Explanations of single rows: pictures, and the numbers behind them as tables.

use serde::Serialize;
use wald_report::{
    Cells, DependencePart, ExplainedOutput, ExplainedVariable, Explanations, Outcome, PartValues,
    Report, VariableValues, Waterfall,
};

use crate::chart::{Beeswarm, Medium, dependence, digits_of_ends, waterfall};
use crate::number;
use crate::view::cell::{Cell, align};

/// Variables whose values are shown against what is in their cells.
const MOST_DEPENDENCE: usize = 4;

/// The section on single rows.
#[derive(Debug, Serialize)]
pub(super) struct Rows<'a> {
    measure: &'a str,
    about: &'a str,
    n_shown: usize,
    n_variables: usize,
    has_categories: bool,
    has_missing: bool,
    outputs: Vec<Output<'a>>,
    single: Vec<Single<'a>>,
}

/// A number, or a class.
#[derive(Debug, Serialize)]
struct Output<'a> {
    class: Option<&'a str>,
    /// Markup made by this crate.
    swarm: String,
    variables: Vec<Line<'a>>,
    dependence: Vec<Dependence<'a>>,
}

/// A line of the table of a beeswarm.
#[derive(Debug, Serialize)]
struct Line<'a> {
    name: &'a str,
    mean_absolute: Cell,
    lowest: Cell,
    highest: Cell,
}

/// A picture of a variable's values against its cells, with a table.
#[derive(Debug, Serialize)]
pub(super) struct Dependence<'a> {
    name: &'a str,
    /// Markup made by this crate.
    picture: String,
    parts: Vec<Part<'a>>,
}

/// Rows of similar or equal cells.
#[derive(Debug, Serialize)]
struct Part<'a> {
    content: Content<'a>,
    n_rows: String,
    mean: Cell,
}

/// One row as a sum.
#[derive(Debug, Serialize)]
struct Single<'a> {
    reason: &'a str,
    row: String,
    class: Option<&'a str>,
    of_class: &'a str,
    /// Markup made by this crate.
    picture: String,
    expected: Cell,
    bars: Vec<Bar<'a>>,
    others: Option<(usize, Cell)>,
    prediction: Cell,
    response: Option<Content<'a>>,
}

#[derive(Debug, Serialize)]
struct Bar<'a> {
    name: &'a str,
    content: Option<Content<'a>>,
    amount: Cell,
}

/// What is in a cell: a level as it is, or words.
#[derive(Debug, Serialize)]
struct Content<'a> {
    level: Option<&'a str>,
    words: Option<String>,
}

/// Arranges the section.
pub(super) fn rows(report: &Report) -> Option<Rows<'_>> {
    let explanations = report.explanations.as_ref()?;
    if explanations.rows.is_empty() || explanations.variables.is_empty() {
        return None;
    }
    let cells = || explanations.variables.iter().map(|variable| &variable.cells);
    let is_missing = |cells: &Cells| match cells {
        Cells::Numbers { values } => values.contains(&None),
        Cells::Levels { codes, .. } => codes.contains(&None),
        Cells::Several { .. } => false,
    };
    Some(Rows {
        measure: &explanations.measure,
        about: &explanations.about,
        n_shown: explanations.variables.len(),
        n_variables: explanations.n_variables,
        has_categories: cells().any(|cells| matches!(cells, Cells::Levels { .. })),
        has_missing: cells().any(is_missing),
        outputs: (0..explanations.outputs.len())
            .map(|index| output(explanations, index, report))
            .collect(),
        single: explanations.waterfalls.iter().map(|row| single(row, report)).collect(),
    })
}

/// What the values are, in words.
fn unit(class: Option<&str>, report: &Report) -> String {
    match (class, &report.predictions) {
        (None, None) => format!("added to the prediction of {}", report.target),
        _ => format!("added to the {}", report.predicted(class)),
    }
}

fn output<'a>(explanations: &'a Explanations, index: usize, report: &'a Report) -> Output<'a> {
    let output = &explanations.outputs[index];
    let unit = unit(output.class.as_deref(), report);
    let both = || explanations.variables.iter().zip(&output.variables);
    let swarm = Beeswarm::of(explanations, output, String::new(), unit.clone(), Medium::Page);
    let column = |of: fn(&VariableValues) -> f64| {
        align(output.variables.iter().map(|values| number::value(Some(of(values)))))
    };
    let numbers = column(|values| values.mean_absolute)
        .into_iter()
        .zip(column(|values| values.lowest))
        .zip(column(|values| values.highest));
    let variables = explanations.variables.iter().zip(numbers).map(
        |(variable, ((mean_absolute, lowest), highest))| Line {
            name: &variable.name,
            mean_absolute,
            lowest,
            highest,
        },
    );
    // Variables that have a page show it there.
    let has_page = !report.variables.is_empty();
    let dependence = both().filter_map(|(variable, values)| against(variable, values, &unit));
    Output {
        class: output.class.as_deref(),
        swarm: swarm.drawing().embedded(),
        variables: variables.collect(),
        dependence: dependence.take(if has_page { 0 } else { MOST_DEPENDENCE }).collect(),
    }
}

/// The values of a variable against its cells; `None` where several columns have no common cell.
fn against<'a>(
    variable: &'a ExplainedVariable,
    values: &'a VariableValues,
    unit: &str,
) -> Option<Dependence<'a>> {
    let drawing = dependence(&variable.name, &variable.cells, &values.values, unit)?;
    Some(Dependence {
        name: &variable.name,
        picture: drawing.embedded(),
        parts: parts(&values.parts),
    })
}

/// The same for one variable, class by class; nothing where its rows were not explained.
pub(super) fn of_variable<'a>(
    report: &'a Report,
    name: &str,
) -> Vec<(Option<&'a str>, Dependence<'a>)> {
    let Some(explanations) = &report.explanations else { return Vec::new() };
    let of_output = |output: &'a ExplainedOutput| {
        let both = explanations.variables.iter().zip(&output.variables);
        let (variable, values) = both.into_iter().find(|(variable, _)| variable.name == name)?;
        let class = output.class.as_deref();
        Some((class, against(variable, values, &unit(class, report))?))
    };
    explanations.outputs.iter().filter_map(of_output).collect()
}

fn parts(parts: &[DependencePart]) -> Vec<Part<'_>> {
    let means = align(parts.iter().map(|part| number::value(Some(part.mean))));
    let ends = parts.iter().flat_map(|part| match part.values {
        PartValues::Numbers(from, to) => [from, to],
        _ => [f64::NAN; 2],
    });
    let digits = number::digits_apart(ends);
    parts.iter().zip(means).map(|(part, mean)| part_of(part, digits, mean)).collect()
}

fn part_of(part: &DependencePart, digits: i32, mean: Cell) -> Part<'_> {
    Part {
        content: contents(&part.values, digits),
        n_rows: number::count(part.n_rows as u64),
        mean,
    }
}

fn contents(values: &PartValues, digits: i32) -> Content<'_> {
    let shown = |value: f64| number::with_digits(value, digits);
    let words = match values {
        PartValues::Numbers(from, to) if from == to => shown(*from),
        PartValues::Numbers(from, to) => format!("{} to {}", shown(*from), shown(*to)),
        PartValues::Level(level) => return Content { level: Some(level), words: None },
        PartValues::OtherLevels(n_levels) => format!("{n_levels} other levels"),
        PartValues::Missing => "missing".to_owned(),
    };
    Content { level: None, words: Some(words) }
}

/// Numbers that are errors of rounding, beside the largest of the sum.
const ROUNDING: f64 = 1e-12;

/// The row with zeros in the place of errors of rounding.
fn without_rounding(row: &Waterfall) -> Waterfall {
    let mut row = row.clone();
    let amounts = row.contributions.iter_mut().map(|bar| &mut bar.amount);
    let others = row.others.iter_mut().map(|(_, amount)| amount);
    let ends = row.expected.iter_mut().chain([&mut row.prediction]);
    let mut numbers: Vec<&mut f64> = amounts.chain(others).chain(ends).collect();
    let largest = numbers.iter().map(|number| number.abs()).fold(0.0, f64::max);
    for number in numbers.iter_mut().filter(|number| number.abs() < ROUNDING * largest) {
        **number = 0.0;
    }
    row
}

fn single<'a>(row: &'a Waterfall, report: &'a Report) -> Single<'a> {
    let shown = without_rounding(row);
    let unit = report.predicted(row.class.as_deref());
    let mut amounts: Vec<f64> = shown.contributions.iter().map(|bar| bar.amount).collect();
    amounts.extend(shown.others.map(|(_, amount)| amount));
    let ends = shown.expected.into_iter().chain([shown.prediction]);
    let digits = digits_of_ends(&shown);
    let ends = ends.map(|x| number::of_digits(Some(x), digits));
    let amounts = amounts.iter().map(|x| number::value(Some(*x)));
    let mut cells = align(amounts.chain(ends));
    let prediction = cells.pop().unwrap_or_else(|| Cell::single(None));
    let expected = if row.expected.is_some() { cells.pop() } else { None };
    let others = row.others.and_then(|(n_variables, _)| Some((n_variables, cells.pop()?)));
    let bars = row.contributions.iter().zip(cells).map(|(bar, amount)| Bar {
        name: &bar.name,
        content: bar.cell.as_ref().map(|cell| content(cell, number::DIGITS)),
        amount,
    });
    Single {
        reason: &row.reason,
        row: number::count(u64::from(row.row)),
        class: row.class.as_deref(),
        of_class: report.of_class(),
        picture: waterfall(&shown, "", &unit, Medium::Page).embedded(),
        expected: expected.unwrap_or_else(|| Cell::single(None)),
        bars: bars.collect(),
        others,
        prediction,
        response: row.response.as_ref().map(|response| content(response, digits)),
    }
}

fn content(outcome: &Outcome, digits: i32) -> Content<'_> {
    match outcome {
        Outcome::Number(value) => {
            Content { level: None, words: Some(number::with_digits(*value, digits)) }
        }
        Outcome::Level(level) => Content { level: Some(level), words: None },
        Outcome::Missing => Content { level: None, words: Some("missing".to_owned()) },
    }
}
