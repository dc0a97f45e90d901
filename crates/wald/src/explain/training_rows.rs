//! Shapley values of training rows by the trees that did not see them.

use crate::counterfactual::Bound;
use crate::data::{Column, RankedFeatures};
use crate::error::Error;
use crate::forest::{Bag, Forest};
use crate::run::Run;
use crate::tree_shap::{Additive, Against, PreparedTree, ShapleyKind, check_shapley};

const MEASURE: &str = "tree_shap";

/// Shapley values of training rows.
#[derive(Debug)]
pub struct TrainingRows {
    /// By row, column and output.
    pub values: Vec<f64>,
    /// By row and output: what values are counted from.
    pub expected: Vec<f64>,
}

impl TrainingRows {
    /// Reports whether predictions of a forest can be shared out.
    ///
    /// # Errors
    /// [`Error::Measure`] where they cannot.
    pub fn check(forest: &Forest) -> Result<(), Error> {
        check_shapley(MEASURE, forest)
    }

    /// Explains rows of the training data by path-dependent Shapley values. `columns` hold these
    /// rows alone, as the forest knows the columns; the trees with a row in their bag are left out
    /// where bags, of these rows, are given. Cost O(rows * leaves).
    ///
    /// # Errors
    /// As [`TrainingRows::check`], and [`Error::Cancelled`].
    pub fn new(
        forest: &Forest,
        columns: &[Column],
        bags: Option<&[Bag]>,
        run: &Run,
    ) -> Result<Self, Error> {
        Self::check(forest)?;
        let columns: Vec<&Column> = columns.iter().collect();
        let features = RankedFeatures::new(&columns, run.threads);
        let bound = Bound::new(forest, &features, forest.aggregation(), run)?;
        let against = bags.map_or(Against::Forest, Against::OutOfBag);
        let additive = Additive::new(MEASURE, ShapleyKind::TreeShap, &bound, against, run)?;
        let n_rows = columns.first().map_or(0, |column| column.len());
        let mut values = Vec::new();
        additive.run(n_rows, run, |_, record| values.extend_from_slice(record))?;
        Ok(Self { values, expected: expected(forest, additive.known(), bags, n_rows) })
    }
}

/// What the trees that explain a row expect of any row: `[row][output]`.
fn expected(
    forest: &Forest,
    trees: &[PreparedTree],
    bags: Option<&[Bag]>,
    n_rows: usize,
) -> Vec<f64> {
    let n_outputs = forest.target().n_outputs();
    let mut sums = vec![0.0; n_rows * n_outputs];
    let mut n_trees = vec![0_u32; n_rows];
    for (index, tree) in trees.iter().enumerate() {
        let of_tree: Vec<f64> = tree.expected().collect();
        let counts = bags.map(|bags| bags[index].counts());
        for (row, sums) in sums.chunks_exact_mut(n_outputs).enumerate() {
            if counts.is_none_or(|counts| counts[row] == 0) {
                sums.iter_mut().zip(&of_tree).for_each(|(sum, value)| *sum += value);
                n_trees[row] += 1;
            }
        }
    }
    for (sums, n_trees) in sums.chunks_exact_mut(n_outputs).zip(n_trees) {
        let divisor = forest.aggregation().divisor(f64::from(n_trees));
        sums.iter_mut().for_each(|sum| *sum /= divisor);
    }
    sums
}
