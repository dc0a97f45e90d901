//! How work is done: the number of threads, and a handle for progress and cancellation.

use crate::setting;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::error::Error;
use crate::parts::{Parts, Recorder, Sharing, With, Work};

/// How work is done: on how many threads, and with which handle for progress and cancellation.
///
/// A run may serve several calls, one after the other; each counts its own units. It stays cancelled
/// once it was: begin anew with another one.
///
/// ```
/// use wald::{Run, Threads};
///
/// let run = Run::on(Threads::new(2)?);
/// let handle = run.progress.clone(); // for another thread: `handle.cancel()`, `handle.counts()`
/// # assert!(!handle.is_cancelled());
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Run {
    /// The number of threads. Results have the same bits for any number.
    pub threads: Threads,
    /// Progress and cancellation.
    pub progress: Progress,
    pub(crate) sharing: Sharing,
}

impl Run {
    /// As many threads as the machine has processors.
    pub fn all() -> Self {
        Self::on(Threads::all())
    }

    /// The given number of threads, and a fresh handle.
    pub fn on(threads: Threads) -> Self {
        Self { threads, progress: Progress::new(), sharing: Sharing::default() }
    }

    /// The given number of threads, and a handle that the caller holds too.
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{Forest, ForestConfig, Progress, Run, Threads};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let progress = Progress::new();
    /// Forest::grow(&data, &config, &Run::new(Threads::new(2)?, &progress))?;
    /// assert_eq!(progress.counts(), (10, 10)); // trees that are done, of all
    /// # Ok::<(), wald::Error>(())
    /// ```
    pub fn new(threads: Threads, progress: &Progress) -> Self {
        Self { threads, progress: progress.clone(), sharing: Sharing::default() }
    }

    /// The same threads for a part of the work, which is cancelled with the whole and counts its
    /// own units.
    #[must_use]
    pub fn part(&self) -> Self {
        Self::new(self.threads, &self.progress.part())
    }

    /// As [`Run::part`], but the work is shared as that of the whole.
    #[must_use]
    pub(crate) fn counting_apart(&self) -> Self {
        Self { sharing: self.sharing.clone(), ..self.part() }
    }

    /// As [`Run::part`], on the calling thread alone.
    #[must_use]
    pub fn alone(&self) -> Self {
        Self::new(Threads::ONE, &self.progress.part())
    }

    /// The same run for a part of the work, which ends with [`Error::Cancelled`] when the part is
    /// done; see [`parts`](crate::parts).
    #[must_use]
    pub fn recording(self, part: &Arc<Recorder>) -> Self {
        let sharing = Sharing { with: With::Others(Arc::clone(part)), work: None };
        Self { sharing, ..self }
    }

    /// The same run with what parts found in place of the work.
    #[must_use]
    pub fn merging(self, parts: Arc<Parts>) -> Self {
        Self { sharing: Sharing { with: With::Parts(parts), work: None }, ..self }
    }

    /// Whether others do a part of the work, or have done it.
    pub(crate) fn is_shared(&self) -> bool {
        !matches!(self.sharing.with, With::Nobody)
    }

    /// Whether only a part of the work is done.
    #[doc(hidden)] // For the crates beside the engine.
    pub fn is_part(&self) -> bool {
        matches!(self.sharing.with, With::Others(_))
    }

    /// The same run for work that nobody shares.
    #[doc(hidden)] // For the crates beside the engine.
    #[must_use]
    pub fn unshared(&self) -> Self {
        Self { sharing: Sharing::default(), ..self.clone() }
    }

    /// The same run for work that can be divided; `work` is what it is of, if anybody shares it.
    pub(crate) fn doing(&self, work: impl FnOnce() -> Work) -> Self {
        let sharing = Sharing { work: self.is_shared().then(work), ..self.sharing.clone() };
        Self { sharing, ..self.clone() }
    }

    /// The same run for work that follows, by its number.
    pub(crate) fn doing_next(&self, number: usize) -> Self {
        let work = self.sharing.work.map(|work| work.next(number));
        Self { sharing: Sharing { work, ..self.sharing.clone() }, ..self.clone() }
    }

    /// What a job found; `None` where only a part of it was done, which goes on with the next job that
    /// does not depend on this one.
    pub(crate) fn unless_part<T>(&self, found: Result<T, Error>) -> Result<Option<T>, Error> {
        match found {
            Err(Error::Cancelled) if self.is_part() && !self.progress.is_cancelled() => Ok(None),
            found => found.map(Some),
        }
    }

    /// Refuses to end all of the work with a result where only a part of it was to be done.
    ///
    /// # Errors
    /// [`Error::State`].
    #[doc(hidden)] // For the crates beside the engine.
    pub fn check_whole(&self) -> Result<(), Error> {
        if !self.is_part() {
            return Ok(());
        }
        Err(Error::state("nothing is left to divide", "merge the parts that are there"))
    }
}

/// More threads than this are a mistake.
const MOST_THREADS: usize = 1024;

/// A number of threads, at least one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threads(usize);

impl Threads {
    /// The calling thread alone.
    pub const ONE: Self = Self(1);

    /// As many threads as the machine has processors.
    pub fn all() -> Self {
        Self(std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS))
    }

    /// The given number of threads.
    ///
    /// ```
    /// use wald::Threads;
    ///
    /// assert_eq!(Threads::new(4)?.get(), 4);
    /// assert!(Threads::new(0).is_err());
    /// # Ok::<(), wald::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Setting`] for 0 and for more than 1024 threads.
    pub fn new(threads: usize) -> Result<Self, Error> {
        if (1..=MOST_THREADS).contains(&threads) {
            Ok(Self(threads))
        } else {
            Err(Error::bad_setting(
                setting::THREADS,
                format!("{threads} threads were requested"),
                format!("give a number of threads between 1 and {MOST_THREADS}"),
            ))
        }
    }

    /// The threads that each of `n` pieces of work may use while all are worked on.
    pub(crate) fn shared_by(self, n: usize) -> Self {
        Self((self.0 / n.max(1)).max(1))
    }

    /// The number.
    pub fn get(self) -> usize {
        self.0
    }
}

/// A handle that the caller reads (progress) and writes (cancel) while the engine works.
///
/// Clones share one state. Workers never call back; the caller reads at any time, from any thread.
/// What was cancelled stays cancelled, so that a call that begins later ends at once, too.
///
/// ```
/// use wald::simulate::Friedman1;
/// use wald::{Error, Forest, ForestConfig, Run};
///
/// let data = Friedman1::default().draw(60, 1)?;
/// let run = Run::all();
/// run.progress.cancel(); // usually from another thread, which holds a clone
/// let grown = Forest::grow(&data, &ForestConfig::default(), &run);
/// assert_eq!(grown, Err(Error::Cancelled));
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Default, Clone)]
pub struct Progress {
    cancelled: Arc<AtomicBool>,
    units: Arc<Units>,
}

/// Units of work.
#[derive(Debug, Default)]
struct Units {
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
    /// The largest number reported: progress never decreases.
    furthest: AtomicU64,
}

impl Progress {
    /// A fresh handle.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the workers stop at the next node.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// True once [`Progress::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Finished and expected units of work (usually trees) of the current task.
    ///
    /// Work of several stages is reported in percent-like units that never decrease.
    pub fn counts(&self) -> (u64, u64) {
        let of = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let (done, total, whole) =
            (of(&self.units.done), of(&self.units.total), of(&self.units.stages.whole));
        if whole == 0 {
            return (done, total);
        }
        let share = if total == 0 { 0.0 } else { done.min(total) as f64 / total as f64 };
        let inside = (of(&self.units.stages.now) as f64 * share) as u64;
        let reached = (of(&self.units.stages.before) + inside).min(whole);
        let furthest = self.units.stages.furthest.fetch_max(reached, Ordering::Relaxed);
        (furthest.max(reached), whole)
    }

    /// A handle for a part of the work: it is cancelled with the whole, and counts by itself.
    pub(crate) fn part(&self) -> Self {
        Self { cancelled: Arc::clone(&self.cancelled), ..Self::default() }
    }

    /// Announces stages of this total weight, each started by [`Progress::stage`].
    pub(crate) fn stages(&self, whole: u64) {
        self.units.stages.before.store(0, Ordering::Relaxed);
        self.units.stages.now.store(0, Ordering::Relaxed);
        self.units.stages.furthest.store(0, Ordering::Relaxed);
        self.units.stages.whole.store(whole, Ordering::Relaxed);
    }

    /// Ends the current stage, and begins one of this weight; 0 after the last one.
    pub(crate) fn stage(&self, weight: u64) {
        self.restart(0);
        let finished = self.units.stages.now.swap(weight, Ordering::Relaxed);
        self.units.stages.before.fetch_add(finished, Ordering::Relaxed);
    }

    /// Announces work of so many units, none of them finished. After the last of several stages it is
    /// work by itself.
    pub fn start(&self, total: usize) {
        let stages = &self.units.stages;
        if stages.before.load(Ordering::Relaxed) >= stages.whole.load(Ordering::Relaxed) {
            stages.whole.store(0, Ordering::Relaxed);
        }
        self.restart(total);
    }

    fn restart(&self, total: usize) {
        self.units.done.store(0, Ordering::Relaxed);
        self.units.total.store(total as u64, Ordering::Relaxed);
    }

    pub(crate) fn advance(&self) {
        self.advance_by(1);
    }

    /// Counts units as finished.
    pub fn advance_by(&self, units: usize) {
        self.units.done.fetch_add(units as u64, Ordering::Relaxed);
    }

    /// Reports whether to go on; called often by whoever works.
    ///
    /// # Errors
    /// [`Error::Cancelled`] once [`Progress::cancel`] was called.
    pub fn check(&self) -> Result<(), Error> {
        if self.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_count_as_one() {
        let progress = Progress::new();
        progress.stages(100);
        progress.stage(20);
        assert_eq!(progress.counts(), (0, 100));
        progress.start(4);
        progress.advance_by(2);
        assert_eq!(progress.counts(), (10, 100));
        // A stage may begin again, or end early.
        progress.start(10);
        assert_eq!(progress.counts(), (10, 100));
        progress.stage(80);
        assert_eq!(progress.counts(), (20, 100));
        progress.start(8);
        progress.advance();
        assert_eq!(progress.counts(), (30, 100));
        progress.stage(0);
        assert_eq!(progress.counts(), (100, 100));
        // The next work counts by itself, and may have stages again.
        progress.start(4);
        progress.advance();
        assert_eq!(progress.counts(), (1, 4));
        progress.stages(10);
        progress.stage(5);
        progress.start(5);
        progress.advance();
        assert_eq!(progress.counts(), (1, 10));
    }

    #[test]
    fn stages_without_work_are_none() {
        let progress = Progress::new();
        progress.stages(30);
        progress.stage(30);
        progress.stage(0);
        progress.stage(0);
        assert_eq!(progress.counts(), (30, 30));
        progress.stages(0);
        progress.stage(0);
        progress.start(3);
        assert_eq!(progress.counts(), (0, 3));
    }
}
