//! Blocks of rows, and what sets of orders of the variables take off their loss.

use crate::counterfactual::Bound;
use crate::data::Training;
use crate::error::Error;
use crate::loss::{Loss, prediction_loss};
use crate::measure::shapley::sage::orders::{Arc, Design};
use crate::measure::shapley::sage::visit::{Observed, Visit};
use crate::measure::shapley::sage::walk::{Game, Walk};
use crate::measure::shapley::sage::ways::Ways;
use crate::run::Progress;

/// Rows whose loss is explained, and the game that their variables play.
#[derive(Debug, Clone, Copy)]
pub(super) struct Explained<'a> {
    pub(super) game: Game<'a>,
    /// The forest, bound to the background rows.
    pub(super) behind: &'a Bound<'a>,
    pub(super) rows: &'a Training,
    pub(super) loss: Loss,
    pub(super) seed: u64,
}

/// What all variables together take off the loss.
#[derive(Debug)]
pub(super) struct Total {
    pub(super) of_rows: Vec<f64>,
    /// By row and output: predictions where everything is known.
    pub(super) predictions: Vec<f64>,
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

/// The rows of a block, which are seen for the time of this number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen<'a> {
    pub(super) number: usize,
    pub(super) block: usize,
    pub(super) members: &'a [u32],
}

/// Memory of one thread.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Two at a time.
    walks: [Walk; 2],
    /// Per walk of a set, the place of every player.
    places: Vec<Vec<u32>>,
    /// Per walk of a set and size of the coalition: weighted sums over rows.
    sums: Vec<Sums>,
}

/// Sums over rows for a coalition.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    /// The loss, and what control variates have in its place.
    observed: Observed,
    /// The loss times the gap of the row.
    product: f64,
}

impl Explained<'_> {
    /// Sees a block of rows with two sets of orders of the variables.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(super) fn visit(
        self,
        seen: Seen<'_>,
        design: Design,
        total: &Total,
        memory: &mut Memory,
        progress: &Progress,
    ) -> Result<Visit, Error> {
        let Seen { number, block, members } = seen;
        let n_players = self.game.n_players;
        let player = |column: u32| self.game.players[column as usize];
        let ways = Ways::new(self.game.bound, player, members);
        let mut visit = self.nothing_seen(block, members, total);
        // All orders are the same in every set.
        let n_sets = if design == Design::All { 1 } else { visit.means.len() };
        for set in 0..n_sets {
            let number = visit.means.len() * number + set;
            design.draw(self.seed, number, n_players, &mut memory.places);
            memory.sums.clear();
            let Memory { walks, places, sums } = &mut *memory;
            for places in places.chunks(walks.len()) {
                walks.iter_mut().for_each(|walk| walk.begin(self.game, members.len()));
                // Tree after tree, so that a tree stays near the processor.
                for tree in 0..self.game.bound.n_trees() {
                    progress.check()?;
                    for (walk, places) in walks.iter_mut().zip(places) {
                        walk.tree(self.game, tree, &ways, places);
                    }
                }
                for (walk, _) in walks.iter_mut().zip(places) {
                    self.add_up(walk, members, total, sums);
                }
            }
            let weight = visit.weight;
            let means = &mut visit.means[set];
            design.join(places, |player, [before, after], share| {
                let at = |arc: Arc| sums[arc.walk * (n_players + 1) + arc.size];
                let (before, after) = (at(before), at(after));
                let of_both = before.observed.iter().zip(after.observed);
                for (mean, (before, after)) in means[player].iter_mut().zip(of_both) {
                    *mean += share * (before - after) / weight;
                }
                visit.products[player] += share / n_sets as f64 * (before.product - after.product);
            });
        }
        if let (1, [first, second]) = (n_sets, &mut visit.means) {
            second.clone_from(first);
        }
        visit.n_samples = n_sets * design.n_orders(n_players) * members.len();
        Ok(visit)
    }

    fn nothing_seen(self, block: usize, members: &[u32], total: &Total) -> Visit {
        let n_players = self.game.n_players;
        let sum = |value: &dyn Fn(u32) -> f64| -> f64 {
            members.iter().map(|&row| self.rows.weight(row) * value(row)).sum()
        };
        let nothing = || vec![Observed::default(); n_players];
        Visit {
            block,
            n_samples: 0,
            weight: sum(&|_| 1.0),
            gap: sum(&|row| total.gap(row)),
            gap_squares: sum(&|row| total.gap(row).powi(2)),
            total_squares: sum(&|row| total.of_rows[row as usize].powi(2)),
            means: [nothing(), nothing()],
            products: vec![0.0; n_players],
        }
    }

    /// Adds the sums of a walk, by size of the coalition.
    fn add_up(self, walk: &mut Walk, members: &[u32], total: &Total, sums: &mut Vec<Sums>) {
        let start = sums.len();
        sums.resize(start + self.game.n_players + 1, Sums::default());
        walk.finish(self.game, |size, place, prediction| {
            let row = members[place];
            let response = self.rows.response();
            let weight = self.rows.weight(row);
            let loss = weight * prediction_loss(self.loss, response, row as usize, prediction);
            let [of_response, of_prediction] = self.control(row, total, prediction);
            let sums = &mut sums[start + size];
            let observed = [loss, weight * of_response, weight * of_prediction];
            sums.observed.iter_mut().zip(observed).for_each(|(sum, more)| *sum += more);
            sums.product += loss * total.gap(row);
        });
    }
}
