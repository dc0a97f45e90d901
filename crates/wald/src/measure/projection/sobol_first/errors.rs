//! Errors of the rows in a table, which stand for others of the same population.
//!
//! A first-order index is the mean square of the conditional expectation m of the response given the variable, both
//! less their mean, divided by the variance. Another row changes the mean square by 2 (y - m) m, what it adds by itself
//! to the estimate of m included, and by m^2 less its mean: together by 2 y m - m^2 less its mean (the efficient
//! influence function: Da Veiga & Gamboa 2013; Williamson, Gilbert, Simon & Carone 2021). It
//! changes the variance by y^2 less its mean, times the index.

use serde::{Deserialize, Serialize};

use crate::data::Truth;
use crate::measure::kernel::errors_of_rows::OfUnits;
use crate::pass::TreeView;

/// Projected predictions of one tree for its out-of-bag rows, less the mean of the response.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Predictions {
    /// In the order of the table.
    rows: Vec<u32>,
    n_groups: usize,
    /// By row, group and output.
    values: Vec<f64>,
}

impl Predictions {
    /// Zeros.
    pub(super) fn new(view: &TreeView<'_>, n_groups: usize, n_outputs: usize) -> Self {
        let mut rows = view.out_of_bag.all().to_vec();
        rows.sort_unstable();
        let values = vec![0.0; rows.len() * n_groups * n_outputs];
        Self { rows, n_groups, values }
    }

    /// What is predicted for a group of a row, by its place among those that are out of bag.
    pub(super) fn set(&mut self, at: usize, group: usize, values: &[f64]) {
        let start = (at * self.n_groups + group) * values.len();
        self.values[start..start + values.len()].copy_from_slice(values);
    }

    /// Adds to what is predicted for a group of a row.
    pub(super) fn add(&mut self, row: u32, group: usize, change: &[f64]) {
        let Ok(at) = self.rows.binary_search(&row) else { return };
        let start = (at * self.n_groups + group) * change.len();
        self.values[start..].iter_mut().zip(change).for_each(|(value, change)| *value += change);
    }

    pub(super) fn fits(&self, n_rows: usize, n_groups: usize, n_outputs: usize) -> bool {
        self.n_groups == n_groups
            && self.values.len() == self.rows.len() * n_groups * n_outputs
            && self.rows.iter().all(|&row| (row as usize) < n_rows)
    }
}

/// Sums of projected predictions over the trees that a row is out of bag of.
#[derive(Debug, Default)]
pub(super) struct PredictionSums {
    n_trees: Vec<u32>,
    values: Vec<f64>,
}

impl PredictionSums {
    pub(super) fn add(&mut self, tree: &Predictions, n_rows: usize) {
        let width = tree.values.len() / tree.rows.len().max(1);
        self.n_trees.resize(n_rows, 0);
        self.values.resize(n_rows * width, 0.0);
        for (&row, values) in tree.rows.iter().zip(tree.values.chunks_exact(width.max(1))) {
            let row = row as usize;
            self.n_trees[row] += 1;
            let sums = self.values[row * width..].iter_mut();
            sums.zip(values).for_each(|(sum, value)| *sum += value);
        }
    }

    /// By group, the square of the error of its index that rows, or clusters of them, have. `centred` gives how far
    /// the response of a row is from its mean. Cost O(rows * groups).
    pub(super) fn squares(
        &self,
        truth: &Truth,
        n_groups: usize,
        centred: impl Fn(u32, &mut [f64]),
    ) -> Vec<f64> {
        let width = n_groups * truth.n_outputs();
        let rows: Vec<u32> = (0..truth.n_rows() as u32)
            .filter(|&row| truth.weight(row) > 0.0 && self.n_trees.get(row as usize) > Some(&0))
            .collect();
        let mean = |of: &[f64]| {
            let weights = rows.iter().map(|&row| truth.weight(row));
            let sum: f64 = weights.clone().zip(of).map(|(weight, value)| weight * value).sum();
            sum / weights.sum::<f64>()
        };
        let mut responses = vec![0.0; rows.len() * truth.n_outputs()];
        for (&row, to) in rows.iter().zip(responses.chunks_exact_mut(truth.n_outputs())) {
            centred(row, to);
        }
        let of_rows = || responses.chunks_exact(truth.n_outputs());
        let spread: Vec<f64> = of_rows().map(|y| y.iter().map(|y| y * y).sum()).collect();
        let variance = mean(&spread);
        let total: f64 = rows.iter().map(|&row| truth.weight(row)).sum();
        let of_group = |group: usize| {
            let mut products = Vec::with_capacity(rows.len());
            let mut influence = Vec::with_capacity(rows.len());
            for (&row, y) in rows.iter().zip(of_rows()) {
                let start = row as usize * width + group * truth.n_outputs();
                let n_trees = f64::from(self.n_trees[row as usize]);
                let predicted =
                    self.values[start..][..truth.n_outputs()].iter().map(|sum| sum / n_trees);
                let pairs = y.iter().zip(predicted);
                products.push(pairs.clone().map(|(y, m)| y * m).sum());
                influence.push(pairs.map(|(y, m)| (2.0 * y - m) * m).sum());
            }
            let index = mean(&products) / variance;
            let centre = mean(&influence) - index * variance;
            let mut units = OfUnits::new(truth);
            for ((&row, added), spread) in rows.iter().zip(&influence).zip(&spread) {
                units.add(row, truth.weight(row) * (added - index * spread - centre));
            }
            units.square() / (total * variance).powi(2)
        };
        (0..n_groups).map(of_group).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Dataset, Target, Training};
    use crate::forest::ForestConfig;
    use crate::measure::projection::sobol_first::first_order;
    use crate::random::{Purpose, Stream};
    use crate::run::{Run, Threads};

    /// Where predictions are the means of three levels, the index is the correlation ratio, whose error by leaving out
    /// one row after the other (jackknife) is the same but for terms of 1 / n.
    #[test]
    fn squares_are_those_of_the_jackknife() {
        let n_rows = 300;
        let mut stream = Stream::new(1, 0, Purpose::Signs);
        let level = |row: usize| row % 3;
        let y: Vec<f64> =
            (0..n_rows).map(|row| level(row) as f64 + 3.0 * stream.unit().powi(2)).collect();
        let means = |without: usize| {
            let mut sums = [(0.0, 0.0); 4];
            for row in (0..n_rows).filter(|row| *row != without) {
                for at in [level(row), 3] {
                    sums[at] = (sums[at].0 + y[row], sums[at].1 + 1.0);
                }
            }
            sums.map(|(sum, n)| sum / n)
        };
        let index = |without: usize| {
            let means = means(without);
            let rows = || (0..n_rows).filter(|row| *row != without);
            let spread: f64 = rows().map(|row| (y[row] - means[3]).powi(2)).sum();
            rows().map(|row| (means[level(row)] - means[3]).powi(2)).sum::<f64>() / spread
        };
        let all: Vec<f64> = (0..n_rows).map(index).collect();
        let centre = all.iter().sum::<f64>() / n_rows as f64;
        let jackknife = all.iter().map(|index| (index - centre).powi(2)).sum::<f64>();

        let column = Column::numeric("x", vec![0.0; n_rows]).expect("finite");
        let target = Target::regression("y", y.clone()).expect("finite");
        let all = means(n_rows);
        let values = (0..n_rows).map(|row| all[level(row)] - all[3]).collect();
        let tree = Predictions { rows: (0..n_rows as u32).collect(), n_groups: 1, values };
        let square = |clusters: Option<&[u32]>, n_trees: usize| {
            let training = Training::new(&[&column], &[0], &target, None, Threads::ONE);
            let training = training.in_clusters(clusters);
            let mut sums = PredictionSums::default();
            (0..n_trees).for_each(|_| sums.add(&tree, n_rows));
            let centred = |row: u32, to: &mut [f64]| to[0] = y[row as usize] - all[3];
            sums.squares(training.truth(), 1, centred)[0]
        };
        assert!(
            (square(None, 1) / jackknife - 1.0).abs() < 0.03,
            "{} {jackknife}",
            square(None, 1)
        );
        assert!((square(None, 3) / square(None, 1) - 1.0).abs() < 1e-12);
        let alone: Vec<u32> = (0..n_rows as u32).collect();
        let of_clusters = square(Some(&alone), 1) / square(None, 1);
        assert!((of_clusters - 300.0 / 299.0).abs() < 1e-12, "{of_clusters}");
    }

    fn table(seed: u64, is_classes: bool) -> Dataset {
        let mut stream = Stream::new(seed, 0, Purpose::Signs);
        let (mut x, mut y) = (vec![Vec::new(); 3], Vec::new());
        for _ in 0..120 {
            let row: Vec<f64> = (0..3).map(|_| 2.0 * stream.unit() - 1.0).collect();
            y.push(row[0] + 0.5 * row[1] + stream.unit() - 0.5);
            x.iter_mut().zip(row).for_each(|(x, value)| x.push(value));
        }
        let names = ["a", "b", "c"].into_iter().zip(x);
        let columns = names.map(|(name, x)| Column::numeric(name, x).expect("finite")).collect();
        let target = if is_classes {
            let codes = y.iter().map(|y| u32::from(*y > 0.2)).collect();
            Target::classification("y", ["no", "yes"].map(str::to_owned).to_vec(), codes)
        } else {
            Target::regression("y", y)
        };
        Dataset::new(columns, target.expect("valid")).expect("consistent")
    }

    /// Errors of trees and rows are as large as indices of 30 tables vary, those of trees a small part of it. Of a
    /// variable of little or no effect they are larger.
    #[test]
    fn errors_are_those_over_tables() {
        for is_classes in [false, true] {
            let mut found: Vec<Vec<[f64; 3]>> = vec![Vec::new(); 3];
            for seed in 0..30 {
                let config = ForestConfig { n_trees: 30, seed, ..ForestConfig::default() };
                let run = Run::on(Threads::ONE);
                let fitted = crate::fit(table(seed, is_classes), &config, &run).expect("valid");
                let of = first_order(fitted.forest(), fitted.data(), &run).expect("applies");
                let errors = |of: &Option<Vec<Option<f64>>>, at: usize| {
                    of.as_ref().and_then(|errors| errors[at]).expect("an error")
                };
                for (at, found) in found.iter_mut().enumerate() {
                    let of_trees = errors(&of.standard_errors, at);
                    let total = errors(&of.total_errors, at);
                    found.push([of.values[at].expect("a value"), of_trees, total]);
                }
            }
            let ratios = found.iter().map(|found| {
                let n = found.len() as f64;
                let mean = found.iter().map(|of| of[0]).sum::<f64>() / n;
                let sd = found.iter().map(|of| (of[0] - mean).powi(2)).sum::<f64>() / (n - 1.0);
                [1, 2]
                    .map(|at| (found.iter().map(|of| of[at].powi(2)).sum::<f64>() / n / sd).sqrt())
            });
            let ratios: Vec<[f64; 2]> = ratios.collect();
            assert!((0.75..1.3).contains(&ratios[0][1]), "{ratios:?}");
            for [of_trees, total] in &ratios {
                assert!(*of_trees < 0.45 && (0.75..2.5).contains(total), "{ratios:?}");
            }
        }
    }
}
