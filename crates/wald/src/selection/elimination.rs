//! Backward elimination on one set of rows: Bénard, Da Veiga & Scornet 2022, Algorithm 2.
//!
//! The columns are ranked once. When variables leave, `Training::keep_columns` drops their codes,
//! which leaves exactly what ranking the others anew would give, because canonical positions follow
//! hashes of single columns. So a step costs one forest and nothing else. Held-out rows meet each
//! tree as it is grown (`Ground`), and nothing else reads them.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::data::{Column, Dataset, Training};
use crate::error::Error;
use crate::folds;
use crate::forest::Keep;
use crate::importance::Importance;
use crate::measuring::Ground;
use crate::run::{Progress, Run, Threads};
use crate::selection::forest::increasing;
use crate::selection::held_out::{Losses, Truth};
use crate::selection::part::Part;
use crate::selection::settings::SelectionConfig;

/// The work of growing a forest, besides that for each of its columns, in units of the latter;
/// it only shapes the display of progress.
const WORK_BESIDES_COLUMNS: usize = 100;

/// What one elimination found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Elimination {
    /// Groups as they left, the first one first; those that never left come last, the most
    /// important one at the end.
    pub(super) order: Vec<u32>,
    /// Losses of the held-out rows at every size, the largest first; none for all rows.
    pub(super) losses: Vec<Losses>,
    /// The case weights of the held-out rows, summed.
    pub(super) weight: f64,
}

/// What all eliminations share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) data: &'a Dataset,
    pub(super) config: &'a SelectionConfig,
    /// Numbers of groups at which forests are grown, decreasing.
    pub(super) sizes: &'a [usize],
    /// Counts units of work.
    pub(super) progress: &'a Progress,
}

/// Units of work of a forest on so many columns.
pub(super) fn work(n_columns: usize) -> usize {
    n_columns + WORK_BESIDES_COLUMNS
}

impl Task<'_> {
    /// Eliminates on all rows, or on those outside of a fold. The held-out rows meet finished
    /// trees only: nothing that grows, measures or chooses reads them.
    ///
    /// The columns are ranked once. Those of the variables that leave are dropped from the ranks,
    /// which gives the same bits as ranking the others anew.
    pub(super) fn eliminate(self, part: Part, threads: Threads) -> Result<Elimination, Error> {
        let Self { data: all, config, sizes, progress } = self;
        let (rows, held_out) = self.rows(part);
        let columns = all.features().columns().iter();
        let mut new_rows: Vec<Cow<'_, Column>> = match &*held_out {
            [] => Vec::new(),
            rows => columns.map(|column| Cow::Owned(column.select(rows))).collect(),
        };
        let truth = Truth::new(all, &held_out, config.loss);
        let mut data = match part {
            Part::AllRows => all.clone(),
            // Of what makes up the data, only weights can be unfit for a part of the rows.
            Part::Fold { .. } => all.select(&rows).map_err(|_| {
                Error::data(
                    "outside of one of the folds, all weights are zero",
                    "use fewer folds, or leave out rows of weight zero",
                )
            })?,
        };
        let mut training = Training::of(&data, threads);
        let mut found = Elimination {
            order: Vec::with_capacity(all.groups().n_groups()),
            losses: Vec::new(),
            weight: truth.weight(),
        };
        let mut left: Vec<u32> = (0..all.groups().n_groups() as u32).collect();
        for (step, &size) in sizes.iter().enumerate() {
            let seed = part.seed(config.forest.seed, step);
            let forest = config.forest.on_columns(data.features(), seed);
            let seed = part.seed(config.measure.settings().seed, step);
            let measure = config.measure.with_seed(seed);
            // The last variable leaves without being measured.
            let measures = if size > 1 { std::slice::from_ref(&measure) } else { &[] };
            let new = new_rows.as_slice();
            let ground = Ground { data: &data, training: &training, new_rows: new, before: None };
            let run = &Run::new(threads, &progress.part());
            let (grown, predictions) =
                ground.grow_and_measure(&forest, measures, Keep::Nothing, run)?;
            progress.advance_by(work(data.n_features()));
            if !held_out.is_empty() {
                found.losses.push(truth.losses(&predictions));
            }
            let by_importance = match grown.measured.importances.first() {
                Some(importance) => {
                    let small_is_important = config.measure.id().info().small_is_important;
                    least_first(importance, small_is_important)
                }
                None => vec![0],
            };
            let n_leaving = size - sizes.get(step + 1).copied().unwrap_or(0);
            let mut is_kept = vec![true; left.len()];
            for &group in by_importance.iter().take(n_leaving) {
                is_kept[group] = false;
                found.order.push(left[group]);
            }
            if step + 1 == sizes.len() {
                break;
            }
            let is_column_kept: Vec<bool> =
                data.groups().of_column().iter().map(|&group| is_kept[group as usize]).collect();
            training.keep_columns(&is_column_kept);
            keep(&mut new_rows, &is_column_kept);
            data.keep_groups(&is_kept);
            keep(&mut left, &is_kept);
        }
        Ok(found)
    }

    /// The rows to work on, and those held out.
    fn rows(self, part: Part) -> (Vec<u32>, Vec<u32>) {
        let Part::Fold { repeat, fold } = part else { return Default::default() };
        let Self { data, config, .. } = self;
        let fold_of = folds::fold_of_rows(data, config.folds, config.forest.seed, repeat as usize);
        (0..data.n_rows() as u32).partition(|&row| fold_of[row as usize] != fold)
    }
}

fn keep<T>(items: &mut Vec<T>, is_kept: &[bool]) {
    let mut is_kept = is_kept.iter();
    items.retain(|_| is_kept.next().is_some_and(|&is_kept| is_kept));
}

/// Positions by increasing importance: undefined values first; of equal ones, the last in the
/// user's order first, so that nothing is random.
fn least_first(importance: &Importance, small_is_important: bool) -> Vec<usize> {
    let keys = increasing(importance, small_is_important);
    let mut order: Vec<usize> = (0..keys.len()).rev().collect();
    // Zeros of either sign are equal, and a missing value comes before all others.
    order.sort_by(|&a, &b| keys[a].partial_cmp(&keys[b]).unwrap_or(Ordering::Equal));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_important_come_first() {
        let values = [Some(0.3), Some(-0.0), None, Some(0.0), Some(-1.0), Some(f64::NAN)];
        let importance = Importance {
            unit: String::new(),
            values: values.to_vec(),
            ..crate::measure::MeasureId::Mdi.info().importance()
        };
        assert_eq!(least_first(&importance, false), [5, 2, 4, 3, 1, 0]);
        assert_eq!(least_first(&importance, true), [5, 2, 0, 3, 1, 4]);
    }

    #[test]
    fn every_forest_has_its_own_seed() {
        let parts = [
            Part::AllRows,
            Part::Fold { repeat: 0, fold: 0 },
            Part::Fold { repeat: 0, fold: 1 },
            Part::Fold { repeat: 1, fold: 0 },
        ];
        let seeds = parts.iter().flat_map(|part| {
            (0..3).flat_map(move |seed| (0..100).map(move |step| part.seed(seed, step)))
        });
        let distinct: std::collections::HashSet<u64> = seeds.collect();
        assert_eq!(distinct.len(), parts.len() * 300);
    }
}
