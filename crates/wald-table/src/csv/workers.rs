//! The threads that read a table: the calling thread, with helpers for large tables.
//!
//! Each column is filled by one thread at a time and in the order of the rows, so that the
//! number of threads changes nothing but the time.

use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::csv::batch::Batch;
use crate::csv::columns::Builder;
use crate::levels::BadText;
use crate::options::ReadOptions;

/// Decoded bytes from which the dialect and the first guess of types are taken.
pub(super) const SAMPLE: u64 = 1 << 20;

/// One thread finds cells while the others read them; more of them would wait.
const MOST_THREADS: usize = 4;

/// Columns are handed out in this many portions per thread, so that no thread waits for long.
const PORTIONS: usize = 8;

/// A text that cannot be kept, with its line.
pub(crate) type Refusal = (u64, BadText);

/// The threads at work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Workers {
    n_threads: usize,
}

impl Workers {
    /// The calling thread alone.
    pub(crate) const ALONE: Self = Self { n_threads: 1 };

    /// Threads for a table that starts with `sample`; a short one is not worth helpers.
    pub(crate) fn for_table(sample: &[u8], options: &ReadOptions) -> Self {
        if (sample.len() as u64) < SAMPLE / 2 {
            return Self::ALONE;
        }
        let available = || thread::available_parallelism().map_or(1, usize::from);
        Self { n_threads: options.threads.unwrap_or_else(available).clamp(1, MOST_THREADS) }
    }

    /// Adds the records of a batch to the columns, and does `other` at the same time.
    ///
    /// # Errors
    /// The first refusal, by line.
    pub(crate) fn push<T>(
        self,
        batch: &Batch,
        builders: &mut [Builder],
        decimal: u8,
        other: impl FnOnce() -> T,
    ) -> (Result<(), Refusal>, T) {
        let n_columns = builders.len();
        let size = n_columns.div_ceil(PORTIONS * self.n_threads).max(1);
        let portions = Mutex::new(builders.chunks_mut(size).enumerate());
        let next = || portions.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            let mut refusal = None;
            while let Some((portion, builders)) = next() {
                for (column, builder) in (portion * size..).zip(builders) {
                    let added = builder.extend(batch.column(column, n_columns), decimal);
                    let refused = added.err().map(|(row, bad)| (batch.lines[row], bad));
                    refusal = earlier(refusal, refused);
                }
            }
            refusal
        };
        let (refusal, done) = thread::scope(|scope| {
            let helpers: Vec<_> = (1..self.n_threads)
                .filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
                .collect();
            let done = other();
            let mut refusal = work();
            for helper in helpers {
                match helper.join() {
                    Ok(refused) => refusal = earlier(refusal, refused),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            (refusal, done)
        });
        (refusal.map_or(Ok(()), Err), done)
    }
}

fn earlier(left: Option<Refusal>, right: Option<Refusal>) -> Option<Refusal> {
    match (left, right) {
        (Some(left), Some(right)) => Some(if right.0 < left.0 { right } else { left }),
        (left, right) => left.or(right),
    }
}
