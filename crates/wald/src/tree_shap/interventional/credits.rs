//! What the columns of a way are credited with where rows and background rows meet in a leaf
//! subtree.

use crate::tree_shap::interventional::lanes::{LANES, Lanes, number};
use crate::tree_shap::interventional::leaf_subtree::{Ending, LeafSubtree, MOST_SPLITS};
use crate::tree_shap::interventional::paths::Path;
use crate::tree_shap::interventional::sets::{TOGETHER, places};
use crate::tree_shap::weights::Weights;

/// Lanes of slots that are summed up at once.
const MOST_LANES: usize = 4;

/// By set of the columns split on, as bits: one for each in it, from the second number on.
static MEMBERS: [Lanes; 1 << MOST_SPLITS] = members(0.0);

/// The same, and one for the columns above.
static DEBITED: [Lanes; 1 << MOST_SPLITS] = members(1.0);

const fn members(above: f64) -> [Lanes; 1 << MOST_SPLITS] {
    let mut members = [Lanes::ZERO; 1 << MOST_SPLITS];
    let mut at = 0;
    while at < MOST_SPLITS << MOST_SPLITS {
        let (set, member) = (at / MOST_SPLITS, at % MOST_SPLITS);
        members[set].0[0] = above;
        members[set].0[1 + member] = (set >> member & 1) as f64;
        at += 1;
    }
    members
}

/// Rows of one class that violate equally many columns above.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meeting {
    pub(super) class: usize,
    pub(super) n_violated: u32,
    /// The background rows that some of them have left.
    pub(super) background: u128,
}

/// Working memory.
#[derive(Debug)]
pub(super) struct Credits {
    /// By background row: what it is worth to every column that it violates above the leaf subtree.
    above: Box<[f64; TOGETHER]>,
    /// By background row, what it is worth within the leaf subtree: to the columns that rows
    /// violate above, then to the columns split on.
    inside: Box<[Lanes; TOGETHER]>,
    /// By encounter: slots of the path, then what is inside.
    found: Vec<Lanes>,
    n_lanes: usize,
}

impl Default for Credits {
    fn default() -> Self {
        Self {
            above: Box::new([0.0; TOGETHER]),
            inside: Box::new([Lanes::default(); TOGETHER]),
            found: Vec::new(),
            n_lanes: 0,
        }
    }
}

impl Credits {
    /// Makes room for the credits of so many groups of rows on a path of so many slots.
    pub(super) fn begin(&mut self, n_lanes: usize, n_row_groups: usize) {
        self.n_lanes = n_lanes;
        let n = (n_lanes + 1) * n_row_groups;
        if self.found.len() < n {
            self.found.resize(n, Lanes::default());
        }
    }

    /// The credits of an encounter: by slot of the path, then to the columns split on.
    #[inline(always)]
    pub(super) fn of(&self, encounter: u32) -> (&[Lanes], &Lanes) {
        let start = encounter as usize * (self.n_lanes + 1);
        let inside = start + self.n_lanes;
        (&self.found[start..inside], &self.found[inside])
    }

    /// Finds the weights of background rows where rows of a class meet them; `node_values` are the
    /// predictions of the nodes.
    #[inline(always)]
    pub(super) fn meet(
        &mut self,
        (subtree, weights): (&LeafSubtree, &Weights),
        meeting: Meeting,
        node_values: impl Fn(u32) -> f64,
    ) {
        let (above, inside) = (&mut *self.above, &mut *self.inside);
        for row in places(meeting.background) {
            above[row] = 0.0;
            inside[row] = Lanes::default();
        }
        for &Ending { leaf, violated, background } in subtree.endings(meeting.class) {
            let (node, violations) = subtree.leaf(leaf);
            let value = node_values(node);
            let weights = weights.against((meeting.n_violated + violated.count_ones()) as usize);
            let debited = DEBITED[violated as usize % DEBITED.len()];
            for row in places(background & meeting.background) {
                let known = violations[row];
                let weight = weights.of(known.n as usize);
                let (credit, debit) = (value * weight.credit, value * weight.debit);
                above[row] += credit;
                let members = MEMBERS[known.here as usize % MEMBERS.len()];
                let more = members.times(credit).minus(debited.times(debit));
                inside[row] = inside[row].plus(more);
            }
        }
    }

    /// Sums up what some of these background rows are worth to every slot, for an encounter;
    /// `violated` marks 64 slots that its rows violate above.
    #[inline(always)]
    pub(super) fn sum(
        &mut self,
        (path, subtree): (&Path, &LeafSubtree),
        (encounter, background): (usize, u128),
        violated: impl Fn(usize) -> u64,
    ) {
        let Self { above, inside, found, n_lanes } = self;
        let found = &mut found[encounter * (*n_lanes + 1)..][..=*n_lanes];
        let (slots, rest) = found.split_at_mut(*n_lanes);
        let worths = (&**above, &**inside, background);
        let mut start = 0;
        // At least once, for what is inside.
        loop {
            let n = (*n_lanes - start).min(MOST_LANES);
            let to = &mut slots[start..start + n];
            let violated = violated(start * LANES / 64) >> (start * LANES % 64) & mask(n);
            rest[0] = match n {
                0 => add::<0>((path, start), worths, to),
                1 => add::<1>((path, start), worths, to),
                2 => add::<2>((path, start), worths, to),
                3 => add::<3>((path, start), worths, to),
                _ => add::<MOST_LANES>((path, start), worths, to),
            };
            // No background row violates what the rows do.
            let mut left = violated;
            while left != 0 && n > 0 {
                *number(to, left.trailing_zeros()) = rest[0].0[0];
                left &= left - 1;
            }
            start += n;
            if start >= *n_lanes {
                break;
            }
        }
        for (column, credit) in subtree.columns.iter().zip(&rest[0].0[1..]) {
            if let Some(slot) = column.slot {
                *number(slots, slot) += credit;
            }
        }
    }
}

/// The next N lanes of slots from `start` on, and what is inside of the leaf subtree.
#[inline(always)]
fn add<const N: usize>(
    (path, start): (&Path, usize),
    (above, inside, background): (&[f64; TOGETHER], &[Lanes; TOGETHER], u128),
    found: &mut [Lanes],
) -> Lanes {
    let mut sums = [Lanes::ZERO; N];
    let mut all = Lanes::ZERO;
    for row in places(background) {
        let worth = above[row];
        let violations: &[Lanes; N] = path.violations(row, start);
        for lane in 0..N {
            sums[lane] = sums[lane].plus(violations[lane].times(worth));
        }
        all = all.plus(inside[row]);
    }
    found[..N].copy_from_slice(&sums);
    all
}

/// The bits of so many lanes.
const fn mask(n_lanes: usize) -> u64 {
    (1 << (LANES * n_lanes)) - 1
}
