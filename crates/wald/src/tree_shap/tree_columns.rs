//! The columns that a tree splits on.

use crate::forest::{RankedNode, Router};

/// The place of columns that the tree does not split on.
const NONE: u32 = u32::MAX;

/// The columns that a tree splits on; the position of a column among them is its *place*.
#[derive(Debug, Default)]
pub(super) struct TreeColumns {
    /// Canonical columns, in the order of the nodes.
    pub(super) used: Vec<u32>,
    /// By place: whether all splits are thresholds.
    pub(super) is_plain: Vec<bool>,
    /// By canonical column: its place, or [`NONE`].
    pub(super) places: Vec<u32>,
}

impl TreeColumns {
    /// Forgets the tree before, and finds the columns of this one.
    pub(super) fn fill(&mut self, router: &Router<'_>) {
        self.used.clear();
        self.is_plain.clear();
        self.places.clear();
        self.places.resize(router.features.n_columns(), NONE);
        for node in &router.ranked.nodes {
            let Some(column) = node.column() else { continue };
            let place = &mut self.places[column as usize];
            if *place == NONE {
                *place = self.used.len() as u32;
                self.used.push(column);
                self.is_plain.push(true);
            }
            self.is_plain[*place as usize] &= matches!(node, RankedNode::Below { .. });
        }
    }

    /// The place of the column that a node splits on; `None` for leaves.
    pub(super) fn place(&self, node: &RankedNode) -> Option<u32> {
        node.column().map(|column| self.places[column as usize])
    }
}
