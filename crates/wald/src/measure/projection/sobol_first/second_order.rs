//! Second-order Sobol indices: what the interaction of two groups explains.
//!
//! With `f_j = E[Y | X_j]` and `f_jk = E[Y | X_j, X_k]`, the closed index of a pair less both first-order
//! indices is `Cov(f_jk, f_jk - f_j - f_k) / V[Y]`, whether variables depend on each other or not, as `f_j` is
//! the expectation of `f_jk` given `X_j`. The difference of three estimates would also have the difference of
//! their errors: cells of two variables are larger than intervals of one, so that a pair would lose part
//! of the first-order indices, and its interaction would be below zero where there is none. Here the cells
//! of the pair average what responses are beyond `f_j + f_k`, so that first-order effects are gone before
//! they do. `f_j` of an in-bag row is the mean of the other rows of its cell: with its own response it would
//! follow the response.

use super::partition::{Partition, Partitioner};
use super::{away, centred, pairs_of};
use crate::pass::TreeView;

/// The in-bag rows of a tree.
struct InBag {
    /// With what they weigh.
    rows: Vec<(u32, f64)>,
    /// By row, how far the response is from its mean.
    responses: Vec<f64>,
    n_outputs: usize,
}

/// By pair of groups, the sum over out-of-bag rows of response times what the cells of the pair have
/// beyond both groups; pairs in the order (0, 1), (0, 2), ..., (1, 2), ...
pub(super) fn of_pairs(view: &TreeView<'_>, centre: &[f64], n_groups: usize) -> Vec<f64> {
    let in_bag = InBag::new(view, centre);
    let mut partitioner = Partitioner::new(view);
    let mut alone = |group: u32| in_bag.means_of_others(&partitioner.onto(|of| of == group, false));
    let alone: Vec<Vec<f64>> = (0..n_groups as u32).map(&mut alone).collect();
    let mut sums = Vec::with_capacity(pairs_of(n_groups));
    for one in 0..n_groups {
        for other in one + 1..n_groups {
            let pair = [one as u32, other as u32];
            let cells = partitioner.onto(|group| pair.contains(&group), true);
            let terms = in_bag.responses.iter().zip(&alone[one]).zip(&alone[other]);
            let beyond: Vec<f64> =
                terms.map(|((response, one), other)| response - one - other).collect();
            sums.push(in_bag.product(&cells, &beyond, view, centre));
        }
    }
    sums
}

impl InBag {
    fn new(view: &TreeView<'_>, centre: &[f64]) -> Self {
        let counts = view.bag.map_or(&[][..], |bag| bag.counts());
        let weight = |row: u32| f64::from(counts[row as usize]) * view.training.weight(row);
        // In the order of the table, so that sums do not depend on how rows were divided.
        let mut rows: Vec<(u32, f64)> =
            view.in_bag().all().iter().map(|&row| (row, weight(row))).collect();
        rows.sort_unstable_by_key(|(row, _)| *row);
        let n_outputs = centre.len();
        let mut responses = vec![0.0; rows.len() * n_outputs];
        for ((row, _), to) in rows.iter().zip(responses.chunks_exact_mut(n_outputs)) {
            centred(view.training.response(), centre, *row, to);
        }
        Self { rows, responses, n_outputs }
    }

    /// By cell, weights and weighted sums of values over all in-bag rows in it.
    fn sums(&self, cells: &Partition, values: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (n_cells, n_outputs) = (cells.parents.len(), self.n_outputs);
        let (mut weights, mut sums) = (vec![0.0; n_cells], vec![0.0; n_cells * n_outputs]);
        for (&(row, weight), values) in self.rows.iter().zip(values.chunks_exact(n_outputs)) {
            let cell = cells.cell_of[row as usize] as usize;
            weights[cell] += weight;
            let sums = &mut sums[cell * n_outputs..(cell + 1) * n_outputs];
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value);
        }
        // Parts of cells follow them.
        for cell in (1..n_cells).rev() {
            let parent = cells.parents[cell] as usize;
            weights[parent] += weights[cell];
            for output in 0..n_outputs {
                sums[parent * n_outputs + output] += sums[cell * n_outputs + output];
            }
        }
        (weights, sums)
    }

    /// For every in-bag row, the mean response of the others in the smallest cell that has others.
    fn means_of_others(&self, cells: &Partition) -> Vec<f64> {
        let (weights, sums) = self.sums(cells, &self.responses);
        let mut means = vec![0.0; self.responses.len()];
        let rows = self.rows.iter().zip(self.responses.chunks_exact(self.n_outputs));
        for ((&(row, weight), own), means) in rows.zip(means.chunks_exact_mut(self.n_outputs)) {
            let mut cell = cells.cell_of[row as usize] as usize;
            while weights[cell] - weight <= 0.0 && cell != 0 {
                cell = cells.parents[cell] as usize;
            }
            let of_others = weights[cell] - weight;
            if of_others > 0.0 {
                let sums = &sums[cell * self.n_outputs..];
                for ((mean, sum), own) in means.iter_mut().zip(sums).zip(own) {
                    *mean = (sum - weight * own) / of_others;
                }
            }
        }
        means
    }

    /// The sum over out-of-bag rows of response times the mean of values in their cell.
    fn product(
        &self,
        cells: &Partition,
        values: &[f64],
        view: &TreeView<'_>,
        centre: &[f64],
    ) -> f64 {
        let (weights, sums) = self.sums(cells, values);
        let mut response = vec![0.0; self.n_outputs];
        let mut product = 0.0;
        for &row in view.out_of_bag.all() {
            let cell = cells.cell_of[row as usize] as usize;
            away(view, centre, row, &mut response);
            let means = sums[cell * self.n_outputs..].iter().map(|sum| sum / weights[cell]);
            product += response.iter().zip(means).map(|(y, mean)| y * mean).sum::<f64>();
        }
        product
    }
}
