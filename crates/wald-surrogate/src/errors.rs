//! Errors of a two-step estimate, kept apart.

use std::f64::consts::SQRT_2;

use serde::Serialize;
use statrs::function::erf::erfc;
use wald::inference::Confidence;

/// Standard errors of an importance for three reasons.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Errors {
    /// Trees are random, and not infinitely many. `None` of measures whose errors are those of other draws,
    /// which count as errors of rows.
    pub trees: Option<f64>,
    /// The sample has a finite number of rows, which are random, and the forest that learns from them is
    /// biased. Of the Sobol-MDA, the distance from the total Sobol index of the process where conditional
    /// laws are known.
    pub rows: f64,
    /// The process is not the model: runs are few.
    pub process: f64,
}

impl Errors {
    /// All of them together, as if they were independent. Where laws are known, the error of rows contains
    /// that of the trees, so that this is slightly too large; intervals are not.
    pub fn total(&self) -> f64 {
        let trees = self.trees.unwrap_or(0.0);
        (trees.powi(2) + self.rows.powi(2) + self.process.powi(2)).sqrt()
    }
}

/// The error of a forest and its sample, apart from that of the process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct OfForest {
    /// What the value is too large by, as far as that is known.
    pub(crate) bias: f64,
    /// The standard error of what is not known.
    pub(crate) spread: f64,
    /// Whether the bias is that of the very forest, so that its trees are no error besides.
    pub(crate) is_known: bool,
}

impl OfForest {
    /// Both parts together.
    pub(crate) fn error(self) -> f64 {
        self.bias.hypot(self.spread)
    }

    /// Of an estimate with these errors, half the width of an interval around it that contains the truth
    /// with the given probability: the quantile of the absolute value of a normal variable whose mean is
    /// the bias.
    pub(crate) fn half_width(self, errors: &Errors, confidence: Confidence) -> f64 {
        let trees = if self.is_known { 0.0 } else { errors.trees.unwrap_or(0.0) };
        let (bias, deviation) = (self.bias.abs(), trees.hypot(self.spread).hypot(errors.process));
        let covers = |half: f64| {
            let below = |bound: f64| 0.5 * erfc((bias - bound) / deviation / SQRT_2);
            below(half) - below(-half) >= confidence.get()
        };
        let (mut low, mut high) = (0.0, bias + confidence.normal() * deviation);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if covers(middle) { high = middle } else { low = middle }
        }
        high
    }
}

/// Halvings of an interval that leave nothing of it but rounding.
const HALVINGS: usize = 60;

/// The standard error of a mean over the whole sample, by values on parts of it.
pub(crate) fn of_spread(parts: &[f64]) -> f64 {
    (Moments::of(parts).variance / parts.len() as f64).sqrt()
}

/// The same with the bias of a forest of few rows, of which nothing is known but that it is larger in the
/// parts: if it falls with the cube root of the number of rows, the difference between parts and whole is
/// a known share of it.
pub(crate) fn of_rows(parts: &[f64], whole: f64) -> f64 {
    let bias = (whole - Moments::of(parts).mean) / ((parts.len() as f64).cbrt() - 1.0);
    of_spread(parts).hypot(bias)
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

    /// Without bias the usual quantile; with a bias that is large beside the deviation, one side counts.
    #[test]
    fn intervals_allow_for_a_known_bias() {
        let confidence = Confidence::new(0.9).expect("a probability");
        let half = |bias, spread| {
            let errors = Errors { trees: Some(0.3), rows: 0.0, process: 0.4 };
            OfForest { bias, spread, is_known: true }.half_width(&errors, confidence)
        };
        assert!((half(0.0, 0.3) - 1.644_853_6 * 0.5).abs() < 1e-6);
        assert!((half(-50.0, 0.3) - (50.0 + 1.281_551_6 * 0.5)).abs() < 1e-6);
        // By the distribution function of SciPy 1.17, norm(1, .5).cdf(h) - norm(1, .5).cdf(-h) = .9.
        assert!((half(1.0, 0.3) - 1.640_776).abs() < 1e-5, "{}", half(1.0, 0.3));
        let of_none = OfForest { bias: 0.02, spread: 0.0, is_known: true };
        let errors = Errors { trees: Some(0.3), rows: 0.0, process: 0.0 };
        assert!((of_none.half_width(&errors, confidence) - 0.02).abs() < 1e-12);
    }

    #[test]
    fn parts_of_rows_show_variance_and_bias() {
        let parts = [0.2, 0.4, 0.2, 0.4, 0.2, 0.4, 0.2, 0.4];
        let variance: f64 = 8.0 * 0.01 / 7.0 / 8.0;
        // Eight parts have twice the bias of the whole, which is the difference between both.
        assert!((of_rows(&parts, 0.4) - (variance + 0.01).sqrt()).abs() < 1e-12);
    }
}
