//! How to read a table.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Options of [`crate::read`].
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Columns kept as text, with the spelling of the file, whatever they hold; names that the
    /// table does not have are ignored here and reported by [`crate::prepare`].
    pub categorical: Vec<String>,
    /// Columns read as numbers, whose other cells count as missing.
    pub numeric: Vec<String>,
    /// What becomes of infinite numbers.
    pub infinite: Infinite,
    /// Bytes that the table may take while it is read; unlimited when left out.
    pub memory: Option<u64>,
    /// Threads to use; as many as are useful when left out. They change nothing but the time.
    pub threads: Option<usize>,
    /// Reading ends soon after this becomes true.
    pub stop: Option<Arc<AtomicBool>>,
}

/// What to do with infinite numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Infinite {
    /// The column cannot be used.
    #[default]
    Refuse,
    /// They count as the largest number there is, and as its negative.
    Keep,
}
