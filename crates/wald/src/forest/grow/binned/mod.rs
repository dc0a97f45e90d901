//! Rows whose values are in bins: nothing is sorted, and a node divides its own rows only.
//!
//! A node of a tree on many rows reads the bins of the whole table (`table.rs`). Nodes that fit into
//! fast memory have copies of their bins side by side (`part.rs`). Nodes of few rows are sorted after
//! all (`small.rs`), since they have more bins than rows.
//!
//! Rows of a node are summed up by bin where they are many, and in the order of their bins where they
//! are few, whatever arrangement has them: so the choice of arrangements changes no bit.

mod part;
mod small;
mod table;

use part::BinnedPart;
pub(super) use small::BinnedSmall;
pub(super) use table::BinnedTable;

use crate::data::{Bins, MISSING_BIN, MISSING_CODE, RankedColumn, RankedKind};
use crate::forest::grow::sequence::{Keys, Tied};
use crate::forest::grow::sort::Sorter;
use crate::forest::position::Position;
use crate::forest::split::{self, Best, Binned, Cut, Scorer};
use crate::forest::tree::Side;

/// Nodes of more rows are summed up by bin.
pub(super) const MOST_SORTED: usize = 256;

/// Fewer rows than this are sorted by comparing, more by counting.
const LEAST_COUNTED: usize = 256;

/// A column of a node.
struct Cells<'a, P, R> {
    ranked: &'a RankedColumn,
    members: &'a [P],
    /// The row of the table whose cell a position has.
    row: R,
}

/// The bins of a column of a node.
struct InBins<'a, F> {
    bins: &'a Bins,
    /// The bin of a position.
    bin_of: F,
}

/// Working memory for searching.
#[derive(Debug, Default)]
struct Searcher<P> {
    sorter: Sorter,
    ordered: Vec<P>,
}

impl<P: Position> Searcher<P> {
    /// Offers all splits on a column in bins.
    fn search<S: Scorer, R: Fn(P) -> u32, F: Fn(P) -> u8>(
        &mut self,
        scorer: &mut S,
        cells: &Cells<'_, P, R>,
        in_bins: &InBins<'_, F>,
        best: &mut Best,
    ) {
        let InBins { bins, bin_of } = in_bins;
        let is_number = matches!(cells.ranked.kind(), RankedKind::Ordered(_));
        let node = Binned { members: cells.members, bin_of, bins };
        let is_large = cells.members.len() > MOST_SORTED;
        if is_number && is_large && scorer.search_bins(&node, best) {
            return;
        }
        if cells.members.len() < LEAST_COUNTED {
            let code_of = |position: P| match bin_of(position) {
                MISSING_BIN => MISSING_CODE,
                bin => u32::from(bin),
            };
            self.search_sorted(scorer, cells, code_of, best);
        } else {
            self.search_counted(scorer, cells, bin_of, best);
        }
    }

    /// Sorts the rows by codes that order them.
    fn search_sorted<S: Scorer, R: Fn(P) -> u32>(
        &mut self,
        scorer: &mut S,
        cells: &Cells<'_, P, R>,
        code_of: impl Fn(P) -> u32,
        best: &mut Best,
    ) {
        let named = |&position: &P| (code_of(position), position.index() as u32);
        self.sorter.sort_pairs(cells.members.iter().map(named));
        let row = |name: u32| (cells.row)(P::new(name as usize));
        let sequence = Keys { keys: &self.sorter.keys, row };
        split::search(scorer, cells.ranked, &sequence, &self.sorter.missing, best);
    }

    /// Sorts the rows by counting them; equal ones stay in the order of their positions.
    fn search_counted<S: Scorer, R: Fn(P) -> u32>(
        &mut self,
        scorer: &mut S,
        cells: &Cells<'_, P, R>,
        bin_of: impl Fn(P) -> u8,
        best: &mut Best,
    ) {
        let mut starts = [0_u32; 257];
        for &position in cells.members {
            starts[usize::from(bin_of(position)) + 1] += 1;
        }
        for bin in 0..256 {
            starts[bin + 1] += starts[bin];
        }
        let n_present = starts[usize::from(MISSING_BIN)] as usize;
        self.ordered.resize(cells.members.len(), P::default());
        for &position in cells.members {
            let place = &mut starts[usize::from(bin_of(position))];
            self.ordered[*place as usize] = position;
            *place += 1;
        }
        let (order, missing) = self.ordered.split_at(n_present);
        let sequence = Tied { order, key: &bin_of, row: &cells.row };
        split::search(scorer, cells.ranked, &sequence, missing, best);
    }
}

/// True when all items are equal.
fn are_equal<T: PartialEq>(mut items: impl Iterator<Item = T>) -> bool {
    let first = items.next();
    items.all(|item| Some(item) == first)
}

/// By bin: whether a row goes to the right of the best split of a column in bins.
fn sides(best: &Best, bins: &Bins) -> [bool; 256] {
    let mut is_right = [false; 256];
    let missing = &mut is_right[usize::from(MISSING_BIN)];
    match best.cut {
        Cut::Present | Cut::None => *missing = true,
        Cut::Between { low_row, .. } => {
            let low = usize::from(bins.codes()[low_row as usize]);
            is_right[low + 1..].fill(true);
        }
        Cut::Levels => {
            is_right.fill(true);
            best.levels_left.iter().for_each(|&level| is_right[level as usize] = false);
        }
    }
    if best.missing == Some(Side::Left) {
        is_right[usize::from(MISSING_BIN)] = false;
    }
    is_right
}

/// Moves the positions that go left to the front, keeping both orders; returns their number.
fn divide<P: Position>(
    members: &mut [P],
    spare: &mut [P],
    goes_right: impl Fn(P) -> bool,
) -> usize {
    let spare = &mut spare[..members.len()];
    let mut left = 0;
    for index in 0..members.len() {
        let position = members[index];
        // Writing to both sides keeps the loop free of unpredictable branches.
        members[left] = position;
        spare[index - left] = position;
        left += usize::from(!goes_right(position));
    }
    let n_right = members.len() - left;
    members[left..].copy_from_slice(&spare[..n_right]);
    left
}
