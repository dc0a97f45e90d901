//! The predictions of the leaves of one tree.

use crate::forest::Aggregation;
use crate::pass::TreeView;

/// The predictions of the nodes of a tree, as if they were leaves, as it counts in the forest's
/// prediction: means, or votes.
#[derive(Debug)]
pub(crate) struct NodePredictions {
    n_outputs: usize,
    values: Vec<f64>,
    /// The leaf that every out-of-bag row ends in, by training row.
    leaf_of: Vec<u32>,
}

impl NodePredictions {
    /// Cost O(nodes * outputs + rows).
    pub(crate) fn new(view: &TreeView<'_>, aggregation: Aggregation) -> Self {
        let n_outputs = view.training.n_outputs();
        let mut values = vec![0.0; view.ranked.nodes.len() * n_outputs];
        for (node, value) in values.chunks_exact_mut(n_outputs).enumerate() {
            aggregation.add(view.tree, node, value);
        }
        let mut leaf_of = vec![0; view.training.n_rows()];
        for leaf in view.leaves() {
            let rows = view.out_of_bag.rows(leaf).iter();
            rows.for_each(|&row| leaf_of[row as usize] = leaf as u32);
        }
        Self { n_outputs, values, leaf_of }
    }

    /// `n_outputs` numbers.
    pub(crate) fn by(&self, node: usize) -> &[f64] {
        &self.values[node * self.n_outputs..(node + 1) * self.n_outputs]
    }

    /// The leaf that an out-of-bag row ends in.
    pub(crate) fn leaf_of(&self, row: u32) -> usize {
        self.leaf_of[row as usize] as usize
    }
}
