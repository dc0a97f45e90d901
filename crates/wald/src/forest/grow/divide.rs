//! Dividing a node's positions between its children, for many columns at once.

use crate::forest::grow::parts::Parts;
use crate::forest::grow::simd;
use crate::forest::position::Position;
use crate::forest::split::divide_by;

/// Which positions go to the right: one bit each.
#[derive(Debug, Default)]
pub(crate) struct Sides {
    words: Vec<u64>,
}

impl Sides {
    /// Makes room for positions below `n`.
    pub(crate) fn resize(&mut self, n: usize) {
        self.words.resize(n.div_ceil(64).max(simd::TABLE_WORDS), 0);
    }

    #[inline]
    pub(crate) fn set(&mut self, position: impl Position, is_right: bool) {
        let index = position.index();
        let word = &mut self.words[index / 64];
        *word = *word & !(1 << (index % 64)) | u64::from(is_right) << (index % 64);
    }

    /// 1 for the right, 0 for the left.
    #[inline]
    pub(crate) fn get(&self, position: impl Position) -> usize {
        let index = position.index();
        (self.words[index / 64] >> (index % 64) & 1) as usize
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }
}

/// Moves the positions that go left to the front, keeping both orders; returns their number.
pub(crate) fn divide<P: Position>(positions: &mut [P], spare: &mut [P], sides: &Sides) -> usize {
    divide_by(positions, spare, |_, position| sides.get(position) == 0)
}

/// Divides the parts of the orders.
pub(crate) fn divide_columns<P: Position>(
    orders: &mut [P],
    parts: &Parts<'_>,
    spare: &mut [P],
    sides: &Sides,
) {
    if let Some(orders) = P::as_u16(orders)
        && let Some(spare) = P::as_u16(spare)
        && simd::divide_columns(orders, parts, spare, sides.words())
    {
        return;
    }
    for &column in parts.columns {
        divide(parts.of(orders, column), spare, sides);
    }
}

/// True when dividing and keeping work on many positions at a time.
pub(crate) fn has_vectors() -> bool {
    simd::is_able()
}

/// Copies the positions that are marked to the front of `kept`, which must have room for all,
/// in their order; returns their number.
pub(crate) fn keep(order: &[u16], marked: &Sides, kept: &mut [u16]) -> usize {
    if let Some(n_kept) = simd::keep(order, marked.words(), kept) {
        return n_kept;
    }
    let kept = &mut kept[..order.len()];
    let mut n_kept = 0;
    for &position in order {
        kept[n_kept] = position;
        n_kept += marked.get(position);
    }
    n_kept
}
