//! Values of columns for rows, drawn given the other columns.
//!
//! A column of numbers is what a regression forest on the other columns predicts, plus the residual of
//! another row (Chamma, Engemann & Thirion 2023, section 3.3). Their spread may depend on the other
//! columns: residuals are divided by what a second forest predicts for it, and multiplied by its prediction
//! for the row that is drawn for. Levels, and numbers that have few values, are drawn
//! with the probabilities of a classification forest. Missing values stay missing: what is tested of such
//! a column is its values, given that they are there. Of a group, columns are drawn one after another,
//! each given the other variables and the columns that were drawn before it.

use std::collections::BTreeSet;

use crate::data::{Column, ColumnData, Dataset, Features, MISSING_LEVEL, Target};
use crate::error::Error;
use crate::forest::ForestConfig;
use crate::inference::conditional::donors::{donors, repetition};
use crate::inference::conditional::learned::{Learner, Predictor};
use crate::inference::conditional::losses::mean_response;
use crate::random::Stream;
use crate::run::Run;

/// Numbers of at most so many different values are drawn as levels.
const FEW_VALUES: usize = 10;

/// Draws for the rows of `held_out` from what is learned on `training`, which has the same columns.
pub(super) struct Sampler<'a> {
    pub(super) training: &'a Dataset,
    pub(super) held_out: &'a Dataset,
    /// How forests are grown.
    pub(super) forest: &'a ForestConfig,
    pub(super) stream: Stream,
    pub(super) run: &'a Run,
}

/// What is known of a column given others.
enum Model {
    /// Nothing varies: every row keeps its value.
    Constant,
    /// Numbers around predictions, and the logarithm of their spread where it was learned.
    Numbers { center: Predictor, spread: Option<Predictor> },
    /// The values with their probabilities.
    Levels { values: Vec<Value>, probabilities: Predictor },
}

/// A value that a column has.
#[derive(Clone, Copy)]
enum Value {
    Number(f64),
    Level(u32),
}

/// What a model predicts for rows.
#[derive(Default)]
struct Predicted {
    /// Numbers, or the probabilities of levels.
    center: Vec<f64>,
    /// The logarithm of the spread of numbers, where it was learned.
    spread: Option<Vec<f64>>,
}

impl Sampler<'_> {
    /// The rows, so many times, with drawn values of some columns; and by row, how often two draws have
    /// residuals of the same unit.
    pub(super) fn draw(
        mut self,
        columns: &[u32],
        draws: usize,
    ) -> Result<(Vec<Features>, Vec<f64>), Error> {
        let mut known: Vec<usize> = (0..self.training.n_features()).collect();
        known.retain(|&column| !columns.contains(&(column as u32)));
        let features = self.held_out.features();
        let mut drawn = vec![features.columns().to_vec(); draws];
        let mut repeated = vec![0.0; features.n_rows()];
        for (place, &column) in columns.iter().enumerate() {
            let column = column as usize;
            let model = self.learn(column, &known)?;
            // Only columns that were drawn before differ between draws.
            let at_truth = model.predict(features.columns(), self.run)?;
            for columns in &mut drawn {
                let own;
                let predictions = if place == 0 {
                    &at_truth
                } else {
                    own = model.predict(columns, self.run)?;
                    &own
                };
                columns[column] = match &model {
                    Model::Constant => continue,
                    Model::Numbers { .. } => self.around(column, &at_truth, predictions)?,
                    Model::Levels { values, .. } => self.among(column, values, predictions)?,
                };
            }
            let truth = &features.columns()[column];
            if let (Model::Numbers { .. }, ColumnData::Numeric(values)) = (&model, truth.data()) {
                let rows: Vec<u32> = present(truth).collect();
                let of_column = repetition(self.held_out, &rows, values);
                repeated.iter_mut().zip(of_column).for_each(|(all, own)| *all = own.max(*all));
            }
            known.push(column);
        }
        Ok((drawn.into_iter().map(Features::new).collect::<Result<_, _>>()?, repeated))
    }

    /// Learns a column given others, from the rows where it is not missing.
    fn learn(&mut self, column: usize, known: &[usize]) -> Result<Model, Error> {
        let of = &self.training.features().columns()[column];
        let rows: Vec<u32> = present(of).collect();
        let few = values(of, &rows);
        if few.as_ref().is_some_and(|values| values.len() < 2) {
            return Ok(Model::Constant);
        }
        let target = match &few {
            Some(values) => Target::classification(
                of.name(),
                (0..values.len()).map(|value| value.to_string()).collect(),
                rows.iter().map(|&row| place_of(values, of, row)).collect(),
            )?,
            None => Target::regression(of.name(), numbers(of, &rows))?,
        };
        let training = self.training.select(&rows)?;
        let (center, spread) = if known.is_empty() {
            (Predictor::Mean(mean_response(&target, training.weights())), None)
        } else {
            let all = training.features().columns();
            let columns = known.iter().map(|&column| all[column].clone()).collect();
            let data = training.with_content(columns, target)?;
            let learner = Learner { forest: self.forest, run: self.run };
            let (center, out_of_bag) = learner.learn(data.clone(), &mut self.stream)?;
            (center, learner.learn_spread(&data, &out_of_bag, &mut self.stream)?)
        };
        Ok(match few {
            Some(values) => Model::Levels { values, probabilities: center },
            None => Model::Numbers { center, spread },
        })
    }
}

impl Sampler<'_> {
    /// One draw of numbers. `at_truth` are predictions for the true values of all columns, of which residuals
    /// are taken, `predictions` those for the values that were drawn before.
    fn around(
        &mut self,
        column: usize,
        at_truth: &Predicted,
        predictions: &Predicted,
    ) -> Result<Column, Error> {
        let truth = &self.held_out.features().columns()[column];
        let ColumnData::Numeric(values) = truth.data() else { return Ok(truth.clone()) };
        let receivers: Vec<u32> = present(truth).collect();
        let donors = donors(self.held_out, &receivers, &mut self.stream);
        let mut drawn = values.to_vec();
        for (receiver, donor) in receivers.into_iter().zip(donors) {
            let (receiver, donor) = (receiver as usize, donor as usize);
            let residual = values[donor] - at_truth.center[donor];
            let times = match (&at_truth.spread, &predictions.spread) {
                (Some(donors), Some(receivers)) => (receivers[receiver] - donors[donor]).exp(),
                _ => 1.0,
            };
            let value = predictions.center[receiver] + times * residual;
            // Sums of the largest numbers may have no finite value.
            drawn[receiver] = value.clamp(f64::MIN, f64::MAX);
        }
        Column::numeric(truth.name(), drawn)
    }

    /// One draw among values.
    fn among(
        &mut self,
        column: usize,
        values: &[Value],
        predictions: &Predicted,
    ) -> Result<Column, Error> {
        let probabilities = predictions.center.chunks_exact(values.len());
        let drawn = probabilities.map(|shares| values[place(shares, self.stream.unit())]);
        let truth = &self.held_out.features().columns()[column];
        match truth.data() {
            ColumnData::Numeric(truth_values) => {
                let mut cells = truth_values.to_vec();
                for (cell, value) in cells.iter_mut().zip(drawn) {
                    if let (false, Value::Number(value)) = (cell.is_nan(), value) {
                        *cell = value;
                    }
                }
                Column::numeric(truth.name(), cells)
            }
            ColumnData::Categorical(categories) => {
                let mut codes = categories.codes().to_vec();
                for (code, value) in codes.iter_mut().zip(drawn) {
                    if let (true, Value::Level(level)) = (*code != MISSING_LEVEL, value) {
                        *code = level;
                    }
                }
                Column::categorical(truth.name(), categories.levels().to_vec(), codes)
            }
        }
    }
}

impl Model {
    fn predict(&self, columns: &[Column], run: &Run) -> Result<Predicted, Error> {
        let (center, spread) = match self {
            Self::Constant => return Ok(Predicted::default()),
            Self::Numbers { center, spread } => (center, spread.as_ref()),
            Self::Levels { probabilities, .. } => (probabilities, None),
        };
        let spread = spread.map(|spread| spread.predict(columns, run)).transpose()?;
        Ok(Predicted { center: center.predict(columns, run)?, spread })
    }
}

/// The rows where a column is not missing.
fn present(column: &Column) -> impl Iterator<Item = u32> {
    let is_present = move |row: &u32| match column.data() {
        ColumnData::Numeric(values) => !values[*row as usize].is_nan(),
        ColumnData::Categorical(categories) => categories.codes()[*row as usize] != MISSING_LEVEL,
    };
    (0..column.len() as u32).filter(is_present)
}

fn numbers(column: &Column, rows: &[u32]) -> Vec<f64> {
    match column.data() {
        ColumnData::Numeric(values) => rows.iter().map(|&row| values[row as usize]).collect(),
        ColumnData::Categorical(_) => Vec::new(),
    }
}

/// The different values of some rows, in order; `None` where they are many numbers.
fn values(column: &Column, rows: &[u32]) -> Option<Vec<Value>> {
    match column.data() {
        ColumnData::Numeric(values) => {
            let mut few: Vec<f64> = Vec::new();
            for &row in rows {
                let value = values[row as usize];
                if let Err(place) = few.binary_search_by(|other| other.total_cmp(&value)) {
                    if few.len() == FEW_VALUES {
                        return None;
                    }
                    few.insert(place, value);
                }
            }
            Some(few.into_iter().map(Value::Number).collect())
        }
        ColumnData::Categorical(categories) => {
            let codes = rows.iter().map(|&row| categories.codes()[row as usize]);
            Some(codes.collect::<BTreeSet<u32>>().into_iter().map(Value::Level).collect())
        }
    }
}

/// The place of a row's value among those of the column.
fn place_of(values: &[Value], column: &Column, row: u32) -> u32 {
    let is_below = |value: &Value| match (value, column.data()) {
        (Value::Number(value), ColumnData::Numeric(cells)) => *value < cells[row as usize],
        (Value::Level(level), ColumnData::Categorical(cells)) => {
            *level < cells.codes()[row as usize]
        }
        _ => false,
    };
    values.partition_point(is_below) as u32
}

/// Where a number from 0 to 1 falls among shares that follow one another.
fn place(shares: &[f64], at: f64) -> usize {
    let mut left = at * shares.iter().sum::<f64>();
    let found = shares.iter().position(|share| {
        left -= share;
        left < 0.0
    });
    found.unwrap_or_else(|| shares.iter().rposition(|share| *share > 0.0).unwrap_or(0))
}
