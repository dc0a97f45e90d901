//! All rows of a block go through a tree together.

use std::ops::Range;

use crate::data::MISSING_CODE;
use crate::error::Error;
use crate::forest::{RankedNode, Router, Side};
use crate::run::Progress;
use crate::tree_shap::interventional::background::{BackgroundOfTree, TOGETHER};
use crate::tree_shap::interventional::contributions::Contributions;
use crate::tree_shap::interventional::groups::{Crossing, Extent, Groups, list_bytes};
use crate::tree_shap::interventional::leaf_subtree::{LeafSubtree, MOST_SPLITS};
use crate::tree_shap::interventional::path::{EIGHT, Path, Step};
use crate::tree_shap::interventional::row_groups_at_leaf::RowGroupsAtLeaf;
use crate::tree_shap::regions::BlockCodes;
use crate::tree_shap::tree::Predictions;
use crate::tree_shap::tree_columns::TreeColumns;
use crate::tree_shap::weights::Weights;

/// Rows of the levels of a tree that are held at a time, counted once for every level.
const MOST_ROWS_OF_LEVELS: usize = 1 << 18;

/// Rows of a block: the more there are, the more of them share a path state at a leaf.
pub(crate) const MOST_ROWS: usize = 8192;

/// Memory of a thread.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    pub(super) columns: TreeColumns,
    /// The codes of the rows.
    pub(super) block: BlockCodes,
    /// By distinct code, whether it takes the edge at hand.
    pub(super) takes: Vec<bool>,
    /// By node, the background rows that take the edge to it.
    pub(super) on_edges: Vec<u128>,
    pub(super) path: Path,
    pub(super) groups: Groups,
    frames: Vec<Frame>,
    pub(super) weights: Weights,
    /// Most columns on a path, or more.
    most_slots: usize,
    /// Levels of the tree.
    most_levels: usize,
    depths: Vec<u32>,
    /// By node: how many splits there are, from there on.
    n_below: Vec<usize>,
    /// By node: whether a leaf subtree begins there.
    is_leaf_subtree: Vec<bool>,
    pub(super) subtree: LeafSubtree,
    /// By row of the block: the sides at the splits of the leaf subtree, as bits.
    pub(super) sides: Vec<u8>,
    pub(super) row_groups: RowGroupsAtLeaf,
    pub(super) contributions: Contributions,
    /// By output, row and place.
    pub(super) values: Vec<f64>,
    /// By output, row and slot: what is not among the values yet, where slots are not places.
    pub(super) sums: Vec<f64>,
}

/// An inner node on the way down.
#[derive(Debug, Clone)]
struct Frame {
    node: u32,
    place: u32,
    first_child: u32,
    n_children: u32,
    /// The child that is next.
    child: u32,
    /// The groups at the node, and what there is of lists with them.
    groups: Range<usize>,
    extent: Extent,
    /// How it was reached, and what there was of lists before.
    from: Option<(Step, Extent)>,
}

/// The tree that explains, and how many rows it explains.
#[derive(Debug)]
pub(super) struct Explained<'a> {
    pub(super) router: &'a Router<'a>,
    pub(super) predictions: Predictions<'a>,
    pub(super) n_rows: usize,
}

/// The values of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<'a> {
    /// The columns (canonical) of the places.
    pub(crate) columns: &'a [u32],
    /// How many numbers a row has.
    pub(crate) width: usize,
    /// By output, row and place.
    pub(crate) values: &'a [f64],
}

impl Walk {
    /// The values of some rows of the table that `router` knows, against background rows. Cost
    /// O(nodes * rows) at most; far less where few background rows have no violated column in
    /// common with a row.
    pub(crate) fn explain(
        &mut self,
        router: &Router<'_>,
        predictions: Predictions<'_>,
        rows: &[u32],
        background: BackgroundOfTree<'_>,
        progress: &Progress,
    ) -> Result<Found<'_>, Error> {
        self.outline(router);
        self.block.fill(router, &self.columns, rows);
        let (n_columns, n_outputs) = (self.columns.used.len(), predictions.n_outputs());
        self.values.clear();
        let width = n_columns.next_multiple_of(EIGHT);
        self.values.resize(rows.len() * width * n_outputs, 0.0);
        if n_columns > 0 {
            let explained = &Explained { router, predictions, n_rows: rows.len() };
            let n_together = (MOST_ROWS_OF_LEVELS / self.most_levels).max(1);
            for some in background.parts() {
                let n_background = some.len();
                background.on_edges(some, &mut self.on_edges);
                for start in (0..rows.len()).step_by(n_together) {
                    let some = start as u32..rows.len().min(start + n_together) as u32;
                    self.path.begin(n_columns, self.most_slots, n_background);
                    let n_slots =
                        if self.path.slots_are_places() { 0 } else { self.path.most_slots() };
                    self.sums.clear();
                    self.sums.resize(rows.len() * n_slots * n_outputs, 0.0);
                    self.groups.begin(some, n_columns, self.path.all());
                    self.walk(explained, progress)?;
                }
            }
            let share = 1.0 / background.n_rows() as f64;
            self.values.iter_mut().for_each(|value| *value *= share);
        }
        Ok(Found { columns: &self.columns.used, width, values: &self.values })
    }

    /// Finds the columns of a tree.
    fn outline(&mut self, router: &Router<'_>) {
        self.columns.fill(router);
        self.depths.clear();
        self.depths.resize(router.ranked.nodes.len(), 0);
        for (node, split) in router.tree.splits() {
            // Children come after their parents.
            router
                .tree
                .children(split)
                .for_each(|child| self.depths[child] = self.depths[node] + 1);
        }
        self.find_leaf_subtrees(router);
        let depth = self.depths.iter().max().map_or(0, |depth| *depth as usize);
        self.most_levels = depth + 1;
        self.most_slots = depth.min(self.columns.used.len());
    }

    /// Finds the nodes below which there are few splits, each with two sides.
    fn find_leaf_subtrees(&mut self, router: &Router<'_>) {
        self.is_leaf_subtree.clear();
        self.is_leaf_subtree.resize(router.ranked.nodes.len(), true);
        self.n_below.clear();
        self.n_below.resize(router.ranked.nodes.len(), 0);
        for node in (0..router.ranked.nodes.len()).rev() {
            // Children come after their parents.
            let Some(split) = router.split(node) else { continue };
            let children = router.tree.children(split);
            let n_below: usize = children.clone().map(|child| self.n_below[child]).sum();
            self.n_below[node] = n_below + 1;
            self.is_leaf_subtree[node] = children.len() == 2
                && n_below < MOST_SPLITS
                && children.into_iter().all(|child| self.is_leaf_subtree[child]);
        }
    }

    fn walk(&mut self, explained: &Explained<'_>, progress: &Progress) -> Result<(), Error> {
        if self.is_leaf_subtree[0] {
            self.explain_leaf_subtree(explained, 0, 0..1);
            return Ok(());
        }
        self.enter(explained.router, 0, 0..1, None);
        while let Some(frame) = self.frames.last_mut() {
            progress.check()?;
            if frame.child == frame.n_children {
                let from = frame.from;
                self.frames.pop();
                if let Some((step, extent)) = from {
                    self.ascend(step, extent, explained.n_rows);
                }
                continue;
            }
            let child = frame.child;
            frame.child += 1;
            let frame = frame.clone();
            let below = frame.first_child + child;
            let step = self.path.descend(frame.place, self.on_edges[below as usize]);
            let is_other = frame.n_children == 2 && child == 1;
            if !is_other {
                self.groups.shrink(frame.extent);
                self.divide(explained, &frame, child, step.slot);
            }
            let extent = self.groups.extent();
            let crossing =
                Crossing { slot: step.slot, reach: self.path.reach(step.slot), is_other };
            self.groups.cross(frame.groups.clone(), frame.extent, crossing);
            let groups = self.groups.behind(extent);
            if groups.is_empty() {
                self.ascend(step, extent, explained.n_rows);
            } else if self.is_leaf_subtree[below as usize] {
                self.explain_leaf_subtree(explained, below, groups);
                self.ascend(step, extent, explained.n_rows);
            } else {
                self.enter(explained.router, below, groups, Some((step, extent)));
            }
        }
        Ok(())
    }

    /// Back from an edge.
    fn ascend(&mut self, step: Step, extent: Extent, n_rows: usize) {
        let groups = self.groups.behind(extent);
        if self.path.ascend(step) {
            let (n_slots, n_places) =
                (self.path.most_slots(), self.columns.used.len().next_multiple_of(EIGHT));
            let sums = self.sums.chunks_exact_mut(n_rows * n_slots);
            let values = self.values.chunks_exact_mut(n_rows * n_places);
            for (sums, values) in sums.zip(values) {
                for &row in groups.clone().flat_map(|index| self.groups.rows_of(index)) {
                    let sum = &mut sums[row as usize * n_slots + step.slot as usize];
                    let value = &mut values[row as usize * n_places + step.place as usize];
                    *value += std::mem::take(sum);
                }
            }
        }
        self.groups.shrink(extent);
    }

    /// Notes an inner node whose children are next.
    fn enter(
        &mut self,
        router: &Router<'_>,
        node: u32,
        groups: Range<usize>,
        from: Option<(Step, Extent)>,
    ) {
        let Some(place) = self.columns.place(&router.ranked.nodes[node as usize]) else { return };
        let Some(split) = router.split(node as usize) else { return };
        self.frames.push(Frame {
            node,
            place,
            first_child: split.first_child,
            n_children: router.tree.n_children(split),
            child: 0,
            groups,
            extent: self.groups.extent(),
            from,
        });
    }

    /// Divides the rows at a node by whether they take the edge to a child.
    fn divide(&mut self, explained: &Explained<'_>, frame: &Frame, child: u32, slot: u32) {
        let (router, n_rows) = (explained.router, explained.n_rows);
        let place = frame.place as usize;
        let codes = &self.block.codes[place * n_rows..][..n_rows];
        let groups = frame.groups.clone();
        match router.ranked.nodes[frame.node as usize] {
            RankedNode::Below { below, missing, .. } if self.columns.is_plain[place] => {
                // The code of a missing value is larger than every threshold, and wraps to 0.
                debug_assert_eq!(MISSING_CODE.wrapping_add(1), 0);
                let shift = u32::from(missing == Side::Left);
                let (limit, is_left) = (below + shift, child == 0);
                self.groups.divide(groups, slot, |row| {
                    (codes[row as usize].wrapping_add(shift) < limit) == is_left
                });
            }
            _ => {
                let child_of = |&code: &u32| router.child_of_code(frame.node as usize, code);
                self.takes.clear();
                self.takes
                    .extend(self.block.distinct[place].iter().map(|code| child_of(code) == child));
                let takes = self.takes.as_slice();
                self.groups.divide(groups, slot, |row| takes[codes[row as usize] as usize]);
            }
        }
    }
}

/// Memory of a thread where a tree has so many nodes, and rows `width` values.
pub(crate) fn walk_bytes(nodes: f64, n_rows: f64, width: f64) -> f64 {
    let background = (TOGETHER * 8) as f64 * (width + 64.0);
    // Codes, values and sums of a block, what a leaf subtree gives its rows, and its records, with
    // those of the block before it.
    let n_together = n_rows.min(MOST_ROWS as f64);
    let values = 8.0 * (width + (1 + MOST_SPLITS) as f64);
    let block = n_together * (4.0 * width + 3.0 * values + 8.0 + 2.0 * (8.0 * width + 24.0));
    background + list_bytes(MOST_ROWS_OF_LEVELS as f64) + 20.0 * nodes + block
}
