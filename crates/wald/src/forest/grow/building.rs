//! A tree while it is built.

use crate::data::Training;
use crate::forest::split::NodeSummary;
use crate::forest::tree::{Node, NodeStatistics, Rule, Side, Split, Tree};

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

    /// Stores what the rows of a node say.
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

    /// Gives a node its question. Where no missing value taught a side, missing values will
    /// follow the heavier child.
    pub(super) fn ask(&mut self, node: u32, split: Split, has_learned: bool) {
        self.tree.nodes[node as usize] = Node::Split(split);
        if !has_learned {
            self.unlearned.push(node);
        }
    }

    pub(super) fn finish(mut self) -> Tree {
        self.tree.statistics = Some(std::mem::take(&mut self.statistics));
        for &node in &self.unlearned {
            let Node::Split(split) = self.tree.nodes[node as usize] else {
                continue;
            };
            let heaviest = self.tree.heaviest_child(&split);
            let side = Side::from_index(heaviest);
            if let Node::Split(split) = &mut self.tree.nodes[node as usize] {
                match &mut split.rule {
                    Rule::AtMost { missing, .. } | Rule::Levels { missing, .. } => *missing = side,
                    Rule::Multiway { table } => {
                        self.tree.branches[*table as usize].missing = heaviest;
                    }
                    Rule::Present => {}
                }
            }
        }
        for index in 0..self.tree.nodes.len() {
            if let Node::Split(split) = self.tree.nodes[index]
                && let Rule::Multiway { table } = split.rule
            {
                self.tree.branches[table as usize].others = self.tree.heaviest_child(&split);
            }
        }
        self.tree
    }
}
