//! Out-of-bag statistics of the nodes of a tree.
//!
//! One tally of a tree serves all measures that see impurity through these rows.

use crate::data::{Training, TrainingResponse};
use crate::forest::{Placement, Router, Tree};

/// Weight, sums and squares of the responses of the out-of-bag rows of every node. Numbers are
/// counted from the tree's in-bag mean, so that a large common offset costs no digits.
#[derive(Debug, Clone)]
pub(crate) struct OutOfBagTally {
    n_outputs: usize,
    /// By node, in units.
    weights: Vec<f64>,
    /// By node, `n_outputs` each: weighted responses, those of classes being one-hot.
    sums: Vec<f64>,
    /// By node: weighted squares of numbers, of several ones summed; none for classes.
    squares: Vec<f64>,
}

impl OutOfBagTally {
    /// Sums the rows of the leaves up, then the leaves: O(rows + nodes * outputs).
    pub(crate) fn new(router: &Router<'_>, training: &Training, out_of_bag: &Placement) -> Self {
        let n_outputs = training.n_outputs();
        let n_nodes = router.tree.n_nodes();
        let n_squares = match training.response() {
            TrainingResponse::Numbers { .. } | TrainingResponse::Several(_) => n_nodes,
            TrainingResponse::Classes { .. } => 0,
        };
        let mut tally = Self {
            n_outputs,
            weights: vec![0.0; n_nodes],
            sums: vec![0.0; n_nodes * n_outputs],
            squares: vec![0.0; n_squares],
        };
        // Children come after their parents.
        for node in (0..n_nodes).rev() {
            match router.split(node) {
                None => tally.add_rows(router.tree, training, node, out_of_bag.rows(node)),
                Some(split) => {
                    router.tree.children(split).for_each(|child| tally.add_child(node, child));
                }
            }
        }
        tally
    }

    fn add_rows(&mut self, tree: &Tree, training: &Training, leaf: usize, rows: &[u32]) {
        let mut weight = 0.0;
        match training.response() {
            TrainingResponse::Numbers { centred, mean, .. } => {
                let origin = tree.value(0)[0] - mean;
                let (mut sum, mut squares) = (0.0, 0.0);
                for &row in rows {
                    let (counts, deviation) =
                        (training.weight(row), centred[row as usize] - origin);
                    weight += counts;
                    sum += counts * deviation;
                    squares += counts * deviation * deviation;
                }
                self.sums[leaf] = sum;
                self.squares[leaf] = squares;
            }
            TrainingResponse::Classes { codes, .. } => {
                for &row in rows {
                    let counts = training.weight(row);
                    weight += counts;
                    self.sums[leaf * self.n_outputs + codes[row as usize] as usize] += counts;
                }
            }
            TrainingResponse::Several(several) => {
                let root = tree.value(0);
                let sums = &mut self.sums[leaf * self.n_outputs..][..self.n_outputs];
                for &row in rows {
                    let counts = training.weight(row);
                    weight += counts;
                    for (output, value) in several.centred_row(row).iter().enumerate() {
                        let deviation = value - (root[output] - several.means[output]);
                        sums[output] += counts * deviation;
                        self.squares[leaf] += counts * deviation * deviation;
                    }
                }
            }
        }
        self.weights[leaf] = weight;
    }

    fn add_child(&mut self, node: usize, child: usize) {
        self.weights[node] += self.weights[child];
        if let Some(&squares) = self.squares.get(child) {
            self.squares[node] += squares;
        }
        let (above, below) = self.sums.split_at_mut(child * self.n_outputs);
        let sums = above[node * self.n_outputs..].iter_mut().zip(&below[..self.n_outputs]);
        sums.for_each(|(sum, more)| *sum += more);
    }

    /// Weight of the rows that reach a node.
    pub(crate) fn weight(&self, node: usize) -> f64 {
        self.weights[node]
    }

    /// Weighted sum of one output; of numbers, of their deviations from the tree's in-bag mean.
    pub(crate) fn sum(&self, node: usize, output: usize) -> f64 {
        self.sums[node * self.n_outputs + output]
    }

    /// Weighted sum of the squares of numbers' deviations; 0 for classes.
    pub(crate) fn squares(&self, node: usize) -> f64 {
        self.squares.get(node).copied().unwrap_or(0.0)
    }
}
