//! Second-order Sobol indices, against their definition on literal cells of single trees, and against
//! designs whose indices are known.

use wald::forest::{Bag, Node, Splitting, Tree};
use wald::importance::Pairs;
use wald::measure::{MeasureOption, MeasureSettings};
use wald::options::Options as _;
use wald::{Dataset, Forest, ForestConfig, Importance, Measure, MeasureId};

use crate::sobol_first::{dependent, mean, variance};
use crate::sobol_mda::next_level;
use crate::support::{
    Shape, assert_close, dataset, grow, in_bag_weight, levels_only, response, try_measure, weight,
};

fn measure(data: &Dataset, forest: &Forest, n_threads: usize) -> Importance {
    let settings = MeasureSettings { second_order: true, ..MeasureSettings::default() };
    try_measure((data, forest), MeasureId::SobolFirst, settings, n_threads).expect("applies")
}

fn pairs(data: &Dataset, forest: &Forest) -> Pairs {
    measure(data, forest, 2).second_order.expect("requested")
}

/// The collections of nodes that a row falls into, level by level, in a tree that knows some columns.
fn collections(data: &Dataset, tree: &Tree, inside: &[u32], row: usize) -> Vec<Vec<usize>> {
    let outside: Vec<u32> =
        (0..data.n_features() as u32).filter(|column| !inside.contains(column)).collect();
    let mut levels = vec![vec![0]];
    while levels[levels.len() - 1].iter().any(|&node| tree.nodes()[node] != Node::Leaf) {
        let last = &levels[levels.len() - 1];
        levels.push(next_level(data, tree, &outside, row, last));
    }
    levels
}

/// The mean of values of rows with their weights over the smallest cell of a row that holds any of them.
fn mean_of_cell(
    all: &[Vec<Vec<usize>>],
    row: usize,
    rows: &[(usize, f64)],
    values: &[Vec<f64>],
) -> Vec<f64> {
    for level in (0..all[row].len()).rev() {
        let is_inside =
            |&&(other, _): &&(usize, f64)| all[other].get(..=level) == Some(&all[row][..=level]);
        let cell: Vec<&(usize, f64)> = rows.iter().filter(is_inside).collect();
        if !cell.is_empty() {
            let total: f64 = cell.iter().map(|(_, weight)| weight).sum();
            let mean = |output: usize| {
                cell.iter().map(|(row, weight)| weight * values[*row][output]).sum::<f64>() / total
            };
            return (0..values[row].len()).map(mean).collect();
        }
    }
    vec![0.0; values[row].len()]
}

/// Of one tree, the sum over out-of-bag rows of response times the mean, over the cell of both groups, of
/// what in-bag responses are beyond the means of the other in-bag rows in their cells of single groups; and
/// what the out-of-bag rows weigh.
fn of_tree(data: &Dataset, (tree, bag): (&Tree, &Bag), groups: [&[u32]; 2]) -> (f64, f64) {
    let n = data.n_rows();
    let in_bag: Vec<(usize, f64)> = (0..n)
        .map(|row| (row, in_bag_weight(data, bag, row)))
        .filter(|(_, weight)| *weight > 0.0)
        .collect();
    let cells = |inside: &[u32]| -> Vec<Vec<Vec<usize>>> {
        (0..n).map(|row| collections(data, tree, inside, row)).collect()
    };
    let mean = mean(data);
    let centred = |row| response(data, row).iter().zip(&mean).map(|(y, mean)| y - mean).collect();
    let responses: Vec<Vec<f64>> = (0..n).map(centred).collect();
    let mut beyond = responses.clone();
    for group in groups {
        let cells = cells(group);
        for &(row, _) in &in_bag {
            let others: Vec<(usize, f64)> =
                in_bag.iter().copied().filter(|(other, _)| *other != row).collect();
            let mean = mean_of_cell(&cells, row, &others, &responses);
            beyond[row].iter_mut().zip(mean).for_each(|(value, mean)| *value -= mean);
        }
    }
    let cells = cells(&groups.concat());
    let (mut sum, mut mass) = (0.0, 0.0);
    for row in (0..n).filter(|&row| bag.counts()[row] == 0) {
        let mean = mean_of_cell(&cells, row, &in_bag, &beyond);
        let terms = responses[row].iter().zip(mean);
        sum += weight(data, row) * terms.map(|(response, mean)| response * mean).sum::<f64>();
        mass += weight(data, row);
    }
    (sum, mass)
}

/// The measure by its definition.
fn literal(data: &Dataset, forest: &Forest, groups: [&[u32]; 2]) -> f64 {
    let trees: Vec<(&Tree, &Bag)> =
        forest.trees().iter().zip(forest.bags().expect("own bags")).collect();
    let means = trees.iter().map(|&tree| {
        let (sum, mass) = of_tree(data, tree, groups);
        sum / mass
    });
    means.sum::<f64>() / trees.len() as f64 / variance(data)
}

#[test]
fn equals_the_definition_on_literal_cells() {
    for (n_classes, missing, weights, n_rows) in
        [(0, false, false, 60), (0, true, true, 90), (2, false, true, 60), (3, true, true, 70)]
    {
        let shape = Shape { n_rows, n_classes, missing, weights, seed: 5 };
        for (data, splitting) in
            [(dataset(shape), Splitting::Best), (levels_only(shape), Splitting::Multiway)]
        {
            let config = ForestConfig {
                n_trees: 2,
                splitting,
                min_node_size: Some(1),
                ..ForestConfig::default()
            };
            let forest = grow(&data, &config);
            let found = pairs(&data, &forest);
            for one in 0..data.n_features() {
                for other in one + 1..data.n_features() {
                    let expected = literal(&data, &forest, [&[one as u32], &[other as u32]]);
                    let what = format!("{shape:?} {splitting:?} pair {one}, {other}");
                    assert_close(found.values[one][other].expect("defined"), expected, &what);
                    assert_eq!(found.values[one][other], found.values[other][one]);
                }
                assert_eq!(found.values[one][one], None);
            }
        }
    }
}

/// Of the variance 4.2: a and b share what they explain, a and c interact, b and c do as far as b stands
/// for a. The bands hold three standard errors over rows; those of closed indices less first-order indices
/// would miss the second by .08, and the fourth by .03.
#[test]
fn known_indices_of_dependent_variables_are_found() {
    let data = dependent(2000);
    let forest = grow(&data, &ForestConfig { n_trees: 50, ..ForestConfig::default() });
    let found = pairs(&data, &forest);
    let errors = found.standard_errors.as_ref().expect("several trees");
    for ((one, other), truth) in
        [((0, 1), 3.2 - 5.12), ((0, 2), 1.0), ((1, 2), 0.36), ((0, 3), 0.0), ((1, 3), 0.0)]
    {
        let value = found.values[one][other].expect("defined");
        assert!((value - truth / 4.2).abs() < 0.05, "{one} {other}: {value} {truth}");
        assert!((0.0005..0.01).contains(&errors[one][other].expect("defined")));
    }
    assert_eq!(found.order()[..2], [(0, 1), (0, 2)]);
}

#[test]
fn groups_are_paired_like_variables() {
    let shape = Shape { n_rows: 90, n_classes: 0, missing: true, weights: true, seed: 12 };
    let data = dataset(shape);
    let forest = grow(&data, &ForestConfig { n_trees: 3, ..ForestConfig::default() });
    let members = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let groups = [
        ("first".to_owned(), members(&["more", "one"])),
        ("second".to_owned(), members(&["two", "few", "constant"])),
    ];
    let grouped = data.clone().with_groups(&groups).expect("columns of the table");
    let found = pairs(&grouped, &forest).values;
    let expected = literal(&data, &forest, [&[0, 5], &[1, 3, 4]]);
    assert_close(found[0][1].expect("defined"), expected, "two groups");
    let expected = literal(&data, &forest, [&[1, 3, 4], &[2]]);
    assert_close(found[1][2].expect("defined"), expected, "a group and a variable");
}

#[test]
fn threads_change_no_bit_and_first_order_indices_stay() {
    let shape = Shape { n_rows: 120, n_classes: 3, missing: true, weights: true, seed: 3 };
    let data = dataset(shape);
    let forest = grow(&data, &ForestConfig { n_trees: 5, ..ForestConfig::default() });
    let found = measure(&data, &forest, 1);
    assert_eq!(found, measure(&data, &forest, 3));
    let settings = MeasureSettings::default();
    let alone = try_measure((&data, &forest), MeasureId::SobolFirst, settings, 1).expect("applies");
    assert_eq!(alone, Importance { second_order: None, ..found });
}

#[test]
fn other_measures_do_not_offer_pairs() {
    let settings = MeasureSettings { second_order: true, ..MeasureSettings::default() };
    assert!(MeasureOption::SecondOrder.is_set(&settings));
    let refused = Measure::new(MeasureId::SobolMda, settings).expect_err("not offered");
    assert!(refused.to_string().contains("does not offer `second_order`"), "{refused}");
}
