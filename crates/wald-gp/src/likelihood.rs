//! The likelihood of lengths and noise, with mean and variance at their best, and its gradient.

use crate::cholesky::{Cholesky, solve};
use crate::design::Design;
use crate::kernel::{Kernel, correlation};
use crate::matrix::Matrix;

/// What the likelihood is maximised over.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters {
    /// Logarithms of the lengths, on the scale of inputs from 0 to 1.
    pub log_lengths: Vec<f64>,
    /// Logarithm of the variance of the noise, as a multiple of that of the process.
    pub log_noise: f64,
}

/// The likelihood at some parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Likelihood {
    /// Logarithm of the likelihood of the scaled outputs.
    pub value: f64,
    /// Derivatives by the logarithms of the lengths, then by that of the noise.
    pub gradient: Vec<f64>,
}

/// What follows from the correlations of runs.
pub(crate) struct Solved {
    /// R⁻¹ 1.
    pub(crate) of_ones: Vec<f64>,
    /// R⁻¹ (y - mean).
    pub(crate) of_residuals: Vec<f64>,
    /// 1ᵀ R⁻¹ 1.
    pub(crate) sum_of_ones: f64,
    /// The mean, by generalised least squares.
    pub(crate) mean: f64,
    /// The variance of the process.
    pub(crate) variance: f64,
    log_determinant: f64,
}

impl Parameters {
    /// The inverses of the lengths, times the scale of a kernel.
    pub(crate) fn rates(&self, kernel: Kernel) -> Vec<f64> {
        self.log_lengths.iter().map(|length| kernel.scale() * f64::exp(-length)).collect()
    }

    /// The likelihood of a design, with mean and variance at their best; `None` where correlations are
    /// too close to singular. Takes time of order n³ + n² d.
    pub fn likelihood(&self, kernel: Kernel, design: &Design) -> Option<Likelihood> {
        self.likelihood_in(kernel, design, &mut Cholesky::new(design.n_rows()))
    }

    /// The likelihood, computed in memory that may have served before.
    pub(crate) fn likelihood_in(
        &self,
        kernel: Kernel,
        design: &Design,
        cholesky: &mut Cholesky,
    ) -> Option<Likelihood> {
        let solved = self.solved(kernel, design, cholesky)?;
        cholesky.invert();
        let (correlations, inverse) = (&cholesky.matrix, &cholesky.inverse);
        let n = design.n_rows();
        let noise = self.log_noise.exp();
        let rates = self.rates(kernel);
        let mut gradient = vec![0.0; rates.len() + 1];
        let weight = |i: usize, j: usize, inverse: f64| {
            solved.of_residuals[i] * solved.of_residuals[j] / solved.variance - inverse
        };
        let (of_noise, of_lengths) = gradient.split_last_mut()?;
        for j in 0..n {
            let below = inverse.column(j)[j + 1..].iter().zip(&correlations.column(j)[j + 1..]);
            let weights: Vec<f64> = (j + 1..n)
                .zip(below)
                .map(|(i, (inverse, correlation))| weight(i, j, *inverse) * correlation)
                .collect();
            for ((column, rate), of_length) in
                design.columns.iter().zip(&rates).zip(&mut *of_lengths)
            {
                let derivative =
                    |value: f64| kernel.log_derivative((value - column[j]).abs() * rate);
                *of_length += weighted_sum(&weights, &column[j + 1..], derivative);
            }
            *of_noise += 0.5 * noise * weight(j, j, inverse[(j, j)]);
        }
        let n = n as f64;
        let spread = (2.0 * std::f64::consts::PI * solved.variance).ln() + 1.0;
        let value = -0.5 * (n * spread + solved.log_determinant);
        value.is_finite().then_some(Likelihood { value, gradient })
    }

    /// Divides the correlations of a design into factors; `None` where they are too close to singular.
    pub(crate) fn solved(
        &self,
        kernel: Kernel,
        design: &Design,
        cholesky: &mut Cholesky,
    ) -> Option<Solved> {
        self.correlations(kernel, design, &mut cholesky.matrix);
        cholesky.factorise()?;
        Solved::new(&cholesky.lower, design)
    }

    /// The correlations of runs, with noise on the diagonal; what is above it is not set.
    fn correlations(&self, kernel: Kernel, design: &Design, correlations: &mut Matrix) {
        let rates = self.rates(kernel);
        for j in 0..design.n_rows() {
            let found = with_runs(kernel, &rates, design, &design.row(j), j + 1);
            let column = correlations.column_mut(j);
            column[j] = 1.0 + self.log_noise.exp();
            column[j + 1..].copy_from_slice(&found);
        }
    }
}

/// The sum of weighted values of a function, in as many parts as processors add at a time.
fn weighted_sum(weights: &[f64], values: &[f64], function: impl Fn(f64) -> f64) -> f64 {
    const PARTS: usize = 8;
    let mut sums = [0.0; PARTS];
    let (weights, last_weights) = weights.as_chunks::<PARTS>();
    let (values, last_values) = values.as_chunks::<PARTS>();
    for (weights, values) in weights.iter().zip(values) {
        for part in 0..PARTS {
            sums[part] += weights[part] * function(values[part]);
        }
    }
    let last = last_weights.iter().zip(last_values);
    sums.iter().sum::<f64>() + last.map(|(weight, value)| weight * function(*value)).sum::<f64>()
}

/// The correlations of a point, on the scale of the runs, with the runs from one on.
pub(crate) fn with_runs(
    kernel: Kernel,
    rates: &[f64],
    design: &Design,
    point: &[f64],
    from: usize,
) -> Vec<f64> {
    let mut factors = vec![1.0; design.n_rows() - from];
    let mut exponents = vec![0.0; factors.len()];
    for ((column, at), rate) in design.columns.iter().zip(point).zip(rates) {
        let distances = column[from..].iter().map(|value| (value - at).abs() * rate);
        kernel.multiply(distances, &mut factors, &mut exponents);
    }
    factors.iter().zip(&exponents).map(|(one, other)| correlation(*one, *other)).collect()
}

impl Solved {
    fn new(lower: &Matrix, design: &Design) -> Option<Self> {
        let n = design.n_rows();
        let log_determinant = (0..n).map(|row| 2.0 * lower[(row, row)].ln()).sum();
        let of_ones = solve(lower, &vec![1.0; n]);
        let mut solved = Self {
            sum_of_ones: of_ones.iter().sum(),
            of_ones,
            of_residuals: Vec::new(),
            mean: 0.0,
            variance: 0.0,
            log_determinant,
        };
        (solved.mean, solved.of_residuals) = solved.regress(lower, &design.outputs);
        let outputs = design.outputs.iter().zip(&solved.of_residuals);
        let squares: f64 = outputs.map(|(y, of)| (y - solved.mean) * of).sum();
        solved.variance = squares / n as f64;
        (solved.variance > 0.0 && solved.sum_of_ones > 0.0).then_some(solved)
    }

    /// The mean of outputs by generalised least squares, and R⁻¹ (outputs - mean).
    pub(crate) fn regress(&self, lower: &Matrix, outputs: &[f64]) -> (f64, Vec<f64>) {
        let sum: f64 = outputs.iter().zip(&self.of_ones).map(|(output, one)| output * one).sum();
        let mean = sum / self.sum_of_ones;
        let residuals: Vec<f64> = outputs.iter().map(|output| output - mean).collect();
        (mean, solve(lower, &residuals))
    }
}
