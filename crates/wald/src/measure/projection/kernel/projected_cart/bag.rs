//! The in-bag rows of a tree.

use super::columns::{UsedCodes, UsedColumns};
use crate::data::TrainingResponse;
use crate::pass::TreeView;

/// What is known of the in-bag rows, in the order of their placement.
#[derive(Debug)]
pub(super) struct Bagged {
    pub(super) codes: UsedCodes,
    /// How much a row counts: its multiplicity times its case weight.
    pub(super) weights: Vec<f64>,
    pub(super) responses: Responses,
}

#[derive(Debug)]
pub(super) enum Responses {
    /// Minus their mean over the table.
    Numbers(Vec<f64>),
    Classes {
        codes: Vec<u32>,
        n_classes: usize,
    },
    /// As numbers, row after row.
    Several(Vec<f64>),
}

impl Bagged {
    pub(super) fn new(view: &TreeView<'_>, columns: &UsedColumns) -> Self {
        let rows = view.in_bag().all();
        let counts = view.bag.map_or(&[][..], |bag| bag.counts());
        let weight = |&row: &u32| f64::from(counts[row as usize]) * view.training.weight(row);
        let responses = match view.training.response() {
            TrainingResponse::Numbers { centred, .. } => {
                Responses::Numbers(rows.iter().map(|&row| centred[row as usize]).collect())
            }
            TrainingResponse::Classes { codes, n_classes } => {
                let codes = rows.iter().map(|&row| codes[row as usize]).collect();
                Responses::Classes { codes, n_classes: *n_classes }
            }
            TrainingResponse::Several(several) => {
                let of_row = |&row: &u32| several.centred_row(row);
                Responses::Several(rows.iter().flat_map(of_row).copied().collect())
            }
        };
        let codes = columns.codes(view.training, rows);
        Self { codes, weights: rows.iter().map(weight).collect(), responses }
    }

    pub(super) fn is_equal(&self, rows: &[u32]) -> bool {
        let first = rows[0] as usize;
        match &self.responses {
            Responses::Numbers(values) => {
                rows.iter().all(|&row| values[row as usize] == values[first])
            }
            Responses::Classes { codes, .. } => {
                rows.iter().all(|&row| codes[row as usize] == codes[first])
            }
            Responses::Several(values) => {
                let n_outputs = values.len() / self.weights.len();
                let of_row = |row: usize| &values[row * n_outputs..(row + 1) * n_outputs];
                rows.iter().all(|&row| of_row(row as usize) == of_row(first))
            }
        }
    }

    #[inline]
    pub(super) fn mean(&self, rows: impl Iterator<Item = u32>, value: &mut [f64]) {
        let mut total = 0.0;
        match &self.responses {
            Responses::Numbers(values) => {
                let mut sum = 0.0;
                for row in rows {
                    let weight = self.weights[row as usize];
                    sum += weight * values[row as usize];
                    total += weight;
                }
                value[0] = sum / total;
            }
            Responses::Classes { codes, .. } => {
                value.fill(0.0);
                for row in rows {
                    let weight = self.weights[row as usize];
                    value[codes[row as usize] as usize] += weight;
                    total += weight;
                }
                value.iter_mut().for_each(|share| *share /= total);
            }
            Responses::Several(values) => {
                value.fill(0.0);
                for row in rows {
                    let weight = self.weights[row as usize];
                    let of_row = &values[row as usize * value.len()..][..value.len()];
                    value.iter_mut().zip(of_row).for_each(|(sum, of_row)| *sum += weight * of_row);
                    total += weight;
                }
                value.iter_mut().for_each(|sum| *sum /= total);
            }
        }
    }
}
