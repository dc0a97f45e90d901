//! What the columns of a way are credited with where rows and background rows meet in a twig.

use crate::shapley::interventional::paths::Path;
use crate::shapley::interventional::sets::{TOGETHER, each_place};
use crate::shapley::interventional::twig::{Ending, MOST_QUESTIONS, Twig};
use crate::shapley::weights::Weights;

/// Slots that are summed up at once.
const MOST_SLOTS: usize = 32;

/// What a background row is worth within a twig: to the columns that rows violate above, then to the
/// columns asked about.
type Inside = [f64; 1 + MOST_QUESTIONS];

/// By set of the columns asked about, as bits: one for each in it.
const MEMBERS: [Inside; 1 << MOST_QUESTIONS] = {
    let mut members = [[0.0; 1 + MOST_QUESTIONS]; 1 << MOST_QUESTIONS];
    let mut at = 0;
    while at < MOST_QUESTIONS << MOST_QUESTIONS {
        let (set, member) = (at / MOST_QUESTIONS, at % MOST_QUESTIONS);
        members[set][1 + member] = (set >> member & 1) as f64;
        at += 1;
    }
    members
};

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
    /// By background row: what it is worth to every column that it violates above the twig.
    above: Box<[f64; TOGETHER]>,
    inside: Box<[Inside; TOGETHER]>,
    /// By encounter and slot.
    found: Vec<f64>,
    n_slots: usize,
}

impl Default for Credits {
    fn default() -> Self {
        let inside = Box::new([[0.0; 1 + MOST_QUESTIONS]; TOGETHER]);
        Self { above: Box::new([0.0; TOGETHER]), inside, found: Vec::new(), n_slots: 0 }
    }
}

impl Credits {
    /// Makes room for the credits of so many encounters.
    pub(super) fn begin(&mut self, n_slots: usize, n_encounters: usize) {
        self.n_slots = n_slots;
        self.found.clear();
        self.found.resize(n_slots * n_encounters, 0.0);
    }

    /// The credits of an encounter, by slot; `None` where there is no such encounter.
    #[inline]
    pub(super) fn of(&self, encounter: u32) -> Option<&[f64]> {
        let start = encounter as usize * self.n_slots;
        self.found.get(start..start + self.n_slots)
    }

    /// Finds what background rows are worth where rows of a class meet them; `says` tells what a node
    /// says.
    pub(super) fn meet(
        &mut self,
        (twig, weights): (&Twig, &Weights),
        meeting: Meeting,
        says: impl Fn(u32) -> f64,
    ) {
        match twig.columns.len() {
            0..4 => self.meet_first::<4>((twig, weights), meeting, says),
            4..6 => self.meet_first::<6>((twig, weights), meeting, says),
            _ => self.meet_first::<{ 1 + MOST_QUESTIONS }>((twig, weights), meeting, says),
        }
    }

    /// The same for the first N numbers of what is inside.
    fn meet_first<const N: usize>(
        &mut self,
        (twig, weights): (&Twig, &Weights),
        meeting: Meeting,
        says: impl Fn(u32) -> f64,
    ) {
        let Self { above, inside, .. } = self;
        each_place(meeting.background, |row| {
            above[row] = 0.0;
            inside[row] = [0.0; 1 + MOST_QUESTIONS];
        });
        for &Ending { leaf, violated, background } in twig.endings(meeting.class) {
            let (node, violations) = twig.leaf(leaf);
            let say = says(node);
            let m = (meeting.n_violated + violated.count_ones()) as usize;
            let mut debited = MEMBERS[violated as usize % MEMBERS.len()];
            debited[0] = 1.0;
            each_place(background & meeting.background, |row| {
                let known = violations[row];
                let weight = weights.of(known.n as usize, m);
                let (credit, debit) = (say * weight.credit, say * weight.debit);
                above[row] += credit;
                let members = &MEMBERS[known.here as usize % MEMBERS.len()][..N];
                let terms = members.iter().zip(&debited[..N]);
                for (sum, (member, debited)) in inside[row][..N].iter_mut().zip(terms) {
                    *sum += credit * member - debit * debited;
                }
            });
        }
    }

    /// Sums up what some of these background rows are worth to every slot, for an encounter; `violated`
    /// are those that its rows violate above.
    pub(super) fn sum(
        &mut self,
        (path, twig): (&Path, &Twig),
        (encounter, background): (usize, u128),
        violated: impl Iterator<Item = usize>,
    ) {
        let Self { above, inside, found, n_slots } = self;
        let found = &mut found[encounter * *n_slots..][..*n_slots];
        let n_above = path.columns.len();
        let mut start = 0;
        // At least once, for what is inside.
        let inside = loop {
            let worths = (&**above, &**inside, background);
            let to = &mut found[start..n_above];
            let inside = match to.len().div_ceil(4) {
                0 | 1 => add::<4>((path, start), worths, to),
                2 => add::<8>((path, start), worths, to),
                3 => add::<12>((path, start), worths, to),
                4 => add::<16>((path, start), worths, to),
                5 | 6 => add::<24>((path, start), worths, to),
                _ => add::<MOST_SLOTS>((path, start), worths, to),
            };
            start += MOST_SLOTS;
            if start >= n_above {
                break inside;
            }
        };
        violated.for_each(|slot| found[slot] = inside[0]);
        for ((slot, _), credit) in twig.columns.iter().zip(&inside[1..]) {
            found[*slot as usize] += credit;
        }
    }
}

/// The next N slots from `start` on, and what is inside of the twig.
#[inline]
fn add<const N: usize>(
    (path, start): (&Path, usize),
    (above, inside, background): (&[f64; TOGETHER], &[Inside; TOGETHER], u128),
    found: &mut [f64],
) -> Inside {
    let mut sums = [0.0; N];
    let mut all = [0.0; 1 + MOST_QUESTIONS];
    each_place(background, |row| {
        let worth = above[row];
        let violations: &[f64; N] = path.violations(row, start);
        sums.iter_mut().zip(violations).for_each(|(sum, violates)| *sum += worth * violates);
        all.iter_mut().zip(&inside[row]).for_each(|(sum, worth)| *sum += worth);
    });
    found.iter_mut().zip(sums).for_each(|(found, sum)| *found = sum);
    all
}
