//! What single trees add to the increase of the forest's loss.
//!
//! The increase is not a mean over trees, but what a tree adds to it follows from its derivative, which
//! is linear in the tree's prediction for a row and in the change of that prediction. The numbers of
//! both lines are computed once per row and group, so that a tree costs a product per number.

use crate::data::Truth;
use crate::measure::kernel::altered_predictions::AlteredTree;
use crate::measure::kernel::changes::Changes;
use crate::measure::kernel::residuals::Residuals;
use crate::measure::kernel::row_sums::RowSums;
use crate::pass::OutOfBag;

/// The influence of a tree, by its prediction and its change for every row and group.
pub(super) struct Influences<'a> {
    sums: &'a RowSums,
    n_groups: usize,
    n_outputs: usize,
    /// By row: where its numbers begin, and what changes are multiplied by.
    rows: Vec<(usize, f64)>,
    /// By row, with one number per group that there are sums of: what a prediction of zeros adds, then
    /// for each output what it adds per unit; then by group, whose numbers are used together, what the
    /// altered forest misses in each output.
    numbers: Vec<f64>,
}

impl<'a> Influences<'a> {
    /// Given sums of changes and, of changes that are expectations over chance, of their variances.
    pub(super) fn new(
        sums: &'a RowSums,
        variances: Option<&RowSums>,
        residuals: &Residuals,
        truth: &Truth,
        out_of_bag: &OutOfBag,
    ) -> Self {
        let n_outputs = truth.n_outputs();
        let n_rows = truth.n_rows();
        // Losses are means over targets.
        let weight = |row: u32| truth.weight(row) / truth.n_targets() as f64;
        let mut rows = Vec::with_capacity(n_rows);
        let mut numbers = Vec::with_capacity(sums.n_numbers() / n_outputs * (1 + 2 * n_outputs));
        for row in 0..n_rows as u32 {
            let n_trees = f64::from(out_of_bag.n_trees(row as usize));
            let factor = if n_trees > 0.0 { 2.0 * weight(row) / n_trees } else { 0.0 };
            let start = numbers.len();
            rows.push((start, factor));
            let width = sums.n_groups_of(row);
            numbers.resize(start + (1 + 2 * n_outputs) * width, 0.0);
            if n_trees == 0.0 {
                continue;
            }
            let (levels, others) = numbers[start..].split_at_mut(width);
            let (slopes, missed) = others.split_at_mut(n_outputs * width);
            let of_row = residuals.of(row).iter().zip(residuals.prediction(row));
            for (place, (group, sums)) in sums.row(row).enumerate() {
                for (output, (sum, (residual, prediction))) in
                    sums.iter().zip(of_row.clone()).enumerate()
                {
                    let mean = sum / n_trees;
                    let slope = factor * mean;
                    slopes[output * width + place] = slope;
                    levels[place] += slope * (residual - mean - prediction);
                    missed[place * n_outputs + output] = residual - mean;
                }
                if let Some(sum) = variances.and_then(|all| all.get(row, group as u32)) {
                    levels[place] -= weight(row) * sum[0] / n_trees.powi(3);
                }
            }
        }
        let n_groups = sums.n_groups();
        Self { sums, n_groups, n_outputs, rows, numbers }
    }

    /// By group, what a tree adds. Cost: its out-of-bag rows times the groups that there are sums of.
    pub(super) fn of_tree(
        &self,
        tree: &AlteredTree,
        truth: &Truth,
        out_of_bag: &OutOfBag,
    ) -> Vec<f64> {
        let n_outputs = self.n_outputs;
        let mut influence = vec![0.0; self.n_groups];
        let mut terms = vec![0.0; self.n_groups];
        for (&row, values) in tree.rows.iter().zip(tree.values.chunks_exact(n_outputs)) {
            let width = self.sums.n_groups_of(row);
            let start = self.rows[row as usize].0;
            let (levels, others) = self.numbers[start..].split_at(width);
            let terms = &mut terms[..width];
            let slopes = others[..n_outputs * width].chunks_exact(width.max(1));
            let mut is_first = true;
            // Small leaves predict no share of most classes, which then add nothing.
            for (slopes, value) in slopes.zip(values).filter(|(_, value)| **value != 0.0) {
                let products = slopes.iter().map(|slope| slope * value);
                if std::mem::take(&mut is_first) {
                    terms.iter_mut().zip(products).for_each(|(term, product)| *term = product);
                } else {
                    terms.iter_mut().zip(products).for_each(|(term, product)| *term += product);
                }
            }
            if is_first {
                terms.fill(0.0);
            }
            let terms = terms.iter().zip(levels).map(|(term, level)| level + term);
            match self.sums.groups_of(row) {
                None => influence.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term),
                Some(groups) => {
                    groups.iter().zip(terms).for_each(|(&group, t)| influence[group as usize] += t);
                }
            }
        }
        let Changes { rows, groups, amounts } = &tree.changes;
        let entries = rows.iter().zip(groups);
        for ((&row, &group), change) in entries.clone().zip(amounts.chunks_exact(n_outputs)) {
            let Some(place) = self.sums.place_of(row, group) else { continue };
            let (start, factor) = self.rows[row as usize];
            let width = self.sums.n_groups_of(row);
            let missed = start + (1 + n_outputs) * width + place * n_outputs;
            let missed = &self.numbers[missed..missed + n_outputs];
            let products = missed.iter().zip(change).map(|(missed, change)| missed * change);
            influence[group as usize] -= factor * products.sum::<f64>();
        }
        for ((&row, &group), variance) in entries.zip(tree.variances()) {
            let n_trees = f64::from(out_of_bag.n_trees(row as usize));
            let weight = truth.weight(row) / truth.n_targets() as f64;
            influence[group as usize] += weight * variance / n_trees.powi(2);
        }
        influence
    }
}
