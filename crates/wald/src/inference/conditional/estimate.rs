//! From losses of rows to an index, its error and a p-value.
//!
//! All are means over rows, so that their errors are those of the sums of what single rows add (influence
//! functions; Williamson et al. 2023, theorem 1). Rows of one cluster are added first.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::data::Dataset;
use crate::inference::conditional::config::{ConditionalConfig, ConditionalMethod};
use crate::inference::conditional::losses::mean_response;
use crate::inference::intervals::Interval;
use crate::loss::{Loss, unseen_loss};

/// What is found for a variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Estimate {
    pub(super) value: f64,
    pub(super) standard_error: f64,
    pub(super) interval: Interval<f64>,
    pub(super) p_value: f64,
}

impl Estimate {
    /// That of a variable that does not vary.
    pub(super) const NOTHING: Self = Self {
        value: 0.0,
        standard_error: 0.0,
        interval: Interval { low: 0.0, high: 0.0 },
        p_value: 1.0,
    };
}

/// What all variables are judged by.
pub(super) struct Judged<'a> {
    data: &'a Dataset,
    config: &'a ConditionalConfig,
    part_of: &'a [u32],
    /// Losses of the forests on all variables, by row.
    full: &'a [f64],
    /// Losses of the mean response, by row.
    constant: Vec<f64>,
}

/// A mean, and what every row adds to its deviation from what it estimates.
struct Mean {
    value: f64,
    influences: Vec<f64>,
}

impl<'a> Judged<'a> {
    pub(super) fn new(
        data: &'a Dataset,
        config: &'a ConditionalConfig,
        part_of: &'a [u32],
        full: &'a [f64],
    ) -> Self {
        let mean = mean_response(data.target(), data.weights());
        let response = data.target().response();
        let loss = |row| unseen_loss(Loss::Squared, response, row, &mean);
        Self { data, config, part_of, full, constant: (0..data.n_rows()).map(loss).collect() }
    }

    /// The share of the variance that forests on all variables explain.
    pub(super) fn explained_variance(&self) -> f64 {
        let mean = |losses: &[f64]| self.mean(|_| true, losses).value;
        1.0 - mean(self.full) / mean(&self.constant)
    }

    /// The index of a variable without which rows have these losses.
    pub(super) fn estimate(&self, reduced: &[f64]) -> Estimate {
        let difference = match self.config.method {
            ConditionalMethod::SobolCpi { draws } => {
                // Of the prediction, the mean of draws has 1/draws of the variance left.
                let factor = draws as f64 / (draws as f64 + 1.0);
                let differences: Vec<f64> =
                    reduced.iter().zip(self.full).map(|(one, all)| factor * (one - all)).collect();
                self.mean(|_| true, &differences)
            }
            ConditionalMethod::Loco => {
                let full = self.mean(|row| self.part_of[row].is_multiple_of(2), self.full);
                let reduced = self.mean(|row| !self.part_of[row].is_multiple_of(2), reduced);
                let pairs = reduced.influences.iter().zip(&full.influences);
                let influences = pairs.map(|(reduced, full)| reduced - full).collect();
                Mean { value: reduced.value - full.value, influences }
            }
        };
        let variance = self.mean(|_| true, &self.constant);
        let value = difference.value / variance.value;
        // What a row adds to a quotient of means.
        let pairs = difference.influences.iter().zip(&variance.influences);
        let of_value: Vec<f64> =
            pairs.map(|(above, below)| (above - value * below) / variance.value).collect();
        let shares = self.shares();
        let (standard_error, n_units) = self.data.error_of_mean(&of_value, &shares);
        let (error, _) = self.data.error_of_mean(&difference.influences, &shares);
        let freedom = (n_units - 1.0).max(1.0);
        let reach = standard_error
            * student(freedom).map_or(f64::NAN, |law| {
                law.inverse_cdf(f64::midpoint(1.0, self.config.confidence.get()))
            });
        let p_value = if error > 0.0 {
            student(freedom).map_or(f64::NAN, |law| law.sf(difference.value / error))
        } else if difference.value > 0.0 {
            0.0
        } else {
            1.0
        };
        let interval = Interval { low: value - reach, high: value + reach };
        Estimate { value, standard_error, interval, p_value }
    }

    /// By row, its share in the weight of the rows that it is averaged with: all, or those of its half.
    fn shares(&self) -> Vec<f64> {
        let n_rows = self.data.n_rows();
        let weight = |row: usize| self.data.weights().map_or(1.0, |weights| weights[row]);
        let half = |row: usize| match self.config.method {
            ConditionalMethod::SobolCpi { .. } => 0,
            ConditionalMethod::Loco => self.part_of[row] as usize % 2,
        };
        let mut whole = [0.0; 2];
        (0..n_rows).for_each(|row| whole[half(row)] += weight(row));
        (0..n_rows).map(|row| weight(row) / whole[half(row)]).collect()
    }

    /// The mean over some rows, by case weights.
    fn mean(&self, is_counted: impl Fn(usize) -> bool, values: &[f64]) -> Mean {
        let weights = self.data.weights();
        let weight_of = |row: usize| {
            if is_counted(row) { weights.map_or(1.0, |weights| weights[row]) } else { 0.0 }
        };
        let whole: f64 = (0..values.len()).map(weight_of).sum();
        let sum: f64 = values.iter().enumerate().map(|(row, value)| weight_of(row) * value).sum();
        let value = sum / whole;
        let influence = |(row, one): (usize, &f64)| weight_of(row) / whole * (one - value);
        Mean { value, influences: values.iter().enumerate().map(influence).collect() }
    }
}

/// Student's distribution.
fn student(freedom: f64) -> Option<StudentsT> {
    StudentsT::new(0.0, 1.0, freedom).ok()
}
