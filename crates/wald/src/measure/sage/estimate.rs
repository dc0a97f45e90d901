//! Means of samples, and how precise they are.

/// Sums that vary less than this share of their parts vary by rounding.
const LEAST_VARYING: f64 = 1e-12;

/// Running means, and sums of products of deviations from them (Welford 1962).
#[derive(Debug)]
pub(super) struct Estimate {
    n_samples: usize,
    /// By player.
    means: Vec<f64>,
    squares: Vec<f64>,
    /// With what all players of a sample add up to.
    products: Vec<f64>,
    total: f64,
    total_squares: f64,
    /// The mean of what all players add up to, over all rows.
    known_total: f64,
}

impl Estimate {
    pub(super) fn new(n_players: usize, known_total: f64) -> Self {
        Self {
            n_samples: 0,
            means: vec![0.0; n_players],
            squares: vec![0.0; n_players],
            products: vec![0.0; n_players],
            total: 0.0,
            total_squares: 0.0,
            known_total,
        }
    }

    pub(super) fn n_samples(&self) -> usize {
        self.n_samples
    }

    /// Adds a sample, one number per player.
    pub(super) fn add(&mut self, sample: &[f64]) {
        self.n_samples += 1;
        let n = self.n_samples as f64;
        let total: f64 = sample.iter().sum();
        let before = total - self.total;
        self.total += before / n;
        let after = total - self.total;
        self.total_squares += before * after;
        for (player, value) in sample.iter().enumerate() {
            let deviation = value - self.means[player];
            self.means[player] += deviation / n;
            self.squares[player] += deviation * (value - self.means[player]);
            self.products[player] += deviation * after;
        }
    }

    /// The share of the error of the total that a player is given: their regression (control
    /// variate). The shares sum up to one, or are zero where all totals are equal but for rounding,
    /// as in a forest that predicts every row without error.
    fn slope(&self, player: usize) -> f64 {
        let varies = self.total_squares > LEAST_VARYING * self.squares.iter().sum::<f64>();
        if varies { self.products[player] / self.total_squares } else { 0.0 }
    }

    /// The values, which sum up to what they have to.
    pub(super) fn values(&self) -> Vec<f64> {
        let error = self.known_total - self.total;
        let corrected = |player: usize| self.means[player] + self.slope(player) * error;
        (0..self.means.len()).map(corrected).collect()
    }

    /// Standard errors of the values; none for fewer than 3 samples.
    pub(super) fn standard_errors(&self) -> Option<Vec<f64>> {
        let n = self.n_samples as f64;
        // Mean and slope are estimated.
        (self.n_samples > 2).then(|| {
            let left = |player: usize| {
                (self.squares[player] - self.slope(player) * self.products[player]).max(0.0)
            };
            (0..self.means.len()).map(|player| (left(player) / (n - 2.0) / n).sqrt()).collect()
        })
    }

    /// Whether the largest standard error is at most this share of the range of the values.
    pub(super) fn is_precise(&self, share: f64) -> bool {
        let Some(errors) = self.standard_errors() else { return false };
        let values = self.values();
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        // A variable that stands alone is compared with nothing.
        let range = if values.len() > 1 { most - least } else { most.abs() };
        errors.iter().all(|&error| error <= share * range)
    }
}
