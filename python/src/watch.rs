//! Work of the engine while Python goes on: other threads run, Ctrl-C is heard, progress is shown.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use wald::memory::Size;
use wald::{Progress, Run, Threads};

use crate::errors;
use crate::sharing::Sharing;

/// Between looks at signals and progress.
const TICK: Duration = Duration::from_millis(20);

/// How a call of Python's works: on so many threads (`None` for all processors), what is called
/// with the units of work done and all of them, if anything, and, where it may be left out, what
/// other processes have to do with it.
pub(crate) struct Work<'py> {
    pub(crate) py: Python<'py>,
    pub(crate) threads: Threads,
    progress: Option<Bound<'py, PyAny>>,
    sharing: Option<Sharing<'py>>,
}

impl<'py> FromPyObject<'_, 'py> for Work<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let py = given.py();
        let given = given.cast::<PyTuple>()?;
        let threads: Option<usize> = given.get_item(0)?.extract()?;
        let threads = threads.map_or(Ok(Threads::all()), Threads::new);
        let threads = threads.map_err(|error| errors::exception(py, &error))?;
        let progress = given.get_item(1)?.extract()?;
        let sharing = given.iter().nth(2).map(|sharing| sharing.extract()).transpose()?;
        Ok(Self { py, threads, progress, sharing })
    }
}

impl Work<'_> {
    /// As [`watched`].
    pub(crate) fn watched<T: Send>(
        &self,
        work: impl FnOnce(&Run) -> Result<T, wald::Error> + Send,
    ) -> PyResult<T> {
        self.watched_with(|| Ok(()), work)
    }

    /// As [`watched_with`].
    pub(crate) fn watched_with<T: Send>(
        &self,
        between: impl Fn() -> PyResult<()>,
        work: impl FnOnce(&Run) -> Result<T, wald::Error> + Send,
    ) -> PyResult<T> {
        let run = Run::on(self.threads);
        let run = match &self.sharing {
            Some(sharing) => sharing.run(run),
            None => run,
        };
        watched_with(self.py, &run, self.progress.as_ref(), between, work)
    }

    /// Ends the call where it is only about the memory that it takes on so many trees.
    ///
    /// # Errors
    /// The exception of [`Sharing::check_room`].
    pub(crate) fn check_room(
        &self,
        data: &wald::Dataset,
        n_trees: usize,
        size: impl FnOnce() -> Result<Size, wald::Error>,
    ) -> PyResult<()> {
        let Some(sharing) = &self.sharing else { return Ok(()) };
        let checked = sharing.check_room(data, n_trees, size);
        checked.map_err(|error| errors::exception(self.py, &error))
    }
}

/// Does the work on `threads` of its own; workers never touch Python. `progress`, if it is not
/// `None`, is called with the units of work done and all of them.
///
/// # Errors
/// The exception of the work's error, `KeyboardInterrupt`, or what `progress` raised.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    threads: Threads,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Run) -> Result<T, wald::Error> + Send,
) -> PyResult<T> {
    watched_with(py, &Run::on(threads), progress, || Ok(()), work)
}

/// The same with something else to do for this thread between looks.
///
/// # Errors
/// As [`watched`], with `between`.
fn watched_with<T: Send>(
    py: Python<'_>,
    run: &Run,
    progress: Option<&Bound<'_, PyAny>>,
    between: impl Fn() -> PyResult<()>,
    work: impl FnOnce(&Run) -> Result<T, wald::Error> + Send,
) -> PyResult<T> {
    let result = std::thread::scope(|scope| {
        let (ended, ending) = channel::<()>();
        let worker = scope.spawn(move || {
            // Dropped at the end of the work, even by a panic.
            let _ended = ended;
            work(run)
        });
        let mut interrupted = None;
        // Only this thread waits; a lock proves it to the compiler.
        let ending = Mutex::new(ending);
        let goes_on = || {
            let ending = ending.lock().unwrap_or_else(PoisonError::into_inner);
            ending.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout)
        };
        while py.detach(goes_on) {
            if interrupted.is_none() {
                interrupted = look(py, progress, &run.progress).and_then(|()| between()).err();
                if interrupted.is_some() {
                    run.progress.cancel();
                }
            }
        }
        let result = worker.join();
        match (interrupted, result) {
            (Some(interrupted), _) => Err(interrupted),
            (None, Ok(Ok(value))) => {
                let reported = progress.map_or(Ok(()), |progress| report(progress, &run.progress));
                reported.map(|()| value)
            }
            (None, Ok(Err(error))) => Err(errors::exception(py, &error)),
            (None, Err(panic)) => {
                let words = panic.downcast_ref::<String>().map(String::as_str);
                let words = words.or(panic.downcast_ref::<&str>().copied());
                Err(errors::internal(py, words.unwrap_or("the engine panicked")))
            }
        }
    });
    if let (Err(_), Some(progress)) = (&result, progress) {
        // A bar of work that stopped would stay; callables of users need not have this.
        if let Ok(close) = progress.getattr("close") {
            close.call0()?;
        }
    }
    result
}

fn look(py: Python<'_>, progress: Option<&Bound<'_, PyAny>>, state: &Progress) -> PyResult<()> {
    py.check_signals()?;
    progress.map_or(Ok(()), |progress| report(progress, state))
}

fn report(progress: &Bound<'_, PyAny>, state: &Progress) -> PyResult<()> {
    progress.call1(state.counts()).map(|_| ())
}
