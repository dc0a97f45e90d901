//! What following rows takes of a node.

use super::few::Few;
use crate::forest::{RankedNode, Side, TreeView};

/// Marks leaves.
pub(super) const LEAF: u32 = u32::MAX;

/// The kind of questions other than thresholds.
pub(super) const OTHER: u32 = 2;

/// The bits of [`Place::column`]: the column, whether the left and the right child are inner nodes,
/// and the kind of the question.
pub(super) const KIND: u32 = 30;
pub(super) const INNER: u32 = 28;
pub(super) const COLUMN: u32 = (1 << INNER) - 1;

/// All that following a row takes of a node, in half a line of the processor's cache.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// The group it asks about, or [`LEAF`].
    pub(super) asked: u32,
    /// The column, and more.
    pub(super) column: u32,
    /// Left iff code + kind < limit; the kind is 1 where missing values go left, whose code
    /// wraps to 0.
    pub(super) limit: u32,
    pub(super) first_child: u32,
    /// The few rows that go left, and when that was found.
    pub(super) left: Few,
    pub(super) era: u32,
}

impl Place {
    pub(super) fn of(view: &TreeView<'_>, node: RankedNode) -> Self {
        let column = node.column().unwrap_or(0);
        let place = Self {
            asked: node.column().map_or(LEAF, |column| view.group(column) as u32),
            column: column | OTHER << KIND,
            limit: 0,
            first_child: 0,
            left: Few { in_bag: 0, out_of_bag: 0 },
            era: 0,
        };
        match node {
            RankedNode::Leaf => place,
            RankedNode::Below { below, first_child, missing, .. } => {
                let kind = u32::from(missing == Side::Left);
                let is_inner = |child| view.ranked.nodes[child as usize] != RankedNode::Leaf;
                let inner =
                    u32::from(is_inner(first_child)) | u32::from(is_inner(first_child + 1)) << 1;
                let column = column | inner << INNER | kind << KIND;
                Self { column, limit: below + kind, first_child, ..place }
            }
            RankedNode::Other { first_child, .. } => Self { first_child, ..place },
        }
    }

    #[inline]
    pub(super) fn kind(self) -> u32 {
        self.column >> KIND
    }

    /// 1 if a row of these codes goes right, else 0; for thresholds.
    #[inline]
    pub(super) fn right(self, codes: &[u32]) -> u32 {
        let code = codes[(self.column & COLUMN) as usize].wrapping_add(self.kind());
        u32::from(code >= self.limit)
    }
}
