//! Rows sorted when a node asks: where few of many columns are tried, keeping all of them
//! sorted costs more than sorting those few.
//!
//! With 500 rows and 2,000 columns growing takes 2.6 times as long where all columns are kept
//! sorted, with 2,000 rows and 1,000 columns 1.2 times (`docs/benchmarks.md`).
//!
//! In a table of few rows, a node of many of them keeps its rows of the order that the column has in
//! the whole table; all others are sorted (`sort.rs`). Without that, growing takes 1.5 times as
//! long with 500 rows.

use crate::data::{MISSING_CODE, Order, RankedColumn, RankedFeatures, Shadows};
use crate::forest::grow::arrangement::{Arrangement, HandOver, Span, goes_right};
use crate::forest::grow::divide::{self, Sides};
use crate::forest::grow::presorted::Presorted;
use crate::forest::grow::sequence::{Distinct, Keys, Tied};
use crate::forest::grow::simd::fetch;
use crate::forest::grow::sort::Sorter;
use crate::forest::split::{self, Best, Scorer};

/// In tables of more rows, the order of a column is not read.
const MOST_READ: usize = 2048;

/// Sorting a row takes as long as reading this many of the order of a column.
const READ_PER_ROW_SORTED: usize = 6;

/// The same where many rows are read at a time, and all differ.
const READ_BY_VECTORS_PER_ROW_SORTED: usize = 40;

/// The codes of more rows are not fetched one by one.
const MOST_FETCHED: usize = 32;

/// Sorting few rows takes at least as long as sorting this many.
const LEAST_SORTED: usize = 8;

/// Working memory; positions are rows of the table.
#[derive(Debug, Default)]
pub(crate) struct Unsorted {
    members: Vec<u32>,
    sides: Sides,
    spare: Vec<u32>,
    sorter: Sorter,
    /// The rows of the node that is being searched, once a column asked for them.
    marked: Sides,
    marked_span: Option<Span>,
    kept: Vec<u16>,
    has_vectors: bool,
    /// The rows whose cells a shadow shows.
    donors: Vec<u32>,
}

impl Unsorted {
    pub(crate) fn fill(&mut self, features: &RankedFeatures, rows: &[u32]) {
        // The last node of the tree before may have been searched in vain: its rows are still marked, and
        // known by the members that are about to go.
        self.unmark();
        self.members.clear();
        self.members.extend_from_slice(rows);
        self.sides.resize(features.n_rows());
        self.marked.resize(features.n_rows());
        self.spare.resize(rows.len(), 0);
        self.kept.resize(features.n_rows().min(MOST_READ), 0);
        self.has_vectors = divide::has_vectors();
    }

    /// The order of a column, where keeping the rows of a node from it is faster than sorting them.
    fn order_to_read<'a>(&self, ranked: &'a RankedColumn, span: Span) -> Option<&'a [u16]> {
        let Order::Short(order) = ranked.order() else { return None };
        let read_per_row = if self.has_vectors && !ranked.has_ties() {
            READ_BY_VECTORS_PER_ROW_SORTED
        } else {
            READ_PER_ROW_SORTED
        };
        let is_read =
            order.len() <= MOST_READ && (span.len() + LEAST_SORTED) * read_per_row >= order.len();
        is_read.then_some(order)
    }

    fn mark(&mut self, span: Span) {
        if self.marked_span != Some(span) {
            self.unmark();
            self.members[span.range()].iter().for_each(|&row| self.marked.set(row, true));
            self.marked_span = Some(span);
        }
    }

    fn unmark(&mut self) {
        if let Some(span) = self.marked_span.take() {
            self.members[span.range()].iter().for_each(|&row| self.marked.set(row, false));
        }
    }
}

impl Unsorted {
    /// As for a column, by the rows whose cells the shadow shows.
    fn search_shadow<S: Scorer>(
        &mut self,
        scorer: &mut S,
        ranked: &RankedColumn,
        shadows: &Shadows,
        span: Span,
        best: &mut Best,
    ) {
        let donor = |row: u32| shadows.donor(row);
        self.donors.clear();
        self.donors.extend(self.members[span.range()].iter().map(|&row| donor(row)));
        self.sorter.sort(ranked, &self.donors);
        // Rows that tie, and missing ones, stand in the order of the cells' rows.
        self.sorter.missing.sort_unstable();
        self.sorter.rename(|donor| shadows.receiver(donor));
        let sequence = Keys { keys: &self.sorter.keys, row: donor };
        split::search(scorer, ranked, &sequence, &self.sorter.missing, best);
    }
}

/// Searches rows in the order of a column, missing values last.
fn search_kept<S: Scorer>(scorer: &mut S, ranked: &RankedColumn, rows: &[u16], best: &mut Best) {
    let code = |row: u16| ranked.codes()[usize::from(row)];
    let n_present = if ranked.has_missing() {
        rows.partition_point(|&row| code(row) != MISSING_CODE)
    } else {
        rows.len()
    };
    let (order, missing) = rows.split_at(n_present);
    if ranked.has_ties() {
        let sequence = Tied { order, key: code, row: u32::from };
        split::search(scorer, ranked, &sequence, missing, best);
    } else {
        let sequence = Distinct { order, row: u32::from };
        split::search(scorer, ranked, &sequence, missing, best);
    }
}

impl Arrangement for Unsorted {
    type Position = u32;

    fn members(&self, span: Span) -> &[u32] {
        &self.members[span.range()]
    }

    fn announce(&self, features: &RankedFeatures, column: u32) {
        fetch::all(std::slice::from_ref(features.column(column)));
    }

    fn prepare(&self, features: &RankedFeatures, column: u32, span: Span) {
        let ranked = features.column(column);
        if features.shadow(column).is_some() {
            return;
        }
        if let Some(order) = self.order_to_read(ranked, span) {
            fetch::all(order);
        } else if span.len() <= MOST_FETCHED {
            let rows = self.members[span.range()].iter();
            rows.for_each(|&row| fetch::one(ranked.codes(), row as usize));
        }
    }

    fn search<S: Scorer>(
        &mut self,
        scorer: &mut S,
        features: &RankedFeatures,
        span: Span,
        best: &mut Best,
    ) {
        let ranked = features.column(best.candidate);
        if let Some(shadows) = features.shadow(best.candidate) {
            return self.search_shadow(scorer, ranked, shadows, span, best);
        }
        if let Some(order) = self.order_to_read(ranked, span) {
            self.mark(span);
            let n_kept = divide::keep(order, &self.marked, &mut self.kept);
            return search_kept(scorer, ranked, &self.kept[..n_kept], best);
        }
        self.sorter.sort(ranked, &self.members[span.range()]);
        let sequence = Keys { keys: &self.sorter.keys, row: |row| row };
        split::search(scorer, ranked, &sequence, &self.sorter.missing, best);
    }

    fn is_constant(&self, features: &RankedFeatures, column: u32, span: Span) -> bool {
        let codes = features.column(column).codes();
        let shadows = features.shadow(column);
        let cell = |&row: &u32| codes[shadows.map_or(row, |shadows| shadows.donor(row)) as usize];
        let mut cells = self.members[span.range()].iter().map(cell);
        let first = cells.next();
        cells.all(|cell| Some(cell) == first)
    }

    fn divide<S: Scorer>(
        &mut self,
        _scorer: &mut S,
        features: &RankedFeatures,
        span: Span,
        best: &Best,
    ) -> u32 {
        // The marks are known by the members that are about to be moved.
        self.unmark();
        let codes = features.column(best.column).codes();
        let members = &mut self.members[span.range()];
        let goes_right = goes_right(best, codes);
        let shadows = features.shadow(best.column);
        for &row in members.iter() {
            let cell = shadows.map_or(row, |shadows| shadows.donor(row));
            self.sides.set(row, goes_right(codes[cell as usize]));
        }
        span.start + divide::divide(members, &mut self.spare, &self.sides) as u32
    }
}

impl HandOver for Unsorted {
    type Smaller = Presorted<u16>;

    fn hand_over(&self, _: &RankedFeatures, _: Span, _: &mut Presorted<u16>) -> bool {
        false
    }
}
