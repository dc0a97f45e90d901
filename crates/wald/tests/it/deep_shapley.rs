//! Shapley values of deep trees, whose paths split on many variables, against closed forms.

use serde_json::json;
use wald::data::{Column, Target};
use wald::explain::Rows;
use wald::{Dataset, ExplanationId, Features, Forest};

use crate::golden_case::read_json;
use crate::support::Numbers;
use crate::tree_shap::{brute_force, explain, interactions};

/// A tree that tests one variable after another, whether it is at most 0; the row that always
/// is goes on, every other one ends. `shares` go on at each node. Only the last leaf is 1.
fn chain(shares: &[f64]) -> (Forest, Dataset) {
    let depth = shares.len();
    let names: Vec<String> = (0..depth).map(|column| format!("x{column}")).collect();
    // Inner nodes are 0, 2, 4, ...; the child that goes on follows the one that ends.
    let n_nodes = 2 * depth + 1;
    let (mut feature, mut threshold) = (vec![-1; n_nodes], vec![None; n_nodes]);
    let (mut left, mut right) = (vec![-1; n_nodes], vec![-1; n_nodes]);
    let (mut value, mut weight) = (vec![0.0; n_nodes], vec![0.0; n_nodes]);
    weight[0] = 1.0;
    for (column, share) in shares.iter().enumerate() {
        let node = 2 * column;
        feature[node] = column as i32;
        threshold[node] = Some(0.0);
        left[node] = node as i32 + 2;
        right[node] = node as i32 + 1;
        weight[node + 1] = weight[node] * (1.0 - share);
        weight[node + 2] = weight[node] * share;
    }
    value[n_nodes - 1] = 1.0;
    let document = json!({
        "format": "wald-forest", "version": 1, "task": "regression", "features": names,
        "classes": null, "aggregation": "sum",
        "trees": [{
            "feature": feature, "threshold": threshold, "left": left, "right": right,
            "value": value, "weight": weight, "impurity": vec![0.0; n_nodes],
        }],
    });
    let columns =
        names.iter().map(|name| Column::numeric(name.as_str(), vec![-1.0, 1.0]).expect("finite"));
    let target = Target::regression("y", vec![0.0, 1.0]).expect("finite");
    let data = Dataset::new(columns.collect(), target).expect("consistent");
    (read_json(&document, Some(&data)).expect("a forest"), data)
}

/// What a column adds where it is learned, over that by the shares.
fn gain(shares: &[f64], takes: &[bool], column: usize) -> f64 {
    f64::from(u8::from(takes[column])) - shares[column]
}

/// The integral over t of the product of t o + (1 - t) z over all columns but some, multiplied out.
fn integral(shares: &[f64], takes: &[bool], without: &[usize]) -> f64 {
    // As Bernstein coefficients: all terms are positive, so that nothing cancels. The integral of
    // each Bernstein polynomial of degree n is 1 / (n + 1).
    let mut coefficients = vec![1.0_f64];
    for other in (0..shares.len()).filter(|other| !without.contains(other)) {
        let (at_zero, at_one) = (shares[other], f64::from(u8::from(takes[other])));
        let degree = coefficients.len();
        let mut next = vec![0.0; degree + 1];
        for (power, coefficient) in coefficients.iter().enumerate() {
            // Degree elevation of a product with a line.
            let n = degree as f64;
            next[power] += coefficient * at_zero * (n - power as f64) / n;
            next[power + 1] += coefficient * at_one * (power as f64 + 1.0) / n;
        }
        coefficients = next;
    }
    coefficients.iter().sum::<f64>() / coefficients.len() as f64
}

fn closed_form(shares: &[f64], takes: &[bool]) -> Vec<f64> {
    let value = |column| gain(shares, takes, column) * integral(shares, takes, &[column]);
    (0..shares.len()).map(value).collect()
}

/// Few rows, and many, go through a tree in different ways.
const NUMBERS_OF_ROWS: [usize; 2] = [1, 9];

/// Rows that take some of the edges of a chain.
fn rows(takes: &[bool], n_rows: usize) -> Features {
    let columns = takes.iter().enumerate().map(|(column, takes)| {
        let value = if *takes { -1.0 } else { 1.0 };
        Column::numeric(format!("x{column}"), vec![value; n_rows]).expect("finite")
    });
    Features::new(columns.collect()).expect("rows")
}

#[test]
fn a_chain_of_many_variables_has_the_values_of_its_closed_form() {
    let mut numbers = Numbers(93);
    for depth in [1, 2, 3, 7, 24, 25, 40, 100, 250] {
        let shares: Vec<f64> = (0..depth).map(|_| 0.3 + 0.69 * numbers.unit()).collect();
        let (forest, data) = chain(&shares);
        for n_left in [0, 1, 2, depth / 2] {
            // The row leaves at some of the nodes.
            let mut takes = vec![true; depth];
            (0..n_left).for_each(|_| takes[numbers.below(depth as u32) as usize] = false);
            let found = NUMBERS_OF_ROWS.map(|n_rows| {
                let (rows, id) = (rows(&takes, n_rows), ExplanationId::TreeShap);
                explain((&forest, &data), Rows::Other(&rows), id, (false, 1))
            });
            let expected = closed_form(&shares, &takes);
            let reach: f64 = shares.iter().product();
            let base = found[0].1.as_ref().expect("one");
            assert!((base[0] - reach).abs() < 1e-15);
            let largest = expected.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
            let found = found.iter().flat_map(|(found, _)| &found[0]);
            for (found, expected) in found.zip(expected.iter().chain(&expected)) {
                let gap = (found - expected).abs();
                assert!(gap <= 1e-12 * largest, "depth {depth}: {found} is not {expected}");
            }
        }
    }
}

#[test]
fn a_chain_of_many_variables_has_the_interactions_of_its_closed_form() {
    let mut numbers = Numbers(94);
    for depth in [1, 2, 3, 7, 24, 40, 100] {
        let shares: Vec<f64> = (0..depth).map(|_| 0.3 + 0.69 * numbers.unit()).collect();
        let (forest, data) = chain(&shares);
        for n_left in [0, 1, 3] {
            let mut takes = vec![true; depth];
            (0..n_left).for_each(|_| takes[numbers.below(depth as u32) as usize] = false);
            let found = NUMBERS_OF_ROWS.map(|n_rows| {
                let (rows, id) = (rows(&takes, n_rows), ExplanationId::TreeShapInteractions);
                explain((&forest, &data), Rows::Other(&rows), id, (false, 1)).0
            });
            let mut expected = vec![0.0; depth * depth];
            for (column, value) in closed_form(&shares, &takes).into_iter().enumerate() {
                expected[column * depth + column] += value;
                for other in (0..depth).filter(|other| *other != column) {
                    let gains = gain(&shares, &takes, column) * gain(&shares, &takes, other);
                    let half = 0.5 * gains * integral(&shares, &takes, &[column, other]);
                    expected[column * depth + other] += half;
                    expected[column * depth + column] -= half;
                }
            }
            let largest = expected.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
            let found = found.iter().flat_map(|found| &found[0]);
            for (found, expected) in found.zip(expected.iter().chain(&expected)) {
                let gap = (found - expected).abs();
                assert!(gap <= 1e-11 * largest, "depth {depth}: {found} is not {expected}");
            }
        }
    }
}

/// Values of a tree of depth 3000 take no memory that grows with its square, and no stack.
#[test]
fn very_deep_trees_are_explained() {
    let shares = vec![0.999; 3000];
    let (forest, data) = chain(&shares);
    for n_rows in NUMBERS_OF_ROWS {
        let (rows, id) = (rows(&vec![true; 3000], n_rows), ExplanationId::TreeShap);
        let (found, base) = explain((&forest, &data), Rows::Other(&rows), id, (false, 2));
        // All variables are alike.
        let (first, base) = (found[0][0], base.expect("one")[0]);
        assert!((first - (1.0 - base) / 3000.0).abs() < 1e-13, "{first}");
        assert!(found[0].iter().all(|value| (value - first).abs() < 1e-13));
    }
}

/// A tree of depth 40 that splits on six variables again and again, against the definition.
#[test]
fn variables_may_be_asked_about_again_and_again() {
    let mut numbers = Numbers(95);
    let (depth, n_columns) = (40, 6);
    let n_nodes = 2 * depth + 1;
    let (mut feature, mut threshold) = (vec![-1; n_nodes], vec![None; n_nodes]);
    let (mut left, mut right) = (vec![-1; n_nodes], vec![-1; n_nodes]);
    let mut weight = vec![1.0; n_nodes];
    let value: Vec<f64> = (0..n_nodes).map(|_| numbers.unit()).collect();
    for level in 0..depth {
        let node = 2 * level;
        // The child that goes on is to the left or to the right, and the range becomes smaller.
        let (goes_on, bound) = (numbers.below(2), 1.0 - level as f64 / depth as f64);
        feature[node] = numbers.below(n_columns) as i32;
        threshold[node] = Some(if goes_on == 0 { bound } else { -bound });
        let children = [node as i32 + 2, node as i32 + 1];
        left[node] = children[goes_on as usize];
        right[node] = children[1 - goes_on as usize];
        let share = 0.5 + 0.49 * numbers.unit();
        weight[node + 1] = weight[node] * (1.0 - share);
        weight[node + 2] = weight[node] * share;
    }
    let names: Vec<String> = (0..n_columns).map(|column| format!("x{column}")).collect();
    let document = json!({
        "format": "wald-forest", "version": 1, "task": "regression", "features": names,
        "classes": null, "aggregation": "mean",
        "trees": [{
            "feature": feature, "threshold": threshold, "left": left, "right": right,
            "value": value, "weight": weight, "impurity": vec![0.0; n_nodes],
        }],
    });
    let mut drawn = || (0..30).map(|_| 2.0 * numbers.unit().powi(3) - 0.5).collect();
    let columns = names.iter().map(|name| Column::numeric(name.as_str(), drawn()).expect("finite"));
    let columns: Vec<Column> = columns.collect();
    let target = Target::regression("y", vec![0.0; 30]).expect("finite");
    let data = Dataset::new(columns, target).expect("consistent");
    let forest = read_json(&document, Some(&data)).expect("a forest");
    for id in [ExplanationId::TreeShap, ExplanationId::TreeShapInteractions] {
        let (many, _) = explain((&forest, &data), Rows::Training, id, (false, 1));
        for (row, found) in many.iter().enumerate() {
            let columns = data.features().columns().iter();
            let one = columns.map(|column| column.select(&[row as u32])).collect();
            let one = Features::new(one).expect("a row");
            let (few, _) = explain((&forest, &data), Rows::Other(&one), id, (false, 1));
            let of_tree = if id == ExplanationId::TreeShap { brute_force } else { interactions };
            let expected = of_tree(&data, &forest.trees()[0], row);
            for ((found, few), expected) in found.iter().zip(&few[0]).zip(&expected) {
                assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
                assert!((few - expected).abs() < 1e-12, "{few} is not {expected}");
            }
        }
    }
}
