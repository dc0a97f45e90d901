//! One tree: where rows go, and what each node knows about its in-bag rows.
//!
//! A `Tree` speaks of values and is what files hold; `RankedTree` is the same tree in the codes of
//! one table.
//!
//! Weights and impurities of nodes are optional: a foreign tree without its bag has none, and
//! measures that need them refuse it with the reason.

use serde::{Deserialize, Serialize};

use std::borrow::Cow;

use crate::data::MISSING_LEVEL;
use crate::forest::met::Met;

/// One side of a binary split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// The first child.
    Left,
    /// The second child.
    Right,
}

/// A node: a leaf, or a split on one variable.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Node {
    /// No further split.
    Leaf,
    /// Rows go to one of the children, which are stored one after the other.
    Split(Split),
}

/// The split of an inner node.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// The variable, as a position in the forest's list of variables.
    pub feature: u32,
    /// Position of the first child; the others follow it.
    pub first_child: u32,
    /// Which child a value goes to.
    pub rule: Rule,
}

/// Which child a value goes to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Rule {
    /// Left iff value <= threshold.
    AtMost {
        /// The threshold, finite.
        threshold: f64,
        /// Where missing values go.
        missing: Side,
    },
    /// Left iff the level is in the tree's level set with this position.
    Levels {
        /// Position in the tree's level sets.
        set: u32,
        /// Where missing values go.
        missing: Side,
    },
    /// Left iff the value is present.
    Present,
    /// Levels have branches of their own; the table gives the child of each level.
    Multiway {
        /// Position in the tree's branch tables.
        table: u32,
    },
}

/// A set of levels of one categorical variable, stored in the smaller of two forms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum LevelSet {
    /// One bit per level.
    Bits(Box<[u64]>),
    /// The levels in the set, increasing.
    Listed(Box<[u32]>),
    /// The levels that are not in the set, increasing.
    Excepted(Box<[u32]>),
}

/// The children of a multiway split, counted from 0. Only some levels are listed: deep in a tree
/// a node has met few of many.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branches {
    /// The levels listed, increasing.
    pub levels: Box<[u32]>,
    /// The child of each level listed.
    pub children: Box<[u32]>,
    /// The child of all other levels, also of those that the forest does not know.
    pub others: u32,
    /// The child of missing values.
    pub missing: u32,
    /// Number of children, at least one.
    pub n_children: u32,
}

/// In-bag statistics of the nodes of a tree.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct NodeStatistics {
    /// In-bag weight (multiplicity times case weight) per node.
    pub(crate) weights: Vec<f64>,
    /// In-bag impurity per node, in the forest's criterion.
    pub(crate) impurities: Vec<f64>,
}

/// A decision tree. Children come after their parents; node 0 is the root.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// In-bag means of the response, `n_outputs` per node; empty where `met` has them.
    pub(crate) values: Vec<f64>,
    /// `None` for a foreign tree whose bag is unknown.
    pub(crate) statistics: Option<NodeStatistics>,
    pub(crate) level_sets: Vec<LevelSet>,
    pub(crate) branches: Vec<Branches>,
    /// The values of a tree that is kept, where its nodes have met few of many classes.
    pub(super) met: Option<Met>,
}

impl LevelSet {
    /// The set of the increasing `levels`, or of all others when `inside` is false.
    pub(crate) fn new(levels: &[u32], inside: bool, n_levels: usize) -> Self {
        let n_words = n_levels.div_ceil(64);
        if levels.len() > 2 * n_words || n_levels <= 64 {
            let mut words = vec![if inside { 0_u64 } else { u64::MAX }; n_words];
            for &level in levels {
                words[level as usize / 64] ^= 1 << (level % 64);
            }
            Self::Bits(words.into())
        } else if inside {
            Self::Listed(levels.into())
        } else {
            Self::Excepted(levels.into())
        }
    }

    /// True when the level is in the set.
    pub fn contains(&self, level: u32) -> bool {
        match self {
            Self::Bits(words) => {
                words.get(level as usize / 64).is_some_and(|word| word >> (level % 64) & 1 == 1)
            }
            Self::Listed(levels) => levels.binary_search(&level).is_ok(),
            Self::Excepted(levels) => levels.binary_search(&level).is_err(),
        }
    }
}

impl Branches {
    /// The child of a level that is not missing.
    pub fn child_of_level(&self, level: u32) -> u32 {
        match self.levels.binary_search(&level) {
            Ok(place) => self.children[place],
            Err(_) => self.others,
        }
    }
}

impl Tree {
    /// The nodes, children after their parents.
    ///
    /// ```
    /// use wald::forest::{Node, Rule};
    /// use wald::simulate::Friedman1;
    /// use wald::{Forest, ForestConfig, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 1, max_depth: Some(1), ..ForestConfig::default() };
    /// let forest = Forest::grow(&data, &config, &Run::all())?;
    /// let tree = &forest.trees()[0];
    /// assert_eq!((tree.n_nodes(), tree.n_leaves()), (3, 2)); // a root and two leaves
    /// let Node::Split(split) = tree.nodes()[0] else { panic!("the root is split") };
    /// let Rule::AtMost { threshold, .. } = split.rule else { panic!("columns are numbers") };
    /// println!("{} <= {threshold}", forest.features()[split.feature as usize].name);
    /// assert_eq!(tree.children(&split), 1..3);
    /// # Ok::<(), wald::Error>(())
    /// ```
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Number of leaves.
    pub fn n_leaves(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node, Node::Leaf)).count()
    }

    /// Length of a node's value: 1 for regression, the number of classes otherwise.
    pub fn n_outputs(&self) -> usize {
        match &self.met {
            Some(met) => met.n_classes(),
            None => self.values.len() / self.nodes.len(),
        }
    }

    /// In-bag mean of the response at a node (class proportions for classification).
    pub fn value(&self, node: usize) -> Cow<'_, [f64]> {
        if let Some(met) = &self.met {
            Cow::Owned(met.value(node))
        } else {
            let n_outputs = self.n_outputs();
            Cow::Borrowed(&self.values[node * n_outputs..(node + 1) * n_outputs])
        }
    }

    /// Adds so many times the value of a node.
    pub(crate) fn add_value(&self, node: usize, times: f64, sums: &mut [f64]) {
        if let Some(met) = &self.met {
            met.entries(node).for_each(|(at, value)| sums[at] += times * value);
        } else {
            let value = self.value(node);
            sums.iter_mut().zip(&*value).for_each(|(sum, value)| *sum += times * value);
        }
    }

    /// The values of all nodes, one after the other.
    pub(crate) fn all_values(&self) -> Cow<'_, [f64]> {
        match &self.met {
            Some(met) => Cow::Owned((0..met.n_nodes()).flat_map(|node| met.value(node)).collect()),
            None => Cow::Borrowed(&self.values),
        }
    }

    /// Weight and impurity of the nodes; `None` for a foreign tree whose bag is unknown.
    pub fn statistics(&self) -> Option<&NodeStatistics> {
        self.statistics.as_ref()
    }

    /// The level sets of categorical splits.
    pub fn level_sets(&self) -> &[LevelSet] {
        &self.level_sets
    }

    /// The branch tables of multiway splits.
    pub fn branches(&self) -> &[Branches] {
        &self.branches
    }

    /// The splits, with the positions of their nodes.
    pub(crate) fn splits(&self) -> impl Iterator<Item = (usize, &Split)> {
        self.nodes.iter().enumerate().filter_map(|(index, node)| match node {
            Node::Leaf => None,
            Node::Split(split) => Some((index, split)),
        })
    }

    /// Number of children of a split.
    pub fn n_children(&self, split: &Split) -> u32 {
        match split.rule {
            Rule::Multiway { table } => self.branches[table as usize].n_children,
            Rule::AtMost { .. } | Rule::Levels { .. } | Rule::Present => 2,
        }
    }

    /// Positions of the children of a split.
    pub fn children(&self, split: &Split) -> std::ops::Range<usize> {
        let first = split.first_child as usize;
        first..first + self.n_children(split) as usize
    }

    /// Depth of every node, the root having depth 0.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            if let Node::Split(split) = node {
                for child in self.children(split) {
                    depths[child] = depths[index] + 1;
                }
            }
        }
        depths
    }

    /// The child with the largest in-bag weight; the first one where weights are unknown.
    ///
    /// Rows that no training row resembles (levels never seen) follow it.
    pub(crate) fn heaviest_child(&self, split: &Split) -> u32 {
        let Some(statistics) = &self.statistics else {
            return 0;
        };
        let first = split.first_child as usize;
        let mut heaviest = first;
        for child in self.children(split) {
            if statistics.weights[child] > statistics.weights[heaviest] {
                heaviest = child;
            }
        }
        (heaviest - first) as u32
    }

    /// Sends the missing values of a split to its heaviest child; returns which one that is.
    pub(crate) fn send_missing_to_heaviest(&mut self, node: usize) -> Option<u32> {
        let Node::Split(split) = self.nodes[node] else {
            return None;
        };
        let heaviest = self.heaviest_child(&split);
        if let Node::Split(split) = &mut self.nodes[node] {
            match &mut split.rule {
                Rule::AtMost { missing, .. } | Rule::Levels { missing, .. } => {
                    *missing = Side::from_index(heaviest);
                }
                Rule::Multiway { table } => self.branches[*table as usize].missing = heaviest,
                Rule::Present => {}
            }
        }
        Some(heaviest)
    }

    /// Sends the levels that a multiway split does not list to its heaviest child.
    pub(crate) fn send_others_to_heaviest(&mut self, node: usize) {
        if let Node::Split(split) = self.nodes[node]
            && let Rule::Multiway { table } = split.rule
        {
            self.branches[table as usize].others = self.heaviest_child(&split);
        }
    }

    /// The child (counted from 0) that a number goes to; NaN is missing.
    pub(crate) fn child_of_number(&self, split: &Split, value: f64) -> u32 {
        match split.rule {
            Rule::AtMost { missing, .. } if value.is_nan() => missing.index(),
            Rule::AtMost { threshold, .. } => u32::from(value > threshold),
            Rule::Present => u32::from(value.is_nan()),
            Rule::Levels { .. } | Rule::Multiway { .. } => self.heaviest_child(split),
        }
    }

    /// The child (counted from 0) that a level goes to; levels from `n_known` on are new.
    pub(crate) fn child_of_level(&self, split: &Split, level: u32, n_known: u32) -> u32 {
        let is_missing = level == MISSING_LEVEL;
        match split.rule {
            Rule::Present => u32::from(is_missing),
            Rule::Levels { missing, .. } if is_missing => missing.index(),
            Rule::Multiway { table } if is_missing => self.branches[table as usize].missing,
            Rule::Multiway { table } => self.branches[table as usize].child_of_level(level),
            Rule::Levels { set, .. } if level < n_known => {
                u32::from(!self.level_sets[set as usize].contains(level))
            }
            Rule::Levels { .. } | Rule::AtMost { .. } => self.heaviest_child(split),
        }
    }
}

impl NodeStatistics {
    /// In-bag weight of a node: multiplicity times case weight.
    pub fn weight(&self, node: usize) -> f64 {
        self.weights[node]
    }

    /// In-bag impurity of a node, in the criterion the forest was grown with.
    pub fn impurity(&self, node: usize) -> f64 {
        self.impurities[node]
    }
}

impl Side {
    /// 0 for left, 1 for right.
    pub fn index(self) -> u32 {
        match self {
            Self::Left => 0,
            Self::Right => 1,
        }
    }

    pub(crate) fn from_index(index: u32) -> Self {
        if index == 0 { Self::Left } else { Self::Right }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_level_set_holds_the_same_levels() {
        for (n_levels, step) in [(10, 3), (64, 2), (1000, 2), (1000, 300), (100_000, 40_000)] {
            let chosen: Vec<u32> = (0..n_levels as u32).step_by(step).collect();
            let rest: Vec<u32> = (0..n_levels as u32).filter(|l| !chosen.contains(l)).collect();
            for inside in [true, false] {
                let set = LevelSet::new(&chosen, inside, n_levels);
                assert!(chosen.iter().all(|&level| set.contains(level) == inside));
                assert!(rest.iter().all(|&level| set.contains(level) != inside));
            }
        }
        assert!(matches!(LevelSet::new(&[5], true, 100_000), LevelSet::Listed(_)));
        assert!(matches!(LevelSet::new(&[5], false, 100_000), LevelSet::Excepted(_)));
    }

    #[test]
    fn nodes_stay_small() {
        assert_eq!(size_of::<Node>(), 24);
    }
}
