//! The digits of a seven-segment display (Breiman et al. 1984; Table 1 of the paper).

use wald::Dataset;
use wald::data::{Column, Target};
use wald::simulate::Numbers;

use crate::led::SEGMENTS;

/// The names of the segments.
pub(super) const NAMES: [&str; 7] = ["X1", "X2", "X3", "X4", "X5", "X6", "X7"];

/// Number of the random stream of the rows.
const PART: u32 = 90;

/// Rows of binary variables, and the digit of each.
pub(super) fn dataset(rows: &[Vec<u32>], digits: Vec<u32>) -> Result<Dataset, wald::Error> {
    let names = || vec!["0".to_owned(), "1".to_owned()];
    let column = |at: usize| {
        let codes = rows.iter().map(|row| row[at]).collect();
        Column::categorical(format!("X{}", at + 1), names(), codes)
    };
    let n_columns = rows.first().map_or(0, Vec::len);
    let columns = (0..n_columns).map(column).collect::<Result<_, _>>()?;
    let classes = (0..10).map(|digit| digit.to_string()).collect();
    Dataset::new(columns, Target::classification("digit", classes, digits)?)
}

/// Every digit once: the distribution of the paper.
pub(super) fn every_digit() -> Result<Dataset, wald::Error> {
    let rows: Vec<Vec<u32>> =
        SEGMENTS.iter().map(|segments| segments.map(u32::from).to_vec()).collect();
    dataset(&rows, (0..10).collect())
}

/// A display whose segments are wrong with some probability, beside an irrelevant light.
#[derive(Debug, Clone, Copy)]
pub(super) struct Faulty {
    /// Of every segment.
    pub(super) wrong: f64,
}

impl Faulty {
    /// All combinations with their probabilities.
    pub(super) fn distribution(self) -> Result<Dataset, wald::Error> {
        let (mut rows, mut digits, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        for (digit, segments) in (0..).zip(&SEGMENTS) {
            for lights in 0..1_u32 << 8 {
                let row: Vec<u32> = (0..8).map(|at| lights >> at & 1).collect();
                let n_wrong =
                    row.iter().zip(segments).filter(|(one, on)| **one != u32::from(**on)).count();
                let right = (1.0 - self.wrong).powi(7 - n_wrong as i32);
                weights.push(self.wrong.powi(n_wrong as i32) * right);
                rows.push(row);
                digits.push(digit);
            }
        }
        dataset(&rows, digits)?.with_weights(weights)
    }

    /// Rows drawn from it.
    pub(super) fn draw(self, n_rows: usize, seed: u64) -> Result<Dataset, wald::Error> {
        let mut numbers = Numbers::new(seed, PART);
        let mut digits = Vec::with_capacity(n_rows);
        let rows: Vec<Vec<u32>> = (0..n_rows)
            .map(|_| {
                let digit = numbers.below(10);
                digits.push(digit);
                let mut light = |on: u8| u32::from(on) ^ u32::from(numbers.uniform() < self.wrong);
                let mut row: Vec<u32> =
                    SEGMENTS[digit as usize].iter().map(|&on| light(on)).collect();
                row.push(numbers.below(2));
                row
            })
            .collect();
        dataset(&rows, digits)
    }
}
