//! First-order and closed Sobol indices, against literal projections of single trees, against designs
//! whose indices are known, and against the estimator by nearest neighbours of Broto, Bachoc & Depecker
//! (2020) on the same rows.

use wald::data::{Column, ColumnData, Target};
use wald::forest::Splitting;
use wald::measure::MeasureSettings;
use wald::{Dataset, Forest, ForestConfig, Importance, MeasureId};

use crate::shapley_effects::normals;
use crate::sobol_mda::projected;
use crate::support::{
    Shape, assert_close, dataset, grow, levels_only, n_that_count, response, try_measure, weight,
};

fn measure(data: &Dataset, forest: &Forest, n_threads: usize) -> Importance {
    let settings = MeasureSettings::default();
    try_measure((data, forest), MeasureId::SobolFirst, settings, n_threads).expect("applies")
}

/// The mean response of the table.
pub(crate) fn mean(data: &Dataset) -> Vec<f64> {
    let total: f64 = (0..data.n_rows()).map(|row| weight(data, row)).sum();
    let mean = |output: usize| {
        let term = |row| weight(data, row) * response(data, row)[output];
        (0..data.n_rows()).map(term).sum::<f64>() / total
    };
    (0..response(data, 0).len()).map(mean).collect()
}

/// The weighted product of a row's response and a value, both less the mean.
fn product(data: &Dataset, mean: &[f64], row: usize, value: &[f64]) -> f64 {
    let truth = response(data, row);
    let terms = truth.iter().zip(value).zip(mean);
    weight(data, row) * terms.map(|((y, value), mean)| (y - mean) * (value - mean)).sum::<f64>()
}

/// Of the response, divisor n - 1.
pub(crate) fn variance(data: &Dataset) -> f64 {
    let (n, mean) = (data.n_rows(), mean(data));
    let total: f64 = (0..n).map(|row| weight(data, row)).sum();
    let squares: f64 = (0..n).map(|row| product(data, &mean, row, &response(data, row))).sum();
    let n = n_that_count(data);
    squares / total * n / (n - 1.0)
}

/// The mean over trees of the covariance of response and projected prediction over out-of-bag rows, as a
/// share of the variance of the response; and how often a cell was empty.
pub(crate) fn literal(data: &Dataset, forest: &Forest, inside: &[u32]) -> (f64, usize) {
    let outside: Vec<u32> =
        (0..data.n_features() as u32).filter(|column| !inside.contains(column)).collect();
    let (n, mean) = (data.n_rows(), mean(data));
    let (mut shares, mut n_empty) = (Vec::new(), 0);
    for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("own bags")) {
        let (mut sum, mut mass) = (0.0, 0.0);
        for row in (0..n).filter(|&row| bag.counts()[row] == 0) {
            let (value, was_empty) = projected(data, (tree, bag), &outside, row);
            n_empty += usize::from(was_empty);
            sum += product(data, &mean, row, &value);
            mass += weight(data, row);
        }
        shares.push(sum / mass);
    }
    (shares.iter().sum::<f64>() / shares.len() as f64 / variance(data), n_empty)
}

#[test]
fn equals_literal_projections() {
    let mut n_empty = 0;
    for n_classes in [0, 2, 3] {
        for (missing, weights, n_rows) in
            [(false, false, 60), (true, true, 110), (false, true, 190)]
        {
            let shape = Shape { n_rows, n_classes, missing, weights, seed: 5 };
            let variants = [
                (dataset(shape), Splitting::Best, Some(2)),
                (dataset(shape), Splitting::RandomThreshold, Some(1)),
                (levels_only(shape), Splitting::Multiway, None),
            ];
            for (data, splitting, mtry) in variants {
                let config = ForestConfig {
                    n_trees: 5,
                    splitting,
                    mtry,
                    min_node_size: Some(1),
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
    assert!(n_empty > 100, "cells are empty often enough: {n_empty}");
}

#[test]
fn groups_have_closed_indices() {
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
        let found = measure(&data, &forest, 2);
        for (group, columns) in [&[0, 5][..], &[1, 3, 4], &[2]].into_iter().enumerate() {
            let (expected, _) = literal(&data, &forest, columns);
            assert_close(found.values[group].expect("defined"), expected, "a group");
        }
    }
}

#[test]
fn threads_change_no_bit() {
    let shape = Shape { n_rows: 200, n_classes: 3, missing: true, weights: true, seed: 3 };
    let data = dataset(shape);
    let forest = grow(&data, &ForestConfig { n_trees: 9, ..ForestConfig::default() });
    assert_eq!(measure(&data, &forest, 1), measure(&data, &forest, 3));
}

/// y = a + b + a c of normal a, b (correlation .6) and c, and a column without influence.
pub(crate) fn dependent(n: usize) -> Dataset {
    let draws: Vec<Vec<f64>> = (1..=4).map(|seed| normals(n, seed)).collect();
    let (a, c) = (&draws[0], &draws[2]);
    let b: Vec<f64> = a.iter().zip(&draws[1]).map(|(a, own)| 0.6 * a + 0.8 * own).collect();
    let y = (0..n).map(|row| a[row] + b[row] + a[row] * c[row]).collect();
    let columns = [("a", a.clone()), ("b", b), ("c", c.clone()), ("none", draws[3].clone())];
    let columns = columns.map(|(name, values)| Column::numeric(name, values).expect("numbers"));
    let target = Target::regression("y", y).expect("numbers");
    Dataset::new(columns.to_vec(), target).expect("a table")
}

/// Of the variance 4.2, a alone explains that of 1.6 a and so does b, c nothing; a and b together explain
/// 3.2, and a and c explain 1.6² + 1. Single variables are estimated without bias, groups are too small
/// by a few hundredths; the bands hold three standard errors over rows.
#[test]
fn known_indices_of_dependent_variables_are_found() {
    let data = dependent(4000);
    let forest = grow(&data, &ForestConfig { n_trees: 100, ..ForestConfig::default() });
    let of = |data: &Dataset| measure(data, &forest, 2).values;
    let alone = of(&data);
    for (value, truth) in alone.iter().zip([2.56, 2.56, 0.0, 0.0]) {
        let value = value.expect("defined");
        assert!((value - truth / 4.2).abs() < 0.03, "{value} {truth} {alone:?}");
    }
    for (members, truth) in [(["a", "b"], 3.2), (["a", "c"], 3.56)] {
        let members = members.map(str::to_owned).to_vec();
        let grouped = data.clone().with_groups(&[("g".to_owned(), members)]).expect("columns");
        let value = of(&grouped)[0].expect("defined");
        assert!((value - truth / 4.2).abs() < 0.06, "{value} {truth}");
    }
}

/// The mean product of a row's response with that of the nearest other row in the column, less the square of the
/// mean, as a share of the variance.
fn by_nearest_neighbours(data: &Dataset, column: usize) -> f64 {
    let ColumnData::Numeric(values) = data.features().columns()[column].data() else {
        panic!("a number")
    };
    let n = data.n_rows();
    let y: Vec<f64> = (0..n).map(|row| response(data, row)[0]).collect();
    let mean = y.iter().sum::<f64>() / n as f64;
    let variance = y.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / (n as f64 - 1.0);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let nearest = |place: usize| {
        let at = |place: usize| values[order[place]];
        let left = place.checked_sub(1).map(|left| (at(place) - at(left), order[left]));
        let right = (place + 1 < n).then(|| (at(place + 1) - at(place), order[place + 1]));
        [left, right].into_iter().flatten().min_by(|a, b| a.0.total_cmp(&b.0)).expect("two rows").1
    };
    let product = |place: usize| (y[order[place]] - mean) * (y[nearest(place)] - mean);
    (0..n).map(product).sum::<f64>() / n as f64 / variance
}

/// Both estimate the same number from the same rows; that of neighbours scatters by about .03 here.
#[test]
fn agrees_with_nearest_neighbours() {
    let data = dependent(3000);
    let forest = grow(&data, &ForestConfig { n_trees: 100, ..ForestConfig::default() });
    let found = measure(&data, &forest, 2);
    for column in 0..4 {
        let (value, other) =
            (found.values[column].expect("defined"), by_nearest_neighbours(&data, column));
        assert!((value - other).abs() < 0.1, "column {column}: {value} {other}");
    }
}
