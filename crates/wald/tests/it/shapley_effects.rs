//! Shapley effects against their definition: all coalitions by a literal reading of Projected-CART,
//! shared out by the formula of Shapley; against theory where inputs are Gaussian; and what holds of
//! values that were drawn.

use std::collections::BTreeSet;

use wald::data::{Column, Target};
use wald::forest::{Errors, Node, Split, Tree};
use wald::measure::MeasureSettings;
use wald::{Dataset, Error, Forest, ForestConfig, Importance, MeasureId, Monitor, Threads};

use crate::sobol_mda::literal;
use crate::support::{Numbers, Shape, assert_close, dataset, grow, try_measure};

fn effects(data: &Dataset, forest: &Forest, samples: Option<usize>, seed: u64) -> Importance {
    let settings = MeasureSettings { samples, seed, ..MeasureSettings::default() };
    try_measure((data, forest), MeasureId::ShapleyEffects, settings, 2).expect("applies")
}

fn explained(data: &Dataset, forest: &Forest) -> f64 {
    let measured = forest.measure(data, &[], (Threads::all(), &Monitor::new())).expect("measures");
    let explained = match measured.errors {
        Some(
            Errors::Regression { explained_variance, .. }
            | Errors::Classification { explained_variance, .. },
        ) => explained_variance,
        _ => None,
    };
    explained.expect("the target is not constant")
}

/// Sums of twelve uniform numbers: nearly normal, of variance 1.
fn normals(n: usize, seed: u64) -> Vec<f64> {
    let mut numbers = Numbers(seed);
    (0..n).map(|_| (0..12).map(|_| numbers.unit()).sum::<f64>() - 6.0).collect()
}

fn split(node: &Node) -> Option<&Split> {
    match node {
        Node::Split(split) => Some(split),
        Node::Leaf => None,
    }
}

/// Shapley values of a game on subsets of `n` players, given as bits.
fn shapley(n: usize, worth: impl Fn(usize) -> f64) -> Vec<f64> {
    let factorial = |k: usize| (1..=k).map(|k| k as f64).product::<f64>();
    let value = |player: usize| -> f64 {
        let others = (0..1_usize << n).filter(|set| set >> player & 1 == 0);
        others
            .map(|set| {
                let size = set.count_ones() as usize;
                let share = factorial(size) * factorial(n - size - 1) / factorial(n);
                share * (worth(set | 1 << player) - worth(set))
            })
            .sum()
    };
    (0..n).map(value).collect()
}

#[test]
fn all_coalitions_give_the_values_of_shapley() {
    for n_classes in [0, 2, 3] {
        for (missing, weights) in [(false, false), (true, true)] {
            let data = dataset(Shape { n_rows: 90, n_classes, missing, weights, seed: 3 });
            let config = ForestConfig { n_trees: 8, mtry: Some(2), ..ForestConfig::default() };
            let forest = grow(&data, &config);
            let n = data.n_features();
            assert!(n <= 8, "all coalitions are used");
            let all = explained(&data, &forest);
            let is_asked = |column: usize| {
                let nodes = forest.trees().iter().flat_map(Tree::nodes);
                nodes.filter_map(split).any(|split| split.feature as usize == column)
            };
            let asked: usize =
                (0..n).filter(|&column| is_asked(column)).map(|column| 1 << column).sum();
            let worth: Vec<f64> = (0..1_usize << n)
                .map(|set| {
                    let out: Vec<u32> =
                        (0..n as u32).filter(|column| set >> column & 1 == 0).collect();
                    // Sets of variables that no tree asks about tell nothing.
                    if set & asked == 0 { 0.0 } else { all - literal(&data, &forest, &out).0 }
                })
                .collect();
            let expected = shapley(n, |set| worth[set]);
            let found = effects(&data, &forest, None, 0);
            for (column, expected) in expected.iter().enumerate() {
                let what = format!("{n_classes} classes, {missing}, column {column}");
                assert_close(found.values[column].expect("defined"), *expected, &what);
            }
            let sum: f64 = found.values.iter().flatten().sum();
            assert_close(sum, all, "values sum up to the explained variance");
        }
    }
}

/// Ten columns of which five matter, two of them copies of each other but for noise.
fn ten_columns(n_rows: usize, seed: u64) -> Dataset {
    let mut columns: Vec<Vec<f64>> = (0..10).map(|at| normals(n_rows, 100 * seed + at)).collect();
    let noise = normals(n_rows, 100 * seed + 50);
    let first = columns[0].clone();
    columns[1].iter_mut().zip(first).for_each(|(second, first)| *second = first + 0.3 * *second);
    let y = (0..n_rows)
        .map(|row| {
            let x = |column: usize| columns[column][row];
            x(0) + x(1) + x(2) * x(3) + 0.7 * x(4) + 0.3 * noise[row]
        })
        .collect();
    let named = columns.into_iter().enumerate();
    let columns = named.map(|(at, x)| Column::numeric(format!("x{at}"), x).expect("numbers"));
    Dataset::new(columns.collect(), Target::regression("y", y).expect("numbers")).expect("fits")
}

#[test]
fn drawn_coalitions_err_as_much_as_they_say() {
    let data = ten_columns(200, 1);
    let config = ForestConfig { n_trees: 40, mtry: Some(4), ..ForestConfig::default() };
    let forest = grow(&data, &config);
    // 2^10 coalitions: all of them are used where at least so many may be.
    let exact = effects(&data, &forest, Some(1024), 0);
    assert_eq!(exact.settings["coalitions"], "1022");
    assert_eq!(exact.settings["coalitions-are"], "all");
    let seeds = 20;
    let drawn: Vec<Importance> =
        (0..seeds).map(|seed| effects(&data, &forest, Some(120), seed)).collect();
    let (mut squares, mut told, mut bias) = (0.0, 0.0, 0.0_f64);
    for column in 0..10 {
        let trees = exact.standard_errors.as_ref().expect("trees")[column].expect("defined");
        let truth = exact.values[column].expect("defined");
        let mut mean = 0.0;
        for one in &drawn {
            let missed = one.values[column].expect("defined") - truth;
            let error = one.standard_errors.as_ref().expect("errors")[column].expect("defined");
            squares += missed * missed;
            told += error * error - trees * trees;
            mean += missed / f64::from(seeds as u32);
        }
        bias = bias.max(mean.abs());
    }
    let ratio = (squares / told).sqrt();
    assert!((0.6..1.5).contains(&ratio), "errors of drawing: true / told {ratio}");
    let one = (squares / 10.0 / f64::from(seeds as u32)).sqrt();
    assert!(bias < one, "bias {bias}, errors of one draw {one}");
    let sum: f64 = drawn[0].values.iter().flatten().sum();
    assert_close(sum, explained(&data, &forest), "values of drawn coalitions sum up, too");
}

/// Sets of variables that lead to the nodes of a tree, listed path by path.
fn sets_on_paths(tree: &Tree) -> BTreeSet<BTreeSet<u32>> {
    let mut found = BTreeSet::new();
    let mut pending = vec![(0, BTreeSet::new())];
    while let Some((node, path)) = pending.pop() {
        found.insert(path.clone());
        if let Some(asked) = split(&tree.nodes()[node]) {
            let mut below = path;
            below.insert(asked.feature);
            pending.extend(tree.children(asked).map(|child| (child, below.clone())));
        }
    }
    found
}

/// With far more draws than nodes, each set is drawn that occurs on a path, and its complement.
#[test]
fn sets_on_paths_are_drawn() {
    let data = ten_columns(80, 4);
    let config =
        ForestConfig { n_trees: 5, max_depth: Some(4), mtry: Some(8), ..ForestConfig::default() };
    let forest = grow(&data, &config);
    let on_paths: BTreeSet<BTreeSet<u32>> = forest.trees().iter().flat_map(sets_on_paths).collect();
    let players: BTreeSet<u32> = on_paths.iter().flatten().copied().collect();
    let mut expected = BTreeSet::new();
    for set in on_paths.into_iter().filter(|set| !set.is_empty() && *set != players) {
        expected.insert(players.difference(&set).copied().collect::<BTreeSet<u32>>());
        expected.insert(set);
    }
    let n_nodes: usize = forest.trees().iter().map(|tree| tree.nodes().len()).sum();
    let samples = (1 << players.len()) - 1;
    // No set is at a single node, so that one is missed with a probability below 1e-5.
    assert!(samples > 6 * n_nodes, "{samples} draws, {n_nodes} nodes");
    let found = effects(&data, &forest, Some(samples), 0);
    assert_eq!(found.settings["coalitions"], expected.len().to_string());
    assert_eq!(found.settings["coalitions-are"], "drawn");
}

/// Two Gaussian inputs of correlation r, Y = X1 + X2 b: the Shapley effect of X1 is
/// (1 + r b + r^2 (b^2 - 1) / 2) / V (Owen & Prieur 2017, section 4).
#[test]
fn approach_theory_of_gaussian_inputs() {
    let (n_rows, r, b) = (2000, 0.6, 2.0);
    let (one, other) = (normals(n_rows, 7), normals(n_rows, 8));
    let second: Vec<f64> =
        one.iter().zip(&other).map(|(x, z)| r * x + f64::sqrt(1.0 - r * r) * z).collect();
    let y = one.iter().zip(&second).map(|(x, z)| x + b * z).collect();
    let noise = normals(n_rows, 9);
    let columns = [("x1", one), ("x2", second), ("noise", noise)]
        .map(|(name, x)| Column::numeric(name, x).expect("numbers"));
    let target = Target::regression("y", y).expect("numbers");
    let data = Dataset::new(columns.into(), target).expect("fits");
    let config = ForestConfig { n_trees: 100, mtry: Some(3), ..ForestConfig::default() };
    let found = effects(&data, &grow(&data, &config), None, 0);
    let variance = 1.0 + b * b + 2.0 * r * b;
    let first = (1.0 + r * b + r * r * (b * b - 1.0) / 2.0) / variance;
    let values: Vec<f64> = found.values.iter().map(|value| value.expect("defined")).collect();
    assert!((values[0] - first).abs() < 0.03, "{} against {first}", values[0]);
    assert!((values[1] - (1.0 - first)).abs() < 0.03, "{} against {}", values[1], 1.0 - first);
    assert!(values[2].abs() < 0.02, "noise: {}", values[2]);
}

#[test]
fn too_few_coalitions_are_refused() {
    let data = ten_columns(60, 2);
    let forest = grow(&data, &ForestConfig { n_trees: 5, ..ForestConfig::default() });
    let settings = MeasureSettings { samples: Some(3), ..MeasureSettings::default() };
    match try_measure((&data, &forest), MeasureId::ShapleyEffects, settings, 1) {
        Err(Error::Measure { why, help, .. }) => {
            assert!(why.contains("do not tell 10 variables apart"), "{why}");
            assert!(help.contains("--samples"), "{help}");
        }
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn variables_that_no_tree_asks_about_have_nothing() {
    let data = ten_columns(60, 2);
    let config =
        ForestConfig { n_trees: 1, max_depth: Some(1), mtry: Some(10), ..ForestConfig::default() };
    let forest = grow(&data, &config);
    let found = effects(&data, &forest, None, 0);
    let used: Vec<f64> = found.values.iter().flatten().copied().filter(|v| *v != 0.0).collect();
    assert_eq!(used.len(), 1, "{:?}", found.values);
    assert_close(used[0], explained(&data, &forest), "all of it is the one variable's");
    let note = "rows never out of bag, which count as unchanged: ";
    assert!(found.notes.iter().any(|found| found.starts_with(note)), "{:?}", found.notes);
}
