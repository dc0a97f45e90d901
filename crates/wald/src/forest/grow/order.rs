//! The order of nodes in memory.

use crate::forest::ranked::{RankedNode, RankedTree};
use crate::forest::tree::{Node, NodeStatistics, Rule, Split, Tree};

/// The nodes that the root leads to, numbered as one thread would have grown them: the children of a node
/// together, the first branch before the others.
pub(super) fn in_order(tree: Tree, ranked: &RankedTree) -> (Tree, RankedTree) {
    let n_outputs = tree.n_outputs();
    let mut old_of = vec![0];
    let (mut level_sets, mut branches) = (Vec::new(), Vec::new());
    let mut set_of = vec![0; tree.level_sets.len()];
    let mut table_of = vec![0; tree.branches.len()];
    let mut first_child_of = vec![0; tree.nodes.len()];
    let mut pending = vec![0];
    while let Some(old) = pending.pop() {
        if let Node::Split(split) = &tree.nodes[old as usize] {
            first_child_of[old as usize] = old_of.len() as u32;
            let children = split.first_child..split.first_child + tree.n_children(split);
            old_of.extend(children.clone());
            pending.extend(children.rev());
            match split.rule {
                Rule::Levels { set, .. } => {
                    set_of[set as usize] = level_sets.len() as u32;
                    level_sets.push(tree.level_sets[set as usize].clone());
                }
                Rule::Multiway { table } => {
                    table_of[table as usize] = branches.len() as u32;
                    branches.push(tree.branches[table as usize].clone());
                }
                Rule::AtMost { .. } | Rule::Present => {}
            }
        }
    }
    level_sets.shrink_to_fit();
    branches.shrink_to_fit();
    let mut new_tree = Tree {
        nodes: Vec::with_capacity(old_of.len()),
        values: Vec::with_capacity(old_of.len() * n_outputs),
        statistics: None,
        level_sets,
        branches,
        met: None,
    };
    let mut new_ranked = RankedTree { nodes: Vec::with_capacity(old_of.len()) };
    for &old in &old_of {
        let first_child = first_child_of[old as usize];
        new_tree.nodes.push(match tree.nodes[old as usize] {
            Node::Leaf => Node::Leaf,
            Node::Split(Split { feature, rule, .. }) => {
                let rule = match rule {
                    Rule::Levels { set, missing } => {
                        Rule::Levels { set: set_of[set as usize], missing }
                    }
                    Rule::Multiway { table } => Rule::Multiway { table: table_of[table as usize] },
                    rule => rule,
                };
                Node::Split(Split { feature, first_child, rule })
            }
        });
        let node: RankedNode = ranked.nodes[old as usize];
        new_ranked.nodes.push(node.with_children_moved(|_| first_child));
        let at = old as usize * n_outputs;
        new_tree.values.extend_from_slice(&tree.values[at..at + n_outputs]);
    }
    new_tree.statistics = tree.statistics.map(|known| {
        let pick = |values: &[f64]| old_of.iter().map(|&old| values[old as usize]).collect();
        let (weights, impurities) = (pick(&known.weights), pick(&known.impurities));
        NodeStatistics { weights, impurities }
    });
    (new_tree, new_ranked)
}
