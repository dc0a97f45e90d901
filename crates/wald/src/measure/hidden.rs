//! Whether projected trees miss what other variables could say: masking (Louppe et al. 2013,
//! section 4).
//!
//! Where nearly all variables compete at every node, a variable that stands in for a stronger one
//! is hardly ever split on. A tree that is projected along the stronger one has not learned to use
//! it, and the increase of the error is too large. A few trees are grown again below the first
//! splits on every variable, and the difference between both increases is the excess.

use crate::error::Error;
use crate::forest::{Aggregation, Outcome, TreeView};
use crate::measure::Subject;
use crate::measure::altered::Residuals;
use crate::measure::projection::Changes;
use crate::measure::regrow::Regrowing;

/// One tree in so many is grown again, within these bounds; none of a forest of fewer trees.
const TREES_PER_TREE: usize = 20;
const TREES: (usize, usize) = (15, 25);
const LEAST_TREES: usize = 100;

/// Rows that are compared, evenly spread.
const MOST_ROWS: usize = 5000;

/// An excess is told from this share of the variance on, if it is also this share of the value.
const MATERIAL: f64 = 0.02;
const MATERIAL_SHARE: f64 = 0.15;

/// And that many standard errors.
const DISTANCE: f64 = 4.0;

/// Looks for masking while trees are projected.
#[derive(Debug)]
pub(crate) struct Hidden {
    regrowing: Regrowing,
    n_trees: usize,
    /// Every row of so many.
    step: u32,
    n_outputs: usize,
}

/// What projecting a tree and growing it again change, for some rows.
#[derive(Debug)]
pub(crate) struct ComparedTree {
    rows: Vec<u32>,
    projected: Changes,
    again: Changes,
}

impl Hidden {
    /// `None` where nothing can be hidden, or where the forest cannot be grown again.
    ///
    /// # Errors
    /// Where the settings of the forest do not fit the data.
    pub(crate) fn new(subject: Subject<'_>) -> Result<Option<Self>, Error> {
        let n_trees = (subject.n_trees / TREES_PER_TREE).clamp(TREES.0, TREES.1);
        let is_mean = subject.forest.aggregation() == Aggregation::Mean;
        if subject.n_trees < LEAST_TREES || subject.groups.n_groups() < 2 || !is_mean {
            return Ok(None);
        }
        let regrowing = Regrowing::seen(subject.data, subject.forest)?;
        Ok(regrowing.filter(|regrowing| regrowing.mtry() > 1).map(|regrowing| Self {
            regrowing,
            n_trees,
            step: subject.training.n_rows().div_ceil(MOST_ROWS).max(1) as u32,
            n_outputs: subject.training.n_outputs(),
        }))
    }

    /// `None` for most trees.
    pub(crate) fn tree(&self, view: &TreeView<'_>, projected: &Changes) -> Option<ComparedTree> {
        if view.index >= self.n_trees {
            return None;
        }
        let again = self.regrowing.changes(view)?;
        let rows = view.out_of_bag.all().iter().copied().filter(|row| self.is_compared(*row));
        Some(ComparedTree {
            rows: rows.collect(),
            projected: self.some(projected),
            again: self.some(&again),
        })
    }

    fn is_compared(&self, row: u32) -> bool {
        row.is_multiple_of(self.step)
    }

    fn some(&self, changes: &Changes) -> Changes {
        let mut some = Changes::default();
        let amounts = changes.amounts.chunks_exact(self.n_outputs);
        for ((&row, &group), amount) in changes.rows.iter().zip(&changes.groups).zip(amounts) {
            if self.is_compared(row) {
                some.rows.push(row);
                some.groups.push(group);
                some.amounts.extend_from_slice(amount);
            }
        }
        some
    }

    /// Groups whose values are too large, given the values; the largest excess first. The squared
    /// loss of few trees is estimated without their variance: products of different trees stand in
    /// for squares.
    pub(crate) fn too_large(
        &self,
        trees: &[ComparedTree],
        values: &[Option<f64>],
        outcome: Outcome<'_>,
    ) -> Vec<usize> {
        let training = outcome.training;
        let variance = training.response_variance();
        let n_rows = training.n_rows();
        let mut n_trees = vec![0_u32; n_rows];
        trees.iter().flat_map(|tree| &tree.rows).for_each(|&row| n_trees[row as usize] += 1);
        let weight_of_row = |row: usize| {
            if n_trees[row] > 1 { training.weight(row as u32) } else { 0.0 }
        };
        let weight: f64 = (0..n_rows).map(weight_of_row).sum();
        if weight <= 0.0 || variance <= 0.0 {
            return Vec::new();
        }
        // Changes of one row and group stand together; those by projection come first.
        let changes = trees.iter().flat_map(|tree| [(0, &tree.projected), (1, &tree.again)]);
        let mut all: Vec<(u32, u32, usize, &[f64])> = Vec::new();
        for (kind, Changes { rows, groups, amounts }) in changes {
            let amounts = amounts.chunks_exact(self.n_outputs);
            let entries = rows.iter().zip(groups).zip(amounts);
            all.extend(entries.map(|((&row, &group), amount)| (group, row, kind, amount)));
        }
        all.sort_by_key(|&(group, row, kind, _)| (group, row, kind));
        let residuals = Residuals::new(training.truth(), outcome.out_of_bag);
        let mut found: Vec<(usize, f64)> = Vec::new();
        for of_group in all.chunk_by(|a, b| a.0 == b.0) {
            let group = of_group[0].0 as usize;
            let (mut sum, mut squares) = (0.0, 0.0);
            for of_row in of_group.chunk_by(|a, b| a.1 == b.1) {
                let row = of_row[0].1;
                let k = f64::from(n_trees[row as usize]);
                if k < 2.0 {
                    continue;
                }
                let increase = |kind: usize| -> f64 {
                    let of_kind = || of_row.iter().filter(move |entry| entry.2 == kind);
                    let of_output = |(output, residual): (usize, &f64)| {
                        let total: f64 = of_kind().map(|entry| entry.3[output]).sum();
                        let own: f64 = of_kind().map(|entry| entry.3[output].powi(2)).sum();
                        (total * total - own) / (k * (k - 1.0)) - 2.0 * total / k * residual
                    };
                    residuals.of(row).iter().enumerate().map(of_output).sum()
                };
                let difference = training.weight(row) * (increase(0) - increase(1));
                sum += difference;
                squares += difference * difference;
            }
            let excess = sum / weight / variance;
            let error = squares.sqrt() / weight / variance;
            let least =
                values[group].map_or(MATERIAL, |value| MATERIAL.max(MATERIAL_SHARE * value));
            if excess > least && excess > DISTANCE * error {
                found.push((group, excess));
            }
        }
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.into_iter().map(|(group, _)| group).collect()
    }

    /// What follows for readers; `None` where nothing is hidden.
    pub(crate) fn note(&self, found: &[usize], names: &[String]) -> Option<String> {
        /// Variables named.
        const NAMED: usize = 3;
        if found.is_empty() {
            return None;
        }
        let named: Vec<String> =
            found.iter().take(NAMED).map(|&group| format!("{:?}", names[group])).collect();
        let more = match found.len().saturating_sub(NAMED) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        let (mtry, p) = (self.regrowing.mtry(), self.regrowing.n_columns());
        Some(format!(
            "{MASKING}too large for {}{more}: with mtry {mtry} of {p}, variables that could take \
             the place of these are hidden from the trees; use total_sobol_regrow, or grow the \
             forest with mtry {}",
            named.join(", "),
            smaller_mtry(mtry, p)
        ))
    }
}

/// Notes of masking begin so.
pub(crate) const MASKING: &str = "masking: ";

/// An mtry at which less is hidden: the default, or half of what is less.
pub(crate) fn smaller_mtry(mtry: usize, n_columns: usize) -> usize {
    let usual = n_columns.isqrt().max(1);
    if mtry > usual { usual } else { (mtry / 2).max(1) }
}
