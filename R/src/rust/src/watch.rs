//! Work of the engine on threads of its own, while R's thread listens to the user.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use extendr_api::prelude::*;
use wald::memory::{Size, check_bytes};
use wald::{Run, Threads};
use wald_report::Quiet;

use crate::failure::Failure;
use crate::given::Given;
use crate::wording::Arguments;

/// Between looks at the user and the progress.
const TICK: Duration = Duration::from_millis(25);

/// How a call of R's works: on how many threads, in how many bytes of memory, where that is known, and
/// which function of R's is called with the units of work done and all of them. It returns TRUE where
/// the user has interrupted, or where R has raised an error, such as that of a time limit, which it keeps
/// until the call is over. Only R can find that out, and only on its own thread.
pub(crate) struct Work {
    pub(crate) room: Room,
    tick: Function,
}

/// The threads and the memory of a call: what the threads of the engine may know of it.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    pub(crate) threads: Threads,
    free: Option<u64>,
}

impl Room {
    /// What the engine's reports know of the session, where they check the memory themselves.
    pub(crate) fn front(self, run: &Run) -> Quiet<'_> {
        Quiet { run, wording: &Arguments, free: self.free }
    }

    /// Refuses work on so many trees that needs more memory than is free. `doing` begins the sentence.
    pub(crate) fn check(self, doing: &str, n_trees: usize, size: Size) -> Result<(), wald::Error> {
        size.check(doing, n_trees, self.threads, self.free)
    }

    /// Refuses work that takes more bytes than are free, with help.
    pub(crate) fn check_bytes(
        self,
        doing: &str,
        bytes: u64,
        help: &str,
    ) -> Result<(), wald::Error> {
        check_bytes(doing, bytes, self.free, help)
    }
}

impl Work {
    pub(crate) fn of(work: &Robj) -> Result<Self, Failure> {
        let given = Given::of(work)?;
        let threads = given.optional_whole("num.threads")?;
        let tick = given.get("tick").and_then(|tick| tick.as_function());
        Ok(Self {
            room: Room {
                threads: threads.map_or(Ok(Threads::all()), Threads::new)?,
                free: given.optional_whole("free")?,
            },
            tick: tick.ok_or_else(|| Failure::internal("there is nothing to tick"))?,
        })
    }

    /// Does the work, which never touches R.
    pub(crate) fn watched<T: Send>(
        &self,
        work: impl FnOnce(&Run) -> Result<T, wald::Error> + Send,
    ) -> Result<T, Failure> {
        let run = &Run::on(self.room.threads);
        std::thread::scope(|scope| {
            let (ended, ending) = channel::<()>();
            let worker = scope.spawn(move || {
                // Dropped at the end of the work, even by a panic.
                let _ended = ended;
                work(run)
            });
            let mut stop = None;
            while ending.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if stop.is_none() {
                    stop = self.look(run).err();
                }
                if stop.is_some() {
                    run.progress.cancel();
                }
            }
            let done = worker.join().map_err(|panic| Failure::of_panic(&*panic))?;
            stop.map_or_else(|| done.map_err(Failure::from), Err)
        })
    }

    fn look(&self, run: &Run) -> Result<(), Failure> {
        let (done, total) = run.progress.counts();
        let answer = self.tick.call(pairlist!(done = done as f64, total = total as f64));
        // What that function has not caught was raised in a context of its own.
        let answer = answer.map_err(|_| Failure::raised())?;
        if answer.as_bool() == Some(true) { Err(Failure::interrupted()) } else { Ok(()) }
    }
}
