//! A fitted process: predictions, their variances, and leave-one-out errors.

use wald::Error;

use crate::cholesky::{Cholesky, inverse, solve};
use crate::design::Design;
use crate::kernel::Kernel;
use crate::likelihood::{Parameters, Solved, with_runs};
use crate::matrix::Matrix;

/// A Gaussian process, given runs.
pub struct GaussianProcess {
    design: Design,
    kernel: Kernel,
    parameters: Parameters,
    rates: Vec<f64>,
    /// The lower triangular factor of the correlations of the runs.
    lower: Matrix,
    solved: Solved,
}

/// The distribution of the output at a point, without noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// Its mean.
    pub mean: f64,
    /// Its variance, with that of the estimated mean of the process.
    pub variance: f64,
}

/// Predictions of every run from the others, with the same parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct LeaveOneOut {
    /// By run: output minus prediction.
    pub errors: Vec<f64>,
    /// By run: variance of the predicted output, with noise.
    pub variances: Vec<f64>,
    /// One minus the mean square of the errors over the variance of the outputs.
    pub q2: f64,
}

impl std::fmt::Debug for GaussianProcess {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("GaussianProcess")
            .field("kernel", &self.kernel)
            .field("parameters", &self.parameters)
            .finish_non_exhaustive()
    }
}

impl GaussianProcess {
    /// The process at given parameters.
    ///
    /// # Errors
    /// [`Error::Data`] when the correlations of the runs are singular.
    pub fn at(design: &Design, kernel: Kernel, parameters: Parameters) -> Result<Self, Error> {
        let mut cholesky = Cholesky::new(design.n_rows());
        let solved = parameters.solved(kernel, design, &mut cholesky).ok_or_else(|| {
            Error::data("the correlations of the runs are singular", "use more noise")
        })?;
        let rates = parameters.rates(kernel);
        let lower = cholesky.lower;
        Ok(Self { design: design.clone(), kernel, parameters, rates, lower, solved })
    }

    pub(crate) fn design(&self) -> &Design {
        &self.design
    }

    pub(crate) fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The variance of the process, on the scale of the runs.
    pub(crate) fn variance(&self) -> f64 {
        self.solved.variance
    }

    /// The mean of other outputs of the runs by generalised least squares, and the weights of the
    /// correlations with the runs.
    pub(crate) fn regress(&self, outputs: &[f64]) -> (f64, Vec<f64>) {
        self.solved.regress(&self.lower, outputs)
    }

    /// Lengths and noise, on the scale of the runs.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The variance of the noise, on the scale of the output.
    pub fn noise(&self) -> f64 {
        self.parameters.log_noise.exp() * self.solved.variance * self.scale()
    }

    fn scale(&self) -> f64 {
        self.design.standard_deviation.powi(2)
    }

    /// The correlations of a point, on the scale of the runs, with all runs.
    pub(crate) fn with_runs(&self, point: &[f64]) -> Vec<f64> {
        with_runs(self.kernel, &self.rates, &self.design, point, 0)
    }

    /// The mean at a point: one value per input. Takes time of order n d.
    pub fn mean(&self, point: &[f64]) -> f64 {
        let with_runs = self.with_runs(&self.design.scaled(point));
        let weighted = with_runs.iter().zip(&self.solved.of_residuals);
        let scaled = self.solved.mean + weighted.map(|(one, other)| one * other).sum::<f64>();
        self.design.mean + self.design.standard_deviation * scaled
    }

    /// The distribution at a point: one value per input. Takes time of order n².
    pub fn predict(&self, point: &[f64]) -> Prediction {
        let with_runs = self.with_runs(&self.design.scaled(point));
        let solved = solve(&self.lower, &with_runs);
        let mut explained = 0.0;
        let mut of_ones = 0.0;
        let mut mean = self.solved.mean;
        for (row, one) in with_runs.iter().enumerate() {
            explained += one * solved[row];
            of_ones += one * self.solved.of_ones[row];
            mean += one * self.solved.of_residuals[row];
        }
        let of_mean = (1.0 - of_ones).powi(2) / self.solved.sum_of_ones;
        let variance = self.solved.variance * (1.0 - explained + of_mean).max(0.0);
        Prediction {
            mean: self.design.mean + self.design.standard_deviation * mean,
            variance: variance * self.scale(),
        }
    }

    /// Errors of leaving out one run at a time, in closed form (Dubrule 1983, Mathematical Geology
    /// 15:687-699): lengths, noise and variance stay, the mean is estimated without the run.
    pub fn leave_one_out(&self) -> LeaveOneOut {
        let inverse = inverse(&self.lower);
        let n = self.design.n_rows();
        let precision = |row: usize| {
            inverse[(row, row)] - self.solved.of_ones[row].powi(2) / self.solved.sum_of_ones
        };
        let deviation = self.design.standard_deviation;
        let error = |row: usize| deviation * self.solved.of_residuals[row] / precision(row);
        let errors: Vec<f64> = (0..n).map(error).collect();
        let variance = |row| self.scale() * self.solved.variance / precision(row);
        let variances = (0..n).map(variance).collect();
        let squares: f64 = errors.iter().map(|error| error * error).sum();
        LeaveOneOut { errors, variances, q2: 1.0 - squares / n as f64 / self.scale() }
    }
}
