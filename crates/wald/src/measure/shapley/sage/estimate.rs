//! Means over blocks of rows, each seen with several orders, and how precise they are.
//!
//! Blocks are drawn without replacement, and sets of orders within blocks: sampling in two stages.
//! Where not all blocks were seen, errors come from the spread between blocks; where all were, only
//! the orders are left to chance, and errors come from the spread within blocks (Cochran 1977,
//! *Sampling Techniques*, third edition, Eq. 10.15). What differs between blocks is seen by leaving
//! out each of them (jackknife): with few rows, of which some lose far more than others, residuals
//! of a regression are much smaller than its errors. Then control variates may take part of that
//! away (`control.rs`).

use crate::measure::shapley::sage::regression::{Block, LEAST_VARYING, Regression, squared_error};
use crate::measure::shapley::sage::visit::{CONTROLS, Observed, Visit};

/// A control variate that another one explains but for this share of its variance is uninformative
/// about its own.
const LEAST_OF_ITS_OWN: f64 = 1e-6;

/// Degrees of freedom with which errors are known well enough to stop by them. With fewer, errors
/// must be as much smaller.
const ENOUGH_DEGREES: f64 = 8.0;

/// Blocks without which no spread between them is known: mean and slope take two, and one is left out.
pub(super) const LEAST_BLOCKS: usize = 4;

/// With fewer still, errors are known too badly to stop drawing by them.
const LEAST_DEGREES: f64 = 4.0;

/// Products of two of them.
type Products = [[f64; 1 + CONTROLS]; 1 + CONTROLS];

/// Blocks seen so far.
#[derive(Debug)]
pub(super) struct Estimate {
    n_players: usize,
    n_blocks: usize,
    /// The weight of all rows.
    whole: f64,
    /// Whether blocks are seen with all orders, so that these are no source of error.
    has_all_orders: bool,
    n_samples: usize,
    blocks: Vec<Block>,
    /// Products of deviations from means of blocks, by player, and their degrees of freedom.
    within: Vec<Products>,
    degrees: f64,
    /// The exact values of the control variates, by player, where they were requested.
    exact: Option<Vec<[f64; CONTROLS]>>,
}

impl Estimate {
    /// Nothing seen yet of so many blocks, whose rows have this weight.
    pub(super) fn new(n_players: usize, n_blocks: usize, whole: f64) -> Self {
        Self {
            n_players,
            n_blocks,
            whole,
            has_all_orders: false,
            n_samples: 0,
            blocks: Vec::new(),
            within: vec![Products::default(); n_players],
            degrees: 0.0,
            exact: None,
        }
    }

    /// The same where every block is seen with all orders.
    pub(super) fn of_all_orders(n_players: usize, n_blocks: usize, whole: f64) -> Self {
        Self { has_all_orders: true, ..Self::new(n_players, n_blocks, whole) }
    }

    /// Rows times orders so far; an order there and back counts once.
    pub(super) fn n_samples(&self) -> usize {
        self.n_samples
    }

    /// Takes the exact values of the control variates into account, by player.
    pub(super) fn control(&mut self, exact: Vec<[f64; CONTROLS]>) {
        self.exact = Some(exact);
    }

    /// These values.
    pub(super) fn into_controls(self) -> Option<Vec<[f64; CONTROLS]>> {
        self.exact
    }

    pub(super) fn is_controlled(&self) -> bool {
        self.exact.is_some()
    }

    /// Adds a visit. Blocks come one after the other, again and again.
    pub(super) fn add(&mut self, visit: &Visit) {
        self.n_samples += visit.n_samples;
        if visit.block == self.blocks.len() {
            self.blocks.push(Block {
                weight: visit.weight,
                gap: visit.gap,
                gap_squares: visit.gap_squares,
                total_squares: visit.total_squares,
                products: visit.products.clone(),
                n_sets: 0.0,
                means: vec![Observed::default(); self.n_players],
            });
        }
        let scale = (visit.weight / self.whole * self.n_blocks as f64).powi(2);
        let block = &mut self.blocks[visit.block];
        for means in &visit.means {
            if block.n_sets > 0.0 {
                self.degrees += 1.0;
            }
            block.n_sets += 1.0;
            for ((mean, within), observed) in
                block.means.iter_mut().zip(&mut self.within).zip(means)
            {
                let before: Observed = std::array::from_fn(|at| observed[at] - mean[at]);
                mean.iter_mut().zip(before).for_each(|(mean, gap)| *mean += gap / block.n_sets);
                for (products, before) in within.iter_mut().zip(before) {
                    let after = observed.iter().zip(*mean).map(|(value, mean)| value - mean);
                    let sums = products.iter_mut().zip(after);
                    sums.for_each(|(sum, after)| *sum += scale * before * after);
                }
            }
        }
    }

    pub(super) fn seen_all(&self) -> bool {
        self.blocks.len() == self.n_blocks
    }

    fn weight(&self) -> f64 {
        self.blocks.iter().map(|block| block.weight).sum()
    }

    /// Per player, the mean of the blocks seen, corrected for their gap where rows are left out.
    fn mean(&self, player: usize) -> f64 {
        if self.seen_all() {
            self.observed(player, 0)
        } else {
            Regression::of(&self.blocks, player).mean()
        }
    }

    /// The exact values of the control variates, once the blocks seen are all that these are about.
    fn controls(&self) -> Option<&[[f64; CONTROLS]]> {
        self.exact.as_deref().filter(|_| self.seen_all())
    }

    /// By how much of what control variates miss the values are corrected: the regression over sets
    /// of orders, of all players together.
    fn control_slopes(&self) -> [f64; CONTROLS] {
        let sum = |first: usize, second: usize| {
            self.within.iter().map(|products| products[first][second]).sum::<f64>()
        };
        // What varies by rounding alone is uninformative.
        let varies = |at: usize| {
            let squares: f64 =
                (0..self.n_players).map(|player| self.observed(player, at).powi(2)).sum();
            sum(at, at) > LEAST_VARYING * squares * self.degrees
        };
        let (first, second) = (sum(1, 1), sum(2, 2));
        let of_first = if varies(1) { sum(0, 1) / first } else { 0.0 };
        if !varies(2) {
            return [of_first, 0.0];
        }
        // What the second varies by beyond the first.
        let shared = if varies(1) { sum(1, 2) / first } else { 0.0 };
        let rest = second - shared * sum(1, 2);
        if rest <= LEAST_OF_ITS_OWN * second {
            return [of_first, 0.0];
        }
        let of_second = (sum(0, 2) - of_first * sum(1, 2)) / rest;
        [of_first - of_second * shared, of_second]
    }

    /// What control variates would leave of the largest variance: a share of it.
    pub(super) fn left_by_controls(&self) -> f64 {
        let most = |squares: Vec<f64>| squares.into_iter().fold(0.0, f64::max);
        let plain = most(self.squares_within([0.0; CONTROLS]));
        if plain > 0.0 { most(self.squares_within(self.control_slopes())) / plain } else { 1.0 }
    }

    /// The weighted mean of what was observed of a player, over the blocks seen.
    fn observed(&self, player: usize, at: usize) -> f64 {
        let of_block = |block: &Block| block.weight * block.means[player][at];
        self.blocks.iter().map(of_block).sum::<f64>() / self.weight()
    }

    /// The values, which sum up to what they have to.
    pub(super) fn values(&self) -> Vec<f64> {
        let slopes = self.control_slopes();
        let value = |player: usize| {
            let mut value = self.mean(player);
            if let Some(exact) = self.controls() {
                for (at, (slope, exact)) in slopes.iter().zip(exact[player]).enumerate() {
                    value -= slope * (self.observed(player, at + 1) - exact);
                }
            }
            value
        };
        (0..self.n_players).map(value).collect()
    }

    /// Per player, squares of deviations of sets from their blocks, corrected by control variates.
    fn squares_within(&self, [first, second]: [f64; CONTROLS]) -> Vec<f64> {
        let weights = [1.0, -first, -second];
        let of_player = |products: &Products| -> f64 {
            let of_one = |(products, weight): (&[f64; 1 + CONTROLS], f64)| {
                weight * products.iter().zip(weights).map(|(sum, other)| other * sum).sum::<f64>()
            };
            products.iter().zip(weights).map(of_one).sum::<f64>().max(0.0)
        };
        self.within.iter().map(of_player).collect()
    }

    /// Degrees of freedom of these squares: slopes, which all players but one determine, take some.
    fn degrees_within(&self) -> f64 {
        if self.has_all_orders {
            return f64::INFINITY;
        }
        let taken = if self.controls().is_some() { CONTROLS as f64 } else { 0.0 };
        self.degrees - taken / (self.n_players as f64 - 1.0).max(1.0)
    }

    /// Standard errors of the values; none where too little was seen.
    pub(super) fn standard_errors(&self) -> Option<Vec<f64>> {
        let n_seen = self.blocks.len() as f64;
        let degrees = self.degrees_within();
        if degrees < 1.0 || !self.seen_all() && self.blocks.len() < LEAST_BLOCKS {
            return None;
        }
        let share = if self.seen_all() { 1.0 } else { (self.weight() / self.whole).min(1.0) };
        let of_sets: f64 = self.blocks.iter().map(|block| 1.0 / block.n_sets).sum();
        let slopes = self.controls().map(|_| self.control_slopes());
        let within = self.squares_within(slopes.unwrap_or_default());
        let error = |player: usize| {
            let between = if self.seen_all() {
                0.0
            } else {
                (1.0 - share) * squared_error(&self.blocks, player)
            };
            let within = share * within[player] / degrees * of_sets / (n_seen * n_seen);
            (between + within).sqrt()
        };
        Some((0..self.n_players).map(error).collect())
    }

    /// How many times as large as asked for the largest standard error is, if it is to be this share
    /// of the range of the values; none where too little is known.
    pub(super) fn excess(&self, share: f64) -> Option<f64> {
        let errors = self.standard_errors()?;
        let values = self.values();
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        // A variable that stands alone is compared with nothing.
        let range = if values.len() > 1 { most - least } else { most.abs() };
        let of_blocks = self.blocks.len() as f64 - 2.0;
        let degrees = self.degrees_within();
        let degrees = if self.seen_all() { degrees } else { degrees.min(of_blocks) };
        if degrees < LEAST_DEGREES {
            return None;
        }
        let unsure = (ENOUGH_DEGREES / degrees).max(1.0);
        let worst = errors.into_iter().fold(0.0, f64::max);
        Some(if worst == 0.0 { 0.0 } else { unsure * worst / (share * range) })
    }

    /// Whether the largest standard error is at most this share of the range of the values.
    pub(super) fn is_precise(&self, share: f64) -> bool {
        self.excess(share).is_some_and(|excess| excess <= 1.0)
    }
}

#[cfg(test)]
mod tests;
