//! Projected-CART: what a tree predicts for its out-of-bag rows when it must not know a group of
//! columns. Bénard, Da Veiga & Scornet 2022, section 3.1, Algorithm 1 with Remark 3.
//!
//! Splits on the group let all rows go both ways, and a row's prediction is the mean of the in-bag
//! rows that fall into the same collection of nodes. Only rows below the first split on a group
//! are affected by it. From there on the rows are divided cell by cell, level by level. A cell of
//! few in-bag rows is kept as the bits of a number: every out-of-bag row in it finds the rows that
//! share its nodes by itself, with one "and" per split.

use std::ops::Range;

use crate::data::{RowCodes, TrainingResponse};
use crate::forest::{Aggregation, RankedNode, Router, Side, TreeView, argmax};

/// In-bag rows that fit into the bits of a number.
const MOST: usize = u64::BITS as usize;

/// With at most this many in-bag rows in a cell every out-of-bag row goes on by itself; also with
/// more of them, if that many out-of-bag rows are left. Dividing costs less where rows share it.
const FEW: usize = 16;
const ALONE: usize = 2;

/// Marks leaves.
const LEAF: u32 = u32::MAX;

/// The kind of questions other than thresholds.
const OTHER: u32 = 2;

/// The bits of [`Place::column`]: the column, whether the left and the right child are inner nodes,
/// and the kind of the question.
const KIND: u32 = 30;
const INNER: u32 = 28;
const COLUMN: u32 = (1 << INNER) - 1;

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
    nodes: Vec<Place>,
    n_outputs: usize,
    bag: Bagged,
    /// Codes of the out-of-bag rows.
    codes: RowCodes,
    /// The leaf that every out-of-bag row ends in.
    leaves: Vec<u32>,
    /// In-bag and out-of-bag rows below the node that is worked on. Rows are called by their places
    /// in the placements of the tree, so that rows of near leaves are near in memory.
    in_bag: Vec<u32>,
    out_of_bag: Vec<u32>,
    /// Inner nodes of cells, those of later levels after those of earlier ones.
    cells: Vec<u32>,
    steps: Vec<Step>,
    /// Children and their parts of a cell's rows, while it is divided.
    in_bag_parts: Vec<(usize, Range<usize>)>,
    parts: Vec<(usize, Range<usize>)>,
    few: FewRows,
    value: Vec<f64>,
    changes: Changes,
}

/// What is known of the in-bag rows, in the order of their placement.
#[derive(Debug)]
struct Bagged {
    codes: RowCodes,
    /// How much a row counts: its multiplicity times its case weight.
    weights: Vec<f64>,
    responses: Responses,
}

#[derive(Debug)]
enum Responses {
    /// Minus their mean over the table.
    Numbers(Vec<f64>),
    Classes {
        codes: Vec<u32>,
        n_classes: usize,
    },
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

/// All that following a row takes of a node, in half a line of the processor's cache.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// The group it asks about, or [`LEAF`].
    asked: u32,
    /// The column, and more.
    column: u32,
    /// Left iff code + kind < limit; the kind is 1 where missing values go left, whose code
    /// wraps to 0.
    limit: u32,
    first_child: u32,
    /// The few rows that were asked before, and those among them that go left.
    known: u64,
    left: u64,
}

/// At most 64 in-bag rows.
#[derive(Debug, Default)]
struct FewRows {
    rows: Vec<u32>,
    /// For each of them, those that have its response.
    alike: Vec<u64>,
    classes: Vec<u64>,
    /// Nodes that know where some of the rows go.
    asked: Vec<u32>,
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
    pub(crate) fn changes(
        view: &'a TreeView<'a>,
        codes: &'a RowCodes,
        aggregation: Aggregation,
    ) -> Changes {
        let out_of_bag = view.out_of_bag;
        let mut leaves = vec![LEAF; out_of_bag.all().len()];
        for leaf in view.leaves() {
            leaves[out_of_bag.span(leaf)].fill(leaf as u32);
        }
        let mut projection = Self {
            view,
            aggregation,
            router: view.router(),
            nodes: view.ranked.nodes.iter().map(|node| Place::of(view, *node)).collect(),
            n_outputs: view.training.n_outputs(),
            bag: Bagged::new(view, codes),
            codes: codes.of(out_of_bag.all()),
            leaves,
            in_bag: Vec::new(),
            out_of_bag: Vec::new(),
            cells: Vec::new(),
            steps: Vec::new(),
            in_bag_parts: Vec::new(),
            parts: Vec::new(),
            few: FewRows::default(),
            value: vec![0.0; view.training.n_outputs()],
            changes: Changes::default(),
        };
        projection.visit_all();
        projection.changes
    }

    /// Takes other few rows.
    fn begin_few(&mut self, rows: impl Iterator<Item = u32>) {
        let few = &mut self.few;
        for node in few.asked.drain(..) {
            let place = &mut self.nodes[node as usize];
            (place.known, place.left) = (0, 0);
        }
        few.rows.clear();
        few.rows.extend(rows);
        few.alike.clear();
        match &self.bag.responses {
            Responses::Classes { codes, n_classes } => {
                few.classes.clear();
                few.classes.resize(*n_classes, 0);
                for (place, &row) in few.rows.iter().enumerate() {
                    few.classes[codes[row as usize] as usize] |= 1 << place;
                }
                let alike = few.rows.iter().map(|&row| few.classes[codes[row as usize] as usize]);
                few.alike.extend(alike);
            }
            // Equal numbers are rare, and to know of them saves time only.
            Responses::Numbers(_) => few.alike.extend((0..few.rows.len()).map(|row| 1 << row)),
        }
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
            let group = self.nodes[node].asked;
            if group == LEAF || view.out_of_bag.rows(node).is_empty() || self.is_cancelled() {
                continue;
            }
            let in_bag = view.in_bag().span(node);
            if in_bag.is_empty() {
                self.leave_to_ancestor(node, &used);
                continue;
            }
            if block.is_none() && in_bag.len() <= FEW {
                self.begin_few(in_bag.clone().map(|place| place as u32));
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
        let out_of_bag = view.out_of_bag.span(node);
        let codes = self.codes.row(out_of_bag.start as u32);
        while below != node && !view.in_bag().span(below).is_empty() {
            ancestor = below;
            below = self.child_of(below, codes) as usize;
        }
        let mut value = std::mem::take(&mut self.value);
        self.mean(view.in_bag().span(ancestor).map(|place| place as u32), &mut value);
        for (group, _) in (0_u32..).zip(used).filter(|(_, used)| !**used) {
            for place in out_of_bag.clone() {
                self.assign(place as u32, group, &value);
            }
        }
        self.value = value;
    }

    /// Projects below a split on a group whose in-bag rows are some of the few.
    fn project_few(&mut self, node: usize, group: u32, bits: u64) {
        let view = self.view;
        self.cells.clear();
        self.cells.push(node as u32);
        for row in view.out_of_bag.span(node) {
            self.find(row as u32, group, bits, (0..1, 1..1), None);
        }
    }

    /// Projects below a split on a group, with as many in-bag rows as there are.
    fn project(&mut self, node: usize, group: u32) {
        let view = self.view;
        self.in_bag.clear();
        self.in_bag.extend(view.in_bag().span(node).map(|place| place as u32));
        self.out_of_bag.clear();
        self.out_of_bag.extend(view.out_of_bag.span(node).map(|place| place as u32));
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
                if step.nodes.is_empty() || self.bag.is_equal(&self.in_bag[step.in_bag.clone()]) {
                    return self.assign_mean(group, &step.in_bag, step.out_of_bag);
                }
            }
            if step.in_bag.len() <= FEW
                || step.in_bag.len() <= MOST && step.out_of_bag.len() <= ALONE
            {
                return self.find_all(group, &step);
            }
            let node = self.cells[step.nodes.start] as usize;
            step.nodes.start += 1;
            if self.nodes[node].asked == group {
                self.push_inner_children(node);
            } else {
                return self.divide(group, node, &step);
            }
        }
    }

    fn push_inner_children(&mut self, node: usize) {
        if let Some(split) = self.router.split(node) {
            let children = self.view.tree.children(split).map(|child| child as u32);
            let nodes = &self.nodes;
            self.cells.extend(children.filter(|&child| nodes[child as usize].asked != LEAF));
        }
    }

    /// Divides the rows of a cell at a node that asks about another group.
    fn divide(&mut self, group: u32, node: usize, step: &Step) {
        let mut in_bag_parts = std::mem::take(&mut self.in_bag_parts);
        let mut parts = std::mem::take(&mut self.parts);
        let place = self.nodes[node];
        self.router.partition_by(
            node,
            (step.in_bag.start, &mut self.in_bag[step.in_bag.clone()]),
            |row| self.bag.codes.row(row)[(place.column & COLUMN) as usize],
            &mut in_bag_parts,
        );
        self.router.partition_by(
            node,
            (step.out_of_bag.start, &mut self.out_of_bag[step.out_of_bag.clone()]),
            |row| self.codes.row(row)[(place.column & COLUMN) as usize],
            &mut parts,
        );
        for (child, out_of_bag) in parts.iter().filter(|(_, part)| !part.is_empty()) {
            let same = in_bag_parts.iter().find(|(other, part)| other == child && !part.is_empty());
            let Some((_, in_bag)) = same else {
                // Remark 3: an empty cell leaves its rows to the level before.
                self.assign_mean(group, &step.before, out_of_bag.clone());
                continue;
            };
            self.steps.push(Step {
                in_bag: in_bag.clone(),
                out_of_bag: out_of_bag.clone(),
                n_nodes: self.cells.len(),
                more: (self.nodes[*child].asked != LEAF).then_some(*child as u32),
                ..step.clone()
            });
        }
        (self.in_bag_parts, self.parts) = (in_bag_parts, parts);
    }

    /// Takes every out-of-bag row of a cell of few in-bag rows on alone.
    fn find_all(&mut self, group: u32, step: &Step) {
        let few = step.in_bag.clone();
        let in_bag = std::mem::take(&mut self.in_bag);
        self.begin_few(in_bag[few.clone()].iter().copied());
        self.in_bag = in_bag;
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
        loop {
            let whole = bits;
            bits = self.level(row, group, bits, &current, &mut next);
            if bits == 0 {
                // Remark 3.
                match before {
                    Some(before) => {
                        self.mean(self.in_bag[before.clone()].iter().copied(), &mut value);
                    }
                    None => self.mean_of_few(whole, &mut value),
                }
                break;
            }
            before = None;
            if self.are_equal(bits) {
                // The response of one of them is the mean of all.
                self.mean_of_few(bits & bits.wrapping_neg(), &mut value);
                break;
            }
            if next.is_empty() {
                self.mean_of_few(bits, &mut value);
                break;
            }
            std::mem::swap(&mut current, &mut next);
            next.clear();
        }
        self.assign(row, group, &value);
        (self.value, self.few.current, self.few.next) = (value, current, next);
    }

    /// Asks the nodes of one level: returns those of the few rows that go the same ways as the row,
    /// and adds the inner nodes that it comes to. Which way a row goes cannot be foreseen, so that
    /// numbers are computed where one would write conditions.
    fn level(
        &mut self,
        row: u32,
        group: u32,
        mut bits: u64,
        nodes: &[u32],
        next: &mut Vec<u32>,
    ) -> u64 {
        let mut n_next = next.len();
        next.resize(n_next + 2 * nodes.len(), 0);
        for &node in nodes {
            let place = self.nodes[node as usize];
            if place.kind() == OTHER {
                next.truncate(n_next);
                bits = self.ask_other(row, group, bits, node, next);
                n_next = next.len();
                next.resize(n_next + 2 * nodes.len(), 0);
                continue;
            }
            let right = place.right(self.codes.row(row));
            let is_free = u32::from(place.asked == group);
            let any_way = u64::from(is_free).wrapping_neg();
            let unknown = bits & !place.known & !any_way;
            let mut left = place.left;
            if unknown != 0 {
                left |= self.learn(node, place, unknown);
            }
            bits &= left ^ u64::from(right).wrapping_neg() | any_way;
            let inner = place.column >> INNER;
            next[n_next] = place.first_child + right;
            n_next += (inner >> right & 1) as usize;
            next[n_next] = place.first_child + (right ^ 1);
            n_next += (is_free & inner >> (right ^ 1)) as usize;
            if bits == 0 {
                break;
            }
        }
        next.truncate(n_next);
        bits
    }

    /// Asks a node about some of the few rows; returns those that go left.
    fn learn(&mut self, node: u32, place: Place, unknown: u64) -> u64 {
        let mut left = 0;
        for index in ones(unknown) {
            let right = place.right(self.bag.codes.row(self.few.rows[index as usize]));
            left |= u64::from(right ^ 1) << index;
        }
        if place.known == 0 {
            self.few.asked.push(node);
        }
        let known = &mut self.nodes[node as usize];
        known.known |= unknown;
        known.left |= left;
        left
    }

    /// As [`Self::level`], for one question of another kind.
    fn ask_other(&self, row: u32, group: u32, bits: u64, node: u32, next: &mut Vec<u32>) -> u64 {
        let Some(split) = self.router.split(node as usize) else { return bits };
        let place = self.nodes[node as usize];
        let is_inner = |child: &u32| self.nodes[*child as usize].asked != LEAF;
        if place.asked == group {
            let children = self.view.tree.children(split).map(|child| child as u32);
            next.extend(children.filter(is_inner));
            return bits;
        }
        let child = self.child_of(node as usize, self.codes.row(row));
        next.extend(Some(child).filter(is_inner));
        let few = |index: u32| self.bag.codes.row(self.few.rows[index as usize]);
        let goes_along = |&index: &u32| self.child_of(node as usize, few(index)) == child;
        ones(bits).filter(goes_along).map(|index| 1 << index).sum()
    }

    /// The child that a row of these codes goes to.
    fn child_of(&self, node: usize, codes: &[u32]) -> u32 {
        let place = self.nodes[node];
        let child = match place.kind() {
            OTHER => self.router.child_of_code(node, codes[(place.column & COLUMN) as usize]),
            _ => place.right(codes),
        };
        place.first_child + child
    }

    /// True when the responses of the few rows are equal.
    #[inline]
    fn are_equal(&self, bits: u64) -> bool {
        let alike = self.few.alike[bits.trailing_zeros() as usize % MOST];
        bits & !alike == 0
    }

    fn assign_mean(&mut self, group: u32, in_bag: &Range<usize>, out_of_bag: Range<usize>) {
        let mut value = std::mem::take(&mut self.value);
        self.mean(self.in_bag[in_bag.clone()].iter().copied(), &mut value);
        for index in out_of_bag {
            self.assign(self.out_of_bag[index], group, &value);
        }
        self.value = value;
    }

    fn mean_of_few(&self, bits: u64, value: &mut [f64]) {
        self.mean(ones(bits).map(|index| self.few.rows[index as usize]), value);
    }

    /// The mean of in-bag rows, as the tree would predict it.
    #[inline]
    fn mean(&self, rows: impl Iterator<Item = u32>, value: &mut [f64]) {
        self.bag.mean(rows, value);
        if value.len() > 1 && self.aggregation == Aggregation::Vote {
            vote(value);
        }
    }

    /// Notes the change from the ordinary prediction of an out-of-bag row.
    fn assign(&mut self, row: u32, group: u32, value: &[f64]) {
        let leaf = self.view.tree.value(self.leaves[row as usize] as usize);
        self.changes.rows.push(self.view.out_of_bag.all()[row as usize]);
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

impl Place {
    fn of(view: &TreeView<'_>, node: RankedNode) -> Self {
        let column = node.column().unwrap_or(0);
        let place = Self {
            asked: node.column().map_or(LEAF, |column| view.group(column) as u32),
            column: column | OTHER << KIND,
            limit: 0,
            first_child: 0,
            known: 0,
            left: 0,
        };
        match node {
            RankedNode::Leaf => place,
            RankedNode::Below { below, first_child, missing, .. } => {
                let kind = u32::from(missing == Side::Left);
                let is_inner = |child| view.ranked.nodes[child as usize] != RankedNode::Leaf;
                let inner =
                    u32::from(is_inner(first_child)) | u32::from(is_inner(first_child + 1)) << 1;
                let column = column | inner << INNER | kind << KIND;
                Self { column, limit: below + kind, first_child, ..place }
            }
            RankedNode::Other { first_child, .. } => Self { first_child, ..place },
        }
    }

    #[inline]
    fn kind(self) -> u32 {
        self.column >> KIND
    }

    /// 1 if a row of these codes goes right, else 0; for thresholds.
    #[inline]
    fn right(self, codes: &[u32]) -> u32 {
        let code = codes[(self.column & COLUMN) as usize].wrapping_add(self.kind());
        u32::from(code >= self.limit)
    }
}

impl Bagged {
    fn new(view: &TreeView<'_>, codes: &RowCodes) -> Self {
        let rows = view.in_bag().all();
        let counts = view.bag.map_or(&[][..], |bag| bag.counts());
        let weight = |&row: &u32| f64::from(counts[row as usize]) * view.training.weight(row);
        let responses = match view.training.response() {
            TrainingResponse::Numbers { centred, .. } => {
                Responses::Numbers(rows.iter().map(|&row| centred[row as usize]).collect())
            }
            TrainingResponse::Classes { codes, n_classes } => {
                let codes = rows.iter().map(|&row| codes[row as usize]).collect();
                Responses::Classes { codes, n_classes: *n_classes }
            }
        };
        Self { codes: codes.of(rows), weights: rows.iter().map(weight).collect(), responses }
    }

    fn is_equal(&self, rows: &[u32]) -> bool {
        let first = rows[0] as usize;
        match &self.responses {
            Responses::Numbers(values) => {
                rows.iter().all(|&row| values[row as usize] == values[first])
            }
            Responses::Classes { codes, .. } => {
                rows.iter().all(|&row| codes[row as usize] == codes[first])
            }
        }
    }

    #[inline]
    fn mean(&self, rows: impl Iterator<Item = u32>, value: &mut [f64]) {
        let mut total = 0.0;
        match &self.responses {
            Responses::Numbers(values) => {
                let mut sum = 0.0;
                for row in rows {
                    let weight = self.weights[row as usize];
                    sum += weight * values[row as usize];
                    total += weight;
                }
                value[0] = sum / total;
            }
            Responses::Classes { codes, .. } => {
                value.fill(0.0);
                for row in rows {
                    let weight = self.weights[row as usize];
                    value[codes[row as usize] as usize] += weight;
                    total += weight;
                }
                value.iter_mut().for_each(|share| *share /= total);
            }
        }
    }
}

/// The places of the ones among the bits of a number.
fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros();
        (bits != 0).then(|| {
            bits &= bits - 1;
            place
        })
    })
}

/// The numbers of a range as the bits of a number.
fn bits(range: Range<usize>) -> u64 {
    if range.is_empty() { 0 } else { (u64::MAX >> (MOST - range.len())) << range.start }
}

/// All weight to the class with the largest share.
fn vote(shares: &mut [f64]) {
    let winner = argmax(shares);
    shares.fill(0.0);
    shares[winner] = 1.0;
}
