//! The loss when a group's out-of-bag values are permuted by one given permutation.

use crate::forest::TreeView;
use crate::measure::leaf_loss::LeafLoss;

/// One group of columns permuted among the out-of-bag rows of one tree.
pub(crate) struct PermutedLoss<'a> {
    view: &'a TreeView<'a>,
    loss: &'a LeafLoss<'a>,
    group: usize,
    /// Per training row, the row whose value it receives.
    donor: Vec<u32>,
}

impl<'a> PermutedLoss<'a> {
    /// The r-th of the out-of-bag rows (increasing) receives the value of the `order[r]`-th.
    pub(crate) fn new(
        view: &'a TreeView<'a>,
        loss: &'a LeafLoss<'a>,
        group: usize,
        order: &[u32],
    ) -> Self {
        let mut rows = view.out_of_bag.all().to_vec();
        rows.sort_unstable();
        let mut donor = vec![0; view.training.n_rows()];
        for (&row, &from) in rows.iter().zip(order) {
            donor[row as usize] = rows[from as usize];
        }
        Self { view, loss, group, donor }
    }

    /// Loss of the out-of-bag rows below `node`, the first split on the group on their path.
    pub(crate) fn below(&self, node: usize) -> f64 {
        let router = self.view.router();
        let features = self.view.training.features();
        let rows = self.view.out_of_bag.rows(node);
        rows.iter()
            .map(|&row| {
                let leaf = router.descend(node, |asked| {
                    let from = if self.view.group(asked) == self.group {
                        self.donor[row as usize]
                    } else {
                        row
                    };
                    features.column(asked).codes()[from as usize]
                });
                self.loss.row(leaf, row)
            })
            .sum()
    }
}
