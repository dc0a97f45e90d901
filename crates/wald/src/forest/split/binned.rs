//! The cuts between bins of a node: its rows are summed up by bin, never sorted.

use crate::data::MISSING_BIN;
use crate::forest::position::Position;
use crate::forest::split::best::{Best, Cut};
use crate::forest::split::numbers::{LeftSum, NumberScorer, add};
use crate::forest::split::scorer::Scorer;
use crate::forest::tree::Side;

/// Bins that a byte numbers.
const N_BINS: usize = 256;

/// The rows of a node as a column in bins sees them.
pub(crate) struct Binned<'a, P, F> {
    pub(crate) members: &'a [P],
    /// The bin of a position.
    pub(crate) bin_of: F,
}

/// A node of more rows has so many of the bins that all of them are looked at.
const MOST_SPARSE: usize = 256;

/// Sums by bin; 0 between searches. Made by the first search.
#[derive(Debug, Default)]
pub(super) struct BinSums<const N: usize>(Option<Box<[[f64; N]; N_BINS]>>);

impl<const N: usize> BinSums<N> {
    fn sums(&mut self) -> &mut [[f64; N]; N_BINS] {
        self.0.get_or_insert_with(|| Box::new([[0.0; N]; N_BINS]))
    }
}

/// A cut between two bins that have rows, with none between them.
struct CutOfBins {
    low: u8,
    high: u8,
    draws_left: f64,
}

/// A set of bins.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BinSet([u64; N_BINS / 64]);

impl BinSet {
    #[inline]
    pub(crate) fn insert(&mut self, bin: u8) {
        self.0[usize::from(bin / 64)] |= 1 << (bin % 64);
    }

    #[inline]
    pub(crate) fn contains(self, bin: u8) -> bool {
        self.0[usize::from(bin / 64)] >> (bin % 64) & 1 == 1
    }

    /// The bins of the set, increasing.
    #[inline]
    pub(crate) fn iter(self) -> Increasing {
        Increasing { words: self.0, first: 0 }
    }
}

/// The bins of a set that are still to come.
#[derive(Debug, Clone)]
pub(crate) struct Increasing {
    words: [u64; N_BINS / 64],
    /// Words before this one are empty.
    first: usize,
}

impl Iterator for Increasing {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        while let Some(word) = self.words.get_mut(self.first) {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some((64 * self.first) as u8 + bit as u8);
            }
            self.first += 1;
        }
        None
    }
}

impl NumberScorer {
    /// Offers all cuts of a node between bins.
    pub(super) fn search_by_bin<P: Position, F: Fn(P) -> u8>(
        &mut self,
        node: &Binned<'_, P, F>,
        best: &mut Best,
    ) {
        if self.draws.is_empty() {
            let mut sums = std::mem::take(&mut self.bins);
            self.search_sums(sums.sums(), node, |at| self.rows[at], best);
            self.bins = sums;
        } else {
            let mut sums = std::mem::take(&mut self.bins_and_draws);
            let sums_of = |at: usize| {
                let [weight, sum] = self.rows[at];
                [weight, sum, f64::from(self.draws[at])]
            };
            self.search_sums(sums.sums(), node, sums_of, best);
            self.bins_and_draws = sums;
        }
    }

    /// The last of the `N` sums are draws (of two, weights).
    fn search_sums<const N: usize, P: Position, F: Fn(P) -> u8>(
        &self,
        sums: &mut [[f64; N]; N_BINS],
        node: &Binned<'_, P, F>,
        sums_of: impl Fn(usize) -> [f64; N],
        best: &mut Best,
    ) {
        let mut present = BinSet::default();
        let is_sparse = node.members.len() <= MOST_SPARSE;
        for &position in node.members {
            let bin = (node.bin_of)(position);
            if is_sparse {
                present.insert(bin);
            }
            let sum = &mut sums[usize::from(bin)];
            *sum = add(*sum, sums_of(position.index()));
        }
        if is_sparse {
            self.offer_bins(sums, present.iter(), best);
            present.iter().for_each(|bin| sums[usize::from(bin)] = [0.0; N]);
        } else {
            // All rows of a tree have a weight.
            let present = (0..=MISSING_BIN).filter(|&bin| sums[usize::from(bin)][0] > 0.0);
            self.offer_bins(sums, present, best);
            sums.fill([0.0; N]);
        }
    }

    /// The best cut between bins that have rows, and present against missing.
    #[inline]
    fn offer_bins<const N: usize>(
        &self,
        sums: &[[f64; N]; N_BINS],
        present: impl Iterator<Item = u8> + Clone,
        best: &mut Best,
    ) {
        let present = present.take_while(|&bin| bin != MISSING_BIN);
        let missing_sums = sums[usize::from(MISSING_BIN)];
        let has_missing = missing_sums[0] > 0.0;
        let sides: &[_] =
            if has_missing { &[Some(Side::Right), Some(Side::Left)] } else { &[None] };
        for &missing in sides {
            let start = if missing == Some(Side::Left) { missing_sums } else { [0.0; N] };
            let present = present.clone();
            // Without constraints the loop has no check of them.
            let found = if self.constraint.binds() {
                let allows = |weight, sum| self.keeps_trends(weight, sum);
                self.scan_bins(start, sums, present, allows, best)
            } else {
                self.scan_bins(start, sums, present, |_, _| true, best)
            };
            if let Some(found) = found {
                best.column = best.candidate;
                best.draws_left = found.draws_left;
                best.missing = missing;
                let (low, high) = (u32::from(found.low), u32::from(found.high));
                best.cut = Cut::Between { low, high, n_low: 0 };
            }
        }
        if !has_missing {
            return;
        }
        let left = present.fold([0.0; N], |left, bin| add(left, sums[usize::from(bin)]));
        if left[0] > 0.0 {
            let left = LeftSum { weight: left[0], sum: left[1], draws: left[N - 1] };
            best.offer(self, &left, Cut::Present, Some(Side::Right));
        }
    }

    /// The best cut that beats the best one so far, whose score it replaces; of those that are allowed, given
    /// weight and deviations on the left.
    #[inline]
    fn scan_bins<const N: usize>(
        &self,
        mut left: [f64; N],
        sums: &[[f64; N]; N_BINS],
        present: impl Iterator<Item = u8>,
        allows: impl Fn(f64, f64) -> bool,
        best: &mut Best,
    ) -> Option<CutOfBins> {
        let (tolerance, limits) = (self.tolerance(), best.limits);
        let mut threshold = best.score + tolerance;
        let mut found = None;
        let mut before = None;
        for high in present {
            // Without dividing, so but for rounding, as in `scan_sums`.
            if left[1] * left[1] > threshold * (left[0] * (self.weight - left[0]))
                && let Some(low) = before
            {
                let score = self.score_of(left[0], left[1]);
                let draws_left = if N == 2 { left[0] } else { left[N - 1] };
                let weights = [left[0], self.weight - left[0]];
                if score > threshold
                    && limits.allow(draws_left, weights)
                    && allows(left[0], left[1])
                {
                    best.score = score;
                    threshold = score + tolerance;
                    found = Some(CutOfBins { low, high, draws_left });
                }
            }
            before = Some(high);
            left = add(left, sums[usize::from(high)]);
        }
        found
    }
}
