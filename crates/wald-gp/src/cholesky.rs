//! Division of correlations into triangular factors, in memory that is used again and again: it grows
//! with the square of the number of runs, and to ask the system for it takes as long as to compute.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::{Mat, MatRef, Par, Spec};

/// A matrix, what it is divided into, and its inverse. Only what is on and below the diagonal is used.
pub(crate) struct Cholesky {
    pub(crate) matrix: Mat<f64>,
    pub(crate) lower: Mat<f64>,
    pub(crate) inverse: Mat<f64>,
    memory: MemBuffer,
}

impl Cholesky {
    pub(crate) fn new(n: usize) -> Self {
        let of_factor = llt::factor::cholesky_in_place_scratch::<f64>(n, Par::Seq, Spec::default());
        let of_inverse = llt::inverse::inverse_scratch::<f64>(n, Par::Seq);
        Self {
            matrix: Mat::zeros(n, n),
            lower: Mat::zeros(n, n),
            inverse: Mat::zeros(n, n),
            memory: MemBuffer::new(of_factor.or(of_inverse)),
        }
    }

    /// `None` where the matrix is too close to singular.
    pub(crate) fn factorise(&mut self) -> Option<()> {
        self.lower.copy_from_triangular_lower(&self.matrix);
        let stack = MemStack::new(&mut self.memory);
        let none = llt::factor::LltRegularization::default();
        let lower = self.lower.as_mut();
        llt::factor::cholesky_in_place(lower, none, Par::Seq, stack, Spec::default()).ok()?;
        Some(())
    }

    pub(crate) fn invert(&mut self) {
        let stack = MemStack::new(&mut self.memory);
        llt::inverse::inverse(self.inverse.as_mut(), self.lower.as_ref(), Par::Seq, stack);
    }
}

/// The inverse of a matrix with the given factor; what is above its diagonal is not set.
pub(crate) fn inverse(lower: MatRef<'_, f64>) -> Mat<f64> {
    let n = lower.nrows();
    let mut found = Mat::zeros(n, n);
    let stack = &mut MemBuffer::new(llt::inverse::inverse_scratch::<f64>(n, Par::Seq));
    llt::inverse::inverse(found.as_mut(), lower, Par::Seq, MemStack::new(stack));
    found
}

/// The inverse of a matrix with the given factor, times a column.
pub(crate) fn solve(lower: MatRef<'_, f64>, right: &[f64]) -> Vec<f64> {
    let mut solution = Mat::from_fn(right.len(), 1, |row, _| right[row]);
    let stack =
        &mut MemBuffer::new(llt::solve::solve_in_place_scratch::<f64>(right.len(), 1, Par::Seq));
    llt::solve::solve_in_place(lower, solution.as_mut(), Par::Seq, MemStack::new(stack));
    (0..right.len()).map(|row| solution[(row, 0)]).collect()
}
