//! Forests on halves of the rows.

use crate::association::Screening;
use crate::data::{Dataset, Training};
use crate::error::Error;
use crate::folds;
use crate::forest::Keep;
use crate::measuring::Ground;
use crate::random::{Purpose, Stream};
use crate::run::{Run, Threads};
use crate::selection::forest::increasing;
use crate::selection::ipss::settings::IpssConfig;
use crate::threads::ordered;

/// What the forests of all halves found.
#[derive(Debug)]
pub(super) struct Halves {
    /// By half and variable.
    pub(super) importances: Vec<Vec<f64>>,
    /// In how many halves no tree has a split.
    pub(super) n_without_splits: usize,
}

/// What the forest of one half found: nothing of variables that were not kept.
struct Half {
    importances: Vec<Option<f64>>,
    has_splits: bool,
}

/// The importances of all variables in every half, the halves of a pair after each other. What is
/// undefined is as unimportant as what is least important there, and what was not kept as what is
/// least important in any half, and not above 0: no threshold is below it.
pub(super) fn importances(data: &Dataset, config: &IpssConfig, run: &Run) -> Result<Halves, Error> {
    let screening = match config.preselected(data) {
        Some(most) => Some((Screening::new(data, data.n_rows() / 2, run)?, most)),
        None => None,
    };
    let (mut found, mut n_without_splits) = (Vec::with_capacity(2 * config.pairs), 0);
    let work = |index: usize, (): &mut ()| of_half(data, config, screening.as_ref(), index, run);
    let add = |_, half: Half| {
        n_without_splits += usize::from(!half.has_splits);
        found.push(half.importances);
    };
    ordered(2 * config.pairs, run, || (), work, add)?;
    let least = found.iter().flatten().flatten().copied().fold(0.0, f64::min);
    let filled =
        |half: Vec<Option<f64>>| half.into_iter().map(|value| value.unwrap_or(least)).collect();
    Ok(Halves { importances: found.into_iter().map(filled).collect(), n_without_splits })
}

fn of_half(
    data: &Dataset,
    config: &IpssConfig,
    screening: Option<&(Screening<'_>, usize)>,
    index: usize,
    run: &Run,
) -> Result<Half, Error> {
    let (pair, half) = (index / 2, (index % 2) as u32);
    let half_of = folds::fold_of_rows(data, 2, config.forest.seed, pair);
    let mut rows: Vec<u32> = (0..data.n_rows() as u32).collect();
    rows.retain(|&row| half_of[row as usize] == half);
    let n_groups = data.groups().n_groups();
    let is_kept = match screening {
        Some((screening, most)) => screening.keep(&rows, *most),
        None => vec![true; n_groups],
    };
    let mut kept = data.clone();
    kept.keep_groups(&is_kept);
    let part = kept.select(&rows).map_err(|_| {
        Error::data(
            "in one of the halves of the rows, all weights are zero",
            "leave out rows of weight zero",
        )
    })?;
    let seed = Stream::new(config.forest.seed, pair, Purpose::HalfSample { half }).word();
    let mut forest = config.forest.on_columns(part.features(), seed);
    forest.n_trees = config.n_trees();
    let measures = [config.measure.with_seed(seed)];
    let training = Training::of(&part, Threads::ONE);
    let ground = Ground { data: &part, training: &training, new_rows: &[], before: None };
    let (grown, _) = ground.grow_and_measure(&forest, &measures, Keep::Nothing, &run.alone())?;
    let small_is_important = config.measure.id().info().small_is_important;
    let importances = grown.measured.importances.iter();
    let values: Vec<Option<f64>> =
        importances.flat_map(|of| increasing(of, small_is_important)).collect();
    let least = values.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let least = if least.is_finite() { least } else { 0.0 };
    let mut all = vec![None; n_groups];
    let places = all.iter_mut().zip(&is_kept).filter(|(_, is_kept)| **is_kept);
    places.zip(values).for_each(|((to, _), value)| *to = value.or(Some(least)));
    Ok(Half { importances: all, has_splits: grown.measured.has_splits() })
}
