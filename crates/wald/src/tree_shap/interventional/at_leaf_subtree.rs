//! The walk at a leaf subtree: what the subtree adds to the values of the rows that reach it.

use std::ops::Range;

use crate::forest::{RankedNode, Side};
use crate::tree_shap::interventional::leaf_subtree::Above;
use crate::tree_shap::interventional::path::EIGHT;
use crate::tree_shap::interventional::walk::{Explained, Walk};

/// Where fewer than one in so many rows of a block are at a leaf subtree, the others are skipped.
const SPARSE: usize = 4;

/// Adds numbers to others, of which there are a multiple of eight.
fn add(sums: &mut [f64], more: &[f64]) {
    let more = more.as_chunks::<EIGHT>().0;
    for (sums, more) in sums.as_chunks_mut::<EIGHT>().0.iter_mut().zip(more) {
        for (sum, more) in sums.iter_mut().zip(more) {
            *sum += more;
        }
    }
}

/// Groups of rows at a leaf subtree, and whether they are few of the rows of the block.
#[derive(Clone)]
struct AtLeaf {
    groups: Range<usize>,
    is_sparse: bool,
}

impl Walk {
    /// Adds what the leaf subtree at a node contributes to groups of rows.
    pub(super) fn explain_leaf_subtree(
        &mut self,
        explained: &Explained<'_>,
        node: u32,
        groups: Range<usize>,
    ) {
        let of_groups = groups.clone().map(|index| self.groups.group(index).background);
        let background = of_groups.fold(0, |all, some| all | some);
        let above = Above { path: &self.path, on_edges: &self.on_edges, background };
        self.subtree.read(explained.router, node, &self.columns, above);
        let n_here: usize = groups.clone().map(|index| self.groups.rows_of(index).len()).sum();
        let is_sparse = SPARSE * n_here < explained.n_rows;
        let at_leaf = AtLeaf { groups, is_sparse };
        self.find_sides(explained, &at_leaf);
        self.row_groups.begin(explained.n_rows, is_sparse);
        let groups = at_leaf.groups.clone();
        self.row_groups.gather(&mut self.subtree, &self.groups, groups, &self.sides);
        for output in 0..explained.predictions.n_outputs() {
            self.contribute(explained, &at_leaf, output);
        }
    }

    /// Finds the sides that rows take at the splits of the leaf subtree.
    fn find_sides(&mut self, explained: &Explained<'_>, at_leaf: &AtLeaf) {
        let Self { block, takes, subtree, groups, sides, columns, .. } = self;
        let (router, n_rows, is_sparse) = (explained.router, explained.n_rows, at_leaf.is_sparse);
        sides.resize(n_rows, 0);
        let here = || at_leaf.groups.clone().flat_map(|index| groups.rows_of(index));
        if is_sparse {
            here().for_each(|&row| sides[row as usize] = 0);
        } else {
            sides.fill(0);
        }
        for (split, &node) in subtree.splits.iter().enumerate() {
            let ranked = router.ranked.nodes[node as usize];
            let Some(place) = columns.place(&ranked) else { continue };
            let place = place as usize;
            let codes = &block.codes[place * n_rows..][..n_rows];
            match ranked {
                RankedNode::Below { below, missing, .. } if columns.is_plain[place] => {
                    // The code of a missing value is larger than every threshold, and wraps to 0.
                    let shift = u32::from(missing == Side::Left);
                    let limit = below + shift;
                    if is_sparse {
                        here().for_each(|&row| {
                            let is_right = codes[row as usize].wrapping_add(shift) >= limit;
                            sides[row as usize] |= u8::from(is_right) << split;
                        });
                    } else {
                        // All rows, which the processor compares several at a time.
                        for (side, code) in sides.iter_mut().zip(codes) {
                            *side |= u8::from(code.wrapping_add(shift) >= limit) << split;
                        }
                    }
                }
                _ => {
                    let child_of = |&code: &u32| router.child_of_code(node as usize, code);
                    takes.clear();
                    takes.extend(block.distinct[place].iter().map(|code| child_of(code) == 1));
                    here().for_each(|&row| {
                        let is_right = takes[codes[row as usize] as usize];
                        sides[row as usize] |= u8::from(is_right) << split;
                    });
                }
            }
        }
    }

    /// Adds what the leaf subtree contributes to the values of an output.
    fn contribute(&mut self, explained: &Explained<'_>, at_leaf: &AtLeaf, output: usize) {
        let Self { path, groups, subtree, contributions, row_groups, .. } = self;
        contributions.begin(path.n_slots().next_multiple_of(EIGHT), row_groups.len());
        for state in &row_groups.states {
            contributions.weigh(subtree, state, &self.weights, |node| {
                explained.predictions.deviation(node as usize, output)
            });
            for (row_group, group) in row_groups.in_state(state) {
                let background = groups.group(group).background & state.background;
                contributions
                    .sum(path, subtree, row_group, background, |word| groups.violated(group, word));
            }
        }
        let (n_rows, n_places) =
            (explained.n_rows, self.columns.used.len().next_multiple_of(EIGHT));
        let values = &mut self.values[output * n_rows * n_places..][..n_rows * n_places];
        let n_sums = self.sums.len() / explained.predictions.n_outputs();
        let sums = &mut self.sums[output * n_sums..][..n_sums];
        let most_slots = path.most_slots();
        let mut add = |row: usize, row_group: usize| {
            let (slots, within) = contributions.of(row_group);
            let values = &mut values[row * n_places..][..n_places];
            if path.slots_are_places() {
                add(values, slots);
                return;
            }
            let sums = &mut sums[row * most_slots..][..slots.len()];
            add(sums, slots);
            for &(place, at) in &subtree.without_slot {
                values[place as usize] += within[at as usize];
            }
        };
        if at_leaf.is_sparse {
            let rows = at_leaf.groups.clone().flat_map(|index| groups.rows_of(index));
            rows.for_each(|&row| add(row as usize, row_groups.of_row(row)));
        } else {
            // In the order of the rows, so that the processor fetches their values in time.
            row_groups.rows().for_each(|(row, row_group)| add(row, row_group));
        }
    }
}
