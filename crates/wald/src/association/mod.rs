//! Whether two variables are associated: the linear statistic of conditional inference with its
//! quadratic form and the chi-square distribution. Strasser & Weber 1999; Hothorn, Hornik &
//! Zeileis 2006.
//!
//! The statistic is T = SUM w g(x) h(y)^T, with g and h the number itself or indicators of levels.
//! Over all permutations its mean is (SUM w g) E\[h\]^T and its covariance W^2 / (W - 1) times the
//! Kronecker product of the variances of h and g, W being the sum of the weights. The quadratic
//! form of such a product is (W - 1) tr(V(g)^+ C V(h)^+ C^T), C being the covariance of g and h;
//! and V^+ of indicators acts on C like the diagonal of inverse shares. So no matrix is inverted:
//!
//! * numbers and numbers: (W - 1) r^2, one degree of freedom;
//! * levels and numbers: (W - 1) times the share of the variance between levels;
//! * levels and levels: (W - 1) / W times Pearson's chi-square.

pub mod case_weights;
pub mod cells;
mod chi_square;
pub mod compared;
mod direction;
mod independence;
mod pairs;
mod ranks;
mod screening;
mod serial;
#[cfg(test)]
mod tests;

pub use independence::{Independence, independence};
pub(crate) use pairs::Pairs;
pub use ranks::Ranked;
pub(crate) use screening::Screening;
pub use serial::changes_slowly;
pub(crate) use serial::{MATERIAL, STANDARD_ERRORS, serial_correlation, trend};
