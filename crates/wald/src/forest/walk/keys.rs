//! Keys of values and thresholds, by which rows go down trees: four bytes a value and eight a node, so that
//! a tree and some rows stay next to the processor.
//!
//! Keys increase with the numbers, but different numbers may have equal keys. Where the key of a row is
//! equal to that of a threshold, rows go down again by their values.
//!
//! Predicting takes 1.5 to 2.2 times as long by ranks, which have to be sorted, and to be searched for at
//! every node (`docs/benchmarks.md`).

use std::borrow::Cow;
use std::ops::Range;

use crate::data::{Column, ColumnData};
use crate::forest::tree::{Node, Rule, Side, Tree};
use crate::forest::walk::TOGETHER;
use crate::forest::walk::simd::{self, GROUP};

/// Of a leaf: no key is above it, so that all rows stay.
const LEAF: u32 = u32::MAX;

/// A missing value that goes to the right: above the keys of all thresholds.
pub(super) const RIGHT: u32 = LEAF - 1;

/// A missing value that goes to the left: below the keys of all thresholds.
pub(super) const LEFT: u32 = 0;

/// Keys of the values of some rows.
#[derive(Debug, Clone)]
pub(super) struct WalkKeys {
    rows: Range<usize>,
    /// `None` where a column has levels.
    columns: Vec<Option<Numbers>>,
    /// Rows after one another.
    keys: Vec<u32>,
    width: usize,
    /// Bits of a node's number, which its step holds below the place of the key.
    node_bits: u32,
}

/// A column of numbers.
#[derive(Debug, Clone, Copy)]
struct Numbers {
    /// Subtracted before numbers are rounded, so that large ones which differ little have different keys.
    origin: f64,
    /// Where its key is among those of a row: with missing values on the right, and on the left.
    places: [u32; 2],
}

/// A node: rows whose key is above this one go to the second child. A leaf leads to itself.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Step {
    pub(super) key: u32,
    /// The place of the key in a row, and the first child in the lower bits.
    pub(super) place_and_child: u32,
}

/// The steps of a tree. The places of keys are below `width`, and all children are steps.
#[derive(Debug)]
pub(super) struct Steps {
    pub(super) nodes: Vec<Step>,
    /// Bits of a child.
    pub(super) node_bits: u32,
    /// Keys of a row.
    pub(super) width: usize,
}

/// Increases with the number, but for rounding to 32 bits.
pub(super) fn key_of(number: f64, origin: f64) -> u32 {
    // Adding 0 makes a negative zero positive.
    let bits = ((number - origin + 0.0) as f32).to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

impl WalkKeys {
    /// `number` is what is compared of a value. `None` where no column has numbers. Cost
    /// O(columns * rows).
    pub(super) fn new(
        columns: &[Cow<'_, Column>],
        rows: Range<usize>,
        number: impl Fn(f64) -> f64,
    ) -> Option<Self> {
        let (mut known, mut of_places) = (Vec::new(), Vec::new());
        for column in columns {
            let ColumnData::Numeric(values) = column.data() else {
                known.push(None);
                continue;
            };
            let numbers = || values[rows.clone()].iter().map(|&value| number(value));
            let least = numbers().fold(f64::INFINITY, f64::min);
            let origin = if least.is_finite() { least } else { 0.0 };
            let keys = |missing: u32| -> Vec<u32> {
                let key =
                    |number: f64| if number.is_nan() { missing } else { key_of(number, origin) };
                numbers().map(key).collect()
            };
            let right = of_places.len();
            of_places.push(keys(RIGHT));
            if numbers().any(f64::is_nan) {
                of_places.push(keys(LEFT));
            }
            let places = [right as u32, of_places.len() as u32 - 1];
            known.push(Some(Numbers { origin, places }));
        }
        let width = of_places.len();
        let row = |row: usize| of_places.iter().map(move |keys| keys[row]);
        let keys = (0..rows.len()).flat_map(row).collect();
        let node_bits = (width as u32).leading_zeros();
        (width > 0).then_some(Self { rows, columns: known, keys, width, node_bits })
    }

    /// The leaves of consecutive rows, all of them among those that have keys, and `by_values` those of
    /// some of these rows, from a number on. False, and nothing is done, where some splits are of a column
    /// with levels. Cost O(nodes + rows * depth).
    pub(super) fn leaves(
        &self,
        tree: &Tree,
        first_row: usize,
        leaves: &mut [u32],
        mut by_values: impl FnMut(usize, &mut [u32]),
    ) -> bool {
        let Some(steps) = self.steps(tree) else { return false };
        let keys = &self.keys[(first_row - self.rows.start) * self.width..];
        leaves.fill(0);
        let groups = leaves.chunks_mut(GROUP).zip(keys.chunks(GROUP * self.width));
        for ((nodes, keys), first_row) in groups.zip((first_row..).step_by(GROUP)) {
            let is_equal = simd::go(&steps, keys, nodes).unwrap_or_else(|| steps.go(keys, nodes));
            if is_equal {
                by_values(first_row, nodes);
            }
        }
        true
    }

    /// The keys of groups of rows, one after the other, without those of the last rows.
    #[cfg(test)]
    pub(super) fn of_groups(&self) -> impl Iterator<Item = &[u32]> {
        self.keys.chunks_exact(GROUP * self.width)
    }

    /// The steps of a tree; `None` where some splits are by levels, or too many nodes for their bits.
    pub(super) fn steps(&self, tree: &Tree) -> Option<Steps> {
        if tree.n_nodes() >> self.node_bits != 0 {
            return None;
        }
        let mut steps = Vec::with_capacity(tree.n_nodes());
        for (node, content) in (0..).zip(tree.nodes()) {
            let Node::Split(split) = content else {
                steps.push(Step { key: LEAF, place_and_child: node });
                continue;
            };
            let (threshold, missing) = match split.rule {
                Rule::AtMost { threshold, missing } => (threshold, missing),
                Rule::Present => (f64::INFINITY, Side::Right),
                Rule::Levels { .. } | Rule::Multiway { .. } => return None,
            };
            let numbers = self.columns[split.feature as usize].as_ref()?;
            let place = numbers.places[usize::from(missing == Side::Left)];
            assert!(split.first_child as usize + 1 < tree.n_nodes(), "children are nodes");
            let place_and_child = place << self.node_bits | split.first_child;
            steps.push(Step { key: key_of(threshold, numbers.origin), place_and_child });
        }
        Some(Steps { nodes: steps, node_bits: self.node_bits, width: self.width })
    }
}

impl Steps {
    /// Sends rows, whose keys follow one another, from nodes to leaves. Returns whether some key was equal to
    /// that of a threshold which it was compared with.
    pub(super) fn go(&self, keys: &[u32], nodes: &mut [u32]) -> bool {
        let child = (1 << self.node_bits) - 1;
        let mut is_equal = false;
        for (nodes, keys) in nodes.chunks_mut(TOGETHER).zip(keys.chunks(TOGETHER * self.width)) {
            let mut moved = 1;
            while moved != 0 {
                moved = 0;
                for (keys, node) in keys.chunks_exact(self.width).zip(&mut *nodes) {
                    let step = self.nodes[*node as usize];
                    let key = keys[(step.place_and_child >> self.node_bits) as usize];
                    is_equal |= key == step.key;
                    let next = (step.place_and_child & child) + u32::from(key > step.key);
                    moved |= next ^ *node;
                    *node = next;
                }
            }
        }
        is_equal
    }
}
