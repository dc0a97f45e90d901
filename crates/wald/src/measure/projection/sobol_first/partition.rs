//! The cells of a tree that is projected onto some groups, one within another: rows are in the same cell
//! of a level if they reach the same nodes of it (Bénard, Biau, Da Veiga & Scornet 2022, Algorithm 1).

use std::ops::Range;

use crate::forest::Router;
use crate::measure::kernel::packed_split::{LEAF, PackedSplit};
use crate::pass::TreeView;

/// Cells, and the smallest one that every row of the tree lies in.
pub(super) struct Partition {
    /// The cell of the level above; that of all rows, which is the first, is its own.
    pub(super) parents: Vec<u32>,
    /// By row.
    pub(super) cell_of: Vec<u32>,
}

/// Divides the rows of one tree in several ways.
pub(super) struct Partitioner<'a> {
    view: &'a TreeView<'a>,
    router: Router<'a>,
    splits: Vec<PackedSplit>,
    /// By node, whether it or any node below divides rows: others need not be visited.
    divides: Vec<bool>,
    in_bag: Vec<u32>,
    out_of_bag: Vec<u32>,
    spare: Vec<u32>,
    /// Nodes that the rows at work reach, those of later levels after those of earlier ones.
    nodes: Vec<u32>,
    steps: Vec<Step>,
    parts: [Vec<(usize, Range<usize>)>; 2],
    found: Partition,
    /// How many in-bag rows a cell has.
    sizes: Vec<usize>,
}

/// Rows that reach the same nodes so far.
#[derive(Clone)]
struct Step {
    in_bag: Range<usize>,
    out_of_bag: Range<usize>,
    /// Their cell of the last level that is complete.
    cell: u32,
    /// The next node to divide at, and where those of the next level begin.
    at: usize,
    next: usize,
    /// Nodes known when the step was put aside, and one more.
    n_nodes: usize,
    more: Option<u32>,
}

impl<'a> Partitioner<'a> {
    pub(super) fn new(view: &'a TreeView<'a>) -> Self {
        Self {
            view,
            router: view.router(),
            splits: PackedSplit::all(view).collect(),
            divides: Vec::new(),
            in_bag: view.in_bag().all().to_vec(),
            out_of_bag: view.out_of_bag.all().to_vec(),
            spare: vec![0; view.in_bag().all().len().max(view.out_of_bag.all().len())],
            nodes: Vec::new(),
            steps: Vec::new(),
            parts: [Vec::new(), Vec::new()],
            found: Partition { parents: Vec::new(), cell_of: Vec::new() },
            sizes: Vec::new(),
        }
    }

    /// The cells of in-bag rows, as small as two rows; with `out_of_bag` also those of these rows, and
    /// cells without any are not divided. Cost that of dividing rows at all nodes which they reach.
    pub(super) fn onto(&mut self, is_inside: impl Fn(u32) -> bool, out_of_bag: bool) -> Partition {
        let n_rows = self.view.training.n_rows();
        self.found = Partition { parents: vec![0], cell_of: vec![0; n_rows] };
        self.sizes = vec![self.in_bag.len()];
        self.find_dividing(&is_inside);
        self.nodes.clear();
        let first = Step {
            in_bag: 0..self.in_bag.len(),
            out_of_bag: 0..if out_of_bag { self.out_of_bag.len() } else { 0 },
            cell: 0,
            at: 0,
            next: 0,
            n_nodes: 0,
            more: self.divides[0].then_some(0),
        };
        self.steps.push(first);
        while let Some(mut step) = self.steps.pop() {
            if self.view.progress.is_cancelled() {
                self.steps.clear();
                break;
            }
            self.nodes.truncate(step.n_nodes);
            self.nodes.extend(step.more);
            while !self.is_done(&mut step, out_of_bag) {
                let node = self.nodes[step.at] as usize;
                step.at += 1;
                if is_inside(self.splits[node].group) {
                    self.divide(node, &step);
                    break;
                }
                self.push_children(node);
            }
        }
        std::mem::replace(&mut self.found, Partition { parents: Vec::new(), cell_of: Vec::new() })
    }

    /// Goes on to the next level where one ends; true when the rows need not be divided further.
    fn is_done(&mut self, step: &mut Step, out_of_bag: bool) -> bool {
        let is_small = step.in_bag.len() < 2;
        // Which cells such rows are in concerns no other row.
        let is_alone = step.out_of_bag.is_empty() && (out_of_bag || is_small);
        if step.at < step.next && !is_alone {
            return false;
        }
        if step.in_bag.len() < self.sizes[step.cell as usize] {
            self.found.parents.push(step.cell);
            self.sizes.push(step.in_bag.len());
            step.cell = self.sizes.len() as u32 - 1;
        }
        step.next = self.nodes.len();
        let is_done = is_alone || is_small || step.at == step.next;
        if is_done {
            let rows = self.in_bag[step.in_bag.clone()].iter();
            for &row in rows.chain(&self.out_of_bag[step.out_of_bag.clone()]) {
                self.found.cell_of[row as usize] = step.cell;
            }
        }
        is_done
    }

    fn find_dividing(&mut self, is_inside: &impl Fn(u32) -> bool) {
        self.divides.clear();
        self.divides.resize(self.splits.len(), false);
        // Children come after their parents.
        for node in (0..self.splits.len()).rev() {
            let split = self.splits[node];
            self.divides[node] = split.group != LEAF
                && (is_inside(split.group) || self.children(node).any(|child| self.divides[child]));
        }
    }

    #[inline]
    fn children(&self, node: usize) -> Range<usize> {
        let split = self.splits[node];
        let first = split.first_child as usize;
        if split.knows_sides() {
            return first..first + 2;
        }
        self.router.split(node).map_or(0..0, |split| self.view.tree.children(split))
    }

    #[inline]
    fn push_children(&mut self, node: usize) {
        for child in self.children(node).filter(|&child| self.divides[child]) {
            self.nodes.push(child as u32);
        }
    }

    /// Puts the rows of every child aside.
    fn divide(&mut self, node: usize, step: &Step) {
        let column = self.splits[node].column() as u32;
        let codes = self.view.training.features().column(column).codes();
        let code = |row: u32| codes[row as usize];
        let [in_bag_parts, parts] = &mut self.parts;
        let spare = &mut self.spare;
        let rows = &mut self.in_bag[step.in_bag.clone()];
        self.router.partition_by(node, step.in_bag.start, rows, spare, code, in_bag_parts);
        let rows = &mut self.out_of_bag[step.out_of_bag.clone()];
        self.router.partition_by(node, step.out_of_bag.start, rows, spare, code, parts);
        for (child, in_bag) in in_bag_parts.iter().filter(|(_, rows)| !rows.is_empty()) {
            let out_of_bag = parts.iter().find(|(other, _)| other == child);
            self.steps.push(Step {
                in_bag: in_bag.clone(),
                out_of_bag: out_of_bag.map_or(0..0, |(_, rows)| rows.clone()),
                n_nodes: self.nodes.len(),
                more: self.divides[*child].then_some(*child as u32),
                ..step.clone()
            });
        }
        for (child, out_of_bag) in parts.iter() {
            if in_bag_parts.iter().all(|(other, rows)| other != child || rows.is_empty()) {
                // An empty cell leaves its rows to the level before (Remark 3).
                for &row in &self.out_of_bag[out_of_bag.clone()] {
                    self.found.cell_of[row as usize] = step.cell;
                }
            }
        }
    }
}
