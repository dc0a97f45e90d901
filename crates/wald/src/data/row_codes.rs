//! The codes of all columns row by row, for what follows single rows through trees.

use crate::data::ranks::RankedFeatures;

/// A copy of the rank codes in which the codes of a row lie side by side.
#[derive(Debug)]
pub(crate) struct RowCodes {
    codes: Vec<u32>,
    n_columns: usize,
}

/// Rows that are copied together, so that both sides of the copy stay near the processor.
const BLOCK: usize = 256;

impl RowCodes {
    pub(crate) fn new(features: &RankedFeatures) -> Self {
        let (n_rows, n_columns) = (features.n_rows(), features.n_columns());
        let mut codes = vec![0; n_rows * n_columns];
        for (block, rows) in codes.chunks_mut(BLOCK * n_columns).enumerate() {
            for column in 0..n_columns {
                let from = &features.column(column as u32).codes()[block * BLOCK..];
                let to = rows[column..].iter_mut().step_by(n_columns);
                to.zip(from).for_each(|(to, from)| *to = *from);
            }
        }
        Self { codes, n_columns }
    }

    /// The codes of some rows, in that order.
    pub(crate) fn of(&self, rows: &[u32]) -> Self {
        let mut codes = Vec::with_capacity(rows.len() * self.n_columns);
        rows.iter().for_each(|&row| codes.extend_from_slice(self.row(row)));
        Self { codes, n_columns: self.n_columns }
    }

    /// The codes of a row, by canonical column.
    #[inline]
    pub(crate) fn row(&self, row: u32) -> &[u32] {
        let start = row as usize * self.n_columns;
        &self.codes[start..start + self.n_columns]
    }
}
