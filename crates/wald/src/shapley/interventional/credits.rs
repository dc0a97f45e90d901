//! What the columns of a path are credited with where rows and background rows meet.

use crate::shapley::interventional::paths::Path;
use crate::shapley::interventional::sets::places;
use crate::shapley::weights::Weights;

/// Slots that are summed up at once.
const MOST_SLOTS: usize = 32;

/// Where rows that violate a number of columns of the path meet background rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meeting {
    pub(super) n_violated: usize,
    /// Background rows that end at the same leaf as the rows, whatever is known of the column of the
    /// last split, and what the leaf says; two leaves where the rows do not choose between them.
    pub(super) here: [(u128, f64); 2],
    /// Background rows that take another way at the last split, to a leaf that says this: with its
    /// column known one ends at the first leaf of `here`, else there.
    pub(super) there: u128,
    pub(super) says_there: f64,
}

/// What comes of it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Outcome {
    /// For every column that the rows violate.
    pub(super) violated: f64,
    /// For the column of the last split.
    pub(super) last: f64,
}

impl Meeting {
    /// Writes the credit of every slot, for columns that background rows violate; those violated by
    /// the rows have none.
    pub(super) fn credit(self, path: &Path, weights: &Weights, credits: &mut Vec<f64>) -> Outcome {
        let n_slots = path.columns.len();
        credits.clear();
        // At least once, for the outcome.
        loop {
            let start = credits.len();
            let outcome = match n_slots.saturating_sub(start).div_ceil(4) {
                0 | 1 => self.add::<4>(path, weights, credits),
                2 => self.add::<8>(path, weights, credits),
                3 => self.add::<12>(path, weights, credits),
                4 => self.add::<16>(path, weights, credits),
                5 | 6 => self.add::<24>(path, weights, credits),
                _ => self.add::<MOST_SLOTS>(path, weights, credits),
            };
            if credits.len() >= n_slots {
                return outcome;
            }
        }
    }

    /// The next N slots.
    #[inline]
    fn add<const N: usize>(
        self,
        path: &Path,
        weights: &Weights,
        credits: &mut Vec<f64>,
    ) -> Outcome {
        let start = credits.len();
        let m = self.n_violated;
        let mut sums = [0.0; N];
        let mut outcome = Outcome::default();
        let mut add = |row: usize, credit: f64| {
            let violations: &[f64; N] = path.violations(row, start);
            for (sum, violates) in sums.iter_mut().zip(violations) {
                *sum += credit * violates;
            }
        };
        for (rows, say) in self.here {
            for row in places(rows) {
                let weight = weights.of(path.n_violated(row), m);
                add(row, say * weight.credit);
                outcome.violated -= say * weight.debit;
            }
        }
        let [(_, says_here), _] = self.here;
        for row in places(self.there) {
            let n = path.n_violated(row);
            let (here, there) = (weights.of(n + 1, m), weights.of(n, m + 1));
            add(row, says_here * here.credit + self.says_there * there.credit);
            outcome.violated -= says_here * here.debit + self.says_there * there.debit;
            outcome.last += says_here * here.credit - self.says_there * there.debit;
        }
        credits.extend_from_slice(&sums);
        outcome
    }
}
