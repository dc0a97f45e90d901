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

/// Memory of one thread.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// An order, and the same backwards.
    walks: [Walk; 2],
    places: [Vec<u32>; 2],
    /// Per size of the coalition, the weighted sum of the losses, and of their products with the
    /// gaps of the rows.
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
        let Self { game, rows, .. } = self;
        let ways = Ways::new(game.bound, |column| game.players[column as usize], members);
        let gap = |&row: &u32| total.of_rows[row as usize] - total.mean;
        let sum = |value: &dyn Fn(&u32) -> f64| -> f64 {
            members.iter().map(|row| rows.weight(*row) * value(row)).sum()
        };
        let mut visit = Visit {
            block,
            n_rows: members.len(),
            weight: sum(&|_| 1.0),
            gap: sum(&gap),
            gap_squares: sum(&|row| gap(row).powi(2)),
            total_squares: sum(&|&row| total.of_rows[row as usize].powi(2)),
            means: [vec![0.0; game.n_players], vec![0.0; game.n_players]],
            products: vec![0.0; game.n_players],
        };
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
                memory.losses.clear();
                memory.losses.resize(game.n_players + 1, [0.0; 2]);
                walk.finish(game, |size, place, prediction| {
                    let row = members[place];
                    let response = rows.response();
                    let loss = prediction_loss(self.loss, response, row as usize, prediction);
                    let weighted = rows.weight(row) * loss;
                    memory.losses[size][0] += weighted;
                    memory.losses[size][1] += weighted * gap(&row);
                });
                let falls = |place: u32| {
                    let [before, after] = [place, place + 1].map(|at| memory.losses[at as usize]);
                    [before[0] - after[0], before[1] - after[1]]
                };
                let of_players = visit.means[order].iter_mut().zip(&mut visit.products);
                for ((mean, product), &place) in of_players.zip(places) {
                    let [fall, with_gap] = falls(place);
                    *mean += 0.5 * fall / visit.weight;
                    *product += 0.25 * with_gap;
                }
            }
        }
        Ok(visit)
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
