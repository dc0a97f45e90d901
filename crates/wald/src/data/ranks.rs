//! Lossless rank codes: every column as small integers in the order of its values.
//!
//! Growing and measuring compare codes, never floats. Columns are kept in a canonical order,
//! by a hash of their contents, so that exchanging columns exchanges importances bit for bit
//! and names never influence a number.
//!
//! Numbers become their ranks among the sorted distinct values of the column, which are kept;
//! categories become the codes of their levels. One reserved code stands for missing values. The
//! random choice of variables works on the canonical order, too.

use std::ops::Range;
use std::sync::Arc;

use crate::data::bins::{Binnings, Bins};
use crate::data::column::Column;
use crate::data::shadows::Shadows;
use crate::run::Threads;
use crate::threads;

use cells::{Cells, Gathered, GatheredOrders};
pub(crate) use order::{SortingRoom, number_of_bits, order_preserving_bits, sort_by_bits};
use ranking::{Found, Ranking};

/// The code of a missing value; larger than every other code.
pub(crate) const MISSING_CODE: u32 = u32::MAX;

/// One column as codes.
#[derive(Debug, Clone)]
pub(crate) struct RankedColumn {
    codes: Cells<u32>,
    order: Order,
    kind: RankedKind,
    n_missing: usize,
    binnings: Binnings,
    /// Of the cells, whatever the column is called.
    hash: [u8; 32],
}

/// All rows by code, then by row; missing values come last.
#[derive(Debug, Clone)]
pub(crate) enum Order {
    /// Of a table with so few rows that half the memory is enough.
    Short(Cells<u16>),
    Long(Cells<u32>),
}

impl Order {
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

/// Of so many values of a column that all differ, the least is at hand. Growing on a million rows takes
/// 1.25 times as long without; up to 100,000 rows it makes no difference.
pub(crate) const GUIDED: usize = 4;

/// The distinct values of a column of numbers.
#[derive(Debug, Clone)]
pub(crate) enum Distinct {
    /// The values, increasing.
    Listed(Vec<f64>),
    /// The column itself: its present values all differ, so that the order determines the row of
    /// every code.
    OfRows { column: Arc<Vec<f64>>, n_values: usize, guide: Vec<f64> },
}

/// The values of a column that all differ.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Differing<'a> {
    /// By row.
    pub(crate) values: &'a [f64],
    /// Of the codes 0, [`GUIDED`], ...
    pub(crate) guide: &'a [f64],
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
        let rank = |index: usize, ranking: &mut Ranking| {
            let column = columns[index];
            (ranking.hash(column), ranking.rank(column))
        };
        let mut codes = Gathered::new(n_rows, columns.len());
        let mut orders = GatheredOrders::new(n_rows, columns.len());
        let mut described = Vec::with_capacity(columns.len());
        let gather = |index, (hash, found): ([u8; 32], Found)| {
            codes.push(found.codes);
            orders.push(found.order);
            described.push((hash, index as u32, found.kind, found.n_missing));
        };
        threads::gather(columns.len(), threads, Ranking::default, rank, gather);
        let cells = codes.into_columns().zip(orders.into_columns());
        let ranked = described.into_iter().zip(cells);
        let mut ranked: Vec<([u8; 32], u32, RankedColumn)> = ranked
            .map(|((hash, index, kind, n_missing), (codes, order))| {
                let binnings = Binnings::default();
                (hash, index, RankedColumn { codes, order, kind, n_missing, binnings, hash })
            })
            .collect();
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
    /// their order, so that this is what ranking them alone would give. No code is copied.
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

    /// The hashes of the cells of all columns, in the order of the data set.
    pub(crate) fn hashes(&self) -> impl Iterator<Item = &[u8; 32]> {
        self.canonical.iter().map(|&position| &self.columns[position as usize].hash)
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

    pub(crate) fn n_missing(&self) -> usize {
        self.n_missing
    }

    /// Whether rows differ, or some miss the value that others have.
    pub(crate) fn varies(&self) -> bool {
        match &self.kind {
            RankedKind::Ordered(_) => self.n_codes() + usize::from(self.has_missing()) > 1,
            RankedKind::Unordered { .. } => self.codes.iter().any(|code| *code != self.codes[0]),
        }
    }

    /// The values in at most so many bins; `None` for a column of too many levels.
    pub(crate) fn bins(&self, most: usize) -> Option<&Bins> {
        self.binnings.of(self, most)
    }

    /// The row at a place in the order of the column.
    pub(crate) fn row_in_order(&self, place: u32) -> u32 {
        self.order.row(place)
    }

    /// The code of that row.
    pub(crate) fn code_in_order(&self, place: u32) -> u32 {
        if self.has_ties() { self.codes[self.order.row(place) as usize] } else { place }
    }

    /// The number that a code stands for; of a categorical column, the code itself.
    #[inline]
    pub(crate) fn value(&self, code: u32) -> f64 {
        match &self.kind {
            RankedKind::Ordered(Distinct::Listed(values)) => values[code as usize],
            RankedKind::Ordered(Distinct::OfRows { column, .. }) => {
                column[self.row_of_code(code) as usize]
            }
            RankedKind::Unordered { .. } => f64::from(code),
        }
    }

    /// The value of a row.
    #[inline]
    pub(crate) fn value_of_row(&self, row: u32) -> f64 {
        match &self.kind {
            RankedKind::Ordered(Distinct::OfRows { column, .. }) => column[row as usize],
            _ => self.value(self.codes[row as usize]),
        }
    }

    /// The values, where all of them differ.
    pub(crate) fn differing(&self) -> Option<Differing<'_>> {
        match &self.kind {
            RankedKind::Ordered(Distinct::OfRows { column, guide, .. }) => {
                Some(Differing { values: column, guide })
            }
            _ => None,
        }
    }

    /// The first of these codes, or the one after them, for whose value something does not hold
    /// that holds for all smaller values. Cost O(log codes).
    pub(crate) fn first_without(&self, codes: Range<u32>, holds: impl Fn(f64) -> bool) -> u32 {
        let Range { start, end } = codes;
        match &self.kind {
            RankedKind::Ordered(Distinct::Listed(values)) => {
                let values = &values[start as usize..end as usize];
                start + values.partition_point(|&value| holds(value)) as u32
            }
            RankedKind::Ordered(Distinct::OfRows { guide, .. }) => {
                // Values at hand are looked at first; those between two of them are values of rows.
                let guided = GUIDED as u32;
                let (from, to) = (start.div_ceil(guided), end.div_ceil(guided));
                let known = &guide[from as usize..to as usize];
                let first = guided * (from + known.partition_point(|&value| holds(value)) as u32);
                let codes = start.max((first + 1).saturating_sub(guided))..end.min(first);
                first_where(codes, |code| !holds(self.value(code)))
            }
            RankedKind::Unordered { .. } => first_where(codes, |code| !holds(f64::from(code))),
        }
    }

    /// The number of distinct present values (ordered) or of levels (unordered).
    pub(crate) fn n_codes(&self) -> usize {
        match &self.kind {
            RankedKind::Ordered(Distinct::Listed(values)) => values.len(),
            RankedKind::Ordered(Distinct::OfRows { n_values, .. }) => *n_values,
            RankedKind::Unordered { n_levels } => *n_levels,
        }
    }
}

mod cells;
mod order;
mod ranking;

/// The first of these codes from which on something holds, or the one after them. Cost O(log codes).
pub(crate) fn first_where(codes: Range<u32>, holds: impl Fn(u32) -> bool) -> u32 {
    let Range { mut start, mut end } = codes;
    while start < end {
        let middle = start + (end - start) / 2;
        if holds(middle) {
            end = middle;
        } else {
            start = middle + 1;
        }
    }
    start
}

#[cfg(test)]
mod tests;
