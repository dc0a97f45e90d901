//! What Shapley measures share.

pub(in crate::measure) mod over_rows;
