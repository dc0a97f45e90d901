//! The shares of in-bag rows on the edges of a tree.

use crate::forest::Tree;

/// By node, its share of the in-bag weight of its parent; 1 for the root. The children of a node
/// without in-bag rows, which only foreign trees have, share alike. `None` where weights are not
/// known.
pub(crate) fn shares(tree: &Tree) -> Option<Vec<f64>> {
    let statistics = tree.statistics()?;
    let mut shares = vec![1.0; tree.n_nodes()];
    for (_, split) in tree.splits() {
        let children = tree.children(split);
        // Children, not the node: other programs print rounded weights, but shares add up to 1.
        let total: f64 = children.clone().map(|child| statistics.weight(child)).sum();
        let alike = 1.0 / children.len() as f64;
        for child in children {
            shares[child] = if total > 0.0 { statistics.weight(child) / total } else { alike };
        }
    }
    Some(shares)
}

/// What a tree predicts if nothing is known of a row: the mean of its leaves, weighted
/// by the shares on the way to them. `node_values` holds `n_outputs` numbers per node, and what is found
/// is relative to the prediction of the root, so that a large offset costs no digits.
pub(crate) fn expected(
    tree: &Tree,
    shares: &[f64],
    node_values: &[f64],
    n_outputs: usize,
) -> Vec<f64> {
    let mut reach = vec![1.0; tree.n_nodes()];
    for (node, split) in tree.splits() {
        // Children come after their parents.
        tree.children(split).for_each(|child| reach[child] = reach[node] * shares[child]);
    }
    let mut sums = vec![0.0; n_outputs];
    for (node, content) in tree.nodes().iter().enumerate() {
        if *content == crate::forest::Node::Leaf {
            let values = &node_values[node * n_outputs..][..n_outputs];
            let values = values.iter().zip(&node_values[..n_outputs]);
            let terms = sums.iter_mut().zip(values);
            terms.for_each(|(sum, (value, root))| *sum += reach[node] * (value - root));
        }
    }
    sums
}
