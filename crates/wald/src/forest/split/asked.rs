//! The rows of a node as one column sees them.

use crate::forest::position::Position;
use crate::forest::split::scorer::Scorer;
use crate::forest::tree::Side;

/// The rows of a node as one column sees them.
pub(super) struct Asked<'a, Q, P> {
    pub(super) sequence: &'a Q,
    pub(super) missing: &'a [P],
    pub(super) codes: &'a [u32],
}

impl<Q, P: Position> Asked<'_, Q, P> {
    /// Where missing rows may go while present ones are divided.
    pub(super) fn sides(&self) -> &'static [Option<Side>] {
        if self.missing.is_empty() { &[None] } else { &[Some(Side::Right), Some(Side::Left)] }
    }

    /// Moves missing rows to their side, and all others to the right.
    pub(super) fn start<S: Scorer>(&self, scorer: &mut S, missing: Option<Side>) -> S::Left {
        let mut left = scorer.start();
        if missing == Some(Side::Left) {
            self.missing.iter().for_each(|&position| scorer.push(&mut left, position.index()));
        }
        left
    }
}
