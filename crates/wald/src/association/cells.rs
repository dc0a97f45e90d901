//! Columns cut into a few cells of similar size: what tests of dependence, additive fits and
//! predictions by one variable look at.

use crate::data::{Column, ColumnData, MISSING_LEVEL};

/// The cell of rows that count nowhere: too few are like them.
pub const NOWHERE: u8 = u8::MAX;

/// The cell of every row of a column. Missing values are a cell of their own, the last one, where
/// there are enough of them.
#[derive(Debug, Clone)]
pub struct Cells {
    pub codes: Vec<u8>,
    pub size: usize,
    /// True where neighbouring cells hold neighbouring numbers, apart from missing ones.
    pub is_ordered: bool,
    /// True where the last cell holds missing values.
    pub has_missing: bool,
}

/// How many rows have which cells of two columns.
#[derive(Debug)]
pub struct Crossed {
    /// By cell of the one, then of the other.
    pub table: Vec<f64>,
    pub of_one: Vec<f64>,
    pub of_other: Vec<f64>,
    pub total: f64,
}

impl Cells {
    /// At most `most` cells (below 255) of at least `least` rows each; equal values are never
    /// parted. Rare levels share a cell. Cost O(n log n).
    pub fn new(column: &Column, most: usize, least: usize) -> Self {
        let least = least.max(1);
        let mut codes = vec![NOWHERE; column.len()];
        let (present, is_ordered) = match column.data() {
            ColumnData::Numeric(values) => (numbers(values, most, least, &mut codes), true),
            ColumnData::Categorical(levels) => {
                let n_levels = levels.levels().len();
                (frequent(levels.codes(), n_levels, most, least, &mut codes), false)
            }
        };
        let has_missing = column.n_missing() >= least;
        if has_missing {
            let is_missing = |row: usize| match column.data() {
                ColumnData::Numeric(values) => values[row].is_nan(),
                ColumnData::Categorical(levels) => levels.codes()[row] == MISSING_LEVEL,
            };
            let rows = codes.iter_mut().enumerate().filter(|(row, _)| is_missing(*row));
            rows.for_each(|(_, code)| *code = present as u8);
        }
        Self { codes, size: present + usize::from(has_missing), is_ordered, has_missing }
    }

    /// Rows by the cells of two columns, where both have one.
    pub fn crossed(&self, other: &Self) -> Crossed {
        let width = other.size;
        let mut table = vec![0.0; self.size * width];
        for (&a, &b) in self.codes.iter().zip(&other.codes) {
            if a != NOWHERE && b != NOWHERE {
                table[a as usize * width + b as usize] += 1.0;
            }
        }
        let of_one = table.chunks_exact(width).map(|row| row.iter().sum()).collect();
        let of_other = (0..width).map(|b| table.iter().skip(b).step_by(width).sum()).collect();
        Crossed { total: table.iter().sum(), table, of_one, of_other }
    }

    /// Rows by cell.
    #[cfg(test)]
    fn sizes(&self) -> Vec<f64> {
        let mut sizes = vec![0.0; self.size];
        for &code in self.codes.iter().filter(|code| **code != NOWHERE) {
            sizes[code as usize] += 1.0;
        }
        sizes
    }
}

/// Cuts numbers where equally many lie between; returns the number of cells.
fn numbers(values: &[f64], most: usize, least: usize, codes: &mut [u8]) -> usize {
    let mut order: Vec<usize> = (0..values.len()).filter(|&row| !values[row].is_nan()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut cell = 0;
    let (mut left, mut taken) = (order.len(), 0);
    // A cell ends where it holds its share of what is left, unless too few would be left.
    for tie in order.chunk_by(|&a, &b| values[a] == values[b]) {
        tie.iter().for_each(|&row| codes[row] = cell as u8);
        taken += tie.len();
        let wanted = (left.div_ceil((most - cell).max(1))).max(least);
        if taken >= wanted && left - taken >= least && cell + 1 < most {
            cell += 1;
            left -= taken;
            taken = 0;
        }
    }
    if order.is_empty() { 0 } else { cell + 1 }
}

/// Gives frequent levels a cell each, the others one together; returns the number of cells.
fn frequent(
    of_rows: &[u32],
    n_levels: usize,
    most: usize,
    least: usize,
    codes: &mut [u8],
) -> usize {
    let mut counts = vec![0_usize; n_levels];
    of_rows.iter().filter(|code| **code != MISSING_LEVEL).for_each(|&c| counts[c as usize] += 1);
    let mut by_count: Vec<usize> = (0..n_levels).filter(|&level| counts[level] >= least).collect();
    by_count.sort_by(|&a, &b| counts[b].cmp(&counts[a]).then(a.cmp(&b)));
    by_count.truncate(most - 1);
    let mut cell_of = vec![NOWHERE; n_levels];
    for (cell, &level) in (0_u8..).zip(&by_count) {
        cell_of[level] = cell;
    }
    let rare = |level: &usize| cell_of[*level] == NOWHERE && counts[*level] > 0;
    let rare: Vec<usize> = (0..n_levels).filter(rare).collect();
    let n_rare: usize = rare.iter().map(|&level| counts[level]).sum();
    let mut size = by_count.len();
    if n_rare >= least {
        rare.iter().for_each(|&level| cell_of[level] = size as u8);
        size += 1;
    }
    for (code, &level) in codes.iter_mut().zip(of_rows) {
        if level != MISSING_LEVEL {
            *code = cell_of[level as usize];
        }
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_cut_where_equally_many_lie_between() {
        let column = Column::numeric("x", (0..100).rev().map(f64::from).collect()).expect("x");
        let cells = Cells::new(&column, 4, 5);
        assert_eq!(cells.sizes(), [25.0; 4]);
        assert_eq!((cells.codes[99], cells.codes[0]), (0, 3));
        // Equal values stay together.
        let column = Column::numeric("x", (0..90).map(|row| f64::from(row / 60)).collect());
        assert_eq!(Cells::new(&column.expect("x"), 4, 5).sizes(), [60.0, 30.0]);
    }

    #[test]
    fn rare_levels_and_missing_values_have_cells_where_they_are_enough() {
        let level = |row: u32| match row {
            0..40 => 0,
            40..70 => 1,
            70..74 => 2,
            74..78 => 3,
            _ => MISSING_LEVEL,
        };
        let levels = ["a", "b", "c", "d", "never"].map(str::to_owned).to_vec();
        let column = Column::categorical("x", levels, (0..100).map(level).collect()).expect("x");
        let cells = Cells::new(&column, 8, 5);
        assert_eq!(cells.sizes(), [40.0, 30.0, 8.0, 22.0]);
        assert!(cells.has_missing && !cells.is_ordered);
        let cells = Cells::new(&column, 8, 30);
        assert_eq!(cells.sizes(), [40.0, 30.0]);
        assert_eq!(cells.codes[99], NOWHERE);
    }
}
