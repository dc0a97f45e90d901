//! Work of the engine on threads of its own, while R's thread listens to the user.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use extendr_api::prelude::*;
use wald::{Run, Threads};

use crate::failure::Failure;
use crate::given::Given;

/// Between looks at the user and the progress.
const TICK: Duration = Duration::from_millis(25);

/// How a call of R's works: on how many threads, and which function of R's is called with the units
/// of work done and all of them. It returns TRUE where the user has interrupted. Only R can find that
/// out, and only on its own thread.
pub(crate) struct Work {
    pub(crate) threads: Threads,
    tick: Function,
}

impl Work {
    pub(crate) fn of(work: &Robj) -> Result<Self, Failure> {
        let given = Given::of(work)?;
        let threads = given.optional_whole("num.threads")?;
        let tick = given.get("tick").and_then(|tick| tick.as_function());
        Ok(Self {
            threads: threads.map_or(Ok(Threads::all()), Threads::new)?,
            tick: tick.ok_or_else(|| Failure::internal("there is nothing to tick"))?,
        })
    }

    /// Does the work, which never touches R.
    pub(crate) fn watched<T: Send>(
        &self,
        work: impl FnOnce(&Run) -> Result<T, wald::Error> + Send,
    ) -> Result<T, Failure> {
        let run = &Run::on(self.threads);
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
        // What R raised there was raised in a context of its own, and has been printed.
        let is_over = answer.map_or(true, |answer| answer.as_bool() == Some(true));
        if is_over { Err(Failure::interrupted()) } else { Ok(()) }
    }
}
