//! What a leaf subtree adds to the values of rows.

use crate::tree_shap::interventional::background::{TOGETHER, places};
use crate::tree_shap::interventional::leaf_subtree::{LeafOfClass, LeafSubtree, MOST_SPLITS};
use crate::tree_shap::interventional::path::{EIGHT, Path};
use crate::tree_shap::interventional::row_groups_at_leaf::PathState;
use crate::tree_shap::weights::Weights;

/// Numbers of a background row within the leaf subtree: for each column that rows violate above, then
/// for each column of the leaf subtree.
type Within = [f64; 1 + MOST_SPLITS];

/// What row groups at a leaf subtree add to the columns.
#[derive(Debug)]
pub(super) struct Contributions {
    /// By background row: what it adds to every column that it violates above the leaf subtree.
    above: Box<[f64; TOGETHER]>,
    /// By background row.
    within: Box<[Within; TOGETHER]>,
    /// By row group: slots of the path, then what is within the leaf subtree.
    found: Vec<f64>,
    n_slots: usize,
}

impl Default for Contributions {
    fn default() -> Self {
        Self {
            above: Box::new([0.0; TOGETHER]),
            within: Box::new([[0.0; 1 + MOST_SPLITS]; TOGETHER]),
            found: Vec::new(),
            n_slots: 0,
        }
    }
}

impl Contributions {
    /// Makes room for so many row groups on a path of so many slots.
    pub(super) fn begin(&mut self, n_slots: usize, n_row_groups: usize) {
        self.n_slots = n_slots;
        let n = (n_slots + 1 + MOST_SPLITS) * n_row_groups;
        if self.found.len() < n {
            self.found.resize(n, 0.0);
        }
    }

    /// Those of a row group: by slot of the path, then within the leaf subtree.
    pub(super) fn of(&self, row_group: usize) -> (&[f64], &[f64]) {
        let width = self.n_slots + 1 + MOST_SPLITS;
        self.found[row_group * width..][..width].split_at(self.n_slots)
    }

    /// Computes what background rows add for rows in a state; `value` is the prediction of a node.
    pub(super) fn weigh(
        &mut self,
        subtree: &LeafSubtree,
        state: &PathState,
        weights: &Weights,
        value: impl Fn(u32) -> f64,
    ) {
        let (above, within) = (&mut *self.above, &mut *self.within);
        for row in places(state.background) {
            above[row] = 0.0;
            within[row] = Within::default();
        }
        for &LeafOfClass { leaf, violated, background } in subtree.leaves(state.class) {
            let (node, violations) = subtree.leaf(leaf);
            let value = value(node);
            let weights = weights.against((state.n_violated + violated.count_ones()) as usize);
            // The columns that rows violate above are debited as one.
            let mut debited = MEMBERS[violated as usize % MEMBERS.len()];
            debited[0] = 1.0;
            for row in places(background & state.background) {
                let weight = weights.of(violations[row].n as usize);
                let (credit, debit) = (value * weight.credit, value * weight.debit);
                above[row] += credit;
                let credited = &MEMBERS[violations[row].here as usize % MEMBERS.len()];
                for ((sum, credited), debited) in within[row].iter_mut().zip(credited).zip(&debited)
                {
                    *sum += credited * credit - debited * debit;
                }
            }
        }
    }

    /// Adds up what some of these background rows add for a row group; `violated` marks 64 slots that
    /// its rows violate above.
    pub(super) fn sum(
        &mut self,
        path: &Path,
        subtree: &LeafSubtree,
        row_group: usize,
        background: u128,
        violated: impl Fn(usize) -> u64,
    ) {
        let width = self.n_slots + 1 + MOST_SPLITS;
        let (slots, sums) = self.found[row_group * width..][..width].split_at_mut(self.n_slots);
        let mut within = Within::default();
        for row in places(background) {
            for (sum, more) in within.iter_mut().zip(&self.within[row]) {
                *sum += more;
            }
        }
        for (at, slots) in slots.as_chunks_mut::<EIGHT>().0.iter_mut().enumerate() {
            let mut sums = [0.0; EIGHT];
            for row in places(background) {
                let above = self.above[row];
                for (sum, violates) in sums.iter_mut().zip(&path.violations(row)[at]) {
                    *sum += violates * above;
                }
            }
            *slots = sums;
        }
        sums.copy_from_slice(&within);
        // No background row violates what the rows do.
        for (word, slots) in slots.chunks_mut(64).enumerate() {
            let mut left = violated(word);
            while left != 0 {
                slots[left.trailing_zeros() as usize] = within[0];
                left &= left - 1;
            }
        }
        for (column, more) in subtree.columns.iter().zip(&within[1..]) {
            if let Some(slot) = column.slot {
                slots[slot as usize] += more;
            }
        }
    }
}

/// By set of columns, as bits: one for each in it, from the second number on.
static MEMBERS: [Within; 1 << MOST_SPLITS] = {
    let mut members = [[0.0; 1 + MOST_SPLITS]; 1 << MOST_SPLITS];
    let mut at = 0;
    while at < MOST_SPLITS << MOST_SPLITS {
        let (set, member) = (at / MOST_SPLITS, at % MOST_SPLITS);
        members[set][1 + member] = (set >> member & 1) as f64;
        at += 1;
    }
    members
};
