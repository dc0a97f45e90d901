//! What impurity measures share.

pub(in crate::measure) mod degrees;
pub(in crate::measure) mod mirrored_null;
pub(in crate::measure) mod node_terms;
