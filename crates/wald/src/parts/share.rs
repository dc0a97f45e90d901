//! How work is divided into parts, and how it goes on when they are merged.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::parts::file::unwritable;
use crate::parts::{Parts, Recorder, Unit};
use crate::run::Run;
use crate::threads::ordered;

/// What the work is of: hashes of the data, and of all settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Work {
    pub(crate) data: [u8; 32],
    pub(crate) settings: [u8; 32],
}

/// Whether others share the work of a run.
#[derive(Debug, Clone, Default)]
pub(crate) enum Sharing {
    #[default]
    Alone,
    Part(Arc<Recorder>),
    Merge(Arc<Parts>),
}

/// Units of work whose results can be written down.
pub(crate) struct Job<'a, T> {
    pub(crate) unit: Unit,
    pub(crate) n_units: usize,
    pub(crate) work: &'a (dyn Fn() -> Work + Sync),
    pub(crate) write: &'a (dyn Fn(T) -> postcard::Result<Vec<u8>> + Sync),
    pub(crate) read: &'a (dyn Fn(&[u8]) -> Option<T> + Sync),
}

/// As [`ordered`] where nobody shares the work. A part works on its own units only, takes down what
/// they found, and ends the run; merging reads what all of them found.
///
/// # Errors
/// As [`ordered`], and [`Error::State`] where parts are of other work.
pub(crate) fn distributed<S, T: Send>(
    job: &Job<'_, T>,
    run: &Run,
    state: impl Fn() -> S + Sync,
    work: impl Fn(usize, &mut S) -> Result<T, Error> + Sync,
    merge: impl FnMut(usize, T) + Send,
) -> Result<(), Error> {
    match &run.sharing {
        Sharing::Part(recorder) if recorder.takes(job.unit) => {
            let units = recorder.part.range(job.n_units);
            let mut results = Vec::with_capacity(units.len());
            let work_and_write = |index: usize, state: &mut S| {
                let found = work(units.start + index, state)?;
                (job.write)(found).map_err(|error| unwritable(&error))
            };
            let keep = |_, bytes| results.push(bytes);
            ordered(units.len(), run, state, work_and_write, keep)?;
            recorder.put((job.work)(), job.n_units, &results);
            Err(Error::Cancelled)
        }
        Sharing::Merge(parts) if parts.takes(job.unit) => {
            parts.check(&(job.work)(), job.n_units)?;
            let read = |unit: usize, (): &mut ()| {
                (job.read)(parts.result(unit)).ok_or_else(|| parts.unreadable(unit))
            };
            ordered(job.n_units, run, || (), read, merge)
        }
        Sharing::Alone | Sharing::Part(_) | Sharing::Merge(_) => {
            ordered(job.n_units, run, state, work, merge)
        }
    }
}
