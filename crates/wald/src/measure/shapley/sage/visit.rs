//! What walks of blocks of rows find.

/// Control variates.
pub(super) const CONTROLS: usize = 2;

/// What joining players take off: the loss, and what control variates have in its place.
pub(super) type Observed = [f64; 1 + CONTROLS];

/// A block seen with two sets of orders.
#[derive(Debug)]
pub(super) struct Visit {
    pub(super) block: usize,
    /// Rows times orders; an order there and back counts once.
    pub(super) n_samples: usize,
    /// The weight of the rows.
    pub(super) weight: f64,
    /// By how much all players together take more off the loss than on the mean over all rows;
    /// weighted sums over the rows of this gap, its square, and the square of what they take off.
    pub(super) gap: f64,
    pub(super) gap_squares: f64,
    pub(super) total_squares: f64,
    /// Per set and player, the weighted mean of what they take off.
    pub(super) means: [Vec<Observed>; 2],
    /// Per player, the weighted sum of the products with the gap.
    pub(super) products: Vec<f64>,
}
