//! Rows of a table, matched by column, on their way down trees.

use std::borrow::Cow;
use std::ops::Range;

use crate::data::{Column, ColumnData};
use crate::forest::info::FeatureInfo;
use crate::forest::model::Forest;
use crate::forest::ranked::{group, split_rows};
use crate::forest::tree::{Node, Rule, Side, Split, Tree};
use crate::forest::walk_ranks::WalkRanks;
use crate::run::Threads;

/// Rows that go down a tree side by side.
pub(super) const TOGETHER: usize = 16;

/// Most rows that go through all trees together: below some thousands, the lower nodes of a large
/// tree would be fetched from memory for every row anew.
const MOST_ROWS: usize = 8192;

/// Rows that go through all trees together, so that every thread has its part.
pub(super) fn rows_at_a_time(n_rows: usize, threads: Threads) -> usize {
    MOST_ROWS.min(n_rows.div_ceil(threads.get())).max(TOGETHER)
}

/// A tree has at most so many nodes for each row that passes it by steps, which are made anew for
/// these rows. At 6 nodes for each row this takes half the time (1,400 nodes).
const MOST_NODES: usize = 8;

/// Fewer rows are not worth ranking their values.
const LEAST_RANKED: usize = 512;

/// Sends rows of aligned columns down trees.
#[derive(Clone)]
pub(crate) struct Walk<'a> {
    columns: &'a [Cow<'a, Column>],
    /// The columns of numbers; the others are empty here.
    numbers: Vec<&'a [f64]>,
    known: &'a [FeatureInfo],
    float32_inputs: bool,
    /// Of the rows that go down all trees, if they are many.
    ranks: Option<WalkRanks>,
}

/// A node where numbers are compared, which is passed without a branch: a leaf leads to itself.
#[derive(Clone, Copy)]
struct Step {
    threshold: f64,
    /// Twice the column whose values are compared, and 1 more where missing ones go to the left.
    compared: u32,
    first_child: u32,
}

impl<'a> Walk<'a> {
    /// The columns are those that `align` makes of a table.
    pub(crate) fn new(forest: &'a Forest, columns: &'a [Cow<'a, Column>]) -> Self {
        let numbers = |column: &'a Cow<'a, Column>| match column.data() {
            ColumnData::Numeric(values) => &values[..],
            ColumnData::Categorical(_) => &[],
        };
        let numbers = columns.iter().map(numbers).collect();
        let (known, float32_inputs) = (&forest.features[..], forest.float32_inputs);
        Self { columns, numbers, known, float32_inputs, ranks: None }
    }

    /// The same, where these rows go down so many trees: the values of many rows are ranked first.
    pub(crate) fn of_rows(
        forest: &'a Forest,
        columns: &'a [Cow<'a, Column>],
        rows: Range<usize>,
        n_trees: usize,
    ) -> Self {
        let mut walk = Self::new(forest, columns);
        if rows.len() >= LEAST_RANKED && columns.len() <= n_trees {
            walk.ranks = if walk.float32_inputs {
                WalkRanks::new(columns, rows, |value| f64::from(value as f32))
            } else {
                WalkRanks::new(columns, rows, |value| value)
            };
        }
        walk
    }

    /// The leaves of consecutive rows. A few rows go down together, a level at a time, so that the
    /// processor fetches their nodes at the same time.
    pub(crate) fn leaves(&self, tree: &Tree, first_row: usize, leaves: &mut [u32]) {
        if let Some(ranks) = &self.ranks
            && leaves.len() >= tree.n_nodes()
            && ranks.leaves(tree, first_row, leaves)
        {
            return;
        }
        leaves.fill(0);
        if leaves.len() * MOST_NODES >= tree.n_nodes()
            && let Some(steps) = self.steps(tree)
        {
            if self.float32_inputs {
                self.go(&steps, first_row, leaves, |value| f64::from(value as f32));
            } else {
                self.go(&steps, first_row, leaves, |value| value);
            }
            return;
        }
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

    /// The steps of a tree; `None` where some splits are by levels.
    fn steps(&self, tree: &Tree) -> Option<Vec<Step>> {
        // All values of any column lead from a leaf to the leaf.
        let any = 2 * self.numbers.iter().position(|values| !values.is_empty())? as u32 + 1;
        let step = |(place, node): (u32, &Node)| {
            let Node::Split(split) = node else {
                let threshold = f64::INFINITY;
                return Some(Step { threshold, compared: any, first_child: place });
            };
            let (threshold, missing) = match split.rule {
                Rule::AtMost { threshold, missing } => (threshold, missing),
                Rule::Present => (f64::INFINITY, Side::Right),
                Rule::Levels { .. } | Rule::Multiway { .. } => return None,
            };
            self.numbers[split.feature as usize].first()?;
            let compared = split.feature * 2 + u32::from(missing == Side::Left);
            Some(Step { threshold, compared, first_child: split.first_child })
        };
        (0..).zip(tree.nodes()).map(step).collect()
    }

    /// The leaves of consecutive rows by steps. What is compared is `number` of a value.
    fn go(
        &self,
        steps: &[Step],
        first_row: usize,
        leaves: &mut [u32],
        number: impl Fn(f64) -> f64,
    ) {
        for (chunk, nodes) in leaves.chunks_mut(TOGETHER).enumerate() {
            let first_row = first_row + chunk * TOGETHER;
            let mut moved = 1;
            while moved != 0 {
                moved = 0;
                for (row, node) in (first_row..).zip(&mut *nodes) {
                    let step = steps[*node as usize];
                    let value = number(self.numbers[(step.compared / 2) as usize][row]);
                    let stays = u32::from(value <= step.threshold)
                        | u32::from(value.is_nan()) & step.compared;
                    let next = step.first_child + (stays & 1 ^ 1);
                    moved |= next ^ *node;
                    *node = next;
                }
            }
        }
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
