//! What happens when a group's out-of-bag values are permuted by one given permutation.

use crate::data::weighted_donors;
use crate::error::Error;
use crate::forest::Aggregation;
use crate::measure::kernel::changes::Changes;
use crate::measure::kernel::first_splits::first_uses;
use crate::measure::kernel::node_predictions::NodePredictions;
use crate::measure::permutation::kernel::leaf_loss::LeafLoss;
use crate::pass::{Subject, TreeView};
use crate::random::{Purpose, Stream};
use crate::setting;

/// One group of columns permuted among the out-of-bag rows of one tree.
struct Permuted<'a> {
    view: &'a TreeView<'a>,
    group: usize,
    /// Per training row, the row whose value it receives.
    donor: Vec<u32>,
}

impl<'a> Permuted<'a> {
    /// The r-th of the out-of-bag rows (increasing) receives the value of the `order[r]`-th.
    fn new(view: &'a TreeView<'a>, group: usize, order: &[u32]) -> Self {
        let rows = increasing(view);
        let mut donor = vec![0; view.training.n_rows()];
        for (&row, &from) in rows.iter().zip(order) {
            donor[row as usize] = rows[from as usize];
        }
        Self { view, group, donor }
    }

    /// The leaf that a row below `node`, the first split on the group on its path, ends in.
    fn leaf(&self, node: usize, row: u32) -> usize {
        let features = self.view.training.features();
        self.view.router().descend(node, |asked| {
            let is_permuted = self.view.group(asked) == self.group;
            let from = if is_permuted { self.donor[row as usize] } else { row };
            features.column(asked).codes()[from as usize]
        })
    }
}

/// The loss of rows of one tree with one group of columns permuted.
pub(crate) struct PermutedLoss<'a> {
    permuted: Permuted<'a>,
    loss: &'a LeafLoss<'a>,
}

impl<'a> PermutedLoss<'a> {
    /// The r-th of the out-of-bag rows (increasing) receives the value of the `order[r]`-th.
    pub(crate) fn new(
        view: &'a TreeView<'a>,
        loss: &'a LeafLoss<'a>,
        group: usize,
        order: &[u32],
    ) -> Self {
        Self { permuted: Permuted::new(view, group, order), loss }
    }

    /// Loss of the out-of-bag rows below `node`, the first split on the group on their path.
    pub(crate) fn below(&self, node: usize) -> f64 {
        self.rows_below(node, self.permuted.view.out_of_bag.rows(node))
    }

    /// The same for some of these rows.
    pub(crate) fn rows_below(&self, node: usize, rows: &[u32]) -> f64 {
        rows.iter().map(|&row| self.loss.row(self.permuted.leaf(node, row), row)).sum()
    }
}

/// Changes of the predictions of all out-of-bag rows that end in another leaf when a group is
/// permuted; `order_of` gives the permutation of a group.
pub(crate) fn permuted_changes(
    view: &TreeView<'_>,
    aggregation: Aggregation,
    order_of: impl Fn(usize) -> Vec<u32>,
) -> Changes {
    let predictions = NodePredictions::new(view, aggregation);
    let mut found = Changes::default();
    for uses in first_uses(view).chunk_by(|a, b| a.0 == b.0) {
        let group = uses[0].0;
        let permuted = Permuted::new(view, group, &order_of(group));
        for node in uses.iter().map(|&(_, node)| node as usize) {
            if view.progress.is_cancelled() {
                return found;
            }
            for &row in view.out_of_bag.rows(node) {
                let (own, leaf) = (predictions.leaf_of(row), permuted.leaf(node, row));
                if leaf != own {
                    found.rows.push(row);
                    found.groups.push(group as u32);
                    let changes = predictions
                        .by(leaf)
                        .iter()
                        .zip(predictions.by(own))
                        .map(|(new, old)| new - old);
                    found.amounts.extend(changes);
                }
            }
        }
    }
    found
}

/// A random permutation of the out-of-bag rows of a tree for one group; with case weights, values
/// are given away in proportion to them.
pub(crate) fn random_order(view: &TreeView<'_>, seed: u64, repeat: u32, group: usize) -> Vec<u32> {
    let column = view.key_column(group);
    let mut stream = Stream::new(seed, view.index, Purpose::Permutation { column, repeat });
    let rows = increasing(view);
    let places: Vec<u32> = (0..rows.len() as u32).collect();
    shuffled(view, &rows, &places, &mut stream)
}

/// Donors of some of the out-of-bag rows, in random order: `places` are theirs in the increasing
/// list of all of them, and so are the donors'.
///
/// There are as many donors as rows, each row in proportion to its case weight. Without weights
/// every row gives its value once.
pub(crate) fn shuffled(
    view: &TreeView<'_>,
    rows: &[u32],
    places: &[u32],
    stream: &mut Stream,
) -> Vec<u32> {
    let mut donors = if view.training.is_weighted() {
        let weights = places.iter().map(|&place| view.training.weight(rows[place as usize]));
        let donors = weighted_donors(weights, stream.unit());
        donors.into_iter().map(|donor| places[donor as usize]).collect()
    } else {
        places.to_vec()
    };
    stream.shuffle(&mut donors);
    donors
}

/// The given permutation of a group: its columns are permuted together, as the first one is.
pub(crate) fn given_order(view: &TreeView<'_>, given: &[Vec<Vec<u32>>], group: usize) -> Vec<u32> {
    given[view.index][view.groups.members()[group][0] as usize].clone()
}

/// Refuses given permutations that do not fit the forest.
pub(crate) fn check_given(given: &[Vec<Vec<u32>>], subject: Subject<'_>) -> Result<(), Error> {
    let refuse = |what: String| {
        Err(Error::bad_setting(
            setting::PERMUTATIONS,
            what,
            "give one permutation per tree, variable and out-of-bag row",
        ))
    };
    let bags = subject.forest.bags().unwrap_or_default();
    if given.len() != bags.len() {
        return refuse(format!("permutations for {} trees were given", given.len()));
    }
    for (tree, (columns, bag)) in given.iter().zip(bags).enumerate() {
        let n_rows = bag.out_of_bag().count();
        if columns.len() != subject.forest.features().len() {
            return refuse(format!("tree {tree} has permutations for {} variables", columns.len()));
        }
        for order in columns {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            if !sorted.iter().copied().eq(0..n_rows as u32) {
                return refuse(format!("tree {tree} has an order that is not a permutation"));
            }
        }
    }
    Ok(())
}

fn increasing(view: &TreeView<'_>) -> Vec<u32> {
    let mut rows = view.out_of_bag.all().to_vec();
    rows.sort_unstable();
    rows
}
