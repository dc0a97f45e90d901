//! Single trees of a forest, as arrays.

use numpy::ToPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wald::forest::{Node, Rule, Side, Tree};

use crate::results;

/// What an array holds of leaves.
const NO_CHILD: i64 = -1;
const NO_FEATURE: i64 = -2;
const NO_THRESHOLD: f64 = -2.0;

/// The nodes of a tree as scikit-learn's trees have them: arrays by name.
///
/// A split that asks whether a value is present has an infinite threshold; the threshold of one on
/// levels is not a number, and its children are the first and the last one.
pub(crate) fn arrays<'py>(py: Python<'py>, tree: &Tree) -> PyResult<Bound<'py, PyDict>> {
    let n_nodes = tree.n_nodes();
    let mut feature = vec![NO_FEATURE; n_nodes];
    let mut threshold = vec![NO_THRESHOLD; n_nodes];
    let (mut left, mut right) = (vec![NO_CHILD; n_nodes], vec![NO_CHILD; n_nodes]);
    let mut missing_go_to_left = vec![0_u8; n_nodes];
    for (node, asked) in tree.nodes().iter().enumerate() {
        let Node::Split(split) = asked else { continue };
        let children = tree.children(split);
        feature[node] = i64::from(split.feature);
        left[node] = children.start as i64;
        right[node] = children.end as i64 - 1;
        threshold[node] = match split.rule {
            Rule::AtMost { threshold, missing } => {
                missing_go_to_left[node] = u8::from(missing == Side::Left);
                threshold
            }
            Rule::Present => f64::INFINITY,
            Rule::Levels { .. } | Rule::Multiway { .. } => f64::NAN,
        };
    }
    let values: Vec<f64> = (0..n_nodes).flat_map(|node| tree.value(node).into_owned()).collect();
    let found = PyDict::new(py);
    found.set_item("feature", feature.to_pyarray(py))?;
    found.set_item("threshold", threshold.to_pyarray(py))?;
    found.set_item("left_child", left.to_pyarray(py))?;
    found.set_item("right_child", right.to_pyarray(py))?;
    found.set_item("missing_go_to_left", missing_go_to_left.to_pyarray(py))?;
    found.set_item("value", results::grid(py, values, tree.n_outputs())?)?;
    if let Some(statistics) = tree.statistics() {
        let of = |each: &dyn Fn(usize) -> f64| (0..n_nodes).map(each).collect::<Vec<_>>();
        let weights = of(&|node| statistics.weight(node));
        let impurities = of(&|node| statistics.impurity(node));
        found.set_item("weighted_n_node_samples", weights.to_pyarray(py))?;
        found.set_item("impurity", impurities.to_pyarray(py))?;
    }
    Ok(found)
}
