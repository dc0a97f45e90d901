//! Lossless rank codes: every column as small integers in the order of its values.
//!
//! Growing and measuring compare codes, never floats. Columns are kept in a canonical order,
//! by a hash of their contents, so that exchanging columns exchanges importances bit for bit
//! and names never influence a number.
//!
//! Numbers become their ranks among the sorted distinct values of the column, which are kept;
//! categories become the codes of their levels. One reserved code stands for missing values. The
//! random choice of variables works on the canonical order, too.

use std::sync::Arc;

use crate::data::column::{Column, ColumnData, MISSING_LEVEL};
use crate::data::shadows::Shadows;
use crate::run::Threads;
use crate::threads::{self};

/// The code of a missing value; larger than every other code.
pub(crate) const MISSING_CODE: u32 = u32::MAX;

/// One column as codes.
#[derive(Debug, Clone)]
pub(crate) struct RankedColumn {
    codes: Vec<u32>,
    order: Order,
    kind: RankedKind,
    n_missing: usize,
}

/// All rows by code, then by row; missing values come last.
#[derive(Debug, Clone)]
pub(crate) enum Order {
    /// Of a table with so few rows that half the memory is enough.
    Short(Vec<u16>),
    Long(Vec<u32>),
}

impl Order {
    fn new(rows: Vec<u32>) -> Self {
        if u16::try_from(rows.len()).is_ok() {
            Self::Short(rows.into_iter().map(|row| row as u16).collect())
        } else {
            Self::Long(rows)
        }
    }

    fn row(&self, index: u32) -> u32 {
        match self {
            Self::Short(rows) => u32::from(rows[index as usize]),
            Self::Long(rows) => rows[index as usize],
        }
    }
}

/// What the codes of a [`RankedColumn`] stand for.
#[derive(Debug, Clone)]
pub(crate) enum RankedKind {
    /// Ranks: code c stands for the c-th smallest distinct value.
    Ordered(Distinct),
    /// Levels, in the order of the column's level names.
    Unordered { n_levels: usize },
}

/// The distinct values of a column of numbers.
#[derive(Debug, Clone)]
pub(crate) enum Distinct {
    /// The values, increasing.
    Listed(Vec<f64>),
    /// The column itself: its present values all differ, so that the order determines the row of
    /// every code.
    OfRows(Arc<Vec<f64>>, usize),
}

/// All input variables as codes, in canonical order.
#[derive(Debug, Clone)]
pub(crate) struct RankedFeatures {
    columns: Arc<Vec<RankedColumn>>,
    /// Canonical position -> position in the data set.
    original: Vec<u32>,
    /// Position in the data set -> canonical position.
    canonical: Vec<u32>,
    n_rows: usize,
    /// Where columns have shadows, which follow after all columns in the same order.
    shadows: Option<Shadows>,
}

impl RankedFeatures {
    pub(crate) fn new(columns: &[&Column], threads: Threads) -> Self {
        let n_rows = columns.first().map_or(0, |column| column.len());
        let mut ranked: Vec<([u8; 32], u32, RankedColumn)> =
            threads::map(columns.len(), threads, |index| {
                let column = columns[index];
                (content_hash(column), index as u32, RankedColumn::new(column))
            });
        ranked.sort_by_key(|&(hash, index, _)| (hash, index));
        let original: Vec<u32> = ranked.iter().map(|&(_, index, _)| index).collect();
        let mut canonical = vec![0; columns.len()];
        for (position, &index) in original.iter().enumerate() {
            canonical[index as usize] = position as u32;
        }
        let columns = ranked.into_iter().map(|(_, _, column)| column).collect();
        Self { columns: Arc::new(columns), original, canonical, n_rows, shadows: None }
    }

    /// Leaves the columns of the data set out that are not kept. The others keep their codes and
    /// their order, so that this is what ranking them alone would give. Nothing is copied, unless
    /// the codes are shared.
    pub(crate) fn keep_columns(&mut self, is_kept: &[bool]) {
        let mut place = vec![0; is_kept.len()];
        let kept = place.iter_mut().zip(is_kept).filter(|(_, is_kept)| **is_kept);
        (0_u32..).zip(kept).for_each(|(index, (place, _))| *place = index);
        let mut positions = self.original.iter();
        Arc::make_mut(&mut self.columns)
            .retain(|_| positions.next().is_some_and(|&index| is_kept[index as usize]));
        self.original.retain(|&index| is_kept[index as usize]);
        self.original.iter_mut().for_each(|index| *index = place[*index as usize]);
        self.canonical = vec![0; self.original.len()];
        for (position, &index) in (0_u32..).zip(&self.original) {
            self.canonical[index as usize] = position;
        }
    }

    /// Gives every column a shadow; see [`Shadows::new`].
    pub(crate) fn with_shadows(&self, donors: Vec<u32>) -> Self {
        Self { shadows: Some(Shadows::new(donors)), ..self.clone() }
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The number of columns, shadows included.
    pub(crate) fn n_columns(&self) -> usize {
        self.columns.len() * if self.shadows.is_some() { 2 } else { 1 }
    }

    /// The column at a canonical position, or the one whose shadow is there.
    #[inline]
    pub(crate) fn column(&self, position: u32) -> &RankedColumn {
        &self.columns[self.split(position).0]
    }

    /// The common permutation, where columns have shadows.
    pub(crate) fn shadows(&self) -> Option<&Shadows> {
        self.shadows.as_ref()
    }

    /// How the shadow at a canonical position looks at rows; `None` for a column.
    #[inline]
    pub(crate) fn shadow(&self, position: u32) -> Option<&Shadows> {
        if self.split(position).1 == 0 { None } else { self.shadows.as_ref() }
    }

    /// The data set's position of the column at a canonical position; shadows come after all
    /// columns.
    pub(crate) fn original(&self, position: u32) -> u32 {
        let (index, offset) = self.split(position);
        self.original[index] + offset
    }

    /// The canonical position of a column of the data set, or of its shadow.
    pub(crate) fn canonical(&self, index: u32) -> u32 {
        let (index, offset) = self.split(index);
        self.canonical[index] + offset
    }

    /// The position among the columns, and where those of its kind begin.
    #[inline]
    fn split(&self, position: u32) -> (usize, u32) {
        let n_columns = self.columns.len() as u32;
        let offset = if position < n_columns { 0 } else { n_columns };
        ((position - offset) as usize, offset)
    }
}

impl RankedColumn {
    fn new(column: &Column) -> Self {
        match column.data() {
            ColumnData::Numeric(values) => Self::ordered(values),
            ColumnData::Categorical(categories) => {
                let codes = categories.codes().to_vec();
                let n_missing = codes.iter().filter(|&&code| code == MISSING_LEVEL).count();
                let n_levels = categories.levels().len();
                let order = Order::new(order_of_codes(&codes, n_levels));
                Self { codes, order, kind: RankedKind::Unordered { n_levels }, n_missing }
            }
        }
    }

    fn ordered(column: &Arc<Vec<f64>>) -> Self {
        let mut keys: Vec<(u64, u32)> = Vec::with_capacity(column.len());
        keys.extend(
            column
                .iter()
                .enumerate()
                .filter(|(_, value)| !value.is_nan())
                .map(|(row, value)| (order_preserving_bits(*value), row as u32)),
        );
        sort_by_bits(&mut keys);
        let mut codes = vec![MISSING_CODE; column.len()];
        let mut n_values = 0;
        let mut before = None;
        for &(_, row) in &keys {
            let value = Some(column[row as usize]);
            n_values += u32::from(value != before);
            before = value;
            codes[row as usize] = n_values - 1;
        }
        let values = if n_values as usize == keys.len() {
            Distinct::OfRows(Arc::clone(column), keys.len())
        } else {
            let mut values: Vec<f64> = keys.iter().map(|&(_, row)| column[row as usize]).collect();
            values.dedup();
            values.shrink_to_fit();
            Distinct::Listed(values)
        };
        let n_missing = column.len() - keys.len();
        let mut order: Vec<u32> = Vec::with_capacity(column.len());
        order.extend(keys.iter().map(|&(_, row)| row));
        order.extend(
            (0_u32..).zip(&codes).filter(|(_, code)| **code == MISSING_CODE).map(|at| at.0),
        );
        let order = Order::new(order);
        Self { codes, order, kind: RankedKind::Ordered(values), n_missing }
    }

    /// One code per row.
    pub(crate) fn codes(&self) -> &[u32] {
        &self.codes
    }

    pub(crate) fn order(&self) -> &Order {
        &self.order
    }

    /// The row of a code, for a column without ties among the present values.
    #[inline]
    pub(crate) fn row_of_code(&self, code: u32) -> u32 {
        self.order.row(code)
    }

    /// True when rows share a present value.
    pub(crate) fn has_ties(&self) -> bool {
        self.n_codes() < self.codes.len() - self.n_missing || !self.is_ordered()
    }

    fn is_ordered(&self) -> bool {
        matches!(self.kind, RankedKind::Ordered(_))
    }

    pub(crate) fn kind(&self) -> &RankedKind {
        &self.kind
    }

    pub(crate) fn has_missing(&self) -> bool {
        self.n_missing > 0
    }

    /// The number that a code stands for; of a categorical column, the code itself.
    #[inline]
    pub(crate) fn value(&self, code: u32) -> f64 {
        match &self.kind {
            RankedKind::Ordered(Distinct::Listed(values)) => values[code as usize],
            RankedKind::Ordered(Distinct::OfRows(column, _)) => {
                column[self.row_of_code(code) as usize]
            }
            RankedKind::Unordered { .. } => f64::from(code),
        }
    }

    /// The first of these codes, or the one after them, for whose value something does not hold
    /// that holds for all smaller values. Cost O(log codes).
    pub(crate) fn first_without(
        &self,
        codes: std::ops::Range<u32>,
        holds: impl Fn(f64) -> bool,
    ) -> u32 {
        let std::ops::Range { mut start, mut end } = codes;
        while start < end {
            let middle = start + (end - start) / 2;
            if holds(self.value(middle)) {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        start
    }

    /// The number of distinct present values (ordered) or of levels (unordered).
    pub(crate) fn n_codes(&self) -> usize {
        match &self.kind {
            RankedKind::Ordered(Distinct::Listed(values)) => values.len(),
            RankedKind::Ordered(Distinct::OfRows(_, n_values)) => *n_values,
            RankedKind::Unordered { n_levels } => *n_levels,
        }
    }
}

/// Fewer keys than this are sorted faster by comparing.
const LEAST_DISTRIBUTED: usize = 2048;

/// Bits that are looked at in one pass.
const DIGIT: usize = 11;

/// Sorts keys whose rows increase by their bits, digit after digit from the lowest.
pub(crate) fn sort_by_bits(keys: &mut Vec<(u64, u32)>) {
    if keys.len() < LEAST_DISTRIBUTED {
        keys.sort_unstable();
        return;
    }
    let mut spare = vec![(0, 0); keys.len()];
    let mut starts = vec![0; (1 << DIGIT) + 1];
    for shift in (0..u64::BITS).step_by(DIGIT) {
        let digit = |bits: u64| (bits >> shift) as usize % (1 << DIGIT);
        starts.fill(0);
        keys.iter().for_each(|&(bits, _)| starts[digit(bits) + 1] += 1);
        if starts.contains(&keys.len()) {
            continue;
        }
        for bucket in 0..1 << DIGIT {
            starts[bucket + 1] += starts[bucket];
        }
        for &key in keys.iter() {
            let place = &mut starts[digit(key.0)];
            spare[*place] = key;
            *place += 1;
        }
        std::mem::swap(keys, &mut spare);
    }
}

/// The rows by code, counted rather than compared.
fn order_of_codes(codes: &[u32], n_codes: usize) -> Vec<u32> {
    let bucket = |code: u32| (code as usize).min(n_codes);
    let mut starts = vec![0_u32; n_codes + 2];
    for &code in codes {
        starts[bucket(code) + 1] += 1;
    }
    for code in 0..=n_codes {
        starts[code + 1] += starts[code];
    }
    let mut order = vec![0; codes.len()];
    for (row, &code) in (0_u32..).zip(codes) {
        let place = &mut starts[bucket(code)];
        order[*place as usize] = row;
        *place += 1;
    }
    order
}

/// Bits that order like the numbers they stand for (no NaN, and -0 was made 0).
pub(crate) fn order_preserving_bits(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 0 { bits | (1 << 63) } else { !bits }
}

/// The number that bits stand for.
pub(crate) fn number_of_bits(bits: u64) -> f64 {
    f64::from_bits(if bits >> 63 == 1 { bits & !(1 << 63) } else { !bits })
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
            for value in values.iter() {
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
mod tests;
