//! How work is spread over threads without changing a bit of the result.
//!
//! Threads come from the standard library: a pool per call with an ordered merge is short, keeps
//! one working memory per thread, and needs no global pool.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::Error;
use crate::run::{Run, Threads};

/// Results that finished before their turn, from the one whose turn it is.
struct Queue<T, M> {
    next: usize,
    early: VecDeque<Option<T>>,
    merge: M,
}

/// Calls `work` for 0..n on several threads, each with its own `state`, and `merge` with the
/// results in increasing order, so that sums have the same bits for any number of threads.
///
/// # Errors
/// The error of the smallest number for which `work` fails; [`Error::Cancelled`] when the run is
/// cancelled.
pub fn ordered<S, T: Send>(
    n: usize,
    run: &Run,
    state: impl Fn() -> S + Sync,
    work: impl Fn(usize, &mut S) -> Result<T, Error> + Sync,
    merge: impl FnMut(usize, T) + Send,
) -> Result<(), Error> {
    let progress = &run.progress;
    progress.start(n);
    let next = AtomicUsize::new(0);
    let queue = Mutex::new(Queue { next: 0, early: VecDeque::new(), merge });
    let failure: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    let worker = || {
        let mut state = state();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= n {
                return;
            }
            match progress.check().and_then(|()| work(index, &mut state)) {
                Ok(result) => {
                    let mut queue = lock(&queue);
                    let place = index - queue.next;
                    while queue.early.len() <= place {
                        queue.early.push_back(None);
                    }
                    queue.early[place] = Some(result);
                    while let Some(result) = queue.early.front_mut().and_then(Option::take) {
                        queue.early.pop_front();
                        let turn = queue.next;
                        (queue.merge)(turn, result);
                        queue.next += 1;
                        progress.advance();
                    }
                }
                Err(error) => {
                    next.store(n, Ordering::Relaxed);
                    // All work before it has begun, and may fail later.
                    let mut first = lock(&failure);
                    if first.as_ref().is_none_or(|(other, _)| index < *other) {
                        *first = Some((index, error));
                    }
                    return;
                }
            }
        }
    };
    on_threads(run.threads.get().min(n.max(1)), &worker);
    let failure = lock(&failure).take();
    failure.map_or(Ok(()), |(_, error)| Err(error))
}

/// Calls `worker` on so many threads. Compiled once for all kinds of work.
fn on_threads(n_threads: usize, worker: &(dyn Fn() + Sync)) {
    std::thread::scope(|scope| {
        // Where the system refuses a further thread, the others do its work.
        for _ in 1..n_threads {
            let _ = std::thread::Builder::new().spawn_scoped(scope, worker);
        }
        worker();
    });
}

/// The results of `work` for 0..n, in order, found on several threads.
pub(crate) fn map<T: Send>(n: usize, threads: Threads, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut results = Vec::with_capacity(n);
    gather(n, threads, || (), |index, ()| work(index), |_, result| results.push(result));
    results
}

/// As [`ordered`], where no work fails and nobody cancels.
pub(crate) fn gather<S, T: Send>(
    n: usize,
    threads: Threads,
    state: impl Fn() -> S + Sync,
    work: impl Fn(usize, &mut S) -> T + Sync,
    merge: impl FnMut(usize, T) + Send,
) {
    let work = |index, state: &mut S| Ok(work(index, state));
    let finished = ordered(n, &Run::on(threads), state, work, merge);
    debug_assert!(finished.is_ok(), "no work fails, and nobody cancels");
}

/// A poisoned lock means that another worker panicked; that panic is reported by the scope.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_arrive_in_order_for_any_number_of_threads() {
        for threads in [1, 2, 3, 7, 16] {
            let mut seen = Vec::new();
            let spin = |index: usize, (): &mut ()| {
                // Later results are ready sooner.
                std::thread::sleep(std::time::Duration::from_micros(200 / (index as u64 + 1)));
                Ok(index * index)
            };
            let threads = Threads::new(threads).expect("a sensible number");
            ordered(
                50,
                &Run::on(threads),
                || (),
                spin,
                |index, value| {
                    seen.push((index, value));
                },
            )
            .expect("no work fails");
            assert_eq!(seen, (0..50).map(|index| (index, index * index)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_first_error_stops_the_work() {
        let fail = |index: usize, (): &mut ()| {
            if index == 3 { Err(Error::bad_setting(None, "three", "")) } else { Ok(()) }
        };
        let result =
            ordered(1000, &Run::on(Threads::new(2).expect("two threads")), || (), fail, |_, ()| {});
        assert_eq!(result, Err(Error::bad_setting(None, "three", "")));
    }

    #[test]
    fn of_several_errors_that_of_the_smallest_number_is_returned() {
        let fail = |index: usize, (): &mut ()| {
            if index == 0 {
                // The other one fails sooner.
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            Err::<(), _>(Error::bad_setting(None, index.to_string(), ""))
        };
        let result =
            ordered(2, &Run::on(Threads::new(2).expect("two threads")), || (), fail, |_, ()| {});
        assert_eq!(result, Err(Error::bad_setting(None, "0".to_owned(), "")));
    }

    #[test]
    fn cancelling_stops_the_work() {
        let run = Run::on(Threads::new(2).expect("two threads"));
        run.progress.cancel();
        let result = ordered(10, &run, || (), |_, (): &mut ()| Ok(()), |_, ()| {});
        assert_eq!(result, Err(Error::Cancelled));
    }
}
