//! Rows whose values are in bins: no column is kept sorted.
//!
//! The rows of a node lie side by side with their bins (`rows.rs`), which are moved where the node is
//! divided, so that memory is read from one end to the other. Where few of many columns are tried,
//! moving all bins costs more than it gains, and nodes read the bins of the table (`table.rs`).
//!
//! Numbers are summed up by bin, or where rows are few one after the other in the order of their bins,
//! whatever arrangement has them: so the choice of arrangements changes no bit.

mod rows;
mod table;

pub(super) use rows::BinnedRows;
pub(super) use table::BinnedTable;

use crate::data::{MISSING_BIN, RankedColumn, RankedKind};
use crate::forest::grow::sequence::{Keys, Tied};
use crate::forest::grow::sort::Sorter;
use crate::forest::position::Position;
use crate::forest::split::{self, Best, BinSet, Binned, Cut, Scorer};
use crate::forest::tree::Side;

/// At most so many rows are sorted by comparing all with all, which is faster than summing them up by
/// bin: searching and scanning take 35 instead of 46 % of the time (100,000 rows, fully grown).
const MOST_COMPARED: usize = 16;

/// A column of a node.
struct Cells<'a, P, R> {
    ranked: &'a RankedColumn,
    members: &'a [P],
    /// The row of the table whose cell a position has.
    row: R,
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
        bin_of: F,
        best: &mut Best,
    ) {
        let node = Binned { members: cells.members, bin_of: &bin_of };
        let is_number = matches!(cells.ranked.kind(), RankedKind::Ordered(_));
        let is_few = cells.members.len() <= MOST_COMPARED;
        if is_number && !is_few && scorer.search_bins(&node, best) {
            return;
        }
        let n_present = if is_few {
            self.sort_few(cells.members, &bin_of)
        } else {
            self.count(cells.members, &bin_of)
        };
        let (order, missing) = self.ordered.split_at(n_present);
        let missing = &missing[..cells.members.len() - n_present];
        if is_number {
            // Cuts are between bins, which name them.
            let row = |position| u32::from(bin_of(position));
            let sequence = Tied { order, key: &bin_of, row };
            split::search(scorer, cells.ranked, &sequence, missing, best);
        } else {
            let sequence = Tied { order, key: &bin_of, row: &cells.row };
            split::search(scorer, cells.ranked, &sequence, missing, best);
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

    /// Sorts few positions, missing values last; equal ones stay in their order. Returns the number of
    /// those with a value.
    fn sort_few(&mut self, members: &[P], bin_of: impl Fn(P) -> u8) -> usize {
        let mut keys = [i16::MAX; MOST_COMPARED];
        let mut n_present = 0;
        for ((index, key), &position) in (0..).zip(&mut keys).zip(members) {
            let bin = bin_of(position);
            n_present += usize::from(bin != MISSING_BIN);
            *key = i16::from(bin) << MOST_COMPARED.ilog2() | index;
        }
        // The place of a row is the number of smaller keys: no branches, and many rows at a time.
        let mut places = [0_i16; MOST_COMPARED];
        for key in &keys[..members.len()] {
            for (place, other) in places.iter_mut().zip(&keys) {
                *place += i16::from(key < other);
            }
        }
        self.ordered.resize(self.ordered.len().max(MOST_COMPARED), P::default());
        for (&place, &position) in places.iter().zip(members) {
            self.ordered[place as usize] = position;
        }
        n_present
    }

    /// Sorts positions by counting those of every bin; else as [`Self::sort_few`].
    fn count(&mut self, members: &[P], bin_of: impl Fn(P) -> u8) -> usize {
        // By bin: how many rows it has, then where the next of them goes.
        let mut places = [0_u32; 256];
        let mut present = BinSet::default();
        for &position in members {
            let bin = bin_of(position);
            present.insert(bin);
            places[usize::from(bin)] += 1;
        }
        let n_missing = places[usize::from(MISSING_BIN)];
        let mut n_before = 0;
        for bin in present.iter() {
            n_before += std::mem::replace(&mut places[usize::from(bin)], n_before);
        }
        self.ordered.resize(self.ordered.len().max(members.len()), P::default());
        for &position in members {
            let place = &mut places[usize::from(bin_of(position))];
            self.ordered[*place as usize] = position;
            *place += 1;
        }
        members.len() - n_missing as usize
    }
}

/// True when all items are equal.
fn are_equal<T: PartialEq>(mut items: impl Iterator<Item = T>) -> bool {
    let first = items.next();
    items.all(|item| Some(item) == first)
}

/// Whether a bin goes to the right of the best split of a column in bins.
fn bin_goes_right(best: &Best) -> impl Fn(u8) -> bool {
    let missing_right = best.missing != Some(Side::Left);
    let greatest_left = match best.cut {
        Cut::Between { low, .. } => low as u8,
        Cut::Levels | Cut::Present | Cut::None => 0,
    };
    let mut is_left = BinSet::default();
    if best.cut == Cut::Levels {
        best.levels_left.iter().for_each(|&level| is_left.insert(level as u8));
    }
    move |bin| match best.cut {
        Cut::Present | Cut::None => bin == MISSING_BIN,
        Cut::Between { .. } => bin > greatest_left && (missing_right || bin != MISSING_BIN),
        Cut::Levels if bin == MISSING_BIN => missing_right,
        Cut::Levels => !is_left.contains(bin),
    }
}

/// Notes the sides of rows, one after the other.
fn mark<P: Copy>(sides: &mut Vec<bool>, members: &[P], goes_right: impl Fn(P) -> bool) {
    sides.clear();
    sides.extend(members.iter().map(|&position| goes_right(position)));
}
