//! What sets of a block of trees lose, over its rows, and what its trees and rows add to that.

use super::known::Known;
use crate::measure::kernel::altered_predictions::AlteredTree;
use crate::measure::kernel::row_sums::RowSums;

/// Sums over the rows of a block, by its sets.
pub(super) struct Block {
    /// Losses, and what of the squares of changes is between rows.
    losses: Vec<f64>,
    between: Vec<f64>,
    pub(super) weight: f64,
    /// Weights times degrees of freedom of the trees, and times 1 / trees of the block - 1 / all trees.
    freedom: f64,
    gaps: f64,
    /// The variance of means over the trees of the block, for a variance of 1 of one tree; and what of it the
    /// distances of trees from these means have.
    pub(super) of_means: f64,
    pub(super) within: f64,
}

impl Block {
    pub(super) fn new(n_sets: usize) -> Self {
        let zeros = || vec![0.0; n_sets];
        Self {
            losses: zeros(),
            between: zeros(),
            weight: 0.0,
            freedom: 0.0,
            gaps: 0.0,
            of_means: 0.0,
            within: 0.0,
        }
    }

    pub(super) fn add(&mut self, row: u32, n_trees: f64, sums: &RowSums, known: &Known) {
        let weight = known.truth.weight(row);
        self.weight += weight;
        self.freedom += weight * (n_trees - 1.0);
        self.of_means += weight / n_trees;
        self.within += weight * (n_trees - 1.0) / (n_trees * n_trees);
        self.gaps +=
            weight * (1.0 / n_trees - 1.0 / f64::from(known.out_of_bag.n_trees(row as usize)));
        let residual = known.residuals.of(row);
        for (set, sums) in sums.row(row) {
            let mut square = 0.0;
            let increase = |(sum, residual): (&f64, &f64)| {
                let mean = sum / n_trees;
                square += mean * mean;
                mean * (mean - 2.0 * residual)
            };
            self.losses[set] += weight * sums.iter().zip(residual).map(increase).sum::<f64>();
            self.between[set] += weight * n_trees * square;
        }
    }

    /// By set, what is lost without it. How far trees differ in a row is taken not to depend on how many of
    /// them it is out of bag of, so that it is averaged over rows.
    pub(super) fn lost(&self, squares: &[f64]) -> Vec<f64> {
        let more = if self.freedom > 0.0 { self.gaps / self.freedom } else { 0.0 };
        let of_set = self.losses.iter().zip(squares).zip(&self.between);
        of_set.map(|((loss, square), between)| loss - more * (square - between)).collect()
    }
}

/// By set of the block, what a tree adds to its loss by its own changes.
pub(super) fn added(
    tree: &AlteredTree,
    n_sets: usize,
    sums: &RowSums,
    counts: &[u32],
    known: &Known,
) -> Vec<f64> {
    let mut found = vec![0.0; n_sets];
    let factor = |row: u32| 2.0 * known.truth.weight(row) / f64::from(counts[row as usize]);
    for &row in &tree.rows {
        let own = f64::from(counts[row as usize]);
        for (set, sums) in sums.row(row) {
            let terms = sums.iter().zip(known.residuals.of(row));
            let term = |(sum, residual): (&f64, &f64)| (sum / own - residual) * sum / own;
            found[set] -= factor(row) * terms.map(term).sum::<f64>();
        }
    }
    let entries = tree.changes.rows.iter().zip(&tree.changes.groups);
    let changes = tree.changes.amounts.chunks_exact(known.truth.n_outputs());
    for ((&row, &set), change) in entries.zip(changes) {
        let own = f64::from(counts[row as usize]);
        let Some(sums) = sums.get(row, set) else { continue };
        let terms = change.iter().zip(sums).zip(known.residuals.of(row));
        let term =
            |((change, sum), residual): ((&f64, &f64), &f64)| (sum / own - residual) * change;
        found[set as usize] += factor(row) * terms.map(term).sum::<f64>();
    }
    found
}

/// Sums over rows, of which a ratio of a total and a total weight is made.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RatioMoments {
    n: f64,
    weight: f64,
    weights: f64,
    total: f64,
    square: f64,
    product: f64,
}

impl RatioMoments {
    pub(super) fn add(&mut self, term: f64, weight: f64) {
        self.n += f64::from(u8::from(weight > 0.0));
        self.weight += weight;
        self.weights += weight * weight;
        self.total += term;
        self.square += term * term;
        self.product += term * weight;
    }

    /// The square of the standard error of the total, if all weight is divided by that of the rows.
    pub(super) fn square(&self) -> f64 {
        if self.n < 2.0 {
            return 0.0;
        }
        let mean = self.total / self.weight;
        let squares = self.square - 2.0 * mean * self.product + mean * mean * self.weights;
        squares.max(0.0) * self.n / (self.n - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of rows with equal weights, the jackknife of the mean; where rows have a weight of zero, these are none.
    #[test]
    fn errors_of_ratios_are_those_of_the_jackknife() {
        let terms = [0.3, -0.2, 0.8, 0.1, 0.5];
        let n = terms.len() as f64;
        let mean = terms.iter().sum::<f64>() / n;
        let without = terms.map(|term| (n * mean - term) / (n - 1.0));
        let squares: f64 = without.iter().map(|value| (value - mean).powi(2)).sum();
        let mut moments = RatioMoments::default();
        terms.iter().for_each(|term| moments.add(2.0 * term / (2.0 * n), 2.0));
        moments.add(0.0, 0.0);
        assert!((moments.square() - (n - 1.0) / n * squares).abs() < 1e-15, "{moments:?}");
    }

    /// A term that is the same for every unit of weight has no error, however rows are weighted.
    #[test]
    fn equal_values_have_no_error_with_any_weights() {
        let mut moments = RatioMoments::default();
        [1.0, 2.0, 0.5, 3.0].iter().for_each(|weight| moments.add(0.7 * weight / 6.5, *weight));
        assert!(moments.square() < 1e-16, "{moments:?}");
        assert!(RatioMoments::default().square() == 0.0);
    }
}
