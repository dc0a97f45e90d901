//! The `ChIP` data of Table 1: real inputs, drawn responses.

use std::path::Path;

use wald::Dataset;
use wald::data::{Column, ColumnData, Target, Task};
use wald::simulate::{LiReading, Numbers};

use crate::failure::Failure;
use crate::tables::CHIP;

/// The rows on which trees are grown come first.
const N_TRAINING: usize = 3912;

const PART: u32 = 100;

/// What the response of classes multiplies the mean of the inputs by: the program doubles it.
fn slope(reading: LiReading) -> f64 {
    match reading {
        LiReading::Program => 4.0,
        LiReading::Text => 2.0,
    }
}

/// Inputs from 0 to 1 in the training rows, by column.
#[derive(Debug)]
pub(crate) struct Chip {
    names: Vec<String>,
    training: Vec<Vec<f64>>,
    test: Vec<Vec<f64>>,
}

impl Chip {
    /// Reads the file that the user named.
    pub(crate) fn load(folder: &Path, most_rows: Option<usize>) -> Result<Self, Failure> {
        let data = CHIP.load(Some(folder))?;
        let mut chip = Self { names: data.features().names(), training: vec![], test: vec![] };
        for column in data.features().columns() {
            let ColumnData::Numeric(values) = column.data() else { continue };
            let (training, test) = values.split_at(N_TRAINING.min(values.len()));
            let low = training.iter().copied().fold(f64::INFINITY, f64::min);
            let high = training.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let width = if high > low { high - low } else { 1.0 };
            let scaled = |values: &[f64]| -> Vec<f64> {
                let n_rows = most_rows.unwrap_or(values.len()).min(values.len());
                values[..n_rows].iter().map(|value| (value - low) / width).collect()
            };
            chip.training.push(scaled(training));
            chip.test.push(scaled(test));
        }
        Ok(chip)
    }

    /// Five columns that matter, training rows and test rows.
    pub(crate) fn draw(
        &self,
        task: Task,
        reading: LiReading,
        seed: u64,
    ) -> Result<(Vec<usize>, Dataset, Dataset), Failure> {
        let mut numbers = Numbers::new(seed, PART);
        let relevant = numbers.choose(self.names.len() as u32, 5);
        let training = self.sample(&self.training, &relevant, task, reading, &mut numbers)?;
        let test = self.sample(&self.test, &relevant, task, reading, &mut numbers)?;
        Ok((relevant, training, test))
    }

    /// Rows whose columns are permuted, but for those that matter, and whose responses are drawn.
    fn sample(
        &self,
        columns: &[Vec<f64>],
        relevant: &[usize],
        task: Task,
        reading: LiReading,
        numbers: &mut Numbers,
    ) -> Result<Dataset, Failure> {
        let n_rows = columns.first().map_or(0, Vec::len);
        let mut inputs = Vec::with_capacity(columns.len());
        for (position, (name, values)) in self.names.iter().zip(columns).enumerate() {
            let values = if relevant.contains(&position) {
                values.clone()
            } else {
                let donors = numbers.permutation(n_rows as u32);
                donors.into_iter().map(|donor| values[donor as usize]).collect()
            };
            inputs.push(Column::numeric(name.as_str(), values)?);
        }
        let n_relevant = relevant.len() as f64;
        let mean_of =
            |row: usize| relevant.iter().map(|&j| columns[j][row]).sum::<f64>() / n_relevant;
        let signal: Vec<f64> = (0..n_rows).map(mean_of).collect();
        let target = match task {
            Task::Regression => {
                let deviation = reading.noise_deviation(variance(&signal));
                let noisy = signal.iter().map(|mean| mean + deviation * numbers.normal());
                Target::regression("y", noisy.collect())
            }
            Task::Classification => {
                let mut class = |mean: &f64| {
                    let probability = reading.probability(*mean, slope(reading));
                    u32::from(numbers.uniform() < probability)
                };
                let codes = signal.iter().map(&mut class).collect();
                Target::classification("y", vec!["0".to_owned(), "1".to_owned()], codes)
            }
        };
        Ok(Dataset::new(inputs, target?)?)
    }
}

/// Divisor n.
fn variance(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n
}
