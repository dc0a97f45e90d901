//! A design whose inputs are a normal copula, so that conditional laws are known exactly.

use wald::data::{Column, Target};
use wald::simulate::Numbers;
use wald::{Dataset, Error};

/// No other study of this program draws this part.
const PART: u32 = 5_000;

/// How an input follows from a standard normal number.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Margin {
    Normal,
    /// Between these two.
    Uniform(f64, f64),
}

/// What the signal becomes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Response {
    /// The signal and normal noise, which has this share of the variance.
    Number { noise: f64 },
    /// Two classes, the signal being the probability of the second.
    Classes,
}

/// A design: correlations of the normal numbers behind the inputs, and a function of the inputs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct World {
    pub(crate) name: &'static str,
    pub(crate) n_inputs: usize,
    /// Two inputs (from 0) and the correlation; others are independent.
    pub(crate) correlations: &'static [(usize, usize, f64)],
    /// By input; the last is that of all further inputs.
    pub(crate) margins: &'static [Margin],
    pub(crate) signal: fn(&[f64]) -> f64,
    pub(crate) response: Response,
}

impl Margin {
    pub(crate) fn of(self, normal: f64) -> f64 {
        match self {
            Self::Normal => normal,
            Self::Uniform(low, high) => {
                low + (high - low) * 0.5 * libm::erfc(-normal / std::f64::consts::SQRT_2)
            }
        }
    }
}

impl World {
    /// Of the normal numbers, row by row.
    pub(crate) fn correlation(&self) -> Vec<Vec<f64>> {
        let mut matrix = vec![vec![0.0; self.n_inputs]; self.n_inputs];
        for (at, row) in matrix.iter_mut().enumerate() {
            row[at] = 1.0;
        }
        for &(one, other, correlation) in self.correlations {
            matrix[one][other] = correlation;
            matrix[other][one] = correlation;
        }
        matrix
    }

    /// Lower triangular, its product with its transpose being the correlations (Cholesky).
    pub(crate) fn root(&self) -> Vec<Vec<f64>> {
        let matrix = self.correlation();
        let mut root = vec![vec![0.0; self.n_inputs]; self.n_inputs];
        for row in 0..self.n_inputs {
            for column in 0..=row {
                let shared: f64 = (0..column).map(|at| root[row][at] * root[column][at]).sum();
                let rest = matrix[row][column] - shared;
                root[row][column] =
                    if row == column { rest.sqrt() } else { rest / root[column][column] };
            }
        }
        root
    }

    /// Draws the normal numbers behind a row.
    pub(crate) fn draw_normal(root: &[Vec<f64>], numbers: &mut Numbers) -> Vec<f64> {
        let own: Vec<f64> = root.iter().map(|_| numbers.normal()).collect();
        root.iter()
            .map(|row| row.iter().zip(&own).map(|(weight, own)| weight * own).sum())
            .collect()
    }

    pub(crate) fn margin(&self, input: usize) -> Margin {
        self.margins[input.min(self.margins.len() - 1)]
    }

    /// A row, given the normal numbers behind it.
    pub(crate) fn inputs_of(&self, normal: &[f64]) -> Vec<f64> {
        let of = |(input, &normal): (usize, &f64)| self.margin(input).of(normal);
        normal.iter().enumerate().map(of).collect()
    }

    /// Draws rows, given the variance of the response.
    pub(crate) fn draw(&self, n_rows: usize, seed: u64, variance: f64) -> Result<Dataset, Error> {
        let mut numbers = Numbers::new(seed, PART);
        let root = self.root();
        let mut columns = vec![Vec::with_capacity(n_rows); self.n_inputs];
        let (mut responses, mut classes) = (Vec::new(), Vec::new());
        for _ in 0..n_rows {
            let normal = Self::draw_normal(&root, &mut numbers);
            let inputs = self.inputs_of(&normal);
            let signal = (self.signal)(&inputs);
            columns.iter_mut().zip(inputs).for_each(|(column, input)| column.push(input));
            match self.response {
                Response::Number { noise } => {
                    let deviation = (variance * noise).sqrt();
                    responses.push(signal + deviation * numbers.normal());
                }
                Response::Classes => classes.push(u32::from(numbers.uniform() < signal)),
            }
        }
        let columns = (1..).zip(columns);
        let columns = columns.map(|(at, values)| Column::numeric(format!("x{at}"), values));
        let target = match self.response {
            Response::Number { .. } => Target::regression("y", responses)?,
            Response::Classes => {
                Target::classification("y", vec!["no".to_owned(), "yes".to_owned()], classes)?
            }
        };
        Dataset::new(columns.collect::<Result<_, _>>()?, target)
    }
}
