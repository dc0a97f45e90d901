//! Importances by degree of interaction: Louppe et al. 2013, Eq. 3 and Figure 2, of finite forests.
//!
//! The degree of a split is the number of other groups that are split on above it.

use crate::importance::Degrees;
use crate::measure::kernel::first_splits;
use crate::pass::TreeView;

/// Decreases in impurity of one tree, `[degree][group]`; `impurity` as for the tree's decreases.
/// Cost O(nodes).
pub(crate) fn by_degree(
    view: &TreeView<'_>,
    impurity: impl Fn(usize, f64) -> f64,
) -> Vec<Vec<f64>> {
    let degrees = first_splits::degrees(view);
    let n_degrees = degrees.iter().max().map_or(0, |&highest| highest as usize + 1);
    let mut found = vec![vec![0.0; view.groups.n_groups()]; n_degrees];
    view.tree.each_decrease(impurity, |node, split, decrease| {
        let group = view.groups.of_column()[split.feature as usize] as usize;
        found[degrees[node] as usize][group] += decrease;
    });
    found
}

/// Means over the trees so far, and sums of squared deviations from them (Welford 1962), `[degree]
/// [group]`, so that no tree needs to be kept. What a tree has no splits for is 0.
#[derive(Debug, Default)]
pub(crate) struct OverTrees {
    n_trees: f64,
    means: Vec<Vec<f64>>,
    squares: Vec<Vec<f64>>,
}

impl OverTrees {
    /// Adds the next tree, in the order of the trees.
    pub(crate) fn add(&mut self, tree: &[Vec<f64>], n_groups: usize) {
        let n_degrees = self.means.len().max(tree.len());
        self.means.resize(n_degrees, vec![0.0; n_groups]);
        self.squares.resize(n_degrees, vec![0.0; n_groups]);
        self.n_trees += 1.0;
        for (degree, (means, squares)) in self.means.iter_mut().zip(&mut self.squares).enumerate() {
            for (group, (mean, square)) in means.iter_mut().zip(squares).enumerate() {
                let value = tree.get(degree).map_or(0.0, |values| values[group]);
                let deviation = value - *mean;
                *mean += deviation / self.n_trees;
                *square += deviation * (value - *mean);
            }
        }
    }

    /// The means and their standard errors, divided by `sum`.
    pub(crate) fn result(&self, n_groups: usize, sum: f64) -> Degrees {
        let by_group = |of: &[Vec<f64>], aggregate: &dyn Fn(f64) -> f64| -> Vec<Vec<f64>> {
            let group = |group: usize| of.iter().map(|values| aggregate(values[group])).collect();
            (0..n_groups).map(group).collect()
        };
        let error = |squares: f64| (squares / (self.n_trees - 1.0) / self.n_trees).sqrt() / sum;
        Degrees {
            values: by_group(&self.means, &|mean| mean / sum),
            standard_errors: (self.n_trees > 1.0).then(|| by_group(&self.squares, &error)),
        }
    }
}
