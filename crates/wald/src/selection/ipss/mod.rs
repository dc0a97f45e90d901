//! Which variables are selected at a given number or rate of false discoveries: integrated path
//! stability selection (Melikechi & Miller 2025, JASA; for importances of forests Melikechi, Dunson &
//! Miller 2025, Bioinformatics).
//!
//! The rows are halved at random, many times, and a forest grown on every half. At a threshold a
//! half selects the variables whose importance is above it; the share of halves that select a
//! variable, as a function of the threshold, is its stability path. A variable is the better the
//! larger the integral of its path, transformed so that only what most halves agree on counts
//! (`paths.rs`), and the number of irrelevant variables with so large an integral has a bound in
//! expectation.

mod halves;
mod output;
mod paths;
mod settings;
#[cfg(test)]
mod tests;

pub use output::Ipss;
pub use settings::{IpssConfig, Power};

use crate::data::Dataset;
use crate::error::Error;
use crate::run::Run;
use crate::selection::forest::note_on_table;
use crate::selection::ipss::paths::Paths;

/// Computes for every variable the bound on the expected number of false positives when it and all
/// better ones are selected (efp score), and the smallest rate of false discoveries at which it is
/// selected (q-value).
///
/// Of tables with more variables than [`IpssConfig::preselect`], those that depend most on the target
/// are kept in every half, by the smaller of two p-values: of ranks, and of cells, which show what is
/// not monotone. A half thereby selects by the targets of its own rows, as the bound requires.
///
/// Cost: two forests on half of the rows for every pair; threads take halves of their own. The
/// result does not depend on the number of threads.
///
/// ```
/// use wald::selection::{IpssConfig, ipss};
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, Run};
///
/// let data = Friedman1::default().draw(200, 1)?;
/// let config = IpssConfig { pairs: 20, ..IpssConfig::new(ForestConfig::default())? };
/// let found = ipss(&data, &config, &Run::all())?;
/// assert!(found.efp_scores[3] < 0.5); // x4
/// assert!(found.efp_scores[8] > 5.0); // x9, noise
/// # Ok::<(), wald::Error>(())
/// ```
///
/// # Errors
/// [`Error::Setting`] and [`Error::Data`] when the settings do not fit the data, [`Error::Measure`]
/// when the measure does not apply, and [`Error::Cancelled`].
pub fn ipss(data: &Dataset, config: &IpssConfig, run: &Run) -> Result<Ipss, Error> {
    config.check(data)?;
    let halves = halves::importances(data, config, run)?;
    run.check_whole()?;
    let names = data.groups().names();
    let n_competing = config.preselected(data).unwrap_or(names.len());
    let n_halves = halves.importances.len();
    let paths = Paths::new(halves.importances, n_competing);
    let found = Ipss::of(names, &paths, config.power);
    let of_table = note_on_table(data, &config.forest, run)?;
    Ok(Ipss { n_halves, n_without_splits: halves.n_without_splits, of_table, ..found })
}
