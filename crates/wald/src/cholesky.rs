//! Symmetric positive definite systems.

/// A pivot below this share of the largest diagonal entry is zero.
const NOTHING: f64 = 1e-10;

/// The lower triangular factor L of a matrix L L'.
#[derive(Debug)]
pub(crate) struct Cholesky {
    /// Row after row; what is above the diagonal is not read.
    factor: Vec<f64>,
    n: usize,
}

impl Cholesky {
    /// Of an n * n matrix, whose lower triangle is read; `None` where it has no factor. Cost O(n^3).
    pub(crate) fn new(mut matrix: Vec<f64>, n: usize) -> Option<Self> {
        let largest = (0..n).map(|at| matrix[at * n + at]).fold(0.0, f64::max);
        for row in 0..n {
            let (above, own) = matrix.split_at_mut(row * n);
            for column in 0..row {
                let other = &above[column * n..=column * n + column];
                let before: f64 = own[..column].iter().zip(other).map(|(a, b)| a * b).sum();
                own[column] = (own[column] - before) / other[column];
            }
            let before: f64 = own[..row].iter().map(|entry| entry * entry).sum();
            let pivot = own[row] - before;
            if pivot.is_nan() || pivot <= NOTHING * largest {
                return None;
            }
            own[row] = pivot.sqrt();
        }
        Some(Self { factor: matrix, n })
    }

    /// Replaces the right side by the solution. Cost O(n^2).
    pub(crate) fn solve(&self, right: &mut [f64]) {
        self.divide(right);
        self.divide_transposed(right);
    }

    /// Replaces x by the solution y of L y = x. Cost O(n^2).
    pub(crate) fn divide(&self, right: &mut [f64]) {
        let n = self.n;
        for row in 0..n {
            let own = &self.factor[row * n..=row * n + row];
            let before: f64 = own[..row].iter().zip(&right[..row]).map(|(a, b)| a * b).sum();
            right[row] = (right[row] - before) / own[row];
        }
    }

    /// Replaces x by the solution y of L' y = x. Cost O(n^2).
    pub(crate) fn divide_transposed(&self, right: &mut [f64]) {
        let n = self.n;
        for row in (0..n).rev() {
            let after: f64 = (row + 1..n).map(|k| self.factor[k * n + row] * right[k]).sum();
            right[row] = (right[row] - after) / self.factor[row * n + row];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A = M M' of a small M; the solution of A x = A (1, -2, 3) is (1, -2, 3).
    #[test]
    fn systems_are_solved_and_singular_ones_refused() {
        let rows = [[2.0, 0.0, 0.0], [1.0, 3.0, 0.0], [-1.0, 0.5, 0.25]];
        let product = |one: usize, other: usize| -> f64 {
            rows[one].iter().zip(&rows[other]).map(|(a, b)| a * b).sum()
        };
        let matrix: Vec<f64> = (0..9).map(|at| product(at / 3, at % 3)).collect();
        let wanted = [1.0, -2.0, 3.0];
        let mut right: Vec<f64> = matrix
            .chunks_exact(3)
            .map(|row| row.iter().zip(&wanted).map(|(a, b)| a * b).sum())
            .collect();
        let factored = Cholesky::new(matrix, 3).expect("positive definite");
        factored.solve(&mut right);
        for (found, wanted) in right.iter().zip(&wanted) {
            assert!((found - wanted).abs() < 1e-12, "{right:?}");
        }
        assert!(Cholesky::new(vec![1.0, 1.0, 1.0, 1.0], 2).is_none());
        assert!(Cholesky::new(vec![f64::NAN], 1).is_none());
    }
}
