//! Nodes of few rows, whose bins lie side by side.

use crate::data::RankedFeatures;
use crate::forest::grow::arrangement::{Arrangement, Span, goes_right};
use crate::forest::grow::binned::{Cells, InBins, Searcher, are_equal, divide, sides};
use crate::forest::split::{Best, Scorer};

/// The place of a column that has no bins.
const NOWHERE: u32 = u32::MAX;

/// Working memory; positions are places in `rows`.
#[derive(Debug, Default)]
pub(crate) struct BinnedPart {
    pub(super) most_bins: usize,
    pub(super) columns: Vec<u32>,
    /// Rows of the table by position, increasing.
    pub(super) rows: Vec<u32>,
    /// The rows whose cells shadows show, by position; empty without shadows.
    pub(super) donors: Vec<u32>,
    /// By canonical column: its place among the columns with bins.
    places: Vec<u32>,
    /// Column after column, by position.
    codes: Vec<u8>,
    members: Vec<u16>,
    spare: Vec<u16>,
    searcher: Searcher<u16>,
}

impl BinnedPart {
    /// Copies the cells of rows of the table.
    #[inline(never)]
    pub(super) fn fill(
        &mut self,
        features: &RankedFeatures,
        rows: &[u32],
        most_bins: usize,
        columns: &[u32],
    ) {
        self.most_bins = most_bins;
        self.columns.clear();
        self.columns.extend_from_slice(columns);
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        self.donors.clear();
        if let Some(shadows) = features.shadows() {
            self.donors.extend(rows.iter().map(|&row| shadows.donor(row)));
        }
        self.places.clear();
        self.places.resize(features.n_columns(), NOWHERE);
        self.codes.clear();
        let mut n_binned = 0;
        for &column in columns {
            if let Some(bins) = features.column(column).bins(most_bins) {
                let rows =
                    if features.shadow(column).is_some() { &self.donors } else { &self.rows };
                self.codes.extend(rows.iter().map(|&row| bins.codes()[row as usize]));
                self.places[column as usize] = n_binned;
                n_binned += 1;
            }
        }
        self.start();
    }

    /// The same for a node of another part.
    #[inline(never)]
    pub(super) fn take(&mut self, from: &Self, span: Span) {
        let members = from.members(span);
        self.most_bins = from.most_bins;
        self.columns.clone_from(&from.columns);
        self.places.clone_from(&from.places);
        self.rows.clear();
        self.rows.extend(members.iter().map(|&position| from.rows[usize::from(position)]));
        self.donors.clear();
        if !from.donors.is_empty() {
            self.donors.extend(members.iter().map(|&position| from.donors[usize::from(position)]));
        }
        self.codes.clear();
        for codes in from.codes.chunks_exact(from.rows.len()) {
            self.codes.extend(members.iter().map(|&position| codes[usize::from(position)]));
        }
        self.start();
    }

    fn start(&mut self) {
        self.members.clear();
        self.members.extend((0..self.rows.len()).map(|position| position as u16));
        self.spare.resize(self.rows.len(), 0);
    }

    /// The bins of a column by position, where it has bins.
    pub(super) fn codes(&self, column: u32) -> Option<&[u8]> {
        let place = self.places[column as usize] as usize;
        let n_rows = self.rows.len();
        (place != NOWHERE as usize).then(|| &self.codes[place * n_rows..(place + 1) * n_rows])
    }

    /// The rows of the table where a column's cells are, by position.
    fn cell_rows(&self, features: &RankedFeatures, column: u32) -> &[u32] {
        if features.shadow(column).is_some() { &self.donors } else { &self.rows }
    }
}

impl Arrangement for BinnedPart {
    type Position = u16;

    fn members(&self, span: Span) -> &[u16] {
        &self.members[span.range()]
    }

    fn search<S: Scorer>(
        &mut self,
        scorer: &mut S,
        features: &RankedFeatures,
        span: Span,
        best: &mut Best,
    ) {
        let mut searcher = std::mem::take(&mut self.searcher);
        let column = best.candidate;
        let ranked = features.column(column);
        let cell_rows = self.cell_rows(features, column);
        let row = |position: u16| cell_rows[usize::from(position)];
        let cells = Cells { ranked, members: self.members(span), row };
        if let (Some(codes), Some(bins)) = (self.codes(column), ranked.bins(self.most_bins)) {
            let bin_of = |position: u16| codes[usize::from(position)];
            searcher.search(scorer, &cells, &InBins { bins, bin_of }, best);
        } else {
            let code = |position| ranked.codes()[row(position) as usize];
            searcher.search_sorted(scorer, &cells, code, best);
        }
        self.searcher = searcher;
    }

    fn is_constant(&self, features: &RankedFeatures, column: u32, span: Span) -> bool {
        let members = self.members(span).iter().map(|&position| usize::from(position));
        if let Some(codes) = self.codes(column) {
            return are_equal(members.map(|position| codes[position]));
        }
        let (rows, codes) = (self.cell_rows(features, column), features.column(column).codes());
        are_equal(members.map(|position| codes[rows[position] as usize]))
    }

    fn divide(&mut self, features: &RankedFeatures, span: Span, best: &Best) -> u32 {
        let mut members = std::mem::take(&mut self.members);
        let mut spare = std::mem::take(&mut self.spare);
        let ranked = features.column(best.column);
        let part = &mut members[span.range()];
        let in_bins = (self.codes(best.column), ranked.bins(self.most_bins));
        let n_left = if let (Some(codes), Some(bins)) = in_bins {
            let is_right = sides(best, bins);
            let goes_right = |position| is_right[usize::from(codes[usize::from(position)])];
            divide(part, &mut spare, goes_right)
        } else {
            let rows = self.cell_rows(features, best.column);
            let goes_right = goes_right(best, ranked.codes());
            divide(part, &mut spare, |position: u16| {
                goes_right(ranked.codes()[rows[usize::from(position)] as usize])
            })
        };
        (self.members, self.spare) = (members, spare);
        span.start + n_left as u32
    }

    fn deepen(&mut self, _span: Span, _best: &Best) {}
}
