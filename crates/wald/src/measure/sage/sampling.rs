//! Orders of the variables and rows, drawn until the values are precise.

use crate::data::Training;
use crate::error::Error;
use crate::measure::sage::estimate::Estimate;
use crate::measure::sage::walk::{Game, Walk};
use crate::measure::settings::MOST_SAMPLES;
use crate::measure::weighted_donors::weighted_donors;
use crate::measure::{Loss, prediction_loss};
use crate::monitor::Monitor;
use crate::random::{Purpose, Stream};
use crate::threads::{Threads, ordered};

/// Samples that go through the forest together, tree after tree.
const TOGETHER: usize = 16;

/// Samples between looks at the precision.
const ROUND: usize = 256;

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Until {
    /// The largest standard error is this share of the range of the values.
    Precision(f64),
    /// So many samples were drawn.
    Samples(usize),
}

/// Rows whose loss is explained, and the game that their variables play.
#[derive(Debug, Clone, Copy)]
pub(super) struct Explained<'a> {
    pub(super) game: Game<'a>,
    pub(super) rows: &'a Training,
    pub(super) loss: Loss,
    pub(super) seed: u64,
}

/// Memory of one thread.
struct Memory {
    /// Of every sample that goes along, there and back.
    walks: Vec<[Walk; 2]>,
    orders: Vec<[Vec<u32>; 2]>,
    sums: Vec<f64>,
    prediction: Vec<f64>,
    losses: Vec<f64>,
}

impl Explained<'_> {
    /// Draws until told to stop. Every sample is a row with a random order of the variables and
    /// the same order backwards.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(super) fn estimate(
        self,
        until: Until,
        (threads, monitor): (Threads, &Monitor),
    ) -> Result<Estimate, Error> {
        let rows = self.drawn_rows();
        let total = self.mean_fall((threads, monitor))?;
        let mut estimate = Estimate::new(self.game.n_players, total);
        loop {
            let left = match until {
                Until::Samples(wanted) => wanted.saturating_sub(estimate.n_samples()),
                Until::Precision(share) if estimate.is_precise(share) => 0,
                Until::Precision(_) => MOST_SAMPLES.saturating_sub(estimate.n_samples()),
            };
            if left == 0 {
                return Ok(estimate);
            }
            let (start, n_samples) = (estimate.n_samples(), left.min(ROUND));
            ordered(
                n_samples.div_ceil(TOGETHER),
                threads,
                monitor,
                || self.memory(),
                |batch, memory| {
                    let first = start + batch * TOGETHER;
                    let samples = first..(start + n_samples).min(first + TOGETHER);
                    monitor.check()?;
                    Ok(self.falls(samples, &rows, memory))
                },
                |_, falls: Vec<Vec<f64>>| falls.iter().for_each(|falls| estimate.add(falls)),
            )?;
        }
    }

    fn memory(self) -> Memory {
        Memory {
            walks: (0..TOGETHER).map(|_| <[Walk; 2]>::default()).collect(),
            orders: vec![<[Vec<u32>; 2]>::default(); TOGETHER],
            sums: vec![0.0; self.game.bound.stride()],
            prediction: vec![0.0; self.game.bound.n_outputs()],
            losses: Vec::new(),
        }
    }

    /// The rows of the samples, again and again: all rows in random order, or, where they have
    /// weights, as many in proportion to them.
    fn drawn_rows(self) -> Vec<u32> {
        let n_rows = self.rows.n_rows() as u32;
        let mut stream = Stream::new(self.seed, 0, Purpose::ExplainedRows);
        let mut rows: Vec<u32> = (0..n_rows).collect();
        if self.rows.is_weighted() {
            let weights = (0..n_rows).map(|row| self.rows.weight(row));
            rows = weighted_donors(weights, stream.unit());
        }
        stream.shuffle(&mut rows);
        rows
    }

    /// For every sample and player, by how much the loss falls once the player's values are known.
    fn falls(
        self,
        samples: std::ops::Range<usize>,
        rows: &[u32],
        memory: &mut Memory,
    ) -> Vec<Vec<f64>> {
        let Self { game, .. } = self;
        let row_of = |sample: usize| rows[sample % rows.len()];
        for (sample, (walks, orders)) in
            samples.clone().zip(memory.walks.iter_mut().zip(&mut memory.orders))
        {
            let mut stream = Stream::new(self.seed, sample, Purpose::OrderOfPlayers);
            let [there, back] = orders;
            there.clear();
            there.extend(0..game.n_players as u32);
            // A random order, which names the place of every player.
            stream.shuffle(there);
            back.clear();
            back.extend(there.iter().map(|place| game.n_players as u32 - 1 - place));
            walks.iter_mut().for_each(|walk| walk.begin(game));
        }
        // Tree after tree, so that a tree stays near the processor.
        for tree in 0..game.bound.n_trees() {
            for (sample, (walks, orders)) in
                samples.clone().zip(memory.walks.iter_mut().zip(&memory.orders))
            {
                let codes = self.rows.row_codes().row(row_of(sample));
                for (walk, places) in walks.iter_mut().zip(orders) {
                    walk.tree(game, tree, codes, places);
                }
            }
        }
        let mut all = Vec::with_capacity(samples.len());
        for (sample, (walks, orders)) in samples.zip(memory.walks.iter_mut().zip(&memory.orders)) {
            let mut falls = vec![0.0; game.n_players];
            for (walk, places) in walks.iter_mut().zip(orders) {
                memory.losses.clear();
                let (response, row) = (self.rows.response(), row_of(sample) as usize);
                walk.finish(game, &mut memory.sums, &mut memory.prediction, |prediction| {
                    memory.losses.push(prediction_loss(self.loss, response, row, prediction));
                });
                for (fall, &place) in falls.iter_mut().zip(places) {
                    let place = place as usize;
                    *fall += 0.5 * (memory.losses[place] - memory.losses[place + 1]);
                }
            }
            all.push(falls);
        }
        all
    }

    /// The mean over all rows of the loss without any variable minus that with all of them.
    fn mean_fall(self, (threads, monitor): (Threads, &Monitor)) -> Result<f64, Error> {
        let bound = self.game.bound;
        let n_rows = self.rows.n_rows();
        let nothing_known = self.nothing_known();
        let (mut sum, mut mass) = (0.0, 0.0);
        ordered(
            n_rows.div_ceil(ROUND),
            threads,
            monitor,
            || self.memory(),
            |block, Memory { sums, prediction, .. }| {
                let (mut fall, mut weights) = (0.0, 0.0);
                for row in block * ROUND..n_rows.min((block + 1) * ROUND) {
                    monitor.check()?;
                    let codes = self.rows.row_codes().row(row as u32);
                    sums.fill(0.0);
                    for tree in 0..bound.n_trees() {
                        let leaf = bound.router(tree).descend(0, |column| codes[column as usize]);
                        let said = bound.say(tree, leaf);
                        sums.iter_mut().zip(said).for_each(|(sum, value)| *sum += value);
                    }
                    bound.predict(sums, bound.n_trees(), prediction);
                    let loss_of = |prediction: &[f64]| {
                        prediction_loss(self.loss, self.rows.response(), row, prediction)
                    };
                    let weight = self.rows.weight(row as u32);
                    fall += weight * (loss_of(&nothing_known) - loss_of(prediction));
                    weights += weight;
                }
                Ok((fall, weights))
            },
            |_, (fall, weights)| {
                sum += fall;
                mass += weights;
            },
        )?;
        Ok(sum / mass)
    }

    /// The prediction of a coalition of none, which is that of all rows alike.
    fn nothing_known(self) -> Vec<f64> {
        let Self { game, rows, .. } = self;
        let (mut walk, Memory { mut sums, mut prediction, .. }) = (Walk::default(), self.memory());
        let places: Vec<u32> = (0..game.n_players as u32).collect();
        walk.begin(game);
        for tree in 0..game.bound.n_trees() {
            walk.tree(game, tree, rows.row_codes().row(0), &places);
        }
        let mut first = None;
        walk.finish(game, &mut sums, &mut prediction, |prediction| {
            first.get_or_insert_with(|| prediction.to_vec());
        });
        first.unwrap_or_default()
    }
}
