//! The bins of all columns row by row, for sending rows down trees whose thresholds lie between bins.

use crate::data::bins::{Bins, MISSING_BIN};
use crate::data::ranks::RankedFeatures;

/// With more columns, the bins of a row are spread over several lines of the cache, and not read.
const MOST_COLUMNS: usize = 64;

/// Rows that are copied together, so that both sides of the copy stay near the processor.
const BLOCK: usize = 256;

/// A copy of the bins in which those of a row lie side by side.
#[derive(Debug)]
pub(crate) struct RowBins {
    most: usize,
    codes: Vec<u8>,
    n_columns: usize,
    /// By canonical column: the first rank code of every bin; empty where the column has no bins.
    starts: Vec<Vec<u32>>,
}

/// Whether rows go to the left of a threshold between two bins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BelowBin<'a> {
    codes: &'a [u8],
    n_columns: usize,
    limit: u8,
    /// 1 where missing values go to the left: one more than their bin is 0.
    shift: u8,
}

impl RowBins {
    /// `None` where reading them would gain nothing.
    pub(crate) fn new(features: &RankedFeatures, most: usize) -> Option<Self> {
        let (n_rows, n_columns) = (features.n_rows(), features.n_columns());
        if n_columns > MOST_COLUMNS || features.shadows().is_some() {
            return None;
        }
        let mut row_bins = Self {
            most,
            codes: vec![MISSING_BIN; n_rows * n_columns],
            n_columns,
            starts: Vec::new(),
        };
        let of_columns: Vec<_> =
            (0..n_columns as u32).map(|column| features.column(column).bins(most)).collect();
        for (block, rows) in row_bins.codes.chunks_mut(BLOCK * n_columns).enumerate() {
            for (column, bins) in of_columns.iter().enumerate() {
                let Some(bins) = bins else { continue };
                let from = &bins.codes()[block * BLOCK..];
                let to = rows[column..].iter_mut().step_by(n_columns);
                to.zip(from).for_each(|(to, from)| *to = *from);
            }
        }
        let starts =
            |bins: Option<&Bins>| bins.map_or_else(Vec::new, |bins| bins.starts().to_vec());
        row_bins.starts = of_columns.into_iter().map(starts).collect();
        Some(row_bins)
    }

    /// The greatest number of bins.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// The rows whose rank code is below one; `None` unless a bin begins there.
    pub(crate) fn below(
        &self,
        column: u32,
        below: u32,
        missing_left: bool,
    ) -> Option<BelowBin<'_>> {
        let limit = self.starts[column as usize].binary_search(&below).ok()?;
        let shift = u8::from(missing_left);
        let limit = u8::try_from(limit).ok()?.checked_add(shift)?;
        Some(BelowBin {
            codes: &self.codes[column as usize..],
            n_columns: self.n_columns,
            limit,
            shift,
        })
    }
}

impl BelowBin<'_> {
    #[inline]
    pub(crate) fn holds(&self, row: u32) -> bool {
        self.codes[row as usize * self.n_columns].wrapping_add(self.shift) < self.limit
    }
}
