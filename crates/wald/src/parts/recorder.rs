//! Takes down what a part of the work finds.

use std::fmt;
use std::io::{self, Cursor, Read, Seek, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::parts::file::{Entry, Header, Recorded};
use crate::parts::merge::StoredJob;
use crate::parts::{PartOf, Parts, Work};

/// Where results wait until all of them are there: memory, or a temporary file.
pub trait Store: Read + Write + Seek + Send {}

impl<T: Read + Write + Seek + Send> Store for T {}

/// Takes down what a part of the work finds.
pub struct Recorder {
    pub(super) part: PartOf,
    words: Vec<String>,
    /// Of earlier rounds.
    before: Option<Arc<Parts>>,
    taken: Mutex<Taken>,
}

/// What is there by now.
struct Taken {
    jobs: Vec<Recorded>,
    store: Box<dyn Store>,
    /// Whether a job was begun that is not finished.
    is_open: bool,
}

impl fmt::Debug for Recorder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Recorder").field("part", &self.part).finish_non_exhaustive()
    }
}

impl Recorder {
    /// For the first round. The `words` are kept for whoever merges.
    pub fn new(part: PartOf, words: Vec<String>) -> Self {
        let store = Box::new(Cursor::new(Vec::new()));
        let taken = Mutex::new(Taken { jobs: Vec::new(), store, is_open: false });
        Self { part, words, before: None, taken }
    }

    /// For the next round: for jobs that need what the parts of all earlier ones found.
    pub fn after(part: PartOf, before: Arc<Parts>) -> Self {
        let words = before.words().to_vec();
        Self { before: Some(before), ..Self::new(part, words) }
    }

    /// The same with results kept elsewhere than in memory.
    #[must_use]
    pub fn kept_in(self, store: impl Store + 'static) -> Self {
        let taken = Taken { jobs: Vec::new(), store: Box::new(store), is_open: false };
        Self { taken: Mutex::new(taken), ..self }
    }

    /// What is kept for whoever merges.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether results of any job are here, and none is unfinished.
    pub fn is_done(&self) -> bool {
        let taken = self.taken();
        !taken.is_open && !taken.jobs.is_empty()
    }

    /// Writes the part, which is [done](Recorder::is_done).
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let mut taken = self.taken();
        let header = Header {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            part: self.part,
            round: self.before.as_ref().map_or(0, |before| before.n_rounds()),
            words: self.words.clone(),
            jobs: taken.jobs.clone(),
        };
        header.write(to)?;
        taken.store.rewind()?;
        io::copy(&mut taken.store, to)?;
        Ok(())
    }

    /// The part as bytes; `None` before it is done.
    ///
    /// # Errors
    /// [`Error::State`] where results were kept elsewhere, and cannot be read.
    pub fn bytes(&self) -> Result<Option<Vec<u8>>, Error> {
        if !self.is_done() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        self.write(&mut bytes).map_err(|error| unwritable(&error))?;
        Ok(Some(bytes))
    }

    /// Where the results of a job are, if an earlier round had it.
    pub(super) fn find(&self, work: &Work, n_units: usize) -> Result<Option<StoredJob<'_>>, Error> {
        self.before.as_ref().map_or(Ok(None), |before| before.find(work, n_units))
    }

    /// Begins a job.
    pub(super) fn begin(&self, work: Work, n_units: usize) {
        let mut taken = self.taken();
        taken.is_open = true;
        taken.jobs.push(Recorded { work, n_units, results: Vec::new() });
    }

    /// Takes down the result of the next unit.
    pub(super) fn put(&self, entry: Entry, result: &[u8]) -> Result<(), Error> {
        let mut taken = self.taken();
        taken.store.write_all(result).map_err(|error| unwritable(&error))?;
        if let Some(job) = taken.jobs.last_mut() {
            job.results.push(entry);
        }
        Ok(())
    }

    /// Ends a job.
    pub(super) fn end(&self) {
        self.taken().is_open = false;
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unwritable(error: &io::Error) -> Error {
    let help = "free some space, or divide the work further";
    Error::state(format!("the part cannot be kept: {error}"), help)
}
