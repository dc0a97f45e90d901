//! What a piece adds to rows that are alike above it and in the same state below.

use crate::tree_shap::factors::{RegionFactors, dot, product};
use crate::tree_shap::piece_table::Table;

const NONE: u32 = u32::MAX;

/// Pairs of a group and a state that are looked up, by row: more are hardly met twice.
const MOST_PAIRS: usize = 8;

/// What the piece in a table adds.
#[derive(Debug, Default)]
pub(super) struct Additions<const Q: usize> {
    /// By group and entry of the table, where these are not too many.
    known: Vec<u32>,
    n_entries: usize,
    /// To the sums above.
    sums: Vec<[f64; Q]>,
    /// To the column of the edge above, and to those of the table.
    values: Vec<f64>,
}

impl<const Q: usize> Additions<Q> {
    /// Begins with a piece, above which rows are in so many groups.
    pub(super) fn begin(&mut self, n_groups: usize, table: &Table<Q>, n_rows: usize) {
        self.n_entries = table.n_entries();
        let n_pairs = n_groups * self.n_entries;
        self.known.clear();
        self.known.resize(if n_pairs <= MOST_PAIRS * n_rows { n_pairs } else { 0 }, NONE);
        self.sums.clear();
        self.values.clear();
    }

    /// What is added to rows of a group and an entry: to their sums, to the column of the edge
    /// above, and to the columns of the table.
    #[inline]
    pub(super) fn of(
        &mut self,
        (group, entry): (u32, u32),
        table: &Table<Q>,
        above: &[f64; Q],
        met: &RegionFactors<Q>,
    ) -> (&[f64; Q], f64, &[f64]) {
        let n_values = 1 + table.places.len();
        let mut unknown = NONE;
        let place = group as usize * self.n_entries + entry as usize;
        let known = if let Some(known) = self.known.get_mut(place) {
            known
        } else {
            self.sums.clear();
            self.values.clear();
            &mut unknown
        };
        if *known == NONE {
            *known = self.sums.len() as u32;
            let numbers = table.entry(entry);
            let below = product(above, &numbers[0]);
            self.values.push(dot(&below, &met.value));
            self.values.extend(numbers[1..].iter().map(|numbers| dot(above, numbers)));
            self.sums.push(below);
        }
        let at = *known as usize;
        let values = &self.values[at * n_values..][..n_values];
        (&self.sums[at], values[0], &values[1..])
    }
}
