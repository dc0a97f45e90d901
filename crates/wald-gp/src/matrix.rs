//! Matrices of numbers, by columns, whose columns have room for whole tiles of rows.

#![expect(clippy::inline_always, reason = "tiles are reached in the innermost loops of products")]

use std::fmt;
use std::ops::{Index, IndexMut};

/// Rows of a tile: as many as the widest registers hold.
pub(crate) const TILE: usize = 8;

/// A matrix. Behind the last row there is room up to the next whole tile, behind the last column
/// for as many.
#[derive(Clone, PartialEq)]
pub struct Matrix {
    n_rows: usize,
    n_columns: usize,
    /// Rows of a column with the room behind them.
    stride: usize,
    values: Vec<f64>,
}

impl Matrix {
    /// A matrix of zeros.
    pub fn zeros(n_rows: usize, n_columns: usize) -> Self {
        let stride = n_rows.next_multiple_of(TILE);
        let values = vec![0.0; stride * (n_columns + TILE)];
        Self { n_rows, n_columns, stride, values }
    }

    /// A matrix whose entries are those of a function of row and column.
    pub fn from_fn(
        n_rows: usize,
        n_columns: usize,
        mut entry: impl FnMut(usize, usize) -> f64,
    ) -> Self {
        let mut matrix = Self::zeros(n_rows, n_columns);
        for column in 0..n_columns {
            for row in 0..n_rows {
                matrix[(row, column)] = entry(row, column);
            }
        }
        matrix
    }

    /// The identity.
    pub fn identity(n: usize) -> Self {
        Self::from_fn(n, n, |row, column| f64::from(u8::from(row == column)))
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The number of columns.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// A column.
    pub fn column(&self, column: usize) -> &[f64] {
        &self.values[column * self.stride..][..self.n_rows]
    }

    /// A column, to be changed.
    pub fn column_mut(&mut self, column: usize) -> &mut [f64] {
        &mut self.values[column * self.stride..][..self.n_rows]
    }

    /// The part of a column from a row on, and a later column from there on, to be changed.
    pub(crate) fn pair_from(
        &mut self,
        row: usize,
        first: usize,
        later: usize,
    ) -> (&[f64], &mut [f64]) {
        let (before, behind) = self.values.split_at_mut(later * self.stride);
        let first = &before[first * self.stride..][row..self.n_rows];
        (first, &mut behind[row..self.n_rows])
    }

    /// As many rows of a column as a tile has, which may reach into the room behind the last.
    #[inline(always)]
    pub(crate) fn tile(&self, row: usize, column: usize) -> &[f64] {
        &self.values[column * self.stride + row..][..TILE]
    }

    /// The same, to be changed.
    #[inline(always)]
    pub(crate) fn tile_mut(&mut self, row: usize, column: usize) -> &mut [f64] {
        &mut self.values[column * self.stride + row..][..TILE]
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.column(column)[row]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.column_mut(column)[row]
    }
}

impl fmt::Debug for Matrix {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = (0..self.n_columns).map(|column| self.column(column));
        formatter.debug_list().entries(columns).finish()
    }
}
