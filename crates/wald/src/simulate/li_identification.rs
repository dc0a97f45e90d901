//! Li et al. 2019, section 4: which of many discrete inputs matter.

use crate::data::{Column, Dataset, Target, Task};
use crate::error::Error;
use crate::simulate::numbers::Numbers;
use crate::simulate::table::class_target;

const PART: u32 = 4;

/// The parts of the numbers that choose the inputs that matter.
const PART_OF_CHOICE: u32 = 5;

/// How the response follows from the inputs that matter: the text of the paper and the program
/// that was published with it differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LiReading {
    /// P(Y = 1) = logistic(2 m); Y = m + noise, whose standard deviation is 100 V\[m\]. It gives the
    /// published numbers.
    Program,
    /// P(Y = 1) = logistic(2 m - 1); Y = m + noise, whose variance is 100 V\[m\].
    Text,
}

impl LiReading {
    /// The probability of the class `1` where the relevant inputs, each from 0 to 1, have mean m.
    /// `slope` is 2 for simulated inputs; for the `ChIP` data the program has 4.
    pub fn probability(self, mean: f64, slope: f64) -> f64 {
        let offset = match self {
            Self::Program => 0.0,
            Self::Text => 1.0,
        };
        1.0 / (1.0 + libm::exp(offset - slope * mean))
    }

    /// The standard deviation of the noise where the signal has this variance.
    pub fn noise_deviation(self, signal_variance: f64) -> f64 {
        match self {
            Self::Program => 100.0 * signal_variance,
            Self::Text => 10.0 * signal_variance.sqrt(),
        }
    }
}

/// Independent inputs, Xj uniform on 0, 1, ..., j, of which five among the first ten matter: the
/// response depends on m, the mean of their Xj / j.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LiIdentification {
    /// Number of inputs, at least 10.
    pub n_columns: usize,
    /// Two classes, or a number.
    pub task: Task,
    /// How the response follows.
    pub reading: LiReading,
}

impl LiIdentification {
    /// The design of the paper for one of its tasks, as its program has it.
    pub fn of(task: Task) -> Self {
        Self { n_columns: 50, task, reading: LiReading::Program }
    }

    /// The positions of the five inputs that matter, increasing.
    pub fn relevant(&self, seed: u64) -> Vec<usize> {
        Numbers::new(seed, PART_OF_CHOICE).choose(10, 5)
    }

    /// Draws rows of the columns `x1`, `x2`, ... and the target `y`; the inputs that matter are
    /// those of the same seed. Cost O(rows * columns).
    ///
    /// # Errors
    /// As [`Self::draw_with`].
    pub fn draw(&self, n_rows: usize, seed: u64) -> Result<Dataset, Error> {
        self.draw_with(&self.relevant(seed), n_rows, seed)
    }

    /// The same for given inputs that matter (positions), so that several samples share them.
    ///
    /// # Errors
    /// [`Error::Setting`] for fewer than 10 inputs, no input that matters, or one that does not
    /// exist; [`Error::Data`] for no rows.
    pub fn draw_with(
        &self,
        relevant: &[usize],
        n_rows: usize,
        seed: u64,
    ) -> Result<Dataset, Error> {
        let p = self.n_columns;
        if p < 10 || relevant.is_empty() || relevant.iter().any(|&column| column >= p) {
            return Err(Error::bad_setting(
                None,
                format!("the design was requested with {p} inputs, of which {relevant:?} matter"),
                "give at least 10 inputs, and positions among them",
            ));
        }
        let n_relevant = relevant.len() as f64;
        // Xj / j has variance (j + 2) / (12 j).
        let variance = relevant.iter().map(|&column| {
            let j = column as f64 + 1.0;
            (j + 2.0) / (12.0 * j)
        });
        let deviation =
            self.reading.noise_deviation(variance.sum::<f64>() / n_relevant / n_relevant);
        let mut numbers = Numbers::new(seed, PART);
        let mut columns = vec![Vec::with_capacity(n_rows); p];
        let (mut codes, mut values) = (Vec::new(), Vec::new());
        for _ in 0..n_rows {
            for (j, column) in (1_u32..).zip(&mut columns) {
                column.push(f64::from(numbers.below(j + 1)));
            }
            let share = |&column: &usize| {
                columns[column].last().map_or(0.0, |value| value / (column as f64 + 1.0))
            };
            let mean = relevant.iter().map(share).sum::<f64>() / n_relevant;
            match self.task {
                Task::Regression => values.push(mean + deviation * numbers.normal()),
                Task::Classification => {
                    let is_one = numbers.uniform() < self.reading.probability(mean, 2.0);
                    codes.push(u32::from(is_one));
                }
            }
        }
        let named = (1..)
            .zip(columns)
            .map(|(number, values)| Column::numeric(format!("x{number}"), values));
        let target = match self.task {
            Task::Regression => Target::regression("y", values)?,
            Task::Classification => class_target(codes)?,
        };
        Dataset::new(named.collect::<Result<_, _>>()?, target)
    }
}
