//! The in-bag rows of a tree, those of a node one after the other, and their codes.

use crate::data::{Column, ColumnData};
use crate::forest::grow::arrangement::Span;
use crate::forest::split::{ByChild, Mask};

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
        let spare = &mut self.spare[..members.len()];
        let mut n_left = 0;
        for (index, mask) in left.iter().enumerate() {
            let row = members[index];
            // Writing to both sides keeps the loop free of unpredictable branches.
            members[n_left] = row;
            spare[index - n_left] = row;
            n_left += (mask & 1) as usize;
        }
        let n_right = members.len() - n_left;
        members[n_left..].copy_from_slice(&spare[..n_right]);
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

/// What a column says of the rows.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cells<'a> {
    /// Codes of levels.
    Levels(&'a [u32]),
    /// NaN is missing.
    Numbers(&'a [f64]),
}

/// The cells of all rows, or of some.
#[derive(Debug, Clone, Copy)]
pub(super) enum Table<'a> {
    All,
    /// Of a node whose rows became 0, 1, ...
    Near(&'a NearTable),
}

/// A copy of few rows, close together in memory.
#[derive(Debug, Default)]
pub(super) struct NearTable {
    /// Rows of the whole table.
    rows: Vec<u32>,
    /// Columns of numbers, one after another.
    numbers: Vec<f64>,
    /// Columns of levels, one after another.
    levels: Vec<u32>,
    /// By column, where its cells begin among those of its kind.
    starts: Vec<usize>,
}

impl<'a> Cells<'a> {
    pub(super) fn of(column: &'a Column) -> Self {
        match column.data() {
            ColumnData::Numeric(numbers) => Self::Numbers(numbers),
            ColumnData::Categorical(categories) => Self::Levels(categories.codes()),
        }
    }
}

impl NearTable {
    /// Starts a copy of these rows, from a table of so many columns.
    pub(super) fn start(&mut self, rows: &[u32], n_columns: usize) {
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        self.numbers.clear();
        self.levels.clear();
        self.starts.resize(n_columns, 0);
    }

    /// Copies a column.
    pub(super) fn add(&mut self, column: u32, cells: Cells<'_>) {
        let rows = self.rows.iter().map(|&row| row as usize);
        let start = &mut self.starts[column as usize];
        match cells {
            Cells::Numbers(numbers) => {
                *start = self.numbers.len();
                self.numbers.extend(rows.map(|row| numbers[row]));
            }
            Cells::Levels(levels) => {
                *start = self.levels.len();
                self.levels.extend(rows.map(|row| levels[row]));
            }
        }
    }
}

impl<'a> Table<'a> {
    /// The cells of a column, which the copy must have, given those of the whole table.
    pub(super) fn cells(self, column: u32, all: Cells<'a>) -> Cells<'a> {
        let Self::Near(near) = self else { return all };
        let start = near.starts[column as usize];
        match all {
            Cells::Numbers(_) => Cells::Numbers(&near.numbers[start..][..near.rows.len()]),
            Cells::Levels(_) => Cells::Levels(&near.levels[start..][..near.rows.len()]),
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
