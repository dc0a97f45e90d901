//! What measures of several families share.

pub(crate) mod altered_predictions;
pub(crate) mod cells;
pub(crate) mod changes;
pub(crate) mod donors;
pub(crate) mod errors_of_rows;
pub(crate) mod excess;
pub(crate) mod first_splits;
pub(crate) mod influences;
pub(crate) mod node_predictions;
pub(crate) mod over_trees;
pub(crate) mod packed_split;
pub(crate) mod part;
pub(crate) mod residuals;
pub(crate) mod row_sums;
pub(crate) mod running_means;
pub(crate) mod test_rows;
pub(crate) mod used_features;
