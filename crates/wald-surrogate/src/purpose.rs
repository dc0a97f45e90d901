//! What random numbers are drawn for.

use wald::work::Purpose;

/// Draws of a surrogate.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Draws {
    /// Rows of the large sample.
    Rows,
    /// Inputs given others, for the exact conditional expectation.
    Conditional,
    /// Functions of the process.
    Paths,
    /// Folds of cross-validation.
    Folds,
    /// Rows of a sample that was given.
    Part,
}

impl From<Draws> for Purpose {
    fn from(draws: Draws) -> Self {
        Self::Surrogate { part: draws as u32 }
    }
}
