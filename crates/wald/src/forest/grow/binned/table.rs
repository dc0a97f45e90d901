//! Nodes of many rows, which read the bins of the table.

use crate::data::RankedFeatures;
use crate::forest::grow::arrangement::{Arrangement, HandOver, Span, goes_right};
use crate::forest::grow::binned::{BinnedSmall, Cells, InBins, Searcher, are_equal, divide, sides};
use crate::forest::split::{Best, Scorer};

/// Working memory; positions are rows of the table.
#[derive(Debug, Default)]
pub(crate) struct BinnedTable {
    most_bins: usize,
    /// The columns that nodes of few rows have copies of; `None` where copies do not pay.
    columns: Option<Vec<u32>>,
    members: Vec<u32>,
    spare: Vec<u32>,
    searcher: Searcher<u32>,
}

impl BinnedTable {
    pub(crate) fn fill(&mut self, rows: &[u32], most_bins: usize, columns: Option<Vec<u32>>) {
        self.most_bins = most_bins;
        self.columns = columns;
        self.columns.iter_mut().for_each(|columns| columns.sort_unstable());
        self.members.clear();
        self.members.extend_from_slice(rows);
        self.spare.resize(rows.len(), 0);
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
                let bin_of = |row: u32| codes[row as usize];
                searcher.search(scorer, &cells, &InBins { bins, bin_of }, best);
            }
            (Some(bins), Some(shadows)) => {
                let codes = bins.codes();
                let row = |row: u32| shadows.donor(row);
                let cells = Cells { ranked, members, row };
                let bin_of = |at| codes[row(at) as usize];
                searcher.search(scorer, &cells, &InBins { bins, bin_of }, best);
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

    fn divide(&mut self, features: &RankedFeatures, span: Span, best: &Best) -> u32 {
        let (ranked, shadows) = (features.column(best.column), features.shadow(best.column));
        let (members, spare) = (&mut self.members[span.range()], &mut self.spare);
        let n_left = match (ranked.bins(self.most_bins), shadows) {
            (Some(bins), shadows) => {
                let (codes, is_right) = (bins.codes(), sides(best, bins));
                let goes_right = |row: u32| is_right[usize::from(codes[row as usize])];
                match shadows {
                    None => divide(members, spare, goes_right),
                    Some(shadows) => divide(members, spare, |row| goes_right(shadows.donor(row))),
                }
            }
            (None, shadows) => {
                let goes_right = goes_right(best, ranked.codes());
                divide(members, spare, |row| {
                    let cell = shadows.map_or(row, |shadows| shadows.donor(row));
                    goes_right(ranked.codes()[cell as usize])
                })
            }
        };
        span.start + n_left as u32
    }

    fn deepen(&mut self, _span: Span, _best: &Best) {}
}

impl HandOver for BinnedTable {
    type Smaller = BinnedSmall;

    fn hand_over(&self, features: &RankedFeatures, span: Span, to: &mut BinnedSmall) -> bool {
        let Some(columns) = &self.columns else { return false };
        to.fill(features, &self.members[span.range()], self.most_bins, columns);
        true
    }
}
