//! Projected trees, and trees whose branches are grown again.

pub(in crate::measure) mod masking;
pub(in crate::measure) mod projected_cart;
pub(in crate::measure) mod regrow;
pub(in crate::measure) mod sets;
