//! A row and a background row: which columns differ, and which leaves coalitions of the two rows
//! reach.

use crate::counterfactual::Bound;
use crate::tree_shap::loss::patterns::{Literal, Patterns};

/// The place of players that are not in the game.
const NONE: u32 = u32::MAX;

/// Codes of a row in the table that `bound` belongs to, by its canonical columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) bound: &'a Bound<'a>,
    pub(super) codes: &'a [u32],
}

/// Mixtures that reach a node by so many literals, and one more.
#[derive(Debug, Clone, Copy)]
struct Part {
    node: u32,
    n_literals: usize,
    more: Option<Literal>,
}

/// A leaf that mixtures reach, and where its literals end.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    leaf: u32,
    end: usize,
}

/// Memory for one pair after the other.
#[derive(Debug, Default)]
pub(super) struct Pair {
    /// The players whose values matter, and by player its place among them.
    pub(super) players: Vec<u32>,
    /// What mixtures add to the prediction for the background row, or to nothing.
    pub(super) patterns: Patterns,
    places: Vec<u32>,
    stack: Vec<Part>,
    /// On the path to a node: its literals, and by place what they require.
    path: Vec<Literal>,
    required: Vec<Option<Literal>>,
    /// Of the tree at hand.
    arrivals: Vec<Arrival>,
    literals: Vec<Literal>,
    found: Patterns,
    above: Vec<f64>,
    adds: Vec<f64>,
}

impl Pair {
    /// Finds which columns differ, and the leaves that coalitions reach. `player` is who plays each
    /// column of the forest. Predictions are counted from that for the background row, so that a
    /// large offset costs no digits, or `from_zero`, so that shares of zero stay zero, whose
    /// logarithm matters. Cost O(leaves that mixtures reach * depth).
    pub(super) fn meet(
        &mut self,
        row: Side<'_>,
        other: Side<'_>,
        player: &[u32],
        n_players: usize,
        from_zero: bool,
    ) {
        self.players.clear();
        self.places.clear();
        self.places.resize(n_players, NONE);
        self.required.clear();
        let bound = row.bound;
        self.found.begin(bound.n_outputs());
        self.adds.clear();
        self.adds.resize(bound.n_outputs(), 0.0);
        for tree in 0..bound.n_trees() {
            self.walk(tree, row, other, player);
            let mut start = 0;
            // A mixture that has nothing is the background row.
            let mut base = 0;
            for arrival in &self.arrivals {
                if !self.literals[start..arrival.end].iter().any(|literal| literal.has()) {
                    base = arrival.leaf as usize;
                }
                start = arrival.end;
            }
            start = 0;
            for arrival in &self.arrivals {
                let node_values = bound
                    .node_values(tree, arrival.leaf as usize)
                    .iter()
                    .zip(bound.node_values(tree, base));
                self.above.clear();
                self.above.extend(
                    node_values.map(|(value, base)| if from_zero { *value } else { value - base }),
                );
                bound.predict(&self.above, bound.n_trees(), &mut self.adds);
                let literals = &self.literals[start..arrival.end];
                self.found.push(literals.iter().copied(), self.adds.iter().copied());
                start = arrival.end;
            }
        }
        self.found.merge(&mut self.patterns);
    }

    /// Finds where mixtures end in a tree.
    fn walk(&mut self, tree: usize, row: Side<'_>, other: Side<'_>, player: &[u32]) {
        let routers = [row.bound.router(tree), other.bound.router(tree)];
        self.arrivals.clear();
        self.literals.clear();
        self.stack.clear();
        self.stack.push(Part { node: 0, n_literals: 0, more: None });
        while let Some(part) = self.stack.pop() {
            for literal in self.path.drain(part.n_literals..) {
                self.required[literal.place()] = None;
            }
            if let Some(literal) = part.more {
                self.required[literal.place()] = Some(literal);
                self.path.push(literal);
            }
            let node = part.node as usize;
            let Some(split) = routers[0].split(node) else {
                self.literals.extend_from_slice(&self.path);
                self.arrivals.push(Arrival { leaf: part.node, end: self.literals.len() });
                continue;
            };
            let child = |side: usize, codes: &[u32]| {
                let column = routers[side].ranked.nodes[node].column().unwrap_or_default();
                split.first_child + routers[side].child_of_code(node, codes[column as usize])
            };
            let (own, others) = (child(0, row.codes), child(1, other.codes));
            let n_literals = self.path.len();
            let next = |node: u32, more: Option<Literal>| Part { node, n_literals, more };
            if own == others {
                self.stack.push(next(own, None));
                continue;
            }
            let player = player[split.feature as usize];
            let place = &mut self.places[player as usize];
            if *place == NONE {
                *place = self.players.len() as u32;
                self.players.push(player);
                self.required.push(None);
            }
            if let Some(literal) = self.required[*place as usize] {
                self.stack.push(next(if literal.has() { own } else { others }, None));
            } else {
                self.stack.push(next(own, Some(Literal::new(*place, true))));
                self.stack.push(next(others, Some(Literal::new(*place, false))));
            }
        }
        for literal in self.path.drain(..) {
            self.required[literal.place()] = None;
        }
    }
}
