//! Blocks of rows, and what an order of the variables takes off their loss.

use crate::data::Training;
use crate::error::Error;
use crate::measure::sage::estimate::Visit;
use crate::measure::sage::walk::{Game, Walk};
use crate::measure::sage::ways::Ways;
use crate::measure::{Loss, prediction_loss};
use crate::monitor::Monitor;
use crate::random::{Purpose, Stream};

/// Rows whose loss is explained, and the game that their variables play.
#[derive(Debug, Clone, Copy)]
pub(super) struct Explained<'a> {
    pub(super) game: Game<'a>,
    pub(super) rows: &'a Training,
    pub(super) loss: Loss,
    pub(super) seed: u64,
}

/// What all variables together take off the loss.
#[derive(Debug)]
pub(super) struct Total {
    pub(super) of_rows: Vec<f64>,
    /// The weighted mean.
    pub(super) mean: f64,
    /// The weight of the rows.
    pub(super) weight: f64,
}

impl Total {
    /// By how much it is more for a row than on the mean.
    fn gap(&self, row: u32) -> f64 {
        self.of_rows[row as usize] - self.mean
    }
}

/// Memory of one thread.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// An order, and the same backwards.
    walks: [Walk; 2],
    places: [Vec<u32>; 2],
    losses: Vec<[f64; 2]>,
}

impl Explained<'_> {
    /// Sees a block of rows with two orders of the variables, each there and back.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(super) fn visit(
        self,
        (number, block, members): (usize, usize, &[u32]),
        total: &Total,
        memory: &mut Memory,
        monitor: &Monitor,
    ) -> Result<Visit, Error> {
        let game = self.game;
        let ways = Ways::new(game.bound, |column| game.players[column as usize], members);
        let mut visit = self.nothing_seen(block, members, total);
        for order in 0..visit.means.len() {
            self.draw(visit.means.len() * number + order, &mut memory.places);
            memory.walks.iter_mut().for_each(|walk| walk.begin(game, members.len()));
            // Tree after tree, so that a tree stays near the processor.
            for tree in 0..game.bound.n_trees() {
                monitor.check()?;
                for (walk, places) in memory.walks.iter_mut().zip(&memory.places) {
                    walk.tree(game, tree, &ways, places);
                }
            }
            for (walk, places) in memory.walks.iter_mut().zip(&memory.places) {
                self.losses(walk, members, total, &mut memory.losses);
                let of_players = visit.means[order].iter_mut().zip(&mut visit.products);
                for ((mean, product), &place) in of_players.zip(places) {
                    let (before, after) =
                        (memory.losses[place as usize], memory.losses[place as usize + 1]);
                    *mean += 0.5 * (before[0] - after[0]) / visit.weight;
                    *product += 0.25 * (before[1] - after[1]);
                }
            }
        }
        Ok(visit)
    }

    fn nothing_seen(self, block: usize, members: &[u32], total: &Total) -> Visit {
        let n_players = self.game.n_players;
        let sum = |value: &dyn Fn(u32) -> f64| -> f64 {
            members.iter().map(|&row| self.rows.weight(row) * value(row)).sum()
        };
        Visit {
            block,
            n_rows: members.len(),
            weight: sum(&|_| 1.0),
            gap: sum(&|row| total.gap(row)),
            gap_squares: sum(&|row| total.gap(row).powi(2)),
            total_squares: sum(&|row| total.of_rows[row as usize].powi(2)),
            means: [vec![0.0; n_players], vec![0.0; n_players]],
            products: vec![0.0; n_players],
        }
    }

    /// Per size of the coalition, the weighted sum of the losses, and of their products with the
    /// gaps of the rows.
    fn losses(self, walk: &mut Walk, members: &[u32], total: &Total, losses: &mut Vec<[f64; 2]>) {
        losses.clear();
        losses.resize(self.game.n_players + 1, [0.0; 2]);
        walk.finish(self.game, |size, place, prediction| {
            let row = members[place];
            let response = self.rows.response();
            let loss = prediction_loss(self.loss, response, row as usize, prediction);
            let weighted = self.rows.weight(row) * loss;
            losses[size][0] += weighted;
            losses[size][1] += weighted * total.gap(row);
        });
    }

    /// A random order, as the place of every player, and the same order backwards.
    fn draw(self, number: usize, [there, back]: &mut [Vec<u32>; 2]) {
        let n_players = self.game.n_players as u32;
        there.clear();
        there.extend(0..n_players);
        Stream::new(self.seed, number, Purpose::OrderOfPlayers).shuffle(there);
        back.clear();
        back.extend(there.iter().map(|place| n_players - 1 - place));
    }
}
