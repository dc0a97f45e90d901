//! A tree while it is built.

use crate::data::Training;
use crate::forest::split::NodeSummary;
use crate::forest::tree::{Node, NodeStatistics, Split, Tree};

/// Nodes that were made so far; leaves until they are split.
pub(super) struct Building {
    tree: Tree,
    statistics: NodeStatistics,
    weight_unit: f64,
    n_outputs: usize,
    /// Splits whose variable had no missing value at the node.
    unlearned: Vec<u32>,
}

impl Building {
    /// The root alone.
    pub(super) fn new(training: &Training) -> Self {
        let tree = Tree {
            nodes: Vec::new(),
            values: Vec::new(),
            statistics: None,
            level_sets: Vec::new(),
            branches: Vec::new(),
            met: None,
        };
        let mut building = Self {
            tree,
            statistics: NodeStatistics::default(),
            weight_unit: training.weight_unit(),
            n_outputs: training.n_outputs(),
            unlearned: Vec::new(),
        };
        building.add_leaves(1);
        building
    }

    /// The tree so far.
    pub(super) fn tree_mut(&mut self) -> &mut Tree {
        &mut self.tree
    }

    /// Stores the statistics of a node's rows.
    pub(super) fn describe(&mut self, node: u32, value: &[f64], summary: NodeSummary) {
        let node = node as usize;
        self.tree.values[node * self.n_outputs..][..self.n_outputs].copy_from_slice(value);
        self.statistics.weights[node] = summary.weight * self.weight_unit;
        self.statistics.impurities[node] = summary.impurity;
    }

    /// Makes room for children, which are leaves; returns the first of them.
    pub(super) fn add_leaves(&mut self, n_children: usize) -> u32 {
        let first = self.tree.nodes.len();
        let n_nodes = first + n_children;
        self.tree.nodes.resize(n_nodes, Node::Leaf);
        self.tree.values.resize(n_nodes * self.n_outputs, 0.0);
        self.statistics.weights.resize(n_nodes, 0.0);
        self.statistics.impurities.resize(n_nodes, 0.0);
        first as u32
    }

    /// Gives a node its split. Where no missing value taught a side, missing values will
    /// follow the heavier child.
    pub(super) fn split(&mut self, node: u32, split: Split, has_learned: bool) {
        self.tree.nodes[node as usize] = Node::Split(split);
        if !has_learned {
            self.unlearned.push(node);
        }
    }

    pub(super) fn finish(mut self) -> Tree {
        self.statistics.weights.shrink_to_fit();
        self.statistics.impurities.shrink_to_fit();
        self.tree.statistics = Some(std::mem::take(&mut self.statistics));
        for &node in &self.unlearned {
            self.tree.send_missing_to_heaviest(node as usize);
        }
        for node in 0..self.tree.nodes.len() {
            self.tree.send_others_to_heaviest(node);
        }
        self.tree.nodes.shrink_to_fit();
        self.tree.values.shrink_to_fit();
        self.tree
    }
}
