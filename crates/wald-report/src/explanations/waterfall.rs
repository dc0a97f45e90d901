//! Single rows as sums: from the expected value to the prediction for the row.

use serde::Serialize;

use crate::explanations::cells::Cells;
use crate::explanations::rows::ExplainedRows;

/// Variables with a bar of their own.
const MOST_BARS: usize = 9;

/// One row: what values are counted from, what every variable adds, and what comes out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Waterfall {
    /// Why this row, for example `the largest prediction`.
    pub reason: String,
    /// Its number in the table, counted from 1.
    pub row: u32,
    /// The class whose probability is explained; `None` for numbers.
    pub class: Option<String>,
    /// What is expected where nothing is known of a row; `None` where values of this measure do
    /// not add up to predictions, and are counted from zero.
    pub expected: Option<f64>,
    /// What variables add, by decreasing absolute value.
    pub contributions: Vec<Contribution>,
    /// How many other variables there are, and what they add together.
    pub others: Option<(usize, f64)>,
    /// The sum of all of these: the prediction, where values add up to it.
    pub prediction: f64,
    /// What was seen in this row, where that is known.
    pub response: Option<Outcome>,
}

/// What one variable adds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contribution {
    /// Name of the variable.
    pub name: String,
    /// Its cell in this row; `None` for a group of columns.
    pub cell: Option<Outcome>,
    /// What it adds.
    pub amount: f64,
}

/// A number, a level or a class.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A number.
    Number(f64),
    /// A level of a variable, or a class.
    Level(String),
    /// A missing cell.
    Missing,
}

/// The most informative rows: of numbers those of the largest, the median and the smallest
/// prediction; of classes those that are predicted most certainly; the only one where there is one.
pub(super) fn of_rows(rows: &ExplainedRows, outputs: &[usize]) -> Vec<Waterfall> {
    let n_rows = rows.numbers.len();
    if n_rows == 0 {
        return Vec::new();
    }
    if n_rows == 1 {
        let reason = "the only row".to_owned();
        let of_output = |&output: &usize| waterfall(rows, 0, output, reason.clone());
        return outputs.iter().map(of_output).collect();
    }
    match &rows.classes {
        None => {
            let mut order: Vec<usize> = (0..n_rows).collect();
            let prediction = |row: usize| sum(rows, row, 0);
            order.sort_by(|&a, &b| prediction(b).total_cmp(&prediction(a)).then(a.cmp(&b)));
            let places = [("largest", 0), ("median", n_rows / 2), ("smallest", n_rows - 1)];
            let mut found: Vec<Waterfall> = Vec::new();
            for (which, place) in places {
                if found.iter().all(|other| other.row != rows.numbers[order[place]]) {
                    let reason = format!("the {which} prediction among these rows");
                    found.push(waterfall(rows, order[place], 0, reason));
                }
            }
            found
        }
        Some(classes) => {
            // Of two classes one is shown, but there is a row for both.
            let of_class = |class: usize| {
                let output = if outputs.contains(&class) { class } else { outputs[0] };
                let row = most_certain(rows, class)?;
                let reason = format!("most certainly predicted as {}", classes[class]);
                Some(waterfall(rows, row, output, reason))
            };
            let wanted = if classes.len() == 2 { vec![1, 0] } else { outputs.to_vec() };
            wanted.into_iter().filter_map(of_class).collect()
        }
    }
}

/// What is expected and what all variables add.
fn sum(rows: &ExplainedRows, row: usize, output: usize) -> f64 {
    let n_outputs = rows.n_outputs();
    let expected = rows.expected.as_ref().map_or(0.0, |of| of[row * n_outputs + output]);
    let added = (0..rows.names.len()).map(|variable| rows.value(row, variable, output));
    expected + added.sum::<f64>()
}

/// The row whose largest probability is this class's, and largest of all; the first of equals.
fn most_certain(rows: &ExplainedRows, class: usize) -> Option<usize> {
    let mut best: Option<(f64, usize)> = None;
    for row in 0..rows.numbers.len() {
        let predictions: Vec<f64> =
            (0..rows.n_outputs()).map(|output| sum(rows, row, output)).collect();
        let is_predicted = wald::forest::argmax(&predictions) == class;
        if is_predicted && best.is_none_or(|(most, _)| predictions[class] > most) {
            best = Some((predictions[class], row));
        }
    }
    best.map(|(_, row)| row)
}

fn waterfall(rows: &ExplainedRows, row: usize, output: usize, reason: String) -> Waterfall {
    let mut order: Vec<(f64, usize)> = (0..rows.names.len())
        .map(|variable| (rows.value(row, variable, output), variable))
        .collect();
    order.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()).then(a.1.cmp(&b.1)));
    // One variable more takes the place of the bar of the others.
    let n_shown = if order.len() <= MOST_BARS + 1 { order.len() } else { MOST_BARS };
    let (shown, others) = order.split_at(n_shown);
    let contribution = |&(amount, variable): &(f64, usize)| Contribution {
        name: rows.names[variable].clone(),
        cell: rows.cells[variable].outcome(row),
        amount,
    };
    let response = rows.responses.as_ref().map(|responses| match &rows.classes {
        None => Outcome::Number(responses[row]),
        Some(classes) => Outcome::Level(classes[responses[row] as usize].clone()),
    });
    Waterfall {
        reason,
        row: rows.numbers[row],
        class: rows.classes.as_ref().map(|classes| classes[output].clone()),
        expected: rows.expected.as_ref().map(|of| of[row * rows.n_outputs() + output]),
        contributions: shown.iter().map(contribution).collect(),
        others: (!others.is_empty())
            .then(|| (others.len(), others.iter().map(|(amount, _)| amount).sum())),
        prediction: sum(rows, row, output),
        response,
    }
}

impl Cells {
    /// The cell of a row; `None` where there are several columns.
    fn outcome(&self, row: usize) -> Option<Outcome> {
        match self {
            Self::Numbers { values } => Some(values[row].map_or(Outcome::Missing, Outcome::Number)),
            Self::Levels { levels, codes } => Some(
                codes[row].map_or(Outcome::Missing, |code| Outcome::Level(levels[code].clone())),
            ),
            Self::Several { .. } => None,
        }
    }
}
