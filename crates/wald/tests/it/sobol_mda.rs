//! Sobol-MDA against a literal reading of Algorithm 1 with Remark 3 (Bénard, Da Veiga & Scornet
//! 2022): for every row and level of the tree, the collection of nodes that the row falls into.

use wald::forest::{Bag, Node, Splitting, Tree};
use wald::measure::{CostClass, MeasureSettings};
use wald::{Dataset, Forest, ForestConfig, Importance, Measure, MeasureId, Run, Threads};

use crate::forest_json::written;
use crate::support::{
    Shape, all_measures, assert_close, child, dataset, grow, in_bag_weight, leaf, levels_only,
    n_that_count, response, threads, try_measure, weight,
};

fn measure(data: &Dataset, forest: &Forest, n_threads: usize) -> Importance {
    let settings = MeasureSettings::default();
    try_measure((data, forest), MeasureId::SobolMda, settings, n_threads).expect("applies")
}

/// The collection at the next level: a leaf is copied, a split on one of the columns sends the row
/// to all children.
pub(crate) fn next_level(
    data: &Dataset,
    tree: &Tree,
    columns: &[u32],
    row: usize,
    nodes: &[usize],
) -> Vec<usize> {
    let mut next = Vec::new();
    for &node in nodes {
        match &tree.nodes()[node] {
            Node::Leaf => next.push(node),
            Node::Split(split) if columns.contains(&split.feature) => {
                next.extend(tree.children(split));
            }
            Node::Split(split) => {
                next.push(split.first_child as usize + child(data, tree, split, row, None));
            }
        }
    }
    next.sort_unstable();
    next
}

/// The prediction of an out-of-bag row by the tree without some columns, and whether a cell was
/// empty.
pub(crate) fn projected(
    data: &Dataset,
    (tree, bag): (&Tree, &Bag),
    columns: &[u32],
    row: usize,
) -> (Vec<f64>, bool) {
    let in_bag: Vec<usize> =
        (0..data.n_rows()).filter(|&row| in_bag_weight(data, bag, row) > 0.0).collect();
    let mean = |rows: &[usize]| -> Vec<f64> {
        let total: f64 = rows.iter().map(|&row| in_bag_weight(data, bag, row)).sum();
        let sum = |output: usize| -> f64 {
            let term = |&row: &usize| in_bag_weight(data, bag, row) * response(data, row)[output];
            rows.iter().map(term).sum()
        };
        (0..response(data, row).len()).map(|output| sum(output) / total).collect()
    };
    let mut own = vec![0];
    // Rows that were in the same collection at every level so far are in the same one above.
    let mut cell: Vec<(usize, Vec<usize>)> = in_bag.iter().map(|&row| (row, vec![0])).collect();
    loop {
        let rows: Vec<usize> = cell.iter().map(|(row, _)| *row).collect();
        if own.iter().all(|&node| tree.nodes()[node] == Node::Leaf) {
            return (mean(&rows), false);
        }
        own = next_level(data, tree, columns, row, &own);
        cell = cell
            .into_iter()
            .map(|(row, nodes)| (row, next_level(data, tree, columns, row, &nodes)))
            .filter(|(_, nodes)| *nodes == own)
            .collect();
        if cell.is_empty() {
            return (mean(&rows), true);
        }
    }
}

/// The measure by its formula, and how often a cell was empty.
pub(crate) fn literal(data: &Dataset, forest: &Forest, columns: &[u32]) -> (f64, usize) {
    let trees: Vec<(&Tree, &Bag)> =
        forest.trees().iter().zip(forest.bags().expect("own bags")).collect();
    let n = data.n_rows();
    let total: f64 = (0..n).map(|row| weight(data, row)).sum();
    let (mut increase, mut n_empty) = (0.0, 0);
    for row in 0..n {
        let truth = response(data, row);
        let (mut whole, mut without) = (vec![0.0; truth.len()], vec![0.0; truth.len()]);
        let mut n_trees = 0.0;
        for &(tree, bag) in trees.iter().filter(|(_, bag)| bag.counts()[row] == 0) {
            let (value, was_empty) = projected(data, (tree, bag), columns, row);
            n_empty += usize::from(was_empty);
            n_trees += 1.0;
            let ordinary = tree.value(leaf(data, tree, row, None));
            for output in 0..truth.len() {
                whole[output] += ordinary[output];
                without[output] += value[output];
            }
        }
        if n_trees > 0.0 {
            let loss = |sums: &[f64]| -> f64 {
                truth.iter().zip(sums).map(|(y, sum)| (y - sum / n_trees).powi(2)).sum()
            };
            increase += weight(data, row) * (loss(&without) - loss(&whole));
        }
    }
    let outputs = response(data, 0).len();
    let n_counted = n_that_count(data);
    let variance: f64 = (0..outputs)
        .map(|output| {
            let mean: f64 =
                (0..n).map(|row| weight(data, row) * response(data, row)[output]).sum::<f64>()
                    / total;
            let square = |row| weight(data, row) * (response(data, row)[output] - mean).powi(2);
            (0..n).map(square).sum::<f64>() / total * n_counted / (n_counted - 1.0)
        })
        .sum();
    (increase / total / variance, n_empty)
}

#[test]
fn equals_a_literal_implementation_of_algorithm_1() {
    let mut n_empty = 0;
    for n_classes in [0, 2, 3] {
        for (missing, weights, n_rows) in
            [(false, false, 60), (true, false, 150), (true, true, 110), (false, false, 190)]
        {
            let shape = Shape { n_rows, n_classes, missing, weights, seed: 5 };
            let variants = [
                (dataset(shape), Splitting::Best, Some(2)),
                (dataset(shape), Splitting::RandomThreshold, Some(1)),
                (levels_only(shape), Splitting::Multiway, None),
            ];
            for (data, splitting, mtry) in variants {
                let min_node_size = Some(1);
                let config = ForestConfig {
                    n_trees: 3,
                    splitting,
                    mtry,
                    min_node_size,
                    ..ForestConfig::default()
                };
                let forest = grow(&data, &config);
                let found = measure(&data, &forest, 2);
                for column in 0..data.n_features() {
                    let (expected, empty) = literal(&data, &forest, &[column as u32]);
                    n_empty += empty;
                    let what = format!("{shape:?} {splitting:?} column {column}");
                    assert_close(found.values[column].expect("defined"), expected, &what);
                }
            }
        }
    }
    assert!(n_empty > 500, "cells are empty often enough: {n_empty}");
}

#[test]
fn groups_are_projected_together() {
    for n_classes in [0, 3] {
        let shape = Shape { n_rows: 220, n_classes, missing: true, weights: true, seed: 12 };
        let data = dataset(shape);
        let forest = grow(&data, &ForestConfig { n_trees: 4, ..ForestConfig::default() });
        let members = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let groups = [
            ("first".to_owned(), members(&["more", "one"])),
            ("second".to_owned(), members(&["two", "few", "constant"])),
        ];
        let data = data.with_groups(&groups).expect("columns of the table");
        assert_eq!(data.groups().names(), ["first", "second", "tied"]);
        let found = measure(&data, &forest, 2);
        for (group, columns) in [&[0, 5][..], &[1, 3, 4], &[2]].into_iter().enumerate() {
            let (expected, _) = literal(&data, &forest, columns);
            assert_close(found.values[group].expect("defined"), expected, "a group");
        }
    }
}

#[test]
fn threads_change_no_bit_and_a_stored_forest_gives_what_growing_gave() {
    let shape = Shape { n_rows: 200, n_classes: 3, missing: true, weights: true, seed: 3 };
    let data = dataset(shape);
    let config = ForestConfig { n_trees: 9, ..ForestConfig::default() };
    let forest = grow(&data, &config);
    let one = measure(&data, &forest, 1);
    assert_eq!(one, measure(&data, &forest, 3));
    let sobol = Measure::new(MeasureId::SobolMda, MeasureSettings::default()).expect("valid");
    let run = &Run::on(Threads::new(2).expect("two threads"));
    let keep = wald::forest::Keep::Nothing;
    let grown = Forest::grow_and_measure(&data, &config, &[sobol], keep, run).expect("valid");
    assert_eq!(grown.measured.importances[0], one);
}

/// A class's values are the means over its rows, so that weighted by the classes they give all.
/// Also in a forest of four trees, where some rows are never out of bag and count as unchanged.
#[test]
fn values_per_class_add_up() {
    let shape = Shape { n_rows: 200, n_classes: 3, missing: false, weights: false, seed: 9 };
    let data = dataset(shape);
    for n_trees in [4, 40] {
        let forest = grow(&data, &ForestConfig { n_trees, ..ForestConfig::default() });
        per_class_adds_up(&data, &forest);
    }
}

fn per_class_adds_up(data: &Dataset, forest: &Forest) {
    assert_eq!(measure(data, forest, 2).per_class, None, "not asked for");
    let settings = MeasureSettings { per_class: true, ..MeasureSettings::default() };
    let by_class = Measure::new(MeasureId::SobolMda, settings).expect("valid");
    let run = &Run::on(Threads::new(2).expect("two threads"));
    let measured = forest.measure(data, &[by_class], run).expect("applies");
    let found = &measured.importances[0];
    let mut counts = vec![0.0; 3];
    for row in 0..200 {
        response(data, row).iter().zip(&mut counts).for_each(|(one, count)| *count += one);
    }
    let per_class = found.per_class.as_ref().expect("classes");
    for column in 0..data.n_features() {
        let sum: f64 = per_class
            .iter()
            .zip(&counts)
            .map(|((_, values), count)| values[column].expect("defined") * count / 200.0)
            .sum();
        assert_close(sum, found.values[column].expect("defined"), "mean over classes");
    }
}

/// Trees that vote average numbers: no measure may treat a number as shares of one class.
#[test]
fn votes_of_numbers_are_means() {
    let shape = Shape { n_rows: 120, n_classes: 0, missing: true, weights: false, seed: 4 };
    let data = dataset(shape);
    let mean = grow(&data, &ForestConfig { n_trees: 8, ..ForestConfig::default() });
    let mut document: serde_json::Value = serde_json::from_slice(&written(&mean)).expect("JSON");
    document["aggregation"] = "vote".into();
    let bytes = document.to_string();
    let vote = Forest::read(bytes.as_bytes(), Some(&data), &Run::on(threads()));
    let vote = vote.expect("a forest");
    let mut measures = all_measures(&data);
    // They grow wald's own forest again, which does not vote.
    measures.retain(|measure| measure.id().info().effort == CostClass::Pass);
    let of = |forest: &Forest| forest.measure(&data, &measures, &Run::on(threads()));
    assert_eq!(of(&vote).expect("applies").importances, of(&mean).expect("applies").importances);
}
