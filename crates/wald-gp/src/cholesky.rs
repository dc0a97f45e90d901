//! Division of symmetric matrices into triangular factors (Cholesky), in memory that is used again and
//! again: it grows with the square of the number of runs, and to ask the system for it takes as long as to
//! compute.
//!
//! Of symmetric matrices, only what is on and below the diagonal is used and set. Own code, and not that
//! of a library, because libraries sum in an order that depends on the registers of the processor:
//! searches for the largest likelihood then end at other lengths on another machine.

use crate::matrix::Matrix;
use crate::products::{Left, Products, Right};

/// Columns of a panel, which is divided by itself before its products are taken from the others.
const PANEL: usize = 32;

/// A matrix, what it is divided into, and its inverse.
pub(crate) struct Cholesky {
    pub(crate) matrix: Matrix,
    pub(crate) lower: Matrix,
    pub(crate) inverse: Matrix,
    factors: Factors,
}

/// Copies of factors of products.
struct Factors {
    left: Left,
    right: Right,
}

impl Cholesky {
    pub(crate) fn new(n: usize) -> Self {
        Self {
            matrix: Matrix::zeros(n, n),
            lower: Matrix::zeros(n, n),
            inverse: Matrix::zeros(n, n),
            factors: Factors::new(),
        }
    }

    /// `None` where the matrix is too close to singular.
    pub(crate) fn factorise(&mut self) -> Option<()> {
        for column in 0..self.matrix.n_rows() {
            let (above, below) = self.lower.column_mut(column).split_at_mut(column);
            above.fill(0.0);
            below.copy_from_slice(&self.matrix.column(column)[column..]);
        }
        self.factors.factorise(&mut self.lower)
    }

    /// Computes the inverse; the factor is used up.
    pub(crate) fn invert(&mut self) {
        self.factors.invert_lower(&mut self.lower);
        self.factors.square(&self.lower, &mut self.inverse);
    }
}

/// The lower triangular factor of a symmetric matrix; `None` where it is too close to singular.
pub fn factorised(matrix: &Matrix) -> Option<Matrix> {
    let n = matrix.n_rows();
    let below = |row, column| if row < column { 0.0 } else { matrix[(row, column)] };
    let mut lower = Matrix::from_fn(n, n, below);
    Factors::new().factorise(&mut lower)?;
    // Tiles on the diagonal reach above it.
    (0..n).for_each(|column| lower.column_mut(column)[..column].fill(0.0));
    Some(lower)
}

/// The inverse of a matrix with the given factor; what is above its diagonal is not set.
pub(crate) fn inverse(lower: &Matrix) -> Matrix {
    let n = lower.n_rows();
    let mut factors = Factors::new();
    let mut lower = lower.clone();
    let mut inverse = Matrix::zeros(n, n);
    factors.invert_lower(&mut lower);
    factors.square(&lower, &mut inverse);
    inverse
}

/// The inverse of a matrix with the given factor, times a column.
pub fn solve(lower: &Matrix, right: &[f64]) -> Vec<f64> {
    let mut solution = right.to_vec();
    substitute(lower, &mut solution);
    for column in (0..lower.n_rows()).rev() {
        let (unknown, known) = solution.split_at_mut(column + 1);
        let entries = &lower.column(column)[column..];
        unknown[column] = (unknown[column] - product(&entries[1..], known)) / entries[0];
    }
    solution
}

/// Multiplies a column by the inverse of a lower triangular matrix.
fn substitute(lower: &Matrix, solution: &mut [f64]) {
    for column in 0..lower.n_rows() {
        let (known, unknown) = solution.split_at_mut(column + 1);
        let entries = &lower.column(column)[column..];
        known[column] /= entries[0];
        subtract(unknown, known[column], &entries[1..]);
    }
}

impl Factors {
    fn new() -> Self {
        Self { left: Left::new(), right: Right::new() }
    }

    /// Divides what is on and below the diagonal, in its place.
    fn factorise(&mut self, lower: &mut Matrix) -> Option<()> {
        let n = lower.n_rows();
        for first in (0..n).step_by(PANEL) {
            let end = (first + PANEL).min(n);
            for column in first..end {
                for before in first..column {
                    let (known, entries) = lower.pair_from(column, before, column);
                    subtract(entries, known[0], known);
                }
                let (pivot, below) = lower.column_mut(column)[column..].split_first_mut()?;
                // Rounding error may make it not a number, too.
                if !(*pivot > 0.0 && pivot.is_finite()) {
                    return None;
                }
                *pivot = pivot.sqrt();
                below.iter_mut().for_each(|entry| *entry /= *pivot);
            }
            self.left.fill(n - end, end - first, |row, column| lower[(end + row, first + column)]);
            self.right
                .fill(n - end, end - first, |row, column| -lower[(end + row, first + column)]);
            self.add(lower, end, end, true);
        }
        Some(())
    }

    /// Puts the inverse of a lower triangular matrix in its place.
    fn invert_lower(&mut self, lower: &mut Matrix) {
        let n = lower.n_rows();
        for first in (0..n).step_by(PANEL) {
            let end = (first + PANEL).min(n);
            self.left.fill(n - end, end - first, |row, column| lower[(end + row, first + column)]);
            // What is there is needed in its place no more, but for the panel's own triangle.
            let triangle = Matrix::from_fn(end - first, end - first, |row, column| {
                lower[(first + row, first + column)]
            });
            for column in first..end {
                let entries = lower.column_mut(column);
                entries[first..].fill(0.0);
                entries[column] = 1.0;
            }
            for column in 0..end {
                substitute(&triangle, &mut lower.column_mut(column)[first..end]);
            }
            self.right.fill(end, end - first, |row, column| -lower[(first + column, row)]);
            self.add(lower, end, 0, false);
        }
    }

    /// The transpose of a lower triangular matrix times the matrix.
    fn square(&mut self, lower: &Matrix, product: &mut Matrix) {
        let n = lower.n_rows();
        for column in 0..n {
            product.column_mut(column).fill(0.0);
        }
        for first in (0..n).step_by(PANEL) {
            let end = (first + PANEL).min(n);
            self.left.fill(end, end - first, |row, column| lower[(first + column, row)]);
            self.right.fill(end, end - first, |row, column| lower[(first + column, row)]);
            self.add(product, 0, 0, true);
        }
    }

    fn add(&self, target: &mut Matrix, first_row: usize, first_column: usize, is_lower: bool) {
        let Self { left, right } = self;
        Products { target, first_row, first_column, left, right, is_lower }.add();
    }
}

/// Subtracts multiples.
fn subtract(from: &mut [f64], factor: f64, values: &[f64]) {
    from.iter_mut().zip(values).for_each(|(from, value)| *from -= factor * value);
}

/// The sum of products, in as many parts as processors add at a time.
fn product(one: &[f64], other: &[f64]) -> f64 {
    const PARTS: usize = 8;
    let mut sums = [0.0; PARTS];
    let (one, last_of_one) = one.as_chunks::<PARTS>();
    let (other, last_of_other) = other.as_chunks::<PARTS>();
    for (one, other) in one.iter().zip(other) {
        for (sum, (one, other)) in sums.iter_mut().zip(one.iter().zip(other)) {
            *sum += one * other;
        }
    }
    let last = last_of_one.iter().zip(last_of_other).map(|(one, other)| one * other);
    sums.iter().sum::<f64>() + last.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Correlations of places on a line, which are far from singular.
    fn correlations(n: usize) -> Matrix {
        let place = |row: usize| (row * row % 17) as f64 + row as f64 / 3.0;
        Matrix::from_fn(n, n, |row, column| {
            let noise = if row == column { 0.1 } else { 0.0 };
            (-(place(row) - place(column)).abs() / 4.0).exp() + noise
        })
    }

    /// The textbook's sums, product by product.
    fn textbook(matrix: &Matrix) -> (Matrix, Matrix, Matrix) {
        let n = matrix.n_rows();
        let mut lower = Matrix::zeros(n, n);
        for column in 0..n {
            for row in column..n {
                let mut sum = matrix[(row, column)];
                (0..column).for_each(|k| sum -= lower[(row, k)] * lower[(column, k)]);
                lower[(row, column)] =
                    if row == column { sum.sqrt() } else { sum / lower[(column, column)] };
            }
        }
        let mut inverted = Matrix::zeros(n, n);
        for column in 0..n {
            for row in column..n {
                let mut sum = f64::from(u8::from(row == column));
                (column..row).for_each(|k| sum -= lower[(row, k)] * inverted[(k, column)]);
                inverted[(row, column)] = sum / lower[(row, row)];
            }
        }
        let inverse = Matrix::from_fn(n, n, |row, column| {
            let mut sum = 0.0;
            (row.max(column)..n).for_each(|k| sum += inverted[(k, row)] * inverted[(k, column)]);
            sum
        });
        (lower, inverted, inverse)
    }

    /// Not only near: the order of sums does not depend on panels, tiles and registers.
    #[test]
    fn factors_and_inverses_are_the_textbooks_to_the_last_bit() {
        for n in [1, 2, 7, 8, 9, 31, 32, 33, 64, 70, 101] {
            let matrix = correlations(n);
            let (lower, _, inverse) = textbook(&matrix);
            let mut cholesky = Cholesky::new(n);
            // Memory that has served before.
            for _ in 0..2 {
                cholesky.matrix = matrix.clone();
                cholesky.factorise().expect("positive definite");
                for column in 0..n {
                    let found = &cholesky.lower.column(column)[column..];
                    assert_eq!(found, &lower.column(column)[column..], "{n}, column {column}");
                }
                cholesky.invert();
                for column in 0..n {
                    let found = &cholesky.inverse.column(column)[column..];
                    assert_eq!(found, &inverse.column(column)[column..], "{n}, column {column}");
                }
            }
            assert_eq!(factorised(&matrix), Some(lower.clone()));
            assert_eq!(super::inverse(&lower)[(n - 1, 0)], inverse[(n - 1, 0)]);
        }
    }

    #[test]
    fn products_of_factors_and_inverses_are_what_they_were_made_of() {
        let n = 90;
        let matrix = correlations(n);
        let lower = factorised(&matrix).expect("positive definite");
        let inverse = inverse(&lower);
        let inverse = |row: usize, column: usize| inverse[(row.max(column), row.min(column))];
        let right: Vec<f64> = (0..n).map(|row| (row as f64).sin()).collect();
        let solution = solve(&lower, &right);
        for row in 0..n {
            let found: f64 = (0..n).map(|k| matrix[(row, k)] * solution[k]).sum();
            assert!((found - right[row]).abs() < 1e-11, "{found} {}", right[row]);
            for column in 0..n {
                let product: f64 = (0..n).map(|k| lower[(row, k)] * lower[(column, k)]).sum();
                assert!((product - matrix[(row, column)]).abs() < 1e-13);
                let identity: f64 = (0..n).map(|k| matrix[(row, k)] * inverse(k, column)).sum();
                assert!((identity - f64::from(u8::from(row == column))).abs() < 1e-11);
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_has_no_factor() {
        let mut singular = correlations(40);
        for row in 0..40 {
            singular[(row, 39)] = singular[(row, 3)];
            singular[(39, row)] = singular[(3, row)];
        }
        singular[(39, 39)] = singular[(3, 3)] - 1e-9;
        assert_eq!(factorised(&singular), None);
        let mut unknown = correlations(40);
        unknown[(35, 2)] = f64::NAN;
        assert_eq!(factorised(&unknown), None);
        assert_eq!(factorised(&Matrix::zeros(0, 0)), Some(Matrix::zeros(0, 0)));
    }
}
