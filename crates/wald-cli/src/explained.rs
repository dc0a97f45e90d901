//! What `wald explain` found, whatever its shape.

use wald::Forest;
use wald::explain::{ExplanationInfo, Layout};

/// Numbers with what describes them.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    pub(crate) info: &'static ExplanationInfo,
    pub(crate) forest: &'a Forest,
    pub(crate) layout: &'a Layout,
    /// Record after record.
    pub(crate) values: &'a [f64],
    /// The rows of the table that the records tell of, counted from 1.
    pub(crate) places: &'a [u32],
}
