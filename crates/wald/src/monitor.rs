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
    stages: Stages,
}

/// Where work has several stages, which count in units of their own: the weight of all, of those
/// that are finished, and of the current one.
#[derive(Debug, Default)]
struct Stages {
    whole: AtomicU64,
    before: AtomicU64,
    now: AtomicU64,
    /// What was told last: progress never goes back.
    furthest: AtomicU64,
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
    ///
    /// Work of several stages is told in units of its own, which never go back.
    pub fn progress(&self) -> (u64, u64) {
        let of = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let (done, total, whole) = (of(&self.done), of(&self.total), of(&self.stages.whole));
        if whole == 0 {
            return (done, total);
        }
        let share = if total == 0 { 0.0 } else { done.min(total) as f64 / total as f64 };
        let inside = (of(&self.stages.now) as f64 * share) as u64;
        let reached = (of(&self.stages.before) + inside).min(whole);
        let furthest = self.stages.furthest.fetch_max(reached, Ordering::Relaxed);
        (furthest.max(reached), whole)
    }

    /// A handle for a part of the work: it is cancelled with the whole, and counts by itself.
    pub(crate) fn part(&self) -> Self {
        Self { cancelled: Arc::clone(&self.cancelled), ..Self::default() }
    }

    /// Says that stages of this weight follow, each announced by [`Monitor::stage`].
    pub(crate) fn stages(&self, whole: u64) {
        self.stages.before.store(0, Ordering::Relaxed);
        self.stages.now.store(0, Ordering::Relaxed);
        self.stages.furthest.store(0, Ordering::Relaxed);
        self.stages.whole.store(whole.max(1), Ordering::Relaxed);
    }

    /// Ends the current stage, and begins one of this weight; 0 after the last one.
    pub(crate) fn stage(&self, weight: u64) {
        self.start(0);
        let finished = self.stages.now.swap(weight, Ordering::Relaxed);
        self.stages.before.fetch_add(finished, Ordering::Relaxed);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_told_as_one() {
        let monitor = Monitor::new();
        monitor.stages(100);
        monitor.stage(20);
        assert_eq!(monitor.progress(), (0, 100));
        monitor.start(4);
        monitor.advance_by(2);
        assert_eq!(monitor.progress(), (10, 100));
        // A stage may begin again, or end early.
        monitor.start(10);
        assert_eq!(monitor.progress(), (10, 100));
        monitor.stage(80);
        assert_eq!(monitor.progress(), (20, 100));
        monitor.start(8);
        monitor.advance();
        assert_eq!(monitor.progress(), (30, 100));
        monitor.stage(0);
        assert_eq!(monitor.progress(), (100, 100));
    }
}
