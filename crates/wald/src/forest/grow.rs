//! Growing one tree on rank codes.

use crate::data::{MISSING_CODE, RankedKind, Training};
use crate::error::Error;
use crate::forest::config::{Impurity, Settings};
use crate::forest::ranked::{RankedNode, RankedTree};
use crate::forest::sample::Bag;
use crate::forest::split::{
    self, Best, ClassScorer, Cut, Limits, NodeSummary, NumberScorer, Scorer, Sorter,
};
use crate::forest::tree::{LevelSet, Node, NodeStatistics, Rule, Side, Split, Tree};
use crate::monitor::Monitor;
use crate::random::{NodeKey, Purpose, Stream};

/// What growing reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Growing<'a> {
    pub(crate) training: &'a Training,
    pub(crate) settings: &'a Settings,
    pub(crate) monitor: &'a Monitor,
}

/// Working memory of one thread; nothing is allocated per node.
#[derive(Debug)]
pub(crate) struct Workspace {
    sorter: Sorter,
    best: Best,
    rows: Vec<u32>,
    spare: Vec<u32>,
    candidates: Vec<u32>,
    exchanged: Vec<(u32, u32)>,
    pending: Vec<Pending>,
}

/// A node that waits for its split.
#[derive(Debug, Clone, Copy)]
struct Pending {
    node: u32,
    start: u32,
    end: u32,
    depth: u32,
    key: NodeKey,
}

impl Default for Workspace {
    fn default() -> Self {
        Self {
            sorter: Sorter::default(),
            best: Best::new(),
            rows: Vec::new(),
            spare: Vec::new(),
            candidates: Vec::new(),
            exchanged: Vec::new(),
            pending: Vec::new(),
        }
    }
}

impl Growing<'_> {
    /// Grows the tree with the given index on its bag.
    ///
    /// # Errors
    /// [`Error::Cancelled`] only.
    pub(crate) fn grow(
        self,
        index: usize,
        bag: &Bag,
        workspace: &mut Workspace,
    ) -> Result<(Tree, RankedTree), Error> {
        let mut stream = Stream::new(self.settings.seed, index, Purpose::Splits);
        let root = NodeKey::root(&mut stream);
        let by_number = match self.settings.impurity {
            Impurity::Variance | Impurity::Gini => NumberScorer::new(self.training, bag),
            Impurity::Entropy => None,
        };
        if let Some(scorer) = by_number {
            return TreeGrower::new(self, bag, scorer, workspace).grow(root);
        }
        match ClassScorer::new(self.training, bag, self.settings.impurity) {
            Some(scorer) => TreeGrower::new(self, bag, scorer, workspace).grow(root),
            None => Err(Error::setting("the impurity does not fit the target", "use variance")),
        }
    }
}

struct TreeGrower<'a, S> {
    growing: Growing<'a>,
    scorer: S,
    workspace: &'a mut Workspace,
    tree: Tree,
    ranked: RankedTree,
    statistics: NodeStatistics,
    /// Splits whose variable had no missing value at the node.
    unlearned: Vec<u32>,
}

impl<'a, S: Scorer> TreeGrower<'a, S> {
    fn new(growing: Growing<'a>, bag: &Bag, scorer: S, workspace: &'a mut Workspace) -> Self {
        let training = growing.training;
        let drawn = (0_u32..).zip(bag.counts()).filter(|(_, count)| **count > 0);
        workspace.rows.clear();
        // Rows of weight zero say nothing about any node.
        workspace.rows.extend(drawn.map(|(row, _)| row).filter(|&row| training.weight(row) > 0.0));
        let n_columns = training.features().n_columns() as u32;
        if workspace.candidates.len() != n_columns as usize {
            workspace.candidates = (0..n_columns).collect();
        }
        let mut tree = Tree {
            nodes: vec![Node::Leaf],
            values: Vec::new(),
            statistics: None,
            level_sets: Vec::new(),
            branches: Vec::new(),
        };
        if workspace.rows.is_empty() {
            // A bag of weightless rows: the tree predicts what all rows say together.
            tree.values = training.response_mean();
        } else {
            tree.values.resize(training.n_outputs(), 0.0);
        }
        let ranked = RankedTree { nodes: vec![RankedNode::Leaf] };
        let statistics = NodeStatistics { weights: vec![0.0], impurities: vec![0.0] };
        Self { growing, statistics, scorer, workspace, tree, ranked, unlearned: Vec::new() }
    }

    fn grow(mut self, root: NodeKey) -> Result<(Tree, RankedTree), Error> {
        let n_rows = self.workspace.rows.len() as u32;
        self.workspace.pending.clear();
        if n_rows > 0 {
            let root = Pending { node: 0, start: 0, end: n_rows, depth: 0, key: root };
            self.workspace.pending.push(root);
        }
        let mut value = Vec::new();
        while let Some(pending) = self.workspace.pending.pop() {
            self.growing.monitor.check()?;
            let rows = &self.workspace.rows[pending.start as usize..pending.end as usize];
            value.clear();
            let summary = self.scorer.summarise(rows, &mut value);
            let node = pending.node as usize;
            self.tree.values[node * value.len()..(node + 1) * value.len()].copy_from_slice(&value);
            self.statistics.weights[node] = summary.weight * self.growing.training.weight_unit();
            self.statistics.impurities[node] = summary.impurity;
            if self.may_split(&pending, &summary) {
                self.find_split(&pending, &summary)?;
                if self.workspace.best.cut != Cut::None {
                    self.split(&pending);
                }
            }
        }
        self.tree.statistics = Some(std::mem::take(&mut self.statistics));
        self.settle_unlearned_sides();
        Ok((self.tree, self.ranked))
    }

    fn may_split(&self, pending: &Pending, summary: &NodeSummary) -> bool {
        let settings = self.growing.settings;
        !summary.is_pure
            && summary.draws > settings.min_node_size as f64
            && (pending.depth as usize) < settings.max_depth
    }

    /// Draws mtry variables and searches them in the order drawn.
    fn find_split(&mut self, pending: &Pending, summary: &NodeSummary) -> Result<(), Error> {
        let Growing { training, settings, monitor } = self.growing;
        let workspace = &mut *self.workspace;
        let rows = &workspace.rows[pending.start as usize..pending.end as usize];
        let mut stream = pending.key.stream();
        let mut mtry = settings.mtry;
        if settings.mtry_one_probability > 0.0 && stream.unit() < settings.mtry_one_probability {
            mtry = 1;
        }
        workspace.best.clear();
        workspace.exchanged.clear();
        let limits = Limits { least: settings.least_draws(summary.draws), total: summary.draws };
        let n_columns = workspace.candidates.len() as u32;
        for drawn in 0..mtry as u32 {
            monitor.check()?;
            let other = drawn + stream.below(n_columns - drawn);
            workspace.candidates.swap(drawn as usize, other as usize);
            workspace.exchanged.push((drawn, other));
            let column = workspace.candidates[drawn as usize];
            split::search(
                &mut self.scorer,
                training.features(),
                column,
                rows,
                &mut workspace.sorter,
                (limits, &mut workspace.best),
            );
        }
        // Undoing the draws makes the next node's draws independent of this one's.
        for &(one, other) in workspace.exchanged.iter().rev() {
            workspace.candidates.swap(one as usize, other as usize);
        }
        Ok(())
    }

    /// Stores the best split and sends the rows to the children.
    fn split(&mut self, pending: &Pending) {
        let first_child = self.tree.nodes.len() as u32;
        let column = self.workspace.best.column;
        let feature = self.growing.training.features().original(column);
        let cut = self.partition(pending);
        let (rule, ranked) = self.rule(pending, cut, first_child);
        let node = pending.node as usize;
        self.tree.nodes[node] = Node::Split(Split { feature, first_child, rule });
        self.ranked.nodes[node] = ranked;
        if self.workspace.best.missing.is_none() {
            self.unlearned.push(pending.node);
        }
        for _ in 0..2 {
            self.tree.nodes.push(Node::Leaf);
            self.ranked.nodes.push(RankedNode::Leaf);
            self.statistics.weights.push(0.0);
            self.statistics.impurities.push(0.0);
        }
        self.tree.values.resize(self.tree.nodes.len() * self.growing.training.n_outputs(), 0.0);
        let child = |offset: u32, start: u32, end: u32| Pending {
            node: first_child + offset,
            start,
            end,
            depth: pending.depth + 1,
            key: pending.key.child(offset),
        };
        self.workspace.pending.push(child(1, cut, pending.end));
        self.workspace.pending.push(child(0, pending.start, cut));
    }

    /// Stable partition of the node's rows by the best split; returns where the right begins.
    fn partition(&mut self, pending: &Pending) -> u32 {
        let Workspace { rows, spare, best, .. } = &mut *self.workspace;
        let codes = self.growing.training.features().column(best.column).codes();
        let rows = &mut rows[pending.start as usize..pending.end as usize];
        let missing_left = best.missing == Some(Side::Left);
        let cut = match best.cut {
            // The code of a missing value is larger than every other code.
            Cut::Between { low, .. } if !missing_left => {
                stable_partition(rows, spare, |row| codes[row as usize] <= low)
            }
            Cut::Between { low, .. } => stable_partition(rows, spare, |row| {
                let code = codes[row as usize];
                code <= low || code == MISSING_CODE
            }),
            Cut::Levels => stable_partition(rows, spare, |row| {
                let code = codes[row as usize];
                if code == MISSING_CODE {
                    missing_left
                } else {
                    best.levels_left.binary_search(&code).is_ok()
                }
            }),
            Cut::Present | Cut::None => {
                stable_partition(rows, spare, |row| codes[row as usize] != MISSING_CODE)
            }
        };
        pending.start + cut as u32
    }

    /// The best split in terms of values, and in terms of codes.
    fn rule(&mut self, pending: &Pending, cut: u32, first_child: u32) -> (Rule, RankedNode) {
        let best = &self.workspace.best;
        let column = best.column;
        let ranked = self.growing.training.features().column(column);
        let missing = best.missing.unwrap_or(Side::Right);
        match (best.cut, ranked.kind()) {
            (Cut::Between { low, high }, RankedKind::Ordered { values, .. }) => {
                let (low, high) = (low as usize, high as usize);
                let threshold = midpoint(values[low], values[high]);
                // Rows of other bags may have values between the two.
                let skipped = values[low + 1..high].partition_point(|&value| value <= threshold);
                let below = (low + 1 + skipped) as u32;
                let ranked = RankedNode::Below { column, below, first_child, missing };
                (Rule::AtMost { threshold, missing }, ranked)
            }
            (Cut::Levels, RankedKind::Unordered { n_levels }) => {
                let weigh = |start: u32, end: u32| -> f64 {
                    let rows = &self.workspace.rows[start as usize..end as usize];
                    rows.iter().map(|&row| self.scorer.weight(row)).sum()
                };
                // Levels absent from the node follow the heavier child.
                let left_is_lighter = weigh(pending.start, cut) < weigh(cut, pending.end);
                let listed = if left_is_lighter { &best.levels_left } else { &best.levels_right };
                let set = self.tree.level_sets.len() as u32;
                self.tree.level_sets.push(LevelSet::new(listed, left_is_lighter, *n_levels));
                (Rule::Levels { set, missing }, RankedNode::Other { column, first_child })
            }
            _ => (Rule::Present, RankedNode::Other { column, first_child }),
        }
    }

    /// Where no missing value taught a side, missing values follow the heavier child.
    fn settle_unlearned_sides(&mut self) {
        for &node in &self.unlearned {
            let Node::Split(split) = self.tree.nodes[node as usize] else {
                continue;
            };
            let heavier = Side::from_index(self.tree.heaviest_child(&split));
            if let Node::Split(Split {
                rule: Rule::AtMost { missing, .. } | Rule::Levels { missing, .. },
                ..
            }) = &mut self.tree.nodes[node as usize]
            {
                *missing = heavier;
            }
            if let RankedNode::Below { missing, .. } = &mut self.ranked.nodes[node as usize] {
                *missing = heavier;
            }
        }
    }
}

/// The middle of two neighbouring values, never the larger one and never overflowing.
pub(crate) fn midpoint(low: f64, high: f64) -> f64 {
    let sum = low + high;
    let middle = if sum.is_finite() { sum * 0.5 } else { low * 0.5 + high * 0.5 };
    if middle < high && middle >= low { middle } else { low }
}

/// Moves the rows for which `goes_left` holds to the front, keeping both orders; returns
/// their number.
fn stable_partition(
    rows: &mut [u32],
    spare: &mut Vec<u32>,
    goes_left: impl Fn(u32) -> bool,
) -> usize {
    if spare.len() < rows.len() {
        spare.resize(rows.len(), 0);
    }
    let (mut left, mut right) = (0, 0);
    for index in 0..rows.len() {
        let row = rows[index];
        let is_left = goes_left(row);
        // Writing to both sides keeps the loop free of unpredictable branches.
        rows[left] = row;
        spare[right] = row;
        left += usize::from(is_left);
        right += usize::from(!is_left);
    }
    rows[left..].copy_from_slice(&spare[..right]);
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn midpoints_stay_below_the_larger_value() {
        for (low, high) in [
            (1.0, 2.0),
            (1.0, 1.0 + f64::EPSILON),
            (-1e308, 1e308),
            (1e308, 1.5e308),
            (0.0, 5e-324),
            (5e-324, 1e-323),
            (-5e-324, 0.0),
            (1e16, 1e16 + 2.0),
        ] {
            let middle = midpoint(low, high);
            assert!(low <= middle && middle < high, "{low} {middle} {high}");
        }
        assert_eq!(midpoint(1.0, 2.0), 1.5);
    }

    #[test]
    fn partition_keeps_both_orders() {
        let mut rows = [5, 2, 8, 1, 9, 4];
        let cut = stable_partition(&mut rows, &mut Vec::new(), |row| row % 2 == 0);
        assert_eq!((cut, rows), (3, [2, 8, 4, 5, 1, 9]));
    }
}
