//! What a leaf subtree adds to the values of rows.
#![expect(
    clippy::inline_always,
    reason = "loops over eight numbers become one instruction where they are inlined into code for the \
              registers of the processor"
)]

use crate::tree_shap::interventional::background::{TOGETHER, places};
use crate::tree_shap::interventional::leaf_subtree::{LeafOfClass, LeafSubtree, MOST_SPLITS};
use crate::tree_shap::interventional::path::{EIGHT, Path};
use crate::tree_shap::interventional::row_groups_at_leaf::PathState;
use crate::tree_shap::weights::Weights;

/// Numbers of a background row within the leaf subtree: for each column that rows violate above, then
/// for each column of the leaf subtree.
type Within = [f64; EIGHT];

const _: () = assert!(EIGHT == 1 + MOST_SPLITS);

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
            within: Box::new([Within::default(); TOGETHER]),
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
    #[inline(always)]
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
                // All are read before any is written, so that they are computed together.
                let mut sums = within[row];
                for at in 0..EIGHT {
                    sums[at] += credited[at] * credit - debited[at] * debit;
                }
                within[row] = sums;
            }
        }
    }

    /// Adds up what some of these background rows add for a row group; `violated` marks 64 slots that
    /// its rows violate above.
    #[inline(always)]
    pub(super) fn sum(
        &mut self,
        path: &Path,
        subtree: &LeafSubtree,
        row_group: usize,
        background: u128,
        violated: impl Fn(usize) -> u64,
    ) {
        let width = self.n_slots + 1 + MOST_SPLITS;
        let Self { above, within: of_rows, found, n_slots } = self;
        let (slots, sums) = found[row_group * width..][..width].split_at_mut(*n_slots);
        let (slots_of_eight, _) = slots.as_chunks_mut::<EIGHT>();
        let mut start = 0;
        // At least once, for what is within the leaf subtree.
        let within = loop {
            let n = (slots_of_eight.len() - start).min(MOST_TOGETHER);
            let slots = &mut slots_of_eight[start..start + n];
            let rows = &BackgroundRows { path, start, above, within: of_rows, background };
            let within = match n {
                0 => add_up::<0>(rows, slots),
                1 => add_up::<1>(rows, slots),
                2 => add_up::<2>(rows, slots),
                3 => add_up::<3>(rows, slots),
                _ => add_up::<MOST_TOGETHER>(rows, slots),
            };
            start += n;
            if start >= slots_of_eight.len() {
                break within;
            }
        };
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

/// Most times eight slots that are added up together, in registers.
const MOST_TOGETHER: usize = 4;

/// Some background rows, and what each of them adds.
struct BackgroundRows<'a> {
    path: &'a Path,
    /// The first slots to add up, counted in eights.
    start: usize,
    above: &'a [f64; TOGETHER],
    within: &'a [Within; TOGETHER],
    background: u128,
}

/// Adds up what background rows add: to N times eight slots, and within the leaf subtree.
#[inline(always)]
fn add_up<const N: usize>(rows: &BackgroundRows<'_>, slots: &mut [[f64; EIGHT]]) -> Within {
    let BackgroundRows { path, start, above, within, background } = *rows;
    let mut sums = [[0.0; EIGHT]; N];
    let mut all = Within::default();
    for row in places(background) {
        let above = above[row];
        let violations = &path.violations(row)[start..][..N];
        for at in 0..N {
            for place in 0..EIGHT {
                sums[at][place] += violations[at][place] * above;
            }
        }
        for at in 0..EIGHT {
            all[at] += within[row][at];
        }
    }
    slots.copy_from_slice(&sums);
    all
}

/// By set of columns, as bits: one for each in it, from the second number on.
static MEMBERS: [Within; 1 << MOST_SPLITS] = {
    let mut members = [[0.0; EIGHT]; 1 << MOST_SPLITS];
    let mut at = 0;
    while at < MOST_SPLITS << MOST_SPLITS {
        let (set, member) = (at / MOST_SPLITS, at % MOST_SPLITS);
        members[set][1 + member] = (set >> member & 1) as f64;
        at += 1;
    }
    members
};
