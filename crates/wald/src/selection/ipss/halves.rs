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

/// The importances of all variables in every half, the halves of a pair after each other. What is
/// undefined is as unimportant as what is least important there, and what was not kept as what is
/// least important in any half, and not above 0: no threshold is below it.
pub(super) fn importances(
    data: &Dataset,
    config: &IpssConfig,
    run: &Run,
) -> Result<Vec<Vec<f64>>, Error> {
    let screening = match config.preselected(data) {
        Some(most) => Some((Screening::new(data, data.n_rows() / 2, run)?, most)),
        None => None,
    };
    let mut found = Vec::with_capacity(2 * config.pairs);
    let work = |index: usize, (): &mut ()| of_half(data, config, screening.as_ref(), index, run);
    ordered(2 * config.pairs, run, || (), work, |_, values| found.push(values))?;
    let least = found.iter().flatten().flatten().copied().fold(0.0, f64::min);
    let filled =
        |half: Vec<Option<f64>>| half.into_iter().map(|value| value.unwrap_or(least)).collect();
    Ok(found.into_iter().map(filled).collect())
}

/// `None` for variables that were not kept.
fn of_half(
    data: &Dataset,
    config: &IpssConfig,
    screening: Option<&(Screening<'_>, usize)>,
    index: usize,
    run: &Run,
) -> Result<Vec<Option<f64>>, Error> {
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
    Ok(all)
}
