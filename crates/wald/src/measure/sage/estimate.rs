//! Means over blocks of rows, each seen with several orders, and how precise they are.
//!
//! Blocks are drawn without replacement, and orders within blocks: sampling in two stages. Where
//! not all blocks were seen, errors come from the spread between blocks; where all were, only the
//! orders are left to chance, and errors come from the spread within blocks (Cochran 1977,
//! *Sampling Techniques*, third edition, Eq. 10.15).

/// What all variables take off the loss varies by rounding if its square does by less than this.
const LEAST_VARYING: f64 = 1e-12;

/// Degrees of freedom with which errors are known well enough to stop by them. With fewer, errors
/// must be as much smaller.
const ENOUGH_DEGREES: f64 = 8.0;

/// With fewer still, errors are known too badly to be told to anyone who asked for precision.
const LEAST_DEGREES: f64 = 4.0;

/// A block seen with two orders, each there and back.
#[derive(Debug)]
pub(super) struct Visit {
    pub(super) block: usize,
    pub(super) n_rows: usize,
    /// The weight of the rows.
    pub(super) weight: f64,
    /// By how much all players together take more off the loss than on the mean over all rows;
    /// weighted sums over the rows of this gap, its square, and the square of what they take off.
    pub(super) gap: f64,
    pub(super) gap_squares: f64,
    pub(super) total_squares: f64,
    /// Per order and player, the weighted mean of what they take off.
    pub(super) means: [Vec<f64>; 2],
    /// Per player, the weighted sum of the products with the gap.
    pub(super) products: Vec<f64>,
}

/// What is known of a block.
#[derive(Debug)]
struct Block {
    weight: f64,
    gap: f64,
    n_orders: f64,
    means: Vec<f64>,
}

/// Blocks seen so far.
#[derive(Debug)]
pub(super) struct Estimate {
    n_players: usize,
    n_blocks: usize,
    /// The weight of all rows.
    whole: f64,
    n_samples: usize,
    blocks: Vec<Block>,
    /// Squares of deviations from means of blocks, by player, and their degrees of freedom.
    within: Vec<f64>,
    degrees: f64,
    gap_squares: f64,
    total_squares: f64,
    products: Vec<f64>,
}

impl Estimate {
    /// Nothing seen yet of so many blocks, whose rows have this weight.
    pub(super) fn new(n_players: usize, n_blocks: usize, whole: f64) -> Self {
        Self {
            n_players,
            n_blocks,
            whole,
            n_samples: 0,
            blocks: Vec::new(),
            within: vec![0.0; n_players],
            degrees: 0.0,
            gap_squares: 0.0,
            total_squares: 0.0,
            products: vec![0.0; n_players],
        }
    }

    /// Rows times orders so far; an order there and back counts once.
    pub(super) fn n_samples(&self) -> usize {
        self.n_samples
    }

    /// Adds a visit. Blocks come one after the other, again and again.
    pub(super) fn add(&mut self, visit: &Visit) {
        self.n_samples += visit.means.len() * visit.n_rows;
        if visit.block == self.blocks.len() {
            self.blocks.push(Block {
                weight: visit.weight,
                gap: visit.gap / visit.weight,
                n_orders: 0.0,
                means: vec![0.0; self.n_players],
            });
            self.gap_squares += visit.gap_squares;
            self.total_squares += visit.total_squares;
            self.products.iter_mut().zip(&visit.products).for_each(|(sum, more)| *sum += more);
        }
        let scale = (visit.weight / self.whole * self.n_blocks as f64).powi(2);
        let block = &mut self.blocks[visit.block];
        for means in &visit.means {
            if block.n_orders > 0.0 {
                self.degrees += 1.0;
            }
            block.n_orders += 1.0;
            for ((mean, within), value) in block.means.iter_mut().zip(&mut self.within).zip(means) {
                let deviation = value - *mean;
                *mean += deviation / block.n_orders;
                *within += scale * deviation * (value - *mean);
            }
        }
    }

    fn seen_all(&self) -> bool {
        self.blocks.len() == self.n_blocks
    }

    fn weight(&self) -> f64 {
        self.blocks.iter().map(|block| block.weight).sum()
    }

    /// The share of the gap that a player is given: their regression over rows (control variate).
    /// The shares sum up to one, or are zero where all rows are alike but for rounding, as in a
    /// forest that predicts without error, and where no row is left out.
    fn slope(&self, player: usize) -> f64 {
        let weighted = |value: &dyn Fn(&Block) -> f64| {
            self.blocks.iter().map(|block| block.weight * value(block)).sum::<f64>()
        };
        let (mass, gap) = (self.weight(), weighted(&|block| block.gap));
        let squares = self.gap_squares - gap * gap / mass;
        if self.seen_all() || squares <= LEAST_VARYING * self.total_squares {
            return 0.0;
        }
        (self.products[player] - gap * weighted(&|block| block.means[player]) / mass) / squares
    }

    /// Per player, the mean of the blocks seen, corrected for their gap.
    fn mean(&self, player: usize) -> f64 {
        let slope = self.slope(player);
        let of_block = |block: &Block| block.weight * (block.means[player] - slope * block.gap);
        self.blocks.iter().map(of_block).sum::<f64>() / self.weight()
    }

    /// The values, which sum up to what they have to.
    pub(super) fn values(&self) -> Vec<f64> {
        (0..self.n_players).map(|player| self.mean(player)).collect()
    }

    /// Standard errors of the values; none where too little was seen.
    pub(super) fn standard_errors(&self) -> Option<Vec<f64>> {
        let n_seen = self.blocks.len() as f64;
        // Mean and slope are estimated.
        if self.degrees < 1.0 || !self.seen_all() && n_seen < 3.0 {
            return None;
        }
        let weight = self.weight();
        let share = if self.seen_all() { 1.0 } else { (weight / self.whole).min(1.0) };
        let of_orders: f64 = self.blocks.iter().map(|block| 1.0 / block.n_orders).sum();
        let error = |player: usize| {
            let (slope, mean) = (self.slope(player), self.mean(player));
            let deviation = |block: &Block| {
                let corrected = block.means[player] - slope * block.gap;
                block.weight / weight * n_seen * (corrected - mean)
            };
            let squares: f64 = self.blocks.iter().map(|block| deviation(block).powi(2)).sum();
            let between =
                if self.seen_all() { 0.0 } else { (1.0 - share) * squares / (n_seen - 2.0) };
            let within = share * self.within[player] / self.degrees * of_orders / n_seen;
            ((between + within) / n_seen).sqrt()
        };
        Some((0..self.n_players).map(error).collect())
    }

    /// Whether the largest standard error is at most this share of the range of the values.
    pub(super) fn is_precise(&self, share: f64) -> bool {
        let Some(errors) = self.standard_errors() else { return false };
        let values = self.values();
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        // A variable that stands alone is compared with nothing.
        let range = if values.len() > 1 { most - least } else { most.abs() };
        let of_blocks = self.blocks.len() as f64 - 2.0;
        let degrees = if self.seen_all() { self.degrees } else { self.degrees.min(of_blocks) };
        let unsure = (ENOUGH_DEGREES / degrees).max(1.0);
        degrees >= LEAST_DEGREES && errors.iter().all(|&error| unsure * error <= share * range)
    }
}
