//! The rows of a tree, in-bag rows before out-of-bag rows, both in the order of their placement, and
//! named by their place in that order.

use super::columns::{UsedCodes, UsedColumns};
use super::simd;
use crate::data::TrainingResponse;
use crate::forest::split_in_order;
use crate::measure::kernel::packed_split::PackedSplit;
use crate::pass::TreeView;

/// What is known of the rows.
#[derive(Debug)]
pub(super) struct PlacedRows {
    pub(super) codes: UsedCodes,
    /// How much an in-bag row counts: its multiplicity times its case weight.
    weights: Vec<f64>,
    responses: Responses,
}

/// Those of the in-bag rows.
#[derive(Debug)]
enum Responses {
    /// Minus their mean over the table.
    Numbers(Vec<f64>),
    Classes(Vec<u32>),
    /// As numbers, row after row.
    Several(Vec<f64>),
}

impl PlacedRows {
    pub(super) fn new(view: &TreeView<'_>, columns: &UsedColumns) -> Self {
        let rows = view.in_bag().all();
        let counts = view.bag.map_or(&[][..], |bag| bag.counts());
        let weight = |&row: &u32| f64::from(counts[row as usize]) * view.training.weight(row);
        let responses = match view.training.response() {
            TrainingResponse::Numbers { centred, .. } => {
                Responses::Numbers(rows.iter().map(|&row| centred[row as usize]).collect())
            }
            TrainingResponse::Classes { codes, .. } => {
                Responses::Classes(rows.iter().map(|&row| codes[row as usize]).collect())
            }
            TrainingResponse::Several(several) => {
                let of_row = |&row: &u32| several.centred_row(row);
                Responses::Several(rows.iter().flat_map(of_row).copied().collect())
            }
        };
        let codes = columns.codes(view.training, [rows, view.out_of_bag.all()]);
        Self { codes, weights: rows.iter().map(weight).collect(), responses }
    }

    /// The number of in-bag rows, which is the place of the first out-of-bag row.
    pub(super) fn n_in_bag(&self) -> usize {
        self.weights.len()
    }

    /// Whether some in-bag rows have one response.
    #[inline]
    pub(super) fn is_equal(&self, mut rows: impl Iterator<Item = u32>) -> bool {
        let Some(first) = rows.next().map(|row| row as usize) else { return true };
        match &self.responses {
            Responses::Numbers(values) => {
                rows.all(|row| values[row as usize] == values[first])
            }
            Responses::Classes(codes) => {
                rows.all(|row| codes[row as usize] == codes[first])
            }
            Responses::Several(values) => {
                let n_outputs = values.len() / self.weights.len();
                let of_row = |row: usize| &values[row * n_outputs..(row + 1) * n_outputs];
                rows.all(|row| of_row(row as usize) == of_row(first))
            }
        }
    }

    /// The mean response of some in-bag rows.
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
            Responses::Classes(codes) => {
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

    /// Moves the rows that go left at a node to the front, and keeps the order of rows on both sides, so
    /// that in-bag rows remain before out-of-bag rows. There is as much spare room as there are rows.
    #[inline]
    pub(super) fn divide(
        &self,
        rows: &mut [u32],
        spare: &mut [u32],
        question: PackedSplit,
    ) -> GoLeft {
        simd::divide(self, rows, spare, question)
            .unwrap_or_else(|| self.divide_singly(rows, spare, question))
    }

    /// The same, row by row.
    fn divide_singly(
        &self,
        rows: &mut [u32],
        spare: &mut [u32],
        question: PackedSplit,
    ) -> GoLeft {
        let place = question.column();
        let goes_left = |row| question.right_of(self.codes.at(row, place)) == 0;
        let all = split_in_order(rows, spare, goes_left);
        GoLeft { in_bag: self.n_in_bag_of(&rows[..all]), all }
    }

    /// How many of some rows are in-bag rows, which are the first ones.
    pub(super) fn n_in_bag_of(&self, rows: &[u32]) -> usize {
        rows.partition_point(|&row| (row as usize) < self.n_in_bag())
    }
}

/// How many rows of a cell go left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GoLeft {
    pub(super) in_bag: usize,
    pub(super) all: usize,
}
