//! Blocks of rows and orders of the variables, drawn until the values are precise.

use std::time::{Duration, Instant};

use crate::error::Error;
use crate::measure::prediction_loss;
use crate::measure::sage::block::{Explained, Memory, Total};
use crate::measure::sage::estimate::Estimate;
use crate::measure::sage::ways::TOGETHER;
use crate::measure::settings::MOST_SAMPLES;
use crate::monitor::Monitor;
use crate::random::{Purpose, Stream};
use crate::threads::{Threads, ordered};

/// Rows of a block at most. With 1000 leaves a tree and 10 variables, a row and an order took 0.38 ms
/// in blocks of 512 rows, 0.54 in blocks of 256, and 1.26 in blocks of 64.
const LARGEST: usize = TOGETHER;

/// Rows of a block at least, where there are as many.
const SMALLEST: usize = 32;

/// Numbers that a thread keeps for a block, where this is enough for the smallest one.
const MOST_NUMBERS: usize = 1 << 20;

/// Visits of blocks before the first look at the precision. Later rounds double them.
const FIRST_ROUND: usize = 4;

/// Visits between looks at most.
const ROUND: usize = 16;

/// Rows at a time whose loss is computed.
const ROWS: usize = 256;

/// Samples of every visit for every row: two orders, there and back.
const ORDERS: usize = 2;

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Until {
    pub(super) reached: Reached,
    /// Time after which no further round begins.
    pub(super) time: Option<Duration>,
}

/// What is to be reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Reached {
    /// The largest standard error is this share of the range of the values.
    Precision(f64),
    /// At least so many samples were drawn.
    Samples(usize),
}

impl Explained<'_> {
    /// Draws until told to stop. A sample is a row with a random order of the variables and the
    /// same order backwards. Also tells whether time was over before.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(super) fn estimate(
        self,
        until: Until,
        (threads, monitor): (Threads, &Monitor),
    ) -> Result<(Estimate, bool), Error> {
        let start = Instant::now();
        let total = self.total((threads, monitor))?;
        let rows = self.drawn_rows();
        let n_blocks = rows.len().div_ceil(self.rows_of_a_block(until.reached));
        let of_block = |block: usize| {
            &rows[block * rows.len() / n_blocks..(block + 1) * rows.len() / n_blocks]
        };
        let mut estimate = Estimate::new(self.game.n_players, n_blocks, total.weight);
        let mut n_visits = 0;
        loop {
            let samples_left = match until.reached {
                Reached::Samples(wanted) => wanted.saturating_sub(estimate.n_samples()),
                Reached::Precision(share) if estimate.is_precise(share) => 0,
                Reached::Precision(_) => MOST_SAMPLES.saturating_sub(estimate.n_samples()),
            };
            let is_over = n_visits > 0 && until.time.is_some_and(|time| start.elapsed() >= time);
            if samples_left == 0 || is_over {
                return Ok((estimate, samples_left > 0));
            }
            // Blocks differ by one row at most, and count alike here.
            let visits_left = (samples_left * n_blocks).div_ceil(ORDERS * rows.len());
            let round = visits_left.min(n_visits.clamp(FIRST_ROUND, ROUND));
            ordered(
                round,
                threads,
                monitor,
                Memory::default,
                |index, memory| {
                    let number = n_visits + index;
                    let block = number % n_blocks;
                    self.visit((number, block, of_block(block)), &total, memory, monitor)
                },
                |_, visit| estimate.add(&visit),
            )?;
            n_visits += round;
        }
    }

    /// The rows that have weight, in random order.
    fn drawn_rows(self) -> Vec<u32> {
        let rows = 0..self.rows.n_rows() as u32;
        let mut rows: Vec<u32> = rows.filter(|&row| self.rows.weight(row) > 0.0).collect();
        Stream::new(self.seed, 0, Purpose::ExplainedRows).shuffle(&mut rows);
        rows
    }

    /// The more rows share an order, the less time a row takes; but the error of few orders would
    /// neither be small nor known.
    fn rows_of_a_block(self, reached: Reached) -> usize {
        let of_row = (self.game.n_players + 1) * self.game.bound.stride();
        let most = (MOST_NUMBERS / of_row).clamp(SMALLEST, LARGEST);
        match reached {
            Reached::Precision(_) => most,
            Reached::Samples(wanted) => (wanted / (ORDERS * ROUND)).clamp(1, most),
        }
    }

    /// The loss without any variable minus that with all of them.
    fn total(self, (threads, monitor): (Threads, &Monitor)) -> Result<Total, Error> {
        let bound = self.game.bound;
        let n_rows = self.rows.n_rows();
        let mut total = Total { of_rows: Vec::with_capacity(n_rows), mean: 0.0, weight: 0.0 };
        let memory = || (vec![0.0; bound.stride()], vec![0.0; bound.n_outputs()]);
        ordered(
            n_rows.div_ceil(ROWS),
            threads,
            monitor,
            memory,
            |block, (sums, prediction)| {
                let mut falls = Vec::with_capacity(ROWS);
                for row in block * ROWS..n_rows.min((block + 1) * ROWS) {
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
                    falls.push(loss_of(self.game.nothing_known) - loss_of(prediction));
                }
                Ok(falls)
            },
            |_, falls: Vec<f64>| total.of_rows.extend(falls),
        )?;
        for (row, fall) in (0..).zip(&total.of_rows) {
            let weight = self.rows.weight(row);
            total.weight += weight;
            total.mean += weight * fall;
        }
        total.mean /= total.weight;
        Ok(total)
    }
}
