//! Lossless rank codes: every column as small integers in the order of its values.
//!
//! Growing and measuring compare codes, never floats. Columns are kept in a canonical order,
//! by a hash of their contents, so that exchanging columns exchanges importances bit for bit
//! and names never influence a number.

use crate::data::{Column, ColumnData, MISSING_LEVEL};

/// The code of a missing value; larger than every other code.
pub(crate) const MISSING_CODE: u32 = u32::MAX;

/// One column as codes.
#[derive(Debug, Clone)]
pub(crate) struct RankedColumn {
    codes: Vec<u32>,
    kind: RankedKind,
    n_missing: usize,
}

/// What the codes of a [`RankedColumn`] stand for.
#[derive(Debug, Clone)]
pub(crate) enum RankedKind {
    /// Ranks: code c stands for the c-th smallest of these distinct values.
    Ordered { values: Vec<f64>, order: Option<Vec<u32>> },
    /// Levels, in the order of the column's level names.
    Unordered { n_levels: usize },
}

/// All input variables as codes, in canonical order.
#[derive(Debug, Clone)]
pub(crate) struct RankedFeatures {
    columns: Vec<RankedColumn>,
    /// Canonical position -> position in the data set.
    original: Vec<u32>,
    /// Position in the data set -> canonical position.
    canonical: Vec<u32>,
    n_rows: usize,
}

impl RankedFeatures {
    pub(crate) fn new(columns: &[&Column]) -> Self {
        let n_rows = columns.first().map_or(0, |column| column.len());
        let mut original: Vec<u32> = (0..columns.len() as u32).collect();
        let hashes: Vec<[u8; 32]> = columns.iter().map(|column| content_hash(column)).collect();
        original.sort_by_key(|&index| hashes[index as usize]);
        let mut canonical = vec![0; columns.len()];
        for (position, &index) in original.iter().enumerate() {
            canonical[index as usize] = position as u32;
        }
        let columns =
            original.iter().map(|&index| RankedColumn::new(columns[index as usize])).collect();
        Self { columns, original, canonical, n_rows }
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    pub(crate) fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// The column at a canonical position.
    pub(crate) fn column(&self, position: u32) -> &RankedColumn {
        &self.columns[position as usize]
    }

    /// The data set's position of the column at a canonical position.
    pub(crate) fn original(&self, position: u32) -> u32 {
        self.original[position as usize]
    }

    /// The canonical position of a column of the data set.
    pub(crate) fn canonical(&self, index: u32) -> u32 {
        self.canonical[index as usize]
    }
}

impl RankedColumn {
    fn new(column: &Column) -> Self {
        match column.data() {
            ColumnData::Numeric(values) => Self::ordered(values),
            ColumnData::Categorical(categories) => {
                let codes = categories.codes().to_vec();
                let n_missing = codes.iter().filter(|&&code| code == MISSING_LEVEL).count();
                Self {
                    codes,
                    kind: RankedKind::Unordered { n_levels: categories.levels().len() },
                    n_missing,
                }
            }
        }
    }

    fn ordered(column: &[f64]) -> Self {
        let mut keys: Vec<(u64, u32)> = Vec::with_capacity(column.len());
        keys.extend(
            column
                .iter()
                .enumerate()
                .filter(|(_, value)| !value.is_nan())
                .map(|(row, value)| (order_preserving_bits(*value), row as u32)),
        );
        keys.sort_unstable();
        let mut codes = vec![MISSING_CODE; column.len()];
        let mut values: Vec<f64> = Vec::new();
        for &(_, row) in &keys {
            let value = column[row as usize];
            if values.last() != Some(&value) {
                values.push(value);
            }
            codes[row as usize] = values.len() as u32 - 1;
        }
        // Without ties the code of a row is its place in the sorted order, which lets a node
        // be sorted by setting and reading bits.
        let order =
            (values.len() == keys.len()).then(|| keys.iter().map(|&(_, row)| row).collect());
        let n_missing = column.len() - keys.len();
        Self { codes, kind: RankedKind::Ordered { values, order }, n_missing }
    }

    /// One code per row.
    pub(crate) fn codes(&self) -> &[u32] {
        &self.codes
    }

    pub(crate) fn kind(&self) -> &RankedKind {
        &self.kind
    }

    pub(crate) fn has_missing(&self) -> bool {
        self.n_missing > 0
    }

    /// The number of distinct present values (ordered) or of levels (unordered).
    pub(crate) fn n_codes(&self) -> usize {
        match &self.kind {
            RankedKind::Ordered { values, .. } => values.len(),
            RankedKind::Unordered { n_levels } => *n_levels,
        }
    }
}

/// Bits that order like the numbers they stand for (no NaN, and -0 was made 0).
fn order_preserving_bits(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 0 { bits | (1 << 63) } else { !bits }
}

fn content_hash(column: &Column) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    let mut block = Vec::with_capacity(1 << 13);
    let push = |bytes: &[u8], hasher: &mut blake3::Hasher, block: &mut Vec<u8>| {
        block.extend_from_slice(bytes);
        if block.len() >= 1 << 13 {
            hasher.update(block);
            block.clear();
        }
    };
    match column.data() {
        ColumnData::Numeric(values) => {
            hasher.update(b"n");
            for value in values {
                let bits = if value.is_nan() { u64::MAX } else { value.to_bits() };
                push(&bits.to_le_bytes(), &mut hasher, &mut block);
            }
        }
        ColumnData::Categorical(categories) => {
            hasher.update(b"c");
            for code in categories.codes() {
                push(&code.to_le_bytes(), &mut hasher, &mut block);
            }
        }
    }
    hasher.update(&block);
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(values: &[f64]) -> RankedColumn {
        RankedColumn::new(&Column::numeric("x", values.to_vec()).expect("finite values"))
    }

    #[test]
    fn codes_keep_the_order_and_ties_of_values() {
        let column = ranked(&[2.5, -1.0, f64::NAN, 2.5, -0.0, 0.0, -1e300]);
        assert_eq!(column.codes(), [3, 1, MISSING_CODE, 3, 2, 2, 0]);
        assert_eq!(column.n_codes(), 4);
        assert!(column.has_missing());
    }

    #[test]
    fn close_values_stay_distinct() {
        let values: Vec<f64> = (0..40).map(|i| 1.0 + f64::from(i) * 1e-9).collect();
        assert_eq!(ranked(&values).n_codes(), 40);
    }

    #[test]
    fn canonical_order_depends_on_contents_alone() {
        let a = Column::numeric("a", vec![1.0, 2.0]).expect("finite");
        let b = Column::numeric("b", vec![5.0, 2.0]).expect("finite");
        let renamed = Column::numeric("z", vec![1.0, 2.0]).expect("finite");
        let one = RankedFeatures::new(&[&a, &b]);
        let two = RankedFeatures::new(&[&b, &renamed]);
        assert_eq!(one.canonical(0), two.canonical(1));
        assert_eq!(one.canonical(1), two.canonical(0));
    }
}
