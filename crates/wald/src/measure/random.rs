//! The loss when a column's out-of-bag values are permuted by one given permutation.

use crate::forest::TreeView;
use crate::measure::leaf_loss::LeafLoss;

/// Permutes columns among the out-of-bag rows of one tree.
pub(crate) struct PermutedLoss<'a> {
    view: &'a TreeView<'a>,
    loss: &'a LeafLoss<'a>,
    /// The out-of-bag rows, increasing.
    rows: Vec<u32>,
    /// Per training row, the row whose value it receives.
    donor: Vec<u32>,
}

impl<'a> PermutedLoss<'a> {
    pub(crate) fn new(view: &'a TreeView<'a>, loss: &'a LeafLoss<'a>) -> Self {
        let mut rows = view.out_of_bag.all().to_vec();
        rows.sort_unstable();
        Self { view, loss, rows, donor: vec![0; view.training.n_rows()] }
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// From now on the r-th out-of-bag row receives the value of the `order[r]`-th.
    pub(crate) fn permute(&mut self, order: &[u32]) {
        for (&row, &from) in self.rows.iter().zip(order) {
            self.donor[row as usize] = self.rows[from as usize];
        }
    }

    /// Loss of the out-of-bag rows below `node`, the first split on the column on their path.
    pub(crate) fn below(&self, node: usize, column: u32) -> f64 {
        let router = self.view.router();
        let features = self.view.training.features();
        let rows = self.view.out_of_bag.rows(node);
        rows.iter()
            .map(|&row| {
                let leaf = router.descend(node, |asked| {
                    let from = if asked == column { self.donor[row as usize] } else { row };
                    features.column(asked).codes()[from as usize]
                });
                self.loss.row(leaf, row)
            })
            .sum()
    }
}
