//! The columns on the way from the root to a node, and what background rows violate of them.

use crate::tree_shap::interventional::lanes::{LANES, Lanes, number};
use crate::tree_shap::interventional::sets::{TOGETHER, first, places};

/// Trees that split on at most so many columns have a slot for each.
const FEW_COLUMNS: usize = 32;

/// No slot.
const NONE: u32 = u32::MAX;

/// The way to a node. Columns have *slots*: their places where there are few columns, else in the
/// order in which the path first splits on them.
#[derive(Debug, Default)]
pub(super) struct Path {
    /// Whether slots are places.
    is_few: bool,
    /// How many columns have been split on.
    n_columns: usize,
    /// By place, the slot.
    slots: Vec<u32>,
    /// By slot, the background rows that satisfy the column.
    reach: Vec<u128>,
    /// By background row, then by slot: 1 where it violates the column, else 0.
    violations: Vec<Lanes>,
    /// By background row, how many columns it violates.
    n_violated: Vec<u32>,
    stride: usize,
    all: u128,
}

/// What an edge has changed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) slot: u32,
    pub(super) place: u32,
    /// The background rows that satisfied the column above.
    before: u128,
    is_new: bool,
}

impl Path {
    /// At the root of a tree that splits on so many columns, at most so many on a path.
    pub(super) fn begin(&mut self, (n_columns, most_slots): (usize, usize), n_rows: usize) {
        self.is_few = n_columns <= FEW_COLUMNS;
        self.n_columns = 0;
        self.slots.clear();
        self.slots.resize(n_columns, NONE);
        let n_slots = if self.is_few { n_columns } else { most_slots };
        self.all = first(n_rows);
        self.reach.clear();
        self.reach.resize(n_slots, self.all);
        // As small as can be, to stay near the processor.
        self.stride = n_slots.div_ceil(LANES);
        self.violations.clear();
        self.violations.resize(TOGETHER * self.stride, Lanes::default());
        self.n_violated.clear();
        self.n_violated.resize(TOGETHER, 0);
    }

    pub(super) fn all(&self) -> u128 {
        self.all
    }

    /// Whether slots are places.
    pub(super) fn is_few(&self) -> bool {
        self.is_few
    }

    /// Lanes of all slots that paths of the tree may have, and of those of this path.
    pub(super) fn lanes(&self) -> (usize, usize) {
        let here = if self.is_few { self.stride } else { self.n_columns.div_ceil(LANES) };
        (self.stride, here)
    }

    /// Takes an edge on a column, as the background rows `takers` do.
    pub(super) fn descend(&mut self, place: u32, takers: u128) -> Step {
        let is_new = self.slots[place as usize] == NONE;
        if is_new {
            self.slots[place as usize] = if self.is_few { place } else { self.n_columns as u32 };
            self.n_columns += 1;
        }
        let slot = self.slots[place as usize];
        let reach = &mut self.reach[slot as usize];
        let before = *reach;
        *reach &= takers;
        let parted = before & !takers;
        self.mark(slot, parted, true);
        Step { slot, place, before, is_new }
    }

    /// Back from an edge. Whether its slot has now another meaning.
    pub(super) fn ascend(&mut self, step: Step) -> bool {
        let reach = &mut self.reach[step.slot as usize];
        let parted = step.before & !*reach;
        *reach = step.before;
        self.mark(step.slot, parted, false);
        if step.is_new {
            self.slots[step.place as usize] = NONE;
            self.n_columns -= 1;
        }
        step.is_new && !self.is_few
    }

    fn mark(&mut self, slot: u32, rows: u128, violate: bool) {
        let violates = f64::from(u8::from(violate));
        for row in places(rows) {
            *number(&mut self.violations[row * self.stride..], slot) = violates;
            let n = &mut self.n_violated[row];
            *n = if violate { *n + 1 } else { *n - 1 };
        }
    }

    /// The background rows that satisfy the column of a slot.
    pub(super) fn reach(&self, slot: u32) -> u128 {
        self.reach[slot as usize]
    }

    /// The slot of a column that is split on, by its place.
    pub(super) fn slot(&self, place: u32) -> Option<u32> {
        Some(self.slots[place as usize]).filter(|slot| *slot != NONE)
    }

    /// The slot of a column, split on or not.
    pub(super) fn slot_anyway(&self, place: u32) -> Option<u32> {
        if self.is_few { Some(place) } else { self.slot(place) }
    }

    /// How many columns a background row violates.
    #[inline]
    pub(super) fn n_violated(&self, row: usize) -> usize {
        self.n_violated[row] as usize
    }

    /// Which columns a background row violates, by slot, some lanes from `start` on: ones and
    /// zeros.
    #[inline(always)]
    pub(super) fn violations<const N: usize>(&self, row: usize, start: usize) -> &[Lanes; N] {
        let from = row * self.stride + start;
        self.violations.get(from..).and_then(<[_]>::first_chunk).unwrap_or(&[Lanes::ZERO; N])
    }
}
