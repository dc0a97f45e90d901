//! Cells of many in-bag rows: all rows of a cell are divided together.

use super::Projection;
use super::step::{FEW, Step};
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
            if self.nodes[node].question.group == group {
                self.push_inner_children(node);
            } else {
                return self.divide(group, node, &step);
            }
        }
    }

    pub(super) fn push_inner_children(&mut self, node: usize) {
        if let Some(split) = self.router.split(node) {
            let children = self.view.tree.children(split).map(|child| child as u32);
            let nodes = &self.nodes;
            self.cells
                .extend(children.filter(|&child| nodes[child as usize].question.group != LEAF));
        }
    }

    /// Divides the rows of a cell at a node that splits on another group.
    pub(super) fn divide(&mut self, group: u32, node: usize, step: &Step) {
        let mut in_bag_parts = std::mem::take(&mut self.in_bag_parts);
        let mut parts = std::mem::take(&mut self.parts);
        let column = self.nodes[node].question.column();
        self.router.partition_by(
            node,
            step.in_bag.start,
            &mut self.in_bag[step.in_bag.clone()],
            |row| self.bag.codes.row(row)[column],
            &mut in_bag_parts,
        );
        self.router.partition_by(
            node,
            step.out_of_bag.start,
            &mut self.out_of_bag[step.out_of_bag.clone()],
            |row| self.codes.row(row)[column],
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
                more: (self.nodes[*child].question.group != LEAF).then_some(*child as u32),
                ..step.clone()
            });
        }
        (self.in_bag_parts, self.parts) = (in_bag_parts, parts);
    }
}
