//! Which variables to keep.
//!
//! Three procedures for three questions: which few variables predict best (`select`, recursive
//! feature elimination with cross-validation), which variables are relevant at all
//! (`boruta/`), and which are selected with a given number or rate of false discoveries (`ipss/`).
//!
//! Elimination is that of Bénard, Da Veiga & Scornet 2022, Algorithm 2, with the repeated
//! cross-validation of Gregorutti, Michel & Saint-Pierre 2017: in every fold, variables leave one
//! after the other, each time the least important one of a forest grown anew, and the held-out rows
//! show what every forest is worth. No held-out row affects what is grown, measured or dropped.
//! Threads take eliminations of their own while there are enough of them, and then work together.

mod boruta;
mod elimination;
mod forest;
mod held_out;
mod ipss;
mod output;
mod part;
mod settings;
mod size;
mod state;
mod summary;
#[cfg(test)]
mod tests;

pub use boruta::{Boruta, BorutaConfig, BorutaVariable, Correction, Decision, boruta};
pub use ipss::{Ipss, IpssConfig, Power, ipss};
pub use settings::{PerStep, SelectionConfig};
pub use state::SelectionState;
pub use summary::{FoldOrder, Selection, SizePoint};

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::data::Dataset;
use crate::error::Error;
use crate::fingerprint::of_work;
use crate::parts::divided;
use crate::run::{Run, Threads};
use crate::selection::elimination::{Elimination, Task, work};
use crate::selection::part::Part;
use crate::selection::state::is_plausible;
use crate::threads::ordered;

/// Eliminates variables in every fold of every repetition, then on all rows.
///
/// `state` holds the eliminations that were done before: a fresh one, or one that an earlier call
/// with the same data and settings left behind. `finished` sees the state whenever an elimination
/// was added to it, so that it can be stored. The progress counts units of work.
///
/// Cost: that of folds * repeats + 1 times as many forests as there are sizes. Where there are at
/// least as many folds to do as threads, each thread works on folds of its own; the rest is done
/// by all threads together. The result does not depend on that.
///
/// ```
/// use wald::selection::{SelectionConfig, SelectionState};
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, MeasureId, Run};
///
/// let data = Friedman1::default().draw(60, 1)?;
/// let forest = ForestConfig { n_trees: 10, ..ForestConfig::default() };
/// let config = SelectionConfig {
///     folds: 3,
///     ..SelectionConfig::new(forest, MeasureId::MdaBreimanCutler.into())
/// };
/// let state = SelectionState::new(&data, &config);
/// let found = wald::select(&data, &config, state, |_| {}, &Run::all())?;
/// assert_eq!(found.curve.len(), 10); // forests on 10, 9, ..., 1 variables
/// let kept = found.kept(found.best_size);
/// let names: Vec<&str> = kept.iter().map(|&at| found.variables[at].as_str()).collect();
/// assert_eq!(names.len(), found.best_size);
/// # Ok::<(), wald::Error>(())
/// ```
///
/// # Errors
/// [`Error::Setting`] and [`Error::Data`] when the settings do not fit the data,
/// [`Error::Measure`] when the measure does not apply, [`Error::State`] when the state is of other
/// data or settings, and [`Error::Cancelled`].
pub fn select(
    data: &Dataset,
    config: &SelectionConfig,
    state: SelectionState,
    finished: impl FnMut(&SelectionState) + Send,
    run: &Run,
) -> Result<Selection, Error> {
    let state = eliminate(data, config, state, usize::MAX, finished, run)?;
    let note = forest::note_on_table(data, &config.forest, run)?;
    Ok(Selection::of(data, config, &config.check(data)?, &state, note))
}

/// The first step of [`select`]: adds up to `at_most` eliminations to those that are done, so that
/// work which is shared can be stored in between. When all are done, `select` only summarises them.
///
/// # Errors
/// As [`select`].
pub fn eliminate(
    data: &Dataset,
    config: &SelectionConfig,
    state: SelectionState,
    at_most: usize,
    finished: impl FnMut(&SelectionState) + Send,
    run: &Run,
) -> Result<SelectionState, Error> {
    let sizes = config.check(data)?;
    state.check(data, config)?;
    let task = Task { data, config, sizes: &sizes, progress: &run.progress };
    let pending = config.parts().into_iter().filter(|part| state.get(*part).is_none());
    let pending: Vec<Part> = pending.take(at_most).collect();
    // What a group takes is about what a column takes, as most are of one.
    run.progress.start(pending.len() * sizes.iter().map(|&size| work(size)).sum::<usize>());
    let n_variables = data.groups().n_groups();
    let known = Mutex::new((state, finished));
    let add = |index: usize, found: Elimination| {
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        let (state, finished) = &mut *known;
        state.add(pending[index], found);
        finished(state);
    };
    let how = || format!("select {config:?} {pending:?}");
    let eliminate = |units: Range<usize>, found: &mut (dyn FnMut(usize, Elimination) + Send)| {
        // As many as fill all threads, one thread each; then the others, one after the other.
        let n_alone = units.len() / run.threads.get() * run.threads.get();
        let (alone, together) = pending[units.clone()].split_at(n_alone);
        let work = |index: usize, (): &mut ()| task.eliminate(alone[index], Threads::ONE);
        let merge = |index, elimination| found(units.start + index, elimination);
        ordered(n_alone, &run.part(), || (), work, merge)?;
        for (index, &part) in (units.start + n_alone..).zip(together) {
            found(index, task.eliminate(part, run.threads)?);
        }
        Ok(())
    };
    divided(
        pending.len(),
        &run.doing(|| of_work(data, &[], how().as_bytes())),
        |unit, found| is_plausible(pending[unit], found, n_variables, sizes.len(), config),
        eliminate,
        add,
    )?;
    run.check_whole()?;
    let (state, _) = known.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(state)
}
