//! How work is divided into parts, and how it goes on when they are merged.

use std::ops::Range;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::parts::file::Entry;
use crate::parts::merge::StoredJob;
use crate::parts::{Parts, Recorder};
use crate::run::Run;
use crate::threads::ordered;

/// What the work is of: hashes of the data, and of all settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Work {
    pub(crate) data: [u8; 32],
    pub(crate) settings: [u8; 32],
}

impl Work {
    /// What follows from this work, by its number.
    pub(crate) fn next(self, number: usize) -> Self {
        let mut settings = blake3::Hasher::new();
        settings.update(&self.settings).update(&(number as u64).to_le_bytes());
        Self { settings: *settings.finalize().as_bytes(), ..self }
    }
}

/// Whether others share the work of a run, and what it is of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sharing {
    pub(crate) with: With,
    /// Unknown where the work at hand is not divided.
    pub(crate) work: Option<Work>,
}

/// Who shares the work.
#[derive(Debug, Clone, Default)]
pub(crate) enum With {
    #[default]
    Nobody,
    Others(Arc<Recorder>),
    Parts(Arc<Parts>),
}

/// What is to be done of a job.
enum Turn<'a> {
    Everything,
    Units(&'a Recorder),
    Nothing(StoredJob<'a>),
}

impl Sharing {
    fn turn(&self, n_units: usize) -> Result<Turn<'_>, Error> {
        let Some(work) = self.work else { return Ok(Turn::Everything) };
        Ok(match &self.with {
            With::Nobody => Turn::Everything,
            With::Others(recorder) => {
                let stored = recorder.find(&work, n_units)?;
                if stored.is_none() {
                    recorder.begin(work, n_units);
                }
                stored.map_or(Turn::Units(recorder), Turn::Nothing)
            }
            With::Parts(parts) => {
                parts.find(&work, n_units)?.map_or(Turn::Everything, Turn::Nothing)
            }
        })
    }
}

/// How results are written down.
pub(crate) struct Written<'a, T> {
    pub(crate) write: &'a (dyn Fn(T) -> postcard::Result<Vec<u8>> + Sync),
    pub(crate) read: &'a (dyn Fn(usize, &[u8]) -> Option<T> + Sync),
}

/// As [`ordered`] for a job of so many units where nobody shares the work. A part works on its own units only, takes down what
/// they found, and ends the run; merging reads what all of them found.
///
/// # Errors
/// As [`ordered`], and [`Error::State`] where parts are of other work.
pub(crate) fn distributed<S, T: Send>(
    n_units: usize,
    written: &Written<'_, T>,
    run: &Run,
    unit: (impl Fn() -> S + Sync, impl Fn(usize, &mut S) -> Result<T, Error> + Sync),
    merge: impl FnMut(usize, T) + Send,
) -> Result<(), Error> {
    let (state, work) = unit;
    match run.sharing.turn(n_units)? {
        Turn::Everything => ordered(n_units, run, state, work, merge),
        Turn::Units(recorder) => {
            let units = recorder.part.range(n_units);
            let work_and_write = |index: usize, state: &mut S| {
                let result = (written.write)(work(units.start + index, state)?);
                let result = result.map_err(|error| unwritable(&error))?;
                Ok((Entry::of(&result), result))
            };
            let mut kept = Ok(());
            let keep = |_, (entry, result): (Entry, Vec<u8>)| {
                if kept.is_ok() {
                    kept = recorder.put(entry, &result);
                }
            };
            ordered(units.len(), run, state, work_and_write, keep)?;
            kept?;
            recorder.end();
            Err(Error::Cancelled)
        }
        Turn::Nothing(stored) => {
            let read =
                |unit: usize, (): &mut ()| stored.result(unit, |bytes| (written.read)(unit, bytes));
            ordered(n_units, run, || (), read, merge)
        }
    }
}

/// The same for units that are large, such as forests, and leave little: `work` does those of a range,
/// on as many threads as it will, and hands over what each found, in their order. What `fits` refuses
/// was not found by this work.
///
/// # Errors
/// Those of `work`, and [`Error::State`] where parts are of other work.
pub(crate) fn divided<T: Serialize + DeserializeOwned + Send>(
    n_units: usize,
    run: &Run,
    fits: impl Fn(usize, &T) -> bool,
    work: impl FnOnce(Range<usize>, &mut (dyn FnMut(usize, T) + Send)) -> Result<(), Error>,
    mut merge: impl FnMut(usize, T) + Send,
) -> Result<(), Error> {
    match run.sharing.turn(n_units)? {
        Turn::Everything => work(0..n_units, &mut merge),
        Turn::Units(recorder) => {
            let mut kept = Ok(());
            let mut keep = |_, found: T| {
                let put = |result: Vec<u8>| recorder.put(Entry::of(&result), &result);
                if kept.is_ok() {
                    let result = postcard::to_allocvec(&found);
                    kept = result.map_err(|error| unwritable(&error)).and_then(put);
                }
            };
            work(recorder.part.range(n_units), &mut keep)?;
            kept?;
            recorder.end();
            Err(Error::Cancelled)
        }
        Turn::Nothing(stored) => (0..n_units).try_for_each(|unit| {
            let read = |bytes: &[u8]| match postcard::take_from_bytes::<T>(bytes) {
                Ok((found, [])) if fits(unit, &found) => Some(found),
                _ => None,
            };
            merge(unit, stored.result(unit, read)?);
            Ok(())
        }),
    }
}

fn unwritable(error: &postcard::Error) -> Error {
    Error::too_large(format!("the part cannot be written: {error}"), "divide the work further")
}
