//! What following rows takes of a node.

use crate::forest::{RankedNode, Side};
use crate::pass::TreeView;

/// The group of leaves.
pub(crate) const LEAF: u32 = u32::MAX;

/// The kind of splits other than thresholds.
const OTHER: u32 = 2;

/// The bits of `PackedSplit::packed`: the column, whether the left and the right child are inner
/// nodes, and the kind of the split.
const KIND: u32 = 30;
const INNER: u32 = 28;
const COLUMN: u32 = (1 << INNER) - 1;

/// A node's split, so small that four of them share a line of the processor's cache.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PackedSplit {
    /// The group that it splits on, or [`LEAF`].
    pub(crate) group: u32,
    pub(crate) first_child: u32,
    packed: u32,
    /// Left iff code + kind < limit; the kind is 1 where missing values go left, whose code
    /// wraps to 0.
    limit: u32,
}

impl PackedSplit {
    /// The splits of all nodes.
    pub(crate) fn all<'a>(view: &'a TreeView<'_>) -> impl Iterator<Item = Self> + 'a {
        view.ranked.nodes.iter().map(|node| Self::of(view, *node))
    }

    fn of(view: &TreeView<'_>, node: RankedNode) -> Self {
        let group = |column| view.group(column) as u32;
        match node {
            RankedNode::Leaf => {
                Self { group: LEAF, first_child: 0, packed: OTHER << KIND, limit: 0 }
            }
            RankedNode::Below { column, below, first_child, missing } => {
                let kind = u32::from(missing == Side::Left);
                let is_inner = |child| {
                    let node = view.ranked.nodes[(first_child + child) as usize];
                    u32::from(node != RankedNode::Leaf)
                };
                let inner = is_inner(0) | is_inner(1) << 1;
                let packed = column | inner << INNER | kind << KIND;
                Self { group: group(column), first_child, packed, limit: below + kind }
            }
            RankedNode::Other { column, first_child } => {
                let packed = column | OTHER << KIND;
                Self { group: group(column), first_child, packed, limit: 0 }
            }
        }
    }

    #[inline]
    pub(crate) fn column(self) -> usize {
        (self.packed & COLUMN) as usize
    }

    #[inline]
    pub(crate) fn is_threshold(self) -> bool {
        self.packed >> KIND != OTHER
    }

    /// True when the left (0) or right (1) child of a threshold is no leaf.
    #[inline]
    pub(crate) fn is_inner(self, child: u32) -> bool {
        self.packed >> (INNER + child) & 1 == 1
    }

    /// True when rows whose value is missing go left; for thresholds.
    #[inline]
    pub(crate) fn missing_go_left(self) -> bool {
        self.packed >> KIND == 1
    }

    /// 1 if a row of these codes goes right, else 0; for thresholds.
    #[inline]
    pub(crate) fn right(self, codes: &[u32]) -> u32 {
        let code = codes[self.column()].wrapping_add(self.packed >> KIND);
        u32::from(code >= self.limit)
    }
}
