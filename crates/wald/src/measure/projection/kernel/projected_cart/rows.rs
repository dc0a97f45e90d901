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
            Responses::Numbers(values) => rows.all(|row| values[row as usize] == values[first]),
            Responses::Classes(codes) => rows.all(|row| codes[row as usize] == codes[first]),
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
    fn divide_singly(&self, rows: &mut [u32], spare: &mut [u32], question: PackedSplit) -> GoLeft {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::MISSING_CODE;
    use crate::measure::kernel::packed_split::Sides;
    use crate::measure::projection::kernel::projected_cart::few::{FewRows, MOST};
    use crate::random::{Purpose, Stream};

    const WIDTH: usize = 3;
    const N_IN_BAG: usize = 150;
    const N_ROWS: usize = 250;

    fn placed(stream: &mut Stream) -> PlacedRows {
        let mut code = |_| if stream.unit() < 0.1 { MISSING_CODE } else { stream.below(40) };
        let codes = (0..N_ROWS * WIDTH).map(&mut code).collect();
        PlacedRows {
            codes: UsedCodes::of(codes, WIDTH),
            weights: vec![1.0; N_IN_BAG],
            responses: Responses::Numbers(vec![0.0; N_IN_BAG]),
        }
    }

    fn splits() -> Vec<PackedSplit> {
        let mut splits = Vec::new();
        for column in 0..WIDTH as u32 {
            for limit in [0, 1, 7, 20, 39, 40] {
                // Missing values go right, then left.
                for shift in 0..2 {
                    let sides = Sides::Threshold { shift, limit: limit + shift };
                    splits.push(PackedSplit::of_column(column, sides));
                }
                let sides = Sides::Levels { right: 0x9234_5678_u32.rotate_left(limit), last: 31 };
                splits.push(PackedSplit::of_column(column, sides));
            }
        }
        splits
    }

    /// Of lists shorter and longer than vectors, with in-bag rows only, out-of-bag rows only and both:
    /// rows keep their order, and vectors do as single rows do.
    #[test]
    fn rows_are_divided_in_order() {
        let mut stream = Stream::new(0, 0, Purpose::Splits);
        let placed = placed(&mut stream);
        let mut n_mixed = 0;
        for question in splits() {
            for n in [1, 2, 15, 16, 17, 32, 33, 100, N_ROWS] {
                let first = stream.below((N_ROWS - n + 1) as u32);
                let rows: Vec<u32> = (first..first + n as u32).collect();
                let is_left = |row: u32| {
                    let code = placed.codes.at(row, question.column());
                    question.right_of(code) == 0
                };
                let (left, right): (Vec<u32>, Vec<u32>) =
                    rows.iter().partition(|&&row| is_left(row));
                let in_bag = left.iter().filter(|&&row| (row as usize) < N_IN_BAG).count();
                let expected = GoLeft { in_bag, all: left.len() };
                n_mixed += usize::from(in_bag > 0 && in_bag < left.len() && !right.is_empty());
                let mut spare = vec![0; n];
                let (mut singly, mut found) = (rows.clone(), rows);
                assert_eq!(placed.divide_singly(&mut singly, &mut spare, question), expected);
                assert_eq!(placed.divide(&mut found, &mut spare, question), expected);
                let sorted = [left, right].concat();
                assert_eq!((&singly, &found), (&sorted, &sorted), "{n} rows, {question:?}");
            }
        }
        assert!(n_mixed > 20, "{n_mixed}");
    }

    /// Of any of sixteen rows.
    #[test]
    fn few_rows_go_the_same_ways() {
        let mut stream = Stream::new(1, 0, Purpose::Splits);
        let placed = placed(&mut stream);
        let mut n_left = 0;
        for question in splits() {
            let rows: [u32; MOST] = std::array::from_fn(|_| stream.below(N_ROWS as u32));
            let few = FewRows::of(rows);
            for _ in 0..20 {
                let among = stream.below(1 << MOST) as u16;
                let goes_left = |index: usize| {
                    let code = placed.codes.at(rows[index], question.column());
                    among >> index & 1 == 1 && question.right_of(code) == 0
                };
                let expected: u16 =
                    (0..MOST).map(|index| u16::from(goes_left(index)) << index).sum();
                assert_eq!(few.left_singly(among, question, &placed.codes), expected);
                assert_eq!(few.left(among, question, &placed.codes), expected);
                n_left += expected.count_ones();
            }
        }
        assert!(n_left > 1000, "{n_left}");
    }
}
