//! Permutation importance on test rows, against predictions of substituted rows.

use std::sync::Arc;

use wald::data::{Column, ColumnData, MISSING_LEVEL, Response, Target, Task};
use wald::forest::{Sampling, Splitting, argmax};
use wald::measure::{Loss, MeasureSettings, Normalise, Permutations};
use wald::{Dataset, Features, Forest, ForestConfig, Importance, Measure, MeasureId};
use wald::{Run, Threads};

use crate::support::{Shape, assert_close, assert_scattered, dataset, grow, try_measure, weight};

fn measure(
    forest: &Forest,
    data: &Dataset,
    settings: MeasureSettings,
    threads: usize,
) -> Importance {
    try_measure((data, forest), MeasureId::MdaTrainTest, settings, threads).expect("applies")
}

fn settings(test: &Arc<Dataset>, loss: Loss) -> MeasureSettings {
    MeasureSettings { loss: Some(loss), test: Some(Arc::clone(test)), ..MeasureSettings::default() }
}

/// The rows with some columns taken from other rows.
fn substituted(data: &Dataset, columns: &[usize], donors: &[u32]) -> Features {
    let moved = data.features().columns().iter().enumerate().map(|(index, column)| {
        if columns.contains(&index) { column.select(donors) } else { column.clone() }
    });
    Features::new(moved.collect()).expect("as long as before")
}

/// Predictions of the forest, or the votes of its trees.
fn predictions(forest: &Forest, rows: &Features, votes: bool) -> Vec<Vec<f64>> {
    let threads = Threads::new(1).expect("one thread");
    let of = |forest: &Forest| forest.predict(rows, &Run::on(threads)).expect("fits");
    let n_outputs = forest.target().n_outputs();
    if !votes {
        return of(forest).chunks_exact(n_outputs).map(<[f64]>::to_vec).collect();
    }
    let mut voting = Vec::new();
    forest.to_json(&mut voting).expect("written");
    let text = String::from_utf8(voting).expect("text");
    let mut document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    document["aggregation"] = "vote".into();
    let voting = crate::golden_case::read_json(&document, None).expect("a forest");
    of(&voting).chunks_exact(n_outputs).map(<[f64]>::to_vec).collect()
}

fn loss_of(data: &Dataset, loss: Loss, row: usize, prediction: &[f64]) -> f64 {
    match data.target().response() {
        Response::Regression(values) => match loss {
            Loss::Absolute => (values[row] - prediction[0]).abs(),
            _ => (values[row] - prediction[0]).powi(2),
        },
        Response::Several(_) => panic!("one target"),
        Response::Classification(classes) => {
            let truth = classes.codes()[row] as usize;
            match loss {
                Loss::ZeroOne | Loss::ZeroOneVote => {
                    f64::from(u8::from(argmax(prediction) != truth))
                }
                Loss::Log => -prediction[truth].max(1e-15).ln(),
                _ => (0..prediction.len())
                    .map(|class| (f64::from(u8::from(class == truth)) - prediction[class]).powi(2))
                    .sum(),
            }
        }
    }
}

/// Every row receives the values of every other one, in proportion to its weight.
fn brute_force(forest: &Forest, test: &Dataset, columns: &[usize], loss: Loss) -> f64 {
    let n = test.n_rows();
    let votes = loss == Loss::ZeroOneVote;
    let total: f64 = (0..n).map(|row| weight(test, row)).sum();
    let mean_loss = |rows: &Features| -> f64 {
        let of_rows = predictions(forest, rows, votes).into_iter().enumerate();
        of_rows.map(|(row, p)| weight(test, row) * loss_of(test, loss, row, &p)).sum::<f64>()
            / total
    };
    let unpermuted = mean_loss(test.features());
    let permuted: f64 = (0..n)
        .map(|donor| {
            let rows = substituted(test, columns, &vec![donor as u32; n]);
            weight(test, donor) / total * mean_loss(&rows)
        })
        .sum();
    permuted - unpermuted
}

fn losses(task: Task) -> &'static [Loss] {
    match task {
        Task::Regression => &[Loss::Squared, Loss::Absolute],
        Task::Classification => &[Loss::Squared, Loss::ZeroOne, Loss::ZeroOneVote, Loss::Log],
    }
}

fn shapes() -> Vec<(Shape, Shape)> {
    let mut shapes = Vec::new();
    for n_classes in [0, 2, 3] {
        for (missing, weights) in [(false, false), (true, false), (true, true)] {
            let shape = Shape { n_rows: 60, n_classes, missing, weights, seed: 5 };
            shapes.push((shape, Shape { n_rows: 23, seed: 77, ..shape }));
        }
    }
    shapes
}

#[test]
fn the_exact_form_is_the_mean_over_all_donors() {
    for (of_training, of_test) in shapes() {
        let (data, test) = (dataset(of_training), dataset(of_test));
        let groups = [
            ("numbers".to_owned(), vec!["one".to_owned(), "tied".to_owned()]),
            ("mixed".to_owned(), vec!["two".to_owned(), "more".to_owned()]),
        ];
        let grouped = data.clone().with_groups(&groups).expect("columns");
        let random = Splitting::RandomThreshold;
        for (splitting, sampling) in
            [(Splitting::Best, Sampling::Bootstrap), (random, Sampling::All)]
        {
            let config =
                ForestConfig { n_trees: 7, splitting, sampling, ..ForestConfig::default() };
            let forest = grow(&data, &config);
            let shared = Arc::new(test.clone());
            for &loss in losses(forest.task()) {
                let found = measure(&forest, &data, settings(&shared, loss), 2);
                for (column, value) in found.values.iter().enumerate() {
                    let expected = brute_force(&forest, &test, &[column], loss);
                    let what = format!("{of_test:?} {loss:?} column {column}");
                    assert_close(value.expect("defined"), expected, &what);
                }
                let found = measure(&forest, &grouped, settings(&shared, loss), 2);
                let members = grouped.groups().members();
                for (members, value) in members.iter().zip(&found.values) {
                    let columns: Vec<usize> = members.iter().map(|&c| c as usize).collect();
                    let expected = brute_force(&forest, &test, &columns, loss);
                    let what = format!("{of_test:?} {loss:?} columns {columns:?}");
                    assert_close(value.expect("defined"), expected, &what);
                }
            }
        }
    }
}

/// All orders of 0..n (Heap's algorithm).
fn orders(n: u32) -> Vec<Vec<u32>> {
    let mut order: Vec<u32> = (0..n).collect();
    let (mut all, mut counters, mut index) = (vec![order.clone()], vec![0; n as usize], 0);
    while index < n as usize {
        if counters[index] < index {
            let other = if index % 2 == 0 { 0 } else { counters[index] };
            order.swap(other, index);
            all.push(order.clone());
            counters[index] += 1;
            index = 0;
        } else {
            counters[index] = 0;
            index += 1;
        }
    }
    all
}

#[test]
fn the_exact_form_is_the_mean_over_all_permutations() {
    for n_classes in [0, 3] {
        let shape = Shape { n_rows: 50, n_classes, missing: true, weights: false, seed: 3 };
        let data = dataset(shape);
        let test = Arc::new(dataset(Shape { n_rows: 5, seed: 8, ..shape }));
        let forest = grow(&data, &ForestConfig { n_trees: 9, ..ForestConfig::default() });
        let orders: Vec<Vec<Vec<u32>>> =
            orders(5).into_iter().map(|order| vec![order; data.n_features()]).collect();
        assert_eq!(orders.len(), 120);
        for &loss in losses(forest.task()) {
            let exact = measure(&forest, &data, settings(&test, loss), 1);
            let permutations = Permutations::Given(Arc::new(orders.clone()));
            let given = MeasureSettings { permutations, ..settings(&test, loss) };
            let given = measure(&forest, &data, given, 2);
            assert_eq!(given.repeats.len(), 120);
            for (found, expected) in exact.values.iter().zip(&given.values) {
                assert_close(found.expect("defined"), expected.expect("defined"), "all orders");
            }
        }
    }
}

#[test]
fn random_permutations_approach_the_exact_form() {
    for (n_classes, weights) in [(0, false), (2, true)] {
        let shape = Shape { n_rows: 120, n_classes, missing: true, weights, seed: 11 };
        let data = dataset(shape);
        let test = Arc::new(dataset(Shape { n_rows: 50, seed: 12, ..shape }));
        let forest = grow(&data, &ForestConfig { n_trees: 20, ..ForestConfig::default() });
        let exact = measure(&forest, &data, settings(&test, Loss::Squared), 2);
        let permutations = Permutations::Random(400);
        let random = MeasureSettings { permutations, ..settings(&test, Loss::Squared) };
        let random = measure(&forest, &data, random, 2);
        assert_scattered(&random, &exact);
        // Exact expectations have no error of their own.
        assert_eq!(exact.standard_errors, None);
        let errors = random.standard_errors.as_ref().expect("random");
        for (column, error) in errors.iter().enumerate() {
            let mean = random.repeats.iter().map(|repeat| repeat[column]).sum::<f64>() / 400.0;
            let squares = random.repeats.iter().map(|repeat| (repeat[column] - mean).powi(2));
            let expected = (squares.sum::<f64>() / 399.0 / 400.0).sqrt();
            assert_close(error.expect("defined"), expected, "error of the mean");
        }
        assert!(errors.iter().any(|error| *error > Some(1e-6)), "{errors:?}");
    }
}

/// Pairs of rows in which the one of the second class scores higher, ties counting one half.
fn area(data: &Dataset, scores: &[f64]) -> f64 {
    let Response::Classification(classes) = data.target().response() else {
        panic!("classes");
    };
    let (mut above, mut pairs) = (0.0, 0.0);
    for (i, &one) in classes.codes().iter().enumerate() {
        for (j, &other) in classes.codes().iter().enumerate() {
            if one == 1 && other == 0 {
                let both = weight(data, i) * weight(data, j);
                pairs += both;
                let difference = scores[i] - scores[j];
                above += both
                    * if difference.abs() < 1e-12 {
                        0.5
                    } else {
                        f64::from(u8::from(difference > 0.0))
                    };
            }
        }
    }
    above / pairs
}

#[test]
fn the_area_under_the_curve_is_that_of_permuted_rows() {
    for weights in [false, true] {
        let shape = Shape { n_rows: 90, n_classes: 2, missing: true, weights, seed: 21 };
        let data = dataset(shape);
        let test = dataset(Shape { n_rows: 40, seed: 22, ..shape });
        let forest = grow(&data, &ForestConfig { n_trees: 15, ..ForestConfig::default() });
        let shared = Arc::new(test.clone());
        let order: Vec<u32> = (0..40).map(|row| row * 7 % 40).collect();
        let permutations =
            Permutations::Given(Arc::new(vec![vec![order.clone(); data.n_features()]]));
        let given = MeasureSettings { permutations, ..settings(&shared, Loss::Auc) };
        let found = measure(&forest, &data, given, 2);
        let area_of = |rows: &Features| {
            let scores: Vec<f64> =
                predictions(&forest, rows, false).iter().map(|shares| shares[1]).collect();
            area(&test, &scores)
        };
        let unpermuted = area_of(test.features());
        assert!(found.values.iter().any(|value| value.is_some_and(|value| value != 0.0)));
        for (column, value) in found.values.iter().enumerate() {
            let permuted = area_of(&substituted(&test, &[column], &order));
            assert_close(value.expect("defined"), unpermuted - permuted, "area");
        }
        // Without an exact form, random permutations are used, and the result reports it.
        let random = measure(&forest, &data, settings(&shared, Loss::Auc), 2);
        assert_eq!((random.repeats.len(), random.settings["permutations"].as_str()), (10, "10"));
        assert!(random.notes[0].contains("no exact expectation"), "{:?}", random.notes);
    }
}

#[test]
fn threads_and_batches_change_no_bit() {
    let shape = Shape { n_rows: 150, n_classes: 3, missing: true, weights: true, seed: 31 };
    let data = dataset(shape);
    let test = Arc::new(dataset(Shape { n_rows: 70, seed: 32, ..shape }));
    let forest = grow(&data, &ForestConfig { n_trees: 12, ..ForestConfig::default() });
    for permutations in [Permutations::Exact, Permutations::Random(3)] {
        let settings = MeasureSettings { permutations, ..settings(&test, Loss::Log) };
        let one = measure(&forest, &data, settings.clone(), 1);
        for threads in [2, 3, 7, 16] {
            assert_eq!(measure(&forest, &data, settings.clone(), threads), one);
        }
        // Measured while it grows, the forest gives the same.
        let config = forest.config().expect("grown").clone();
        let measures = [Measure::new(MeasureId::MdaTrainTest, settings).expect("offered")];
        let keep = wald::forest::Keep::Nothing;
        let run = &Run::on(Threads::new(2).expect("two threads"));
        let grown = Forest::grow_and_measure(&data, &config, &measures, keep, run).expect("grows");
        assert_eq!(grown.measured.importances[0], one);
        assert!(grown.forest.is_none());
    }
}

#[test]
fn the_variance_is_that_of_the_test_rows() {
    let shape = Shape { n_rows: 60, n_classes: 0, missing: false, weights: false, seed: 41 };
    let data = dataset(shape);
    let test = dataset(Shape { n_rows: 30, seed: 42, ..shape });
    let forest = grow(&data, &ForestConfig { n_trees: 10, ..ForestConfig::default() });
    let Response::Regression(y) = test.target().response() else { panic!("numbers") };
    let mean = y.iter().sum::<f64>() / 30.0;
    let variance = y.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / 29.0;
    let test = Arc::new(test.clone());
    let plain = measure(&forest, &data, settings(&test, Loss::Squared), 1);
    let normalise = Normalise::Variance;
    let scaled = MeasureSettings { normalise, ..settings(&test, Loss::Squared) };
    let scaled = measure(&forest, &data, scaled, 1);
    for (plain, scaled) in plain.values.iter().zip(&scaled.values) {
        let expected = plain.expect("defined") / (2.0 * variance);
        assert_close(scaled.expect("defined"), expected, "divided by 2 sigma^2");
    }
}

#[test]
fn levels_that_no_tree_knows_are_donors_like_others() {
    let shape = Shape { n_rows: 80, n_classes: 0, missing: false, weights: false, seed: 51 };
    let data = dataset(shape);
    let test = dataset(Shape { n_rows: 20, seed: 52, ..shape });
    // A further level, in another order, and a missing one.
    let columns = test.features().columns().iter().map(|column| match column.data() {
        ColumnData::Categorical(categories) if column.name() == "more" => {
            let mut levels: Vec<String> = categories.levels().to_vec();
            levels.push("new".to_owned());
            let mut codes = categories.codes().to_vec();
            (codes[3], codes[4], codes[9]) = (7, 7, MISSING_LEVEL);
            levels.rotate_left(2);
            let rotate = |code: &u32| if *code == MISSING_LEVEL { *code } else { (code + 6) % 8 };
            let codes = codes.iter().map(rotate).collect();
            Column::categorical("more", levels, codes).expect("valid codes")
        }
        _ => column.clone(),
    });
    let test = Dataset::new(columns.collect(), test.target().clone()).expect("consistent");
    let forest = grow(&data, &ForestConfig { n_trees: 10, ..ForestConfig::default() });
    let found = measure(&forest, &data, settings(&Arc::new(test.clone()), Loss::Squared), 2);
    for (column, value) in found.values.iter().enumerate() {
        let expected = brute_force(&forest, &test, &[column], Loss::Squared);
        assert_close(value.expect("defined"), expected, "with a new level");
    }
    let note = "test rows whose level of \"more\" the forest never met, which take the heavier side \
                of its splits: 2";
    assert_eq!(found.notes, [note]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let shape = Shape { n_rows: 60, n_classes: 3, missing: false, weights: false, seed: 61 };
    let data = dataset(shape);
    let forest = grow(&data, &ForestConfig { n_trees: 3, ..ForestConfig::default() });
    let refusal = |settings: MeasureSettings| {
        let measure = Measure::new(MeasureId::MdaTrainTest, settings).expect("offered");
        let run = &Run::on(Threads::new(1).expect("one thread"));
        let error = forest.measure(&data, &[measure], run).expect_err("refused");
        (error.to_string(), error.help())
    };
    let (what, help) = refusal(MeasureSettings::default());
    assert!(what.contains("needs rows that the forest never saw") && help.contains("`test`"));
    let test = Arc::new(data.clone());
    assert!(refusal(settings(&test, Loss::Auc)).0.contains("two classes"));
    let columns = data.features().columns()[1..].to_vec();
    let lacking = Arc::new(Dataset::new(columns, data.target().clone()).expect("consistent"));
    assert!(refusal(settings(&lacking, Loss::Squared)).0.contains("no column \"one\""));
    let codes = vec![0; 60];
    let other = Target::classification("y", vec!["other".to_owned()], codes).expect("one class");
    let columns = data.features().columns().to_vec();
    let unknown = Arc::new(Dataset::new(columns, other).expect("consistent"));
    assert!(refusal(settings(&unknown, Loss::Squared)).0.contains("class \"other\""));
    let permutations = Permutations::Given(Arc::new(vec![vec![vec![0; 60]; 6]]));
    let given = MeasureSettings { permutations, ..settings(&test, Loss::Squared) };
    assert!(refusal(given).0.contains("order that is not a permutation"));
}
