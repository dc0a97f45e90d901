//! What a front provides while a study is made.

use wald::message::Wording;
use wald::{Error, Run};

/// A front: the command line, or Python.
pub trait Front: Sync {
    /// Threads, progress and cancellation.
    fn run(&self) -> &Run;

    /// How settings and procedures are worded.
    fn wording(&self) -> &dyn Wording;

    /// Bytes of memory that are free; `None` where that is not known.
    fn free(&self) -> Option<u64>;

    /// Does a piece of work, and shows what is done.
    fn watch(&self, doing: &str, work: &mut (dyn FnMut() + Send));
}

/// The result of a piece of work that a front watched.
///
/// # Errors
/// [`Error::Inconsistent`] for a front that did not do the work.
pub fn watched<T: Send>(
    front: &dyn Front,
    doing: &str,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Error> {
    let (mut work, mut result) = (Some(work), None);
    front.watch(doing, &mut || result = work.take().map(|work| work()));
    result.ok_or_else(|| Error::Inconsistent { what: format!("{doing} was not done") })
}

/// A front without a screen: nothing is shown, and memory is as large as need be.
#[derive(Debug)]
pub struct Quiet<'a> {
    /// Threads, progress and cancellation.
    pub run: &'a Run,
    /// How settings and procedures are worded.
    pub wording: &'a dyn Wording,
    /// Bytes of memory that are free; `None` where that is not known.
    pub free: Option<u64>,
}

impl Front for Quiet<'_> {
    fn run(&self) -> &Run {
        self.run
    }

    fn wording(&self) -> &dyn Wording {
        self.wording
    }

    fn free(&self) -> Option<u64> {
        self.free
    }

    fn watch(&self, _doing: &str, work: &mut (dyn FnMut() + Send)) {
        work();
    }
}
