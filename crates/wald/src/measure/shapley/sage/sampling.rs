//! Blocks of rows and orders of the variables, drawn until the values are precise.
//!
//! Where there are few variables, all orders are taken. Else sampling begins with antithetic orders
//! and without control variates, which costs nothing and is enough for most forests. Where it is
//! not, it goes on in the way that pays: with control variates if they save more work than their
//! exact values take, and with stratified orders if more is left than it takes to know the error of
//! these (`orders.rs`, `control.rs`).

use std::time::{Duration, Instant};

use crate::error::Error;
use crate::loss::prediction_loss;
use crate::measure::definition::settings::MOST_SAMPLES;
use crate::measure::shapley::sage::block::{Explained, Memory, Seen, Total};
use crate::measure::shapley::sage::estimate::Estimate;
use crate::measure::shapley::sage::orders::{Design, MOST_OF_ALL};
use crate::measure::shapley::sage::ways::TOGETHER;
use crate::random::{Purpose, Stream};
use crate::run::Run;
use crate::threads::ordered;

/// Rows of a block at most. With 1000 leaves a tree and 10 variables, a row and an order took 0.38 ms
/// in blocks of 512 rows, 0.54 in blocks of 256, and 1.26 in blocks of 64.
const LARGEST: usize = TOGETHER;

/// Rows of a block at least, where there are as many.
const SMALLEST: usize = 32;

/// Numbers that a thread keeps for a block, where this is enough for the smallest one.
const MOST_NUMBERS: usize = 1 << 20;

/// Visits of blocks before the first look at the precision. Later rounds double them.
const FIRST_ROUND: usize = 4;

/// The same of orders that come in large sets: their error is that of the differences within as many
/// pairs of sets.
const FIRST_ROUND_OF_SETS: usize = 8;

/// Visits between looks at most.
const ROUND: usize = 16;

/// Rows at a time whose loss is computed.
const ROWS: usize = 256;

/// Sets of orders of every visit.
const SETS: usize = 2;

/// Walks of all rows through the forest in whose time the exact values of the control variates are
/// found: with 512 background rows, 100 trees of 1000 leaves, and 10 variables, 35 of them; with 20
/// variables, 37.
pub(super) const EXACT_WALKS: usize = 36;

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

/// What was drawn.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) estimate: Estimate,
    pub(super) design: Design,
    /// Whether time was over before what was to be reached.
    pub(super) time_is_over: bool,
}

/// Walks of all rows.
#[derive(Debug, Clone, Copy)]
struct Work {
    done: f64,
    left: f64,
    /// Whether so many samples are drawn, however precise they are.
    is_fixed: bool,
}

impl Work {
    /// Walks that the same error would take more, if only this share of the variance were left.
    fn saved(self, share: f64) -> f64 {
        let saved = (self.done + self.left) * (1.0 - share);
        if self.is_fixed { saved } else { saved.min(self.left) }
    }
}

impl Explained<'_> {
    /// Draws until stopped. A sample is a row with a random order of the variables and the
    /// same order backwards.
    ///
    /// # Errors
    /// [`Error::Cancelled`], and [`Error::Inconsistent`] should Shapley values of predictions not add
    /// up.
    pub(super) fn estimate(self, until: Until, run: &Run) -> Result<Drawn, Error> {
        let start = Instant::now();
        let total = self.total(run)?;
        let rows = self.drawn_rows();
        let mut design = self.first_design(until.reached, rows.len());
        let n_blocks = rows.len().div_ceil(self.rows_of_a_block(until.reached, design));
        let of_block = |block: usize| {
            &rows[block * rows.len() / n_blocks..(block + 1) * rows.len() / n_blocks]
        };
        let nothing_seen = |design| match design {
            Design::All => Estimate::of_all_orders(self.game.n_players, n_blocks, total.weight),
            _ => Estimate::new(self.game.n_players, n_blocks, total.weight),
        };
        let mut estimate = nothing_seen(design);
        // Visits so far, and those of them before the design that is drawn now.
        let (mut n_visits, mut n_before) = (0, 0);
        loop {
            let spent = start.elapsed();
            let work = self.work(&estimate, design, until.reached, rows.len());
            if let Some(work) = work.filter(|_| self.has_controls() && !estimate.is_controlled()) {
                // What the exact values would take, at the pace so far.
                let pace = spent.as_secs_f64() / work.done;
                let takes = Duration::from_secs_f64(pace * EXACT_WALKS as f64);
                let is_time = until.time.is_none_or(|time| spent + takes < time);
                if is_time && work.saved(estimate.left_by_controls()) >= EXACT_WALKS as f64 {
                    estimate.control(self.exact_controls(&total, run)?);
                    continue;
                }
            }
            let samples_left = match until.reached {
                Reached::Samples(wanted) => wanted.saturating_sub(estimate.n_samples()),
                Reached::Precision(share) if estimate.is_precise(share) => 0,
                // There is no more to be known.
                Reached::Precision(_) if design == Design::All && estimate.seen_all() => 0,
                Reached::Precision(_) => MOST_SAMPLES.saturating_sub(estimate.n_samples()),
            };
            let is_over = n_visits > 0 && until.time.is_some_and(|time| spent >= time);
            if samples_left == 0 || is_over {
                return Ok(Drawn { estimate, design, time_is_over: samples_left > 0 });
            }
            // A number of samples has decided before.
            let is_open = |work: Work| design == Design::Antithetic && !work.is_fixed;
            let least = self.least_stratified(n_blocks);
            if work.is_some_and(|work| is_open(work) && work.left >= least) {
                let exact = estimate.into_controls();
                (design, n_before) = (Design::Stratified, n_visits);
                estimate = nothing_seen(design);
                exact.into_iter().for_each(|exact| estimate.control(exact));
                continue;
            }
            // Blocks differ by one row at most, and count alike here.
            let of_all = SETS * design.n_orders(self.game.n_players) * rows.len();
            let visits_left = (samples_left * n_blocks).div_ceil(of_all);
            let of_design = n_visits - n_before;
            let first = match design {
                Design::Antithetic | Design::All => FIRST_ROUND,
                Design::Stratified => FIRST_ROUND_OF_SETS,
            };
            let round = visits_left.min(of_design.clamp(first, ROUND));
            let round = if design == Design::All { round.min(n_blocks - n_visits) } else { round };
            ordered(
                round,
                run,
                Memory::default,
                |index, memory| {
                    let block = (of_design + index) % n_blocks;
                    let number = n_visits + index;
                    let seen = Seen { number, block, members: of_block(block) };
                    self.visit(seen, design, &total, memory, &run.progress)
                },
                |_, visit| estimate.add(&visit),
            )?;
            n_visits += round;
        }
    }

    /// The work done and left, where that can be foreseen: once all rows were seen.
    fn work(
        self,
        estimate: &Estimate,
        design: Design,
        reached: Reached,
        n_rows: usize,
    ) -> Option<Work> {
        if !estimate.seen_all() {
            return None;
        }
        let drawn = estimate.n_samples() as f64;
        let needed = match reached {
            Reached::Samples(wanted) => wanted as f64,
            // Squares of errors fall as the number of samples grows.
            Reached::Precision(share) => {
                (drawn * estimate.excess(share)?.powi(2)).min(MOST_SAMPLES as f64)
            }
        };
        let walks = design.walks_of_an_order(self.game.n_players) / n_rows as f64;
        let left = (needed - drawn).max(0.0) * walks;
        let is_fixed = matches!(reached, Reached::Samples(_));
        Some(Work { done: drawn * walks, left, is_fixed })
    }

    /// Walks of all rows before the error of stratified orders is known.
    fn least_stratified(self, n_blocks: usize) -> f64 {
        let n_sets = SETS * FIRST_ROUND_OF_SETS.div_ceil(n_blocks);
        (n_sets * Design::Stratified.n_walks(self.game.n_players)) as f64
    }

    /// Where the number of samples is given, stratified orders if there are enough of them. Else all
    /// orders of few players.
    fn first_design(self, reached: Reached, n_rows: usize) -> Design {
        let Reached::Samples(wanted) = reached else {
            let are_few = self.game.n_players <= MOST_OF_ALL;
            return if are_few { Design::All } else { Design::Antithetic };
        };
        let n_orders = Design::Stratified.n_orders(self.game.n_players);
        let n_blocks = n_rows.div_ceil(self.rows_of_a_block(reached, Design::Stratified));
        let n_sets = wanted as f64 / (n_rows * n_orders) as f64;
        if n_sets >= (SETS * FIRST_ROUND_OF_SETS.div_ceil(n_blocks)) as f64 {
            Design::Stratified
        } else {
            Design::Antithetic
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
    fn rows_of_a_block(self, reached: Reached, design: Design) -> usize {
        let of_row = (self.game.n_players + 1) * self.game.bound.stride();
        let most = (MOST_NUMBERS / of_row).clamp(SMALLEST, LARGEST);
        match (reached, design) {
            (Reached::Samples(wanted), Design::Antithetic) => {
                (wanted / (SETS * ROUND)).clamp(1, most)
            }
            _ => most,
        }
    }

    /// The loss without any variable minus that with all of them.
    fn total(self, run: &Run) -> Result<Total, Error> {
        let (bound, n_rows) = (self.game.bound, self.rows.n_rows());
        let (stride, n_outputs) = (bound.stride(), bound.n_outputs());
        let mut predictions = Vec::with_capacity(n_rows * n_outputs);
        ordered(
            n_rows.div_ceil(ROWS),
            run,
            || vec![0.0; stride * ROWS],
            |block, sums| {
                let rows = block * ROWS..n_rows.min((block + 1) * ROWS);
                sums.fill(0.0);
                // Tree after tree, so that a tree stays near the processor.
                for tree in 0..bound.n_trees() {
                    run.progress.check()?;
                    let router = bound.router(tree);
                    for (row, sums) in rows.clone().zip(sums.chunks_exact_mut(stride)) {
                        let codes = self.rows.row_codes().row(row as u32);
                        let leaf = router.descend(0, |column| codes[column as usize]);
                        let values = bound.node_values(tree, leaf);
                        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
                    }
                }
                let mut predictions = vec![0.0; rows.len() * n_outputs];
                let of_rows = predictions.chunks_exact_mut(n_outputs);
                for (prediction, sums) in of_rows.zip(sums.chunks_exact(stride)) {
                    bound.predict(sums, bound.n_trees(), prediction);
                }
                Ok(predictions)
            },
            |_, block: Vec<f64>| predictions.extend(block),
        )?;
        let fall = |(row, prediction): (usize, &[f64])| {
            let response = self.rows.response();
            let loss_of = |prediction| prediction_loss(self.loss, response, row, prediction);
            loss_of(self.game.nothing_known) - loss_of(prediction)
        };
        let of_rows = predictions.chunks_exact(n_outputs).enumerate().map(fall).collect();
        let mut total = Total { of_rows, predictions, mean: 0.0, weight: 0.0 };
        for (row, fall) in (0..).zip(&total.of_rows) {
            let weight = self.rows.weight(row);
            total.weight += weight;
            total.mean += weight * fall;
        }
        total.mean /= total.weight;
        Ok(total)
    }
}
