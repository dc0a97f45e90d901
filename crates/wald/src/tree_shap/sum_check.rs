//! Values add up to predictions, which is checked wherever they are computed.

use crate::error::Error;

/// By how much values and predictions may differ, in units of the spread of the leaves.
const TOLERANCE: f64 = 1e-9;

/// What the values of a row are to add up to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sums<'a> {
    pub(crate) measure: &'static str,
    pub(crate) row: usize,
    /// By output: the prediction, counted from what is expected.
    pub(crate) known: &'a [f64],
    /// The size of the numbers that were added up.
    pub(crate) spread: f64,
}

impl Sums<'_> {
    /// Checks values by variable and output.
    ///
    /// # Errors
    /// [`Error::Inconsistent`].
    pub(crate) fn check(&self, values: &[f64]) -> Result<(), Error> {
        let mut sums = vec![0.0; self.known.len()];
        for of_variable in values.chunks_exact(sums.len()) {
            sums.iter_mut().zip(of_variable).for_each(|(sum, value): (&mut f64, _)| *sum += value);
        }
        for (sum, known) in sums.into_iter().zip(self.known) {
            // Written so that a sum which is not a number is far, too.
            let is_close = (sum - known).abs() <= TOLERANCE * self.spread;
            if !is_close {
                return Err(Error::Inconsistent {
                    what: format!(
                        "the values of `{}` for row {} add up to {sum}, but the prediction is \
                         {known} above what is expected",
                        self.measure,
                        self.row + 1
                    ),
                });
            }
        }
        Ok(())
    }
}
