//! Shapley values against background rows of trees whose paths split on many columns.

use serde_json::json;
use wald::data::{Column, Target};
use wald::explain::Rows;
use wald::{Dataset, Features, Forest};

use crate::golden_case::read_json;
use crate::interventional::{against, explain};
use crate::support::Numbers;

/// A tree that tests one column after another, whether it is at most 0. Rows that are go on,
/// others end; `leaves` are the predictions of the leaves, the last one that of rows that always
/// went on. A repeated split has the same answer.
fn chain(n_columns: usize, leaves: &[f64]) -> (Forest, Dataset) {
    let depth = leaves.len() - 1;
    let names: Vec<String> = (0..n_columns).map(|column| format!("x{column}")).collect();
    let n_nodes = 2 * depth + 1;
    let (mut feature, mut threshold) = (vec![-1; n_nodes], vec![None; n_nodes]);
    let (mut left, mut right) = (vec![-1; n_nodes], vec![-1; n_nodes]);
    let mut value = vec![0.0; n_nodes];
    for (level, leaf) in leaves.iter().enumerate().take(depth) {
        let node = 2 * level;
        feature[node] = (level % n_columns) as i32;
        threshold[node] = Some(0.0);
        left[node] = node as i32 + 2;
        right[node] = node as i32 + 1;
        value[node + 1] = *leaf;
    }
    value[n_nodes - 1] = leaves[depth];
    let document = json!({
        "format": "wald-forest", "version": 1, "task": "regression", "features": names,
        "classes": null, "aggregation": "sum",
        "trees": [{
            "feature": feature, "threshold": threshold, "left": left, "right": right,
            "value": value,
        }],
    });
    let columns =
        names.iter().map(|name| Column::numeric(name.as_str(), vec![-1.0, 1.0]).expect("finite"));
    let target = Target::regression("y", vec![0.0, 1.0]).expect("finite");
    let data = Dataset::new(columns.collect(), target).expect("consistent");
    (read_json(&document, None).expect("a forest"), data)
}

/// Rows by whether they go on at the questions about each column.
fn rows(of_rows: &[Vec<bool>]) -> Features {
    let column = |at: usize| {
        let values = of_rows.iter().map(|row| if row[at] { -1.0 } else { 1.0 }).collect();
        Column::numeric(format!("x{at}"), values).expect("finite")
    };
    Features::new((0..of_rows[0].len()).map(column).collect()).expect("a table")
}

/// Leaf by leaf: what the columns that the row satisfies alone, and those that the background row
/// satisfies alone, get of it.
fn expected(leaves: &[f64], row: &[bool], other: &[bool]) -> Vec<f64> {
    let n_columns = row.len();
    let mut values = vec![0.0; n_columns];
    for (level, leaf) in leaves.iter().enumerate() {
        let depth = leaves.len() - 1;
        // The columns on the way to the leaf, and whether it wants them to go on.
        let mut wanted = vec![None; n_columns];
        let mut is_reached = true;
        for above in 0..=level.min(depth - 1) {
            let goes_on = above < level;
            is_reached &= wanted[above % n_columns].is_none_or(|known| known == goes_on);
            wanted[above % n_columns] = Some(goes_on);
        }
        let satisfies =
            |row: &[bool], column: usize| wanted[column].is_none_or(|to| to == row[column]);
        let only = |one: &[bool], other: &[bool]| -> Vec<usize> {
            (0..n_columns).filter(|&at| satisfies(one, at) && !satisfies(other, at)).collect()
        };
        let nobody = (0..n_columns).any(|at| !satisfies(row, at) && !satisfies(other, at));
        if nobody || !is_reached {
            continue;
        }
        let (of_row, of_other) = (only(row, other), only(other, row));
        // One over the number of columns, times one over a binomial coefficient.
        let share = |n: usize, m: usize| {
            (1..=m).fold(1.0 / n as f64, |share, at| share * at as f64 / (n + at) as f64)
        };
        for &at in &of_row {
            values[at] += leaf * share(of_row.len(), of_other.len());
        }
        for &at in &of_other {
            values[at] -= leaf * share(of_other.len(), of_row.len());
        }
    }
    values
}

#[test]
fn chains_have_the_values_of_their_leaves() {
    let mut numbers = Numbers(193);
    let mut draw =
        |n: usize, share: f64| -> Vec<bool> { (0..n).map(|_| numbers.unit() < share).collect() };
    let mut values = Numbers(194);
    for (n_columns, depth) in [(1, 1), (2, 2), (5, 40), (40, 40), (70, 70), (100, 100), (200, 200)]
    {
        let leaves: Vec<f64> = (0..=depth).map(|_| values.unit() - 0.5).collect();
        let (forest, data) = chain(n_columns, &leaves);
        // Most go far.
        let share = 1.0 - 1.0 / n_columns as f64;
        let of_rows: Vec<Vec<bool>> = (0..6).map(|_| draw(n_columns, share)).collect();
        let others: Vec<Vec<bool>> = (0..150).map(|_| draw(n_columns, share)).collect();
        let table = rows(&of_rows);
        let settings = against(&rows(&others));
        let (found, _) = explain((&forest, &data), Rows::Other(&table), &settings, 1);
        for (row, found) in of_rows.iter().zip(&found) {
            let mut sums = vec![0.0; n_columns];
            for other in &others {
                let of_pair = expected(&leaves, row, other);
                sums.iter_mut().zip(of_pair).for_each(|(sum, value)| *sum += value / 150.0);
            }
            for (found, expected) in found.iter().zip(sums) {
                assert!((found - expected).abs() < 1e-13, "{n_columns}: {found} is not {expected}");
            }
        }
    }
}

/// A tree of depth 3000 takes no stack.
#[test]
fn very_deep_trees_are_explained() {
    let mut leaves = vec![0.0; 3001];
    leaves[3000] = 1.0;
    let (forest, data) = chain(3000, &leaves);
    let settings = against(&rows(&[vec![false; 3000]]));
    let table = rows(&[vec![true; 3000]]);
    let (found, base) = explain((&forest, &data), Rows::Other(&table), &settings, 2);
    assert_eq!(base, [0.0]);
    assert!(found[0].iter().all(|value| (value - 1.0 / 3000.0).abs() < 1e-15));
}
