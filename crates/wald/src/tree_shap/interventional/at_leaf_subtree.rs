//! The walk at a leaf subtree: what the subtree adds to the values of the rows that reach it.
#![expect(
    clippy::inline_always,
    reason = "what is to use the registers of the processor has to be inlined into the code for it"
)]

use std::ops::Range;

use pulp::{Arch, NullaryFnOnce};

use crate::forest::{RankedNode, Side};
use crate::tree_shap::interventional::leaf_subtree::Above;
use crate::tree_shap::interventional::path::EIGHT;
use crate::tree_shap::interventional::walk::{Explained, Walk};

/// Where fewer than one in so many rows of a block are at a leaf subtree, the others are skipped.
const SPARSE: usize = 4;

/// Work at a leaf subtree, in the widest registers of the processor; all give the same bits.
struct AtLeafSubtree<'a, 'b> {
    walk: &'a mut Walk,
    explained: &'a Explained<'b>,
    at_leaf: &'a AtLeaf,
}

impl NullaryFnOnce for AtLeafSubtree<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { walk, explained, at_leaf } = self;
        walk.find_sides(explained, at_leaf);
        walk.row_groups.begin(explained.n_rows, at_leaf.is_sparse);
        let groups = at_leaf.groups.clone();
        walk.row_groups.gather(&mut walk.subtree, &walk.groups, groups, &walk.sides);
        for output in 0..explained.predictions.n_outputs() {
            walk.contribute(explained, at_leaf, output);
        }
    }
}

/// Adds numbers to others, of which there are a multiple of eight.
#[inline(always)]
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
        Arch::new().dispatch(AtLeafSubtree { walk: self, explained, at_leaf: &at_leaf });
    }

    /// Finds the sides that rows take at the splits of the leaf subtree.
    #[inline(always)]
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
    #[inline(always)]
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
        let n_rows = explained.n_rows;
        let n_places = self.columns.used.len().next_multiple_of(EIGHT);
        let n_sums = self.sums.len() / explained.predictions.n_outputs();
        let mut values = Values {
            n_places,
            most_slots: path.most_slots(),
            slots_are_places: path.slots_are_places(),
            without_slot: &subtree.without_slot,
            by_place: &mut self.values[output * n_rows * n_places..][..n_rows * n_places],
            by_slot: &mut self.sums[output * n_sums..][..n_sums],
        };
        // In the order of the rows, so that the processor fetches their values in time, unless most
        // rows of the block are elsewhere.
        let (mut all, mut few) =
            (row_groups.rows(), at_leaf.groups.clone().flat_map(|index| groups.rows_of(index)));
        loop {
            let next = if at_leaf.is_sparse {
                few.next().map(|&row| (row as usize, row_groups.of_row(row)))
            } else {
                all.next()
            };
            let Some((row, row_group)) = next else { break };
            values.add(row, contributions.of(row_group));
        }
    }
}

/// Values of the rows of a block.
struct Values<'a> {
    n_places: usize,
    most_slots: usize,
    slots_are_places: bool,
    /// Columns of the leaf subtree that are not on its path, and where their contributions are.
    without_slot: &'a [(u32, u32)],
    /// By row and place of the column.
    by_place: &'a mut [f64],
    /// By row and slot of the path.
    by_slot: &'a mut [f64],
}

impl Values<'_> {
    /// Adds contributions to a row.
    #[inline(always)]
    fn add(&mut self, row: usize, contributions: (&[f64], &[f64])) {
        let (slots, within) = contributions;
        let values = &mut self.by_place[row * self.n_places..][..self.n_places];
        if self.slots_are_places {
            add(values, slots);
            return;
        }
        add(&mut self.by_slot[row * self.most_slots..][..slots.len()], slots);
        for &(place, at) in self.without_slot {
            values[place as usize] += within[at as usize];
        }
    }
}
