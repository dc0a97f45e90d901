//! Importances by degree of interaction: Louppe et al. 2013, Eq. 3 and Figure 2, of finite forests.
//!
//! The degree of a split is the number of other groups that are split on above it.

use crate::importance::Degrees;
use crate::measure::kernel::first_splits;
use crate::measure::kernel::running_means::RunningMeans;
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

/// Values by degree over trees, so that no tree needs to be kept. What a tree has no splits for is 0.
#[derive(Debug, Default)]
pub(crate) struct OverTrees {
    /// By degree, then group.
    found: RunningMeans,
}

impl OverTrees {
    /// Adds the next tree, in the order of the trees.
    pub(crate) fn add(&mut self, tree: &[Vec<f64>]) {
        self.found.add(&tree.concat());
    }

    /// The means and their standard errors, divided by `sum`.
    pub(crate) fn result(&self, n_groups: usize, sum: f64) -> Degrees {
        let by_group = |of: &[f64]| -> Vec<Vec<f64>> {
            let group = |group| of.iter().skip(group).step_by(n_groups).map(|v| v / sum).collect();
            (0..n_groups).map(group).collect()
        };
        Degrees {
            values: by_group(&self.found.means),
            standard_errors: self.found.standard_errors().map(|errors| by_group(&errors)),
        }
    }
}
