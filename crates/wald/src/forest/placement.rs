//! Where a set of rows lies in a tree: one pass that all measures share.

use crate::forest::ranked::{RankedNode, Router};
use crate::forest::tree::{Node, Tree};

/// Rows arranged so that the rows reaching any node are one contiguous slice.
#[derive(Debug, Clone, Default)]
pub(crate) struct Placement {
    rows: Vec<u32>,
    /// Per node: where its slice starts and ends.
    spans: Vec<(u32, u32)>,
    pending: Vec<(u32, u32, u32)>,
}

impl Placement {
    /// Drops `rows` through the tree, reusing this placement's memory.
    pub(crate) fn place(&mut self, router: &Router<'_>, rows: impl Iterator<Item = u32>) {
        self.rows.clear();
        self.rows.extend(rows);
        self.spans.clear();
        self.spans.resize(router.ranked.nodes.len(), (0, 0));
        self.pending.clear();
        self.pending.push((0, 0, self.rows.len() as u32));
        while let Some((node, start, end)) = self.pending.pop() {
            self.spans[node as usize] = (start, end);
            if start == end || router.ranked.nodes[node as usize] == RankedNode::Leaf {
                continue;
            }
            let slice = &mut self.rows[start as usize..end as usize];
            let pending = &mut self.pending;
            let n_pending = pending.len();
            router.partition(node as usize, slice, |child, part| {
                pending.push((child as u32, start + part.start as u32, start + part.end as u32));
            });
            // Nodes lie in memory in the order of growing, which grows the left branch first.
            pending[n_pending..].reverse();
        }
    }

    /// The rows that reach a node.
    pub(crate) fn rows(&self, node: usize) -> &[u32] {
        let (start, end) = self.spans[node];
        &self.rows[start as usize..end as usize]
    }

    /// The leaves of the tree, with the rows that reach each.
    pub(crate) fn leaves(&self, tree: &Tree) -> impl Iterator<Item = (usize, &[u32])> {
        let leaves = tree.nodes().iter().enumerate().filter(|(_, node)| **node == Node::Leaf);
        leaves.map(|(leaf, _)| (leaf, self.rows(leaf)))
    }

    /// Where the rows that reach a node lie among all rows.
    pub(crate) fn span(&self, node: usize) -> std::ops::Range<usize> {
        let (start, end) = self.spans[node];
        start as usize..end as usize
    }

    /// All rows placed.
    pub(crate) fn all(&self) -> &[u32] {
        &self.rows
    }
}
