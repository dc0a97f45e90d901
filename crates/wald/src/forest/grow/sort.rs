//! Sorting the rows of a node by their codes.

use crate::data::{MISSING_CODE, RankedColumn};

/// Working memory for sorting; the result is in [`Sorter::keys`].
#[derive(Debug, Default)]
pub(crate) struct Sorter {
    /// code << 32 | row, increasing.
    pub(crate) keys: Vec<u64>,
    /// Rows whose value is missing.
    pub(crate) missing: Vec<u32>,
}

impl Sorter {
    /// Sorts rows by the codes of `column`; those with missing values go to `missing`.
    pub(crate) fn sort(&mut self, column: &RankedColumn, rows: &[u32]) {
        let codes = column.codes();
        self.sort_pairs(rows.iter().map(|&row| (codes[row as usize], row)));
    }

    /// Sorts names by their codes; those whose code is that of missing values go to `missing`.
    pub(crate) fn sort_pairs(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        self.keys.clear();
        self.missing.clear();
        for (code, name) in pairs {
            match code {
                MISSING_CODE => self.missing.push(name),
                code => self.keys.push(key(code, name)),
            }
        }
        self.keys.sort_unstable();
    }

    /// Calls the rows that were sorted by other names, in the same order.
    pub(crate) fn rename(&mut self, name: impl Fn(u32) -> u32) {
        self.keys
            .iter_mut()
            .for_each(|sorted| *sorted = key(code_of(*sorted), name(row_of(*sorted))));
        self.missing.iter_mut().for_each(|row| *row = name(*row));
    }
}

/// The code in the upper half of a key.
pub(crate) fn code_of(key: u64) -> u32 {
    (key >> 32) as u32
}

/// The row in the lower half of a key.
pub(crate) fn row_of(key: u64) -> u32 {
    key as u32
}

fn key(code: u32, row: u32) -> u64 {
    (u64::from(code) << 32) | u64::from(row)
}
