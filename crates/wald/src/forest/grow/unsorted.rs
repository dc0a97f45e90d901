//! Rows sorted when a node asks: where few of many columns are tried, keeping all of them
//! sorted costs more than sorting those few.

use crate::data::{MISSING_CODE, Order, RankedFeatures};
use crate::forest::grow::arrangement::{Arrangement, Span, goes_right};
use crate::forest::grow::divide::{self, Sides};
use crate::forest::grow::presorted::Presorted;
use crate::forest::grow::sequence::{Distinct, Keys, Tied};
use crate::forest::grow::sort::Sorter;
use crate::forest::split::{self, Best, Limits, Scorer};

/// Sorting a row takes as long as reading this many of the order of a column.
fn rows_read_per_row_sorted() -> usize {
    if divide::has_vectors() { 40 } else { 6 }
}

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
}

impl Unsorted {
    pub(crate) fn fill(&mut self, features: &RankedFeatures, rows: &[u32]) {
        self.members.clear();
        self.members.extend_from_slice(rows);
        self.sides.resize(features.n_rows());
        self.marked.resize(features.n_rows());
        self.marked_span = None;
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
        let ranked = features.column(column);
        if let Order::Short(order) = ranked.order()
            && (span.len() + LEAST_SORTED) * rows_read_per_row_sorted() >= order.len()
        {
            self.mark(span);
            let n_kept = divide::keep(order, &self.marked, &mut self.kept);
            let rows = &self.kept[..n_kept];
            let codes = ranked.codes();
            let n_present = if ranked.has_missing() {
                rows.partition_point(|&row| codes[usize::from(row)] != MISSING_CODE)
            } else {
                n_kept
            };
            let (order, missing) = rows.split_at(n_present);
            let row = u32::from;
            if ranked.has_ties() {
                let sequence = Tied { order, key: |row: u16| codes[usize::from(row)], row };
                split::search(scorer, (ranked, column), &sequence, missing, offered);
            } else {
                let sequence = Distinct { order, row };
                split::search(scorer, (ranked, column), &sequence, missing, offered);
            }
            return;
        }
        self.sorter.sort(ranked, &self.members[span.range()]);
        let sequence = Keys(&self.sorter.keys);
        split::search(scorer, (ranked, column), &sequence, &self.sorter.missing, offered);
    }

    fn divide(&mut self, features: &RankedFeatures, span: Span, best: &Best) -> u32 {
        // The marks are known by the members that are about to be moved.
        self.unmark();
        let codes = features.column(best.column).codes();
        let members = &mut self.members[span.range()];
        let goes_right = goes_right(best, codes);
        for &row in members.iter() {
            self.sides.set(row, goes_right(codes[row as usize]));
        }
        span.start + divide::divide(members, &mut self.spare, &self.sides) as u32
    }

    fn hand_over(&self, _span: Span, _to: &mut Presorted<u16>) -> bool {
        false
    }

    fn deepen(&mut self, _features: &RankedFeatures, _span: Span, _best: &Best) {}
}
