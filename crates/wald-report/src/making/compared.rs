//! Measures side by side: where each puts a variable, and between which ranks its errors leave it.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::making::sampled::{CONFIDENCE, SampledMeasure};
use wald::importance::{DataUsed, Importance};
use wald::inference::Interval;
use wald::measure::Measure;
use wald::work::Kind;

/// Pairs of more variables are too many to be compared.
const MOST_RANKED: usize = 3000;

/// One measure of the report.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Compared {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// By variable, 1 for the most important one; `None` where undefined.
    pub(super) ranks: Vec<Option<usize>>,
    /// The ranks that errors leave, at once for all variables; `None` without errors.
    pub(super) within: Vec<Option<Interval<usize>>>,
    /// Large means important; `None` where undefined.
    strength: Vec<Option<f64>>,
}

impl Compared {
    /// A measure with the errors of trees and of samples of rows.
    pub(super) fn of_samples(
        measure: &Measure,
        importance: &Importance,
        sampled: &SampledMeasure,
    ) -> Self {
        let compared = Self::without_errors(measure, importance);
        let within = sampled.intervals.ranks.clone().unwrap_or(compared.within);
        Self { within, ..compared }
    }

    /// A measure with the errors over trees, where it has any.
    pub(super) fn over_trees(measure: &Measure, importance: &Importance) -> Self {
        let compared = Self::without_errors(measure, importance);
        // Errors over permutations of test rows are not errors over trees.
        let has_errors =
            measure.id().info().data != DataUsed::Test && compared.strength.len() <= MOST_RANKED;
        match &importance.standard_errors {
            Some(errors) if has_errors => {
                let within = within_errors(&compared.strength, errors);
                Self { within, ..compared }
            }
            _ => compared,
        }
    }

    /// A measure without errors.
    pub(super) fn without_errors(measure: &Measure, importance: &Importance) -> Self {
        let info = measure.id().info();
        let n_variables = importance.values.len();
        let sign = if info.small_is_important { -1.0 } else { 1.0 };
        let strength: Vec<Option<f64>> =
            importance.values.iter().map(|value| value.map(|value| sign * value)).collect();
        let mut ranks = vec![None; n_variables];
        let ranking = importance.order();
        for (place, variable) in ranking.into_iter().enumerate() {
            ranks[variable] = strength[variable].map(|_| place + 1);
        }
        let within = vec![None; n_variables];
        Self { id: info.id, name: info.name, kind: info.facts.kind, ranks, within, strength }
    }

    pub(super) fn has_errors(&self) -> bool {
        self.within.iter().any(Option::is_some)
    }

    /// Whether it ranks anything: equal values of all variables have no order.
    pub(super) fn is_ranking(&self) -> bool {
        let mut known = self.strength.iter().flatten();
        let first = known.next();
        known.any(|value| Some(value) != first) || self.strength.len() == 1
    }

    /// Spearman correlation of two rankings; `None` where one of them does not vary, or fewer than
    /// three variables have both values.
    pub(super) fn correlation(&self, other: &Self) -> Option<f64> {
        let both = self.strength.iter().zip(&other.strength);
        let pairs: Vec<(f64, f64)> = both.filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
        if pairs.len() < 3 {
            return None;
        }
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let (x, y) = (middle_ranks(&x), middle_ranks(&y));
        let mean = (x.len() as f64 - 1.0) / 2.0;
        let product = |a: &[f64], b: &[f64]| -> f64 {
            a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum()
        };
        let scale = (product(&x, &x) * product(&y, &y)).sqrt();
        (scale > 0.0).then(|| (product(&x, &y) / scale).clamp(-1.0, 1.0))
    }
}

/// Ranks counted from 0; equal values share the middle one.
fn middle_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for tie in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let middle = before as f64 + (tie.len() as f64 - 1.0) / 2.0;
        tie.iter().for_each(|&at| ranks[at] = middle);
        before += tie.len();
    }
    ranks
}

/// The ranks that Monte-Carlo errors leave, at once for all pairs (Bonferroni): one more than the
/// variables that are surely above, and all but those that are surely below.
fn within_errors(strength: &[Option<f64>], errors: &[Option<f64>]) -> Vec<Option<Interval<usize>>> {
    let known: Vec<(usize, f64, f64)> = strength
        .iter()
        .zip(errors)
        .enumerate()
        .filter_map(|(at, (value, error))| Some((at, (*value)?, (*error)?)))
        .collect();
    let n_pairs = (known.len() * known.len().saturating_sub(1) / 2).max(1) as f64;
    let factor = Normal::standard().inverse_cdf(1.0 - (1.0 - CONFIDENCE) / 2.0 / n_pairs);
    let mut within = vec![None; strength.len()];
    for &(at, value, error) in &known {
        let (mut above, mut below) = (0, 0);
        for &(other, other_value, other_error) in &known {
            if other != at {
                let reach = factor * error.hypot(other_error);
                above += usize::from(other_value - value > reach);
                below += usize::from(value - other_value > reach);
            }
        }
        within[at] = Some(Interval { low: above + 1, high: known.len() - below });
    }
    within
}
