//! Errors of the rows in a table, which stand for others of the same population.
//!
//! A share is a ratio of two sums over rows, what is increased and how far responses are from their
//! mean. Its error is that of the sum of what each row adds to the first, less the share times what it
//! adds to the second: the squares of these are summed. Rows of one cluster may depend on each other, so
//! that what they add is summed before it is squared, times G / (G - 1) for G clusters, as few of them
//! differ less from their own mean than from that of the population (Liang & Zeger 1986; Cameron &
//! Miller 2015, section II).

use std::collections::BTreeMap;

use crate::data::Truth;

/// Sums of squares and products over rows, all weighted.
#[derive(Debug)]
pub(super) struct RowMoments {
    squares: Vec<f64>,
    products: Vec<f64>,
    of_spread: f64,
}

impl RowMoments {
    pub(super) fn new(n_groups: usize) -> Self {
        Self { squares: vec![0.0; n_groups], products: vec![0.0; n_groups], of_spread: 0.0 }
    }

    /// Adds how far the response of a row is from the mean, times its weight.
    pub(super) fn add_row(&mut self, away: f64) {
        self.of_spread += away.powi(2);
    }

    pub(super) fn add(&mut self, group: usize, weight: f64, increase: f64, away: f64) {
        self.squares[group] += (weight * increase).powi(2);
        self.products[group] += weight * weight * increase * away;
    }

    /// By group the sum of squares of what independent rows add to a share, times the square of the sum
    /// that it is a share of.
    pub(super) fn squares(&self, sums: &[f64], of_spread: f64) -> Vec<f64> {
        let square = |(group, sum): (usize, &f64)| {
            let share = sum / of_spread;
            let square = self.squares[group] - 2.0 * share * self.products[group]
                + share * share * self.of_spread;
            square.max(0.0)
        };
        sums.iter().enumerate().map(square).collect()
    }
}

/// The same of rows in independent clusters. `of_row` adds by group what is increased, and returns how far
/// the response is from the mean. Cost O(rows * groups).
pub(super) fn of_clusters(
    clusters: &[u32],
    mut rows: Vec<u32>,
    truth: &Truth,
    shares: &[f64],
    of_row: impl Fn(u32, &mut dyn FnMut(usize, f64)) -> f64,
) -> Vec<f64> {
    let code = |row: u32| clusters[row as usize];
    rows.retain(|&row| truth.weight(row) > 0.0);
    rows.sort_by_key(|&row| code(row));
    let mut squares = vec![0.0; shares.len()];
    let mut added = vec![0.0; shares.len()];
    let mut n_clusters = 0;
    for rows in rows.chunk_by(|&one, &other| code(one) == code(other)) {
        added.fill(0.0);
        let mut away = 0.0;
        for &row in rows {
            let weight = truth.weight(row);
            away += weight * of_row(row, &mut |group, increase| added[group] += weight * increase);
        }
        let of_groups = squares.iter_mut().zip(&added).zip(shares);
        of_groups.for_each(|((sum, added), share)| *sum += (added - share * away).powi(2));
        n_clusters += 1;
    }
    squares.iter_mut().for_each(|sum| *sum *= correction(n_clusters));
    squares
}

/// G / (G - 1): infinite for a single cluster, which does not show how much they differ.
fn correction(n_clusters: usize) -> f64 {
    if n_clusters < 2 { f64::INFINITY } else { n_clusters as f64 / (n_clusters - 1) as f64 }
}

/// The sum of squares of what independent rows, or clusters of them, add to a mean.
#[derive(Debug)]
pub(in crate::measure) struct OfUnits<'a> {
    clusters: Option<&'a [u32]>,
    of_rows: f64,
    of_clusters: BTreeMap<u32, f64>,
}

impl<'a> OfUnits<'a> {
    pub(in crate::measure) fn new(truth: &'a Truth) -> Self {
        Self { clusters: truth.clusters(), of_rows: 0.0, of_clusters: BTreeMap::new() }
    }

    /// Adds what a row of positive weight adds.
    pub(in crate::measure) fn add(&mut self, row: u32, added: f64) {
        match self.clusters {
            None => self.of_rows += added.powi(2),
            Some(clusters) => *self.of_clusters.entry(clusters[row as usize]).or_default() += added,
        }
    }

    pub(in crate::measure) fn square(&self) -> f64 {
        if self.clusters.is_none() {
            return self.of_rows;
        }
        let squares = self.of_clusters.values().map(|sum| sum.powi(2)).sum::<f64>();
        correction(self.of_clusters.len()) * squares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Target, Training};
    use crate::run::Threads;

    /// What is increased and how far responses are from their mean, of four rows: the share is 8 / 8, so
    /// that they add 0, 1, 1 and -2.
    const INCREASES: [f64; 4] = [1.0, 3.0, 4.0, 0.0];
    const AWAY: [f64; 4] = [1.0, 2.0, 3.0, 2.0];

    fn training(clusters: Option<&[u32]>, weights: Option<&[f64]>) -> Training {
        let column = Column::numeric("x", vec![0.0; 4]).expect("finite");
        let target = Target::regression("y", vec![0.0; 4]).expect("finite");
        Training::new(&[&column], &[0], &target, weights, Threads::ONE).in_clusters(clusters)
    }

    fn square_of_clusters(clusters: [u32; 4], weights: Option<&[f64]>) -> f64 {
        let training = training(Some(&clusters), weights);
        let of_row = |row: u32, add: &mut dyn FnMut(usize, f64)| {
            add(0, INCREASES[row as usize]);
            AWAY[row as usize]
        };
        of_clusters(&clusters, (0..4).collect(), training.truth(), &[1.0], of_row)[0]
    }

    #[test]
    fn what_rows_of_a_cluster_add_is_squared_together() {
        let mut moments = RowMoments::new(1);
        for (increase, away) in INCREASES.into_iter().zip(AWAY) {
            moments.add_row(away);
            moments.add(0, 1.0, increase, away);
        }
        assert_eq!(moments.squares(&[8.0], 8.0), [6.0]);
        // One row in each, times 4 / 3.
        assert!((square_of_clusters([3, 1, 9, 2], None) - 8.0).abs() < 1e-12);
        // (0 + 1)^2 + (1 - 2)^2, times 2; and (0 - 2)^2 + (1 + 1)^2.
        assert_eq!(square_of_clusters([7, 7, 3, 3], None), 4.0);
        assert_eq!(square_of_clusters([3, 7, 7, 3], None), 16.0);
        // Rows without weight make no cluster, and a weight counts what its row adds.
        assert_eq!(square_of_clusters([1, 2, 4, 4], Some(&[0.0, 1.0, 1.0, 1.0])), 4.0);
        assert_eq!(square_of_clusters([3, 7, 7, 3], Some(&[1.0, 1.0, 0.5, 1.0])), 2.0 * 6.25);
        assert!(!square_of_clusters([5; 4], None).is_finite());
    }

    #[test]
    fn means_have_the_same_errors() {
        let square = |clusters: Option<&[u32]>| {
            let training = training(clusters, None);
            let mut units = OfUnits::new(training.truth());
            (0..4).for_each(|row| units.add(row, INCREASES[row as usize] - AWAY[row as usize]));
            units.square()
        };
        assert_eq!(square(None), 6.0);
        assert!((square(Some(&[3, 1, 9, 2])) - 8.0).abs() < 1e-12);
        assert_eq!(square(Some(&[3, 7, 7, 3])), 16.0);
    }
}
