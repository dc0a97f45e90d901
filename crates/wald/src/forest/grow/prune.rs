//! Pruning: splits that a tree as a whole does not keep become leaves.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::forest::grow::order::in_order;
use crate::forest::ranked::{RankedNode, RankedTree};
use crate::forest::settings::Settings;
use crate::forest::tree::{Node, NodeStatistics, Tree};

/// Prunes a grown tree to the limits in the settings, that of the leaves first.
pub(super) fn prune(settings: &Settings, tree: Tree, ranked: RankedTree) -> (Tree, RankedTree) {
    let (most_leaves, alpha) = (settings.max_leaf_nodes, settings.ccp_alpha);
    let mut grown = (tree, ranked);
    if most_leaves < usize::MAX {
        grown = pruned(grown, |tree, known| best_first(tree, known, most_leaves));
    }
    if alpha > 0.0 {
        grown = pruned(grown, |tree, known| cheapest(tree, known, alpha));
    }
    grown
}

/// The tree with those splits that are kept.
fn pruned(
    (mut tree, mut ranked): (Tree, RankedTree),
    keeps: impl Fn(&Tree, &NodeStatistics) -> Vec<bool>,
) -> (Tree, RankedTree) {
    let Some(known) = &tree.statistics else { return (tree, ranked) };
    let keeps = keeps(&tree, known);
    for (node, _) in keeps.iter().enumerate().filter(|(_, keeps)| !**keeps) {
        tree.nodes[node] = Node::Leaf;
        ranked.nodes[node] = RankedNode::Leaf;
    }
    in_order(tree, &ranked)
}

/// The splits of a tree that is grown best first: of all leaves the one is divided whose split decreases
/// the impurity most, until there are `most_leaves` (Friedman, Hastie & Tibshirani 2000, Section 8; the
/// `max_leaf_nodes` of scikit-learn). Of equal ones it is the first in the order of the nodes.
/// Cost O(nodes log nodes).
fn best_first(tree: &Tree, known: &NodeStatistics, most_leaves: usize) -> Vec<bool> {
    let mut keeps = vec![false; tree.nodes.len()];
    let mut leaves = BinaryHeap::new();
    let mut n_leaves = 1;
    let offer = |node: usize, leaves: &mut BinaryHeap<(u64, Reverse<usize>)>| {
        if let Node::Split(split) = &tree.nodes[node] {
            let below = tree.children(split).map(|child| cost(known, child)).sum::<f64>();
            // Positive numbers are in the order of their bits.
            let decrease = (cost(known, node) - below).max(0.0);
            leaves.push((decrease.to_bits(), Reverse(node)));
        }
    };
    offer(0, &mut leaves);
    while let Some((_, Reverse(node))) = leaves.pop() {
        let Node::Split(split) = &tree.nodes[node] else { continue };
        let more = tree.n_children(split) as usize - 1;
        // A split into many leaves may be too large where a smaller one is not.
        if n_leaves + more <= most_leaves {
            n_leaves += more;
            keeps[node] = true;
            tree.children(split).for_each(|child| offer(child, &mut leaves));
        }
    }
    keeps
}

/// The splits of the smallest pruned tree whose cost is least, where each leaf costs its impurity, as its
/// share of the weight, and `alpha` more (Breiman, Friedman, Olshen & Stone 1984, Section 3.3: minimal
/// cost-complexity pruning). Branch by branch from below this is the tree that pruning weakest links
/// one after the other ends with (their Theorem 3.10). Cost O(nodes).
fn cheapest(tree: &Tree, known: &NodeStatistics, alpha: f64) -> Vec<bool> {
    let of_leaf = alpha * known.weights.first().copied().unwrap_or_default();
    let mut keeps = vec![false; tree.nodes.len()];
    let mut least = vec![0.0; tree.nodes.len()];
    // Children come after their parents.
    for (node, content) in tree.nodes.iter().enumerate().rev() {
        let alone = cost(known, node) + of_leaf;
        least[node] = alone;
        if let Node::Split(split) = content {
            let below = tree.children(split).map(|child| least[child]).sum::<f64>();
            keeps[node] = below < alone;
            least[node] = below.min(alone);
        }
    }
    keeps
}

/// What a leaf at a node costs: impurity times weight.
fn cost(known: &NodeStatistics, node: usize) -> f64 {
    known.weights[node] * known.impurities[node]
}
