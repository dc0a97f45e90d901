//! What a forest expects for rows when ever more of their values are known: one walk through every
//! tree for many rows and all coalitions that an order of the variables passes.
//!
//! A leaf counts for a row and a coalition by the share of the background rows that take its path
//! at the variables not known, if the row takes its path at those known. With one order for all
//! rows, both are sets that shrink on the way down. At a split on a variable that an order brings
//! later, the coalitions part: in the smaller ones the background rows divide, in the larger ones
//! the rows explained do. So every way holds for a range of sizes of the coalition. What background
//! rows add behind the last division of the rows explained is summed up before it is given to each
//! of these, which is what makes many rows hardly dearer than one.

use crate::counterfactual::Bound;
use crate::measure::shapley::sage::ways::{Asked, RowSet, Ways};

/// The game of one forest: who plays, and over whom absent players are averaged.
#[derive(Debug, Clone, Copy)]
pub(super) struct Game<'a> {
    /// Bound to the table of the rows explained.
    pub(super) bound: &'a Bound<'a>,
    /// Ways of the background rows.
    pub(super) blocks: &'a [Ways],
    pub(super) n_background: usize,
    /// The prediction of a coalition of none, which is that of all rows alike.
    pub(super) nothing_known: &'a [f64],
    /// The player of every column of the table of the rows explained.
    pub(super) players: &'a [u32],
    pub(super) n_players: usize,
}

/// A tree, and the ways of a block of background rows.
#[derive(Debug, Clone, Copy)]
struct BackgroundTree<'a> {
    bound: &'a Bound<'a>,
    rows: &'a Ways,
    tree: usize,
}

/// A division of the rows explained that is still to be made, in coalitions of at least and at most
/// so many players.
#[derive(Debug, Clone, Copy)]
struct Division {
    node: u32,
    least: u32,
    most: u32,
    explained: RowSet,
    background: RowSet,
}

/// Background rows at a node, for coalitions of at most so many players.
#[derive(Debug, Clone, Copy)]
struct Part {
    node: u32,
    most: u32,
    background: RowSet,
}

/// Memory of a walk.
#[derive(Debug, Default)]
pub(super) struct Walk {
    divisions: Vec<Division>,
    parts: Vec<Part>,
    members: Vec<usize>,
    n_rows: usize,
    /// Per size of the coalition, number of a leaf and row, by how much the sums of leaves differ
    /// from the size before.
    changes: Vec<f64>,
    /// The same for all of the rows at hand, per size and number of a leaf.
    common: Vec<f64>,
    /// The sizes from which something changes, in the order found.
    sizes: Vec<u32>,
    changes_at: Vec<bool>,
}

impl Walk {
    /// Begins with new rows or another order.
    pub(super) fn begin(&mut self, game: Game<'_>, n_rows: usize) {
        let (n_sizes, stride) = (game.n_players + 1, game.bound.stride());
        self.n_rows = n_rows;
        self.changes.clear();
        self.changes.resize(n_sizes * stride * n_rows, 0.0);
        self.common.resize(n_sizes * stride, 0.0);
        self.changes_at.resize(n_sizes, false);
    }

    /// Adds the values of a tree. `places` are those of the players in the order.
    pub(super) fn tree(&mut self, game: Game<'_>, tree: usize, rows: &Ways, places: &[u32]) {
        let most = game.n_players as u32;
        for background in game.blocks {
            let part = Part { node: 0, most, background: background.all() };
            let of_tree = BackgroundTree { bound: game.bound, rows: background, tree };
            self.alike(of_tree, places, 0, rows.all(), part);
            while let Some(division) = self.divisions.pop() {
                let Division { node, least, most, background: others, .. } = division;
                let asked = rows.nodes(tree)[node as usize];
                rows.divide(asked, division.explained, |node, explained| {
                    if !explained.is_empty() {
                        let part = Part { node, most, background: others };
                        self.alike(of_tree, places, least, explained, part);
                    }
                });
            }
        }
    }

    /// Follows background rows from a node on, for coalitions of at least so many players. Where the
    /// rows explained part, a division is left for later.
    fn alike(
        &mut self,
        of_tree: BackgroundTree<'_>,
        places: &[u32],
        least: u32,
        explained: RowSet,
        part: Part,
    ) {
        let BackgroundTree { bound, rows: background, tree } = of_tree;
        self.parts.push(part);
        while let Some(Part { node, most, background: others }) = self.parts.pop() {
            let asked = background.nodes(tree)[node as usize];
            let player = match asked {
                Asked::Leaf => {
                    let count = f64::from(others.len());
                    self.add(least..most + 1, bound.node_values(tree, node as usize), count);
                    continue;
                }
                Asked::Two { player, .. } | Asked::Many { player, .. } => player,
            };
            // The coalition has the variable from this size on.
            let known = places[player as usize] + 1;
            if known <= most {
                let least = least.max(known);
                let division = Division { node, least, most, explained, background: others };
                self.divisions.push(division);
            }
            if known > least {
                let most = most.min(known - 1);
                background.divide(asked, others, |node, background| {
                    if !background.is_empty() {
                        self.parts.push(Part { node, most, background });
                    }
                });
            }
        }
        self.give(explained, bound.stride());
    }

    /// Adds the values of so many background rows, for a range of sizes.
    fn add(&mut self, sizes: std::ops::Range<u32>, values: &[f64], count: f64) {
        // What changes from a size that is larger than all is never asked for.
        let end = (sizes.end < self.changes_at.len() as u32).then_some((sizes.end, -count));
        for (size, count) in std::iter::once((sizes.start, count)).chain(end) {
            if !self.changes_at[size as usize] {
                self.changes_at[size as usize] = true;
                self.sizes.push(size);
            }
            let common = &mut self.common[size as usize * values.len()..][..values.len()];
            common.iter_mut().zip(values).for_each(|(common, value)| *common += count * value);
        }
    }

    /// Gives each of the rows what they have in common.
    fn give(&mut self, explained: RowSet, stride: usize) {
        if self.sizes.is_empty() {
            return;
        }
        self.members.clear();
        self.members.extend(explained.places());
        for size in self.sizes.drain(..) {
            self.changes_at[size as usize] = false;
            let start = size as usize * stride;
            for (index, common) in (start..).zip(&mut self.common[start..start + stride]) {
                let of_rows = &mut self.changes[index * self.n_rows..][..self.n_rows];
                self.members.iter().for_each(|&row| of_rows[row] += *common);
                *common = 0.0;
            }
        }
    }

    /// Calls `each` with every size of the coalition, increasing, every row, and the prediction
    /// expected.
    pub(super) fn finish(&mut self, game: Game<'_>, mut each: impl FnMut(usize, usize, &[f64])) {
        let (stride, n_rows) = (game.bound.stride(), self.n_rows);
        let (n_background, n_trees) = (game.n_background as f64, game.bound.n_trees());
        let mut sums = vec![0.0; stride * n_rows];
        let mut means = vec![0.0; stride];
        let mut prediction = vec![0.0; game.bound.n_outputs()];
        let of_sizes = self.changes.chunks_exact(stride * n_rows);
        for (size, changes) in of_sizes.enumerate() {
            sums.iter_mut().zip(changes).for_each(|(sum, change)| *sum += change);
            for row in 0..n_rows {
                let of_row = sums[row..].iter().step_by(n_rows);
                means.iter_mut().zip(of_row).for_each(|(mean, sum)| *mean = sum / n_background);
                game.bound.predict(&means, n_trees, &mut prediction);
                each(size, row, &prediction);
            }
        }
    }
}
