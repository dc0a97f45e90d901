//! The importances whose errors and p-values are computed.

use crate::importance::Importance;
use crate::measure::Measure;

/// Measures, and their importances in the forest on the whole table.
#[derive(Debug, Clone, Copy)]
pub struct Observed<'a> {
    /// The measures.
    pub measures: &'a [Measure],
    /// The importances, in the order of the measures.
    pub importances: &'a [Importance],
}

impl<'a> Observed<'a> {
    /// The importances of these measures, in their order.
    pub fn new(measures: &'a [Measure], importances: &'a [Importance]) -> Self {
        Self { measures, importances }
    }
}
