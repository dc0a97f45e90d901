//! Rows sorted when a node asks: where few of many columns are tried, keeping all of them
//! sorted costs more than sorting those few.
//!
//! A node keeps its rows of the column's order where they are many or the table is short, and sorts
//! them (`sort.rs`) otherwise.

use crate::data::{MISSING_CODE, Order, RankedColumn, RankedFeatures, Shadows};
use crate::forest::grow::arrangement::{Arrangement, Span, goes_right};
use crate::forest::grow::divide::{self, Sides};
use crate::forest::grow::presorted::{HandOver, Presorted};
use crate::forest::grow::sequence::{Distinct, Keys, Tied};
use crate::forest::grow::sort::Sorter;
use crate::forest::split::{self, Best, Limits, Scorer};

/// Sorting a row takes as long as reading this many of the order of a column.
fn rows_read_per_row_sorted() -> usize {
    if divide::has_vectors() { 40 } else { ROWS_READ_PER_ROW_SORTED }
}

/// The same where rows are read one by one.
const ROWS_READ_PER_ROW_SORTED: usize = 6;

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
        self.kept.resize(features.n_rows(), 0);
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
        asked: (&RankedColumn, u32),
        span: Span,
        (shadows, offered): (&Shadows, (Limits, &mut Best)),
    ) {
        let members = &self.members[span.range()];
        let donor = |row: u32| shadows.donor(row);
        if let Order::Short(order) = asked.0.order()
            && (span.len() + LEAST_SORTED) * ROWS_READ_PER_ROW_SORTED >= order.len()
        {
            self.mark(span);
            let mut n_kept = 0;
            for &cell in order {
                let row = shadows.receiver(u32::from(cell));
                self.kept[n_kept] = row as u16;
                n_kept += self.marked.get(row);
            }
            let kept = &self.kept[..n_kept];
            return search_kept(scorer, asked, (kept, |row| donor(u32::from(row))), offered);
        }
        self.donors.clear();
        self.donors.extend(members.iter().map(|&row| donor(row)));
        self.sorter.sort(asked.0, &self.donors);
        // Rows that tie, and missing ones, stand in the order of the cells' rows.
        self.sorter.missing.sort_unstable();
        self.sorter.rename(|donor| shadows.receiver(donor));
        let sequence = Keys { keys: &self.sorter.keys, row: donor };
        split::search(scorer, asked, &sequence, &self.sorter.missing, offered);
    }
}

/// Searches rows in the order of a column, missing values last, given the rows of their cells.
fn search_kept<S: Scorer>(
    scorer: &mut S,
    (ranked, column): (&RankedColumn, u32),
    (rows, cell_row): (&[u16], impl Fn(u16) -> u32),
    offered: (Limits, &mut Best),
) {
    let code = |row: u16| ranked.codes()[cell_row(row) as usize];
    let n_present = if ranked.has_missing() {
        rows.partition_point(|&row| code(row) != MISSING_CODE)
    } else {
        rows.len()
    };
    let (order, missing) = rows.split_at(n_present);
    if ranked.has_ties() {
        let sequence = Tied { order, key: code, row: &cell_row };
        split::search(scorer, (ranked, column), &sequence, missing, offered);
    } else {
        let sequence = Distinct { order, row: &cell_row };
        split::search(scorer, (ranked, column), &sequence, missing, offered);
    }
}

impl Arrangement for Unsorted {
    type Position = u32;

    fn members(&self, span: Span) -> &[u32] {
        &self.members[span.range()]
    }

    fn search<S: Scorer>(
        &mut self,
        scorer: &mut S,
        (features, column): (&RankedFeatures, u32),
        span: Span,
        offered: (Limits, &mut Best),
    ) {
        if let Some(shadows) = features.shadow(column) {
            return self.search_shadow(
                scorer,
                (features.column(column), column),
                span,
                (shadows, offered),
            );
        }
        let ranked = features.column(column);
        if let Order::Short(order) = ranked.order()
            && (span.len() + LEAST_SORTED) * rows_read_per_row_sorted() >= order.len()
        {
            self.mark(span);
            let n_kept = divide::keep(order, &self.marked, &mut self.kept);
            let kept = &self.kept[..n_kept];
            search_kept(scorer, (ranked, column), (kept, u32::from), offered);
            return;
        }
        self.sorter.sort(ranked, &self.members[span.range()]);
        let sequence = Keys { keys: &self.sorter.keys, row: |row| row };
        split::search(scorer, (ranked, column), &sequence, &self.sorter.missing, offered);
    }

    fn is_constant(&self, (features, column): (&RankedFeatures, u32), span: Span) -> bool {
        let codes = features.column(column).codes();
        let shadows = features.shadow(column);
        let cell = |&row: &u32| codes[shadows.map_or(row, |shadows| shadows.donor(row)) as usize];
        let mut cells = self.members[span.range()].iter().map(cell);
        let first = cells.next();
        cells.all(|cell| Some(cell) == first)
    }

    fn divide(&mut self, features: &RankedFeatures, span: Span, best: &Best) -> u32 {
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

    fn deepen(&mut self, _features: &RankedFeatures, _span: Span, _best: &Best) {}
}

impl HandOver for Unsorted {
    fn hand_over(&self, _span: Span, _to: &mut Presorted<u16>) -> bool {
        false
    }
}
