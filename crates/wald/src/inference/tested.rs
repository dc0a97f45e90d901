//! The p-values of one measure.

/// The p-values of one measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Tested {
    /// Identifier of the measure.
    pub id: &'static str,
    /// One per variable; `None` where its importance is undefined or has no null distribution.
    pub p_values: Vec<Option<f64>>,
    /// The number of importances of irrelevant variables with which each was compared.
    pub null_sizes: Vec<u32>,
    /// What the reader must know about the p-values.
    pub notes: Vec<String>,
}
