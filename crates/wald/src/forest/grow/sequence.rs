//! Rows of a node in the order of a column, in the forms that searching knows.

use crate::forest::grow::sort::{code_of, row_of};
use crate::forest::position::Position;
use crate::forest::split::Sequence;

/// Rows that all have different codes.
pub(crate) struct Distinct<'a, P, R> {
    pub(crate) order: &'a [P],
    pub(crate) row: R,
}

impl<P: Position, R: Fn(P) -> u32> Sequence for Distinct<'_, P, R> {
    type Item = P;
    type Key = P;

    const ALL_DIFFER: bool = true;

    fn items(&self) -> &[P] {
        self.order
    }

    #[inline]
    fn position(&self, item: P) -> usize {
        item.index()
    }

    #[inline]
    fn key(&self, item: P) -> P {
        item
    }

    fn row(&self, item: P) -> u32 {
        (self.row)(item)
    }
}

/// Rows of which some have equal codes, and then equal keys.
pub(crate) struct Tied<'a, P, K, R> {
    pub(crate) order: &'a [P],
    pub(crate) key: K,
    pub(crate) row: R,
}

impl<P, T, K, R> Sequence for Tied<'_, P, K, R>
where
    P: Position,
    T: Copy + PartialEq,
    K: Fn(P) -> T,
    R: Fn(P) -> u32,
{
    type Item = P;
    type Key = T;

    const ALL_DIFFER: bool = false;

    fn items(&self) -> &[P] {
        self.order
    }

    #[inline]
    fn position(&self, item: P) -> usize {
        item.index()
    }

    #[inline]
    fn key(&self, item: P) -> T {
        (self.key)(item)
    }

    fn row(&self, item: P) -> u32 {
        (self.row)(item)
    }
}

/// Sorted keys: code above, position below.
pub(crate) struct Keys<'a, R> {
    pub(crate) keys: &'a [u64],
    pub(crate) row: R,
}

impl<R: Fn(u32) -> u32> Sequence for Keys<'_, R> {
    type Item = u64;
    type Key = u32;

    const ALL_DIFFER: bool = false;

    fn items(&self) -> &[u64] {
        self.keys
    }

    #[inline]
    fn position(&self, item: u64) -> usize {
        row_of(item) as usize
    }

    #[inline]
    fn key(&self, item: u64) -> u32 {
        code_of(item)
    }

    fn row(&self, item: u64) -> u32 {
        (self.row)(row_of(item))
    }
}
