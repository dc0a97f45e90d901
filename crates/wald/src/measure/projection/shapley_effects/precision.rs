//! How many sets of variables are enough.
//!
//! Trees are projected onto few sets first. Where errors are larger than wanted, they are projected onto
//! as many as bring them down, and the values of fewer are dropped. Each number follows from the errors of
//! the one before, never from a clock, so that equal data have equal values on any number of threads.

use super::blocks::{LITTLE_WORK, TREES_OF_A_PAIR};
use crate::importance::Importance;
use crate::measure::definition::MeasureSettings;

/// The largest standard error, as a share of the range of values.
const PRECISION: f64 = 0.05;

/// Where all values are small, they are precise enough if they were so in a range of this share of the
/// variance.
const LEAST_RANGE: f64 = 0.1;

/// Pairs of sets that are usual, which are all of up to eight variables, and those to begin with; more
/// where there are many variables, because least squares need several pairs for each.
pub(super) const PAIRS: usize = 128;
const FEWEST: usize = 48;
const OF_A_PLAYER: usize = 4;

/// No more than so many times the usual number.
const MOST_TIMES: usize = 4;

/// By how much the pairs beyond one for each player grow from one round to the next. The error of least
/// squares falls with the root of their number, and is itself known roughly.
const GROWTH: std::ops::RangeInclusive<f64> = 1.5..=4.0;
const RESERVE: f64 = 1.2;

/// Less gain than this, and what is left is the error of the trees.
const STILL_FALLS: f64 = 0.9;

/// Rounds of more and more pairs of sets.
#[derive(Debug)]
pub(super) struct Rounds {
    samples: usize,
    most: usize,
    n_players: usize,
    /// `None` where the number of pairs is given.
    precision: Option<f64>,
    /// Of the round before.
    error: f64,
}

impl Rounds {
    /// Tables with few rows begin with the usual number, which is little work there. At a time, trees are
    /// projected onto no more than twice the usual pairs, whatever their number (`most_sets`).
    pub(super) fn new(
        settings: &MeasureSettings,
        n_players: usize,
        n_rows: usize,
        n_trees: usize,
    ) -> Self {
        let fewest = FEWEST.max(OF_A_PLAYER * n_players);
        let usual = PAIRS.max(fewest);
        let little = LITTLE_WORK / (TREES_OF_A_PAIR * n_rows).max(1);
        let n_blocks = (n_trees / TREES_OF_A_PAIR).clamp(1, MOST_TIMES);
        Self {
            samples: settings.samples.unwrap_or(little.clamp(fewest, usual)),
            most: usual * n_blocks,
            n_players,
            precision: settings.samples.is_none().then(|| settings.precision.unwrap_or(PRECISION)),
            error: f64::INFINITY,
        }
    }

    /// Pairs of sets of the next round.
    pub(super) fn samples(&self) -> usize {
        self.samples
    }

    /// Whether values are as precise as wanted, or no more sets make them so, which they then note.
    pub(super) fn are_over(&mut self, found: &mut Importance) -> bool {
        let Some(precision) = self.precision else { return true };
        let Some(range) = range(&found.values) else { return true };
        let errors = found.standard_errors.iter().flatten().flatten();
        // Too few sets for errors need more.
        let error = errors.copied().reduce(f64::max).unwrap_or(f64::INFINITY);
        let wanted = precision * range.max(LEAST_RANGE);
        if error <= wanted {
            return true;
        }
        let is_falling = error.is_infinite() || error < STILL_FALLS * self.error;
        if !is_falling || self.samples >= self.most {
            let needed = if is_falling { "samples" } else { "trees" };
            if error.is_finite() {
                found
                    .notes
                    .push(format!("the precision was not reached: more {needed} are needed"));
            }
            return true;
        }
        let times = RESERVE * (error / wanted).powi(2);
        let times = times.clamp(*GROWTH.start(), *GROWTH.end());
        let beyond = self.samples.saturating_sub(self.n_players) as f64;
        self.samples = self.most.min(self.n_players + (beyond * times).ceil() as usize);
        self.error = error;
        false
    }
}

/// From the least to the largest value; `None` where they are undefined.
fn range(values: &[Option<f64>]) -> Option<f64> {
    let values = || values.iter().flatten().copied();
    Some(values().reduce(f64::max)? - values().reduce(f64::min)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::MeasureId;

    fn found(values: [f64; 2], error: f64) -> Importance {
        Importance {
            values: values.map(Some).to_vec(),
            standard_errors: Some(vec![Some(error), Some(error / 2.0)]),
            ..MeasureId::ShapleyEffects.info().importance()
        }
    }

    /// An error of 1.25 times what is wanted needs its square times as many pairs beyond the ten players,
    /// and a reserve; there are no more than four times as many at once, and 512 in all.
    #[test]
    fn numbers_of_sets_follow_from_errors() {
        let settings = MeasureSettings::default();
        let mut rounds = Rounds::new(&settings, 10, 20_000, 100);
        assert_eq!(rounds.samples(), 48);
        assert!(!rounds.are_over(&mut found([0.3, -0.1], 0.025)));
        assert_eq!(rounds.samples(), 82);
        assert!(rounds.are_over(&mut found([0.3, -0.1], 0.02)));
        assert!(!rounds.are_over(&mut found([0.01, 0.0], 0.02)));
        assert_eq!(rounds.samples(), 298);
        assert!(rounds.are_over(&mut found([0.01, 0.0], 0.005)), "no range is below a tenth");
        assert!(!rounds.are_over(&mut found([0.01, 0.0], 0.01)));
        assert_eq!(rounds.samples(), 512);
        let mut last = found([0.01, 0.0], 0.008);
        assert!(rounds.are_over(&mut last));
        assert!(last.notes[0].ends_with("more samples are needed"), "{:?}", last.notes);
    }

    #[test]
    fn errors_that_hardly_fall_are_those_of_the_trees() {
        let settings = MeasureSettings { precision: Some(0.01), ..MeasureSettings::default() };
        let mut rounds = Rounds::new(&settings, 10, 20_000, 100);
        assert!(!rounds.are_over(&mut found([0.3, 0.0], 0.01)));
        let mut next = found([0.3, 0.0], 0.0095);
        assert!(rounds.are_over(&mut next));
        assert!(next.notes[0].ends_with("more trees are needed"), "{:?}", next.notes);
    }

    #[test]
    fn small_tables_and_many_variables_begin_with_more() {
        let of = |n_players, n_rows, n_trees| {
            let rounds = Rounds::new(&MeasureSettings::default(), n_players, n_rows, n_trees);
            (rounds.samples, rounds.most)
        };
        assert_eq!(of(10, 1000, 100), (128, 512));
        assert_eq!(of(10, 2000, 100), (100, 512));
        assert_eq!(of(200, 1000, 100), (800, 3200));
        assert_eq!(of(10, 20_000, 9), (48, 128), "one block has all of them at a time");
        let settings = MeasureSettings { samples: Some(70), ..MeasureSettings::default() };
        let mut rounds = Rounds::new(&settings, 10, 20_000, 100);
        assert_eq!(rounds.samples(), 70);
        assert!(rounds.are_over(&mut found([0.3, 0.0], 1.0)), "a number that is given is kept");
    }
}
