//! The loss when a group's out-of-bag values are permuted by one given permutation.

use crate::forest::TreeView;
use crate::measure::leaf_loss::LeafLoss;
use crate::random::Stream;

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

/// Donors of some of the out-of-bag rows, in random order: `places` are theirs in the increasing
/// list of all of them, and so are the donors'.
///
/// There are as many donors as rows, each row in proportion to its case weight (systematic
/// sampling, from a uniform start): a row of weight 2 stands for two rows. Without weights every
/// row gives its value once.
pub(crate) fn shuffled(
    view: &TreeView<'_>,
    (rows, places): (&[u32], &[u32]),
    stream: &mut Stream,
) -> Vec<u32> {
    let mut donors = if view.training.is_weighted() {
        by_weight(places, |place| view.training.weight(rows[place as usize]), stream.unit())
    } else {
        places.to_vec()
    };
    stream.shuffle(&mut donors);
    donors
}

fn by_weight(places: &[u32], weight: impl Fn(u32) -> f64, start: f64) -> Vec<u32> {
    let total: f64 = places.iter().map(|&place| weight(place)).sum();
    let step = total / places.len() as f64;
    let mut donors = Vec::with_capacity(places.len());
    let mut cumulated = 0.0;
    let mut last = places.first().copied().unwrap_or_default();
    for &place in places {
        let weight = weight(place);
        cumulated += weight;
        if weight > 0.0 {
            last = place;
        }
        while donors.len() < places.len() && (donors.len() as f64 + start) * step < cumulated {
            donors.push(place);
        }
    }
    // What rounding left over.
    donors.resize(places.len(), last);
    donors
}
