//! Background rows, and which of them take an edge, as bits.

use std::ops::Range;

use crate::counterfactual::Bound;
use crate::data::{MISSING_CODE, RankedFeatures};
use crate::error::Error;
use crate::forest::{Forest, RankedNode, Side};
use crate::run::Run;

/// Background rows of one part; they are bits of a number.
pub(crate) const TOGETHER: usize = 128;

/// Rows over which variables that are not known are averaged, each counting once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Background<'a> {
    /// The forest, bound to their table; they are all its rows, at least one.
    bound: &'a Bound<'a>,
}

/// Background rows, and the tree that is to predict for them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BackgroundOfTree<'a> {
    rows: Background<'a>,
    tree: usize,
}

/// Set `place` of a number of rows, the first `n` of them.
pub(super) fn first(n: usize) -> u128 {
    if n >= TOGETHER { u128::MAX } else { (1 << n) - 1 }
}

/// The places of a set, increasing.
#[derive(Debug, Clone)]
pub(super) struct Places {
    left: u64,
    first: usize,
    /// The second half of the set.
    rest: u64,
}

/// The places of a set.
#[inline]
pub(super) fn places(set: u128) -> Places {
    Places { left: set as u64, first: 0, rest: (set >> 64) as u64 }
}

impl Iterator for Places {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.left == 0 {
            if self.rest == 0 {
                return None;
            }
            *self = Self { left: self.rest, first: TOGETHER / 2, rest: 0 };
        }
        let place = self.first + self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(place)
    }
}

impl<'a> Background<'a> {
    /// Binds a forest to a table of background rows.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(crate) fn bound<'b>(
        forest: &'b Forest,
        rows: &'b RankedFeatures,
        run: &Run,
    ) -> Result<Bound<'b>, Error> {
        Bound::new(forest, rows, forest.aggregation(), run)
    }

    pub(crate) fn new(bound: &'a Bound<'a>) -> Self {
        Self { bound }
    }

    pub(crate) fn n_rows(self) -> usize {
        self.bound.features().n_rows()
    }

    /// The rows for one tree.
    pub(crate) fn of_tree(self, tree: usize) -> BackgroundOfTree<'a> {
        BackgroundOfTree { rows: self, tree }
    }

    /// The forest's predictions for the background rows in a tree, relative to those of its root:
    /// the mean, one number per output.
    pub(crate) fn above_root(self, tree: usize) -> Vec<f64> {
        let router = self.bound.router(tree);
        let root = self.bound.node_values(tree, 0);
        let mut sums = vec![0.0; root.len()];
        for row in 0..self.n_rows() {
            let code = |column: u32| router.features.column(column).codes()[row];
            let node_values = self.bound.node_values(tree, router.descend(0, code));
            let terms = sums.iter_mut().zip(node_values.iter().zip(root));
            terms.for_each(|(sum, (value, root))| *sum += value - root);
        }
        let n_rows = self.n_rows() as f64;
        sums.iter_mut().for_each(|sum| *sum /= n_rows);
        sums
    }
}

impl BackgroundOfTree<'_> {
    pub(super) fn n_rows(self) -> usize {
        self.rows.n_rows()
    }

    /// The rows, at most [`TOGETHER`] at a time.
    pub(super) fn parts(self) -> impl Iterator<Item = Range<usize>> {
        let n_rows = self.n_rows();
        (0..n_rows).step_by(TOGETHER).map(move |start| start..n_rows.min(start + TOGETHER))
    }

    /// By node: which of `rows`, at most [`TOGETHER`], would take the edge to it if they
    /// were at the node above. Cost O(nodes * rows).
    pub(super) fn on_edges(self, rows: Range<usize>, sets: &mut Vec<u128>) {
        let router = self.rows.bound.router(self.tree);
        sets.clear();
        sets.resize(router.ranked.nodes.len(), 0);
        for (node, ranked) in router.ranked.nodes.iter().enumerate() {
            let Some(column) = ranked.column() else { continue };
            let codes = &router.features.column(column).codes()[rows.clone()];
            match *ranked {
                RankedNode::Leaf => {}
                RankedNode::Below { below, first_child, missing, .. } => {
                    let left = below_set(codes, below, missing);
                    sets[first_child as usize] = left;
                    sets[first_child as usize + 1] = first(rows.len()) & !left;
                }
                RankedNode::Other { first_child, .. } => {
                    for (place, &code) in codes.iter().enumerate() {
                        let child = first_child + router.child_of_code(node, code);
                        sets[child as usize] |= 1 << place;
                    }
                }
            }
        }
    }
}

/// The places of codes that go left.
fn below_set(codes: &[u32], below: u32, missing: Side) -> u128 {
    // The code of a missing value is larger than every threshold, and wraps to 0.
    let shift = u32::from(missing == Side::Left);
    debug_assert_eq!(MISSING_CODE.wrapping_add(1), 0);
    let mut words = [0_u64; 2];
    for (word, codes) in words.iter_mut().zip(codes.chunks(64)) {
        for (place, code) in codes.iter().enumerate() {
            *word |= u64::from(code.wrapping_add(shift) < below + shift) << place;
        }
    }
    u128::from(words[0]) | u128::from(words[1]) << 64
}
