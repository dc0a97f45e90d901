//! Progress and cancellation, shared between the caller and the workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::error::Error;

/// A handle that the caller reads (progress) and writes (cancel) while the engine works.
///
/// Workers never call back; the caller looks whenever it likes, from any thread.
#[derive(Debug, Default)]
pub struct Monitor {
    cancelled: Arc<AtomicBool>,
    done: AtomicU64,
    total: AtomicU64,
}

impl Monitor {
    /// A fresh handle.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the workers to stop at the next node.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// True once [`Monitor::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Finished and expected units of work (usually trees) of the current task.
    pub fn progress(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    /// A handle for a part of the work: it is cancelled with the whole, and counts by itself.
    pub(crate) fn part(&self) -> Self {
        Self { cancelled: Arc::clone(&self.cancelled), ..Self::default() }
    }

    pub(crate) fn start(&self, total: usize) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total as u64, Ordering::Relaxed);
    }

    pub(crate) fn advance(&self) {
        self.advance_by(1);
    }

    pub(crate) fn advance_by(&self, units: usize) {
        self.done.fetch_add(units as u64, Ordering::Relaxed);
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }
}
