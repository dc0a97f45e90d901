//! Projected-CART: what a tree predicts for its out-of-bag rows when it must not know a group of
//! columns. Bénard, Da Veiga & Scornet 2022, section 3.1, Algorithm 1 with Remark 3.
//!
//! Splits on the group let all rows go both ways, and a row's prediction is the mean of the in-bag
//! rows that fall into the same collection of nodes. Only rows below the first split on a group are
//! affected by it. From there on the rows are divided cell by cell, level by level.
//!
//! The codes of in-bag and out-of-bag rows are copied in the order of their leaves, so that rows which
//! meet are near in memory. What comes out are changes of predictions, one per row and group that a tree
//! concerns (`altered_predictions.rs` adds them up).

mod cells;
mod columns;
mod few;
mod rows;
mod simd;

use std::ops::Range;

use crate::data::TrainingResponse;
use crate::forest::{Aggregation, Router, argmax};
use crate::measure::kernel::changes::Changes;
use crate::measure::kernel::packed_split::{LEAF, PackedSplit};
use crate::pass::TreeView;
use cells::Part;
use columns::UsedColumns;
use few::FewRows;
use rows::PlacedRows;

/// The group of splits that are not projected, where only some are.
const KEPT: u32 = LEAF - 1;

/// Projects one tree.
pub(crate) struct Projection<'a> {
    view: &'a TreeView<'a>,
    aggregation: Aggregation,
    router: Router<'a>,
    nodes: Vec<PackedSplit>,
    n_outputs: usize,
    placed: PlacedRows,
    /// What is predicted for every out-of-bag row, of numbers less their mean.
    ordinary: Vec<f64>,
    /// The rows below the node that is worked on, those of a part side by side.
    rows: Vec<u32>,
    /// Inner nodes of cells, those of later levels after those of earlier ones.
    cells: Vec<u32>,
    /// Parts of cells that were put aside.
    parts: Vec<Part>,
    few: FewRows,
    /// Room for as many rows as there are, and for children with their parts of a cell's rows.
    spare: Vec<u32>,
    children: Vec<(usize, Range<usize>)>,
    value: Vec<f64>,
    changes: Changes,
}

enum Visit {
    Node(usize),
    Leave(u32),
}

impl<'a> Projection<'a> {
    /// Changes of all out-of-bag rows by all groups. Cost about O(n log^2 n) for a tree of n rows,
    /// whatever the number of columns, besides copying the codes of the rows.
    pub(crate) fn changes(view: &'a TreeView<'a>, aggregation: Aggregation) -> Changes {
        let mut projection = Self::new(view, aggregation);
        projection.visit_all(view.groups.n_groups());
        projection.changes
    }

    /// Changes of all out-of-bag rows by sets of groups, whose numbers stand where those of groups
    /// do; `leaves_out(set, group)` returns what the tree must not use. Cost per set about that of
    /// dividing the rows at all nodes.
    pub(crate) fn onto(
        view: &'a TreeView<'a>,
        aggregation: Aggregation,
        n_sets: usize,
        leaves_out: &dyn Fn(usize, usize) -> bool,
    ) -> Changes {
        let mut projection = Self::new(view, aggregation);
        let groups: Vec<u32> = projection.nodes.iter().map(|node| node.group).collect();
        for set in 0..n_sets {
            for (node, &group) in projection.nodes.iter_mut().zip(&groups) {
                if group != LEAF {
                    let is_out = leaves_out(set, group as usize);
                    node.group = if is_out { 0 } else { KEPT };
                }
            }
            let before = projection.changes.groups.len();
            projection.visit_all(1);
            projection.changes.groups[before..].fill(set as u32);
        }
        projection.changes
    }

    fn new(view: &'a TreeView<'a>, aggregation: Aggregation) -> Self {
        let columns = UsedColumns::new(view.ranked, view.training.features().n_columns());
        let place_of = |column| columns.place(column);
        let nodes: Vec<PackedSplit> =
            PackedSplit::all(view).map(|question| question.with_column(place_of)).collect();
        let placed = PlacedRows::new(view, &columns);
        let n_rows = placed.n_in_bag() + view.out_of_bag.all().len();
        Self {
            view,
            aggregation,
            router: view.router(),
            nodes,
            n_outputs: view.training.n_outputs(),
            placed,
            ordinary: ordinary(view, aggregation),
            rows: Vec::with_capacity(n_rows),
            cells: Vec::new(),
            parts: Vec::new(),
            few: FewRows::default(),
            spare: vec![0; n_rows],
            children: Vec::new(),
            value: vec![0.0; view.training.n_outputs()],
            changes: Changes::default(),
        }
    }

    /// Goes through the tree and projects below the first split on every group. A tree without in-bag rows,
    /// which have means, is not changed.
    fn visit_all(&mut self, n_groups: usize) {
        let view = self.view;
        if view.in_bag().all().is_empty() {
            return;
        }
        let mut used = vec![false; n_groups];
        let mut pending = vec![Visit::Node(0)];
        while let Some(visit) = pending.pop() {
            let node = match visit {
                Visit::Leave(group) => {
                    used[group as usize] = false;
                    continue;
                }
                Visit::Node(node) => node,
            };
            let group = self.nodes[node].group;
            if group == LEAF || view.out_of_bag.rows(node).is_empty() || self.is_cancelled() {
                continue;
            }
            if view.in_bag().span(node).is_empty() {
                self.leave_to_ancestor(node, &used);
                continue;
            }
            if group != KEPT && !used[group as usize] {
                used[group as usize] = true;
                pending.push(Visit::Leave(group));
                self.project(node, group);
                if n_groups == 1 {
                    // All groups were used: nothing is left to do below.
                    used[0] = false;
                    pending.pop();
                    continue;
                }
            }
            if let Some(split) = self.router.split(node) {
                pending.extend(view.tree.children(split).map(Visit::Node));
            }
        }
    }

    fn is_cancelled(&self) -> bool {
        self.view.progress.is_cancelled()
    }

    /// No in-bag row reaches the node (which only trees of other programs have): for every group that is
    /// split on below and not above, the cell is that of the last ancestor with rows. Without any other
    /// group, rows end in the same leaf.
    fn leave_to_ancestor(&mut self, node: usize, used: &[bool]) {
        let view = self.view;
        let below = self.groups_below(node, used.len());
        let (mut ancestor, mut next) = (0, 0);
        let out_of_bag = view.out_of_bag.span(node);
        while next != node && !view.in_bag().span(next).is_empty() {
            ancestor = next;
            let place = self.nodes[next].column();
            let first = self.placed.n_in_bag() + out_of_bag.start;
            let code = self.placed.codes.at(first as u32, place);
            next = self.child_of(next, code) as usize;
        }
        let mut value = std::mem::take(&mut self.value);
        self.mean(view.in_bag().span(ancestor).map(|place| place as u32), &mut value);
        let groups = (0_u32..).zip(below.into_iter().zip(used));
        for (group, _) in groups.filter(|(_, (is_below, is_used))| *is_below && !**is_used) {
            for place in out_of_bag.clone() {
                self.assign(place as u32, group, &value);
            }
        }
        self.value = value;
    }

    /// By group, whether the node or one below it splits on it.
    fn groups_below(&self, node: usize, n_groups: usize) -> Vec<bool> {
        let mut found = vec![false; n_groups];
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            if let Some(found) = found.get_mut(self.nodes[node].group as usize) {
                *found = true;
            }
            if let Some(split) = self.router.split(node) {
                pending.extend(self.view.tree.children(split));
            }
        }
        found
    }

    /// The child that a row with this code goes to.
    fn child_of(&self, node: usize, code: u32) -> u32 {
        let question = self.nodes[node];
        let child = if question.knows_sides() {
            question.right_of(code)
        } else {
            self.router.child_of_code(node, code)
        };
        question.first_child + child
    }

    #[inline]
    fn mean(&self, rows: impl Iterator<Item = u32>, value: &mut [f64]) {
        self.placed.mean(rows, value);
        if value.len() > 1 && self.aggregation == Aggregation::Vote {
            vote(value);
        }
    }

    /// Notes the change from the ordinary prediction of an out-of-bag row.
    #[inline]
    fn assign(&mut self, row: u32, group: u32, value: &[f64]) {
        self.changes.rows.push(self.view.out_of_bag.all()[row as usize]);
        self.changes.groups.push(group);
        let place = row as usize * self.n_outputs;
        if let [value] = value {
            self.changes.amounts.push(value - self.ordinary[place]);
            return;
        }
        let ordinary = &self.ordinary[place..place + self.n_outputs];
        self.changes.amounts.extend(value.iter().zip(ordinary).map(|(value, own)| value - own));
    }
}

/// What is predicted for the out-of-bag rows, in the order of their placement.
fn ordinary(view: &TreeView<'_>, aggregation: Aggregation) -> Vec<f64> {
    let n_outputs = view.training.n_outputs();
    let mut all = vec![0.0; view.out_of_bag.all().len() * n_outputs];
    for leaf in view.leaves() {
        let mut value = view.tree.value(leaf).to_vec();
        match view.training.response() {
            TrainingResponse::Numbers { mean, .. } => value[0] -= mean,
            TrainingResponse::Several(several) => {
                value.iter_mut().zip(&*several.means).for_each(|(value, mean)| *value -= mean);
            }
            TrainingResponse::Classes { .. } if aggregation == Aggregation::Vote => {
                vote(&mut value);
            }
            TrainingResponse::Classes { .. } => {}
        }
        let span = view.out_of_bag.span(leaf);
        for own in all[span.start * n_outputs..span.end * n_outputs].chunks_exact_mut(n_outputs) {
            own.copy_from_slice(&value);
        }
    }
    all
}

/// All weight to the class with the largest share.
pub(crate) fn vote(shares: &mut [f64]) {
    let winner = argmax(shares);
    shares.fill(0.0);
    shares[winner] = 1.0;
}
