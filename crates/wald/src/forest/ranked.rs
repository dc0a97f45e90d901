//! A tree whose splits compare rank codes of one table instead of values.
//!
//! Growing makes it on the way; a stored or foreign tree is bound to a table by one binary search
//! per split.

use crate::data::{MISSING_CODE, RankedFeatures, RankedKind, Training};
use crate::forest::tree::{Branches, Node, Rule, Side, Split, Tree};

/// The nodes of a [`Tree`] in terms of the codes of a [`RankedFeatures`].
#[derive(Debug, Clone, Default)]
pub(crate) struct RankedTree {
    pub(crate) nodes: Vec<RankedNode>,
}

/// A node that routes codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RankedNode {
    Leaf,
    /// Left iff code < below.
    Below {
        column: u32,
        below: u32,
        first_child: u32,
        missing: Side,
    },
    /// Any other split; looked up in the tree.
    Other {
        column: u32,
        first_child: u32,
    },
}

/// Routes the codes of one table through one tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Router<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) ranked: &'a RankedTree,
    pub(crate) features: &'a RankedFeatures,
    /// Per canonical column, the number of levels the forest knows; more are new ones.
    pub(crate) known_levels: &'a [u32],
}

impl<'a> Router<'a> {
    /// Routes the codes of training rows.
    pub(crate) fn new(tree: &'a Tree, ranked: &'a RankedTree, training: &'a Training) -> Self {
        Self { tree, ranked, features: training.features(), known_levels: training.known_levels() }
    }
}

impl RankedTree {
    /// Without any node: no row goes down it.
    pub(crate) fn unbound() -> Self {
        Self { nodes: Vec::new() }
    }

    /// Translates thresholds into codes: cost O(nodes * log distinct values).
    pub(crate) fn bind(tree: &Tree, features: &RankedFeatures, float32_inputs: bool) -> Self {
        let nodes = tree
            .nodes()
            .iter()
            .map(|node| match node {
                Node::Leaf => RankedNode::Leaf,
                Node::Split(split) => bind_split(split, features, float32_inputs),
            })
            .collect();
        Self { nodes }
    }

    /// The splits by whether a code is below another: column and code.
    pub(crate) fn cuts(&self) -> impl Iterator<Item = (u32, u32)> {
        self.nodes.iter().filter_map(|node| match *node {
            RankedNode::Below { column, below, .. } => Some((column, below)),
            RankedNode::Leaf | RankedNode::Other { .. } => None,
        })
    }
}

fn bind_split(split: &Split, features: &RankedFeatures, float32_inputs: bool) -> RankedNode {
    let column = features.canonical(split.feature);
    let first_child = split.first_child;
    match (split.rule, features.column(column).kind()) {
        (Rule::AtMost { threshold, missing }, RankedKind::Ordered(_)) => {
            let asked = features.column(column);
            let all = 0..asked.n_codes() as u32;
            let below = if float32_inputs {
                asked.first_without(all, |value| f64::from(value as f32) <= threshold)
            } else {
                asked.first_without(all, |value| value <= threshold)
            };
            RankedNode::Below { column, below, first_child, missing }
        }
        _ => RankedNode::Other { column, first_child },
    }
}

impl RankedNode {
    /// The same split, its first child elsewhere.
    pub(crate) fn with_children_moved(mut self, place: impl Fn(u32) -> u32) -> Self {
        match &mut self {
            Self::Leaf => {}
            Self::Below { first_child, .. } | Self::Other { first_child, .. } => {
                *first_child = place(*first_child);
            }
        }
        self
    }

    /// The canonical column that is split on; `None` for leaves.
    pub(crate) fn column(&self) -> Option<u32> {
        match self {
            Self::Leaf => None,
            Self::Below { column, .. } | Self::Other { column, .. } => Some(*column),
        }
    }
}

impl<'a> Router<'a> {
    /// Whether all splits are by codes below another, or by whether a value is there.
    pub(crate) fn compares_codes(&self) -> bool {
        let is_other = |node: &RankedNode| matches!(node, RankedNode::Other { .. });
        let others = (0..).zip(&self.ranked.nodes).filter(|(_, node)| is_other(node));
        others.filter_map(|(node, _)| self.split(node)).all(|split| split.rule == Rule::Present)
    }

    /// The split at a node; `None` for leaves.
    pub(crate) fn split(&self, node: usize) -> Option<&'a Split> {
        match &self.tree.nodes()[node] {
            Node::Leaf => None,
            Node::Split(split) => Some(split),
        }
    }

    /// Number of children; 0 for leaves.
    pub(crate) fn n_children(&self, node: usize) -> u32 {
        self.split(node).map_or(0, |split| self.tree.n_children(split))
    }

    /// The child (counted from 0) that a code goes to at an inner node.
    pub(crate) fn child_of_code(&self, node: usize, code: u32) -> u32 {
        match self.ranked.nodes[node] {
            RankedNode::Leaf => 0,
            RankedNode::Below { below, missing, .. } => {
                if code == MISSING_CODE {
                    missing.index()
                } else {
                    u32::from(code >= below)
                }
            }
            RankedNode::Other { column, .. } => {
                let Some(split) = self.split(node) else {
                    return 0;
                };
                match self.features.column(column).kind() {
                    RankedKind::Ordered(_) => {
                        // Numbers that meet a split other than a threshold: presence.
                        let value = if code == MISSING_CODE { f64::NAN } else { 0.0 };
                        self.tree.child_of_number(split, value)
                    }
                    RankedKind::Unordered { .. } => {
                        let n_known = self.known_levels[column as usize];
                        self.tree.child_of_level(split, code, n_known)
                    }
                }
            }
        }
    }

    /// Position of the child that a code goes to at an inner node.
    pub(crate) fn child_of(&self, node: u32, code: u32) -> u32 {
        match self.ranked.nodes[node as usize] {
            RankedNode::Leaf => node,
            RankedNode::Below { below, first_child, missing, .. } => {
                // The code of a missing value is larger than every threshold.
                let is_left = code < below || (code == MISSING_CODE && missing == Side::Left);
                first_child + u32::from(!is_left)
            }
            RankedNode::Other { first_child, .. } => {
                first_child + self.child_of_code(node as usize, code)
            }
        }
    }

    /// The leaf that a row ends in, starting at `node`; `code_of` gives a column's code.
    pub(crate) fn descend(&self, mut node: usize, code_of: impl Fn(u32) -> u32) -> usize {
        loop {
            match self.ranked.nodes[node] {
                RankedNode::Leaf => return node,
                RankedNode::Below { column, first_child, .. }
                | RankedNode::Other { column, first_child } => {
                    let child = self.child_of_code(node, code_of(column));
                    node = (first_child + child) as usize;
                }
            }
        }
    }

    /// Orders `rows` by the child they go to at an inner node and calls `each` with the children
    /// and their parts of the rows; of the many children of a multiway split, those that get any.
    pub(crate) fn partition(
        &self,
        node: usize,
        rows: &mut [u32],
        mut each: impl FnMut(usize, std::ops::Range<usize>),
    ) {
        match self.ranked.nodes[node] {
            RankedNode::Leaf => {}
            RankedNode::Below { column, below, first_child, missing } => {
                let asked = self.features.column(column);
                let codes = asked.codes();
                let cut = if missing == Side::Left && asked.has_missing() {
                    // One more than the code of a missing value is 0.
                    split_rows(rows, |row| codes[row as usize].wrapping_add(1) <= below)
                } else {
                    // The code of a missing value is larger than every threshold.
                    split_rows(rows, |row| codes[row as usize] < below)
                };
                each(first_child as usize, 0..cut);
                each(first_child as usize + 1, cut..rows.len());
            }
            RankedNode::Other { column, first_child } => {
                let codes = self.features.column(column).codes();
                let Some(split) = self.split(node) else { return };
                let first = first_child as usize;
                if let Rule::Levels { set, missing } = split.rule {
                    let set = &self.tree.level_sets()[set as usize];
                    let n_known = self.known_levels[column as usize];
                    let new_go_left = self.tree.heaviest_child(split) == 0;
                    let cut = split_rows(rows, |row| match codes[row as usize] {
                        MISSING_CODE => missing == Side::Left,
                        level if level >= n_known => new_go_left,
                        level => set.contains(level),
                    });
                    each(first, 0..cut);
                    each(first + 1, cut..rows.len());
                    return;
                }
                if let Rule::Multiway { table } = split.rule {
                    let branches = &self.tree.branches()[table as usize];
                    group(rows, first, branches, |row| codes[row as usize], each);
                    return;
                }
                let cut =
                    split_rows(rows, |row| self.child_of_code(node, codes[row as usize]) == 0);
                each(first, 0..cut);
                each(first + 1, cut..rows.len());
            }
        }
    }
}

impl Router<'_> {
    /// As [`Self::partition`], with rows that know their codes in other ways, which `code_of` gives
    /// for the column split on, and the order of the rows of a child is kept; `parts` are replaced by
    /// the children and their ranges, counted from `start`. There is as much spare room as there are
    /// rows.
    pub(crate) fn partition_by(
        &self,
        node: usize,
        start: usize,
        rows: &mut [u32],
        spare: &mut [u32],
        code_of: impl Fn(u32) -> u32,
        parts: &mut Vec<(usize, std::ops::Range<usize>)>,
    ) {
        parts.clear();
        let cut = match self.ranked.nodes[node] {
            RankedNode::Leaf => return,
            RankedNode::Below { below, missing, .. } => {
                let shift = u32::from(missing == Side::Left);
                split_in_order(rows, spare, |row| code_of(row).wrapping_add(shift) < below + shift)
            }
            RankedNode::Other { first_child, .. } => match self.split(node).map(|split| split.rule)
            {
                Some(Rule::Multiway { table }) => {
                    let branches = &self.tree.branches()[table as usize];
                    return group(rows, first_child as usize, branches, code_of, |child, part| {
                        parts.push((child, start + part.start..start + part.end));
                    });
                }
                _ => split_in_order(rows, spare, |row| self.child_of_code(node, code_of(row)) == 0),
            },
        };
        if let Some(split) = self.split(node) {
            let first = split.first_child as usize;
            parts.push((first, start..start + cut));
            parts.push((first + 1, start + cut..start + rows.len()));
        }
    }
}

/// Orders rows by the branch they take, keeping the order within a branch, and calls `each` with
/// every branch that is taken. Cost O(rows * log levels), or that of sorting few rows among many
/// branches.
pub(crate) fn group(
    rows: &mut [u32],
    first_child: usize,
    branches: &Branches,
    code_of: impl Fn(u32) -> u32,
    mut each: impl FnMut(usize, std::ops::Range<usize>),
) {
    let child_of = |row: u32| match code_of(row) {
        MISSING_CODE => branches.missing,
        level => branches.child_of_level(level),
    };
    let mut keys: Vec<(u32, u32)> = rows.iter().map(|&row| (child_of(row), row)).collect();
    if branches.n_children as usize > rows.len() {
        sort_by_child(&mut keys);
        keys.iter().zip(rows.iter_mut()).for_each(|(&(_, moved), row)| *row = moved);
        let mut start = 0;
        for part in keys.chunk_by(|one, other| one.0 == other.0) {
            let end = start + part.len();
            each(first_child + part[0].0 as usize, start..end);
            start = end;
        }
        return;
    }
    let mut ends = vec![0; branches.n_children as usize];
    keys.iter().for_each(|&(child, _)| ends[child as usize] += 1);
    let mut end = 0;
    for count in &mut ends {
        end += std::mem::replace(count, end);
    }
    for (child, row) in keys {
        let place = &mut ends[child as usize];
        rows[*place] = row;
        *place += 1;
    }
    let mut start = 0;
    for (child, end) in ends.into_iter().enumerate() {
        if end > start {
            each(first_child + child, start..end);
        }
        start = end;
    }
}

/// Keeps the order within a child. Compiled once for all ways to know the code of a row.
fn sort_by_child(keys: &mut [(u32, u32)]) {
    keys.sort_by_key(|&(child, _)| child);
}

/// Moves the rows for which `goes_left` holds to the front; returns their number.
pub(crate) fn split_rows(rows: &mut [u32], goes_left: impl Fn(u32) -> bool) -> usize {
    let mut cut = 0;
    for index in 0..rows.len() {
        // Exchanging unconditionally keeps the loop free of unpredictable branches.
        let row = rows[index];
        let left = goes_left(row);
        rows[index] = rows[cut];
        rows[cut] = row;
        cut += usize::from(left);
    }
    cut
}

/// The same, which keeps the order of the rows on both sides. There is as much spare room as there are
/// rows.
#[inline]
pub(crate) fn split_in_order(
    rows: &mut [u32],
    spare: &mut [u32],
    goes_left: impl Fn(u32) -> bool,
) -> usize {
    let (mut n_left, mut n_right) = (0, 0);
    for index in 0..rows.len() {
        // Every row is written to both sides, because its own cannot be foreseen.
        let row = rows[index];
        let left = usize::from(goes_left(row));
        rows[n_left] = row;
        spare[n_right] = row;
        n_left += left;
        n_right += 1 - left;
    }
    rows[n_left..].copy_from_slice(&spare[..n_right]);
    n_left
}
