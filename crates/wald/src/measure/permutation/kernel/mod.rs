//! What permutation measures share.

pub(in crate::measure) mod blocks;
pub(in crate::measure) mod expected_loss;
pub(in crate::measure) mod forest_loss;
pub(in crate::measure) mod increase;
pub(in crate::measure) mod leaf_loss;
pub(in crate::measure) mod moments;
pub(in crate::measure) mod off_path_loss;
pub(in crate::measure) mod permuted_loss;
pub(in crate::measure) mod test_loss;
pub(in crate::measure) mod within_cells;
