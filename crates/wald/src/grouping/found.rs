//! What is found among columns.

/// How much columns depend on each other, and the clusters they form.
#[derive(Debug, Clone, PartialEq)]
pub struct Dependences {
    /// Column by column in the order of the table, between 0 and 1; 1 on the diagonal.
    pub values: Vec<f64>,
    /// The merges of average linkage: a member of each of two clusters, and the mean dependence of
    /// their members; the closest clusters first.
    pub merges: Vec<(usize, usize, f64)>,
}

/// Names of groups with their columns.
pub(super) type Found = Vec<(String, Vec<usize>)>;
