//! Growing again without a variable, against forests grown on tables that lack it.

use std::borrow::Cow;

use wald::data::Column;
use wald::forest::{Keep, Sampling, Splitting};
use wald::measure::MeasureSettings;
use wald::pass::OutOfBag;
use wald::{Dataset, Error, Forest, ForestConfig, Importance, Measure, MeasureId, Run, Threads};

use crate::random_split::variance;
use crate::support::{Shape, assert_close, dataset, grow, levels_only, response, weight};

fn measured(data: &Dataset, config: &ForestConfig) -> (Importance, OutOfBag) {
    let id = MeasureId::TotalSobolRetrain;
    let measure = Measure::new(id, MeasureSettings::default()).expect("valid");
    let run = &Run::on(Threads::new(2).expect("two threads"));
    let grown = Forest::grow_and_measure(data, config, &[measure], Keep::Nothing, run);
    let mut measured = grown.expect("applies").measured;
    (measured.importances.remove(0), measured.out_of_bag)
}

/// Weighted mean of the squared error over all rows; rows never out of bag count as without error.
fn error(data: &Dataset, predict: impl Fn(usize) -> Option<Vec<f64>>) -> f64 {
    let of_row = |row: usize| {
        let truth = response(data, row);
        let squares =
            |p: Vec<f64>| -> f64 { truth.iter().zip(p).map(|(y, p)| (y - p).powi(2)).sum() };
        weight(data, row) * predict(row).map_or(0.0, squares)
    };
    let total: f64 = (0..data.n_rows()).map(|row| weight(data, row)).sum();
    (0..data.n_rows()).map(of_row).sum::<f64>() / total
}

/// The same table with some of the columns.
pub fn narrowed(data: &Dataset, kept: &[usize]) -> Dataset {
    let all = data.features().columns();
    let columns: Vec<Column> = kept.iter().map(|&column| all[column].clone()).collect();
    let narrow = Dataset::new(columns, data.target().clone()).expect("consistent");
    match data.weights() {
        Some(weights) => narrow.with_weights(weights.to_vec()).expect("valid weights"),
        None => narrow,
    }
}

#[test]
fn growing_again_equals_growing_on_a_table_without_the_variable() {
    for n_classes in [0, 2, 3] {
        for (missing, weights) in [(false, false), (true, true)] {
            let shape = Shape { n_rows: 120, n_classes, missing, weights, seed: 21 };
            let plain = dataset(shape);
            let members = ["two", "few"].map(str::to_owned).to_vec();
            let grouped = plain.clone().with_groups(&[("both".to_owned(), members)]);
            for data in [plain, grouped.expect("columns of the table")] {
                for (mtry, sampling, subspace) in [
                    (2, Sampling::Bootstrap, None),
                    (6, Sampling::Subsample, None),
                    (3, Sampling::Bootstrap, Some(5)),
                ] {
                    let config = ForestConfig {
                        n_trees: 6,
                        mtry: Some(mtry),
                        sampling,
                        subspace,
                        seed: 3,
                        ..ForestConfig::default()
                    };
                    let (found, out_of_bag) = measured(&data, &config);
                    let base = error(&data, |row| out_of_bag.prediction(row));
                    for (group, members) in data.groups().members().iter().enumerate() {
                        let kept: Vec<usize> = (0..data.n_features())
                            .filter(|&column| !members.contains(&(column as u32)))
                            .collect();
                        let config = ForestConfig {
                            mtry: Some(mtry.min(kept.len())),
                            subspace: subspace.map(|n| n.min(kept.len())),
                            ..config.clone()
                        };
                        // Bags depend on the seed and the number of rows alone, and columns keep
                        // their order among each other: these are the trees in question.
                        let (_, without) = measured(&narrowed(&data, &kept), &config);
                        let expected =
                            (error(&data, |row| without.prediction(row)) - base) / variance(&data);
                        let value = found.values[group].expect("defined");
                        assert_close(value, expected, &format!("{shape:?} {mtry} {group}"));
                        assert!(out_of_bag.n_trees(0) == without.n_trees(0), "the same bags");
                    }
                    assert_eq!(
                        found.standard_errors.as_ref().map(Vec::len),
                        Some(found.values.len())
                    );
                }
            }
        }
    }
}

/// Where nothing is left, the tree predicts the mean of its bag.
#[test]
fn without_any_variable_trees_are_their_roots() {
    for n_classes in [0, 3] {
        let shape = Shape { n_rows: 60, n_classes, missing: true, weights: true, seed: 2 };
        let data = narrowed(&dataset(shape), &[0]);
        let config = ForestConfig { n_trees: 5, ..ForestConfig::default() };
        let (found, out_of_bag) = measured(&data, &config);
        let forest = grow(&data, &config);
        let mean = |row: usize| -> Option<Vec<f64>> {
            let trees = forest.trees().iter().zip(forest.bags().expect("own bags"));
            let roots: Vec<Cow<'_, [f64]>> = trees
                .filter(|(_, bag)| bag.counts()[row] == 0)
                .map(|(tree, _)| tree.value(0))
                .collect();
            (!roots.is_empty()).then(|| {
                (0..roots[0].len())
                    .map(|k| roots.iter().map(|root| root[k]).sum::<f64>() / roots.len() as f64)
                    .collect()
            })
        };
        let base = error(&data, |row| out_of_bag.prediction(row));
        let expected = (error(&data, mean) - base) / variance(&data);
        assert_close(found.values[0].expect("defined"), expected, "one column");
    }
}

/// Standard errors are honest: they are the spread of values over seeds.
#[test]
fn standard_errors_tell_the_spread_over_seeds() {
    let shape = Shape { n_rows: 100, n_classes: 0, missing: false, weights: false, seed: 4 };
    let data = dataset(shape);
    let runs: Vec<Importance> = (0..40)
        .map(|seed| {
            let config = ForestConfig { n_trees: 60, seed, ..ForestConfig::default() };
            measured(&data, &config).0
        })
        .collect();
    for column in [0, 1, 5] {
        let values: Vec<f64> =
            runs.iter().map(|run| run.values[column].expect("defined")).collect();
        let mean = values.iter().sum::<f64>() / 40.0;
        let spread = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 39.0).sqrt();
        let errors = runs.iter().map(|run| {
            run.standard_errors.as_ref().expect("many trees")[column].expect("defined").powi(2)
        });
        let stated = (errors.sum::<f64>() / 40.0).sqrt();
        // The relative error of a standard deviation of 40 values is .11.
        assert!((0.67..1.5).contains(&(spread / stated)), "{column}: {spread} {stated}");
    }
}

#[test]
fn other_ways_of_growing_and_foreign_forests() {
    let shape = Shape { n_rows: 80, n_classes: 2, missing: true, weights: false, seed: 9 };
    let run = &Run::on(Threads::new(2).expect("two threads"));
    let measure = || {
        let id = MeasureId::TotalSobolRetrain;
        Measure::new(id, MeasureSettings::default()).expect("valid")
    };
    for (data, splitting) in
        [(dataset(shape), Splitting::RandomThreshold), (levels_only(shape), Splitting::Multiway)]
    {
        let config = ForestConfig { n_trees: 10, splitting, ..ForestConfig::default() };
        let forest = grow(&data, &config);
        let stored = forest.measure(&data, &[measure()], run).expect("applies");
        assert_eq!(stored.importances[0], measured(&data, &config).0, "grown or stored");
        let largest = stored.importances[0].values.iter().flatten().fold(0.0_f64, |a, &b| a.max(b));
        assert!(largest > 0.01, "{splitting:?}: something matters");
    }
    // A file without the settings of its forest.
    let data = dataset(shape);
    let mut bytes = Vec::new();
    let own = grow(&data, &ForestConfig { n_trees: 3, ..ForestConfig::default() });
    own.to_json(&mut bytes).expect("written");
    let mut file: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
    assert!(file.as_object_mut().expect("an object").remove("config").is_some());
    let bytes = file.to_string();
    let foreign = Forest::from_json(bytes.as_bytes(), Some(&data), run);
    let foreign = foreign.expect("a forest");
    let refusal = foreign.measure(&data, &[measure()], run);
    assert!(
        matches!(&refusal, Err(Error::Measure { why, help, .. })
            if why.contains("how this one was grown") && help.contains("grow a forest")
                && help.contains("sobol_mda")),
        "{refusal:?}"
    );
}
