//! Stability: how often a set is found on bootstrap samples of the rows.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::data::Dataset;
use crate::error::Error;
use crate::fitted::Fitted;
use crate::forest::ForestConfig;
use crate::inference::units;
use crate::interactions::counts::Counter;
use crate::interactions::leaves::Labels;
use crate::interactions::search::Found;
use crate::interactions::settings::InteractionConfig;
use crate::random::{Purpose, Stream};
use crate::run::Run;

/// By set, the share of bootstrap samples in which it is found: as many rows (of clusters, as many
/// clusters) as there are, drawn with replacement, a forest with the same settings grown on them, and
/// searched in the same way. Cost: that of the forests, one at a time.
pub(super) fn stability(
    data: &Dataset,
    forest: &ForestConfig,
    labels: &Labels,
    found: &Found,
    config: &InteractionConfig,
    run: &Run,
) -> Result<Vec<f64>, Error> {
    let (units, least) = (units(data), config.min_prevalence);
    let mut times = vec![0_u32; found.len()];
    for resample in 0..config.resamples {
        let mut stream = Stream::new(config.seed, resample, Purpose::InteractionResample);
        let seed = stream.word();
        let mut draw = || &units[stream.below(units.len() as u32) as usize];
        let rows: Vec<u32> = (0..units.len()).flat_map(|_| draw().iter().copied()).collect();
        let drawn = data.select(&rows).map_err(|_| {
            Error::data(
                "in one of the bootstrap samples, all weights are zero",
                "leave out rows of weight zero",
            )
        })?;
        let forest = ForestConfig { seed, ..forest.clone() };
        run.progress.stage(forest.n_trees as u64);
        let (fitted, _) = Fitted::grow(Arc::new(drawn), &forest, &[], run)?;
        run.progress.stage(forest.n_trees as u64);
        let labels = labels.select(&rows);
        let (leaves, again) = super::of_forest(&fitted, &labels, config, seed, run)?;
        drop(fitted);
        let again: BTreeSet<_> = again.into_iter().collect();
        let counter = Counter::new(&leaves, labels.n_labels());
        for (times, set) in times.iter_mut().zip(found) {
            let is_frequent = || counter.count(set.0, &set.1).prevalence >= least;
            let is_found = again.contains(set) && (least <= 0.0 || is_frequent());
            *times += u32::from(is_found);
        }
    }
    let of_all = |times| f64::from(times) / config.resamples as f64;
    Ok(times.into_iter().map(of_all).collect())
}
