//! Rows of a table, matched by column, on their way down trees.
//!
//! Many rows go down by keys of their values (`keys.rs`), 16 at a time where the processor can (`simd.rs`).

mod keys;
mod simd;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use crate::data::{Column, ColumnData};
use crate::forest::info::FeatureInfo;
use crate::forest::model::Forest;
use crate::forest::ranked::{group, split_rows};
use crate::forest::tree::{Node, Rule, Side, Split, Tree};
use crate::forest::walk::keys::WalkKeys;
use crate::run::Threads;

/// Rows that go down a tree side by side.
const TOGETHER: usize = 16;

/// Most rows that go through all trees together: below some thousands, the lower nodes of a large
/// tree would be fetched from memory for every row anew.
const MOST_ROWS: usize = 8192;

/// Rows that go through all trees together, so that every thread has its part.
pub(super) fn rows_at_a_time(n_rows: usize, threads: Threads) -> usize {
    MOST_ROWS.min(n_rows.div_ceil(threads.get())).max(TOGETHER)
}

/// A tree has at most so many nodes for each row that goes down by keys: its steps are made anew for
/// these rows, and ten of them take as long as a row gains.
const MOST_NODES: usize = 8;

/// Fewer rows have no keys.
const LEAST_KEYED: usize = 64;

/// At most so many columns have keys for each tree that rows go down: a key takes as long as a comparison
/// gains.
const MOST_COLUMNS: usize = 16;

/// Sends rows of aligned columns down trees.
#[derive(Clone)]
pub(crate) struct Walk<'a> {
    columns: &'a [Cow<'a, Column>],
    known: &'a [FeatureInfo],
    float32_inputs: bool,
    /// Of the rows that go down all trees, if they are many.
    keys: Option<WalkKeys>,
}

impl<'a> Walk<'a> {
    /// The columns are those that `align` makes of a table.
    pub(crate) fn new(forest: &'a Forest, columns: &'a [Cow<'a, Column>]) -> Self {
        let (known, float32_inputs) = (&forest.features[..], forest.float32_inputs);
        Self { columns, known, float32_inputs, keys: None }
    }

    /// The same, where these rows go down these trees of the forest: the values of many rows have keys.
    pub(crate) fn of_rows(
        forest: &'a Forest,
        trees: &[Tree],
        columns: &'a [Cow<'a, Column>],
        rows: Range<usize>,
    ) -> Self {
        let mut walk = Self::new(forest, columns);
        if rows.len() >= LEAST_KEYED {
            let is_keyed = keyed(trees, columns.len());
            walk.keys = if walk.float32_inputs {
                WalkKeys::new(columns, &is_keyed, rows, |value| f64::from(value as f32))
            } else {
                WalkKeys::new(columns, &is_keyed, rows, |value| value)
            };
        }
        walk
    }

    /// The leaves of consecutive rows. A few rows go down together, a level at a time, so that the
    /// processor fetches their nodes at the same time.
    pub(crate) fn leaves(&self, tree: &Tree, first_row: usize, leaves: &mut [u32]) {
        if let Some(keys) = &self.keys
            && leaves.len() * MOST_NODES >= tree.n_nodes()
            && keys.leaves(tree, first_row, leaves, |row, node| self.is_second(tree, row, node))
        {
            return;
        }
        self.by_values(tree, first_row, leaves);
    }

    /// The leaves of consecutive rows, which are compared by their values.
    fn by_values(&self, tree: &Tree, first_row: usize, leaves: &mut [u32]) {
        leaves.fill(0);
        for (chunk, nodes) in leaves.chunks_mut(TOGETHER).enumerate() {
            let first_row = first_row + chunk * TOGETHER;
            let mut is_moving = true;
            while is_moving {
                is_moving = false;
                for (place, node) in nodes.iter_mut().enumerate() {
                    if let Node::Split(split) = &tree.nodes()[*node as usize] {
                        *node = split.first_child + self.child(tree, split, first_row + place);
                        is_moving = true;
                    }
                }
            }
        }
    }

    /// Whether a row goes from a node to its second child; not from a leaf.
    fn is_second(&self, tree: &Tree, row: usize, node: u32) -> bool {
        matches!(&tree.nodes()[node as usize], Node::Split(split) if self.child(tree, split, row) == 1)
    }

    /// Orders rows, counted from the first one, by the child that they go to, and calls `each` with
    /// the children that get any, and their parts of the rows.
    #[inline]
    pub(crate) fn divide(
        &self,
        tree: &Tree,
        split: &Split,
        first_row: usize,
        rows: &mut [u32],
        mut each: impl FnMut(u32, std::ops::Range<usize>),
    ) {
        let (first, n_rows) = (split.first_child, rows.len());
        if let [row] = rows {
            return each(first + self.child(tree, split, first_row + *row as usize), 0..1);
        }
        let cut = match (self.columns[split.feature as usize].data(), split.rule) {
            (ColumnData::Numeric(values), Rule::AtMost { threshold, missing }) => {
                let values = &values[first_row..];
                // What is missing is not a number, which no comparison holds for.
                match (self.float32_inputs, missing) {
                    (false, Side::Left) => split_rows(rows, |row| {
                        let is_above = values[row as usize] > threshold;
                        !is_above
                    }),
                    (false, Side::Right) => {
                        split_rows(rows, |row| values[row as usize] <= threshold)
                    }
                    (true, _) => {
                        let child = |row: u32| self.child(tree, split, first_row + row as usize);
                        split_rows(rows, |row| child(row) == 0)
                    }
                }
            }
            (ColumnData::Categorical(levels), Rule::Multiway { table }) => {
                let codes = &levels.codes()[first_row..];
                let branches = &tree.branches()[table as usize];
                return group(
                    rows,
                    first as usize,
                    branches,
                    |row| codes[row as usize],
                    |child, part| {
                        each(child as u32, part);
                    },
                );
            }
            _ => split_rows(rows, |row| self.child(tree, split, first_row + row as usize) == 0),
        };
        if cut > 0 {
            each(first, 0..cut);
        }
        if cut < n_rows {
            each(first + 1, cut..n_rows);
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

/// Which columns have keys: all, or, where there are more of them than trees, those that are split, unless
/// these are too many.
fn keyed(trees: &[Tree], n_columns: usize) -> Vec<bool> {
    let is_few = n_columns <= trees.len();
    let mut is_keyed = vec![is_few; n_columns];
    if !is_few {
        let split =
            |node: &Node| if let Node::Split(split) = node { Some(split.feature) } else { None };
        let features = trees.iter().flat_map(|tree| tree.nodes().iter().filter_map(split));
        features.for_each(|feature| is_keyed[feature as usize] = true);
        if is_keyed.iter().filter(|&&is_keyed| is_keyed).count() > MOST_COLUMNS * trees.len() {
            is_keyed.fill(false);
        }
    }
    is_keyed
}
