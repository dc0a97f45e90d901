//! Designs whose inputs are a normal copula, so that conditional laws are known exactly.

use std::f64::consts::PI;

use wald::data::{Column, Target};
use wald::simulate::Numbers;
use wald::{Dataset, Error};

/// No other study of this program draws this part.
const PART: u32 = 5_000;

/// How an input follows from a standard normal number.
#[derive(Debug, Clone, Copy)]
pub(super) enum Margin {
    Normal,
    /// Between these two.
    Uniform(f64, f64),
}

/// What the signal becomes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Response {
    /// The signal and normal noise, which has this share of the variance.
    Number { noise: f64 },
    /// Two classes, the signal being the probability of the second.
    Classes,
}

/// A design: correlations of the normal numbers behind the inputs, and a function of the inputs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct World {
    pub(crate) name: &'static str,
    pub(super) n_inputs: usize,
    /// Two inputs (from 0) and the correlation; others are independent.
    pub(super) correlations: &'static [(usize, usize, f64)],
    pub(super) margin: Margin,
    pub(super) signal: fn(&[f64]) -> f64,
    pub(super) response: Response,
}

/// The number behind an input that stands in for x4 is correlated so with that behind x4.
pub(super) const FRIEDMAN: f64 = 0.8;

/// Two harmless designs are among them: near copies, which nothing hides, and independent inputs.
pub(crate) const WORLDS: [World; 8] = [
    World {
        name: "Friedman 1, stand-in for x4",
        n_inputs: 10,
        correlations: &[(3, 5, FRIEDMAN)],
        margin: Margin::Uniform(0.0, 1.0),
        signal: friedman,
        response: Response::Number { noise: 0.1 },
    },
    World {
        name: "linear",
        n_inputs: 6,
        correlations: &[(0, 1, 0.7), (0, 2, 0.7), (1, 2, 0.7), (3, 4, 0.8)],
        margin: Margin::Normal,
        signal: |x| x[0] + x[1] + x[3],
        response: Response::Number { noise: 0.1 },
    },
    World {
        name: "interaction (Bénard's example 1)",
        n_inputs: 5,
        correlations: &[(0, 1, 0.9), (3, 4, 0.6)],
        margin: Margin::Normal,
        signal: |x| if x[2] > 0.0 { 1.5 * x[0] * x[1] } else { x[3] * x[4] },
        response: Response::Number { noise: 0.1 },
    },
    World {
        name: "near copy",
        n_inputs: 6,
        correlations: &[(0, 1, 0.98), (3, 5, 0.6)],
        margin: Margin::Normal,
        signal: |x| 2.0 * x[0] + x[2] + x[3] * x[4],
        response: Response::Number { noise: 0.1 },
    },
    World {
        name: "Ishigami, x1 with x3",
        n_inputs: 3,
        // A rank correlation of .6.
        correlations: &[(0, 2, 0.618)],
        margin: Margin::Uniform(-PI, PI),
        signal: |x| x[0].sin() + 7.0 * x[1].sin().powi(2) + 0.1 * x[2].powi(4) * x[0].sin(),
        response: Response::Number { noise: 0.0 },
    },
    World {
        name: "two classes",
        n_inputs: 6,
        correlations: &[(0, 3, 0.8), (1, 2, 0.5)],
        margin: Margin::Normal,
        signal: |x| 1.0 / (1.0 + (-(3.0 * x[0] + 2.0 * x[1] * x[2])).exp()),
        response: Response::Classes,
    },
    World {
        name: "steps",
        n_inputs: 8,
        correlations: &[(0, 4, 0.9), (1, 5, 0.7)],
        margin: Margin::Uniform(0.0, 1.0),
        signal: |x| {
            let step = |is_above: bool| f64::from(u8::from(is_above));
            2.0 * step(x[0] > 0.5) + step(x[1] > 0.3) + 2.0 * (x[2] - 0.5).abs()
        },
        response: Response::Number { noise: 0.3 },
    },
    World {
        name: "g-function, independent",
        n_inputs: 6,
        correlations: &[],
        margin: Margin::Uniform(0.0, 1.0),
        signal: g_function,
        response: Response::Number { noise: 0.1 },
    },
];

/// The factors' weights: the smaller, the more important.
pub(super) const G: [f64; 6] = [0.0, 1.0, 4.5, 9.0, 99.0, 99.0];

fn g_function(x: &[f64]) -> f64 {
    x.iter().zip(G).map(|(x, a)| ((4.0 * x - 2.0).abs() + a) / (1.0 + a)).product()
}

fn friedman(x: &[f64]) -> f64 {
    10.0 * (PI * x[0] * x[1]).sin() + 20.0 * (x[2] - 0.5).powi(2) + 10.0 * x[3] + 5.0 * x[4]
}

impl Margin {
    pub(super) fn of(self, normal: f64) -> f64 {
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
    pub(super) fn correlation(&self) -> Vec<Vec<f64>> {
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
    pub(super) fn root(&self) -> Vec<Vec<f64>> {
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
    pub(super) fn draw_normal(root: &[Vec<f64>], numbers: &mut Numbers) -> Vec<f64> {
        let own: Vec<f64> = root.iter().map(|_| numbers.normal()).collect();
        root.iter()
            .map(|row| row.iter().zip(&own).map(|(weight, own)| weight * own).sum())
            .collect()
    }

    /// The signal of a row, given the normal numbers behind it.
    pub(super) fn signal_of(&self, normal: &[f64]) -> f64 {
        let x: Vec<f64> = normal.iter().map(|&normal| self.margin.of(normal)).collect();
        (self.signal)(&x)
    }

    /// Draws rows, given the variance of the response.
    pub(super) fn draw(&self, n_rows: usize, seed: u64, variance: f64) -> Result<Dataset, Error> {
        let mut numbers = Numbers::new(seed, PART);
        let root = self.root();
        let mut columns = vec![Vec::with_capacity(n_rows); self.n_inputs];
        let (mut responses, mut classes) = (Vec::new(), Vec::new());
        for _ in 0..n_rows {
            let normal = Self::draw_normal(&root, &mut numbers);
            let signal = self.signal_of(&normal);
            for (column, &normal) in columns.iter_mut().zip(&normal) {
                column.push(self.margin.of(normal));
            }
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
