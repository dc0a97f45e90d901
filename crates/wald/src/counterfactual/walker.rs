//! One walk of a row through all trees, which finds its profiles along all axes.

use crate::counterfactual::axis::{Axes, Axis};
use crate::counterfactual::bound::Bound;
use crate::counterfactual::events::Events;
use crate::data::MISSING_CODE;
use crate::forest::{RankedNode, Side};

/// Finds the profiles of one row after the other, reusing its memory.
///
/// A tree changes its mind about a row only below splits on the group. There the walk goes to
/// all children that donors reach, with the donors that reach them. Cost per row and tree: the
/// length of the path, and for each group on it the part of the tree that the row reaches when
/// splits on the group lead both ways.
#[derive(Debug)]
pub(crate) struct Walker<'a> {
    bound: &'a Bound<'a>,
    axes: &'a Axes,
    /// Of the row, by canonical column.
    codes: Vec<u32>,
    /// Sums over the trees walked, and their number.
    base: Vec<f64>,
    n_trees: usize,
    /// The groups whose values matter for the row.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// Groups on the path through a tree with the first split on each.
    first_uses: Vec<(u32, u32)>,
    /// The walk through a tree in which a group was met last.
    last_met: Vec<u64>,
    n_walks: u64,
    stack: Vec<Pending>,
    events: Events,
    sets: Vec<Option<Set>>,
    /// Donors on their way down.
    donors: Vec<u32>,
    /// Sums on the way along an axis.
    running: Vec<f64>,
    profile: Profile,
}

/// The sums over trees along one axis.
#[derive(Debug, Default)]
pub(crate) struct Profile {
    stride: usize,
    /// The places from which on the sums are others; of points, all that were requested.
    pub(crate) starts: Vec<u32>,
    sums: Vec<f64>,
    missing: Vec<f64>,
}

/// Cells from `start` to `end` and perhaps missing numbers, or a slice of the donors, at a node.
#[derive(Debug, Clone, Copy)]
struct Pending {
    node: u32,
    start: u32,
    end: u32,
    missing: bool,
}

/// Sums along an axis of points.
#[derive(Debug)]
struct Set {
    /// The places looked at, and a row for each.
    places: Vec<u32>,
    rows: Vec<u32>,
    /// Changes of the sums, by place; zero between uses.
    changes: Vec<f64>,
}

impl Profile {
    /// The sums at each start.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (u32, &[f64])> {
        self.starts.iter().copied().zip(self.sums.chunks_exact(self.stride))
    }

    /// The sums at a place, or for missing numbers.
    pub(crate) fn at(&self, place: u32) -> &[f64] {
        if place == MISSING_CODE {
            return &self.missing;
        }
        let piece = self.starts.partition_point(|&start| start <= place) - 1;
        &self.sums[piece * self.stride..(piece + 1) * self.stride]
    }

    pub(crate) fn missing(&self) -> &[f64] {
        &self.missing
    }
}

impl<'a> Walker<'a> {
    pub(crate) fn new(bound: &'a Bound<'a>, axes: &'a Axes) -> Self {
        let (stride, n_groups) = (bound.stride(), axes.n_groups());
        let set = |group| match axes.axis(group) {
            Axis::None | Axis::Ordered { .. } => None,
            Axis::Points { rows, .. } => Some(Set {
                places: (0..rows.len() as u32).collect(),
                rows: rows.clone(),
                changes: vec![0.0; rows.len() * stride],
            }),
        };
        Self {
            bound,
            axes,
            codes: vec![0; bound.features().n_columns()],
            base: vec![0.0; stride],
            n_trees: 0,
            touched: Vec::new(),
            is_touched: vec![false; n_groups],
            first_uses: Vec::new(),
            last_met: vec![0; n_groups],
            n_walks: 0,
            stack: Vec::new(),
            events: Events::new(stride, n_groups),
            sets: (0..n_groups).map(set).collect(),
            donors: Vec::new(),
            running: vec![0.0; stride],
            profile: Profile {
                stride,
                sums: Vec::new(),
                starts: Vec::new(),
                missing: vec![0.0; stride],
            },
        }
    }

    /// Looks at these places only on an axis of points, from the next row on. Others have none
    /// but the row's own prediction.
    pub(crate) fn choose(&mut self, group: usize, places: impl Iterator<Item = u32>) {
        let Axis::Points { rows, .. } = self.axes.axis(group) else { return };
        if let Some(set) = &mut self.sets[group] {
            set.places.clear();
            set.places.extend(places);
            set.places.sort_unstable();
            set.places.dedup();
            set.rows.clear();
            set.rows.extend(set.places.iter().map(|&place| rows[place as usize]));
        }
    }

    /// Begins with a row of the table.
    pub(super) fn begin(&mut self, row: u32) {
        for (column, code) in (0..).zip(&mut self.codes) {
            *code = self.bound.features().column(column).codes()[row as usize];
        }
        self.base.fill(0.0);
        self.n_trees = 0;
        self.events.clear(&self.touched);
        for group in self.touched.drain(..) {
            self.is_touched[group as usize] = false;
            if let Some(set) = &mut self.sets[group as usize] {
                set.changes.fill(0.0);
            }
        }
    }

    /// Ends a row: all its trees were walked.
    pub(super) fn finish(&mut self) {
        self.events.arrange(&self.touched);
    }

    /// The groups whose values matter for the row; along others its prediction is constant.
    pub(crate) fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// Sums over the trees for the row as it is.
    pub(crate) fn base(&self) -> &[f64] {
        &self.base
    }

    /// The trees that took part.
    pub(crate) fn n_trees(&self) -> usize {
        self.n_trees
    }

    /// The profile of the row along the axis of a group.
    pub(crate) fn profile(&mut self, group: usize) -> &Profile {
        let Profile { stride, starts, sums, missing } = &mut self.profile;
        starts.clear();
        sums.clear();
        let n_places = self.axes.axis(group).n_places();
        match &self.sets[group] {
            _ if !self.is_touched[group] => {
                starts.push(0);
                sums.extend_from_slice(&self.base);
                missing.copy_from_slice(&self.base);
            }
            None => {
                self.running.copy_from_slice(&self.base);
                let running = self.running.as_mut_slice();
                self.events.resolve(group, n_places, running, missing, |cell, now| {
                    starts.push(cell);
                    sums.extend_from_slice(now);
                });
            }
            Some(set) => {
                for &place in &set.places {
                    let at = place as usize * *stride;
                    let changes = &set.changes[at..at + *stride];
                    starts.push(place);
                    sums.extend(self.base.iter().zip(changes).map(|(base, change)| base + change));
                }
            }
        }
        &self.profile
    }
}

impl Walker<'_> {
    /// Walks the row through a tree.
    pub(super) fn walk(&mut self, tree: usize) {
        self.n_trees += 1;
        let bound = self.bound;
        let router = bound.router(tree);
        self.n_walks += 1;
        self.first_uses.clear();
        let mut node = 0;
        while let Some(column) = router.ranked.nodes[node as usize].column() {
            let group = self.axes.group(column);
            let met = &mut self.last_met[group as usize];
            if *met != self.n_walks {
                *met = self.n_walks;
                self.first_uses.push((group, node));
            }
            node = router.child_of(node, self.codes[column as usize]);
        }
        let node_values = bound.node_values(tree, node as usize);
        self.base.iter_mut().zip(node_values).for_each(|(sum, node_values)| *sum += node_values);
        for index in 0..self.first_uses.len() {
            let (group, first) = self.first_uses[index];
            match self.axes.axis(group as usize) {
                Axis::None => continue,
                Axis::Ordered { .. } => self.along_cells(tree, group, first, node),
                Axis::Points { .. } => self.along_points(tree, group, first, node),
            }
            let is_touched = &mut self.is_touched[group as usize];
            if !*is_touched {
                *is_touched = true;
                self.touched.push(group);
            }
        }
    }

    /// Notes how the leaf changes along an ordered axis, starting at the `first` split on it;
    /// `own` is the leaf of the row as it is.
    fn along_cells(&mut self, tree: usize, group: u32, first: u32, own: u32) {
        let Axis::Ordered { column, cell_of_code, n_cells, has_missing } =
            self.axes.axis(group as usize)
        else {
            return;
        };
        let router = self.bound.router(tree);
        let mut before = own;
        self.stack.clear();
        self.stack.push(Pending { node: first, start: 0, end: *n_cells, missing: *has_missing });
        while let Some(mut at) = self.stack.pop() {
            loop {
                let next = match router.ranked.nodes[at.node as usize] {
                    RankedNode::Leaf => break,
                    RankedNode::Below { column: split, below, first_child, missing }
                        if split == *column =>
                    {
                        let cut = cell_of_code[below as usize].clamp(at.start, at.end);
                        let left = Pending {
                            node: first_child,
                            end: cut,
                            missing: at.missing && missing == Side::Left,
                            ..at
                        };
                        let right = Pending {
                            node: first_child + 1,
                            start: cut,
                            missing: at.missing && missing == Side::Right,
                            ..at
                        };
                        [left, right]
                    }
                    RankedNode::Other { column: split, .. } if split == *column => {
                        // Whether there is a number.
                        let present = router.child_of(at.node, 0);
                        let absent = router.child_of(at.node, MISSING_CODE);
                        [
                            Pending { node: present, missing: false, ..at },
                            Pending { node: absent, start: at.end, ..at },
                        ]
                    }
                    RankedNode::Below { column, .. } | RankedNode::Other { column, .. } => {
                        at.node = router.child_of(at.node, self.codes[column as usize]);
                        continue;
                    }
                };
                // The left child comes first, so that cells are met in increasing order.
                let [left, right] = next;
                match (left.is_reached(), right.is_reached()) {
                    (true, true) => {
                        self.stack.push(right);
                        at = left;
                    }
                    (true, false) => at = left,
                    (false, _) => at = right,
                }
            }
            let node_values = |leaf: u32| self.bound.node_values(tree, leaf as usize);
            if at.start < at.end && at.node != before {
                self.events.push(group, at.start, node_values(before), node_values(at.node));
                before = at.node;
            }
            if at.missing && at.node != own {
                self.events.push(group, MISSING_CODE, node_values(own), node_values(at.node));
            }
        }
    }

    /// As [`Walker::along_cells`], along an axis of points.
    fn along_points(&mut self, tree: usize, group: u32, first: u32, own: u32) {
        let (Some(set), Axis::Points { place_of_row, .. }) =
            (&mut self.sets[group as usize], self.axes.axis(group as usize))
        else {
            return;
        };
        let router = self.bound.router(tree);
        self.donors.clear();
        self.donors.extend_from_slice(&set.rows);
        let end = self.donors.len() as u32;
        let stack = &mut self.stack;
        stack.clear();
        stack.push(Pending { node: first, start: 0, end, missing: false });
        while let Some(mut at) = stack.pop() {
            let mut is_leaf = true;
            while let Some(column) = router.ranked.nodes[at.node as usize].column() {
                if self.axes.group(column) == group {
                    is_leaf = false;
                    break;
                }
                at.node = router.child_of(at.node, self.codes[column as usize]);
            }
            let part = &mut self.donors[at.start as usize..at.end as usize];
            if !is_leaf {
                router.partition(at.node as usize, part, |child, rows| {
                    if !rows.is_empty() {
                        let (start, end) =
                            (at.start + rows.start as u32, at.start + rows.end as u32);
                        stack.push(Pending { node: child as u32, start, end, missing: false });
                    }
                });
            } else if at.node != own {
                let stride = self.bound.stride();
                let (before, after) = (
                    self.bound.node_values(tree, own as usize),
                    self.bound.node_values(tree, at.node as usize),
                );
                for &row in &*part {
                    let place = place_of_row[row as usize] as usize * stride;
                    let changes = set.changes[place..place + stride].iter_mut();
                    for ((change, after), before) in changes.zip(after).zip(before) {
                        *change += after - before;
                    }
                }
            }
        }
    }
}

impl Pending {
    fn is_reached(self) -> bool {
        self.start < self.end || self.missing
    }
}
