//! The likelihood of lengths and noise, with mean and variance at their best, and its gradient.

use faer::linalg::solvers::{DenseSolveCore, Llt, Solve};
use faer::{Mat, Side};

use crate::design::Design;
use crate::kernel::Kernel;

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

/// The correlations of runs, divided into factors, and what follows from them.
pub(crate) struct Solved {
    pub(crate) factor: Llt<f64>,
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
        let correlations = correlations(kernel, design, self);
        let solved = Solved::new(&correlations, design)?;
        let n = design.n_rows();
        let inverse = solved.factor.inverse();
        let noise = self.log_noise.exp();
        let rates = self.rates(kernel);
        let mut gradient = vec![0.0; rates.len() + 1];
        let weight = |i: usize, j: usize| {
            solved.of_residuals[i] * solved.of_residuals[j] / solved.variance - inverse[(i, j)]
        };
        let (of_noise, of_lengths) = gradient.split_last_mut()?;
        for j in 0..n {
            let here = design.row(j);
            for i in j + 1..n {
                let weight = weight(i, j) * correlations[(i, j)];
                for (at, (one, other)) in design.row(i).iter().zip(here).enumerate() {
                    let distance = (one - other).abs() * rates[at];
                    of_lengths[at] += weight * kernel.log_derivative(distance);
                }
            }
            *of_noise += 0.5 * noise * weight(j, j);
        }
        let n = n as f64;
        let spread = (2.0 * std::f64::consts::PI * solved.variance).ln() + 1.0;
        let value = -0.5 * (n * spread + solved.log_determinant);
        value.is_finite().then_some(Likelihood { value, gradient })
    }
}

/// The correlations of runs, with noise on the diagonal.
pub(crate) fn correlations(kernel: Kernel, design: &Design, parameters: &Parameters) -> Mat<f64> {
    let n = design.n_rows();
    let rates = parameters.rates(kernel);
    let mut correlations = Mat::zeros(n, n);
    for j in 0..n {
        correlations[(j, j)] = 1.0 + parameters.log_noise.exp();
        for i in j + 1..n {
            let value = correlation(kernel, &rates, design.row(i), design.row(j));
            correlations[(i, j)] = value;
            correlations[(j, i)] = value;
        }
    }
    correlations
}

/// The correlation at two points on the scale of the runs.
pub(crate) fn correlation(kernel: Kernel, rates: &[f64], one: &[f64], other: &[f64]) -> f64 {
    let distance = |((one, other), rate): ((&f64, &f64), &f64)| (one - other).abs() * rate;
    kernel.correlation(one.iter().zip(other).zip(rates).map(distance))
}

impl Solved {
    pub(crate) fn new(correlations: &Mat<f64>, design: &Design) -> Option<Self> {
        let n = design.n_rows();
        let factor = correlations.llt(Side::Lower).ok()?;
        let lower = factor.L();
        let log_determinant = (0..n).map(|row| 2.0 * lower[(row, row)].ln()).sum();
        let of_ones = solve(&factor, &vec![1.0; n]);
        let mut solved = Self {
            sum_of_ones: of_ones.iter().sum(),
            factor,
            of_ones,
            of_residuals: Vec::new(),
            mean: 0.0,
            variance: 0.0,
            log_determinant,
        };
        (solved.mean, solved.of_residuals) = solved.regress(&design.outputs);
        let outputs = design.outputs.iter().zip(&solved.of_residuals);
        let squares: f64 = outputs.map(|(y, of)| (y - solved.mean) * of).sum();
        solved.variance = squares / n as f64;
        (solved.variance > 0.0 && solved.sum_of_ones > 0.0).then_some(solved)
    }

    /// The mean of outputs by generalised least squares, and R⁻¹ (outputs - mean).
    pub(crate) fn regress(&self, outputs: &[f64]) -> (f64, Vec<f64>) {
        let sum: f64 = outputs.iter().zip(&self.of_ones).map(|(output, one)| output * one).sum();
        let mean = sum / self.sum_of_ones;
        let residuals: Vec<f64> = outputs.iter().map(|output| output - mean).collect();
        (mean, solve(&self.factor, &residuals))
    }
}

/// R⁻¹ times a column.
pub(crate) fn solve(factor: &Llt<f64>, right: &[f64]) -> Vec<f64> {
    let solution = factor.solve(Mat::from_fn(right.len(), 1, |row, _| right[row]));
    (0..right.len()).map(|row| solution[(row, 0)]).collect()
}
