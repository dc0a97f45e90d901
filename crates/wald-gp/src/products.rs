//! Adds products of matrices to parts of a matrix: what takes almost all of the time of a division into
//! triangular factors.
//!
//! Every entry is summed in the order of the factors' columns, product by product, so that results have
//! the same bits whatever registers a processor has.

#![expect(
    clippy::inline_always,
    reason = "registers are those of the function that is inlined into"
)]

use pulp::{Arch, Simd, WithSimd};

use crate::matrix::{Matrix, TILE};

/// Columns of a tile: with eight rows, as many as fit into registers.
const COLUMNS: usize = 6;

/// Factors of products, in the order in which they are used: for each group of rows, group by group, the
/// entries of one column after the other.
pub(crate) struct Factor<const GROUP: usize> {
    n_columns: usize,
    groups: Vec<[f64; GROUP]>,
}

pub(crate) type Left = Factor<TILE>;
pub(crate) type Right = Factor<COLUMNS>;

impl<const GROUP: usize> Factor<GROUP> {
    pub(crate) fn new() -> Self {
        Self { n_columns: 0, groups: Vec::new() }
    }

    /// Takes the entries of a matrix with that many rows and columns; rows behind the last are zero.
    pub(crate) fn fill(
        &mut self,
        n_rows: usize,
        n_columns: usize,
        entry: impl Fn(usize, usize) -> f64,
    ) {
        self.n_columns = n_columns;
        self.groups.clear();
        for first in (0..n_rows).step_by(GROUP) {
            self.groups.extend((0..n_columns).map(|column| {
                let mut group = [0.0; GROUP];
                for (row, value) in (first..n_rows).zip(&mut group) {
                    *value = entry(row, column);
                }
                group
            }));
        }
    }
}

/// Adds `left` times the transpose of `right` to the part of a matrix that begins at a row and a column.
pub(crate) struct Products<'a> {
    pub(crate) target: &'a mut Matrix,
    pub(crate) first_row: usize,
    pub(crate) first_column: usize,
    pub(crate) left: &'a Left,
    pub(crate) right: &'a Right,
    /// Whether tiles above the diagonal of the part are left out.
    pub(crate) is_lower: bool,
}

impl Products<'_> {
    /// Adds them.
    pub(crate) fn add(self) {
        if self.left.n_columns > 0 {
            Arch::new().dispatch(self);
        }
    }
}

impl WithSimd for Products<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match S::F64_LANES {
            8 => self.add_in::<S, 1>(simd),
            4 => self.add_in::<S, 2>(simd),
            2 => self.add_in::<S, 4>(simd),
            _ => self.add_in::<S, 8>(simd),
        }
    }
}

impl Products<'_> {
    /// Adds them in registers of which `REGISTERS` hold the rows of a tile. Products are rounded before
    /// they are added, as not all processors add exact ones.
    #[expect(
        clippy::needless_range_loop,
        reason = "sums of iterators are kept in memory: 3 times as slow"
    )]
    #[inline(always)]
    fn add_in<S: Simd, const REGISTERS: usize>(self, simd: S) {
        let right = self.right.groups.chunks_exact(self.right.n_columns);
        for (right, column) in right.zip((0..).step_by(COLUMNS)) {
            let skipped = if self.is_lower { column / TILE } else { 0 };
            let left = self.left.groups.chunks_exact(self.left.n_columns).skip(skipped);
            for (left, row) in left.zip((skipped * TILE..).step_by(TILE)) {
                let (row, column) = (self.first_row + row, self.first_column + column);
                let mut sums = [[simd.splat_f64s(0.0); REGISTERS]; COLUMNS];
                for number in 0..COLUMNS {
                    let (tile, _) = S::as_simd_f64s(self.target.tile(row, column + number));
                    sums[number][..REGISTERS].copy_from_slice(&tile[..REGISTERS]);
                }
                for step in 0..left.len().min(right.len()) {
                    let (left, _) = S::as_simd_f64s(&left[step]);
                    for number in 0..COLUMNS {
                        let factor = simd.splat_f64s(right[step][number]);
                        for register in 0..REGISTERS {
                            let product = simd.mul_f64s(left[register], factor);
                            sums[number][register] = simd.add_f64s(sums[number][register], product);
                        }
                    }
                }
                for number in 0..COLUMNS {
                    let (tile, _) = S::as_mut_simd_f64s(self.target.tile_mut(row, column + number));
                    tile[..REGISTERS].copy_from_slice(&sums[number][..REGISTERS]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pulp::Scalar;

    use super::*;

    /// What is added by some registers to a matrix that is not zero.
    fn added(is_lower: bool, add: impl FnOnce(Products<'_>)) -> Matrix {
        let entry = |row: usize, column: usize| ((3 * row + 7 * column) as f64 / 11.0).sin();
        let mut target = Matrix::from_fn(45, 37, entry);
        let (mut left, mut right) = (Left::new(), Right::new());
        left.fill(37, 19, |row, column| entry(row, column + 2));
        right.fill(29, 19, |row, column| entry(column, row + 1));
        let (left, right) = (&left, &right);
        let target = &mut target;
        add(Products { target, first_row: 8, first_column: 8, left, right, is_lower });
        target.clone()
    }

    #[test]
    fn all_registers_add_the_same_bits() {
        for is_lower in [false, true] {
            let one_by_one = added(is_lower, |products| products.with_simd(Scalar));
            assert_eq!(added(is_lower, |products| Arch::new().dispatch(products)), one_by_one);
            #[cfg(target_arch = "x86_64")]
            if let Some(registers) = pulp::x86::V3::try_new() {
                let found = added(is_lower, |products| products.with_simd(registers));
                assert_eq!(found, one_by_one);
            }
        }
    }
}
