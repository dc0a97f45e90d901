//! A forest as weights of its training rows.
//!
//! What a forest predicts for a row is a weighted mean of the responses of its training rows
//! (Meinshausen 2006, JMLR 7, eqs. 4 and 5). In a tree, the rows of the bag that share the leaf of row i
//! divide a weight of 1 among them, by how often they were drawn and by their case weights; the
//! weight `w_i(j)` of row j is the mean over the trees. Of a training row, the trees that did not see
//! it count: these weights are the proximities RF-GAP of Rhodes, Cutler & Moon (2023, IEEE TPAMI
//! 45), and the weighted mean is the out-of-bag prediction.
//!
//! Quantiles of the response follow from the same weights, as do scores of outlying rows and
//! prototypes of classes (Breiman & Cutler, manual of random forests). All of them work on blocks of
//! rows: most weights are 0, and no matrix of all pairs of rows is held.

mod centre;
mod coverage;
mod members;
mod of_rows;
mod outliers;
mod output;
mod prototypes;
mod quantiles;
mod score;
mod sums;
mod weigher;

pub use centre::Centre;
pub(crate) use members::{Members, Span};
pub use of_rows::Weights;
pub use output::{Placed, QuantilePredictions};
pub use prototypes::Prototype;
pub use quantiles::Quantiles;
pub(crate) use quantiles::ranked;
pub(crate) use score::Score;
pub(crate) use sums::Sums;
pub(crate) use weigher::{Drawn, NONE};
pub use weigher::{Rows, bytes};
