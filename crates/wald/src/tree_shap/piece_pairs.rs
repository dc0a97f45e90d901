//! The pairs of columns inside of a piece, for one state of its rows after the other.

use crate::tree_shap::factors::{AtEdge, Places};
use crate::tree_shap::outline::{ColumnSplits, LEAF, Outline, PieceNode};
use crate::tree_shap::small_subtrees::MOST_COLUMNS;

/// The gains of the columns of a piece at its nodes.
#[derive(Debug, Default)]
pub(super) struct PiecePairs<const Q: usize> {
    /// Of columns not split on above, of those that the row does not satisfy, of those at the top
    /// of the piece, and of those that the edges above the nodes are on.
    gains: Vec<[f64; Q]>,
    /// Which of these columns are split on above the piece.
    is_above: [bool; MOST_COLUMNS],
    /// By node, then by column: which of the gains.
    held: Vec<[u32; MOST_COLUMNS]>,
    n_columns: usize,
}

/// Gains that stand first.
const UNSPLIT: u32 = 0;
const LEFT: u32 = 1;
const TOP: u32 = 2;
const NODES: u32 = TOP + MOST_COLUMNS as u32;

/// Pairs of different columns, of so many.
pub(super) fn n_piece_pairs(n_columns: usize) -> usize {
    n_columns * n_columns.saturating_sub(1) / 2
}

impl<const Q: usize> PiecePairs<Q> {
    /// Prepares a piece.
    pub(super) fn fill(
        &mut self,
        places: &Places<Q>,
        outline: &Outline,
        column_splits: &[ColumnSplits],
        nodes: &[PieceNode],
    ) {
        self.n_columns = column_splits.len();
        self.held.resize(nodes.len(), [UNSPLIT; MOST_COLUMNS]);
        self.gains.clear();
        self.gains.resize(NODES as usize + nodes.len(), [0.0; Q]);
        self.gains[LEFT as usize] = places.gain_of_left();
        // The topmost edge on a column knows its share above. Nodes go from the last one up, so that
        // it is visited after those below.
        for (position, node) in nodes.iter().enumerate().skip(1).rev() {
            let edge = &outline.edges[node.edge as usize];
            self.gains[NODES as usize + position] = places.gain(edge.after);
            let column = nodes[node.parent as usize].column;
            if column != LEAF {
                self.gains[(TOP + column) as usize] = places.gain(edge.before);
            }
        }
        for (is_above, splits) in self.is_above.iter_mut().zip(column_splits) {
            *is_above = splits.is_above;
        }
    }

    /// Begins at the first node with rows that satisfy some of the columns, as bits.
    pub(super) fn begin(&mut self, satisfied: u32) {
        let Some(first) = self.held.first_mut() else { return };
        for (column, (held, &is_above)) in first.iter_mut().zip(&self.is_above).enumerate() {
            *held = match (is_above, satisfied >> column & 1 == 1) {
                (false, _) => UNSPLIT,
                (true, true) => TOP + column as u32,
                (true, false) => LEFT,
            };
        }
    }

    /// Goes from a node to one below, over an edge on a column.
    pub(super) fn step(&mut self, parent: usize, position: usize, column: u32, how: AtEdge) {
        let mut held = self.held[parent];
        match how {
            AtEdge::Takes => held[column as usize] = NODES + position as u32,
            AtEdge::Leaves => held[column as usize] = LEFT,
            AtEdge::Unsatisfied => {}
        }
        self.held[position] = held;
    }

    /// Adds the pairs of a column that an edge below a node corrects by `term`, and the others; the
    /// pairs of the second column follow those of the first.
    #[inline]
    pub(super) fn add(&self, node: usize, column: u32, term: &[f64; Q], pairs: &mut [[f64; Q]]) {
        let column = column as usize;
        for (other, &held) in self.held[node][..self.n_columns].iter().enumerate() {
            if other == column || held == UNSPLIT {
                continue;
            }
            let gain = &self.gains[held as usize];
            let sums = &mut pairs[n_piece_pairs(column.max(other)) + column.min(other)];
            for at in 0..Q {
                sums[at] += term[at] * gain[at];
            }
        }
    }
}
