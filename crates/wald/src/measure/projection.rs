//! Projected-CART: what a tree predicts for its out-of-bag rows when it must not know a group of
//! columns. Bénard, Da Veiga & Scornet 2022, section 3.1, Algorithm 1 with Remark 3.
//!
//! Splits on the group let all rows go both ways, and a row's prediction is the mean of the in-bag
//! rows that fall into the same collection of nodes. Only rows below the first split on a group
//! are affected by it. From there on the rows are divided cell by cell, level by level. A cell of
//! few in-bag rows is kept as the bits of a number: every out-of-bag row in it finds the rows that
//! share its nodes by itself, with one "and" per split.

use std::ops::Range;

use crate::data::TrainingResponse;
use crate::forest::{Aggregation, Router, TreeView, argmax};

/// In-bag rows that fit into the bits of a number.
const FEW: usize = u64::BITS as usize;

/// With at most this many candidates left, each is looked at on its own.
const SINGLES: u32 = 6;

/// Marks leaves.
const LEAF: u32 = u32::MAX;

/// The changes of a tree's out-of-bag predictions, one per row and group where there is any.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Training rows.
    pub(crate) rows: Vec<u32>,
    /// The group that the tree must not know.
    pub(crate) groups: Vec<u32>,
    /// The changed prediction minus the ordinary one, `n_outputs` numbers each.
    pub(crate) changes: Vec<f64>,
}

/// Projects one tree.
pub(crate) struct Projection<'a> {
    view: &'a TreeView<'a>,
    aggregation: Aggregation,
    router: Router<'a>,
    /// Codes of each canonical column.
    codes: Vec<&'a [u32]>,
    /// The group that a node asks about, or [`LEAF`].
    asked: Vec<u32>,
    n_outputs: usize,
    /// The leaf that every out-of-bag row ends in, by training row.
    leaf_of: Vec<u32>,
    /// In-bag and out-of-bag rows below the node that is worked on.
    in_bag: Vec<u32>,
    out_of_bag: Vec<u32>,
    /// Inner nodes of cells, those of later levels after those of earlier ones.
    cells: Vec<u32>,
    steps: Vec<Step>,
    few: FewRows,
    value: Vec<f64>,
    changes: Changes,
}

/// A cell within a level of the tree.
#[derive(Debug, Clone)]
struct Step {
    in_bag: Range<usize>,
    out_of_bag: Range<usize>,
    /// The in-bag rows of the whole cell of the level before.
    before: Range<usize>,
    /// The nodes of this level that are still to be asked.
    nodes: Range<usize>,
    /// Where the nodes of the next level begin.
    next: usize,
    /// Nodes known when the step was put aside, and one more.
    n_nodes: usize,
    more: Option<u32>,
}

/// At most 64 in-bag rows, and which of them go left at splits.
#[derive(Debug, Default)]
struct FewRows {
    rows: Vec<u32>,
    epoch: u32,
    /// By node: the epoch of the mask, and the rows that go left.
    left: Vec<(u32, u64)>,
    current: Vec<u32>,
    next: Vec<u32>,
}

enum Visit {
    Node { node: usize, block: Option<usize> },
    Leave(u32),
}

impl<'a> Projection<'a> {
    /// Changes of all out-of-bag rows by all groups. Cost about O(n log^2 n) for a tree of n rows,
    /// whatever the number of columns.
    pub(crate) fn changes(view: &'a TreeView<'a>, aggregation: Aggregation) -> Changes {
        let n_nodes = view.ranked.nodes.len();
        let features = view.training.features();
        let asked = view.ranked.nodes.iter();
        let asked = asked.map(|node| node.column().map_or(LEAF, |c| view.group(c) as u32));
        let mut leaf_of = vec![LEAF; view.training.n_rows()];
        for leaf in view.leaves() {
            for &row in view.out_of_bag.rows(leaf) {
                leaf_of[row as usize] = leaf as u32;
            }
        }
        let mut projection = Self {
            view,
            aggregation,
            router: view.router(),
            codes: (0..features.n_columns() as u32).map(|c| features.column(c).codes()).collect(),
            asked: asked.collect(),
            n_outputs: view.training.n_outputs(),
            leaf_of,
            in_bag: Vec::new(),
            out_of_bag: Vec::new(),
            cells: Vec::new(),
            steps: Vec::new(),
            few: FewRows { left: vec![(0, 0); n_nodes], ..FewRows::default() },
            value: vec![0.0; view.training.n_outputs()],
            changes: Changes::default(),
        };
        projection.visit_all();
        projection.changes
    }

    /// Goes through the tree and projects below the first split on every group.
    fn visit_all(&mut self) {
        let view = self.view;
        let mut used = vec![false; view.groups.n_groups()];
        let mut pending = vec![Visit::Node { node: 0, block: None }];
        while let Some(visit) = pending.pop() {
            let (node, mut block) = match visit {
                Visit::Leave(group) => {
                    used[group as usize] = false;
                    continue;
                }
                Visit::Node { node, block } => (node, block),
            };
            let group = self.asked[node];
            if group == LEAF || view.out_of_bag.rows(node).is_empty() || self.is_cancelled() {
                continue;
            }
            let in_bag = view.in_bag().span(node);
            if in_bag.is_empty() {
                self.leave_to_ancestor(node, &used);
                continue;
            }
            if block.is_none() && in_bag.len() <= FEW {
                self.few.begin(&view.in_bag().all()[in_bag.clone()]);
                block = Some(in_bag.start);
            }
            if !used[group as usize] {
                used[group as usize] = true;
                pending.push(Visit::Leave(group));
                match block {
                    Some(start) => {
                        let bits = bits(in_bag.start - start..in_bag.end - start);
                        self.project_few(node, group, bits);
                    }
                    None => self.project(node, group),
                }
            }
            if let Some(split) = self.router.split(node) {
                let children = view.tree.children(split);
                pending.extend(children.map(|node| Visit::Node { node, block }));
            }
        }
    }

    fn is_cancelled(&self) -> bool {
        self.view.monitor.is_cancelled()
    }

    /// No in-bag row reaches the node (which only trees of other programs have): for every group
    /// that was not asked about above, the cell is that of the last ancestor with rows.
    fn leave_to_ancestor(&mut self, node: usize, used: &[bool]) {
        let view = self.view;
        let mut ancestor = 0;
        let mut below = 0;
        let row = view.out_of_bag.rows(node)[0] as usize;
        while below != node && !view.in_bag().span(below).is_empty() {
            ancestor = below;
            let Some(column) = self.router.ranked.nodes[below].column() else { return };
            let child = self.router.child_of_code(below, self.codes[column as usize][row]);
            let Some(split) = self.router.split(below) else { return };
            below = (split.first_child + child) as usize;
        }
        let rows = view.in_bag().rows(ancestor);
        let mut value = std::mem::take(&mut self.value);
        self.mean(rows.iter().copied(), &mut value);
        for (group, _) in (0_u32..).zip(used).filter(|(_, used)| !**used) {
            for &row in view.out_of_bag.rows(node) {
                self.assign(row, group, &value);
            }
        }
        self.value = value;
    }

    /// Projects below a split on a group whose in-bag rows are some of the few.
    fn project_few(&mut self, node: usize, group: u32, bits: u64) {
        let view = self.view;
        self.cells.clear();
        self.cells.push(node as u32);
        for &row in view.out_of_bag.rows(node) {
            self.find(row, group, bits, (0..1, 1..1), None);
        }
    }

    /// Projects below a split on a group, with as many in-bag rows as there are.
    fn project(&mut self, node: usize, group: u32) {
        let view = self.view;
        self.in_bag.clear();
        self.in_bag.extend_from_slice(view.in_bag().rows(node));
        self.out_of_bag.clear();
        self.out_of_bag.extend_from_slice(view.out_of_bag.rows(node));
        self.cells.clear();
        self.cells.push(node as u32);
        let in_bag = 0..self.in_bag.len();
        self.steps.push(Step {
            before: in_bag.clone(),
            in_bag,
            out_of_bag: 0..self.out_of_bag.len(),
            nodes: 0..0,
            next: 0,
            n_nodes: 1,
            more: None,
        });
        while let Some(step) = self.steps.pop() {
            if self.is_cancelled() {
                self.steps.clear();
                return;
            }
            self.cells.truncate(step.n_nodes);
            self.cells.extend(step.more);
            self.refine(group, step);
        }
    }

    /// Asks the nodes of a cell one after the other until one divides its rows.
    fn refine(&mut self, group: u32, mut step: Step) {
        loop {
            if step.nodes.is_empty() {
                // All nodes of the level were asked: those of the next one follow.
                step.nodes = step.next..self.cells.len();
                step.next = self.cells.len();
                step.before = step.in_bag.clone();
                if step.nodes.is_empty() || self.is_equal(&self.in_bag[step.in_bag.clone()]) {
                    return self.assign_mean(group, &step.in_bag, step.out_of_bag);
                }
            }
            if step.in_bag.len() <= FEW {
                return self.find_all(group, &step);
            }
            let node = self.cells[step.nodes.start] as usize;
            step.nodes.start += 1;
            if self.asked[node] == group {
                self.push_inner_children(node);
            } else {
                return self.divide(group, node, &step);
            }
        }
    }

    fn push_inner_children(&mut self, node: usize) {
        if let Some(split) = self.router.split(node) {
            let children = self.view.tree.children(split).map(|child| child as u32);
            let asked = &self.asked;
            self.cells.extend(children.filter(|&child| asked[child as usize] != LEAF));
        }
    }

    /// Divides the rows of a cell at a node that asks about another group.
    fn divide(&mut self, group: u32, node: usize, step: &Step) {
        let mut in_bag_parts: Vec<(usize, Range<usize>)> = Vec::new();
        self.router.partition(node, &mut self.in_bag[step.in_bag.clone()], |child, part| {
            let start = step.in_bag.start;
            in_bag_parts.push((child, start + part.start..start + part.end));
        });
        let mut parts: Vec<(usize, Range<usize>)> = Vec::new();
        self.router.partition(
            node,
            &mut self.out_of_bag[step.out_of_bag.clone()],
            |child, part| {
                let start = step.out_of_bag.start;
                parts.push((child, start + part.start..start + part.end));
            },
        );
        for (child, out_of_bag) in parts.into_iter().filter(|(_, part)| !part.is_empty()) {
            let same =
                in_bag_parts.iter().find(|(other, part)| *other == child && !part.is_empty());
            let Some((_, in_bag)) = same else {
                // Remark 3: an empty cell leaves its rows to the level before.
                self.assign_mean(group, &step.before, out_of_bag);
                continue;
            };
            self.steps.push(Step {
                in_bag: in_bag.clone(),
                out_of_bag,
                n_nodes: self.cells.len(),
                more: (self.asked[child] != LEAF).then_some(child as u32),
                ..step.clone()
            });
        }
    }

    /// Takes every out-of-bag row of a cell of few in-bag rows on alone.
    fn find_all(&mut self, group: u32, step: &Step) {
        let few = step.in_bag.clone();
        self.few.begin(&self.in_bag[few.clone()]);
        let all = bits(0..few.len());
        let next = step.next..self.cells.len();
        for index in step.out_of_bag.clone() {
            let row = self.out_of_bag[index];
            let nodes = (step.nodes.clone(), next.clone());
            self.find(row, group, all, nodes, Some(&step.before));
        }
    }

    /// Follows one row through the nodes of its cell (those of this level still to be asked, those
    /// of the next level known so far), keeping the in-bag rows among `bits` that go the same ways,
    /// and assigns it their mean. `before` are the rows of the level before, where a level has
    /// begun.
    fn find(
        &mut self,
        row: u32,
        group: u32,
        mut bits: u64,
        (nodes, known): (Range<usize>, Range<usize>),
        mut before: Option<&Range<usize>>,
    ) {
        let mut current = std::mem::take(&mut self.few.current);
        let mut next = std::mem::take(&mut self.few.next);
        current.clear();
        current.extend_from_slice(&self.cells[nodes]);
        next.clear();
        next.extend_from_slice(&self.cells[known]);
        let mut value = std::mem::take(&mut self.value);
        'levels: loop {
            let whole = bits;
            for &node in &current {
                if self.asked[node as usize] == group {
                    if let Some(split) = self.router.split(node as usize) {
                        let children = self.view.tree.children(split).map(|child| child as u32);
                        next.extend(children.filter(|&c| self.asked[c as usize] != LEAF));
                    }
                    continue;
                }
                let child = self.same_way(node as usize, row, &mut bits);
                if bits == 0 {
                    match before {
                        Some(before) => {
                            self.mean(self.in_bag[before.clone()].iter().copied(), &mut value);
                        }
                        None => self.mean(self.few.chosen(whole), &mut value),
                    }
                    break 'levels;
                }
                if self.asked[child] != LEAF {
                    next.push(child as u32);
                }
            }
            before = None;
            if next.is_empty() || bits.is_power_of_two() || self.are_equal(bits) {
                self.mean(self.few.chosen(bits), &mut value);
                break;
            }
            std::mem::swap(&mut current, &mut next);
            next.clear();
        }
        self.assign(row, group, &value);
        (self.value, self.few.current, self.few.next) = (value, current, next);
    }

    /// The child that a row goes to; of the few rows, those that do not are taken out of `bits`.
    fn same_way(&mut self, node: usize, row: u32, bits: &mut u64) -> usize {
        let Some(split) = self.router.split(node) else { return node };
        let Some(column) = self.router.ranked.nodes[node].column() else { return node };
        let codes = self.codes[column as usize];
        let child = self.router.child_of_code(node, codes[row as usize]);
        let goes_along = |place: u32| {
            let row = self.few.rows[place as usize];
            self.router.child_of_code(node, codes[row as usize]) == child
        };
        let (epoch, left) = self.few.left[node];
        if epoch == self.few.epoch {
            *bits &= if child == 0 { left } else { !left };
        } else if bits.count_ones() <= SINGLES || self.view.tree.n_children(split) != 2 {
            let mut rest = *bits;
            while rest != 0 {
                let place = rest.trailing_zeros();
                if !goes_along(place) {
                    *bits &= !(1 << place);
                }
                rest &= rest - 1;
            }
        } else {
            let mut same = 0;
            for place in 0..self.few.rows.len() as u32 {
                same |= u64::from(goes_along(place)) << place;
            }
            self.few.left[node] = (self.few.epoch, if child == 0 { same } else { !same });
            *bits &= same;
        }
        (split.first_child + child) as usize
    }

    /// True when the responses of the few rows are equal.
    fn are_equal(&self, bits: u64) -> bool {
        let mut rows = self.few.chosen(bits);
        let Some(first) = rows.next() else { return true };
        rows.all(|row| self.is_alike(first, row))
    }

    fn is_equal(&self, rows: &[u32]) -> bool {
        rows.iter().all(|&row| self.is_alike(rows[0], row))
    }

    fn is_alike(&self, one: u32, other: u32) -> bool {
        match self.view.training.response() {
            TrainingResponse::Numbers { values, .. } => {
                values[one as usize] == values[other as usize]
            }
            TrainingResponse::Classes { codes, .. } => codes[one as usize] == codes[other as usize],
        }
    }

    fn assign_mean(&mut self, group: u32, in_bag: &Range<usize>, out_of_bag: Range<usize>) {
        let mut value = std::mem::take(&mut self.value);
        self.mean(self.in_bag[in_bag.clone()].iter().copied(), &mut value);
        for index in out_of_bag {
            self.assign(self.out_of_bag[index], group, &value);
        }
        self.value = value;
    }

    /// The mean of in-bag rows, counted as often as they were drawn, as the tree would predict it;
    /// of numbers, minus their mean over the table.
    fn mean(&self, rows: impl Iterator<Item = u32>, value: &mut [f64]) {
        let training = self.view.training;
        let counts = self.view.bag.map_or(&[][..], |bag| bag.counts());
        let mut total = 0.0;
        value.fill(0.0);
        match training.response() {
            TrainingResponse::Numbers { centred, .. } => {
                let mut sum = 0.0;
                for row in rows {
                    let weight = f64::from(counts[row as usize]) * training.weight(row);
                    sum += weight * centred[row as usize];
                    total += weight;
                }
                value[0] = sum / total;
            }
            TrainingResponse::Classes { codes, .. } => {
                for row in rows {
                    let weight = f64::from(counts[row as usize]) * training.weight(row);
                    value[codes[row as usize] as usize] += weight;
                    total += weight;
                }
                value.iter_mut().for_each(|share| *share /= total);
                if self.aggregation == Aggregation::Vote {
                    vote(value);
                }
            }
        }
    }

    /// Notes the change from the ordinary prediction of an out-of-bag row.
    fn assign(&mut self, row: u32, group: u32, value: &[f64]) {
        let leaf = self.view.tree.value(self.leaf_of[row as usize] as usize);
        self.changes.rows.push(row);
        self.changes.groups.push(group);
        match self.view.training.response() {
            TrainingResponse::Numbers { mean, .. } => {
                self.changes.changes.push(value[0] - (leaf[0] - mean));
            }
            TrainingResponse::Classes { .. } => {
                let start = self.changes.changes.len();
                self.changes.changes.extend_from_slice(leaf);
                let changes = &mut self.changes.changes[start..start + self.n_outputs];
                if self.aggregation == Aggregation::Vote {
                    vote(changes);
                }
                changes.iter_mut().zip(value).for_each(|(change, value)| *change = value - *change);
            }
        }
    }
}

impl FewRows {
    fn begin(&mut self, rows: &[u32]) {
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        self.epoch += 1;
    }

    fn chosen(&self, mut bits: u64) -> impl Iterator<Item = u32> + '_ {
        std::iter::from_fn(move || {
            if bits == 0 {
                return None;
            }
            let place = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            Some(self.rows[place])
        })
    }
}

/// The numbers of a range as the bits of a number.
fn bits(range: Range<usize>) -> u64 {
    if range.is_empty() { 0 } else { (u64::MAX >> (FEW - range.len())) << range.start }
}

/// All weight to the class with the largest share.
fn vote(shares: &mut [f64]) {
    let winner = argmax(shares);
    shares.fill(0.0);
    shares[winner] = 1.0;
}
