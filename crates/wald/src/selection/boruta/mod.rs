//! Which variables are relevant at all: Boruta (Kursa & Rudnicki 2010), in the form of the R package
//! since version 5.
//!
//! Every run grows a forest on the variables that are not rejected yet and on shadows of them. A
//! variable more important than the best shadow has a hit. A variable that is like the best shadow
//! has a hit in every other run, so that the number of hits is compared with a binomial distribution
//! of probability 1/2: far more hits confirm a variable, far fewer reject it.

mod decisions;
mod output;
mod run;
mod settings;
mod tally;
#[cfg(test)]
mod tests;

pub use decisions::{Correction, Decision};
pub use output::{Boruta, BorutaVariable};
pub use settings::BorutaConfig;

use crate::data::Dataset;
use crate::error::Error;
use crate::run::Run;
use crate::selection::boruta::run::Runs;
use crate::selection::boruta::tally::Tally;
use crate::selection::forest::note_on_table;

/// Confirms or rejects every variable.
///
/// Cost: at most `max_runs` forests on up to twice as many variables. The result does not depend on
/// the number of threads, nor on the order of the columns. Progress counts runs.
///
/// ```
/// use wald::selection::{BorutaConfig, Decision, boruta};
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, Run};
///
/// let data = Friedman1::default().draw(200, 1)?;
/// let forest = ForestConfig { n_trees: 50, ..ForestConfig::default() };
/// let found = boruta(&data, &BorutaConfig::new(forest)?, &Run::all())?;
/// assert_eq!(found.variables[3].decision, Decision::Confirmed); // x4
/// assert_eq!(found.variables[8].decision, Decision::Rejected); // x9, noise
/// # Ok::<(), wald::Error>(())
/// ```
///
/// # Errors
/// [`Error::Setting`] and [`Error::Data`] when the settings do not fit the data (rows in clusters are
/// not exchangeable), [`Error::Measure`] when the measure does not apply, and [`Error::Cancelled`].
pub fn boruta(data: &Dataset, config: &BorutaConfig, run: &Run) -> Result<Boruta, Error> {
    config.check(data)?;
    let mut runs = Runs::new(data, config, run);
    let mut tally = Tally::new(data.groups().n_groups());
    run.progress.start(config.max_runs);
    while tally.n_runs() < config.max_runs && tally.has_tentative() {
        let found = runs.next(&tally, run)?;
        tally.add(found, config.percentile);
        tally.decide(config.correction, config.level)?;
        run.progress.advance();
    }
    run.check_whole()?;
    if config.rough_fix {
        tally.fix_roughly();
    }
    let of_table = note_on_table(data, &config.forest, run)?;
    Ok(Boruta::of(data, config, tally, runs.seen, of_table))
}
