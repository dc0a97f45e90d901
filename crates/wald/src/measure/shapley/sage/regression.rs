//! Means of rows that were drawn, corrected for by how much what all variables take off their loss
//! differs from its mean over all rows (control variate).

use crate::measure::shapley::sage::visit::Observed;

/// What all variables take off the loss varies by rounding if its square does by less than this.
pub(super) const LEAST_VARYING: f64 = 1e-12;

/// What is known of a block.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) weight: f64,
    /// This and what follows as in its visit.
    pub(super) gap: f64,
    pub(super) gap_squares: f64,
    pub(super) total_squares: f64,
    pub(super) products: Vec<f64>,
    pub(super) n_sets: f64,
    pub(super) means: Vec<Observed>,
}

/// Sums over blocks, of which the regression of a player's means on the gap is made.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Regression {
    weight: f64,
    gap: f64,
    gap_squares: f64,
    total_squares: f64,
    product: f64,
    observed: f64,
}

impl Regression {
    pub(super) fn of(blocks: &[Block], player: usize) -> Self {
        let mut sums = Self::default();
        blocks.iter().for_each(|block| sums.add(block, player, 1.0));
        sums
    }

    fn add(&mut self, block: &Block, player: usize, sign: f64) {
        self.weight += sign * block.weight;
        self.gap += sign * block.gap;
        self.gap_squares += sign * block.gap_squares;
        self.total_squares += sign * block.total_squares;
        self.product += sign * block.products[player];
        self.observed += sign * block.weight * block.means[player][0];
    }

    /// The mean where the gap is zero, as it is over all rows (control variate). Slopes of all players
    /// sum up to one, or are zero where all rows are alike but for rounding, as in a forest that
    /// predicts without error.
    pub(super) fn mean(self) -> f64 {
        let squares = self.gap_squares - self.gap * self.gap / self.weight;
        let slope = if squares <= LEAST_VARYING * self.total_squares {
            0.0
        } else {
            (self.product - self.gap * self.observed / self.weight) / squares
        };
        (self.observed - slope * self.gap) / self.weight
    }
}

/// The variance of this mean over choices of blocks, by leaving out each of them (jackknife).
pub(super) fn squared_error(blocks: &[Block], player: usize) -> f64 {
    let all = Regression::of(blocks, player);
    let mean = all.mean();
    let square = |block: &Block| {
        let mut others = all;
        others.add(block, player, -1.0);
        (others.mean() - mean).powi(2)
    };
    let n_seen = blocks.len() as f64;
    blocks.iter().map(square).sum::<f64>() * (n_seen - 1.0) / n_seen
}
