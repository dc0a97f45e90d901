//! The rows of a block at a node, in groups that violate the same columns.

use std::ops::Range;

/// Rows that violate the same columns, with the background rows that violate none of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    start: u32,
    end: u32,
    /// How many columns they violate.
    pub(super) n_violated: u32,
    /// The first 64 slots of these columns, as bits.
    violated: u64,
    pub(super) background: u128,
}

/// Groups of the nodes on the path to one, those of the root first.
#[derive(Debug, Default)]
pub(super) struct Groups {
    found: Vec<Group>,
    /// By group, further slots of the columns that its rows violate, as bits of `n_words` words.
    violated: Vec<u64>,
    n_words: usize,
    /// Positions in the block.
    rows: Vec<u32>,
    n_rows: usize,
    /// Per group of the nodes above, where its rows were divided: those that take an edge, then
    /// those that do not.
    cuts: Vec<[u32; 3]>,
}

/// How much of the lists there is at a node; what is behind belongs to nodes below.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    groups: usize,
    rows: usize,
    cuts: usize,
}

/// An edge as rows meet it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing {
    pub(super) slot: u32,
    /// The background rows that satisfy the column down to the child.
    pub(super) reach: u128,
    /// Whether rows were divided by the edge beside this one, of two.
    pub(super) is_other: bool,
}

impl Groups {
    /// Some rows of the block at the root of a tree of so many columns.
    pub(super) fn begin(&mut self, rows: Range<u32>, n_columns: usize, background: u128) {
        self.n_words = n_columns.saturating_sub(1) / 64;
        self.found.clear();
        self.violated.clear();
        self.cuts.clear();
        self.rows.clear();
        self.rows.extend(rows);
        self.n_rows = self.rows.len();
        self.found.push(Group {
            start: 0,
            end: self.n_rows as u32,
            n_violated: 0,
            violated: 0,
            background,
        });
        self.violated.resize(self.n_words, 0);
    }

    pub(super) fn extent(&self) -> Extent {
        Extent { groups: self.found.len(), rows: self.n_rows, cuts: self.cuts.len() }
    }

    /// Forgets what is behind.
    pub(super) fn shrink(&mut self, extent: Extent) {
        self.found.truncate(extent.groups);
        self.violated.truncate(extent.groups * self.n_words);
        self.cuts.truncate(extent.cuts);
        self.n_rows = extent.rows;
    }

    /// The places of the groups behind.
    pub(super) fn behind(&self, extent: Extent) -> Range<usize> {
        extent.groups..self.found.len()
    }

    pub(super) fn group(&self, index: usize) -> Group {
        self.found[index]
    }

    /// The rows of the group of a place.
    pub(super) fn rows_of(&self, index: usize) -> &[u32] {
        let Group { start, end, .. } = self.found[index];
        &self.rows[start as usize..end as usize]
    }

    /// The columns that the rows of a group violate: 64 slots, as bits.
    #[inline]
    pub(super) fn violated(&self, index: usize, word: usize) -> u64 {
        match word {
            0 => self.found[index].violated,
            word => self.violated[index * self.n_words + word - 1],
        }
    }

    #[inline]
    pub(super) fn violates(&self, index: usize, slot: u32) -> bool {
        self.violated(index, slot as usize / 64) >> (slot % 64) & 1 == 1
    }

    /// Divides the rows of some groups, of those that do not violate the column of a slot yet, by
    /// whether they take an edge.
    pub(super) fn divide(
        &mut self,
        groups: Range<usize>,
        slot: u32,
        takes: impl Fn(u32) -> bool + Copy,
    ) {
        for index in groups {
            let Group { start, end, .. } = self.found[index];
            if self.violates(index, slot) {
                self.cuts.push([start, start, end]);
                continue;
            }
            if end == start + 1 {
                // One row stays where it is.
                let taken = takes(self.rows[start as usize]);
                self.cuts.push([start, start + u32::from(taken), end]);
                continue;
            }
            let (base, n) = (self.n_rows, (end - start) as usize);
            if self.rows.len() < base + n {
                self.rows.resize(base + n, 0);
            }
            let (above, below) = self.rows.split_at_mut(base);
            let below = &mut below[..n];
            let (mut taking, mut leaving) = (0, n);
            for &row in &above[start as usize..end as usize] {
                let taken = takes(row);
                let place = if taken { taking } else { leaving - 1 };
                below[place] = row;
                taking += usize::from(taken);
                leaving -= usize::from(!taken);
            }
            self.cuts.push([base, base + taking, base + n].map(|place| place as u32));
            self.n_rows += n;
        }
    }

    /// The groups below an edge, of those above, which were divided when there was so much of
    /// lists.
    pub(super) fn cross(&mut self, above: Range<usize>, extent: Extent, crossing: Crossing) {
        let Crossing { slot, reach, is_other } = crossing;
        for (index, cut) in above.zip(extent.cuts..) {
            let group = self.found[index];
            let background = group.background & reach;
            let [start, middle, end] = self.cuts[cut];
            if self.violates(index, slot) {
                self.push(Group { background, ..group }, index, None);
                continue;
            }
            let (taking, leaving) = (start..middle, middle..end);
            let (taking, leaving) = if is_other { (leaving, taking) } else { (taking, leaving) };
            self.push(Group { start: taking.start, end: taking.end, ..group }, index, None);
            let n_violated = group.n_violated + 1;
            let (start, end) = (leaving.start, leaving.end);
            let leaving = Group { start, end, n_violated, background, ..group };
            self.push(leaving, index, Some(slot));
        }
    }

    /// One more group, which violates what that of `index` does and one more, where somebody is
    /// left.
    #[inline]
    fn push(&mut self, mut group: Group, index: usize, more: Option<u32>) {
        if group.background == 0 || group.start == group.end {
            return;
        }
        if let Some(slot) = more.filter(|slot| *slot < 64) {
            group.violated |= 1 << slot;
        }
        self.found.push(group);
        if self.n_words > 0 {
            let words = index * self.n_words..(index + 1) * self.n_words;
            self.violated.extend_from_within(words);
            if let Some(slot) = more.filter(|slot| *slot >= 64) {
                let place = (self.found.len() - 1) * self.n_words + slot as usize / 64 - 1;
                self.violated[place] |= 1 << (slot % 64);
            }
        }
    }
}

/// Memory of the lists where there are so many rows, counted once for every level of a tree.
pub(super) fn list_bytes(n_rows_of_levels: f64) -> f64 {
    // A group, where it was divided, and a row; lists have room to grow.
    2.0 * n_rows_of_levels * (size_of::<Group>() + size_of::<[u32; 4]>()) as f64
}
