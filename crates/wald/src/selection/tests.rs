//! The selection against a plain loop over copies of the table, and what it must not depend on.

use super::*;
use crate::data::{Column, ColumnData, MISSING_LEVEL, Response, Target};
use crate::folds::fold_of_rows;
use crate::forest::{Forest, ForestConfig, Keep, Splitting, argmax};
use crate::measure::{Loss, Measure, MeasureId, MeasureSettings, Permutations};
use crate::random::{Purpose, Stream};
use crate::run::Run;

/// Signal in the first numbers and the first levels; ties, missing values; classes or a number.
fn table(n_rows: usize, n_classes: u32, seed: u64) -> Dataset {
    let mut stream = Stream::new(seed, 0, Purpose::Bag);
    let mut numbers = |n_distinct: u32| -> Vec<f64> {
        (0..n_rows).map(|_| f64::from(stream.below(n_distinct)) / f64::from(n_distinct)).collect()
    };
    let (x, tied, noise) = (numbers(u32::MAX), numbers(8), numbers(u32::MAX));
    let holes: Vec<f64> =
        numbers(50).into_iter().map(|v| if v < 0.2 { f64::NAN } else { v }).collect();
    let levels: Vec<u32> = numbers(5)
        .into_iter()
        .map(|v| if v == 0.0 { MISSING_LEVEL } else { (v * 5.0) as u32 })
        .collect();
    let error = numbers(1000);
    let signal = (0..n_rows)
        .map(|row| 3.0 * x[row] + 2.0 * tied[row] + f64::from(levels[row] % 3) + 0.5 * error[row]);
    let signal: Vec<f64> = signal.collect();
    let target = if n_classes == 0 {
        Target::regression("y", signal)
    } else {
        let names = (0..n_classes).map(|class| class.to_string()).collect();
        let class = |value: &f64| ((value / 7.6 * f64::from(n_classes)) as u32).min(n_classes - 1);
        Target::classification("y", names, signal.iter().map(class).collect())
    };
    let named = |name: &str, values| Column::numeric(name, values).expect("finite or NaN");
    let level_names = (0..5).map(|level| format!("L{level}")).collect();
    let columns = vec![
        named("noise", noise),
        named("x", x),
        named("constant", vec![1.0; n_rows]),
        named("tied", tied),
        named("holes", holes),
        Column::categorical("levels", level_names, levels).expect("known levels"),
    ];
    Dataset::new(columns, target.expect("finite")).expect("a data set")
}

fn measure(id: MeasureId) -> Measure {
    Measure::new(id, MeasureSettings::default()).expect("offered")
}

fn config(n_trees: usize, id: MeasureId) -> SelectionConfig {
    let forest = ForestConfig { n_trees, seed: 11, ..ForestConfig::default() };
    SelectionConfig { folds: 3, ..SelectionConfig::new(forest, measure(id)) }
}

fn run(data: &Dataset, config: &SelectionConfig, threads: usize) -> Selection {
    let handles = &Run::on(Threads::new(threads).expect("few"));
    let state = SelectionState::new(data, config);
    select(data, config, state, |_| {}, handles).expect("settings that fit")
}

/// Rows and columns of a table as a new table, without any of the selection's own means.
fn copied(data: &Dataset, rows: &[u32], groups: &[(String, Vec<String>)]) -> Dataset {
    let names: Vec<&String> = groups.iter().flat_map(|(_, members)| members).collect();
    let columns = data.features().columns().iter();
    let columns = columns.filter(|column| names.iter().any(|name| *name == column.name()));
    let columns = columns.map(|column| column.select(rows)).collect();
    let pick = |codes: &[u32]| rows.iter().map(|&row| codes[row as usize]).collect();
    let target = match data.target().response() {
        Response::Regression(values) => {
            Target::regression("y", rows.iter().map(|&row| values[row as usize]).collect())
        }
        Response::Classification(classes) => {
            Target::classification("y", classes.levels().to_vec(), pick(classes.codes()))
        }
        Response::Several(_) => panic!("one target"),
    };
    let mut copy = Dataset::new(columns, target.expect("finite")).expect("a data set");
    if let Some(weights) = data.weights() {
        let weights = rows.iter().map(|&row| weights[row as usize]).collect();
        copy = copy.with_weights(weights).expect("weights");
    }
    if let Some(clusters) = data.clusters() {
        copy = copy.with_clusters(pick(clusters)).expect("clusters");
    }
    copy.with_groups(groups).expect("groups")
}

/// Groups with the names of their columns, those of single columns included.
fn groups_of(data: &Dataset) -> Vec<(String, Vec<String>)> {
    let names = data.features().names();
    let members = data.groups().members().iter();
    let members =
        members.map(|columns| columns.iter().map(|&c| names[c as usize].clone()).collect());
    data.groups().names().iter().cloned().zip(members).collect()
}

/// Eliminates with copies of the table: the names as they leave, and (chosen, squared) mean
/// losses at every size.
fn plainly(
    data: &Dataset,
    config: &SelectionConfig,
    repeat: usize,
    fold: Option<u32>,
) -> (Vec<String>, Vec<(f64, f64)>) {
    let fold_of = fold_of_rows(data, config.folds, config.forest.seed, repeat);
    let all: Vec<u32> = (0..data.n_rows() as u32).collect();
    let is_inside = |row: u32| fold.is_none_or(|fold| fold_of[row as usize] != fold);
    let train: Vec<u32> = all.iter().copied().filter(|&row| is_inside(row)).collect();
    let test: Vec<u32> = all.iter().copied().filter(|&row| !is_inside(row)).collect();
    let mut groups = groups_of(data);
    let (mut left, mut losses) = (Vec::new(), Vec::new());
    for step in 0.. {
        let copy = copied(data, &train, &groups);
        let key = Purpose::Selection { fold: fold.unwrap_or(u32::MAX), step };
        let seed = |seed: u64| Stream::new(seed, repeat, key).word();
        let n_columns = copy.n_features();
        let forest = ForestConfig {
            seed: seed(config.forest.seed),
            mtry: config.forest.mtry.map(|mtry| mtry.min(n_columns)),
            ..config.forest.clone()
        };
        let settings = config.measure.settings().clone();
        let settings = MeasureSettings { seed: seed(settings.seed), ..settings };
        let measures = [Measure::new(config.measure.id(), settings).expect("offered")];
        let handles = &Run::on(Threads::new(1).expect("one"));
        let grown = Forest::grow_and_measure(&copy, &forest, &measures, Keep::Trees, handles);
        let grown = grown.expect("settings that fit");
        if !test.is_empty() {
            let held_out = copied(data, &test, &groups);
            let forest = grown.forest.expect("kept");
            let predictions = forest.predict(held_out.features(), handles);
            losses.push(mean_losses(&held_out, &predictions.expect("columns"), config.loss));
        }
        let values = &grown.measured.importances[0].values;
        let sign = if config.measure.id().info().small_is_important { -1.0 } else { 1.0 };
        let mut least = 0;
        for group in 1..groups.len() {
            let value = |group: usize| values[group].map_or(f64::NEG_INFINITY, |v| sign * v);
            if value(group) <= value(least) {
                least = group;
            }
        }
        left.push(groups.remove(least).0);
        if groups.is_empty() {
            return (left, losses);
        }
    }
    unreachable!("groups run out")
}

fn mean_losses(data: &Dataset, predictions: &[f64], loss: Loss) -> (f64, f64) {
    let (mut chosen, mut squared, mut total) = (0.0, 0.0, 0.0);
    for row in 0..data.n_rows() {
        let weight = data.weights().map_or(1.0, |weights| weights[row]);
        let one = match data.target().response() {
            Response::Regression(values) => {
                let error = values[row] - predictions[row];
                (if loss == Loss::Absolute { error.abs() } else { error.powi(2) }, error.powi(2))
            }
            Response::Classification(classes) => {
                let (n, truth) = (classes.levels().len(), classes.codes()[row] as usize);
                let shares = &predictions[row * n..(row + 1) * n];
                let ones = (0..n).map(|class| f64::from(u8::from(class == truth)));
                let brier: f64 = ones.zip(shares).map(|(one, share)| (one - share).powi(2)).sum();
                let wrong = f64::from(u8::from(argmax(shares) != truth));
                (if loss == Loss::ZeroOne { wrong } else { brier }, brier)
            }
            Response::Several(_) => panic!("one target"),
        };
        chosen += weight * one.0;
        squared += weight * one.1;
        total += weight;
    }
    (chosen / total, squared / total)
}

/// Compares a selection with plain loops, bit for bit but for the last digits of sums.
fn assert_plain(data: &Dataset, config: &SelectionConfig) {
    let found = run(data, config, 2);
    let name = |&variable: &usize| found.variables[variable].clone();
    let (order, _) = plainly(data, config, 0, None);
    assert_eq!(found.order.iter().map(name).collect::<Vec<_>>(), order, "on all rows");
    let mut folds = found.folds.iter();
    for repeat in 0..config.repeats {
        let fold_of = fold_of_rows(data, config.folds, config.forest.seed, repeat);
        let mut sums = vec![(0.0, 0.0); found.curve.len()];
        let mut total = 0.0;
        for fold in 0..config.folds as u32 {
            let (order, losses) = plainly(data, config, repeat, Some(fold));
            let of_fold = folds.next().expect("every fold");
            assert_eq!((of_fold.repeat, of_fold.fold), (repeat, fold as usize));
            assert_eq!(of_fold.order.iter().map(name).collect::<Vec<_>>(), order);
            let weight_of = |row: usize| data.weights().map_or(1.0, |weights| weights[row]);
            let rows = (0..data.n_rows()).filter(|&row| fold_of[row] == fold);
            let weight: f64 = rows.map(weight_of).sum();
            for (sum, loss) in sums.iter_mut().zip(losses) {
                *sum = (sum.0 + weight * loss.0, sum.1 + weight * loss.1);
            }
            total += weight;
        }
        for (point, sum) in found.curve.iter().zip(sums) {
            let expected = sum.0 / total;
            assert!((point.errors[repeat] / expected - 1.0).abs() < 1e-12, "{point:?}");
            let expected = 1.0 - sum.1 / total / crate::data::response_variance(data);
            assert!((point.explained_variances[repeat] - expected).abs() < 1e-12, "{point:?}");
        }
    }
}

#[test]
fn a_selection_is_a_plain_loop_over_copies() {
    let ids =
        MeasureId::ALL.iter().filter(|id| id.info().data != crate::importance::DataUsed::Test);
    for (seed, &id) in (0..).zip(ids) {
        assert_plain(&table(60, 0, seed), &config(8, id));
    }
    let classes = SelectionConfig { loss: Loss::ZeroOne, ..config(12, MeasureId::SobolMda) };
    assert_plain(&table(90, 3, 1), &classes);
    let absolute =
        SelectionConfig { loss: Loss::Absolute, repeats: 2, ..config(12, MeasureId::Mdi) };
    assert_plain(&table(60, 0, 2), &absolute);
}

#[test]
fn weights_clusters_groups_and_given_mtry_are_as_in_a_plain_loop() {
    let data = table(90, 0, 3);
    let weights = (0..90_u32).map(|row| f64::from(row % 4)).collect();
    let data = data.with_weights(weights).expect("weights");
    let data = data.with_clusters((0..90_u32).map(|row| row / 3).collect()).expect("clusters");
    let two = vec!["tied".to_owned(), "levels".to_owned()];
    let data = data.with_groups(&[("two".to_owned(), two)]).expect("a group");
    let mut config = config(12, MeasureId::MdaBreimanCutler);
    config.forest.mtry = Some(4);
    assert_plain(&data, &config);
    let settings = MeasureSettings { permutations: Permutations::Random(2), ..Default::default() };
    config.measure = Measure::new(MeasureId::MdaBreimanCutler, settings).expect("offered");
    assert_plain(&data, &config);
    config.forest.splitting = Splitting::RandomThreshold;
    assert_plain(&table(70, 2, 4), &config);
}

#[test]
fn threads_change_nothing() {
    let data = table(80, 3, 5);
    let config = SelectionConfig { repeats: 2, ..config(10, MeasureId::SobolMda) };
    let expected = run(&data, &config, 1);
    for threads in [2, 3, 5, 16] {
        assert_eq!(run(&data, &config, threads), expected, "{threads} threads");
    }
}

#[test]
fn held_out_rows_have_no_say() {
    let data = table(90, 0, 6);
    let config = config(20, MeasureId::SobolMda);
    let before = run(&data, &config, 2);
    for fold in 0..3 {
        let fold_of = fold_of_rows(&data, 3, 11, 0);
        let is_out = |row: usize| fold_of[row] == fold;
        // In held-out rows, noise equals the target and all else is turned upside down.
        let Response::Regression(y) = data.target().response() else { unreachable!("numbers") };
        let columns = data.features().columns().iter().map(|column| match column.data() {
            ColumnData::Numeric(values) => {
                let cell = |(row, value): (usize, &f64)| match column.name() {
                    "noise" if is_out(row) => y[row],
                    _ if is_out(row) => -value,
                    _ => *value,
                };
                let values = values.iter().enumerate().map(cell).collect();
                Column::numeric(column.name(), values).expect("finite or NaN")
            }
            ColumnData::Categorical(_) => column.clone(),
        });
        let leaking = Dataset::new(columns.collect(), data.target().clone()).expect("a data set");
        let after = run(&leaking, &config, 2);
        let place = fold as usize;
        assert_eq!(after.folds[place].order, before.folds[place].order, "fold {fold}");
        assert_ne!(after.curve, before.curve, "held-out rows are judged");
        // In the other folds the leak is among the training rows, and shows.
        assert!((0..3).any(|other| after.folds[other].order != before.folds[other].order));
    }
}

#[test]
fn more_folds_than_there_can_be_are_not_blamed_on_repetitions() {
    let config = SelectionConfig { folds: 100_000_000, ..config(3, MeasureId::Mdi) };
    let refusal = config.validate().expect_err("too many").to_string();
    assert_eq!(refusal, "the number of folds is 100000000");
}

#[test]
fn folds_that_leave_no_weight_are_refused() {
    let mut weights = vec![0.0; 30];
    weights[7] = 1.0;
    let data = table(30, 0, 8);
    // Rows of weight zero must differ from the others for the target not to be constant.
    let constant = data.clone().with_weights(weights.clone()).expect("weights");
    weights[8] = 1.0;
    let data = data.with_weights(weights).expect("weights");
    let config = config(3, MeasureId::Mdi);
    let refusal = |data: &Dataset, seed: u64| {
        let forest = ForestConfig { seed, ..config.forest.clone() };
        let config = SelectionConfig { forest, ..config.clone() };
        let state = SelectionState::new(data, &config);
        let handles = &Run::on(Threads::new(1).expect("one"));
        select(data, &config, state, |_| {}, handles).err().map(|error| error.to_string())
    };
    assert!(refusal(&constant, 0).is_some_and(|what| what.contains("is constant")));
    let is_together = |seed: &u64| {
        let folds = fold_of_rows(&data, 3, *seed, 0);
        folds[7] == folds[8]
    };
    let seed = (0..100).find(is_together).expect("some seed");
    assert!(refusal(&data, seed).is_some_and(|what| what.contains("all weights are zero")));
    let seed = (0..100).find(|seed| !is_together(seed)).expect("some seed");
    assert_eq!(refusal(&data, seed), None);
}

#[test]
fn several_variables_leave_at_a_time() {
    let data = table(90, 0, 7);
    let config = SelectionConfig {
        drop: PerStep::Share(0.5),
        smallest: 2,
        ..config(10, MeasureId::SobolMda)
    };
    let found = run(&data, &config, 2);
    let sizes: Vec<usize> = found.curve.iter().map(|point| point.n_variables).collect();
    assert_eq!(sizes, [6, 3, 2]);
    let leaving: Vec<usize> = found.curve.iter().flat_map(|point| point.leaving.clone()).collect();
    assert_eq!(leaving, found.order[..4]);
    assert_eq!(found.kept(6), [0, 1, 2, 3, 4, 5]);
    for point in &found.curve {
        let kept: f64 = point.frequencies.iter().sum();
        assert!((kept - point.n_variables as f64).abs() < 1e-12);
    }
}
