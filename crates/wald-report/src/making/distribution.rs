//! How the values of a variable are distributed.

use crate::parts::Distribution;
use wald::data::{Column, ColumnData, MISSING_LEVEL};

/// Bins of numbers, and levels that are named.
const MOST_BINS: usize = 24;
const FEWEST_BINS: usize = 5;
const MOST_LEVELS: usize = 12;

impl Distribution {
    /// Counts the rows of a column where it is present. Whole numbers of a small range have a bin each;
    /// other numbers about as many bins as the square root of the rows, between 5 and 24.
    pub(super) fn of(column: &Column) -> Self {
        match column.data() {
            ColumnData::Numeric(values) => of_numbers(values),
            ColumnData::Categorical(levels) => {
                let counts = level_counts(levels.levels().len(), levels.codes());
                let named = counts.iter().take(MOST_LEVELS);
                let name =
                    |&(level, count): &(usize, usize)| (levels.levels()[level].clone(), count);
                Self::Categorical {
                    counts: named.map(name).collect(),
                    others: counts.iter().skip(MOST_LEVELS).map(|(_, count)| count).sum(),
                }
            }
        }
    }
}

/// (level, rows) of the levels that occur, by decreasing count.
pub(super) fn level_counts(n_levels: usize, codes: &[u32]) -> Vec<(usize, usize)> {
    let mut counts: Vec<(usize, usize)> = (0..n_levels).map(|level| (level, 0)).collect();
    for &code in codes.iter().filter(|&&code| code != MISSING_LEVEL) {
        counts[code as usize].1 += 1;
    }
    counts.retain(|(_, count)| *count > 0);
    counts.sort_by_key(|&(level, count)| (std::cmp::Reverse(count), level));
    counts
}

fn of_numbers(values: &[f64]) -> Distribution {
    let present = || values.iter().copied().filter(|value| !value.is_nan());
    let n_rows = present().count();
    let (low, high) = present()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if n_rows == 0 {
        return Distribution::Numeric { edges: vec![0.0], counts: Vec::new() };
    }
    let are_whole = present().all(|value| value.fract() == 0.0);
    let whole = are_whole && high - low < MOST_BINS as f64;
    // Bins around whole numbers; also around the only value there is.
    let (low, high, n_bins) = if whole || low == high {
        (low - 0.5, high + 0.5, (high - low) as usize + 1)
    } else {
        (low, high, ((n_rows as f64).sqrt().ceil() as usize).clamp(FEWEST_BINS, MOST_BINS))
    };
    let edge = |place: usize| {
        let share = place as f64 / n_bins as f64;
        low * (1.0 - share) + high * share
    };
    let mut counts = vec![0; n_bins];
    for value in present() {
        // Halves, because the difference of large numbers may overflow.
        let share = (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
        counts[((share * n_bins as f64) as usize).min(n_bins - 1)] += 1;
    }
    Distribution::Numeric { edges: (0..=n_bins).map(edge).collect(), counts }
}
