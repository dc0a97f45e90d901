//! Keys of values and thresholds, by which rows go down trees: four bytes a value and eight a node, so that
//! a tree and some rows stay next to the processor.
//!
//! Keys increase with the numbers, but different numbers may have equal keys. Where the key of a row is
//! equal to that of a threshold, their values are compared. Where 31 bits hold all numbers of a column exactly,
//! as with whole numbers up to some millions, no key is equal to that of a threshold.
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
    /// `None` where a column has levels, or no keys.
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
    scale: Scale,
    /// Where its key is among those of a row: with missing values on the right, and on the left.
    places: [u32; 2],
}

/// How numbers of a column become keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Scale {
    /// All keys are exact and even.
    Exact,
    /// What is subtracted before numbers are rounded, so that large ones which differ little have different
    /// keys.
    From(f64),
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

/// Increases with the number. The key is even if the last bit of the number is zero.
fn key_of(number: f32) -> u32 {
    let bits = number.to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { bits.wrapping_neg() }
}

impl Scale {
    /// Of numbers, of which those that are missing do not count.
    pub(super) fn of(numbers: &[f64]) -> Self {
        let is_exact = |&number: &f64| {
            let rounded = number as f32;
            number.is_nan() || f64::from(rounded) == number && rounded.to_bits() & 1 == 0
        };
        if numbers.iter().all(is_exact) {
            return Self::Exact;
        }
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Differences are rounded less than the numbers only where they are smaller.
        Self::From(if largest - least < least.abs() { least } else { 0.0 })
    }

    /// The key of a number, which increases with it, but for rounding to 32 bits.
    pub(super) fn key(self, number: f64) -> u32 {
        let origin = if let Self::From(origin) = self { origin } else { 0.0 };
        // Adding 0 makes a negative zero positive.
        key_of((number - origin + 0.0) as f32)
    }

    /// The key of a threshold: numbers above it have no smaller key, all others no larger one. Where keys are
    /// exact, it is odd, and differs from all of them.
    pub(super) fn key_of_threshold(self, threshold: f64) -> u32 {
        let key = self.key(threshold);
        match self {
            Self::Exact => (key - u32::from(f64::from(threshold as f32) > threshold)) | 1,
            Self::From(_) => key,
        }
    }
}

impl WalkKeys {
    /// `is_keyed` by column; `number` is what is compared of a value. `None` where no column with keys has
    /// numbers. Cost O(columns * rows).
    pub(super) fn new(
        columns: &[Cow<'_, Column>],
        is_keyed: &[bool],
        rows: Range<usize>,
        number: impl Fn(f64) -> f64,
    ) -> Option<Self> {
        let (mut known, mut of_places) = (Vec::new(), Vec::new());
        for (column, &is_keyed) in columns.iter().zip(is_keyed) {
            let (true, ColumnData::Numeric(values)) = (is_keyed, column.data()) else {
                known.push(None);
                continue;
            };
            let numbers: Vec<f64> =
                values[rows.clone()].iter().map(|&value| number(value)).collect();
            let scale = Scale::of(&numbers);
            let keys = |missing: u32| -> Vec<u32> {
                let key = |&number: &f64| if number.is_nan() { missing } else { scale.key(number) };
                numbers.iter().map(key).collect()
            };
            let right = of_places.len();
            of_places.push(keys(RIGHT));
            if numbers.iter().any(|number| number.is_nan()) {
                of_places.push(keys(LEFT));
            }
            let places = [right as u32, of_places.len() as u32 - 1];
            known.push(Some(Numbers { scale, places }));
        }
        let width = of_places.len();
        let row = |row: usize| of_places.iter().map(move |keys| keys[row]);
        let keys = (0..rows.len()).flat_map(row).collect();
        let node_bits = (width as u32).leading_zeros();
        (width > 0).then_some(Self { rows, columns: known, keys, width, node_bits })
    }

    /// The leaves of consecutive rows, all of them among those that have keys. `is_second` is whether a row
    /// goes from a node to its second child, by its value. False, and nothing is done, where some splits are of
    /// a column without keys. Cost O(nodes + rows * depth).
    pub(super) fn leaves(
        &self,
        tree: &Tree,
        first_row: usize,
        leaves: &mut [u32],
        is_second: impl Fn(usize, u32) -> bool,
    ) -> bool {
        let Some(steps) = self.steps(tree) else { return false };
        let keys = &self.keys[(first_row - self.rows.start) * self.width..];
        let groups = leaves.chunks_mut(GROUP).zip(keys.chunks(GROUP * self.width));
        for ((nodes, keys), first_row) in groups.zip((first_row..).step_by(GROUP)) {
            let is_second = |row: usize, node: u32| is_second(first_row + row, node);
            if !simd::go(&steps, keys, nodes, is_second) {
                steps.go(keys, nodes, is_second);
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
            steps.push(Step { key: numbers.scale.key_of_threshold(threshold), place_and_child });
        }
        Some(Steps { nodes: steps, node_bits: self.node_bits, width: self.width })
    }
}

impl Steps {
    /// Sends rows, whose keys follow one another, from the root to leaves. `is_second` is whether a row goes
    /// from a node to its second child, where keys are equal.
    pub(super) fn go(
        &self,
        keys: &[u32],
        nodes: &mut [u32],
        is_second: impl Fn(usize, u32) -> bool,
    ) {
        let child = (1 << self.node_bits) - 1;
        nodes.fill(0);
        let chunks = nodes.chunks_mut(TOGETHER).zip(keys.chunks(TOGETHER * self.width));
        for ((nodes, keys), first_row) in chunks.zip((0..).step_by(TOGETHER)) {
            let mut moved = 1;
            while moved != 0 {
                moved = 0;
                let rows = keys.chunks_exact(self.width).zip(&mut *nodes).zip(first_row..);
                for ((keys, node), row) in rows {
                    let step = self.nodes[*node as usize];
                    let key = keys[(step.place_and_child >> self.node_bits) as usize];
                    let mut second = u32::from(key > step.key);
                    if key == step.key {
                        second = u32::from(is_second(row, *node));
                    }
                    let next = (step.place_and_child & child) + second;
                    moved |= next ^ *node;
                    *node = next;
                }
            }
        }
    }
}
