//! What following rows takes of a node.

use crate::data::MISSING_CODE;
use crate::forest::{RankedNode, Rule, Side};
use crate::pass::TreeView;

/// The group of leaves.
pub(crate) const LEAF: u32 = u32::MAX;

/// The kind of splits other than thresholds, and of those among them that divide few levels.
const OTHER: u32 = 2;
const LEVELS: u32 = 3;

/// Levels of which the sides are the bits of a number; the last bit is that of missing values.
const MOST_LEVELS: usize = 31;

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
    /// Of thresholds: left iff code + kind < limit; the kind is 1 where missing values go left, whose
    /// code wraps to 0. Of levels: one bit each, 1 for the right.
    limit: u32,
}

/// Which way codes go.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sides {
    /// Left iff code + shift < limit, where the sum wraps.
    Threshold { shift: u32, limit: u32 },
    /// Right iff the bit of the code is 1, or the last bit for larger codes.
    Levels { right: u32, last: u32 },
}

impl PackedSplit {
    /// The splits of all nodes.
    pub(crate) fn all<'a>(view: &'a TreeView<'_>) -> impl Iterator<Item = Self> + 'a {
        (0..view.ranked.nodes.len()).map(|node| Self::of(view, node))
    }

    fn of(view: &TreeView<'_>, at: usize) -> Self {
        let group = |column| view.group(column) as u32;
        let inner = |first_child: u32| {
            let is_inner = |child| {
                let node = view.ranked.nodes[(first_child + child) as usize];
                u32::from(node != RankedNode::Leaf)
            };
            (is_inner(0) | is_inner(1) << 1) << INNER
        };
        match view.ranked.nodes[at] {
            RankedNode::Leaf => {
                Self { group: LEAF, first_child: 0, packed: OTHER << KIND, limit: 0 }
            }
            RankedNode::Below { column, below, first_child, missing } => {
                let kind = u32::from(missing == Side::Left);
                let packed = column | inner(first_child) | kind << KIND;
                Self { group: group(column), first_child, packed, limit: below + kind }
            }
            RankedNode::Other { column, first_child } => {
                let (packed, limit) = match sides_of_levels(view, at, column) {
                    Some(sides) => (column | inner(first_child) | LEVELS << KIND, sides),
                    None => (column | OTHER << KIND, 0),
                };
                Self { group: group(column), first_child, packed, limit }
            }
        }
    }

    /// A split of a column into two leaves.
    #[cfg(test)]
    pub(crate) fn of_column(column: u32, sides: Sides) -> Self {
        let (kind, limit) = match sides {
            Sides::Threshold { shift, limit } => (shift, limit),
            Sides::Levels { right, .. } => (LEVELS, right),
        };
        Self { group: 0, first_child: 1, packed: column | kind << KIND, limit }
    }

    /// The same where codes of columns are found in other places.
    #[must_use]
    pub(crate) fn with_column(self, place_of: impl Fn(u32) -> u32) -> Self {
        if self.group == LEAF {
            return self;
        }
        Self { packed: self.packed & !COLUMN | place_of(self.packed & COLUMN), ..self }
    }

    #[inline]
    pub(crate) fn column(self) -> usize {
        (self.packed & COLUMN) as usize
    }

    /// True when [`Self::right_of`] returns the side of a code.
    #[inline]
    pub(crate) fn knows_sides(self) -> bool {
        self.packed >> KIND != OTHER
    }

    /// True when the left (0) or right (1) child of a split whose sides are known is no leaf.
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
        let code = codes[self.column()];
        u32::from(code.wrapping_add(self.packed >> KIND) >= self.limit)
    }

    /// 1 if a row with this code of the column goes right, else 0; where sides are known.
    #[inline]
    pub(crate) fn right_of(self, code: u32) -> u32 {
        match self.sides() {
            Sides::Threshold { shift, limit } => u32::from(code.wrapping_add(shift) >= limit),
            Sides::Levels { right, last } => right >> code.min(last) & 1,
        }
    }

    /// The sides of codes, where they are known.
    #[inline]
    pub(crate) fn sides(self) -> Sides {
        if self.packed >> KIND == LEVELS {
            return Sides::Levels { right: self.limit, last: MOST_LEVELS as u32 };
        }
        Sides::Threshold { shift: self.packed >> KIND, limit: self.limit }
    }
}

/// The sides of the levels of a split into two, one bit each; `None` of more levels or children.
fn sides_of_levels(view: &TreeView<'_>, node: usize, column: u32) -> Option<u32> {
    let router = view.router();
    let n_codes = view.training.features().column(column).n_codes();
    let is_binary = !matches!(router.split(node)?.rule, Rule::Multiway { .. });
    (is_binary && n_codes <= MOST_LEVELS).then(|| {
        let codes = (0..n_codes as u32).zip(0..).chain([(MISSING_CODE, MOST_LEVELS)]);
        codes.fold(0, |sides, (code, bit)| sides | router.child_of_code(node, code) << bit)
    })
}
