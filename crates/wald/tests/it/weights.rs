//! Weights of training rows, quantiles, outliers and prototypes: brute force from single trees.

use std::sync::Arc;

use serde_json::Value;
use wald::data::{Column, Response, Target};
use wald::forest::{Aggregation, Sampling, Splitting};
use wald::weights::{Centre, Rows};
use wald::words::percent;
use wald::work::scattered_rows;
use wald::{Dataset, Features, Fitted, Forest, ForestConfig, Run, Threads};

use crate::golden_case::{columns, floats, read_json, table};
use crate::support::{Shape, dataset, grow, in_bag_weight, leaf, levels_only, response, threads};

/// Data of all kinds, and forests on them.
fn cases() -> Vec<(Dataset, Forest)> {
    let config = ForestConfig { n_trees: 25, ..ForestConfig::default() };
    let subsample = ForestConfig { sampling: Sampling::Subsample, ..config.clone() };
    let few = ForestConfig { sample_fraction: Some(0.2), min_leaf_size: 4, ..config.clone() };
    let multiway =
        ForestConfig { splitting: Splitting::Multiway, max_depth: Some(2), ..config.clone() };
    let stratified = ForestConfig { stratify: true, ..config.clone() };
    let shape = Shape { n_rows: 90, n_classes: 0, missing: false, weights: false, seed: 3 };
    let classes = Shape { n_classes: 3, ..shape };
    let hard = Shape { missing: true, weights: true, ..shape };
    let clusters = (0..90).map(|row| row / 4).collect();
    let cases = [
        (dataset(shape), &config),
        (dataset(classes), &config),
        (dataset(hard), &config),
        (dataset(Shape { missing: true, weights: true, ..classes }), &subsample),
        (dataset(Shape { missing: true, ..shape }), &few),
        (levels_only(Shape { missing: true, ..classes }), &multiway),
        (dataset(classes), &stratified),
        (dataset(hard).with_clusters(clusters).expect("a cluster per row"), &config),
    ];
    cases
        .into_iter()
        .map(|(data, config)| (grow(&data, config), data))
        .map(|(f, d)| (d, f))
        .collect()
}

fn fitted((data, forest): &(Dataset, Forest)) -> Fitted {
    Fitted::new(forest.clone(), data.clone(), &Run::on(threads())).expect("its data")
}

/// The weights of all training rows for all rows, from the definition: rows of a table, or the
/// training rows by the trees that did not see them.
fn literal(case: &(Dataset, Forest), out_of_bag: bool) -> Vec<Vec<f64>> {
    means(case, out_of_bag, |weights| {
        let total: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= total);
    })
}

/// The shares of the trees that did not see a row in which another one was drawn and is in its leaf.
fn meetings(case: &(Dataset, Forest)) -> Vec<Vec<f64>> {
    means(case, true, |weights| {
        weights.iter_mut().for_each(|weight| *weight = weight.min(1.0).ceil());
    })
}

/// By row, the means over trees of what `of_leaf` makes of the weights that the rows of its leaf have in the
/// bag, which are 0 for all other rows.
fn means(
    (data, forest): &(Dataset, Forest),
    out_of_bag: bool,
    of_leaf: impl Fn(&mut [f64]),
) -> Vec<Vec<f64>> {
    let n = data.n_rows();
    let mut matrix = vec![vec![0.0; n]; n];
    let mut n_trees = vec![0.0; n];
    for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("bags")) {
        let leaves: Vec<usize> = (0..n).map(|row| leaf(data, tree, row, None)).collect();
        for i in (0..n).filter(|&i| !out_of_bag || bag.counts()[i] == 0) {
            let weight = |j: usize| {
                if leaves[j] == leaves[i] { in_bag_weight(data, bag, j) } else { 0.0 }
            };
            let mut weights: Vec<f64> = (0..n).map(weight).collect();
            of_leaf(&mut weights);
            n_trees[i] += 1.0;
            matrix[i].iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
        }
    }
    for (row, n_trees) in matrix.iter_mut().zip(n_trees) {
        row.iter_mut().for_each(|weight| *weight /= n_trees);
    }
    matrix
}

/// The weights that wald computes, of so many training rows.
fn found(fitted: &Fitted, rows: Rows<'_>, threads: usize) -> Vec<Vec<f64>> {
    let run = &Run::on(Threads::new(threads).expect("few"));
    let mut matrix = Vec::new();
    let weights = fitted.weights(run).expect("bags are known");
    let n = fitted.data().n_rows();
    weights
        .each(rows, run, |row, others, weights| {
            assert_eq!((row, others.len()), (matrix.len(), weights.len()));
            assert!(others.is_sorted_by(|a, b| a < b) && weights.iter().all(|w| *w > 0.0));
            let mut dense = vec![if others.is_empty() { f64::NAN } else { 0.0 }; n];
            others.iter().zip(weights).for_each(|(&other, &weight)| dense[other as usize] = weight);
            matrix.push(dense);
        })
        .expect("not cancelled");
    matrix
}

/// The mean of the responses by weights.
fn mean(data: &Dataset, weights: &[f64]) -> Vec<f64> {
    let responses: Vec<Vec<f64>> = (0..data.n_rows()).map(|row| response(data, row)).collect();
    let of = |output: usize| weights.iter().zip(&responses).map(|(w, y)| w * y[output]).sum();
    (0..data.target().n_outputs()).map(of).collect()
}

fn assert_near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let tolerance = 1e-12 * expected.abs().max(1.0);
        let is_near = (found - expected).abs() <= tolerance || found.is_nan() && expected.is_nan();
        assert!(is_near, "{found} is not {expected}");
    }
}

#[test]
fn weights_are_shares_of_leaves_and_their_means_are_predictions() {
    for case in cases() {
        let (data, forest) = &case;
        let fitted = fitted(&case);
        let out_of_bag = found(&fitted, Rows::OutOfBag, 2);
        let run = &Run::on(threads());
        let errors = fitted.measure(&[], run).expect("no measure").out_of_bag;
        for (row, (found, expected)) in out_of_bag.iter().zip(literal(&case, true)).enumerate() {
            assert_near(found, &expected);
            match errors.prediction(row) {
                Some(prediction) => assert_near(&mean(data, found), &prediction),
                None => assert!(found[0].is_nan()),
            }
        }
        let all = found(&fitted, Rows::Of(data.features()), 2);
        let predictions = forest.predict(data.features(), run).expect("its columns");
        let predictions = predictions.chunks(data.target().n_outputs());
        for ((found, expected), prediction) in
            all.iter().zip(literal(&case, false)).zip(predictions)
        {
            assert_near(found, &expected);
            assert_near(&mean(data, found), prediction);
        }
    }
}

#[test]
fn weights_have_the_same_bits_on_any_number_of_threads() {
    let case = &cases()[2];
    let bits = |threads| {
        let matrix = found(&fitted(case), Rows::OutOfBag, threads).concat();
        matrix.into_iter().map(f64::to_bits).collect::<Vec<_>>()
    };
    assert_eq!(bits(1), bits(3));
}

/// The smallest response of which the weights of responses that are not larger sum to a level.
fn literal_quantile(responses: &[f64], weights: &[f64], level: f64) -> f64 {
    let mut sorted = responses.to_vec();
    sorted.sort_by(f64::total_cmp);
    let below = |y: f64| -> f64 {
        responses.iter().zip(weights).filter(|(other, _)| **other <= y).map(|(_, w)| w).sum()
    };
    let with_weight = |y: &f64| responses.iter().zip(weights).any(|(o, w)| o == y && *w > 0.0);
    let mut possible = sorted.into_iter().filter(with_weight);
    possible.find(|y| below(*y) >= level - 1e-12).unwrap_or(f64::NAN)
}

#[test]
fn quantiles_are_those_of_the_weights() {
    for case in cases() {
        let (data, _) = &case;
        let Response::Regression(values) = data.target().response() else {
            assert!(fitted(&case).quantiles(&Run::all()).is_err(), "classes have no quantiles");
            continue;
        };
        let run = &Run::on(threads());
        let quantiles = fitted(&case).quantiles(run).expect("numbers");
        let levels = [0.5, 0.05, 0.25, 0.0, 1.0, 0.95];
        for (rows, out_of_bag) in [(Rows::OutOfBag, true), (Rows::Of(data.features()), false)] {
            let found = quantiles.predict(rows, &levels, run).expect("valid levels");
            for (found, weights) in found.chunks(levels.len()).zip(literal(&case, out_of_bag)) {
                let literal = |level: &f64| literal_quantile(values, &weights, *level);
                assert_eq!(
                    found.iter().map(|value| value.to_bits()).collect::<Vec<_>>(),
                    levels.iter().map(|level| literal(level).to_bits()).collect::<Vec<_>>()
                );
            }
        }
        for wrong in [&[][..], &[1.5], &[-0.1], &[f64::NAN]] {
            assert!(quantiles.predict(Rows::OutOfBag, wrong, run).is_err(), "{wrong:?}");
        }
    }
}

#[test]
fn coverage_is_that_of_scattered_rows_out_of_bag() {
    let n_rows = 900;
    let x: Vec<f64> = (0..n_rows).map(|row| f64::from(row * 37 % n_rows)).collect();
    let y: Vec<f64> = (0..n_rows).map(|row| f64::from(row * row * 31 % 997)).collect();
    let columns = vec![Column::numeric("x", x).expect("numbers")];
    let target = Target::regression("y", y.clone()).expect("finite");
    let data = Dataset::new(columns, target).expect("consistent");
    let forest = grow(&data, &ForestConfig { n_trees: 40, ..ForestConfig::default() });
    let run = &Run::on(threads());
    let quantiles = fitted(&(data, forest)).quantiles(run).expect("numbers");
    let found = quantiles.predict(Rows::OutOfBag, &[0.1, 0.9], run).expect("valid levels");
    let rows = scattered_rows(n_rows as usize, 500);
    let is_inside = |&&row: &&u32| {
        let row = row as usize;
        (found[2 * row]..=found[2 * row + 1]).contains(&y[row])
    };
    let share = rows.iter().filter(is_inside).count() as f64 / rows.len() as f64;
    let note =
        quantiles.note_on_coverage(&[0.9, 0.1], run).expect("not cancelled").expect("a note");
    let words = format!("of {} training rows, out of bag, {} lie", rows.len(), percent(share));
    assert!(note.contains(&words), "{note:?} {words}");
    assert_eq!(quantiles.note_on_coverage(&[0.5], run).expect("not cancelled"), None);
}

#[test]
fn adding_a_constant_moves_quantiles_by_it() {
    let case = &cases()[0];
    let Response::Regression(values) = case.0.target().response() else { panic!("numbers") };
    let moved: Vec<f64> = values.iter().map(|value| value + 1e8).collect();
    let target = Target::regression("y", moved).expect("finite");
    let data = Dataset::new(case.0.features().columns().to_vec(), target).expect("consistent");
    let other = (data.clone(), grow(&data, case.1.config().expect("grown here")));
    let run = &Run::on(threads());
    let of = |case: &(Dataset, Forest)| {
        let quantiles = fitted(case).quantiles(run).expect("numbers");
        quantiles.predict(Rows::OutOfBag, &[0.1, 0.9], run).expect("valid levels")
    };
    for (one, other) in of(case).iter().zip(of(&other)) {
        assert!((one + 1e8 - other).abs() < 1e-6, "{one} {other}");
    }
}

#[test]
fn forests_without_weights_are_refused() {
    let (data, forest) = cases().swap_remove(0);
    let run = &Run::on(threads());
    let refused = |document: &Value| {
        let forest = read_json(document, Some(&data)).expect("a forest");
        let fitted = Fitted::new(forest, data.clone(), run).expect("its data");
        fitted.weights(run).expect_err("no weights").to_string()
    };
    let mut bytes = Vec::new();
    forest.to_json(&mut bytes).expect("written");
    let mut document: Value = serde_json::from_slice(&bytes).expect("JSON");
    for tree in document["trees"].as_array_mut().expect("trees") {
        tree.as_object_mut().expect("a tree").remove("in_bag");
    }
    assert!(refused(&document).contains("bags"));
    document["aggregation"] = serde_json::to_value(Aggregation::Sum).expect("a word");
    assert!(refused(&document).contains("summed"));
    let other = Features::new(data.features().columns()[1..].to_vec()).expect("columns");
    let weights = fitted(&(data, forest)).weights(run).expect("bags are known");
    assert!(weights.each(Rows::Of(&other), run, |_, _, _| ()).is_err(), "a column is missing");
}

/// What other programs compute from forests of scikit-learn (`fixtures/make_weights.py`).
struct Peers {
    file: Value,
    run: Run,
}

impl Peers {
    fn read() -> Self {
        let path = format!("{}/tests/fixtures/weights.json", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).expect("the fixture is there");
        Self { file: serde_json::from_slice(&bytes).expect("JSON"), run: Run::on(threads()) }
    }

    fn fitted(&self, forest: &str, target: Target) -> Fitted {
        let data = Dataset::new(columns(&self.file["X"]), target).expect("consistent");
        let forest = read_json(&self.file[forest], Some(&data)).expect("a forest");
        Fitted::new(forest, data, &self.run).expect("its data")
    }

    fn numbers(&self) -> Fitted {
        let y = Target::regression("y", floats(&self.file["y"])).expect("finite");
        self.fitted("numbers", y)
    }

    fn terciles(&self) -> Fitted {
        let codes = serde_json::from_value(self.file["classes"].clone()).expect("codes");
        let names = ["low", "middle", "high"].map(str::to_owned).to_vec();
        self.fitted("terciles", Target::classification("y", names, codes).expect("valid codes"))
    }
}

#[test]
fn quantiles_are_those_of_quantile_forest() {
    let peers = Peers::read();
    let fitted = peers.numbers();
    let quantiles = fitted.quantiles(&peers.run).expect("numbers");
    let kept = fitted.quantiles(&peers.run).expect("numbers");
    assert!(Arc::ptr_eq(&quantiles, &kept), "leaves are filled once");
    let levels = floats(&peers.file["levels"]);
    let features = fitted.data().features();
    for (key, rows) in [("out_of_bag", Rows::OutOfBag), ("all", Rows::Of(features))] {
        let found = quantiles.predict(rows, &levels, &peers.run).expect("valid levels");
        let expected = peers.file[key].as_array().expect("rows");
        for expected in expected {
            let row = expected["row"].as_u64().expect("a number") as usize;
            let found = &found[row * levels.len()..(row + 1) * levels.len()];
            assert_eq!(found, floats(&expected["values"]), "{key} {row}");
        }
        assert_eq!(expected.len(), 20);
    }
}

#[test]
fn outliers_and_prototypes_are_those_of_random_forest() {
    let peers = Peers::read();
    let weights = peers.terciles().weights(&peers.run).expect("bags are known");
    let expected = &peers.file["of_classes"];
    let scores = weights.outliers(&peers.run).expect("not cancelled");
    for (found, expected) in scores.iter().zip(floats(&expected["scores"])) {
        assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found} {expected}");
    }
    let n_neighbours = peers.file["neighbours"].as_u64().expect("a number") as usize;
    let found = weights.prototypes(Some(n_neighbours), &peers.run).expect("classes");
    let rows: Vec<u64> = found.iter().map(|found| u64::from(found.row)).collect();
    assert_eq!(serde_json::json!(rows), expected["rows"]);
    for (found, expected) in found.iter().zip(table(&expected["centres"])) {
        let median = |centre: &Centre| match centre {
            Centre::Number { lower, median, upper } if lower <= median && median <= upper => {
                *median
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(found.centre.iter().map(median).collect::<Vec<_>>(), expected, "{found:?}");
    }
    assert!(
        peers.numbers().weights(&peers.run).expect("bags").prototypes(None, &peers.run).is_err()
    );
}

#[test]
fn outliers_of_numbers_are_those_of_one_class() {
    let case = &cases()[2];
    let run = &Run::on(threads());
    let found = fitted(case).weights(run).expect("bags are known").outliers(run).expect("done");
    let sums = meetings(case).into_iter().map(|row| row.iter().map(|w| w * w).sum::<f64>());
    let raw: Vec<f64> = sums.map(|sum| 1.0 / sum).collect();
    let median = |values: &[f64]| {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
        sorted.sort_by(f64::total_cmp);
        let (half, is_odd) = (sorted.len() / 2, sorted.len() % 2 == 1);
        if is_odd { sorted[half] } else { f64::midpoint(sorted[half - 1], sorted[half]) }
    };
    let middle = median(&raw);
    let deviation = 1.4826 * median(&raw.iter().map(|r| (r - middle).abs()).collect::<Vec<_>>());
    let expected: Vec<f64> = raw.iter().map(|raw| (raw - middle) / deviation).collect();
    for (found, expected) in found.iter().zip(expected) {
        let is_near = (found - expected).abs() < 1e-9 * expected.abs().max(1.0);
        assert!(is_near || found.is_nan() && expected.is_nan(), "{found} {expected}");
    }
}

#[test]
fn rows_without_out_of_bag_trees_are_refused() {
    let data = dataset(Shape { n_rows: 30, n_classes: 0, missing: false, weights: false, seed: 5 });
    let config = ForestConfig { n_trees: 3, sampling: Sampling::All, ..ForestConfig::default() };
    let weights = fitted(&(data.clone(), grow(&data, &config))).weights(&Run::all());
    let weights = weights.expect("one target");
    let refused = weights.outliers(&Run::all()).expect_err("no tree leaves out a row").to_string();
    assert!(refused.starts_with("every tree has drawn all rows"), "{refused}");
    let refused = weights.each(Rows::OutOfBag, &Run::all(), |_, _, _| panic!("no row"));
    assert!(refused.is_err());
    let mut n_rows = 0;
    weights.each(Rows::Of(data.features()), &Run::all(), |_, _, _| n_rows += 1).expect("all trees");
    assert_eq!(n_rows, 30);
}
