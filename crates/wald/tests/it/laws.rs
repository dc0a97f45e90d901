//! What must hold whatever the data: the laws of `reliability`.

use std::collections::HashSet;

use wald::data::{Column, ColumnData, Response, Target};
use wald::forest::{Impurity, Keep, Node, Sampling};
use wald::measure::{MeasureSettings, Scale};
use wald::pass::{Errors, Measured};
use wald::{Dataset, Error, Forest, ForestConfig, Measure, MeasureId, Run, Threads};

use crate::support::{
    Numbers, Shape, all_measures_and_random, assert_close, dataset, grow, measure,
};

fn measured(data: &Dataset, config: &ForestConfig, threads: usize) -> Measured {
    let threads = Threads::new(threads).expect("sensible");
    Forest::grow_and_measure(
        data,
        config,
        &all_measures_and_random(data),
        Keep::Nothing,
        &Run::on(threads),
    )
    .expect("valid settings")
    .measured
}

fn mdi(data: &Dataset, forest: &Forest) -> Vec<Option<f64>> {
    measure(data, forest, MeasureId::Mdi, MeasureSettings::default()).values
}

/// All values, with their bits.
fn bits(measured: &Measured) -> Vec<Vec<u64>> {
    let values = |values: &[Option<f64>]| -> Vec<u64> {
        values.iter().map(|value| value.map_or(0, f64::to_bits)).collect()
    };
    measured.importances.iter().map(|importance| values(&importance.values)).collect()
}

const MIXED: Shape = Shape { n_rows: 200, n_classes: 0, missing: true, weights: true, seed: 21 };

fn config() -> ForestConfig {
    ForestConfig { n_trees: 15, ..ForestConfig::default() }
}

#[test]
fn equal_bits_for_any_number_of_threads_and_for_a_stored_forest() {
    for n_classes in [0, 2, 3] {
        let data = dataset(Shape { n_classes, ..MIXED });
        let one = measured(&data, &config(), 1);
        for threads in [2, 7, 16] {
            assert_eq!(one, measured(&data, &config(), threads), "{threads} threads");
        }
        let stored = grow(&data, &config());
        let threads = Threads::new(3).expect("sensible");
        let again = stored
            .measure(&data, &all_measures_and_random(&data), &Run::on(threads))
            .expect("applies");
        assert_eq!(one, again, "the forest measured after it was grown");
    }
}

#[test]
fn exchanging_and_renaming_columns_exchanges_importances_bit_for_bit() {
    let data = dataset(MIXED);
    let order = [4, 2, 5, 0, 3, 1];
    let renamed = |index: &usize| -> Column {
        let column = &data.features().columns()[*index];
        let name = format!("column {}", 9 - index);
        match column.data() {
            ColumnData::Numeric(values) => Column::numeric(name, values.to_vec()).expect("finite"),
            ColumnData::Categorical(categories) => {
                Column::categorical(name, categories.levels().to_vec(), categories.codes().to_vec())
                    .expect("valid")
            }
        }
    };
    let columns = order.iter().map(renamed).collect();
    let exchanged = Dataset::new(columns, data.target().clone())
        .and_then(|exchanged| exchanged.with_weights(data.weights().expect("weighted").to_vec()))
        .expect("consistent");
    let (one, two) =
        (bits(&measured(&data, &config(), 2)), bits(&measured(&exchanged, &config(), 2)));
    for (one, two) in one.iter().zip(&two) {
        let expected: Vec<u64> = order.iter().map(|&index| one[index]).collect();
        assert_eq!(two, &expected);
    }
}

fn with_target(data: &Dataset, change: impl Fn(f64) -> f64) -> Dataset {
    let Response::Regression(values) = data.target().response() else { panic!("regression") };
    let target = Target::regression("y", values.iter().map(|&value| change(value)).collect());
    Dataset::new(data.features().columns().to_vec(), target.expect("finite")).expect("consistent")
}

#[test]
fn scaling_the_target_by_a_power_of_two_is_exact() {
    let data = with_target(&dataset(MIXED), |y| y);
    let scaled = with_target(&data, |y| y * 64.0);
    let (one, two) = (measured(&data, &config(), 2), measured(&scaled, &config(), 2));
    for (one, two) in one.importances.iter().zip(&two.importances) {
        let factor = match MeasureId::parse(one.id).expect("known").info().scale {
            Scale::Loss => 4096.0,
            Scale::Prediction => 64.0,
            Scale::Invariant => 1.0,
        };
        for (one, two) in one.values.iter().zip(&two.values) {
            assert_eq!(one.map(|value| value * factor), *two);
        }
    }
}

#[test]
fn adding_a_constant_to_the_target_keeps_the_ranking() {
    let data = with_target(&dataset(MIXED), |y| y);
    let moved = with_target(&data, |y| y + 1e8);
    let (one, two) = (measured(&data, &config(), 2), measured(&moved, &config(), 2));
    for (one, two) in one.importances.iter().zip(&two.importances) {
        if one.id == "mdi_oob_uncentred" {
            // Eq. 14 of Li et al. depends on where the target has its zero, as documented by the
            // measure.
            assert_ne!(one.order(), two.order());
            continue;
        }
        assert_eq!(one.order(), two.order(), "{}", one.id);
        for (one, two) in one.values.iter().zip(&two.values) {
            let (one, two) = (one.expect("defined"), two.expect("defined"));
            assert!((one - two).abs() <= 1e-6 * one.abs().max(1.0), "{one} {two}");
        }
    }
}

#[test]
fn importances_sum_to_the_impurity_that_the_tree_removes() {
    for (n_classes, impurity) in
        [(0, Impurity::Variance), (2, Impurity::Gini), (3, Impurity::Gini), (3, Impurity::Entropy)]
    {
        let data = dataset(Shape { n_classes, ..MIXED });
        let config = ForestConfig { impurity: Some(impurity), ..config() };
        let forest = grow(&data, &config);
        let mut expected = 0.0;
        for tree in forest.trees() {
            let known = tree.statistics().expect("own trees");
            let leaves = (0..tree.n_nodes()).filter(|&node| tree.nodes()[node] == Node::Leaf);
            let rest: f64 = leaves
                .map(|leaf| known.weight(leaf) / known.weight(0) * known.impurity(leaf))
                .sum();
            expected += (known.impurity(0) - rest) / 15.0;
        }
        let sum: f64 = mdi(&data, &forest).iter().flatten().sum();
        assert_close(sum, expected, "sum of mdi");
        assert!(sum > 0.01);
    }
}

#[test]
fn seeds_share_no_tree() {
    let data = dataset(MIXED);
    let mut bags = HashSet::new();
    let mut trees = HashSet::new();
    let seeds = [0, 1, 2, 3, 1 << 24, 1 << 30, 1 << 63];
    for seed in seeds {
        let forest = grow(&data, &ForestConfig { seed, ..config() });
        for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("own bags")) {
            bags.insert(bag.counts().to_vec());
            trees.insert(format!("{:?}", tree.nodes()));
        }
    }
    assert_eq!(bags.len(), seeds.len() * 15);
    assert_eq!(trees.len(), seeds.len() * 15);
}

/// Deviations of importances from their mean over seeds are uncorrelated between
/// neighbouring seeds.
#[test]
fn neighbouring_seeds_are_independent() {
    let data = dataset(Shape { n_rows: 100, weights: false, ..MIXED });
    let n_seeds = 120;
    let values: Vec<Vec<f64>> = (0..n_seeds)
        .map(|seed| {
            let config = ForestConfig { seed, n_trees: 5, ..config() };
            let found = mdi(&data, &grow(&data, &config));
            found.iter().map(|value| value.expect("defined")).collect()
        })
        .collect();
    let (mut product, mut square) = (0.0, 0.0);
    for feature in [0, 1, 2, 4, 5] {
        let mean = values.iter().map(|row| row[feature]).sum::<f64>() / n_seeds as f64;
        let spread = values.iter().map(|row| (row[feature] - mean).powi(2)).sum::<f64>();
        for pair in values.windows(2) {
            product += (pair[0][feature] - mean) * (pair[1][feature] - mean) / spread;
        }
        square += 1.0;
    }
    let correlation = product / square;
    assert!(correlation.abs() < 0.15, "{correlation}");
}

#[test]
fn integer_weights_equal_repeated_rows() {
    // Grown on all rows to a fixed depth, only the weight of rows matters.
    let data = dataset(Shape { n_rows: 80, weights: false, ..MIXED });
    let mut numbers = Numbers(3);
    let counts: Vec<u32> = (0..80).map(|_| 1 + numbers.below(3)).collect();
    let weighted = data.clone().with_weights(counts.iter().map(|&c| f64::from(c)).collect());
    let rows: Vec<u32> =
        (0..80).flat_map(|row| std::iter::repeat_n(row, counts[row as usize] as usize)).collect();
    let Response::Regression(y) = data.target().response() else { panic!("regression") };
    let repeated = Dataset::new(
        data.features().columns().iter().map(|column| column.select(&rows)).collect(),
        Target::regression("y", rows.iter().map(|&row| y[row as usize]).collect()).expect("finite"),
    );
    let config = ForestConfig {
        n_trees: 3,
        mtry: Some(6),
        sampling: Sampling::All,
        min_node_size: Some(1),
        max_depth: Some(4),
        ..ForestConfig::default()
    };
    let predictions = |training: Result<Dataset, Error>| {
        let forest = grow(&training.expect("consistent"), &config);
        let threads = Threads::new(1).expect("one");
        forest.predict(data.features(), &Run::on(threads)).expect("aligned")
    };
    // Importances may differ: variables that tie are drawn in another order.
    let (one, two) = (predictions(weighted), predictions(repeated));
    for (one, two) in one.iter().zip(&two) {
        assert_close(*one, *two, "prediction");
    }
    assert!(one.iter().any(|value| *value != one[0]));
}

#[test]
fn clusters_stay_together_and_classes_are_balanced() {
    let data = dataset(Shape { n_rows: 90, n_classes: 3, ..MIXED });
    let clusters: Vec<u32> = (0..90).map(|row| row % 17 * 1000).collect();
    for sampling in [Sampling::Bootstrap, Sampling::Subsample] {
        let clustered = data.clone().with_clusters(clusters.clone()).expect("valid");
        let forest = grow(&clustered, &ForestConfig { sampling, ..config() });
        for bag in forest.bags().expect("own bags") {
            let counts = bag.counts();
            for row in 17..90 {
                assert_eq!(counts[row], counts[row % 17]);
            }
            assert!(counts.contains(&0));
        }
        let forest = grow(&data, &ForestConfig { sampling, stratify: true, ..config() });
        let Response::Classification(classes) = data.target().response() else { panic!("classes") };
        for bag in forest.bags().expect("own bags") {
            let mut draws = [0_u32; 3];
            for (row, &count) in bag.counts().iter().enumerate() {
                draws[classes.codes()[row] as usize] += u32::from(count);
            }
            assert!(draws[0] == draws[1] && draws[1] == draws[2], "{draws:?}");
        }
    }
}

#[test]
fn a_constant_target_gives_single_leaves_and_zero_importance() {
    let data = with_target(&dataset(MIXED), |_| 7.5);
    let found = measured(&data, &config(), 2);
    assert_eq!(found.mean_leaves, 1.0);
    for importance in found.importances.iter().filter(|importance| importance.id != "minimal_depth")
    {
        // There are no shares of nothing.
        let is_share = ["share of the variance", "share of the score"]
            .iter()
            .any(|share| importance.unit.starts_with(share));
        let expected = if is_share { None } else { Some(0.0) };
        assert!(importance.values.iter().all(|value| *value == expected), "{}", importance.id);
        let is_said = importance.notes.iter().any(|note| note.contains("constant"));
        assert_eq!(is_said, expected.is_none(), "{}", importance.id);
    }
    let Some(Errors::Regression { squared, explained_variance, .. }) = found.errors else {
        panic!("there are out-of-bag rows")
    };
    assert_eq!((squared, explained_variance), (0.0, None));
}

#[test]
fn measures_that_need_out_of_bag_rows_refuse_forests_without_them() {
    let data = dataset(MIXED);
    let config = ForestConfig { sampling: Sampling::All, ..config() };
    let mda = Measure::new(MeasureId::MdaBreimanCutler, MeasureSettings::default()).expect("valid");
    let threads = &Run::on(Threads::new(1).expect("one"));
    let refused = Forest::grow_and_measure(&data, &config, &[mda], Keep::Nothing, threads);
    let error = refused.expect_err("no row is out of bag");
    assert_eq!(
        error.to_string(),
        "measure `mda_breiman_cutler` needs out-of-bag rows, but every tree sees all rows"
    );
    assert_eq!(error.help(), "grow the forest with `sampling = bootstrap`, or use mdi");
    // Another program has other names of settings.
    let forest = Forest::grow(&data, &config, threads).expect("valid");
    let mut json = Vec::new();
    forest.to_json(&mut json).expect("memory does not fail");
    let mut json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    json.as_object_mut().expect("an object").remove("config");
    let foreign = Forest::from_json(json.to_string().as_bytes(), Some(&data), threads);
    let mda = Measure::new(MeasureId::MdaBreimanCutler, MeasureSettings::default()).expect("valid");
    let refused = foreign.expect("a forest").measure(&data, &[mda], threads);
    let error = refused.expect_err("no row is out of bag");
    let help = "grow it again on bootstrap samples or parts of the rows, or use mdi";
    assert_eq!(error.help(), help);
}

#[test]
fn predictions_on_the_training_table_agree_with_its_leaves() {
    for n_classes in [0, 3] {
        let data = dataset(Shape { n_classes, ..MIXED });
        let forest = grow(&data, &config());
        let threads = Threads::new(3).expect("three");
        let found = forest.predict(data.features(), &Run::on(threads)).expect("aligned");
        let n_outputs = data.target().n_outputs();
        for row in 0..data.n_rows() {
            for output in 0..n_outputs {
                let sum: f64 = forest
                    .trees()
                    .iter()
                    .map(|tree| tree.value(crate::support::leaf(&data, tree, row, None))[output])
                    .sum();
                assert_close(found[row * n_outputs + output], sum / 15.0, "prediction");
            }
        }
    }
}

#[test]
fn a_bag_of_weightless_rows_predicts_the_weighted_mean_of_all() {
    let data = dataset(Shape { n_rows: 40, weights: false, ..MIXED });
    let mut weights = vec![0.0; 40];
    weights[7] = 2.0;
    let data = data.with_weights(weights).expect("one positive weight");
    let Response::Regression(y) = data.target().response() else { panic!("regression") };
    let config = ForestConfig { n_trees: 30, ..config() };
    let forest = grow(&data, &config);
    for tree in forest.trees() {
        assert_eq!(tree.n_nodes(), 1);
        assert_close(tree.value(0)[0], y[7], "the only row that counts");
    }
    assert!(measured(&data, &config, 2).importances[0].values.iter().all(|v| *v == Some(0.0)));
}

#[test]
fn another_table_of_the_same_length_is_not_the_training_data() {
    let data = dataset(Shape { weights: false, ..MIXED });
    let forest = grow(&data, &config());
    let other = dataset(Shape { weights: false, seed: 22, ..MIXED });
    let threads = &Run::on(Threads::new(1).expect("one"));
    let error = forest
        .measure(&other, &all_measures_and_random(&other), threads)
        .expect_err("another table");
    assert!(error.help().contains("the table that the forest was grown on"), "{error}");
}
