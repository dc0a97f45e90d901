//! Shapley effects against their definition: all coalitions by a literal reading of Projected-CART,
//! shared out by the formula of Shapley; and against theory where inputs are Gaussian.

use wald::data::{Column, Target};
use wald::forest::{Node, Split, Tree};
use wald::measure::MeasureSettings;
use wald::pass::Errors;
use wald::{Dataset, Error, Forest, ForestConfig, Importance, MeasureId, Run, Threads};

use crate::sobol_mda::literal;
use crate::support::{
    Numbers, Shape, assert_close, dataset, grow, n_that_count, response, try_measure, weight,
};

pub fn effects(data: &Dataset, forest: &Forest, samples: Option<usize>, seed: u64) -> Importance {
    let settings = MeasureSettings { samples, seed, ..MeasureSettings::default() };
    try_measure((data, forest), MeasureId::ShapleyEffects, settings, 2).expect("applies")
}

pub fn explained(data: &Dataset, forest: &Forest) -> f64 {
    let measured = forest.measure(data, &[], &Run::on(Threads::all())).expect("measures");
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
pub(crate) fn normals(n: usize, seed: u64) -> Vec<f64> {
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

/// The sum of squares of the target about its mean, and its weight, over these rows.
fn squares(data: &Dataset, rows: &[usize]) -> (f64, f64) {
    let total: f64 = rows.iter().map(|&row| weight(data, row)).sum();
    let of_output = |output: usize| -> f64 {
        let value = |row: usize| response(data, row)[output];
        let mean = rows.iter().map(|&row| weight(data, row) * value(row)).sum::<f64>() / total;
        rows.iter().map(|&row| weight(data, row) * (value(row) - mean).powi(2)).sum()
    };
    ((0..response(data, 0).len()).map(of_output).sum(), total)
}

/// Shapley values of what the forest explains of the squares of the rows that it does not know; a
/// literal projection computes what every coalition explains.
fn by_hand(data: &Dataset, forest: &Forest) -> Vec<f64> {
    let n = data.n_features();
    let all = explained(data, forest);
    let bags = forest.bags().expect("own bags");
    let rows: Vec<usize> = (0..data.n_rows()).collect();
    let out_of_bag: Vec<usize> =
        rows.iter().copied().filter(|&row| bags.iter().any(|bag| bag.counts()[row] == 0)).collect();
    // The literal projection divides by the sample variance of all rows.
    let n_counted = n_that_count(data);
    let sample = n_counted / (n_counted - 1.0);
    let scale = squares(data, &rows).0 * sample / squares(data, &out_of_bag).0;
    let is_asked = |column: usize| {
        let nodes = forest.trees().iter().flat_map(Tree::nodes);
        nodes.filter_map(split).any(|split| split.feature as usize == column)
    };
    let asked: usize = (0..n).filter(|&column| is_asked(column)).map(|column| 1 << column).sum();
    let worth: Vec<f64> = (0..1_usize << n)
        .map(|set| {
            let out: Vec<u32> = (0..n as u32).filter(|column| set >> column & 1 == 0).collect();
            // Sets of variables that no tree splits on explain nothing.
            if set & asked == 0 { 0.0 } else { all - scale * literal(data, forest, &out).0 }
        })
        .collect();
    shapley(n, |set| worth[set])
}

#[test]
fn all_coalitions_give_the_values_of_shapley() {
    for n_classes in [0, 2, 3] {
        for (missing, weights) in [(false, false), (true, true)] {
            let data = dataset(Shape { n_rows: 90, n_classes, missing, weights, seed: 3 });
            let config = ForestConfig { n_trees: 8, mtry: Some(2), ..ForestConfig::default() };
            let forest = grow(&data, &config);
            let all = explained(&data, &forest);
            let expected = by_hand(&data, &forest);
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
pub fn ten_columns(n_rows: usize, seed: u64) -> Dataset {
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

/// Nine variables of which trees split on at most four on a path: sets of more were never looked at
/// when sets were drawn from paths, and few rows distinguish divisors.
#[test]
fn shallow_trees_have_the_values_of_all_coalitions() {
    let ten = ten_columns(40, 6);
    let columns = ten.features().columns()[..9].to_vec();
    let data = Dataset::new(columns, ten.target().clone()).expect("fits");
    let config =
        ForestConfig { n_trees: 3, max_depth: Some(4), mtry: Some(3), ..ForestConfig::default() };
    let forest = grow(&data, &config);
    let found = effects(&data, &forest, Some(255), 0);
    assert_eq!(found.settings["coalitions-are"], "all");
    for (column, expected) in by_hand(&data, &forest).iter().enumerate() {
        let what = format!("column {column}");
        assert_close(found.values[column].expect("defined"), *expected, &what);
    }
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
            assert!(why.contains("do not separate 10 variables"), "{why:?}");
            assert!(help.contains("`samples`"), "{help:?}");
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
    let note = "rows never out of bag, which were left out: ";
    assert!(found.notes.iter().any(|found| found.starts_with(note)), "{:?}", found.notes);
}
