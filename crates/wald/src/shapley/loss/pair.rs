//! A row and a background row: what the forest predicts for all mixtures of both.

use crate::profile::Bound;

/// The place of players that are not in the game.
const NONE: u32 = u32::MAX;

/// Codes of a row in the table that `bound` belongs to, by its canonical columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) bound: &'a Bound<'a>,
    pub(super) codes: &'a [u32],
}

/// A leaf that mixtures come to which have all of some players, and none of others.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    tree: u32,
    leaf: u32,
    has: u64,
    lacks: u64,
}

/// Mixtures on their way.
#[derive(Debug, Clone, Copy)]
struct Part {
    node: u32,
    has: u64,
    lacks: u64,
}

/// Memory for one pair after the other.
#[derive(Debug, Default)]
pub(super) struct Pair {
    /// The players whose values matter, and by player its place among them.
    pub(super) players: Vec<u32>,
    places: Vec<u32>,
    arrivals: Vec<Arrival>,
    stack: Vec<Part>,
    /// By mixture and output.
    sums: Vec<f64>,
}

impl Pair {
    /// Finds the players that matter, and the leaves that mixtures come to. `player` tells who plays
    /// each column of the forest. False where more than `most` matter, at most 64. Cost O(leaves that
    /// mixtures come to * depth).
    pub(super) fn meet(
        &mut self,
        (row, other): (Side<'_>, Side<'_>),
        (player, n_players): (&[u32], usize),
        most: usize,
    ) -> bool {
        self.players.clear();
        self.places.clear();
        self.places.resize(n_players, NONE);
        self.arrivals.clear();
        for tree in 0..row.bound.n_trees() {
            let routers = [row.bound.router(tree), other.bound.router(tree)];
            self.stack.clear();
            self.stack.push(Part { node: 0, has: 0, lacks: 0 });
            while let Some(part) = self.stack.pop() {
                let node = part.node as usize;
                let Some(split) = routers[0].split(node) else {
                    let (tree, leaf) = (tree as u32, part.node);
                    self.arrivals.push(Arrival { tree, leaf, has: part.has, lacks: part.lacks });
                    continue;
                };
                let child = |side: usize, codes: &[u32]| {
                    let column = routers[side].ranked.nodes[node].column().unwrap_or_default();
                    split.first_child + routers[side].child_of_code(node, codes[column as usize])
                };
                let (own, others) = (child(0, row.codes), child(1, other.codes));
                if own == others {
                    self.stack.push(Part { node: own, ..part });
                    continue;
                }
                let place = &mut self.places[player[split.feature as usize] as usize];
                if *place == NONE {
                    if self.players.len() == most {
                        return false;
                    }
                    *place = self.players.len() as u32;
                    self.players.push(player[split.feature as usize]);
                }
                let bit = 1_u64 << *place;
                if part.lacks & bit == 0 {
                    self.stack.push(Part { node: own, has: part.has | bit, ..part });
                }
                if part.has & bit == 0 {
                    self.stack.push(Part { node: others, lacks: part.lacks | bit, ..part });
                }
            }
        }
        true
    }

    /// What the forest predicts for every mixture: calls `each` with the set of the players, as bits
    /// by their places, and the prediction. Cost O(2^players * trees) at most.
    pub(super) fn predictions(
        &mut self,
        bound: &Bound<'_>,
        prediction: &mut [f64],
        mut each: impl FnMut(usize, &[f64]),
    ) {
        let stride = bound.stride();
        let n_mixtures = 1_usize << self.players.len();
        self.sums.clear();
        self.sums.resize(n_mixtures * stride, 0.0);
        for arrival in &self.arrivals {
            let says = bound.say(arrival.tree as usize, arrival.leaf as usize);
            let (has, lacks) = (arrival.has as usize, arrival.lacks as usize);
            let free = (n_mixtures - 1) & !(has | lacks);
            // All subsets of the free players.
            let mut some = 0;
            loop {
                let sums = &mut self.sums[(has | some) * stride..][..stride];
                sums.iter_mut().zip(says).for_each(|(sum, say)| *sum += say);
                some = some.wrapping_sub(free) & free;
                if some == 0 {
                    break;
                }
            }
        }
        for (mixture, sums) in self.sums.chunks_exact(stride).enumerate() {
            bound.predict(sums, bound.n_trees(), prediction);
            each(mixture, prediction);
        }
    }
}
