//! Errors of a two-step estimate, kept apart.

use serde::Serialize;

/// Standard errors of an importance for three reasons.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Errors {
    /// Trees are random, and not infinitely many.
    pub trees: f64,
    /// The sample has a finite number of rows, which are random, and which the forest learns from.
    pub rows: f64,
    /// The process is not the model: runs are few.
    pub process: f64,
}

impl Errors {
    /// Of all reasons together, which are independent.
    pub fn total(&self) -> f64 {
        (self.trees.powi(2) + self.rows.powi(2) + self.process.powi(2)).sqrt()
    }
}

/// Values of one group of inputs on parts of the sample, each with a fraction of its rows.
///
/// Their variance is that of means over fewer rows. A forest of few rows is biased, too: if the bias falls
/// with the cube root of the number of rows, the difference between parts and whole is a known share of it.
pub(crate) fn of_rows(parts: &[f64], whole: f64) -> f64 {
    let Moments { mean, variance } = Moments::of(parts);
    let k = parts.len() as f64;
    let bias = (whole - mean) / (k.cbrt() - 1.0);
    (variance / k + bias.powi(2)).sqrt()
}

/// Values of one group of inputs where the process is replaced by what else the runs allow.
///
/// Functions drawn from the process show what is unknown if its lengths and its assumptions hold;
/// processes that were fitted without a tenth of the runs show what depends on the runs at hand
/// (jackknife of groups of runs). The larger of both is the spread; the mean of the drawn functions
/// adds what the mean of the process smooths away.
pub(crate) fn of_process(paths: &[f64], folds: &[f64], base: f64) -> f64 {
    let drawn = Moments::of(paths);
    let k = folds.len() as f64;
    let without = Moments::of(folds);
    let jackknife = (k - 1.0).powi(2) / k * without.variance;
    (drawn.variance.max(jackknife) + (drawn.mean - base).powi(2)).sqrt()
}

struct Moments {
    mean: f64,
    variance: f64,
}

impl Moments {
    /// Zero variance of fewer than two values.
    fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n.max(1.0);
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Self { mean, variance: squares / (n - 1.0).max(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The jackknife of a mean is its textbook standard error: leaving out x gives (sum - x) / (n - 1).
    #[test]
    fn leaving_out_observations_of_a_mean_gives_its_standard_error() {
        let values = [1.0, 4.0, 2.0, 8.0, 5.0];
        let sum: f64 = values.iter().sum();
        let without = values.map(|value| (sum - value) / 4.0);
        let squares: f64 = values.iter().map(|value| (value - sum / 5.0_f64).powi(2)).sum();
        let expected = (squares / 4.0 / 5.0_f64).sqrt();
        let found = of_process(&[0.0, 0.0], &without, 0.0);
        assert!((found - expected).abs() < 1e-12);
    }

    #[test]
    fn the_larger_spread_counts_and_the_shift_is_added() {
        let found = of_process(&[1.0, 3.0], &[0.0, 0.0], 1.5);
        assert!((found - (2.0_f64 + 0.25).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn parts_of_rows_show_variance_and_bias() {
        let parts = [0.2, 0.4, 0.2, 0.4, 0.2, 0.4, 0.2, 0.4];
        let variance: f64 = 8.0 * 0.01 / 7.0 / 8.0;
        // Eight parts have twice the bias of the whole, which is the difference between both.
        assert!((of_rows(&parts, 0.4) - (variance + 0.01).sqrt()).abs() < 1e-12);
    }
}
