//! Trees that are grown on all rows know a table by what its rows hold: repeated rows are rows with
//! weights, rows of weight zero are absent, and no order matters.

use wald::data::{Column, ColumnData, Target};
use wald::forest::{Impurity, Node, Sampling, Splitting, Tree};
use wald::{Dataset, Forest, ForestConfig};

use crate::support::{Numbers, Shape, assert_close, dataset, grow};

const SHAPE: Shape = Shape { n_rows: 50, n_classes: 0, missing: false, weights: false, seed: 11 };

/// The data set of the tests, and columns that all hold the same two values.
fn with_binary_columns(shape: Shape) -> Dataset {
    let data = dataset(shape);
    let mut columns = data.features().columns().to_vec();
    let mut numbers = Numbers(shape.seed);
    for index in 0..4 {
        let values = (0..shape.n_rows).map(|_| f64::from(numbers.below(2))).collect();
        columns.push(Column::numeric(format!("binary {index}"), values).expect("finite"));
    }
    Dataset::new(columns, data.target().clone()).expect("consistent")
}

/// Rows in another order with weights from 0 to 4, and every row as often as its weight.
fn weighted_and_repeated(data: &Dataset) -> [Dataset; 2] {
    let n_rows = data.n_rows() as u32;
    let times = |row: u32| row * 7 % 5;
    // 31 has no divisor in common with the number of rows.
    let order: Vec<u32> = (0..n_rows).map(|place| place * 31 % n_rows).collect();
    let weights = order.iter().map(|&row| f64::from(times(row))).collect();
    let weighted = data.select(&order).expect("rows that exist").with_weights(weights);
    let repeated: Vec<u32> =
        (0..n_rows).flat_map(|row| std::iter::repeat_n(row, times(row) as usize)).collect();
    [weighted.expect("weights"), data.select(&repeated).expect("rows that exist")]
}

fn assert_equal(one: &Forest, other: &Forest) {
    for (one, other) in one.trees().iter().zip(other.trees()) {
        assert_eq!(one.nodes(), other.nodes());
        assert_eq!(one.level_sets(), other.level_sets());
        assert_eq!(one.branches(), other.branches());
        for node in 0..one.n_nodes() {
            for (one, other) in one.value(node).iter().zip(&*other.value(node)) {
                assert_close(*one, *other, "value");
            }
        }
    }
}

/// Grows on weighted rows and on repeated ones; returns the splits of the trees.
fn check(data: &Dataset, config: &ForestConfig) -> usize {
    let config = ForestConfig {
        n_trees: 6,
        sampling: Sampling::All,
        min_node_size: Some(1),
        min_leaf_size: 1,
        min_child_fraction: 0.0,
        ..config.clone()
    };
    let [weighted, repeated] = weighted_and_repeated(data).map(|data| grow(&data, &config));
    assert_equal(&weighted, &repeated);
    weighted.trees().iter().map(|tree| tree.n_nodes() - tree.n_leaves()).sum()
}

#[test]
fn repeated_rows_are_rows_with_weights() {
    let mut n_splits = 0;
    for (n_classes, impurity) in [
        (0, Impurity::Variance),
        (2, Impurity::Gini),
        (2, Impurity::Entropy),
        (4, Impurity::Gini),
        (4, Impurity::Entropy),
    ] {
        for missing in [false, true] {
            let data = with_binary_columns(Shape { n_classes, missing, ..SHAPE });
            let base = ForestConfig { impurity: Some(impurity), ..ForestConfig::default() };
            for splitting in [Splitting::Best, Splitting::RandomThreshold] {
                for mtry in [1, 3] {
                    let config = ForestConfig { splitting, mtry: Some(mtry), ..base.clone() };
                    n_splits += check(&data, &config);
                    n_splits += check(&data, &ForestConfig { subspace: Some(4), ..config.clone() });
                    let limited = ForestConfig { min_weight_fraction_leaf: 0.1, ..config };
                    n_splits += check(&data, &limited);
                }
            }
        }
    }
    assert!(n_splits > 5000, "{n_splits}");
}

#[test]
fn trees_with_a_child_for_every_level_and_tests_know_it_too() {
    let mut n_splits = 0;
    for n_classes in [0, 3] {
        let data = with_binary_columns(Shape { n_classes, ..SHAPE });
        let only = |is_numeric: bool| {
            let columns = data.features().columns().iter();
            let kept = columns
                .filter(|column| matches!(column.data(), ColumnData::Numeric(_)) == is_numeric);
            Dataset::new(kept.cloned().collect(), data.target().clone()).expect("consistent")
        };
        let levels = ForestConfig { splitting: Splitting::Multiway, ..ForestConfig::default() };
        n_splits += check(&only(false), &levels);
        // With numbers alone, the order of p-values does not depend on what a weight of 1 stands for;
        // whether a node of little weight can be tested at all does.
        let tests = ForestConfig {
            max_depth: Some(3),
            ..ForestConfig::for_splitting(Splitting::Conditional)
        };
        n_splits += check(&only(true), &tests);
    }
    assert!(n_splits > 150, "{n_splits}");
}

#[test]
fn columns_in_another_order_give_the_same_trees() {
    let data = with_binary_columns(Shape { n_classes: 3, ..SHAPE });
    let columns = data.features().columns().iter().rev().cloned().collect();
    let reversed = Dataset::new(columns, data.target().clone()).expect("consistent");
    let config = ForestConfig { n_trees: 5, sampling: Sampling::All, ..ForestConfig::default() };
    let (one, other) = (grow(&data, &config), grow(&reversed, &config));
    let last = data.n_features() as u32 - 1;
    for (one, other) in one.trees().iter().zip(other.trees()) {
        let features = |tree: &Tree| -> Vec<u32> {
            let feature = |node: &Node| match node {
                Node::Split(split) => Some(split.feature),
                Node::Leaf => None,
            };
            tree.nodes().iter().filter_map(feature).collect()
        };
        let mirrored: Vec<u32> = features(other).iter().map(|feature| last - feature).collect();
        assert_eq!(features(one), mirrored);
        assert_eq!(one.statistics(), other.statistics());
    }
}

#[test]
fn columns_that_hold_the_same_rows_in_exchange_have_an_order() {
    // These columns differ only in their position; the forest is grown all the same.
    let values = [vec![0.0, 1.0, 0.0, 1.0], vec![1.0, 0.0, 1.0, 0.0]];
    let columns = ["a", "b"].iter().zip(values);
    let columns = columns.map(|(name, values)| Column::numeric(*name, values).expect("finite"));
    let target = Target::regression("y", vec![1.0, 1.0, 2.0, 2.0]).expect("finite");
    let data = Dataset::new(columns.collect(), target).expect("consistent");
    let config = ForestConfig { n_trees: 3, sampling: Sampling::All, ..ForestConfig::default() };
    assert_eq!(grow(&data, &config), grow(&data, &config));
}
