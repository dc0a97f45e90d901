//! Breiman-Cutler importance by class, and without the row's own value.

use wald::data::{Column, Response, Target};
use wald::forest::{Forest, Keep, Sampling, Tree};
use wald::measure::{Loss, MeasureSettings, Normalise, Permutations};
use wald::{Dataset, ForestConfig, Importance, Measure, MeasureId, Run, Threads};

use crate::ishwaran_kogalur::{leaf, out_of_bag, permutations};
use crate::support::{Shape, assert_close, dataset, grow, measure, response, try_measure, weight};

fn breiman_cutler(data: &Dataset, forest: &Forest, settings: MeasureSettings) -> Importance {
    measure(data, forest, MeasureId::MdaBreimanCutler, settings)
}

fn excluding() -> MeasureSettings {
    MeasureSettings { exclude_self: true, ..MeasureSettings::default() }
}

fn squared(data: &Dataset, tree: &Tree, leaf: usize, row: usize) -> f64 {
    let (truth, value) = (response(data, row), tree.value(leaf));
    truth.iter().zip(&*value).map(|(y, v)| (y - v).powi(2)).sum()
}

/// The mean over all permutations, counting for every row only those that move it.
#[test]
fn rows_that_meet_other_rows_only_equal_all_permutations_that_move_them() {
    for n_classes in [0, 3] {
        let shape = Shape { n_rows: 15, n_classes, missing: true, weights: false, seed: 3 };
        let together = [("pair".to_owned(), vec!["two".to_owned(), "more".to_owned()])];
        let data = dataset(shape).with_groups(&together).expect("columns of the table");
        let config = ForestConfig {
            n_trees: 4,
            mtry: Some(4),
            sampling: Sampling::Subsample,
            sample_fraction: Some(0.7),
            min_node_size: Some(1),
            ..ForestConfig::default()
        };
        let forest = grow(&data, &config);
        let found = breiman_cutler(&data, &forest, excluding());
        let mut largest = 0.0_f64;
        for (group, members) in data.groups().members().iter().enumerate() {
            let mut expected = 0.0;
            for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("own bags")) {
                let rows = out_of_bag(bag);
                assert!(rows.len() <= 5, "{} rows", rows.len());
                for (place, &row) in rows.iter().enumerate() {
                    let end = |donor: usize| leaf(&data, tree, row, members, donor);
                    let all = permutations(rows.len());
                    let moving = all.iter().filter(|order| order[place] != place);
                    let losses: Vec<f64> = moving
                        .map(|order| squared(&data, tree, end(rows[order[place]]), row))
                        .collect();
                    let mean = losses.iter().sum::<f64>() / losses.len() as f64;
                    let change = mean - squared(&data, tree, end(row), row);
                    expected += change / rows.len() as f64 / 4.0;
                }
            }
            let what = format!("{n_classes} classes, group {group}");
            assert_close(found.values[group].expect("defined"), expected, &what);
            largest = largest.max(expected.abs());
        }
        assert!(largest > 0.01, "{largest}");
        assert_eq!(found.settings["exclude_self"], "yes");
    }
}

#[test]
fn with_weights_donors_are_the_other_rows_by_weight() {
    for n_classes in [0, 3] {
        let shape = Shape { n_rows: 60, n_classes, missing: true, weights: true, seed: 7 };
        let data = dataset(shape);
        let forest = grow(&data, &ForestConfig { n_trees: 3, ..ForestConfig::default() });
        let found = breiman_cutler(&data, &forest, excluding());
        for column in 0..data.n_features() {
            let mut expected = 0.0;
            for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("own bags")) {
                let rows = out_of_bag(bag);
                let total: f64 = rows.iter().map(|&row| weight(&data, row)).sum();
                for &row in &rows {
                    let end = |donor: usize| leaf(&data, tree, row, &[column as u32], donor);
                    let own = squared(&data, tree, end(row), row);
                    let others = rows.iter().filter(|&&donor| donor != row);
                    let change: f64 = others
                        .map(|&donor| {
                            let share = weight(&data, donor) / (total - weight(&data, row));
                            share * (squared(&data, tree, end(donor), row) - own)
                        })
                        .sum();
                    expected += weight(&data, row) / total * change / 3.0;
                }
            }
            let what = format!("{n_classes} classes, column {column}");
            assert_close(found.values[column].expect("defined"), expected, &what);
        }
    }
}

/// A tree whose only out-of-bag row of positive weight has no other row to meet.
#[test]
fn trees_with_one_row_are_left_out_and_counted() {
    let x: Vec<f64> = (0..12).map(f64::from).collect();
    let y = x.iter().map(|x| if *x > 5.0 { 1.0 } else { 0.0 }).collect();
    let column = Column::numeric("x", x).expect("finite");
    let data = Dataset::new(vec![column], Target::regression("y", y).expect("finite"));
    let data = data.expect("consistent");
    let config = ForestConfig {
        n_trees: 20,
        sampling: Sampling::Subsample,
        sample_fraction: Some(0.9),
        ..ForestConfig::default()
    };
    let forest = grow(&data, &config);
    let bags = forest.bags().expect("own bags");
    let n_single = bags.iter().filter(|bag| out_of_bag(bag).len() < 2).count();
    assert_eq!(n_single, 20, "11 of 12 rows are in every bag");
    let found = breiman_cutler(&data, &forest, excluding());
    assert_eq!(found.values, [None]);
    assert!(found.notes[0].starts_with("20 trees with fewer than two out-of-bag rows"));
    let all = breiman_cutler(&data, &forest, MeasureSettings::default());
    assert_eq!((all.values[0], all.notes.len()), (Some(0.0), 0));
}

/// One row that outweighs all others together by more than the digits of a number.
#[test]
fn a_row_that_outweighs_all_others_meets_them() {
    let data = dataset(Shape { n_rows: 30, n_classes: 0, missing: false, weights: false, seed: 1 });
    let mut weights = vec![1.0; 30];
    weights[3] = 1e18;
    let data = data.with_weights(weights).expect("valid");
    let config = ForestConfig { n_trees: 30, ..ForestConfig::default() };
    let measure = Measure::new(MeasureId::MdaBreimanCutler, excluding()).expect("valid");
    let run = &Run::on(Threads::new(2).expect("two threads"));
    let grown = Forest::grow_and_measure(&data, &config, &[measure], Keep::Nothing, run);
    let found = &grown.expect("valid").measured.importances[0];
    assert!(found.values.iter().all(|value| value.is_some_and(f64::is_finite)), "{found:?}");
}

#[test]
fn values_by_class_are_means_over_the_rows_of_the_class() {
    for (weights, loss) in [(false, Loss::Squared), (true, Loss::Squared), (true, Loss::ZeroOne)] {
        let shape = Shape { n_rows: 60, n_classes: 3, missing: true, weights, seed: 8 };
        let data = dataset(shape);
        let Response::Classification(classes) = data.target().response() else { panic!("classes") };
        let forest = grow(&data, &ForestConfig { n_trees: 5, ..ForestConfig::default() });
        let row_loss = |tree: &Tree, leaf: usize, row: usize| match loss {
            Loss::Squared => squared(&data, tree, leaf, row),
            _ => 1.0 - response(&data, row)[wald::forest::argmax(&tree.value(leaf))],
        };
        let settings =
            MeasureSettings { per_class: true, loss: Some(loss), ..MeasureSettings::default() };
        let found = breiman_cutler(&data, &forest, settings.clone());
        let plain = MeasureSettings { per_class: false, ..settings.clone() };
        let plain = breiman_cutler(&data, &forest, plain);
        assert_eq!((&plain.values, plain.per_class), (&found.values, None));
        let per_class = found.per_class.as_ref().expect("asked for");
        for (class, (name, values)) in per_class.iter().enumerate() {
            assert_eq!(*name, classes.levels()[class]);
            for (column, value) in values.iter().enumerate() {
                let mut per_tree = Vec::new();
                for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("own bags")) {
                    let rows = out_of_bag(bag);
                    let total: f64 = rows.iter().map(|&row| weight(&data, row)).sum();
                    let (mut sum, mut mass) = (0.0, 0.0);
                    for &row in rows.iter().filter(|&&r| classes.codes()[r] as usize == class) {
                        let end = |donor: usize| leaf(&data, tree, row, &[column as u32], donor);
                        let own = row_loss(tree, end(row), row);
                        let expected: f64 = rows
                            .iter()
                            .map(|&d| weight(&data, d) / total * row_loss(tree, end(d), row))
                            .sum();
                        sum += weight(&data, row) * (expected - own);
                        mass += weight(&data, row);
                    }
                    if mass > 0.0 {
                        per_tree.push(sum / mass);
                    }
                }
                let n = per_tree.len() as f64;
                let mean = per_tree.iter().sum::<f64>() / n;
                assert_close(value.expect("rows of the class"), mean, name);
                // randomForest divides each class's values by their own standard errors.
                let normalise = Normalise::StandardError;
                let scaled = MeasureSettings { normalise, ..settings.clone() };
                let scaled = breiman_cutler(&data, &forest, scaled);
                let variance = per_tree.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n;
                let error = (variance / n).sqrt();
                // Where the column is never split on, only rounding is left.
                let expected = if error > 1e-12 { mean / error } else { 0.0 };
                let scaled = scaled.per_class.expect("asked for")[class].1[column];
                let gap = scaled.expect("defined") - expected;
                assert!(gap.abs() <= 1e-8 * expected.abs().max(1.0), "{scaled:?} {expected}");
            }
        }
    }
}

#[test]
fn values_by_class_of_random_permutations_agree_with_the_expectation() {
    let data = dataset(Shape { n_rows: 90, n_classes: 3, missing: true, weights: false, seed: 8 });
    let forest = grow(&data, &ForestConfig { n_trees: 20, ..ForestConfig::default() });
    let exact = MeasureSettings { per_class: true, ..MeasureSettings::default() };
    let random = MeasureSettings { permutations: Permutations::Random(150), ..exact.clone() };
    let (exact, random) =
        (breiman_cutler(&data, &forest, exact), breiman_cutler(&data, &forest, random));
    let classes = |importance: Importance| importance.per_class.expect("asked for");
    for ((class, exact), (_, random)) in classes(exact).iter().zip(&classes(random)) {
        for (exact, random) in exact.iter().zip(random) {
            let gap = (exact.expect("defined") - random.expect("defined")).abs();
            assert!(gap < 0.01, "{class}: {exact:?} {random:?}");
        }
    }
}

#[test]
fn random_permutations_do_not_exclude_the_row_itself() {
    let data = dataset(Shape { n_rows: 30, n_classes: 0, missing: false, weights: false, seed: 1 });
    let forest = grow(&data, &ForestConfig { n_trees: 3, ..ForestConfig::default() });
    let settings = MeasureSettings { permutations: Permutations::Random(2), ..excluding() };
    let error = try_measure((&data, &forest), MeasureId::MdaBreimanCutler, settings, 2);
    let error = error.expect_err("a contradiction");
    assert!(error.to_string().contains("require the exact expectation"), "{error}");
}
