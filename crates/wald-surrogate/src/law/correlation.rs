//! Correlations of normal scores.

use wald::Error;
use wald_gp::{Matrix, factorised, solve};

use super::score;
use crate::inputs::Rows;

/// Correlations of normal scores, positive definite.
#[derive(Debug, Clone, PartialEq)]
pub struct Correlations {
    matrix: Matrix,
    /// Its Cholesky factor.
    factor: Matrix,
}

/// Fisher's z of a correlation, in standard errors, up to which it counts as chance.
const BY_CHANCE: f64 = 2.58;

/// Of a matrix that is not positive definite, so much of every correlation is taken away, at least, and in
/// each further step.
const LEAST_SHRINKAGE: f64 = 1e-6;
const SHRINKAGE: f64 = 0.05;
const STEPS: u32 = 20;

impl Correlations {
    /// Correlations by row.
    ///
    /// # Errors
    /// [`Error::Data`] when the matrix is not square, or not positive definite with ones on the
    /// diagonal.
    pub fn new(rows: &[Vec<f64>]) -> Result<Self, Error> {
        let d = rows.len();
        let is_one =
            |input: usize| rows[input].len() == d && (rows[input][input] - 1.0).abs() < 1e-9;
        let matrix = (0..d)
            .all(is_one)
            .then(|| Matrix::from_fn(d, d, |row, column| rows[row.max(column)][row.min(column)]));
        matrix.and_then(Self::factored).ok_or_else(|| {
            Error::data(
                "correlations are not those of a distribution",
                "give a square, positive definite matrix with ones on its diagonal",
            )
        })
    }

    /// Correlations of the normal scores of rows. Those that chance explains are zero: all of them
    /// together would make inputs depend on each other far too much where rows are few. So are those of
    /// inputs that are not ordered or do not vary.
    pub(crate) fn estimate(rows: &Rows, is_ordered: &[bool]) -> Self {
        let (n, d) = (rows.len() as f64, is_ordered.len());
        let scores = |input: usize| {
            let column: Vec<f64> = rows.column(input).collect();
            normal_scores(&column).filter(|_| is_ordered[input])
        };
        let scores: Vec<Option<Vec<f64>>> = (0..d).map(scores).collect();
        let by_chance = (BY_CHANCE / (n - 3.0).max(1.0).sqrt()).tanh();
        let mut matrix = Matrix::identity(d);
        for one in 0..d {
            for other in 0..one {
                let (Some(first), Some(second)) = (&scores[one], &scores[other]) else { continue };
                let sum: f64 = first.iter().zip(second).map(|(one, other)| one * other).sum();
                if (sum / n).abs() > by_chance {
                    matrix[(one, other)] = sum / n;
                    matrix[(other, one)] = sum / n;
                }
            }
        }
        let shrunk = |step: u32| {
            let kept = 1.0 - (LEAST_SHRINKAGE + SHRINKAGE * f64::from(step)).min(1.0);
            let kept = |row, column| if row == column { 1.0 } else { kept };
            Self::factored(Matrix::from_fn(d, d, |row, column| {
                matrix[(row, column)] * kept(row, column)
            }))
        };
        let found = Self::factored(matrix.clone()).or_else(|| (0..=STEPS).find_map(shrunk));
        found.unwrap_or_else(|| Self { matrix: Matrix::identity(d), factor: Matrix::identity(d) })
    }

    fn factored(matrix: Matrix) -> Option<Self> {
        let factor = factorised(&matrix)?;
        let is_positive = (0..factor.n_rows()).all(|row| factor[(row, row)] > 1e-6);
        is_positive.then_some(Self { matrix, factor })
    }

    /// The correlation of two inputs' scores.
    pub fn get(&self, one: usize, other: usize) -> f64 {
        self.matrix[(one, other)]
    }

    /// Whether an input is correlated with another.
    pub(crate) fn depends(&self, input: usize) -> bool {
        (0..self.matrix.n_rows()).any(|other| other != input && self.get(input, other) != 0.0)
    }

    /// Appends correlated scores, made of independent ones.
    pub(crate) fn correlate(&self, free: &[f64], scores: &mut Vec<f64>) {
        for row in 0..free.len() {
            let sum = (0..=row).map(|column| self.factor[(row, column)] * free[column]).sum();
            scores.push(sum);
        }
    }

    /// The law of some inputs given the others.
    pub(crate) fn conditional(&self, inputs: &[usize]) -> Conditional {
        let d = self.matrix.n_rows();
        let others: Vec<usize> = (0..d).filter(|input| !inputs.contains(input)).collect();
        let part = |rows: &[usize], columns: &[usize]| {
            Matrix::from_fn(rows.len(), columns.len(), |row, column| {
                self.matrix[(rows[row], columns[column])]
            })
        };
        // The matrix is positive definite, and with it all of its parts.
        let known = factorised(&part(&others, &others));
        let weights_of = |input: &usize| {
            let across: Vec<f64> = others.iter().map(|&other| self.get(*input, other)).collect();
            known.as_ref().map_or_else(|| vec![0.0; others.len()], |known| solve(known, &across))
        };
        let weights: Vec<Vec<f64>> = inputs.iter().map(weights_of).collect();
        let left = Matrix::from_fn(inputs.len(), inputs.len(), |row, column| {
            let explained =
                |(weight, &other): (&f64, &usize)| weight * self.get(inputs[column], other);
            let explained: f64 = weights[row].iter().zip(&others).map(explained).sum();
            self.get(inputs[row], inputs[column]) - explained
        });
        let factor = factorised(&left).unwrap_or_else(|| Matrix::zeros(inputs.len(), inputs.len()));
        Conditional { others, weights, factor }
    }
}

/// The normal law of some scores, given others.
#[derive(Debug)]
pub(crate) struct Conditional {
    others: Vec<usize>,
    /// By input: what the scores of the others are multiplied with.
    weights: Vec<Vec<f64>>,
    factor: Matrix,
}

impl Conditional {
    /// Scores, made of independent ones.
    pub(crate) fn draw(&self, scores: &[f64], free: &[f64]) -> Vec<f64> {
        let from_others = |weights: &Vec<f64>| -> f64 {
            weights.iter().zip(&self.others).map(|(weight, &other)| weight * scores[other]).sum()
        };
        let from_chance = |row: usize| -> f64 {
            (0..=row).map(|column| self.factor[(row, column)] * free[column]).sum()
        };
        let drawn = self.weights.iter().enumerate();
        drawn.map(|(row, weights)| from_others(weights) + from_chance(row)).collect()
    }
}

/// Normal scores of values, with mean 0 and variance 1; equal values have equal scores. `None` where
/// all values are equal.
fn normal_scores(values: &[f64]) -> Option<Vec<f64>> {
    let n = values.len() as f64;
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &other| values[one].total_cmp(&values[other]));
    let mut scores = vec![0.0; values.len()];
    let mut before = 0;
    for tied in order.chunk_by(|&one, &other| values[one] == values[other]) {
        let rank = before as f64 + 0.5 * (tied.len() as f64 + 1.0);
        tied.iter().for_each(|&row| scores[row] = score(rank / (n + 1.0)));
        before += tied.len();
    }
    let mean = scores.iter().sum::<f64>() / n;
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / n;
    let deviation = variance.sqrt();
    (deviation > 0.0).then(|| scores.iter().map(|score| (score - mean) / deviation).collect())
}
