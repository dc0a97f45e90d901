//! Measures that are means over trees, or over random permutations.

use crate::importance::Importance;
use crate::measure::definition::MeasureInfo;

/// Mean over trees and its Monte-Carlo standard error, sd / sqrt(trees), per variable.
pub(crate) struct OverTrees {
    pub(crate) means: Vec<f64>,
    /// `None` with fewer than two trees.
    pub(crate) standard_errors: Option<Vec<f64>>,
}

/// Columns of `per_tree` (one row per tree) summed up; `None` without trees.
pub(crate) fn over_trees(per_tree: &[Vec<f64>]) -> Option<OverTrees> {
    let n_trees = per_tree.len() as f64;
    let n_features = per_tree.first()?.len();
    let means: Vec<f64> = (0..n_features)
        .map(|feature| per_tree.iter().map(|tree| tree[feature]).sum::<f64>() / n_trees)
        .collect();
    let standard_errors = (per_tree.len() > 1).then(|| {
        (0..n_features)
            .map(|feature| {
                let squares: f64 =
                    per_tree.iter().map(|tree| (tree[feature] - means[feature]).powi(2)).sum();
                (squares / (n_trees - 1.0) / n_trees).sqrt()
            })
            .collect()
    });
    Some(OverTrees { means, standard_errors })
}

/// The means of `n_values` undefined without trees, and their standard errors.
pub(crate) fn means_and_errors(
    found: Option<OverTrees>,
    n_values: usize,
) -> (Vec<Option<f64>>, Option<Vec<Option<f64>>>) {
    let defined = |values: Vec<f64>| values.into_iter().map(Some).collect();
    match found {
        Some(OverTrees { means, standard_errors }) => {
            (defined(means), standard_errors.map(defined))
        }
        None => (vec![None; n_values], None),
    }
}

/// The importance of a measure whose values are means over trees.
pub(crate) fn mean_over_trees(
    info: &MeasureInfo,
    per_tree: Vec<Vec<f64>>,
    n_values: usize,
) -> Importance {
    let (values, standard_errors) = means_and_errors(over_trees(&per_tree), n_values);
    Importance { values, standard_errors, per_tree, ..info.importance() }
}
