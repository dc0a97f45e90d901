//! Quantiles, scores and prototypes as long tables and as JSON.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::data::{Dataset, Response};
use crate::document::{Header, Subject};
use crate::forest::Forest;
use crate::frame::Frame;
use crate::weights::centre::Centre;
use crate::weights::prototypes::Prototype;

/// Predictions of numbers with their quantiles.
#[derive(Debug, Clone, Copy)]
pub struct QuantilePredictions<'a> {
    /// The forest.
    pub forest: &'a Forest,
    /// The numbers of the rows in their table, where these are not all of its rows.
    pub rows: Option<&'a [u32]>,
    /// One per row; NaN where there is none.
    pub predictions: &'a [f64],
    /// Levels of the quantiles.
    pub levels: &'a [f64],
    /// By row and level.
    pub quantiles: &'a [f64],
}

/// Training rows of a table, by their numbers in it.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    /// The training data.
    pub data: &'a Dataset,
    /// The numbers of its rows in their table.
    pub rows: &'a [u32],
}

#[derive(Serialize)]
struct Quantiled<'a> {
    #[serde(flatten)]
    header: Header,
    target: &'a str,
    n_rows: usize,
    row_numbers: Option<&'a [u32]>,
    predictions: &'a [f64],
    levels: &'a [f64],
    /// `[row][level]`.
    quantiles: Vec<&'a [f64]>,
}

#[derive(Serialize)]
struct OfTraining<'a, F> {
    #[serde(flatten)]
    subject: Subject<'a>,
    #[serde(flatten)]
    found: F,
}

impl<'a> QuantilePredictions<'a> {
    /// A line per row: the prediction in a column with the name of the target, or `prediction` where
    /// a foreign forest does not store it, and a column `quantile_LEVEL` for each level; before them
    /// `row`, where rows have numbers.
    pub fn frame(&self) -> Frame {
        let mut frame = Frame::default();
        if let Some(rows) = self.rows {
            frame = frame.with_numbers("row", rows.iter().map(|&row| f64::from(row)));
        }
        let name = &self.forest.target().name;
        let name = if name.is_empty() { "prediction" } else { name };
        let frame = frame.with_numbers(name, self.predictions.iter().copied().map(defined));
        self.levels.iter().enumerate().fold(frame, |frame, (place, level)| {
            let of_level = self.rows_of_quantiles().map(|quantiles| defined(quantiles[place]));
            frame.with_numbers(format!("quantile_{level}"), of_level)
        })
    }

    /// The JSON document of the command line.
    pub fn document(&self) -> impl Serialize + use<'a> {
        Quantiled {
            header: Header::default(),
            target: &self.forest.target().name,
            n_rows: self.predictions.len(),
            row_numbers: self.rows,
            predictions: self.predictions,
            levels: self.levels,
            quantiles: self.rows_of_quantiles().collect(),
        }
    }

    fn rows_of_quantiles(&self) -> impl Iterator<Item = &'a [f64]> + use<'a> {
        self.quantiles.chunks_exact(self.levels.len().max(1))
    }
}

impl Placed<'_> {
    /// Scores of outlying rows, of the training rows at these places: `row`, the class in a column with
    /// the name of the target, and `outlier`, which is missing where a row has no score.
    pub fn outliers(&self, scores: &[f64], places: &[usize]) -> Frame {
        let rows = places.iter().map(|&place| f64::from(self.rows[place]));
        let frame = Frame::default().with_numbers("row", rows);
        let frame = match self.data.target().response() {
            Response::Regression(_) | Response::Several(_) => frame,
            Response::Classification(classes) => {
                let class = |&place: &usize| classes.levels().get(classes.codes()[place] as usize);
                frame.with_levels(self.data.target().name(), places.iter().map(class))
            }
        };
        frame.with_numbers("outlier", places.iter().map(|&place| defined(scores[place])))
    }

    /// Prototypes: a line for each class and variable.
    pub fn prototypes(&self, found: &[Prototype]) -> Frame {
        let lines: Vec<(&Prototype, usize)> = found
            .iter()
            .flat_map(|one| (0..one.centre.len()).map(move |variable| (one, variable)))
            .collect();
        let columns = self.data.features().columns();
        let number = |of: fn(&Centre) -> Option<f64>| {
            lines.iter().map(move |(one, variable)| of(&one.centre[*variable]))
        };
        Frame::default()
            .with_levels("class", lines.iter().map(|(one, _)| Some(one.class.as_str())))
            .with_numbers("row", lines.iter().map(|(one, _)| self.number(one.row)))
            .with_numbers("neighbours", lines.iter().map(|(one, _)| one.neighbours.len() as f64))
            .with_text("variable", lines.iter().map(|(_, variable)| columns[*variable].name()))
            .with_numbers("median", number(|centre| centre.numbers().map(|of| of[1])))
            .with_numbers("lower_quartile", number(|centre| centre.numbers().map(|of| of[0])))
            .with_numbers("upper_quartile", number(|centre| centre.numbers().map(|of| of[2])))
            .with_levels("level", lines.iter().map(|(one, variable)| one.centre[*variable].level()))
    }

    /// The JSON document of scores.
    pub fn outliers_document(&self, scores: &[f64]) -> impl Serialize {
        let found = json!({"row_numbers": self.rows, "outliers": scores});
        OfTraining { subject: self.data.into(), found }
    }

    /// The JSON document of prototypes: medians, quartiles and levels by variable.
    pub fn prototypes_document(&self, found: &[Prototype]) -> impl Serialize {
        let names = self.data.features().names();
        let prototype = |one: &Prototype| {
            let centre: Map<String, Value> =
                names.iter().cloned().zip(one.centre.iter().map(|centre| json!(centre))).collect();
            let neighbours: Vec<f64> = one.neighbours.iter().map(|&row| self.number(row)).collect();
            json!({"class": one.class, "row": self.number(one.row), "neighbours": neighbours,
                   "centre": centre})
        };
        let found = json!({"prototypes": found.iter().map(prototype).collect::<Vec<_>>()});
        OfTraining { subject: self.data.into(), found }
    }

    /// The number of a training row in its table.
    fn number(&self, row: u32) -> f64 {
        f64::from(self.rows[row as usize])
    }
}

impl Centre {
    /// Lower quartile, median and upper quartile, where they are defined.
    fn numbers(&self) -> Option<[f64; 3]> {
        match *self {
            Self::Number { lower, median, upper } => {
                (!median.is_nan()).then_some([lower, median, upper])
            }
            Self::Level(_) => None,
        }
    }
}

fn defined(number: f64) -> Option<f64> {
    (!number.is_nan()).then_some(number)
}
