//! Trees of the engine node by node: all divisions of a node are tried, and summed up by definition.

use wald::data::{ColumnData, MISSING_LEVEL};
use wald::forest::{Bag, Impurity, Node, Tree};
use wald::{Dataset, ForestConfig};

use crate::support::{assert_close, child, in_bag_weight, response};

/// Weight, mean response and impurity of rows, by definition.
pub fn describe(
    data: &Dataset,
    bag: &Bag,
    rows: &[usize],
    impurity: Impurity,
) -> (f64, Vec<f64>, f64) {
    let total: f64 = rows.iter().map(|&row| in_bag_weight(data, bag, row)).sum();
    if impurity == Impurity::AbsoluteError {
        let (median, distances) = median(data, bag, rows);
        return (total, vec![median], distances / total);
    }
    let mut mean = vec![0.0; data.target().n_outputs()];
    for &row in rows {
        for (mean, value) in mean.iter_mut().zip(response(data, row)) {
            *mean += in_bag_weight(data, bag, row) * value / total;
        }
    }
    let value = match impurity {
        Impurity::Entropy => {
            mean.iter().filter(|share| **share > 1e-15).map(|share| -share * share.log2()).sum()
        }
        Impurity::Gini => 1.0 - mean.iter().map(|share| share * share).sum::<f64>(),
        Impurity::Poisson => rows
            .iter()
            .filter(|&&row| response(data, row)[0] > 0.0)
            .map(|&row| {
                let count = response(data, row)[0];
                in_bag_weight(data, bag, row) * count * (count / mean[0]).ln() / total
            })
            .sum(),
        Impurity::AbsoluteError => panic!("described above"),
        Impurity::Variance => rows
            .iter()
            .map(|&row| {
                let deviation = response(data, row)[0] - mean[0];
                in_bag_weight(data, bag, row) * deviation * deviation / total
            })
            .sum(),
    };
    (total, mean, value)
}

/// The middle of the responses whose weighted distances from the others are least, and these.
pub fn median(data: &Dataset, bag: &Bag, rows: &[usize]) -> (f64, f64) {
    let distances = |centre: f64| -> f64 {
        let from = |row: &usize| (response(data, *row)[0] - centre).abs();
        rows.iter().map(|row| in_bag_weight(data, bag, *row) * from(row)).sum()
    };
    let responses = rows.iter().map(|&row| response(data, row)[0]);
    let all: Vec<(f64, f64)> = responses.map(|centre| (distances(centre), centre)).collect();
    let least = all.iter().map(|found| found.0).fold(f64::INFINITY, f64::min);
    let best = all.iter().filter(|found| found.0 <= least + 1e-10 * least.max(1e-3));
    let low = best.clone().map(|found| found.1).fold(f64::INFINITY, f64::min);
    let high = best.map(|found| found.1).fold(f64::NEG_INFINITY, f64::max);
    (0.5 * (low + high), least)
}

/// The decrease in impurity of a division, times the node's weight.
pub fn gain(data: &Dataset, bag: &Bag, rows: &[usize], left: &[bool], impurity: Impurity) -> f64 {
    let side = |wanted: bool| -> Vec<usize> {
        rows.iter().zip(left).filter(|(_, left)| **left == wanted).map(|(row, _)| *row).collect()
    };
    let term = |rows: &[usize]| {
        let (weight, _, impurity) = describe(data, bag, rows, impurity);
        weight * impurity
    };
    term(rows) - term(&side(true)) - term(&side(false))
}

/// All divisions of rows that one question about a column can make.
pub fn divisions(data: &Dataset, column: usize, rows: &[usize]) -> Vec<Vec<bool>> {
    let mut found = Vec::new();
    match data.features().columns()[column].data() {
        ColumnData::Numeric(values) => {
            let mut present: Vec<f64> =
                rows.iter().map(|&row| values[row]).filter(|value| !value.is_nan()).collect();
            present.sort_by(f64::total_cmp);
            present.dedup();
            for &threshold in &present {
                for missing_left in [false, true] {
                    found.push(
                        rows.iter()
                            .map(|&row| {
                                if values[row].is_nan() {
                                    missing_left
                                } else {
                                    values[row] <= threshold
                                }
                            })
                            .collect(),
                    );
                }
            }
        }
        ColumnData::Categorical(categories) => {
            let codes = categories.codes();
            for subset in 0_u32..1 << categories.levels().len() {
                for missing_left in [false, true] {
                    found.push(
                        rows.iter()
                            .map(|&row| match codes[row] {
                                MISSING_LEVEL => missing_left,
                                level => subset >> level & 1 == 1,
                            })
                            .collect(),
                    );
                }
            }
        }
    }
    found
}

pub fn check_tree(
    data: &Dataset,
    tree: &Tree,
    bag: &Bag,
    config: &ForestConfig,
    impurity: Impurity,
) -> usize {
    let statistics = tree.statistics().expect("grown trees know their statistics");
    let root: Vec<usize> =
        (0..data.n_rows()).filter(|&row| in_bag_weight(data, bag, row) > 0.0).collect();
    let draws =
        |rows: &[usize]| -> usize { rows.iter().map(|&row| usize::from(bag.counts()[row])).sum() };
    let mut pending = vec![(0, root, 0)];
    let mut n_splits = 0;
    while let Some((node, rows, depth)) = pending.pop() {
        let (weight, mean, node_impurity) = describe(data, bag, &rows, impurity);
        assert_close(statistics.weight(node), weight, "weight");
        assert_close(statistics.impurity(node), node_impurity, "impurity");
        for (found, expected) in tree.value(node).iter().zip(&mean) {
            assert_close(*found, *expected, "value");
        }
        let least = (config.min_leaf_size as f64)
            .max((config.min_child_fraction * draws(&rows) as f64).ceil())
            as usize;
        let root_weight = statistics.weight(0);
        let least_weight = config.min_weight_fraction_leaf * root_weight;
        let allowed = |left: &Vec<bool>| {
            let weight_left: f64 = rows
                .iter()
                .zip(left)
                .filter(|(_, left)| **left)
                .map(|(&row, _)| in_bag_weight(data, bag, row))
                .sum();
            let is_heavy = weight_left.min(weight - weight_left) >= least_weight - 1e-9;
            let n_left: usize = rows
                .iter()
                .zip(left)
                .filter(|(_, left)| **left)
                .map(|(&row, _)| usize::from(bag.counts()[row]))
                .sum();
            let n_right = draws(&rows) - n_left;
            let has_counts = |wanted: bool| {
                let mut side = rows.iter().zip(left).filter(|(_, left)| **left == wanted);
                side.any(|(&row, _)| response(data, row)[0] > 0.0)
            };
            let predicts = impurity != Impurity::Poisson || has_counts(true) && has_counts(false);
            predicts && is_heavy && n_left >= least && n_right >= least && n_left > 0 && n_right > 0
        };
        let best = (0..data.n_features())
            .flat_map(|column| divisions(data, column, &rows))
            .filter(allowed)
            .map(|left| gain(data, bag, &rows, &left, impurity))
            .fold(f64::NEG_INFINITY, f64::max);
        match &tree.nodes()[node] {
            Node::Leaf => {
                let is_pure =
                    rows.iter().all(|&row| response(data, row) == response(data, rows[0]));
                let may_split = !is_pure
                    && draws(&rows) > config.min_node_size.expect("set by the tests")
                    && config.max_depth.is_none_or(|most| depth < most);
                let least = config.min_impurity_decrease;
                let is_too_little =
                    best == f64::NEG_INFINITY || (least > 0.0 && best / root_weight < least);
                assert!(!may_split || is_too_little, "leaf {node} could be split");
            }
            Node::Split(split) => {
                n_splits += 1;
                let left: Vec<bool> =
                    rows.iter().map(|&row| child(data, tree, split, row, None) == 0).collect();
                assert!(allowed(&left), "node {node} made too small a child");
                let least = config.min_impurity_decrease - 1e-12;
                assert!(best / root_weight >= least, "node {node} decreased too little");
                let taken = gain(data, bag, &rows, &left, impurity);
                assert!(
                    taken >= best - 1e-9 * best.abs().max(1.0),
                    "node {node} took {taken}, but {best} is possible"
                );
                for side in [0, 1] {
                    let rows = rows
                        .iter()
                        .copied()
                        .filter(|&row| child(data, tree, split, row, None) == side)
                        .collect();
                    pending.push((split.first_child as usize + side, rows, depth + 1));
                }
            }
        }
    }
    n_splits
}
