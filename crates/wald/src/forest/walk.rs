//! Rows of a table, matched by column, on their way down trees.

use std::borrow::Cow;

use crate::data::{Column, ColumnData};
use crate::forest::tree::{Node, Split, Tree};
use crate::forest::{FeatureInfo, Forest};
use crate::threads::Threads;

/// Rows that go down a tree side by side.
pub(crate) const TOGETHER: usize = 16;

/// Most rows that go through all trees together: below some thousands, the lower nodes of a large
/// tree would be fetched from memory for every row anew.
const MOST_ROWS: usize = 8192;

/// Rows that go through all trees together, so that every thread has its part.
pub(crate) fn rows_at_a_time(n_rows: usize, threads: Threads) -> usize {
    MOST_ROWS.min(n_rows.div_ceil(threads.get())).max(TOGETHER)
}

/// Sends rows of aligned columns down trees.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'a> {
    columns: &'a [Cow<'a, Column>],
    known: &'a [FeatureInfo],
    float32_inputs: bool,
}

impl<'a> Walk<'a> {
    /// The columns are those that `align` makes of a table.
    pub(crate) fn new(forest: &'a Forest, columns: &'a [Cow<'a, Column>]) -> Self {
        Self { columns, known: &forest.features, float32_inputs: forest.float32_inputs }
    }

    /// The leaves of consecutive rows.
    pub(crate) fn leaves(&self, tree: &Tree, first_row: usize, leaves: &mut [u32]) {
        for (chunk, nodes) in leaves.chunks_mut(TOGETHER).enumerate() {
            let first_row = first_row + chunk * TOGETHER;
            self.descend(tree, |place| first_row + place, nodes, |_, _, _| {});
        }
    }

    /// Sends a few rows from the root to their leaves, which `nodes` names in the end, and tells
    /// every step: which of the rows it is, the split, and the child it goes to. The rows go down
    /// together, a level at a time, so that the processor fetches their nodes at the same time.
    #[inline]
    pub(crate) fn descend(
        &self,
        tree: &Tree,
        row_of: impl Fn(usize) -> usize,
        nodes: &mut [u32],
        mut step: impl FnMut(usize, &Split, u32),
    ) {
        nodes.fill(0);
        let mut is_moving = true;
        while is_moving {
            is_moving = false;
            for (place, node) in nodes.iter_mut().enumerate() {
                if let Node::Split(split) = &tree.nodes()[*node as usize] {
                    *node = split.first_child + self.child(tree, split, row_of(place));
                    step(place, split, *node);
                    is_moving = true;
                }
            }
        }
    }

    fn child(&self, tree: &Tree, split: &Split, row: usize) -> u32 {
        let feature = split.feature as usize;
        match self.columns[feature].data() {
            ColumnData::Numeric(values) if self.float32_inputs => {
                tree.child_of_number(split, f64::from(values[row] as f32))
            }
            ColumnData::Numeric(values) => tree.child_of_number(split, values[row]),
            ColumnData::Categorical(categories) => {
                tree.child_of_level(split, categories.codes()[row], self.known[feature].n_levels())
            }
        }
    }
}
