//! What a forest expects for a row when ever more of its values are known: one walk through every
//! tree for all coalitions that an order of the variables passes.
//!
//! A background row and the row at hand part where they take different ways. Behind such a node
//! the way of the row at hand holds for the coalitions that have the variable, that of the
//! background row for those that have not. As coalitions grow along the order, every way holds
//! for a range of their sizes; background rows that share a way and a range go together.

use crate::measure::sage::background::{Asked, Background, RowSet};
use crate::profile::Bound;

/// The game of one forest: who plays, and over whom absent players are averaged.
#[derive(Debug, Clone, Copy)]
pub(super) struct Game<'a> {
    /// Bound to the table of the rows at hand.
    pub(super) bound: &'a Bound<'a>,
    pub(super) blocks: &'a [Background],
    pub(super) n_background: usize,
    pub(super) n_players: usize,
}

/// Background rows at a node, and the sizes of the coalitions for which they are there.
#[derive(Debug, Clone, Copy)]
struct Part {
    node: u32,
    least: u32,
    most: u32,
    rows: RowSet,
}

/// Memory of walks.
#[derive(Debug, Default)]
pub(super) struct Walk {
    stack: Vec<Part>,
    /// Per size of the coalition, by how much the sums of leaves differ from the size before.
    changes: Vec<f64>,
}

impl Walk {
    /// Begins with a new row and order.
    pub(super) fn begin(&mut self, game: Game<'_>) {
        self.changes.clear();
        // One size more than there are, where what holds for all sizes ends.
        self.changes.resize((game.n_players + 2) * game.bound.stride(), 0.0);
    }

    /// Adds what a tree says. `codes` are those of the row at hand by canonical column, `places`
    /// those of the players in the order.
    pub(super) fn tree(&mut self, game: Game<'_>, tree: usize, codes: &[u32], places: &[u32]) {
        for background in game.blocks {
            let (node, most) = (0, game.n_players as u32);
            self.stack.push(Part { node, least: 0, most, rows: background.all() });
            while let Some(part) = self.stack.pop() {
                self.visit(part, (game, background, tree), codes, places);
            }
        }
    }

    fn visit(
        &mut self,
        part: Part,
        (game, background, tree): (Game<'_>, &Background, usize),
        codes: &[u32],
        places: &[u32],
    ) {
        let (player, first_child) = match background.nodes(tree)[part.node as usize] {
            Asked::Leaf => return self.leaf(part, game.bound, tree),
            Asked::Two { player, first_child, .. } | Asked::Many { player, first_child, .. } => {
                (player, first_child)
            }
        };
        let node = part.node as usize;
        let router = game.bound.router(tree);
        // The table of the row at hand may have its columns in another order.
        let Some(column) = router.ranked.nodes[node].column() else { return };
        let own = router.child_of_code(node, codes[column as usize]);
        // The coalition has the variable from this size on.
        let known = places[player as usize] + 1;
        if part.least >= known {
            self.stack.push(Part { node: first_child + own, ..part });
            return;
        }
        let unknown = part.most.min(known - 1);
        let mut others = part.rows;
        let mut away = |child: u32, rows: RowSet| {
            if child == own {
                others = part.rows.without(rows);
            } else if !rows.is_empty() {
                let node = first_child + child;
                self.stack.push(Part { node, least: part.least, most: unknown, rows });
            }
        };
        match background.nodes(tree)[part.node as usize] {
            Asked::Leaf => {}
            Asked::Two { set, .. } => {
                let first = part.rows.and(background.set(set));
                away(0, first);
                away(1, part.rows.without(first));
            }
            Asked::Many { set, n_children, .. } => {
                for child in 0..n_children {
                    away(child, part.rows.and(background.set(set + child)));
                }
            }
        }
        let node = first_child + own;
        let same = part.rows.without(others);
        if !same.is_empty() {
            self.stack.push(Part { node, rows: same, ..part });
        }
        if known <= part.most && !others.is_empty() {
            self.stack.push(Part { node, least: known, rows: others, ..part });
        }
    }

    fn leaf(&mut self, part: Part, bound: &Bound<'_>, tree: usize) {
        let count = f64::from(part.rows.len());
        let stride = bound.stride();
        let start = part.least as usize * stride;
        let end = (part.most as usize + 1) * stride;
        for (index, value) in bound.say(tree, part.node as usize).iter().enumerate() {
            self.changes[start + index] += count * value;
            self.changes[end + index] -= count * value;
        }
    }

    /// Calls `each` with the expected prediction of every size of the coalition, increasing.
    pub(super) fn finish(
        &mut self,
        game: Game<'_>,
        sums: &mut Vec<f64>,
        prediction: &mut [f64],
        mut each: impl FnMut(&[f64]),
    ) {
        let stride = game.bound.stride();
        sums.clear();
        sums.resize(stride, 0.0);
        let (n_background, n_trees) = (game.n_background as f64, game.bound.n_trees());
        let mut means = vec![0.0; stride];
        for changes in self.changes.chunks_exact(stride).take(game.n_players + 1) {
            for ((sum, change), mean) in sums.iter_mut().zip(changes).zip(&mut means) {
                *sum += change;
                *mean = *sum / n_background;
            }
            game.bound.predict(&means, n_trees, prediction);
            each(prediction);
        }
    }
}
