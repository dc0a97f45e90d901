//! Codes of the columns that a tree splits on, of which a table may have many more.

use crate::data::Training;
use crate::forest::{RankedNode, RankedTree};

/// All columns are copied, row by row, unless the tree splits on fewer than one in this many of them.
const OF_COLUMNS: usize = 2;

/// Rows that are copied together, so that both sides of the copy stay near the processor.
const BLOCK: usize = 64;

/// The columns whose codes are copied.
#[derive(Debug)]
pub(super) struct UsedColumns {
    /// Canonical columns; all of them where there is no list.
    columns: Option<Vec<u32>>,
    /// By canonical column, its place among those that are copied.
    places: Vec<u32>,
}

/// Codes of rows, those of one row side by side.
#[derive(Debug)]
pub(super) struct UsedCodes {
    codes: Vec<u32>,
    width: usize,
}

impl UsedColumns {
    pub(super) fn new(tree: &RankedTree, n_columns: usize) -> Self {
        let mut places = vec![u32::MAX; n_columns];
        let mut columns = Vec::new();
        for column in tree.nodes.iter().filter_map(RankedNode::column) {
            let place = &mut places[column as usize];
            if *place == u32::MAX {
                *place = columns.len() as u32;
                columns.push(column);
            }
        }
        if OF_COLUMNS * columns.len() >= n_columns {
            return Self { columns: None, places: (0..n_columns as u32).collect() };
        }
        Self { columns: Some(columns), places }
    }

    /// The place of a canonical column that the tree splits on.
    pub(super) fn place(&self, column: u32) -> u32 {
        self.places[column as usize]
    }

    /// The codes of some rows, in that order.
    pub(super) fn codes(&self, training: &Training, sets: [&[u32]; 2]) -> UsedCodes {
        let width = self.columns.as_ref().map_or(self.places.len(), Vec::len);
        let n_rows = sets.iter().map(|rows| rows.len()).sum::<usize>();
        let mut codes = Vec::with_capacity(n_rows * width);
        let Some(columns) = &self.columns else {
            let all = training.row_codes();
            sets.iter()
                .flat_map(|rows| rows.iter())
                .for_each(|&row| codes.extend_from_slice(all.row(row)));
            return UsedCodes { codes, width };
        };
        for rows in sets.iter().flat_map(|rows| rows.chunks(BLOCK)) {
            let start = codes.len();
            codes.resize(start + rows.len() * width, 0);
            let to = &mut codes[start..];
            for (place, &column) in columns.iter().enumerate() {
                let of_column = training.features().column(column).codes();
                for (index, &row) in rows.iter().enumerate() {
                    to[index * width + place] = of_column[row as usize];
                }
            }
        }
        UsedCodes { codes, width }
    }
}

impl UsedCodes {
    #[cfg(test)]
    pub(super) fn of(codes: Vec<u32>, width: usize) -> Self {
        Self { codes, width }
    }

    /// The number of codes of all rows.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// The number of codes of a row.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The code of a row in the column at a place.
    #[inline]
    pub(super) fn at(&self, row: u32, place: usize) -> u32 {
        self.codes[row as usize * self.width + place]
    }

    /// All codes from the first row's in the column at a place on: those of the column are at multiples
    /// of the width.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) fn from(&self, place: usize) -> &[u32] {
        &self.codes[place..]
    }
}
