//! The mark and the version of the format.

/// The value of the field `format`.
pub(super) const FORMAT: &str = "wald-forest";

/// The version that is written, and the only one that is read.
pub(super) const VERSION: u64 = 1;
