//! Sets of variables that stand together on the paths of a forest.
//!
//! Random intersection trees (Shah & Meinshausen 2014, JMLR 15) find sets that many observations of a
//! class share: they draw observations at random and intersect them. In a forest, an observation is
//! the path to a leaf, as the set of variables split on with their signs, `x+` above the threshold and
//! `x-` at most; paths are drawn in proportion to the rows in their leaves (Basu, Kumbier, Brown & Yu
//! 2018, PNAS 115, generalized RIT). The sign is that of the first split on a variable, and how much
//! a set matters is judged by the rows in leaves with and without it (Kumbier, Basu, Brown, Celniker &
//! Yu 2018, arXiv 1810.07287).
//!
//! A forest becomes a table of leaves (`leaves.rs`), trees of intersections search it (`search.rs`),
//! and the sets that survive are counted in all leaves (`counts.rs`). The share of bootstrap samples
//! of the rows in which a set is found again is its stability (`resamples.rs`; Basu et al., bagged
//! stability scores).
//!
//! That variables stand together does not show that their effects interact: a variable with an effect of
//! its own is on most paths, and stands with others there, also where effects add up. Every result with a
//! set of several variables has a note on it.

mod counts;
mod leaves;
mod output;
mod resamples;
mod search;
mod settings;
mod size;

pub use output::{Interaction, Interactions, Sign, SignedVariable};
pub use settings::InteractionConfig;

use std::sync::Arc;

use crate::data::Dataset;
use crate::error::Error;
use crate::fitted::Fitted;
use crate::forest::Aggregation;
use crate::interactions::counts::Counter;
use crate::interactions::leaves::{Labels, Leaves};
use crate::interactions::search::{Found, search};
use crate::origin::Origin;
use crate::run::Run;

/// Searches a forest, which is grown unless it exists, for sets of variables that stand together on
/// paths to leaves of a class, and grows `resamples` forests on bootstrap samples.
///
/// Leaves of every class are searched; of a numeric target, those whose mean is above a cut and those
/// whose mean is not. Cost: that of growing `resamples` + 1 forests, of sending all rows down their
/// trees, and O(trees * children^(depth - 1)) intersections of paths for every class and forest.
///
/// ```
/// use wald::interactions::{InteractionConfig, interactions};
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, Origin, Run};
/// use std::sync::Arc;
///
/// let data = Arc::new(Friedman1::default().draw(200, 1)?);
/// let forest = ForestConfig { n_trees: 50, ..ForestConfig::default() };
/// let config = InteractionConfig { resamples: 0, ..InteractionConfig::default() };
/// let found = interactions(&data, Origin::Settings(&forest), &config, &Run::all())?;
/// let first = &found.sets[0];
/// assert!(first.variables.len() >= 2 && first.prevalence > 0.0);
/// # Ok::<(), wald::Error>(())
/// ```
///
/// # Errors
/// [`Error::Setting`] and [`Error::Data`] when settings do not fit the data or the forest, and
/// [`Error::Cancelled`].
pub fn interactions(
    data: &Arc<Dataset>,
    origin: Origin<'_>,
    config: &InteractionConfig,
    run: &Run,
) -> Result<Interactions, Error> {
    config.check(data)?;
    let forest = match origin.config() {
        None if config.resamples > 0 => {
            return Err(Error::bad_setting(
                crate::setting::RESAMPLES,
                "forests like this one cannot be grown: its settings are not known",
                "give 0 resamples, or a forest that wald grew",
            ));
        }
        forest => forest,
    };
    if origin.forest().is_some_and(|forest| forest.aggregation() == Aggregation::Sum) {
        return Err(Error::data(
            "the trees of this forest are summed: their leaves do not predict the target",
            "give a forest whose trees are averaged",
        ));
    }
    let n_trees = origin.n_trees() as u64;
    run.progress.stages(n_trees * (2 + 2 * config.resamples as u64));
    run.progress.stage(n_trees);
    let fitted = match origin {
        Origin::Settings(forest) => Arc::new(Fitted::grow(Arc::clone(data), forest, &[], run)?.0),
        Origin::Forest(forest) => Arc::new(Fitted::new(Arc::clone(forest), Arc::clone(data), run)?),
        Origin::Fitted(fitted) => Arc::clone(fitted),
    };
    let labels = Labels::new(&fitted, config.cut)?;
    run.progress.stage(n_trees);
    let (leaves, found) = of_forest(&fitted, &labels, config, config.seed, run)?;
    drop(fitted);
    let counts = Counter::new(&leaves, labels.n_labels()).all(&found, run)?;
    let is_out_of_bag = leaves.is_out_of_bag;
    // Other forests need the memory.
    drop(leaves);
    let (found, counts): (Found, Vec<_>) = found
        .into_iter()
        .zip(counts)
        .filter(|(_, counts)| counts.prevalence >= config.min_prevalence)
        .unzip();
    let stability = match forest {
        Some(forest) if config.resamples > 0 => {
            Some(resamples::stability(data, forest, &labels, &found, config, run)?)
        }
        _ => None,
    };
    run.progress.stage(0);
    let shares = (counts, stability);
    Ok(Interactions::new(data, &labels, &found, shares, is_out_of_bag, config))
}

/// The leaves of a forest, and the sets that are found in them.
fn of_forest(
    fitted: &Fitted,
    labels: &Labels,
    config: &InteractionConfig,
    seed: u64,
    run: &Run,
) -> Result<(Leaves, Found), Error> {
    let leaves = Leaves::of(fitted, labels, run)?;
    let found = search(&leaves, labels.n_labels(), config, seed, run)?;
    Ok((leaves, found))
}
