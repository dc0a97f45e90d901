//! The kinds of Shapley values of predictions, and what is expected before.

use crate::counterfactual::node_values;
use crate::error::Error;
use crate::forest::{Aggregation, Bag, Forest};
use crate::tree_shap::interventional::Background;
use crate::tree_shap::tree::PreparedTree;

/// How a prediction is attributed to variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShapleyKind {
    /// Shapley values; what is not known of a row is averaged over the in-bag rows of the nodes.
    TreeShap,
    /// The same for pairs of variables: half the Shapley interaction index for each of both, and on
    /// the diagonal what is left of the variable's own value.
    Interactions,
    /// Shapley values; what is not known of a row is averaged over background rows.
    Interventional,
}

/// What rows are explained against.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Against<'a> {
    /// The trees' own predictions.
    Forest,
    /// The same, but every row is explained by the trees whose bags it is not in.
    OutOfBag(&'a [Bag]),
    /// Background rows, for [`ShapleyKind::Interventional`].
    Background(Background<'a>),
}

/// Why predictions of a forest cannot be shared out; `Ok` if they can.
///
/// # Errors
/// [`Error::Measure`].
pub(crate) fn check_adds_up(measure: &'static str, forest: &Forest) -> Result<(), Error> {
    if forest.aggregation() != Aggregation::LeafWeighted {
        return Ok(());
    }
    Err(Error::measure(
        measure,
        "adds up over trees, but this forest weighs leaves, so that the prediction of one \
             tree depends on the others",
        "use ice, or a forest whose trees count equally",
    ))
}

/// The same for Shapley values.
///
/// # Errors
/// [`Error::Measure`].
pub(crate) fn check_shapley(measure: &'static str, forest: &Forest) -> Result<(), Error> {
    check_adds_up(measure, forest)?;
    if forest.trees().iter().all(|tree| tree.statistics().is_some()) {
        return Ok(());
    }
    Err(Error::measure(
        measure,
        "needs the in-bag weight of every node, which this forest does not store",
        "read the forest together with its training data and add `in_bag` to its file, or use \
               saabas or tree_shap_interventional",
    ))
}

/// The trees of a forest that [`check_shapley`] lets pass, ready to be explained by their own
/// predictions. Cost O(nodes).
pub(crate) fn prepared_trees(forest: &Forest) -> Vec<PreparedTree> {
    let n_outputs = forest.target().n_outputs();
    let known = |tree| {
        PreparedTree::new(tree, &node_values(tree, forest.aggregation(), n_outputs), n_outputs)
    };
    forest.trees().iter().filter_map(known).collect()
}

/// What a forest predicts where nothing is known of a row, by output: the mean over trees of the
/// leaves' values, weighted by covers.
pub(crate) fn expected_value(forest: &Forest, trees: &[PreparedTree]) -> Vec<f64> {
    let mut sums = vec![0.0; forest.target().n_outputs()];
    for tree in trees {
        sums.iter_mut().zip(tree.expected()).for_each(|(sum, mean)| *sum += mean);
    }
    let divisor = forest.aggregation().divisor(forest.trees().len() as f64);
    sums.iter_mut().for_each(|sum| *sum /= divisor);
    sums
}

/// The same, weighted by background rows: their mean prediction.
pub(crate) fn expected_against(forest: &Forest, background: Background<'_>) -> Vec<f64> {
    let mut sums = vec![0.0; forest.target().n_outputs()];
    for (index, tree) in forest.trees().iter().enumerate() {
        forest.aggregation().add(tree, 0, &mut sums);
        let above = background.above_root(index);
        sums.iter_mut().zip(above).for_each(|(sum, above)| *sum += above);
    }
    let divisor = forest.aggregation().divisor(forest.trees().len() as f64);
    sums.iter_mut().for_each(|sum| *sum /= divisor);
    sums
}
