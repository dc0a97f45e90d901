//! Values of columns for rows, drawn given the other columns.
//!
//! A column of numbers is what a regression forest on the other columns predicts, plus the residual of
//! another row: what the others leave open of it is taken to have the same distribution everywhere
//! (Chamma, Engemann & Thirion 2023, section 3.3). Levels, and numbers that have few values, are drawn
//! with the probabilities of a classification forest. Missing values stay missing: what is tested of such
//! a column is its values, given that they are there. Of a group, columns are drawn one after another,
//! each given the other variables and the columns that were drawn before it.

use std::collections::BTreeSet;

use crate::data::{Column, ColumnData, Dataset, Features, MISSING_LEVEL, Target};
use crate::error::Error;
use crate::forest::{ClassWeight, Forest, ForestConfig, Trends};
use crate::inference::conditional::losses::mean_response;
use crate::random::Stream;
use crate::run::Run;

/// Numbers of at most so many different values are drawn as levels.
const FEW_VALUES: usize = 10;

/// Draws for the rows of `features` from what is learned on `training`, which has the same columns.
pub(super) struct Sampler<'a> {
    pub(super) training: &'a Dataset,
    pub(super) features: &'a Features,
    /// How forests are grown.
    pub(super) forest: &'a ForestConfig,
    pub(super) stream: Stream,
    pub(super) run: &'a Run,
}

/// What is known of a column given others.
enum Model {
    /// Nothing varies: every row keeps its value.
    Constant,
    /// Numbers around predictions.
    Numbers(Predictor),
    /// The values with their probabilities.
    Levels { values: Vec<Value>, probabilities: Predictor },
}

/// A value that a column has.
#[derive(Clone, Copy)]
enum Value {
    Number(f64),
    Level(u32),
}

/// Predictions for any rows.
enum Predictor {
    Mean(Vec<f64>),
    Forest(Box<Forest>),
}

impl Sampler<'_> {
    /// The rows, so many times, with drawn values of some columns.
    pub(super) fn draw(&mut self, columns: &[u32], draws: usize) -> Result<Vec<Features>, Error> {
        let mut known: Vec<usize> = (0..self.training.n_features()).collect();
        known.retain(|&column| !columns.contains(&(column as u32)));
        let mut drawn = vec![self.features.columns().to_vec(); draws];
        for (place, &column) in columns.iter().enumerate() {
            let column = column as usize;
            let model = self.learn(column, &known)?;
            // Only columns that were drawn before differ between draws.
            let at_truth = model.predict(self.features.columns(), self.run)?;
            for columns in &mut drawn {
                let own;
                let predictions = if place == 0 {
                    &at_truth
                } else {
                    own = model.predict(columns, self.run)?;
                    &own
                };
                let truth = &self.features.columns()[column];
                columns[column] = model.draw(truth, &at_truth, predictions, &mut self.stream)?;
            }
            known.push(column);
        }
        drawn.into_iter().map(Features::new).collect()
    }

    /// Learns a column given others, from the rows where it is not missing.
    fn learn(&mut self, column: usize, known: &[usize]) -> Result<Model, Error> {
        let of = &self.training.features().columns()[column];
        let rows: Vec<u32> = present(of).collect();
        let weights = self.training.weights();
        if !rows.iter().any(|&row| weights.is_none_or(|weights| weights[row as usize] > 0.0)) {
            return Ok(Model::Constant);
        }
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
        let weights: Option<Vec<f64>> =
            weights.map(|weights| rows.iter().map(|&row| weights[row as usize]).collect());
        let predictor = if known.is_empty() {
            Predictor::Mean(mean_response(&target, weights.as_deref()))
        } else {
            Predictor::Forest(Box::new(self.grow(known, target, weights, &rows)?))
        };
        Ok(match few {
            Some(values) => Model::Levels { values, probabilities: predictor },
            None => Model::Numbers(predictor),
        })
    }

    /// A forest of a column on the columns that are known, on some rows.
    fn grow(
        &mut self,
        known: &[usize],
        target: Target,
        weights: Option<Vec<f64>>,
        rows: &[u32],
    ) -> Result<Forest, Error> {
        let all = self.training.features().columns();
        let columns = known.iter().map(|&column| all[column].select(rows)).collect();
        let mut data = Dataset::new(columns, target)?;
        if let Some(weights) = weights {
            data = data.with_weights(weights)?;
        }
        if let Some(clusters) = self.training.clusters() {
            data = data.with_clusters(rows.iter().map(|&row| clusters[row as usize]).collect())?;
        }
        let config = self.forest.on_columns(data.features(), self.stream.word());
        // What is about the response may not exist for another one, or not hold.
        let config = ForestConfig {
            impurity: None,
            stratify: false,
            class_weight: ClassWeight::Equal,
            monotonic: Trends::default(),
            ..config
        };
        Forest::grow(&data, &config, self.run)
    }
}

impl Model {
    fn predict(&self, columns: &[Column], run: &Run) -> Result<Vec<f64>, Error> {
        match self {
            Self::Constant => Ok(Vec::new()),
            Self::Numbers(predictor) | Self::Levels { probabilities: predictor, .. } => {
                predictor.predict(columns, run)
            }
        }
    }

    /// One draw. `at_truth` are predictions for the true values of all columns, of which residuals are
    /// taken, `predictions` those for the values that were drawn before.
    fn draw(
        &self,
        truth: &Column,
        at_truth: &[f64],
        predictions: &[f64],
        stream: &mut Stream,
    ) -> Result<Column, Error> {
        match (self, truth.data()) {
            (Self::Numbers(_), ColumnData::Numeric(values)) => {
                let receivers: Vec<u32> = present(truth).collect();
                // With its own residual a row would keep its value.
                let mut donors = receivers.clone();
                stream.cycle(&mut donors);
                let mut drawn = values.to_vec();
                for (receiver, donor) in receivers.into_iter().zip(donors) {
                    let (receiver, donor) = (receiver as usize, donor as usize);
                    let residual = values[donor] - at_truth[donor];
                    let value = predictions[receiver] + residual;
                    // Sums of the largest numbers may have no finite value.
                    drawn[receiver] = value.clamp(f64::MIN, f64::MAX);
                }
                Column::numeric(truth.name(), drawn)
            }
            (Self::Levels { values, .. }, data) => {
                let probabilities = predictions.chunks_exact(values.len());
                let drawn = probabilities.map(|shares| values[place(shares, stream.unit())]);
                match data {
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
            (Self::Constant, _) | (Self::Numbers(_), ColumnData::Categorical(_)) => {
                Ok(truth.clone())
            }
        }
    }
}

impl Predictor {
    fn predict(&self, columns: &[Column], run: &Run) -> Result<Vec<f64>, Error> {
        match self {
            Self::Mean(mean) => {
                let n_rows = columns.first().map_or(0, Column::len);
                Ok(std::iter::repeat_n(mean.as_slice(), n_rows).flatten().copied().collect())
            }
            Self::Forest(forest) => forest.predict(&Features::new(columns.to_vec())?, run),
        }
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
