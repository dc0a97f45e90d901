//! What is known where some trees and rows of a forest stand for all.
//!
//! Means over fewer trees vary more, and the squared loss of a mean sees that. The excess is
//! estimated from the changes of single trees and taken out, so that the value of all trees is
//! estimated without bias.

use crate::data::{TrainingResponse, Truth};
use crate::measure::kernel::row_sums::RowSums;
use crate::pass::OutOfBag;

/// What the trees and rows add up to that stand for all.
#[derive(Debug)]
pub(in crate::measure) struct OfPart {
    pub(in crate::measure) out_of_bag: OutOfBag,
    /// Of `AlteredTree::squares`.
    pub(in crate::measure) squares: RowSums,
    /// 1 - trees looked at / all trees.
    pub(in crate::measure) missing: f64,
}

impl OfPart {
    /// By how much the loss grows because the mean over these trees varies more than that over all
    /// trees: means over k trees have the variance of one tree / k around those over infinitely many, so
    /// that the square of one over some of K trees has the expectation of that over all, and the variance
    /// times 1/k - 1/K.
    pub(in crate::measure) fn excess(
        &self,
        row: u32,
        group: usize,
        of_means: f64,
        n_trees: f64,
    ) -> f64 {
        let square = self.squares.get(row, group as u32).map_or(0.0, |square| square[0]);
        let variance = (square - n_trees * of_means) / (n_trees - 1.0);
        variance * self.missing / n_trees
    }
}

/// What predictions have in common, so that their squares lose no digits.
pub(in crate::measure) fn offset(truth: &Truth) -> f64 {
    match truth.response() {
        TrainingResponse::Numbers { mean, .. } => *mean,
        TrainingResponse::Classes { .. } | TrainingResponse::Several(_) => 0.0,
    }
}

/// How far responses are from their mean.
pub(in crate::measure) struct Spread<'a> {
    truth: &'a Truth,
    mean: Vec<f64>,
}

impl<'a> Spread<'a> {
    pub(in crate::measure) fn new(truth: &'a Truth) -> Self {
        let mut mean = vec![0.0; truth.n_outputs()];
        let mut total = 0.0;
        match truth.response() {
            TrainingResponse::Numbers { mean: of_all, .. } => mean[0] = *of_all,
            TrainingResponse::Classes { codes, .. } => {
                for (row, &code) in (0..).zip(codes) {
                    mean[code as usize] += truth.weight(row);
                    total += truth.weight(row);
                }
                mean.iter_mut().for_each(|share| *share /= total);
            }
            TrainingResponse::Several(several) => mean.copy_from_slice(&several.means),
        }
        Self { truth, mean }
    }

    /// The squared distance of a row's response.
    pub(in crate::measure) fn of(&self, row: u32) -> f64 {
        match self.truth.response() {
            TrainingResponse::Numbers { centred, .. } => centred[row as usize].powi(2),
            TrainingResponse::Classes { codes, .. } => {
                let own = codes[row as usize] as usize;
                let squares: f64 = self.mean.iter().map(|share| share * share).sum();
                1.0 - 2.0 * self.mean[own] + squares
            }
            TrainingResponse::Several(several) => {
                let squares = several.centred_row(row).iter().map(|value| value * value);
                squares.sum::<f64>() / several.n_targets as f64
            }
        }
    }
}
