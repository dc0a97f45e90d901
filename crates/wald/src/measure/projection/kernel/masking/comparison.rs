//! What projecting finds more than growing again.
//!
//! With q what the projected forest misses of a row's response and d by how much the predictions
//! of projected trees lie above those of trees grown again, in the mean over trees, the excess is
//! |q|^2 - |q + d|^2 = -2 q d - |d|^2. All trees are projected, so that q is known; only d rests on
//! some trees. Its square is estimated by products of different trees.

use crate::measure::kernel::altered_predictions::Altered;
use crate::measure::kernel::changes::Changes;
use crate::measure::kernel::errors_of_rows::OfUnits;
use crate::measure::kernel::residuals::Residuals;
use crate::measure::projection::kernel::masking::ComparedTree;
use crate::pass::{OutOfBag, Outcome};

/// What the value of a group is too large by, in shares of the variance.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Excess {
    pub(super) value: f64,
    /// Its standard error, of the trees that were grown again and of the rows, or clusters of them.
    pub(super) of_trees: f64,
    pub(super) of_rows: f64,
}

/// Trees that were compared with their like, grown again.
pub(super) struct Comparison<'a> {
    trees: &'a [ComparedTree],
    altered: &'a Altered,
    out_of_bag: &'a OutOfBag,
    outcome: Outcome<'a>,
    residuals: Residuals,
    variance: f64,
    /// Compared rows, increasing, and for each how many of the trees do not know it.
    rows: Vec<u32>,
    n_trees: Vec<u32>,
    /// Weight of all rows of trees, and of rows of pairs of trees; the same by tree, of which pairs
    /// are those with it.
    weight: f64,
    pairs: f64,
    by_tree: Vec<(f64, f64)>,
    /// The mean of 1 / trees of the forest that do not know a row.
    per_tree: f64,
    /// Share of the forest's trees that are not among these.
    missing: f64,
}

impl<'a> Comparison<'a> {
    /// Of a forest of so many trees; `None` where nothing is known.
    pub(super) fn new(
        trees: &'a [ComparedTree],
        altered: &'a Altered,
        of_trees: usize,
        outcome: Outcome<'a>,
    ) -> Option<Self> {
        let training = outcome.training;
        let out_of_bag = altered.out_of_bag(outcome);
        let mut rows: Vec<u32> = trees.iter().flat_map(|tree| &tree.rows).copied().collect();
        rows.sort_unstable();
        let n_trees: Vec<u32> = rows.chunk_by(u32::eq).map(|same| same.len() as u32).collect();
        rows.dedup();
        let others =
            |row: u32| rows.binary_search(&row).map_or(0.0, |place| f64::from(n_trees[place] - 1));
        let of_tree = |tree: &ComparedTree| {
            let pairs = |&row: &u32| 2.0 * training.weight(row) * others(row);
            let weight = tree.rows.iter().map(|&row| training.weight(row)).sum::<f64>();
            (weight, tree.rows.iter().map(pairs).sum::<f64>())
        };
        let by_tree: Vec<(f64, f64)> = trees.iter().map(of_tree).collect();
        let (weight, pairs) =
            by_tree.iter().fold((0.0, 0.0), |sum, tree| (sum.0 + tree.0, sum.1 + 0.5 * tree.1));
        let own = trees
            .iter()
            .flat_map(|tree| &tree.rows)
            .map(|&row| training.weight(row) / f64::from(out_of_bag.n_trees(row as usize).max(1)));
        let per_tree = own.sum::<f64>() / weight;
        let residuals = Residuals::new(training.truth(), out_of_bag);
        let variance = training.response_variance();
        let is_known = trees.len() > 2
            && variance > 0.0
            && by_tree.iter().all(|tree| weight > tree.0 && pairs > tree.1);
        is_known.then_some(Self {
            trees,
            altered,
            out_of_bag,
            outcome,
            residuals,
            variance,
            rows,
            n_trees,
            weight,
            pairs,
            by_tree,
            per_tree,
            missing: 1.0 - trees.len() as f64 / of_trees as f64,
        })
    }

    /// By how much the value of a group is too large. Cost O(rows * trees).
    pub(super) fn excess(&self, group: u32) -> Excess {
        let training = self.outcome.training;
        let n_outputs = training.n_outputs();
        let of_tree = |tree: &'a ComparedTree| {
            let Changes { rows, groups, amounts } = &tree.differences;
            let from = groups.partition_point(|&other| other < group);
            let to = groups.partition_point(|&other| other <= group);
            let amounts = amounts[from * n_outputs..to * n_outputs].chunks_exact(n_outputs);
            rows[from..to].iter().copied().zip(amounts)
        };
        if self.trees.iter().all(|tree| of_tree(tree).next().is_none()) {
            return Excess::default();
        }
        let at = |place: usize| place * n_outputs..(place + 1) * n_outputs;
        let mut sums = vec![0.0; self.rows.len() * n_outputs];
        let mut squares_of = vec![0.0; self.rows.len()];
        for (row, amount) in self.trees.iter().flat_map(of_tree) {
            let place = self.place(row);
            sums[at(place)].iter_mut().zip(amount).for_each(|(sum, amount)| *sum += amount);
            squares_of[place] += dot(amount, amount);
        }
        let mut all = Sums::default();
        let mut by_tree = Vec::with_capacity(self.trees.len());
        for tree in self.trees {
            let mut own = Sums::default();
            for (row, amount) in of_tree(tree) {
                let (weight, square) = (training.weight(row), dot(amount, amount));
                own.missed += weight * self.missed(row, group, amount);
                own.squares += weight * square;
                own.products += 2.0 * weight * (dot(&sums[at(self.place(row))], amount) - square);
            }
            all.missed += own.missed;
            all.squares += own.squares;
            // Every pair is met twice.
            all.products += 0.5 * own.products;
            by_tree.push(own);
        }
        let value = self.value(all, self.weight, self.pairs);
        let without = |(own, &(weight, pairs)): (&Sums, &(f64, f64))| {
            let rest = Sums {
                missed: all.missed - own.missed,
                squares: all.squares - own.squares,
                products: all.products - own.products,
            };
            self.value(rest, self.weight - weight, self.pairs - pairs)
        };
        let others: Vec<f64> = by_tree.iter().zip(&self.by_tree).map(without).collect();
        let n = others.len() as f64;
        let mean = others.iter().sum::<f64>() / n;
        let spread: f64 = others.iter().map(|other| (other - mean).powi(2)).sum();
        let (mut of_rows, mut weight_of_rows) = (OfUnits::new(training.truth()), 0.0);
        for (place, &row) in self.rows.iter().enumerate().filter(|row| self.n_trees[row.0] > 1) {
            let (k, weight) = (f64::from(self.n_trees[place]), training.weight(row));
            let sum = &sums[at(place)];
            let products = (dot(sum, sum) - squares_of[place]) / (k * (k - 1.0));
            let of_row = -2.0 * self.missed(row, group, sum) / k - products;
            if weight > 0.0 {
                of_rows.add(row, weight * (of_row / self.variance - value));
            }
            weight_of_rows += weight;
        }
        Excess {
            value,
            // Jackknife; of a sample of the trees that there are (Cochran 1977, section 4.2).
            of_trees: (self.missing.max(0.0) * (n - 1.0) / n * spread).sqrt(),
            of_rows: of_rows.square().sqrt() / weight_of_rows,
        }
    }

    fn place(&self, row: u32) -> usize {
        self.rows.partition_point(|&other| other < row)
    }

    /// What the projected forest misses of a row's response, times a difference.
    fn missed(&self, row: u32, group: u32, amount: &[f64]) -> f64 {
        let n_trees = f64::from(self.out_of_bag.n_trees(row as usize).max(1));
        let changed = self.altered.change(row, group).map_or(0.0, |sum| dot(sum, amount) / n_trees);
        dot(self.residuals.of(row), amount) - changed
    }

    fn value(&self, sums: Sums, weight: f64, pairs: f64) -> f64 {
        let square =
            sums.products / pairs * (1.0 - self.per_tree) + sums.squares / weight * self.per_tree;
        (-2.0 * sums.missed / weight - square) / self.variance
    }
}

/// Over rows and trees, weighted: of products with what is missed, of squares, and over pairs of
/// trees of their products.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    missed: f64,
    squares: f64,
    products: f64,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
