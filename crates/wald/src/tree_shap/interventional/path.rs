//! The columns on the path from the root to a node, and which of them background rows violate.

use crate::tree_shap::interventional::background::{TOGETHER, first, places};

/// Trees that split on at most so many columns have a slot for each.
const FEW_COLUMNS: usize = 32;

/// Numbers by slot or place are padded to a multiple of this, so that loops have a fixed length.
pub(super) const EIGHT: usize = 8;

/// No slot.
const NONE: u32 = u32::MAX;

/// The path to a node. Columns have *slots*: their places where there are few columns, else in the
/// order in which the path first splits on them.
#[derive(Debug, Default)]
pub(super) struct Path {
    /// Whether slots are places.
    slots_are_places: bool,
    /// How many columns the path has split on.
    n_columns: usize,
    /// By place, the slot.
    slots: Vec<u32>,
    /// By slot, the background rows that satisfy the column.
    reach: Vec<u128>,
    /// By background row, then by slot: 1 where it violates the column, else 0.
    violations: Vec<f64>,
    /// By background row, how many columns it violates.
    n_violated: Vec<u32>,
    /// Slots that paths of the tree may have.
    most_slots: usize,
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
    pub(super) fn begin(&mut self, n_columns: usize, most_on_path: usize, n_background: usize) {
        self.slots_are_places = n_columns <= FEW_COLUMNS;
        self.n_columns = 0;
        self.slots.clear();
        self.slots.resize(n_columns, NONE);
        let most_slots = if self.slots_are_places { n_columns } else { most_on_path };
        self.most_slots = most_slots.next_multiple_of(EIGHT);
        self.all = first(n_background);
        self.reach.clear();
        self.reach.resize(self.most_slots, self.all);
        self.violations.clear();
        self.violations.resize(TOGETHER * self.most_slots, 0.0);
        self.n_violated.clear();
        self.n_violated.resize(TOGETHER, 0);
    }

    pub(super) fn all(&self) -> u128 {
        self.all
    }

    /// Whether slots are places.
    pub(super) fn slots_are_places(&self) -> bool {
        self.slots_are_places
    }

    /// How many slots paths of the tree may have.
    pub(super) fn most_slots(&self) -> usize {
        self.most_slots
    }

    /// How many slots this path has.
    pub(super) fn n_slots(&self) -> usize {
        if self.slots_are_places { self.most_slots } else { self.n_columns }
    }

    /// Takes an edge on a column, as the background rows `takers` do.
    pub(super) fn descend(&mut self, place: u32, takers: u128) -> Step {
        let is_new = self.slots[place as usize] == NONE;
        if is_new {
            self.slots[place as usize] =
                if self.slots_are_places { place } else { self.n_columns as u32 };
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

    /// Back from an edge. Returns whether its slot no longer belongs to the column.
    pub(super) fn ascend(&mut self, step: Step) -> bool {
        let reach = &mut self.reach[step.slot as usize];
        let parted = step.before & !*reach;
        *reach = step.before;
        self.mark(step.slot, parted, false);
        if step.is_new {
            self.slots[step.place as usize] = NONE;
            self.n_columns -= 1;
        }
        step.is_new && !self.slots_are_places
    }

    fn mark(&mut self, slot: u32, rows: u128, violate: bool) {
        let violates = f64::from(u8::from(violate));
        for row in places(rows) {
            self.violations[row * self.most_slots + slot as usize] = violates;
            let n = &mut self.n_violated[row];
            *n = if violate { *n + 1 } else { *n - 1 };
        }
    }

    /// The background rows that satisfy the column of a slot.
    pub(super) fn reach(&self, slot: u32) -> u128 {
        self.reach[slot as usize]
    }

    /// The slot of a column that is split on above, by its place.
    pub(super) fn slot(&self, place: u32) -> Option<u32> {
        Some(self.slots[place as usize]).filter(|slot| *slot != NONE)
    }

    /// The slot of a column, split on above or not.
    pub(super) fn slot_if_any(&self, place: u32) -> Option<u32> {
        if self.slots_are_places { Some(place) } else { self.slot(place) }
    }

    /// How many columns a background row violates.
    #[inline]
    pub(super) fn n_violated(&self, row: usize) -> usize {
        self.n_violated[row] as usize
    }

    /// Which columns a background row violates, by slot: ones and zeros.
    #[inline]
    pub(super) fn violations(&self, row: usize) -> &[[f64; EIGHT]] {
        self.violations[row * self.most_slots..][..self.most_slots].as_chunks().0
    }
}
