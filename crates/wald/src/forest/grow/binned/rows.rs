//! Rows that lie side by side with the bins of their cells, and are moved where nodes are divided.

use crate::data::RankedFeatures;
use crate::forest::grow::arrangement::{Arrangement, HandOver, Span, goes_right};
use crate::forest::grow::binned::{Cells, Searcher, are_equal, bin_goes_right, mark};
use crate::forest::split::{Best, Scorer, divide, divide_by};
use crate::pages;

/// Bins in a word.
const PER_WORD: usize = size_of::<u64>();

/// Rows that are filled in together, so that they stay near the processor.
const BLOCK: usize = 512;

/// The place of a column that has no bins.
const NOWHERE: u32 = u32::MAX;

/// Working memory.
#[derive(Debug, Default)]
pub(crate) struct BinnedRows {
    records: Records,
    /// By place among the rows that are divided: whether a row goes to the right.
    sides: Vec<bool>,
    spare_rows: Vec<u32>,
    spare_bins: Vec<u64>,
    searcher: Searcher<u32>,
}

/// Rows with their bins. Positions are the places where they lie; those of a node are its span.
#[derive(Debug, Default)]
struct Records {
    /// By canonical column: its place among the columns with bins.
    places: Vec<u32>,
    /// Words that hold the bins of a row.
    width: usize,
    /// Row after row, the bins of its cells.
    bins: Vec<u64>,
    /// Rows of the table by position.
    rows: Vec<u32>,
    /// 0, 1, ...
    positions: Vec<u32>,
}

/// The bins of one column.
struct Column<'a> {
    bins: &'a [u64],
    width: usize,
    word: usize,
    shift: usize,
}

impl Column<'_> {
    #[inline]
    fn bin(&self, position: u32) -> u8 {
        (self.bins[position as usize * self.width + self.word] >> self.shift) as u8
    }
}

impl BinnedRows {
    /// Copies the bins of rows of the table, by the given columns.
    pub(crate) fn fill(
        &mut self,
        features: &RankedFeatures,
        rows: &[u32],
        most_bins: usize,
        columns: &[u32],
    ) {
        self.records.fill(features, rows, most_bins, columns);
    }
}

impl Records {
    #[inline(never)]
    fn fill(&mut self, features: &RankedFeatures, rows: &[u32], most_bins: usize, columns: &[u32]) {
        self.places.clear();
        self.places.resize(features.n_columns(), NOWHERE);
        let mut binned = Vec::new();
        for &column in columns {
            if let Some(bins) = features.column(column).bins(most_bins) {
                self.places[column as usize] = binned.len() as u32;
                binned.push((bins.codes(), features.shadow(column)));
            }
        }
        self.width = binned.len().div_ceil(PER_WORD).max(1);
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        self.bins.clear();
        pages::reserve(&mut self.bins, rows.len() * self.width);
        self.bins.resize(rows.len() * self.width, 0);
        let blocks = self.bins.chunks_mut(BLOCK * self.width).zip(rows.chunks(BLOCK));
        for (block, rows) in blocks {
            for (place, &(codes, shadows)) in binned.iter().enumerate() {
                let (word, shift) = (place / PER_WORD, 8 * (place % PER_WORD));
                let to = block[word..].iter_mut().step_by(self.width);
                for (to, &row) in to.zip(rows) {
                    let cell = shadows.map_or(row, |shadows| shadows.donor(row));
                    *to |= u64::from(codes[cell as usize]) << shift;
                }
            }
        }
        self.start();
    }

    /// Takes over one node of another arrangement.
    fn take(&mut self, from: &Self, span: Span) {
        self.places.clone_from(&from.places);
        self.width = from.width;
        self.rows.clear();
        self.rows.extend_from_slice(&from.rows[span.range()]);
        self.bins.clear();
        let words = span.start as usize * from.width..span.end as usize * from.width;
        self.bins.extend_from_slice(&from.bins[words]);
        self.start();
    }

    fn start(&mut self) {
        self.positions.clear();
        self.positions.extend(0..self.rows.len() as u32);
    }

    /// The bins of a column, where it has bins.
    fn column(&self, column: u32) -> Option<Column<'_>> {
        let place = self.places[column as usize];
        (place != NOWHERE).then(|| Column {
            bins: &self.bins,
            width: self.width,
            word: place as usize / PER_WORD,
            shift: 8 * (place as usize % PER_WORD),
        })
    }

    fn members(&self, span: Span) -> &[u32] {
        &self.positions[span.range()]
    }

    /// The row of the table where the cell of a position is.
    fn cell_row(&self, features: &RankedFeatures, column: u32) -> impl Fn(u32) -> u32 {
        let shadows = features.shadow(column);
        move |position| {
            let row = self.rows[position as usize];
            shadows.map_or(row, |shadows| shadows.donor(row))
        }
    }
}

impl Arrangement for BinnedRows {
    type Position = u32;

    fn members(&self, span: Span) -> &[u32] {
        self.records.members(span)
    }

    fn search<S: Scorer>(
        &mut self,
        scorer: &mut S,
        features: &RankedFeatures,
        span: Span,
        best: &mut Best,
    ) {
        let Self { records, searcher, .. } = self;
        let candidate = best.candidate;
        let ranked = features.column(candidate);
        let row = records.cell_row(features, candidate);
        let cells = Cells { ranked, members: records.members(span), row: &row };
        if let Some(column) = records.column(candidate) {
            searcher.search(scorer, &cells, |position| column.bin(position), best);
        } else {
            let code = |position| ranked.codes()[row(position) as usize];
            searcher.search_sorted(scorer, &cells, code, best);
        }
    }

    fn is_constant(&self, features: &RankedFeatures, column: u32, span: Span) -> bool {
        let members = self.members(span).iter();
        if let Some(column) = self.records.column(column) {
            return are_equal(members.map(|&position| column.bin(position)));
        }
        let row = self.records.cell_row(features, column);
        let codes = features.column(column).codes();
        are_equal(members.map(|&position| codes[row(position) as usize]))
    }

    fn divide<S: Scorer>(
        &mut self,
        scorer: &mut S,
        features: &RankedFeatures,
        span: Span,
        best: &Best,
    ) -> u32 {
        let Self { records, sides, spare_rows, spare_bins, .. } = self;
        let members = records.members(span);
        let ranked = features.column(best.column);
        if let Some(column) = records.column(best.column) {
            let goes_right = bin_goes_right(best);
            mark(sides, members, |position| goes_right(column.bin(position)));
        } else {
            let (codes, row) = (ranked.codes(), records.cell_row(features, best.column));
            let goes_right = goes_right(best, codes);
            mark(sides, members, |position| goes_right(codes[row(position) as usize]));
        }
        let width = records.width;
        let words = span.start as usize * width..span.end as usize * width;
        divide_records(&mut records.bins[words], width, sides, spare_bins);
        scorer.divide(span.start as usize, sides);
        span.start + divide(&mut records.rows[span.range()], sides, spare_rows) as u32
    }
}

impl HandOver for BinnedRows {
    type Smaller = Self;

    fn hand_over(&self, _: &RankedFeatures, span: Span, to: &mut Self) -> bool {
        to.records.take(&self.records, span);
        true
    }
}

/// Moves the records that go left to the front, keeping both orders.
fn divide_records(words: &mut [u64], width: usize, sides: &[bool], spare: &mut Vec<u64>) {
    fn of_width<const N: usize>(words: &mut [u64], sides: &[bool], spare: &mut Vec<u64>) {
        spare.resize(spare.len().max(words.len()), 0);
        let (records, spare) = (words.as_chunks_mut::<N>().0, spare.as_chunks_mut::<N>().0);
        divide_by(records, spare, |index, _| !sides[index]);
    }
    match width {
        1 => of_width::<1>(words, sides, spare),
        2 => of_width::<2>(words, sides, spare),
        3 => of_width::<3>(words, sides, spare),
        4 => of_width::<4>(words, sides, spare),
        _ => {
            spare.clear();
            let mut left = 0;
            for (index, &is_right) in sides.iter().enumerate() {
                let record = index * width..(index + 1) * width;
                if is_right {
                    spare.extend_from_slice(&words[record]);
                } else {
                    words.copy_within(record, left);
                    left += width;
                }
            }
            words[left..].copy_from_slice(spare);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_any_width_are_divided_in_their_order() {
        let sides = [true, false, false, true, false, true, true];
        for width in 1..=9 {
            let record = |row: u64| (0..width as u64).map(move |word| 100 * row + word);
            let mut words: Vec<u64> = (0..7).flat_map(record).collect();
            let mut spare = vec![7; 3];
            divide_records(&mut words, width, &sides, &mut spare);
            let expected: Vec<u64> = [1, 2, 4, 0, 3, 5, 6].into_iter().flat_map(record).collect();
            assert_eq!(words, expected, "{width} words");
        }
    }
}
