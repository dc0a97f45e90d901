//! Cells of many in-bag rows: all rows of a cell are divided together.

use std::ops::Range;

use super::Projection;
use super::columns::UsedCodes;
use super::step::{FEW, Step, keep};
use crate::forest::split_rows;
use crate::measure::kernel::packed_split::LEAF;

impl Projection<'_> {
    /// Projects below a split on a group, with as many in-bag rows as there are.
    pub(super) fn project(&mut self, node: usize, group: u32) {
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
    pub(super) fn refine(&mut self, group: u32, mut step: Step) {
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
            if step.in_bag.len() <= FEW {
                return self.follow_few(group, &step);
            }
            let node = self.cells[step.nodes.start] as usize;
            step.nodes.start += 1;
            if self.nodes[node].group == group {
                self.push_inner_children(node);
            } else {
                return self.divide(group, node, &step);
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

    /// Divides the rows of a cell at a node that splits on another group.
    pub(super) fn divide(&mut self, group: u32, node: usize, step: &Step) {
        let question = self.nodes[node];
        let place = question.column();
        let (of_in_bag, of_out_of_bag) = (&self.bag.codes, &self.codes);
        let in_bag = &mut self.in_bag[step.in_bag.clone()];
        let out_of_bag = &mut self.out_of_bag[step.out_of_bag.clone()];
        if question.knows_sides() {
            let left = |codes: &UsedCodes, row| question.right_of(codes.at(row, place)) == 0;
            let cut = step.in_bag.start + split_rows(in_bag, |row| left(of_in_bag, row));
            let cut_out =
                step.out_of_bag.start + split_rows(out_of_bag, |row| left(of_out_of_bag, row));
            let child = question.first_child;
            self.go_on(group, child, step.in_bag.start..cut, step.out_of_bag.start..cut_out, step);
            self.go_on(group, child + 1, cut..step.in_bag.end, cut_out..step.out_of_bag.end, step);
            return;
        }
        let mut in_bag_parts = std::mem::take(&mut self.in_bag_parts);
        let mut parts = std::mem::take(&mut self.parts);
        let code = |row| of_in_bag.at(row, place);
        self.router.partition_by(node, step.in_bag.start, in_bag, code, &mut in_bag_parts);
        let code = |row| of_out_of_bag.at(row, place);
        self.router.partition_by(node, step.out_of_bag.start, out_of_bag, code, &mut parts);
        for (child, out_of_bag) in &parts {
            let in_bag = in_bag_parts.iter().find(|(other, _)| other == child);
            let in_bag = in_bag.map_or(0..0, |(_, part)| part.clone());
            self.go_on(group, *child as u32, in_bag, out_of_bag.clone(), step);
        }
        (self.in_bag_parts, self.parts) = (in_bag_parts, parts);
    }

    /// Puts the rows of a child aside, where any are out of bag.
    fn go_on(
        &mut self,
        group: u32,
        child: u32,
        in_bag: Range<usize>,
        out_of_bag: Range<usize>,
        step: &Step,
    ) {
        if out_of_bag.is_empty() {
            return;
        }
        if in_bag.is_empty() {
            // Remark 3: an empty cell leaves its rows to the level before.
            return self.assign_mean(group, &step.before, out_of_bag);
        }
        self.steps.push(Step {
            in_bag,
            out_of_bag,
            n_nodes: self.cells.len(),
            more: (self.nodes[child as usize].group != LEAF).then_some(child),
            ..step.clone()
        });
    }
}
