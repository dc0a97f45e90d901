//! The rows of a node where a variable is present, as tests and divisions read them.

use crate::data::{SortingRoom, order_preserving_bits, sort_by_bits};
use crate::forest::grow::direct::branching::Branching;
use crate::forest::grow::direct::rows::{Asked, Cells};
use crate::forest::split::{Dependence, Sequence, TestScorer};

/// Working memory, and the variable read last.
#[derive(Debug, Default)]
pub(super) struct Present {
    /// Where the variable is present.
    pub(super) rows: Vec<u32>,
    /// Its values there.
    numbers: Vec<f64>,
    levels: Branching,
    /// Number or level as bits, and row, in their order.
    pub(super) keys: Vec<(u64, u32)>,
    sorting: SortingRoom,
    seen: Vec<u32>,
    value: Vec<f64>,
    /// True while the scorer knows all rows of the node, and not only those read.
    knows_all: bool,
}

/// The rows of a node in the order of a variable.
pub(super) struct Sorted<'a, R> {
    pub(super) keys: &'a [(u64, u32)],
    /// The row whose cell a row looks at.
    pub(super) cell_row: R,
}

impl<R: Fn(u32) -> u32> Sequence for Sorted<'_, R> {
    type Item = (u64, u32);
    type Key = u64;

    const ALL_DIFFER: bool = false;

    fn items(&self) -> &[(u64, u32)] {
        self.keys
    }

    #[inline]
    fn position(&self, (_, row): (u64, u32)) -> usize {
        row as usize
    }

    #[inline]
    fn key(&self, (bits, _): (u64, u32)) -> u64 {
        bits
    }

    fn row(&self, (_, row): (u64, u32)) -> u32 {
        (self.cell_row)(row)
    }
}

impl Present {
    /// Starts a node, whose rows the scorer has read.
    pub(super) fn start(&mut self) {
        self.knows_all = true;
    }

    /// Reads the values of a variable in the rows where it is present.
    pub(super) fn read(&mut self, asked: Asked<'_>, rows: &[u32]) {
        self.rows.clear();
        let is_present = |row: &u32| !asked.has_missing || !asked.is_missing(*row);
        self.rows.extend(rows.iter().copied().filter(is_present));
        let seen = asked.seen(&self.rows, &mut self.seen);
        match asked.cells {
            Cells::Numbers(numbers) => {
                self.numbers.clear();
                self.numbers.extend(seen.iter().map(|&row| numbers[row as usize]));
            }
            Cells::Levels(codes) => self.levels.find(asked.n_levels, codes, seen),
        }
    }

    /// Makes the rows that were read the scorer's current node.
    pub(super) fn show<S: TestScorer>(&mut self, scorer: &mut S, rows: &[u32]) {
        if self.rows.len() == rows.len() {
            self.show_all(scorer, rows);
        } else {
            self.knows_all = false;
            self.value.clear();
            scorer.summarise(&self.rows, &mut self.value);
            scorer.read(&self.rows);
        }
    }

    pub(super) fn show_all<S: TestScorer>(&mut self, scorer: &mut S, rows: &[u32]) {
        if !self.knows_all {
            self.knows_all = true;
            self.value.clear();
            scorer.summarise(rows, &mut self.value);
            scorer.read(rows);
        }
    }

    /// Brings the rows that were read into the order of the variable, equal ones as they come.
    pub(super) fn sort(&mut self, asked: Asked<'_>) {
        self.keys.clear();
        let rows = self.rows.iter().copied();
        match asked.cells {
            Cells::Numbers(_) => {
                let bits = self.numbers.iter().map(|&number| order_preserving_bits(number));
                self.keys.extend(bits.zip(rows));
            }
            Cells::Levels(_) => {
                let levels = self.levels.found.children.iter().map(|&level| u64::from(level));
                self.keys.extend(levels.zip(rows));
            }
        }
        sort_by_bits(&mut self.keys, &mut self.sorting);
    }

    /// Returns whether what was read differs between rows, and makes the numbers fit for a test, so
    /// that they are those of the table no more.
    pub(super) fn varies(&mut self, asked: Asked<'_>) -> bool {
        match asked.cells {
            Cells::Numbers(_) => spread_out(&mut self.numbers),
            Cells::Levels(_) => self.levels.found.n_children() > 1,
        }
    }

    /// How much the responses of the rows read depend on the variable.
    pub(super) fn dependence<S: TestScorer>(
        &self,
        asked: Asked<'_>,
        scorer: &mut S,
    ) -> Option<Dependence> {
        let found = &self.levels.found;
        match asked.cells {
            Cells::Numbers(_) => scorer.dependence_on_numbers(&self.numbers),
            Cells::Levels(_) => scorer.dependence_on_levels(&found.children, found.n_children()),
        }
    }
}

/// Returns whether some numbers differ. The tests do not depend on their unit; one in which they
/// would be too large or too small to be squared is changed.
fn spread_out(numbers: &mut [f64]) -> bool {
    let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let half = high / 2.0 - low / 2.0;
    if low < high && !(1e-100..1e100).contains(&half) {
        // Twice, because the inverse of a tiny number is infinite.
        let root = half.max(f64::MIN_POSITIVE).sqrt();
        let unit = |number: f64| (number / 2.0 - low / 2.0) / root / root;
        numbers.iter_mut().for_each(|number| *number = unit(*number));
    }
    low < high
}
