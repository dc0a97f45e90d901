//! Rows of a node in the order of a column, in the forms that searching knows.

use crate::forest::grow::position::Position;
use crate::forest::grow::sort::{code_of, position_of};
use crate::forest::split::Sequence;

/// Rows that all have different codes.
pub(crate) struct Distinct<'a, P, C> {
    pub(crate) order: &'a [P],
    pub(crate) code: C,
}

impl<P: Position, C: Fn(P) -> u32> Sequence for Distinct<'_, P, C> {
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

    fn code(&self, item: P) -> u32 {
        (self.code)(item)
    }
}

/// Rows of which some have equal codes, and then equal keys.
pub(crate) struct Tied<'a, P, K, C> {
    pub(crate) order: &'a [P],
    pub(crate) key: K,
    pub(crate) code: C,
}

impl<P, T, K, C> Sequence for Tied<'_, P, K, C>
where
    P: Position,
    T: Copy + PartialEq,
    K: Fn(P) -> T,
    C: Fn(P) -> u32,
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

    fn code(&self, item: P) -> u32 {
        (self.code)(item)
    }
}

/// Sorted keys: code above, position below.
pub(crate) struct Keys<'a>(pub(crate) &'a [u64]);

impl Sequence for Keys<'_> {
    type Item = u64;
    type Key = u32;

    const ALL_DIFFER: bool = false;

    fn items(&self) -> &[u64] {
        self.0
    }

    #[inline]
    fn position(&self, item: u64) -> usize {
        position_of(item) as usize
    }

    #[inline]
    fn key(&self, item: u64) -> u32 {
        code_of(item)
    }

    #[inline]
    fn code(&self, item: u64) -> u32 {
        code_of(item)
    }
}
