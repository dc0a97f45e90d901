//! What happens when a group's out-of-bag values are permuted by one given permutation.

use crate::data::weighted_donors;
use crate::error::Error;
use crate::forest::Aggregation;
use crate::measure::kernel::changes::Changes;
use crate::measure::kernel::first_splits::first_uses;
use crate::measure::kernel::node_predictions::NodePredictions;
use crate::measure::kernel::packed_split::{LEAF, PackedSplit};
use crate::measure::permutation::kernel::leaf_loss::LeafLoss;
use crate::pass::{Subject, TreeView};
use crate::random::{Purpose, Stream};
use crate::setting;

/// A tree whose out-of-bag rows are permuted, one group of columns after the other.
pub(crate) struct PermutedTree<'a> {
    view: &'a TreeView<'a>,
    /// The out-of-bag rows, increasing.
    rows: Vec<u32>,
    /// The splits of all nodes, where each states which side every code goes to.
    splits: Option<Vec<PackedSplit>>,
}

impl<'a> PermutedTree<'a> {
    /// Cost O(nodes + rows log rows).
    pub(crate) fn new(view: &'a TreeView<'a>) -> Self {
        let mut rows = view.out_of_bag.all().to_vec();
        rows.sort_unstable();
        let splits: Vec<PackedSplit> = PackedSplit::all(view).collect();
        let are_known = splits.iter().all(|split| split.group == LEAF || split.knows_sides());
        Self { view, rows, splits: are_known.then_some(splits) }
    }

    /// A random permutation of the out-of-bag rows for one group; with case weights, values are given
    /// away in proportion to them.
    pub(crate) fn random_order(&self, seed: u64, repeat: u32, group: usize) -> Vec<u32> {
        let column = self.view.key_column(group);
        let mut stream =
            Stream::new(seed, self.view.index, Purpose::Permutation { column, repeat });
        let places: Vec<u32> = (0..self.rows.len() as u32).collect();
        shuffled(self.view, &self.rows, &places, &mut stream)
    }

    /// The r-th of the out-of-bag rows (increasing) receives the value of the `order[r]`-th.
    fn permuted(&'a self, group: usize, order: &[u32]) -> Permuted<'a> {
        let mut donor = vec![0; self.view.training.n_rows()];
        for (&row, &from) in self.rows.iter().zip(order) {
            donor[row as usize] = self.rows[from as usize];
        }
        Permuted { tree: self, group, donor }
    }
}

/// One group of columns permuted among the out-of-bag rows of one tree.
struct Permuted<'a> {
    tree: &'a PermutedTree<'a>,
    group: usize,
    /// Per training row, the row whose value it receives.
    donor: Vec<u32>,
}

impl Permuted<'_> {
    /// The leaf that a row below `node`, the first split on the group on its path, ends in.
    fn leaf(&self, node: usize, row: u32) -> usize {
        let view = self.tree.view;
        let features = view.training.features();
        let code = |column: u32, is_permuted: bool| {
            let from = if is_permuted { self.donor[row as usize] } else { row };
            features.column(column).codes()[from as usize]
        };
        let Some(splits) = &self.tree.splits else {
            let of_column = |column| code(column, view.group(column) == self.group);
            return view.router().descend(node, of_column);
        };
        let mut node = node;
        loop {
            let split = splits[node];
            if split.group == LEAF {
                return node;
            }
            let code = code(split.column() as u32, split.group as usize == self.group);
            node = (split.first_child + split.right_of(code)) as usize;
        }
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
        tree: &'a PermutedTree<'a>,
        loss: &'a LeafLoss<'a>,
        group: usize,
        order: &[u32],
    ) -> Self {
        Self { permuted: tree.permuted(group, order), loss }
    }

    /// Loss of the out-of-bag rows below `node`, the first split on the group on their path.
    pub(crate) fn below(&self, node: usize) -> f64 {
        self.rows_below(node, self.permuted.tree.view.out_of_bag.rows(node))
    }

    /// The same for some of these rows.
    pub(crate) fn rows_below(&self, node: usize, rows: &[u32]) -> f64 {
        rows.iter().map(|&row| self.loss.row(self.permuted.leaf(node, row), row)).sum()
    }
}

/// Changes of the predictions of all out-of-bag rows that end in another leaf when a group is
/// permuted; `order_of` gives the permutation of a group.
pub(crate) fn permuted_changes(
    tree: &PermutedTree<'_>,
    aggregation: Aggregation,
    order_of: impl Fn(usize) -> Vec<u32>,
) -> Changes {
    let view = tree.view;
    let predictions = NodePredictions::new(view, aggregation);
    let mut found = Changes::default();
    for uses in first_uses(view).chunk_by(|a, b| a.0 == b.0) {
        let group = uses[0].0;
        let permuted = tree.permuted(group, &order_of(group));
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
