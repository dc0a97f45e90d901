//! Nodes that fit into fast memory: with bins side by side, and sorted by every column once they have
//! few rows, where looking at every bin would take longer.

use crate::data::{MISSING_BIN, RankedFeatures};
use crate::forest::grow::arrangement::{Arrangement, HandOver, Span};
use crate::forest::grow::binned::{BinnedPart, MOST_SORTED};
use crate::forest::grow::presorted::{self, Presorted};
use crate::forest::grow::sort::row_of;
use crate::forest::position::Position;
use crate::forest::split::{Best, Scorer};

/// A node in one of two arrangements.
#[derive(Debug, Default)]
pub(crate) struct BinnedSmall {
    is_sorted: bool,
    part: BinnedPart,
    sorted: Presorted<u16>,
}

impl BinnedSmall {
    /// Takes rows of the table over.
    pub(super) fn fill(
        &mut self,
        features: &RankedFeatures,
        rows: &[u32],
        most_bins: usize,
        columns: &[u32],
    ) {
        self.part.fill(features, rows, most_bins, columns);
        self.is_sorted = rows.len() <= MOST_SORTED;
        if self.is_sorted {
            self.sorted.sort_part(features, &self.part, Span { start: 0, end: rows.len() as u32 });
        }
    }
}

impl Arrangement for BinnedSmall {
    type Position = u16;

    fn members(&self, span: Span) -> &[u16] {
        if self.is_sorted { self.sorted.members(span) } else { self.part.members(span) }
    }

    fn search<S: Scorer>(
        &mut self,
        scorer: &mut S,
        features: &RankedFeatures,
        span: Span,
        best: &mut Best,
    ) {
        if self.is_sorted {
            self.sorted.search(scorer, features, span, best);
        } else {
            self.part.search(scorer, features, span, best);
        }
    }

    fn is_constant(&self, features: &RankedFeatures, column: u32, span: Span) -> bool {
        if self.is_sorted {
            self.sorted.is_constant(features, column, span)
        } else {
            self.part.is_constant(features, column, span)
        }
    }

    fn divide(&mut self, features: &RankedFeatures, span: Span, best: &Best) -> u32 {
        if self.is_sorted {
            self.sorted.divide(features, span, best)
        } else {
            self.part.divide(features, span, best)
        }
    }

    fn deepen(&mut self, span: Span, best: &Best) {
        if self.is_sorted {
            self.sorted.deepen(span, best);
        }
    }
}

impl HandOver for BinnedSmall {
    type Smaller = Self;

    fn hand_over(&self, features: &RankedFeatures, span: Span, to: &mut Self) -> bool {
        if self.is_sorted {
            return false;
        }
        to.is_sorted = span.len() <= MOST_SORTED;
        if to.is_sorted {
            to.sorted.sort_part(features, &self.part, span);
        } else {
            to.part.take(&self.part, span);
        }
        true
    }
}

impl Presorted<u16> {
    /// Sorts one node of a part by all of its columns.
    #[inline(never)]
    fn sort_part(&mut self, features: &RankedFeatures, part: &BinnedPart, span: Span) {
        let members = part.members(span);
        self.begin(part, members, features.n_columns());
        let n = members.len();
        for (index, &column) in part.columns.iter().enumerate() {
            self.ranks_of[column as usize] = Some(index * n);
            let order = &mut self.orders[column as usize * n..(column as usize + 1) * n];
            let ranks = &mut self.ranks[index * n..(index + 1) * n];
            if let Some(codes) = part.codes(column) {
                count(members, codes, order, ranks);
                continue;
            }
            let rows = if features.shadow(column).is_some() { &self.donors } else { &self.rows };
            let codes = features.column(column).codes();
            let mut keys: Vec<u64> = (0_u64..)
                .zip(rows)
                .map(|(at, &row)| u64::from(codes[row as usize]) << 32 | at)
                .collect();
            keys.sort_unstable();
            order.iter_mut().zip(&keys).for_each(|(to, &key)| *to = row_of(key) as u16);
            presorted::rank(codes, rows, order, ranks);
        }
        self.start();
    }

    /// Takes the rows over, and makes room for what is known of them.
    fn begin(&mut self, part: &BinnedPart, members: &[u16], n_columns: usize) {
        let n = members.len();
        self.most_bins = Some(part.most_bins);
        self.rows.clear();
        self.rows.extend(members.iter().map(|position| part.rows[position.index()]));
        self.donors.clear();
        if !part.donors.is_empty() {
            self.donors.extend(members.iter().map(|position| part.donors[position.index()]));
        }
        self.columns.clone_from(&part.columns);
        self.make_room(n, n_columns);
        self.ranks_of.clear();
        self.ranks_of.resize(n_columns, None);
        self.ranks.resize(self.ranks.len().max(self.columns.len() * n), 0);
    }
}

/// Orders the places of members by their bins, and notes these as ranks.
fn count(members: &[u16], codes: &[u8], order: &mut [u16], ranks: &mut [u16]) {
    let mut starts = [0_u16; 257];
    for (rank, &position) in ranks.iter_mut().zip(members) {
        let bin = codes[position.index()];
        starts[usize::from(bin) + 1] += 1;
        *rank = if bin == MISSING_BIN { u16::NOWHERE } else { u16::from(bin) };
    }
    for bin in 0..256 {
        starts[bin + 1] += starts[bin];
    }
    for (place, &position) in (0_u16..).zip(members) {
        let start = &mut starts[usize::from(codes[position.index()])];
        order[usize::from(*start)] = place;
        *start += 1;
    }
}
