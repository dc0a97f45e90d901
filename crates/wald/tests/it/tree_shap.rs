//! Values that add up to predictions: Saabas's and Shapley values, against worked cases and brute
//! force.

use wald::data::{Column, Target};
use wald::explain::Rows;
use wald::forest::{Node, Splitting, Tree};
use wald::{
    Dataset, ExplanationId, ExplanationSettings, Features, Forest, ForestConfig, Run, Threads,
};

use crate::golden_case::{Case, columns, floats, table};
use crate::support::{Shape, assert_close, child, dataset, grow, levels_only};

/// Records of rows, and what they are counted from.
pub fn explain(
    (forest, data): (&Forest, &Dataset),
    rows: Rows<'_>,
    id: ExplanationId,
    (out_of_bag, threads): (bool, usize),
) -> (Vec<Vec<f64>>, Option<Vec<f64>>) {
    let settings = ExplanationSettings { out_of_bag, ..ExplanationSettings::default() };
    let explainer = forest.explainer(data, rows, id, &settings).expect("applies");
    let mut records = Vec::new();
    let threads = Threads::new(threads).expect("few");
    let run = &Run::on(threads);
    explainer.run(run, |_, record| records.push(record.to_vec())).expect("adds up");
    (records, explainer.expected_value().map(<[f64]>::to_vec))
}

#[test]
fn worked_cases() {
    for case in Case::all() {
        let queries = Features::new(columns(&case.file["queries"])).expect("a table");
        for (id, key, values, expected_value) in [
            (ExplanationId::Saabas, "saabas", "contributions", "bias"),
            (ExplanationId::TreeShap, "treeshap_path_dependent", "values", "expected_value"),
        ] {
            let expected = &case.measures()[key];
            let rows = Rows::Other(&queries);
            let (found, base) = explain((&case.forest, &case.data), rows, id, (false, 2));
            let base = base.expect("the same for all rows");
            case.check(&base, &floats(&expected[expected_value]), key);
            for (found, expected) in found.iter().zip(expected[values].as_array().expect("rows")) {
                case.check(found, &table(expected).concat(), key);
            }
        }
    }
}

/// The predictions of nodes.
pub type Predict<'a> = &'a dyn Fn(usize) -> Vec<f64>;

/// The columns that a tree splits on, and its prediction for a row of which each subset is known.
fn games(
    data: &Dataset,
    (tree, predict): (&Tree, Predict<'_>),
    row: usize,
) -> (Vec<usize>, Vec<Vec<f64>>) {
    let mut asked: Vec<usize> = Vec::new();
    for node in tree.nodes() {
        if let Node::Split(split) = node
            && !asked.contains(&(split.feature as usize))
        {
            asked.push(split.feature as usize);
        }
    }
    let games = (0..1_usize << asked.len()).map(|subset| {
        let knows = |column: usize| {
            let place = asked.iter().position(|of| *of == column).expect("split on");
            subset >> place & 1 == 1
        };
        known_of(data, (tree, predict), (row, 0), &knows)
    });
    let games = games.collect();
    (asked, games)
}

/// What the splits on the path of a row add.
pub fn along_path(data: &Dataset, tree: &Tree, row: usize) -> Vec<f64> {
    let n_outputs = data.target().n_outputs();
    let mut values = vec![0.0; data.n_features() * n_outputs];
    let mut node = 0;
    while let Node::Split(split) = &tree.nodes()[node] {
        let next = split.first_child as usize + child(data, tree, split, row, None);
        for output in 0..n_outputs {
            values[split.feature as usize * n_outputs + output] +=
                tree.value(next)[output] - tree.value(node)[output];
        }
        node = next;
    }
    values
}

pub fn factorial(n: usize) -> f64 {
    (1..=n).map(|factor| factor as f64).product()
}

/// Shapley interactions by the definition, by column, column and output.
pub fn interactions(data: &Dataset, tree: &Tree, row: usize) -> Vec<f64> {
    let (n_columns, n_outputs) = (data.n_features(), data.target().n_outputs());
    let predict = |node: usize| tree.value(node).to_vec();
    let (asked, games) = games(data, (tree, &predict), row);
    let n = asked.len();
    let mut pairs = vec![0.0; n_columns * n_columns * n_outputs];
    let place = |one: usize, other: usize| (one * n_columns + other) * n_outputs;
    for (one, column) in brute_force(data, tree, row).iter().enumerate() {
        pairs[place(one / n_outputs, one / n_outputs) + one % n_outputs] = *column;
    }
    for first in 0..n {
        for second in (0..n).filter(|second| *second != first) {
            let (one, other) = (1 << first, 1 << second);
            for subset in (0..1_usize << n).filter(|subset| subset & (one | other) == 0) {
                let size = subset.count_ones() as usize;
                let weight = factorial(size) * factorial(n - size - 2) / factorial(n - 1);
                for output in 0..n_outputs {
                    let game = |known: usize| games[subset | known][output];
                    let joint = game(one | other) - game(one) - game(other) + game(0);
                    let half = 0.5 * weight * joint;
                    pairs[place(asked[first], asked[second]) + output] += half;
                    pairs[place(asked[first], asked[first]) + output] -= half;
                }
            }
        }
    }
    pairs
}

/// Shapley values by the definition: every subset of the columns that the tree splits on.
pub fn brute_force(data: &Dataset, tree: &Tree, row: usize) -> Vec<f64> {
    brute_force_of(data, (tree, &|node| tree.value(node).to_vec()), row)
}

/// The same of a tree whose nodes have other predictions.
pub fn brute_force_of(data: &Dataset, tree: (&Tree, Predict<'_>), row: usize) -> Vec<f64> {
    let n_outputs = data.target().n_outputs();
    let (asked, games) = games(data, tree, row);
    let n = asked.len();
    let mut values = vec![0.0; data.n_features() * n_outputs];
    for (place, column) in asked.iter().enumerate() {
        for subset in (0..1_usize << n).filter(|subset| subset >> place & 1 == 0) {
            let size = subset.count_ones() as usize;
            let weight = factorial(size) * factorial(n - size - 1) / factorial(n);
            for output in 0..n_outputs {
                let gain = games[subset | 1 << place][output] - games[subset][output];
                values[column * n_outputs + output] += weight * gain;
            }
        }
    }
    values
}

/// A tree's prediction for a row of which only some columns are known.
fn known_of(
    data: &Dataset,
    (tree, predict): (&Tree, Predict<'_>),
    (row, node): (usize, usize),
    knows: &dyn Fn(usize) -> bool,
) -> Vec<f64> {
    let Node::Split(split) = &tree.nodes()[node] else { return predict(node) };
    if knows(split.feature as usize) {
        let next = split.first_child as usize + child(data, tree, split, row, None);
        return known_of(data, (tree, predict), (row, next), knows);
    }
    let weights = tree.statistics().expect("own trees");
    let mut sums = vec![0.0; tree.n_outputs()];
    for child in tree.children(split) {
        let share = weights.weight(child) / weights.weight(node);
        let predictions = known_of(data, (tree, predict), (row, child), knows);
        sums.iter_mut().zip(predictions).for_each(|(sum, value)| *sum += share * value);
    }
    sums
}

/// Mean over trees, of those that did not see the row if asked for.
pub fn expected(
    (data, forest): (&Dataset, &Forest),
    (row, out_of_bag): (usize, bool),
    of_tree: fn(&Dataset, &Tree, usize) -> Vec<f64>,
) -> Vec<f64> {
    let mut sums = Vec::new();
    let mut n_trees = 0.0;
    for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("own bags")) {
        if out_of_bag && bag.counts()[row] > 0 {
            continue;
        }
        n_trees += 1.0;
        let values = of_tree(data, tree, row);
        sums.resize(values.len(), 0.0);
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    sums.iter().map(|sum| sum / n_trees).collect()
}

/// Few rows go another way through trees.
fn few_rows_have_the_same(
    data: &Dataset,
    forest: &Forest,
    id: ExplanationId,
    expected: &[Vec<f64>],
) {
    let rows: Vec<u32> = (0..6).map(|row| row * 13).collect();
    let columns = data.features().columns().iter().map(|column| column.select(&rows));
    let few = Features::new(columns.collect()).expect("a table");
    let (found, _) = explain((forest, data), Rows::Other(&few), id, (false, 2));
    for (found, row) in found.iter().zip(rows) {
        for (found, expected) in found.iter().zip(&expected[row as usize]) {
            assert_close(*found, *expected, "value of few rows");
        }
    }
}

fn check(data: &Dataset, forest: &Forest) {
    type OfTree = fn(&Dataset, &Tree, usize) -> Vec<f64>;
    let cases: [(ExplanationId, OfTree, bool); 4] = [
        (ExplanationId::Saabas, along_path, true),
        (ExplanationId::TreeShap, brute_force, false),
        (ExplanationId::TreeShap, brute_force, true),
        (ExplanationId::TreeShapInteractions, interactions, false),
    ];
    for (id, of_tree, out_of_bag) in cases {
        let asked = |threads| {
            let subject = (forest, data);
            explain(subject, Rows::Training, id, (out_of_bag, threads)).0
        };
        let found = asked(1);
        let bits = |rows: &[Vec<f64>]| -> Vec<u64> {
            rows.iter().flatten().map(|value| value.to_bits()).collect()
        };
        assert_eq!(bits(&found), bits(&asked(3)), "threads");
        if !out_of_bag {
            few_rows_have_the_same(data, forest, id, &found);
        }
        let step = if id == ExplanationId::TreeShapInteractions { 31 } else { 7 };
        for (row, found) in found.iter().enumerate().step_by(step) {
            let expected = expected((data, forest), (row, out_of_bag), of_tree);
            if expected.is_empty() {
                assert!(found.iter().all(|value| value.is_nan()));
            }
            for (found, expected) in found.iter().zip(expected) {
                assert_close(*found, expected, "value");
            }
        }
    }
}

#[test]
fn shapley_values_are_those_of_the_definition() {
    for n_classes in [0, 2, 3] {
        for (weights, missing) in [(false, false), (true, false), (false, true), (true, true)] {
            let shape = Shape { n_rows: 90, n_classes, missing, weights, seed: 91 };
            let best = ForestConfig {
                n_trees: 4,
                mtry: Some(2),
                min_node_size: Some(1),
                ..ForestConfig::default()
            };
            let random = ForestConfig { splitting: Splitting::RandomThreshold, ..best.clone() };
            let multiway = ForestConfig { splitting: Splitting::Multiway, ..best.clone() };
            let conditional = ForestConfig { splitting: Splitting::Conditional, ..best.clone() };
            for config in [best, random, conditional] {
                let data = dataset(shape);
                check(&data, &grow(&data, &config));
            }
            let data = levels_only(shape);
            check(&data, &grow(&data, &multiway));
        }
    }
}

#[test]
fn equal_variables_share_and_absent_ones_have_nothing() {
    // Ten columns of numbers, of which the last is never split on.
    let shape = Shape { n_rows: 200, n_classes: 0, missing: false, weights: false, seed: 92 };
    let base = dataset(shape);
    let columns = base.features().columns();
    let mut many = Vec::new();
    for copy in 0..3 {
        for column in &columns[..3] {
            let wald::data::ColumnData::Numeric(values) = column.data() else { continue };
            let shifted = values
                .iter()
                .enumerate()
                .map(|(row, value)| value + 0.1 * f64::from((row * (copy + 3) % 7) as u32));
            let name = format!("{}{copy}", column.name());
            many.push(Column::numeric(name, shifted.collect()).expect("finite"));
        }
    }
    many.push(Column::numeric("none", vec![1.0; 200]).expect("finite"));
    let y = match base.target().response() {
        wald::data::Response::Regression(values) => values.clone(),
        _ => panic!("numbers"),
    };
    // A large offset costs no digits of the values.
    let y = y.iter().map(|y| y + 1e8).collect();
    let target = Target::regression("y", y).expect("finite");
    let data = Dataset::new(many, target).expect("consistent");
    let config = ForestConfig { n_trees: 3, min_node_size: Some(1), ..ForestConfig::default() };
    let forest = grow(&data, &config);
    let subject = (&forest, &data);
    let (found, _) = explain(subject, Rows::Training, ExplanationId::TreeShap, (false, 2));
    for (row, found) in found.iter().enumerate().step_by(20) {
        let expected = expected((&data, &forest), (row, false), brute_force);
        assert_eq!(found[9], 0.0);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
        }
    }
}
