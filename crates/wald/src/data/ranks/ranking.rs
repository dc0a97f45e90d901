//! Codes and hashes of columns.

use std::sync::Arc;

use crate::data::column::{Categories, Column, ColumnData, MISSING_LEVEL};
use crate::data::ranks::order::{
    SortingRoom, number_of_bits, order_of_codes, order_preserving_bits, sort_by_bits,
};
use crate::data::ranks::{Distinct, GUIDED, MISSING_CODE, RankedKind};

/// Bytes that are hashed at a time: whole chunks of the hash, many of which are hashed at once.
const BLOCK: usize = 1 << 16;

/// Working memory, which one column leaves to the next: new memory would cost more than sorting.
#[derive(Debug, Default)]
pub(super) struct Ranking {
    keys: Vec<(u64, u32)>,
    sorting: SortingRoom,
    block: Vec<u8>,
}

/// A column as codes.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) codes: Vec<u32>,
    /// All rows by code, then by row; missing values come last.
    pub(super) order: Vec<u32>,
    pub(super) kind: RankedKind,
    pub(super) n_missing: usize,
}

impl Ranking {
    pub(super) fn rank(&mut self, column: &Column) -> Found {
        match column.data() {
            ColumnData::Numeric(values) => self.numbers(values),
            ColumnData::Categorical(categories) => levels(categories),
        }
    }

    fn numbers(&mut self, column: &Arc<Vec<f64>>) -> Found {
        let Self { keys, sorting, .. } = self;
        keys.clear();
        let present = (0_u32..).zip(column.iter()).filter(|(_, value)| !value.is_nan());
        keys.extend(present.map(|(row, value)| (order_preserving_bits(*value), row)));
        sort_by_bits(keys, sorting);
        let mut codes = vec![MISSING_CODE; column.len()];
        let mut n_values = 0;
        let mut before = None;
        for &(bits, row) in keys.iter() {
            n_values += u32::from(before != Some(bits));
            before = Some(bits);
            codes[row as usize] = n_values - 1;
        }
        let (n_values, n_missing) = (n_values as usize, column.len() - keys.len());
        let missing = (0..).zip(&codes).filter(|(_, code)| **code == MISSING_CODE);
        let missing = missing.map(|(row, _)| row).take(n_missing);
        let mut order = Vec::with_capacity(column.len());
        order.extend(keys.iter().map(|&(_, row)| row).chain(missing));
        let number = |&(bits, _): &(u64, u32)| number_of_bits(bits);
        let distinct = if n_values == keys.len() {
            let guide = keys.iter().step_by(GUIDED).map(number).collect();
            Distinct::OfRows { column: Arc::clone(column), n_values, guide }
        } else {
            keys.dedup_by_key(|key| key.0);
            Distinct::Listed(keys.iter().map(number).collect())
        };
        Found { codes, order, kind: RankedKind::Ordered(distinct), n_missing }
    }

    /// A hash of the cells, whatever the column and its levels are called.
    pub(super) fn hash(&mut self, column: &Column) -> [u8; 32] {
        match column.data() {
            ColumnData::Numeric(values) => self.hash_cells(b'n', values, |value| {
                let bits = if value.is_nan() { u64::MAX } else { value.to_bits() };
                bits.to_le_bytes()
            }),
            ColumnData::Categorical(categories) => {
                self.hash_cells(b'c', categories.codes(), u32::to_le_bytes)
            }
        }
    }

    fn hash_cells<T: Copy, const N: usize>(
        &mut self,
        kind: u8,
        cells: &[T],
        bytes: impl Fn(T) -> [u8; N],
    ) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        let block = &mut self.block;
        block.clear();
        block.push(kind);
        for part in cells.chunks(BLOCK / N) {
            block.extend(part.iter().flat_map(|&cell| bytes(cell)));
            if block.len() >= BLOCK {
                hasher.update(&block[..BLOCK]);
                block.drain(..BLOCK);
            }
        }
        hasher.update(block);
        *hasher.finalize().as_bytes()
    }
}

fn levels(categories: &Categories) -> Found {
    let codes = categories.codes().to_vec();
    let n_missing = codes.iter().filter(|&&code| code == MISSING_LEVEL).count();
    let n_levels = categories.levels().len();
    let order = order_of_codes(&codes, n_levels);
    Found { codes, order, kind: RankedKind::Unordered { n_levels }, n_missing }
}
