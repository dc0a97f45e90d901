//! Grown trees against brute force: at every node, no division of its rows that the settings
//! allow is better than the one taken; values, weights and impurities follow their
//! definitions.

pub mod by_definition;

use wald::data::{Column, ColumnData, Target};
use wald::forest::{Bag, Impurity, LevelSet, Node, Sampling, Splitting, Tree};
use wald::{Dataset, ForestConfig};

use self::by_definition::{check_tree, describe};
use crate::support::{self, Shape, assert_close, child, dataset, grow, in_bag_weight, response};

fn check(shape: Shape, config: &ForestConfig, impurity: Impurity) {
    check_on(&dataset(shape), config, impurity);
}

fn check_on(data: &Dataset, config: &ForestConfig, impurity: Impurity) {
    let mtry = Some(data.n_features());
    let config = ForestConfig { n_trees: 2, mtry, impurity: Some(impurity), ..config.clone() };
    let forest = grow(data, &config);
    for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("own bags")) {
        let n_splits = check_tree(data, tree, bag, &config, impurity);
        assert!(n_splits > 3, "the case is too small to mean anything: {n_splits} splits");
    }
}

const SMALL: Shape = Shape { n_rows: 60, n_classes: 0, missing: false, weights: false, seed: 1 };

fn config() -> ForestConfig {
    ForestConfig { min_node_size: Some(2), ..ForestConfig::default() }
}

#[test]
fn regression_trees_take_the_best_split() {
    for missing in [false, true] {
        for weights in [false, true] {
            check(Shape { missing, weights, ..SMALL }, &config(), Impurity::Variance);
        }
    }
}

#[test]
fn two_class_trees_take_the_best_split() {
    for impurity in [Impurity::Gini, Impurity::Entropy] {
        for (missing, weights) in [(false, false), (true, false), (true, true)] {
            let shape = Shape { n_classes: 2, missing, weights, seed: 2, ..SMALL };
            check(shape, &config(), impurity);
        }
    }
}

#[test]
fn many_class_trees_take_the_best_split() {
    for impurity in [Impurity::Gini, Impurity::Entropy] {
        for (missing, weights) in [(false, false), (true, false), (true, true)] {
            let shape = Shape { n_classes: 4, missing, weights, seed: 3, ..SMALL };
            check(shape, &config(), impurity);
        }
    }
}

#[test]
fn limits_on_children_hold_and_the_best_of_the_rest_is_taken() {
    let limited = ForestConfig { min_leaf_size: 4, min_node_size: Some(12), ..config() };
    check(Shape { missing: true, ..SMALL }, &limited, Impurity::Variance);
    let fraction = ForestConfig { min_child_fraction: 0.3, max_depth: Some(3), ..config() };
    check(Shape { seed: 5, ..SMALL }, &fraction, Impurity::Variance);
    let all = ForestConfig { sampling: Sampling::All, ..config() };
    check(Shape { n_classes: 3, seed: 6, ..SMALL }, &all, Impurity::Gini);
    let subsample = ForestConfig { sampling: Sampling::Subsample, ..config() };
    check(Shape { missing: true, seed: 7, ..SMALL }, &subsample, Impurity::Variance);
}

/// The same rows with counts, many of them zero.
fn counts(data: &Dataset) -> Dataset {
    let count = |row: usize| (response(data, row)[0] * 1.3 - 1.0).floor().max(0.0);
    let target = Target::regression("y", (0..data.n_rows()).map(count).collect());
    let counts = Dataset::new(data.features().columns().to_vec(), target.expect("finite"));
    match data.weights() {
        Some(weights) => counts.expect("consistent").with_weights(weights.to_vec()),
        None => counts,
    }
    .expect("valid weights")
}

#[test]
fn trees_of_counts_take_the_best_split() {
    for (missing, weights, seed) in [(false, false, 1), (true, false, 2), (true, true, 3)] {
        let data = counts(&dataset(Shape { missing, weights, seed, ..SMALL }));
        check_on(&data, &config(), Impurity::Poisson);
        let limited = ForestConfig { min_leaf_size: 4, min_impurity_decrease: 0.01, ..config() };
        check_on(&data, &limited, Impurity::Poisson);
        // No leaf predicts zero but where its whole tree does.
        let config = ForestConfig { n_trees: 20, impurity: Some(Impurity::Poisson), ..config() };
        for splitting in [Splitting::Best, Splitting::RandomThreshold] {
            for mtry in [1, 6] {
                let forest =
                    grow(&data, &ForestConfig { splitting, mtry: Some(mtry), ..config.clone() });
                let values =
                    |tree: &Tree| (0..tree.n_nodes()).map(|node| tree.value(node)[0]).collect();
                let all: Vec<f64> =
                    forest.trees().iter().flat_map(|tree| -> Vec<f64> { values(tree) }).collect();
                assert!(all.iter().all(|value| *value > 0.0) && all.len() > 100);
            }
        }
    }
}

/// The numbers among the columns: levels are only ordered by their medians.
fn numbers_only(data: &Dataset) -> Dataset {
    let columns = data.features().columns().iter();
    let numbers = columns.filter(|column| matches!(column.data(), ColumnData::Numeric(_)));
    let numbers = Dataset::new(numbers.cloned().collect(), data.target().clone());
    match data.weights() {
        Some(weights) => numbers.expect("consistent").with_weights(weights.to_vec()),
        None => numbers,
    }
    .expect("valid weights")
}

#[test]
fn trees_of_medians_take_the_best_split() {
    for (missing, weights, seed) in [(false, false, 1), (true, false, 2), (true, true, 3)] {
        let data = dataset(Shape { missing, weights, seed, ..SMALL });
        check_on(&numbers_only(&data), &config(), Impurity::AbsoluteError);
        // Counts are often equal.
        check_on(&numbers_only(&counts(&data)), &config(), Impurity::AbsoluteError);
        let limited = ForestConfig { min_leaf_size: 4, min_impurity_decrease: 0.01, ..config() };
        check_on(&numbers_only(&data), &limited, Impurity::AbsoluteError);
        for splitting in [Splitting::Best, Splitting::RandomThreshold] {
            let config =
                ForestConfig { impurity: Some(Impurity::AbsoluteError), splitting, ..config() };
            let forest = grow(&data, &config);
            // Of all kinds of columns, nodes hold medians and no split increases their distances.
            for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("own bags")) {
                check_nodes(&data, tree, bag, Impurity::AbsoluteError);
            }
        }
    }
}

fn check_nodes(data: &Dataset, tree: &Tree, bag: &Bag, impurity: Impurity) {
    let known = tree.statistics().expect("grown trees know their statistics");
    let root = (0..data.n_rows()).filter(|&row| in_bag_weight(data, bag, row) > 0.0).collect();
    let mut pending: Vec<(usize, Vec<usize>)> = vec![(0, root)];
    while let Some((node, rows)) = pending.pop() {
        let (weight, value, of_rows) = describe(data, bag, &rows, impurity);
        assert_close(known.weight(node), weight, "weight");
        assert_close(known.impurity(node), of_rows, "impurity");
        assert_close(tree.value(node)[0], value[0], "value");
        let Node::Split(split) = &tree.nodes()[node] else { continue };
        let cost = |node: usize| known.weight(node) * known.impurity(node);
        let below: f64 = tree.children(split).map(cost).sum();
        assert!(below <= cost(node) + 1e-9, "node {node}");
        for (side, below) in tree.children(split).enumerate() {
            let rows = rows.iter().copied();
            pending.push((
                below,
                rows.filter(|&row| child(data, tree, split, row, None) == side).collect(),
            ));
        }
    }
}

#[test]
fn children_hold_their_share_of_the_weight() {
    for (n_classes, impurity) in
        [(0, Impurity::Variance), (2, Impurity::Gini), (4, Impurity::Gini), (3, Impurity::Entropy)]
    {
        for (missing, weights) in [(false, false), (true, true)] {
            let shape = Shape { n_classes, missing, weights, ..SMALL };
            let data = dataset(shape);
            let share = ForestConfig { min_weight_fraction_leaf: 0.08, ..config() };
            // Of levels, the best of the divisions that are looked at may be a child too light.
            let numbers = numbers_only(&data);
            check_on(&numbers, &share, impurity);
            // Both limits count.
            let few = ForestConfig { min_leaf_size: 4, min_weight_fraction_leaf: 0.04, ..config() };
            check_on(&numbers, &few, impurity);
            for tree in grow(&data, &ForestConfig { n_trees: 10, ..share }).trees() {
                let known = tree.statistics().expect("grown trees know their statistics");
                let least = 0.08 * known.weight(0) - 1e-9;
                assert!((0..tree.n_nodes()).all(|node| known.weight(node) >= least));
                assert!(tree.n_nodes() > 3);
            }
        }
    }
}

#[test]
fn nodes_split_only_if_that_decreases_impurity_enough() {
    for (n_classes, impurity, decrease) in [
        (0, Impurity::Variance, 0.02),
        (2, Impurity::Gini, 0.008),
        (4, Impurity::Gini, 0.008),
        (3, Impurity::Entropy, 0.015),
    ] {
        for (missing, weights) in [(false, false), (true, true)] {
            let shape = Shape { n_classes, missing, weights, ..SMALL };
            let limited = ForestConfig { min_impurity_decrease: decrease, ..config() };
            let n_nodes = |config: &ForestConfig| -> usize {
                grow(&dataset(shape), config).trees().iter().map(Tree::n_nodes).sum()
            };
            let few = ForestConfig { n_trees: 3, ..limited.clone() };
            assert!(n_nodes(&few) < n_nodes(&ForestConfig { n_trees: 3, ..config() }));
            check(shape, &limited, impurity);
        }
    }
}

#[test]
fn one_variable_per_node_when_delta_is_one() {
    // With mtry = p, the root would split on the same best variable in every tree grown on
    // all rows; with delta = 1 it splits on a random one.
    let data = dataset(SMALL);
    let roots = |delta: f64| -> std::collections::HashSet<u32> {
        let config = ForestConfig {
            n_trees: 60,
            mtry: Some(6),
            sampling: Sampling::All,
            mtry_one_probability: delta,
            ..config()
        };
        let forest = support::grow(&data, &config);
        let feature = |tree: &Tree| match &tree.nodes()[0] {
            Node::Split(split) => Some(split.feature),
            Node::Leaf => None,
        };
        forest.trees().iter().filter_map(feature).collect()
    };
    assert_eq!(roots(0.0).len(), 1);
    assert_eq!(roots(1.0).len(), 5, "all but the constant column");
}

#[test]
fn many_levels_and_classes_are_divided_where_the_classes_part() {
    // Even levels hold classes 0 to 4 alike, odd ones 5 to 54; there are too many levels to try
    // all divisions.
    let names = |count: u32, mark: &str| (0..count).map(|code| format!("{mark}{code}")).collect();
    let levels: Vec<u32> = (0..3000).map(|row| row % 60).collect();
    let class = |row: u32| if row.is_multiple_of(2) { row / 60 % 5 } else { 5 + row / 60 };
    let column = Column::categorical("x", names(60, "L"), levels).expect("valid codes");
    let target = Target::classification("y", names(55, "c"), (0..3000).map(class).collect());
    let data = Dataset::new(vec![column], target.expect("valid codes")).expect("consistent");
    for impurity in [Impurity::Gini, Impurity::Entropy] {
        let config = ForestConfig {
            n_trees: 1,
            max_depth: Some(1),
            impurity: Some(impurity),
            sampling: Sampling::All,
            ..config()
        };
        let forest = support::grow(&data, &config);
        let LevelSet::Bits(words) = &forest.trees()[0].level_sets()[0] else { panic!("60 levels") };
        let even = 0x5555_5555_5555_5555;
        let left = words[0] & ((1 << 60) - 1);
        assert!(left == even & ((1 << 60) - 1) || left == !even & ((1 << 60) - 1), "{left:x}");
    }
}

/// Of many columns few are tried, some of them in vain: a thread that grows one tree after the other
/// must not remember rows of the tree before.
#[test]
fn trees_do_not_depend_on_those_that_a_thread_grew_before() {
    let mut numbers = support::Numbers(11);
    let levels: Vec<String> = ["a", "b", "c"].map(str::to_owned).into();
    let columns = (0..30).map(|at| {
        let codes: Vec<u32> =
            (0..90).map(|_| numbers.below(if at % 3 == 0 { 3 } else { 2 })).collect();
        let name = format!("x{at}");
        match at % 2 {
            0 => Column::categorical(name, levels.clone(), codes),
            _ => Column::numeric(name, codes.into_iter().map(f64::from).collect()),
        }
        .expect("a column")
    });
    let columns: Vec<Column> = columns.collect();
    let y = (0..90).map(|_| numbers.unit()).collect();
    let data = Dataset::new(columns, Target::regression("y", y).expect("numbers")).expect("fits");
    for mtry in [1, 2] {
        let config = ForestConfig { n_trees: 60, mtry: Some(mtry), ..ForestConfig::default() };
        let grown = |n_trees: usize, n_threads: usize| {
            let threads = wald::Threads::new(n_threads).expect("threads");
            let config = ForestConfig { n_trees, ..config.clone() };
            wald::Forest::grow(&data, &config, &wald::Run::on(threads)).expect("settings fit")
        };
        let forest = grown(60, 1);
        for n_threads in [2, 7] {
            assert!(forest.trees() == grown(60, n_threads).trees(), "{n_threads} threads, {mtry}");
        }
    }
}
