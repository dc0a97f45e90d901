//! The columns on the way from the root to a node, and what background rows violate of them.

use crate::shapley::interventional::sets::{TOGETHER, each_place, first};

/// Slots that are read together.
const SLOTS: usize = 32;

/// No slot.
const NONE: u32 = u32::MAX;

/// The way to a node. Columns have *slots*, in the order in which the way first asks about them.
#[derive(Debug, Default)]
pub(super) struct Path {
    /// By slot, the place of its column among those of the tree.
    pub(super) columns: Vec<u32>,
    /// By place, the slot.
    slots: Vec<u32>,
    /// By slot, the background rows that satisfy the column.
    reach: Vec<u128>,
    /// By background row, then by slot: 1 where it violates the column.
    violations: Vec<f64>,
    /// By background row, how many columns it violates.
    n_violated: Vec<u32>,
    stride: usize,
    all: u128,
}

/// What an edge has changed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) slot: u32,
    place: u32,
    /// The background rows that satisfied the column above.
    before: u128,
    is_new: bool,
}

impl Path {
    /// At the root of a tree that asks about so many columns, at most so many on a path.
    pub(super) fn begin(&mut self, (n_columns, most_slots): (usize, usize), n_rows: usize) {
        self.columns.clear();
        self.reach.clear();
        self.slots.clear();
        self.slots.resize(n_columns, NONE);
        // As small as can be, to stay near the processor. Slots are read some at a time; what is read
        // beyond those of a row belongs to the next one, and nobody looks at it.
        self.stride = most_slots;
        self.violations.clear();
        self.violations.resize(TOGETHER * self.stride + SLOTS, 0.0);
        self.n_violated.clear();
        self.n_violated.resize(TOGETHER, 0);
        self.all = first(n_rows);
    }

    pub(super) fn all(&self) -> u128 {
        self.all
    }

    /// Takes an edge on a column, as the background rows `takers` do.
    pub(super) fn descend(&mut self, place: u32, takers: u128) -> Step {
        let is_new = self.slots[place as usize] == NONE;
        if is_new {
            self.slots[place as usize] = self.columns.len() as u32;
            self.columns.push(place);
            self.reach.push(self.all);
        }
        let slot = self.slots[place as usize];
        let reach = &mut self.reach[slot as usize];
        let before = *reach;
        *reach &= takers;
        let parted = before & !takers;
        self.mark(slot, parted, true);
        Step { slot, place, before, is_new }
    }

    /// Back from an edge.
    pub(super) fn ascend(&mut self, step: Step) {
        let reach = &mut self.reach[step.slot as usize];
        let parted = step.before & !*reach;
        *reach = step.before;
        self.mark(step.slot, parted, false);
        if step.is_new {
            self.slots[step.place as usize] = NONE;
            self.columns.pop();
            self.reach.pop();
        }
    }

    fn mark(&mut self, slot: u32, rows: u128, violate: bool) {
        let violates = f64::from(u8::from(violate));
        each_place(rows, |row| {
            self.violations[row * self.stride + slot as usize] = violates;
            let n = &mut self.n_violated[row];
            *n = if violate { *n + 1 } else { *n - 1 };
        });
    }

    /// The background rows that satisfy the column of a slot.
    pub(super) fn reach(&self, slot: u32) -> u128 {
        self.reach[slot as usize]
    }

    /// The slot of a column, by its place.
    pub(super) fn slot(&self, place: u32) -> Option<u32> {
        Some(self.slots[place as usize]).filter(|slot| *slot != NONE)
    }

    /// How many columns a background row violates.
    #[inline]
    pub(super) fn n_violated(&self, row: usize) -> usize {
        self.n_violated[row] as usize
    }

    /// Which columns a background row violates, by slot from `start` on: ones and zeros; there is
    /// anything where there are no slots. N is at most 32.
    #[inline]
    pub(super) fn violations<const N: usize>(&self, row: usize, start: usize) -> &[f64; N] {
        const { assert!(N <= SLOTS) };
        let from = row * self.stride + start;
        self.violations[from..].first_chunk().unwrap_or(&[0.0; N])
    }
}
