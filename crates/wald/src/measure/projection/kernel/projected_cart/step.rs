//! What is divided at a node of a projected tree.

use std::ops::Range;

/// With at most this many in-bag rows a cell's rows become bits.
pub(super) const FEW: usize = 20;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// A cell within a level of the tree.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) in_bag: Range<usize>,
    pub(super) out_of_bag: Range<usize>,
    /// The in-bag rows of the whole cell of the level before.
    pub(super) before: Range<usize>,
    /// The nodes of this level that are still to be asked.
    pub(super) nodes: Range<usize>,
    /// Where the nodes of the next level begin.
    pub(super) next: usize,
    /// Nodes known when the step was put aside, and one more.
    pub(super) n_nodes: usize,
    pub(super) more: Option<u32>,
}

/// Appends an item if it is to be kept. It is written in any case, because whether cannot be foreseen.
#[inline]
pub(super) fn keep<T>(items: &mut Vec<T>, item: T, is_kept: bool) {
    items.push(item);
    items.truncate(items.len() - usize::from(!is_kept));
}
