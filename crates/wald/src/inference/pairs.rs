//! Differences between the importances of two variables.

use crate::inference::spread::Spread;

/// The standard errors of all differences between two variables over samples, in the order
/// (0, 1), (0, 2), ..., (1, 2), ...
#[derive(Debug)]
pub(super) struct Differences {
    n_variables: usize,
    errors: Vec<f64>,
}

impl Differences {
    /// Cost O(replicates * p^2). `more` is the variance that is added for the Monte-Carlo errors
    /// of both variables.
    pub(super) fn new(spread: &Spread, more: &[f64]) -> Self {
        let n_variables = spread.n_variables();
        let divisor = (spread.n_replicates() as f64 - 1.0).max(1.0);
        let mut errors = vec![0.0; n_variables * n_variables.saturating_sub(1) / 2];
        for found in spread.replicates() {
            let mut pairs = errors.iter_mut();
            for first in 0..n_variables {
                for (second, sum) in (first + 1..n_variables).zip(&mut pairs) {
                    let difference = found[first] - found[second];
                    *sum += difference * difference;
                }
            }
        }
        let mut pairs = errors.iter_mut();
        for first in 0..n_variables {
            for (second, error) in (first + 1..n_variables).zip(&mut pairs) {
                *error = (*error / divisor + more[first] + more[second]).sqrt();
            }
        }
        Self { n_variables, errors }
    }

    /// The standard error of the difference between two variables.
    pub(super) fn error(&self, a: usize, b: usize) -> f64 {
        let (first, second) = (a.min(b), a.max(b));
        let before = first * (2 * self.n_variables - first - 1) / 2;
        self.errors[before + second - first - 1]
    }

    /// For every replicate, how many standard errors the largest difference takes.
    pub(super) fn largest(&self, spread: &Spread) -> Vec<f64> {
        let largest_of = |found: &[f64]| {
            let mut errors = self.errors.iter();
            let mut largest = 0.0_f64;
            for first in 0..self.n_variables {
                for (second, error) in (first + 1..self.n_variables).zip(&mut errors) {
                    if *error > 0.0 {
                        largest = largest.max((found[first] - found[second]).abs() / error);
                    }
                }
            }
            largest
        };
        spread.replicates().map(largest_of).collect()
    }
}
