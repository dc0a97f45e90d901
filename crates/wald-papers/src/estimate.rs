//! Means over repetitions.

/// A mean of independent values with their spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Estimate {
    pub(crate) mean: f64,
    /// Sample standard deviation of the values; NaN for a single one.
    pub(crate) deviation: f64,
    pub(crate) n: usize,
}

impl Estimate {
    pub(crate) fn of(values: &[f64]) -> Self {
        let n = values.len();
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Self { mean, deviation: (squares / (n as f64 - 1.0)).sqrt(), n }
    }

    /// Of the mean.
    pub(crate) fn standard_error(&self) -> f64 {
        self.deviation / (self.n as f64).sqrt()
    }

    /// Of the standard deviation, for values that are about normal.
    pub(crate) fn error_of_deviation(&self) -> f64 {
        deviation_error(self.deviation, self.n)
    }
}

/// Standard error of a standard deviation of n normal values.
pub(crate) fn deviation_error(deviation: f64, n: usize) -> f64 {
    deviation / (2.0 * (n as f64 - 1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_spread() {
        let estimate = Estimate::of(&[1.0, 2.0, 3.0, 4.0]);
        assert!((estimate.mean - 2.5).abs() < 1e-15);
        assert!((estimate.deviation - (5.0_f64 / 3.0).sqrt()).abs() < 1e-15);
        assert!((estimate.standard_error() - (5.0_f64 / 12.0).sqrt()).abs() < 1e-15);
    }
}
