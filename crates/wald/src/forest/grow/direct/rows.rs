//! The in-bag rows of a tree, those of a node one after the other, and their codes.

use crate::data::{Column, ColumnData, MISSING_CODE, RankedColumn};
use crate::forest::grow::arrangement::Span;
use crate::forest::split::{ByChild, Mask, divide_by};

/// Rows in the order of the nodes, increasing within a node.
#[derive(Debug, Default)]
pub(super) struct Rows {
    members: Vec<u32>,
    spare: Vec<u32>,
}

impl Rows {
    pub(super) fn fill(&mut self, rows: impl Iterator<Item = u32>) -> Span {
        self.members.clear();
        self.members.extend(rows);
        self.spare.resize(self.members.len(), 0);
        Span { start: 0, end: self.members.len() as u32 }
    }

    pub(super) fn members(&self, span: Span) -> &[u32] {
        &self.members[span.range()]
    }

    /// Moves the rows that go left to the front; returns where the others begin.
    pub(super) fn divide(&mut self, span: Span, left: &[Mask]) -> u32 {
        let members = &mut self.members[span.range()];
        let n_left = divide_by(members, &mut self.spare, |index, _| left[index] & 1 == 1);
        span.start + n_left as u32
    }

    /// Brings the rows into the order of their children.
    pub(super) fn distribute(&mut self, span: Span, by_child: &ByChild) {
        let members = &mut self.members[span.range()];
        let spare = &mut self.spare[..members.len()];
        spare.copy_from_slice(members);
        for (row, &from) in members.iter_mut().zip(&by_child.order) {
            *row = spare[from as usize];
        }
    }
}

/// The values of a column in the rows.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cells<'a> {
    /// Codes of levels.
    Levels(&'a [u32]),
    /// NaN is missing.
    Numbers(&'a [f64]),
}

/// A column as growing reads it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) cells: Cells<'a>,
    /// Whether any row of the whole table lacks a value.
    pub(super) has_missing: bool,
    /// 0 for numbers.
    pub(super) n_levels: usize,
    /// By row, the row whose cells it looks at; `None` where it looks at its own.
    pub(super) donors: Option<&'a [u32]>,
}

impl<'a> Asked<'a> {
    pub(super) fn new(column: &'a Column, ranked: &RankedColumn) -> Self {
        let (cells, n_levels) = match column.data() {
            ColumnData::Numeric(numbers) => (Cells::Numbers(numbers), 0),
            ColumnData::Categorical(categories) => {
                (Cells::Levels(categories.codes()), categories.levels().len())
            }
        };
        Self { cells, has_missing: ranked.has_missing(), n_levels, donors: None }
    }
}

impl Asked<'_> {
    /// The rows whose cells some rows look at; `seen` has room for them.
    pub(super) fn seen<'b>(&self, rows: &'b [u32], seen: &'b mut Vec<u32>) -> &'b [u32] {
        let Some(donors) = self.donors else { return rows };
        seen.clear();
        seen.extend(rows.iter().map(|&row| donors[row as usize]));
        seen
    }

    /// The row whose cell a row looks at.
    #[inline]
    pub(super) fn cell_row(&self, row: u32) -> u32 {
        self.donors.map_or(row, |donors| donors[row as usize])
    }

    pub(super) fn is_missing(&self, row: u32) -> bool {
        let row = self.cell_row(row) as usize;
        match self.cells {
            Cells::Levels(codes) => codes[row] == MISSING_CODE,
            Cells::Numbers(numbers) => numbers[row].is_nan(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forest::split::mask;

    #[test]
    fn rows_stay_in_order_within_the_children() {
        let mut rows = Rows::default();
        let span = rows.fill(10..16);
        let left = [false, true, true, false, true, false].map(mask);
        let right = rows.divide(span, &left);
        assert_eq!((rows.members(span), right), (&[11, 12, 14, 10, 13, 15][..], 3));
        let mut by_child = ByChild::default();
        let span = Span { start: 1, end: 5 };
        by_child.sort(&[1, 0, 1, 0], 2);
        rows.distribute(span, &by_child);
        assert_eq!(rows.members, [11, 14, 13, 12, 10, 15]);
    }
}
