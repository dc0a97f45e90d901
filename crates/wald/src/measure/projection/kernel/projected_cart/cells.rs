//! Dividing the rows of a cell at its nodes, level by level.

use std::ops::Range;

use super::Projection;
use super::few::MOST;
use super::rows::GoLeft;
use crate::measure::kernel::packed_split::{LEAF, PackedSplit};

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// A part of a cell's rows, and how far it has come.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// Where its rows lie, in-bag rows first, and how many these are.
    pub(super) rows: Range<usize>,
    pub(super) n_in_bag: usize,
    /// Where the rows of the whole cell of the level before lie.
    pub(super) before: Range<usize>,
    /// The next node among those of the cell, and the first one of the next level.
    pub(super) at: usize,
    pub(super) next: usize,
    /// Nodes of the cell when the part was put aside, and one more or [`NONE`].
    n_nodes: usize,
    more: u32,
}

impl Projection<'_> {
    /// Divides the rows below a split on a group, and assigns every out-of-bag row the mean of the in-bag
    /// rows that go the same ways.
    pub(super) fn project(&mut self, node: usize, group: u32) {
        let view = self.view;
        let first = self.placed.n_in_bag();
        let (in_bag, out_of_bag) = (view.in_bag().span(node), view.out_of_bag.span(node));
        let n_in_bag = in_bag.len();
        let out_of_bag = first + out_of_bag.start..first + out_of_bag.end;
        self.rows.clear();
        self.rows.extend(in_bag.chain(out_of_bag).map(|place| place as u32));
        self.cells.clear();
        self.cells.push(node as u32);
        let rows = 0..self.rows.len();
        let before = rows.clone();
        self.parts.push(Part { rows, n_in_bag, before, at: 0, next: 1, n_nodes: 1, more: NONE });
        while let Some(part) = self.parts.pop() {
            if self.is_cancelled() {
                self.parts.clear();
                return;
            }
            self.cells.truncate(part.n_nodes);
            keep(&mut self.cells, part.more, part.more != NONE);
            self.follow(group, part);
        }
    }

    /// Goes on with a part, and puts others aside, until its rows have a mean.
    fn follow(&mut self, group: u32, mut part: Part) {
        loop {
            if part.rows.len() <= MOST {
                return self.follow_few(group, &part);
            }
            if part.n_in_bag == 0 {
                // Remark 3: an empty cell leaves its rows to the level before.
                return self.assign_mean(group, part.before, part.rows);
            }
            if part.at == part.next {
                // A level ends. Within a level, an empty cell could still leave rows to the level before,
                // whose mean differs.
                let in_bag = part.rows.start..part.rows.start + part.n_in_bag;
                if part.next == self.cells.len() || self.is_equal(in_bag.clone()) {
                    return self.assign_mean(group, in_bag.clone(), in_bag.end..part.rows.end);
                }
                (part.before, part.next) = (part.rows.clone(), self.cells.len());
            }
            let node = self.cells[part.at] as usize;
            part.at += 1;
            let question = self.nodes[node];
            if question.group == group {
                self.push_inner_children(node);
            } else if question.knows_sides() {
                self.divide(question, &mut part);
            } else {
                return self.divide_otherwise(node, &part);
            }
        }
    }

    #[inline]
    pub(super) fn push_inner_children(&mut self, node: usize) {
        let question = self.nodes[node];
        if question.knows_sides() {
            for child in 0..2 {
                keep(&mut self.cells, question.first_child + child, question.is_inner(child));
            }
        } else if let Some(split) = self.router.split(node) {
            let children = self.view.tree.children(split).map(|child| child as u32);
            let nodes = &self.nodes;
            self.cells.extend(children.filter(|&child| nodes[child as usize].group != LEAF));
        }
    }

    /// Goes on with the rows of one child, and puts those of the other aside, where any are out of bag.
    #[inline]
    fn divide(&mut self, question: PackedSplit, part: &mut Part) {
        let rows = &mut self.rows[part.rows.clone()];
        let n_rows = rows.len();
        let GoLeft { in_bag, all } = self.placed.divide(rows, &mut self.spare, question);
        let cut = part.rows.start + all;
        let out_left = all - in_bag;
        let out_right = n_rows - part.n_in_bag - out_left;
        let goes_right = out_left == 0;
        let more = if question.is_inner(1) { question.first_child + 1 } else { NONE };
        let right = Part {
            rows: cut..part.rows.end,
            n_in_bag: part.n_in_bag - in_bag,
            n_nodes: self.cells.len(),
            more,
            ..part.clone()
        };
        let child = u32::from(goes_right);
        if goes_right {
            *part = right;
        } else {
            part.rows.end = cut;
            part.n_in_bag = in_bag;
            keep(&mut self.parts, right, out_right != 0);
        }
        keep(&mut self.cells, question.first_child + child, question.is_inner(child));
    }

    /// As [`Self::divide`], for splits into many children or of many levels, of which all are put aside.
    fn divide_otherwise(&mut self, node: usize, part: &Part) {
        let place = self.nodes[node].column();
        let codes = &self.placed.codes;
        let mut children = std::mem::take(&mut self.children);
        let rows = &mut self.rows[part.rows.clone()];
        let code = |row| codes.at(row, place);
        let spare = &mut self.spare;
        self.router.partition_by(node, part.rows.start, rows, spare, code, &mut children);
        for (child, rows) in &children {
            let n_in_bag = self.placed.n_in_bag_of(&self.rows[rows.clone()]);
            if n_in_bag < rows.len() {
                let is_inner = self.nodes[*child].group != LEAF;
                self.parts.push(Part {
                    rows: rows.clone(),
                    n_in_bag,
                    n_nodes: self.cells.len(),
                    more: if is_inner { *child as u32 } else { NONE },
                    ..part.clone()
                });
            }
        }
        self.children = children;
    }

    fn is_equal(&self, in_bag: Range<usize>) -> bool {
        self.placed.is_equal(self.rows[in_bag].iter().copied())
    }

    /// The mean response of the in-bag rows among others.
    pub(super) fn mean_among(&self, among: Range<usize>, value: &mut [f64]) {
        let n_first = self.placed.n_in_bag() as u32;
        self.mean(self.rows[among].iter().copied().filter(|&row| row < n_first), value);
    }

    /// Assigns out-of-bag rows the mean of the in-bag rows among others.
    fn assign_mean(&mut self, group: u32, among: Range<usize>, out_of_bag: Range<usize>) {
        let mut value = std::mem::take(&mut self.value);
        self.mean_among(among, &mut value);
        let n_first = self.placed.n_in_bag() as u32;
        for index in out_of_bag {
            self.assign(self.rows[index] - n_first, group, &value);
        }
        self.value = value;
    }
}

/// Appends an item if it is to be kept. It is written in any case, because whether cannot be foreseen.
#[inline]
pub(super) fn keep<T>(items: &mut Vec<T>, item: T, is_kept: bool) {
    items.push(item);
    items.truncate(items.len() - usize::from(!is_kept));
}
