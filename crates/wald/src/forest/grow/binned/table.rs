//! Rows that stay where they are: nodes read the bins of the table.

use crate::data::RankedFeatures;
use crate::forest::grow::arrangement::{Arrangement, HandOver, Span, goes_right};
use crate::forest::grow::binned::{BinnedRows, Cells, Searcher, are_equal, bin_goes_right, mark};
use crate::forest::split::{Best, Scorer, divide};

/// Working memory; positions are rows of the table.
#[derive(Debug, Default)]
pub(crate) struct BinnedTable {
    most_bins: usize,
    members: Vec<u32>,
    /// By place among the rows that are divided: whether a row goes to the right.
    sides: Vec<bool>,
    spare: Vec<u32>,
    searcher: Searcher<u32>,
}

impl BinnedTable {
    pub(crate) fn fill(&mut self, rows: &[u32], most_bins: usize) {
        self.most_bins = most_bins;
        self.members.clear();
        self.members.extend_from_slice(rows);
    }
}

impl Arrangement for BinnedTable {
    type Position = u32;

    fn members(&self, span: Span) -> &[u32] {
        &self.members[span.range()]
    }

    fn search<S: Scorer>(
        &mut self,
        scorer: &mut S,
        features: &RankedFeatures,
        span: Span,
        best: &mut Best,
    ) {
        let ranked = features.column(best.candidate);
        let members = &self.members[span.range()];
        let searcher = &mut self.searcher;
        match (ranked.bins(self.most_bins), features.shadow(best.candidate)) {
            (Some(bins), None) => {
                let codes = bins.codes();
                let cells = Cells { ranked, members, row: |row: u32| row };
                searcher.search(scorer, &cells, |row: u32| codes[row as usize], best);
            }
            (Some(bins), Some(shadows)) => {
                let codes = bins.codes();
                let row = |row: u32| shadows.donor(row);
                let cells = Cells { ranked, members, row };
                searcher.search(scorer, &cells, |at| codes[row(at) as usize], best);
            }
            (None, shadows) => {
                let row = |row: u32| shadows.map_or(row, |shadows| shadows.donor(row));
                let cells = Cells { ranked, members, row };
                searcher.search_sorted(scorer, &cells, |at| ranked.codes()[row(at) as usize], best);
            }
        }
    }

    fn is_constant(&self, features: &RankedFeatures, column: u32, span: Span) -> bool {
        let (ranked, shadows) = (features.column(column), features.shadow(column));
        let cell_row = |row: u32| shadows.map_or(row, |shadows| shadows.donor(row)) as usize;
        let rows = self.members[span.range()].iter().map(|&row| cell_row(row));
        match ranked.bins(self.most_bins) {
            Some(bins) => are_equal(rows.map(|row| bins.codes()[row])),
            None => are_equal(rows.map(|row| ranked.codes()[row])),
        }
    }

    fn divide<S: Scorer>(
        &mut self,
        _scorer: &mut S,
        features: &RankedFeatures,
        span: Span,
        best: &Best,
    ) -> u32 {
        let (ranked, shadows) = (features.column(best.column), features.shadow(best.column));
        let members = &mut self.members[span.range()];
        let cell = |row: u32| shadows.map_or(row, |shadows| shadows.donor(row)) as usize;
        if let Some(bins) = ranked.bins(self.most_bins) {
            let (codes, goes_right) = (bins.codes(), bin_goes_right(best));
            mark(&mut self.sides, members, |row| goes_right(codes[cell(row)]));
        } else {
            let (codes, goes_right) = (ranked.codes(), goes_right(best, ranked.codes()));
            mark(&mut self.sides, members, |row| goes_right(codes[cell(row)]));
        }
        span.start + divide(members, &self.sides, &mut self.spare) as u32
    }
}

impl HandOver for BinnedTable {
    type Smaller = BinnedRows;

    fn hand_over(&self, _: &RankedFeatures, _: Span, _: &mut BinnedRows) -> bool {
        false
    }
}
