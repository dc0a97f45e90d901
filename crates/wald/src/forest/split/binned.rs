//! The cuts between bins of a node: its rows are summed up by bin, never sorted.

use crate::data::{Bins, MISSING_BIN};
use crate::forest::position::Position;
use crate::forest::split::best::{Best, Cut};
use crate::forest::split::numbers::{LeftSum, NumberScorer};
use crate::forest::split::scorer::Scorer;
use crate::forest::tree::Side;

/// Bins that a byte numbers.
const N_BINS: usize = 256;

/// The rows of a node as a column in bins sees them.
pub(crate) struct Binned<'a, P, F> {
    pub(crate) members: &'a [P],
    /// The bin of a position.
    pub(crate) bin_of: F,
    pub(crate) bins: &'a Bins,
}

/// Sums by bin of the node that was searched last.
#[derive(Debug)]
pub(super) struct BinSums<const N: usize> {
    sums: Box<[[f64; N]; N_BINS]>,
}

impl<const N: usize> Default for BinSums<N> {
    fn default() -> Self {
        Self { sums: Box::new([[0.0; N]; N_BINS]) }
    }
}

/// A cut between two bins that have rows, with none between them.
struct CutOfBins {
    low: u8,
    high: u8,
    draws_left: f64,
}

#[inline]
fn add<const N: usize>(one: [f64; N], other: [f64; N]) -> [f64; N] {
    std::array::from_fn(|index| one[index] + other[index])
}

/// The bins that have rows, without that of missing values, and their sums.
#[inline]
fn present<const N: usize>(sums: &[[f64; N]; N_BINS]) -> impl Iterator<Item = (u8, [f64; N])> {
    // All rows of a tree have a weight.
    (0..MISSING_BIN).zip(sums.iter().copied()).filter(|(_, sums)| sums[0] > 0.0)
}

impl NumberScorer {
    /// The best cut of a node between bins; the last of the `N` sums are draws (of two, weights).
    pub(super) fn search_sums<const N: usize, P: Position, F: Fn(P) -> u8>(
        &self,
        sums: &mut BinSums<N>,
        node: &Binned<'_, P, F>,
        sums_of: impl Fn(usize) -> [f64; N],
        best: &mut Best,
    ) {
        let sums = &mut *sums.sums;
        sums.fill([0.0; N]);
        for &position in node.members {
            let sum = &mut sums[usize::from((node.bin_of)(position))];
            *sum = add(*sum, sums_of(position.index()));
        }
        let missing_sums = sums[usize::from(MISSING_BIN)];
        let has_missing = missing_sums[0] > 0.0;
        let sides: &[_] =
            if has_missing { &[Some(Side::Right), Some(Side::Left)] } else { &[None] };
        for &missing in sides {
            let start = if missing == Some(Side::Left) { missing_sums } else { [0.0; N] };
            if let Some(found) = self.scan_bins(start, sums, best) {
                best.column = best.candidate;
                best.draws_left = found.draws_left;
                best.missing = missing;
                let low_row = node.bins.greatest_row(found.low);
                let high_row = node.bins.least_row(found.high);
                best.cut = Cut::Between { low_row, high_row, n_low: 0 };
            }
        }
        let left = present(sums).fold([0.0; N], |left, (_, sums)| add(left, sums));
        if has_missing && left[0] > 0.0 {
            let left = LeftSum { weight: left[0], sum: left[1], draws: left[N - 1] };
            best.offer(self, &left, Cut::Present, Some(Side::Right));
        }
    }

    /// The best cut that beats the best one so far, whose score it replaces.
    #[inline]
    fn scan_bins<const N: usize>(
        &self,
        mut left: [f64; N],
        sums: &[[f64; N]; N_BINS],
        best: &mut Best,
    ) -> Option<CutOfBins> {
        let (tolerance, limits) = (self.tolerance(), best.limits);
        let mut threshold = best.score + tolerance;
        let mut found = None;
        let mut before = None;
        for (high, here) in present(sums) {
            // Without dividing, so but for rounding, as in `scan_sums`.
            if left[1] * left[1] > threshold * (left[0] * (self.weight - left[0]))
                && let Some(low) = before
            {
                let score = self.score_of(left[0], left[1]);
                let draws_left = if N == 2 { left[0] } else { left[N - 1] };
                let weights = [left[0], self.weight - left[0]];
                if score > threshold && limits.allow(draws_left, weights) {
                    best.score = score;
                    threshold = score + tolerance;
                    found = Some(CutOfBins { low, high, draws_left });
                }
            }
            before = Some(high);
            left = add(left, here);
        }
        found
    }
}
