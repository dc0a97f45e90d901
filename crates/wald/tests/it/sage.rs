//! SAGE, against its definition: all coalitions, all rows, all background rows, each predicted.

use std::sync::Arc;

use wald::data::{Column, Response, Target};
use wald::forest::{Sampling, Splitting};
use wald::measure::{Loss, MeasureSettings};
use wald::{Dataset, Features, Forest, ForestConfig, Importance, Measure, MeasureId, Run, Threads};

use crate::support::{
    Numbers, Shape, assert_close, dataset, digit, grow, segments, try_measure, weight,
};

pub fn measure(
    forest: &Forest,
    data: &Dataset,
    settings: MeasureSettings,
    threads: usize,
) -> Importance {
    try_measure((data, forest), MeasureId::Sage, settings, threads).expect("applies")
}

pub fn exactly(samples: usize, loss: Loss) -> MeasureSettings {
    MeasureSettings { loss: Some(loss), samples: Some(samples), ..MeasureSettings::default() }
}

pub fn values(importance: &Importance) -> Vec<f64> {
    importance.values.iter().map(|value| value.expect("defined")).collect()
}

pub fn errors(importance: &Importance) -> Vec<f64> {
    let errors = importance.standard_errors.as_ref().expect("there are some");
    errors.iter().map(|error| error.expect("defined")).collect()
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
            if loss == Loss::Log {
                return -prediction[truth].max(1e-15).ln();
            }
            let miss = |class: usize| f64::from(u8::from(class == truth)) - prediction[class];
            (0..prediction.len()).map(|class| miss(class).powi(2)).sum()
        }
    }
}

/// A table, the rows of it to explain, and those over which what is not known is averaged.
pub struct Case<'a> {
    pub forest: &'a Forest,
    pub table: &'a Dataset,
    pub explained: std::ops::Range<usize>,
    pub background: std::ops::Range<usize>,
    pub loss: Loss,
}

impl Case<'_> {
    /// The mean loss when the columns of a coalition are known.
    pub fn loss_with(&self, known: &[usize]) -> f64 {
        let Self { forest, table, explained, background, loss } = self;
        let (mut rows, mut donors) = (Vec::new(), Vec::new());
        for row in explained.clone() {
            for donor in background.clone() {
                rows.push(row as u32);
                donors.push(donor as u32);
            }
        }
        let mixed = table.features().columns().iter().enumerate().map(|(index, column)| {
            column.select(if known.contains(&index) { &rows } else { &donors })
        });
        let mixed = Features::new(mixed.collect()).expect("as long as each other");
        let threads = Threads::new(2).expect("two threads");
        let predictions = forest.predict(&mixed, &Run::on(threads)).expect("fits");
        let n_outputs = forest.target().n_outputs();
        let (mut sum, mut mass) = (0.0, 0.0);
        let of_rows = predictions.chunks_exact(n_outputs * background.len());
        for (row, of_row) in explained.clone().zip(of_rows) {
            let (mut mean, mut weights) = (vec![0.0; n_outputs], 0.0);
            for (donor, prediction) in background.clone().zip(of_row.chunks_exact(n_outputs)) {
                let weight = weight(table, donor);
                mean.iter_mut().zip(prediction).for_each(|(mean, value)| *mean += weight * value);
                weights += weight;
            }
            mean.iter_mut().for_each(|mean| *mean /= weights);
            sum += weight(table, row) * loss_of(table, *loss, row, &mean);
            mass += weight(table, row);
        }
        sum / mass
    }

    /// Shapley values over all orders of the groups.
    pub fn brute_force(&self, groups: &[Vec<usize>]) -> Vec<f64> {
        let n = groups.len();
        let of_coalition: Vec<f64> = (0..1_usize << n)
            .map(|coalition| {
                let members = (0..n).filter(|group| coalition >> group & 1 == 1);
                self.loss_with(&members.flat_map(|group| groups[group].clone()).collect::<Vec<_>>())
            })
            .collect();
        let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
        let value = |group: usize| -> f64 {
            let without = (0..1_usize << n).filter(|coalition| coalition >> group & 1 == 0);
            without
                .map(|coalition| {
                    let size = coalition.count_ones() as usize;
                    let share = factorial(size) * factorial(n - size - 1) / factorial(n);
                    share * (of_coalition[coalition] - of_coalition[coalition | 1 << group])
                })
                .sum()
        };
        (0..n).map(value).collect()
    }
}

pub fn named(groups: &[&[&str]]) -> Vec<(String, Vec<String>)> {
    let members = |group: &&[&str]| group.iter().map(|name| (*name).to_owned()).collect();
    groups.iter().enumerate().map(|(i, group)| (format!("g{i}"), members(group))).collect()
}

/// Two groups have two orders, and every sample takes both: once every row was drawn, which takes
/// two samples for each, nothing is left to chance.
#[test]
fn two_groups_leave_nothing_to_chance() {
    let columns = named(&[&["one", "tied", "few"], &["two", "constant", "more"]]);
    let groups = [vec![0, 2, 4], vec![1, 3, 5]];
    let losses: [(u32, &[Loss]); 3] = [
        (0, &[Loss::Squared, Loss::Absolute]),
        (2, &[Loss::Squared, Loss::Log]),
        (3, &[Loss::Squared, Loss::Log]),
    ];
    for (n_classes, losses) in losses {
        for splitting in [Splitting::Best, Splitting::RandomThreshold] {
            let shape = Shape { n_rows: 50, n_classes, missing: true, weights: false, seed: 3 };
            let table = dataset(shape);
            let data = table.clone().with_groups(&columns).expect("groups");
            let config = ForestConfig { n_trees: 5, splitting, ..ForestConfig::default() };
            let forest = grow(&data, &config);
            for &loss in losses {
                let (explained, background) = (0..50, 0..50);
                let case = Case { forest: &forest, table: &table, explained, background, loss };
                let found = measure(&forest, &data, exactly(100, loss), 1);
                let expected = case.brute_force(&groups);
                for (found, expected) in values(&found).into_iter().zip(expected) {
                    assert_close(found, expected, &format!("{n_classes} {splitting:?} {loss:?}"));
                }
            }
        }
    }
}

/// Splits with a child per level.
#[test]
fn multiway_splits() {
    let mut numbers = Numbers(4);
    let levels = |count: u32| (0..count).map(|level| format!("L{level}")).collect::<Vec<_>>();
    let codes: Vec<Vec<u32>> =
        [3, 4, 5].map(|count| (0..60).map(|_| numbers.below(count)).collect()).to_vec();
    let y = (0..60).map(|row| f64::from(codes[0][row] * (1 + codes[1][row])) + numbers.unit());
    let target = Target::regression("y", y.collect()).expect("finite");
    let columns = ["a", "b", "c"].into_iter().zip([3, 4, 5]).zip(codes);
    let columns = columns.map(|((name, count), codes)| {
        Column::categorical(name, levels(count), codes).expect("valid codes")
    });
    let table = Dataset::new(columns.collect(), target).expect("consistent");
    let data = table.clone().with_groups(&named(&[&["a", "c"], &["b"]])).expect("groups");
    let config = ForestConfig {
        n_trees: 4,
        splitting: Splitting::Multiway,
        sampling: Sampling::Bootstrap,
        ..ForestConfig::default()
    };
    let forest = grow(&data, &config);
    let (explained, background, loss) = (0..60, 0..60, Loss::Squared);
    let case = Case { forest: &forest, table: &table, explained, background, loss };
    let found = values(&measure(&forest, &data, exactly(120, loss), 1));
    for (found, expected) in found.into_iter().zip(case.brute_force(&[vec![0, 2], vec![1]])) {
        assert_close(found, expected, "multiway");
    }
}

/// Test rows are explained against the training rows, of which more than a block of 512 count, and
/// some twice.
#[test]
fn test_rows_weights_and_many_background_rows() {
    let shape = Shape { n_rows: 720, n_classes: 0, missing: true, weights: false, seed: 8 };
    let weights = (0..720).map(|row| if row < 700 && row % 2 == 1 { 0.0 } else { 2.0 });
    let table = dataset(shape).with_weights(weights.collect()).expect("valid weights");
    let rows = |range: std::ops::Range<u32>| range.collect::<Vec<u32>>();
    let columns = named(&[&["one", "tied", "few"], &["two", "constant", "more"]]);
    let training = table.select(&rows(0..700)).expect("rows");
    let training = training.with_groups(&columns).expect("groups");
    let test = Arc::new(table.select(&rows(700..720)).expect("rows"));
    let forest = grow(&training, &ForestConfig { n_trees: 3, ..ForestConfig::default() });
    let settings = MeasureSettings {
        test: Some(test),
        background_rows: Some(700),
        ..exactly(40, Loss::Squared)
    };
    let found = measure(&forest, &training, settings, 2);
    let (explained, background, loss) = (700..720, 0..700, Loss::Squared);
    let case = Case { forest: &forest, table: &table, explained, background, loss };
    let expected = case.brute_force(&[vec![0, 2, 4], vec![1, 3, 5]]);
    for (found, expected) in values(&found).into_iter().zip(expected) {
        assert_close(found, expected, "test rows");
    }
    assert_eq!(found.settings["background_rows"], "700");
}

/// With few variables all rows and orders are seen, and no error but that of drawn background rows is left,
/// which is not estimated: an error of zero would be wrong, as another seed gives other values.
#[test]
fn drawn_background_rows_leave_no_error_of_zero() {
    let shape = Shape { n_rows: 90, n_classes: 0, missing: false, weights: false, seed: 8 };
    let data = dataset(shape).with_groups(&named(&[&["one", "tied", "few"]])).expect("a group");
    let forest = grow(&data, &ForestConfig { n_trees: 5, ..ForestConfig::default() });
    let with = |background_rows: Option<usize>, seed: u64| {
        let settings = MeasureSettings { background_rows, seed, ..MeasureSettings::default() };
        measure(&forest, &data, settings, 2)
    };
    let noted =
        |found: &Importance| found.notes.iter().any(|note| note.contains("drawn at random"));
    let (drawn, again) = (with(Some(20), 0), with(Some(20), 1));
    assert_eq!(drawn.standard_errors, None);
    assert!(noted(&drawn) && drawn.values != again.values, "{:?}", drawn.notes);
    // All rows are no draw.
    let all = with(None, 0);
    assert_eq!(all.standard_errors, Some(vec![Some(0.0); all.values.len()]));
    assert!(!noted(&all), "{:?}", all.notes);
    // Orders that are drawn have an error, which is shown.
    let data = dataset(shape);
    let settings = MeasureSettings { background_rows: Some(20), ..exactly(2000, Loss::Squared) };
    let orders = measure(&forest, &data, settings, 2);
    let errors = orders.standard_errors.as_ref().expect("of orders");
    assert!(errors.iter().flatten().any(|error| *error > 0.0));
    assert!(noted(&orders), "{:?}", orders.notes);
}

/// With more groups orders are drawn: within 4 standard errors of all orders, and their sum is
/// exact.
#[test]
fn drawn_orders_agree_with_all_orders() {
    let shape = Shape { n_rows: 40, n_classes: 0, missing: false, weights: false, seed: 21 };
    let data = dataset(shape);
    let forest = grow(&data, &ForestConfig { n_trees: 4, ..ForestConfig::default() });
    let (explained, background, loss) = (0..40, 0..40, Loss::Squared);
    let case = Case { forest: &forest, table: &data, explained, background, loss };
    let groups: Vec<Vec<usize>> = (0..6).map(|column| vec![column]).collect();
    let expected = case.brute_force(&groups);
    let found = measure(&forest, &data, exactly(400, loss), 1);
    for ((found, error), expected) in values(&found).iter().zip(errors(&found)).zip(&expected) {
        assert!((found - expected).abs() <= 4.0 * error + 1e-9, "{found} ± {error}, {expected}");
    }
    let (sum, whole): (f64, f64) = (values(&found).iter().sum(), expected.iter().sum());
    assert_close(sum, whole, "sum");
    // No tree splits on the constant.
    assert_close(values(&found)[3], 0.0, "constant");
}

/// A forest that predicts every row without error: what variables take off the loss adds up to the
/// same number in every row. The segments of ten digits, as Louppe et al. 2013 show them.
#[test]
fn rows_that_are_alike_in_all() {
    let segment = |at: usize| {
        let lit = (0..10).map(|digit| f64::from(segments(digit)[at]));
        Column::numeric(format!("x{}", at + 1), lit.collect()).expect("finite")
    };
    let data = Dataset::new((0..7).map(segment).collect(), digit()).expect("consistent");
    let config = ForestConfig {
        n_trees: 20,
        sampling: Sampling::All,
        splitting: Splitting::RandomThreshold,
        mtry: Some(5),
        min_node_size: Some(1),
        ..ForestConfig::default()
    };
    let forest = grow(&data, &config);
    let (explained, background, loss) = (0..10, 0..10, Loss::Log);
    let case = Case { forest: &forest, table: &data, explained, background, loss };
    let expected = case.brute_force(&(0..7).map(|column| vec![column]).collect::<Vec<_>>());
    for seed in 0..5 {
        let found = measure(&forest, &data, MeasureSettings { seed, ..exactly(2_000, loss) }, 2);
        let of_columns = values(&found).into_iter().zip(errors(&found)).zip(&expected);
        for (column, ((found, error), expected)) in of_columns.enumerate() {
            let gap = (found - expected).abs();
            assert!(gap <= 5.0 * error, "{column}: {found} ± {error}, {expected}");
            assert!(error < 0.02, "{error}");
        }
    }
}

/// Categories, missing values, weighted test rows and three classes: within 4 standard errors of all
/// orders, and the sum is exact.
#[test]
fn weighted_test_rows_of_three_classes() {
    let shape = Shape { n_rows: 70, n_classes: 3, missing: true, weights: false, seed: 12 };
    let weights = (0..70).map(|row| if row < 40 { 1.0 } else { 0.25 * f64::from(row % 7) });
    let table = dataset(shape).with_weights(weights.collect()).expect("valid weights");
    let rows = |range: std::ops::Range<u32>| range.collect::<Vec<u32>>();
    let training = table.select(&rows(0..40)).expect("rows");
    let test = Arc::new(table.select(&rows(40..70)).expect("rows"));
    let forest = grow(&training, &ForestConfig { n_trees: 4, ..ForestConfig::default() });
    let groups: Vec<Vec<usize>> = (0..6).map(|column| vec![column]).collect();
    for loss in [Loss::Log, Loss::Squared] {
        let (explained, background) = (40..70, 0..40);
        let case = Case { forest: &forest, table: &table, explained, background, loss };
        let expected = case.brute_force(&groups);
        let settings = MeasureSettings { test: Some(Arc::clone(&test)), ..exactly(600, loss) };
        let found = measure(&forest, &training, settings, 2);
        for ((found, error), expected) in values(&found).iter().zip(errors(&found)).zip(&expected) {
            assert!(
                (found - expected).abs() <= 4.0 * error + 1e-9,
                "{found} ± {error}, {expected}"
            );
        }
        let (sum, whole): (f64, f64) = (values(&found).iter().sum(), expected.iter().sum());
        assert_close(sum, whole, "sum");
    }
}

/// Where time is over, sampling ends between rounds, and reports it; asking for as many samples
/// gives the same values.
#[test]
fn sampling_ends_when_time_is_over() {
    let shape = Shape { n_rows: 80, n_classes: 0, missing: false, weights: false, seed: 5 };
    let data = dataset(shape);
    let forest = grow(&data, &ForestConfig { n_trees: 3, ..ForestConfig::default() });
    let time_budget = Some(std::time::Duration::ZERO);
    let hurried = MeasureSettings { time_budget, precision: Some(1e-6), ..Default::default() };
    let found = measure(&forest, &data, hurried, 1);
    // Four visits of all rows, with two orders each.
    assert_eq!(found.settings["samples"], "640");
    assert!(found.notes.iter().any(|note| note.contains("time was over")), "{:?}", found.notes);
    let enough =
        MeasureSettings { time_budget: Some(std::time::Duration::MAX), ..Default::default() };
    let patient = measure(&forest, &data, enough, 1);
    assert!(!patient.notes.iter().any(|note| note.contains("time was over")));
    assert_eq!(patient, measure(&forest, &data, MeasureSettings::default(), 2));
}

/// The default stops where the largest standard error is a fortieth of the range.
#[test]
fn sampling_ends_at_the_precision_asked_for() {
    let shape = Shape { n_rows: 80, n_classes: 0, missing: false, weights: false, seed: 5 };
    let data = dataset(shape);
    let forest = grow(&data, &ForestConfig { n_trees: 3, ..ForestConfig::default() });
    for precision in [0.1, 0.02] {
        let settings = MeasureSettings { precision: Some(precision), ..MeasureSettings::default() };
        let found = measure(&forest, &data, settings.clone(), 1);
        let values = values(&found);
        let most = values.iter().copied().fold(f64::MIN, f64::max);
        let range = most - values.iter().copied().fold(f64::MAX, f64::min);
        let worst = errors(&found).into_iter().fold(0.0, f64::max);
        assert!(worst <= precision * range, "{worst} of {range}");
        assert_eq!(found, measure(&forest, &data, settings, 2), "threads");
    }
}

/// What makes no sense is refused, with help.
#[test]
fn refusals() {
    let refused = |settings: MeasureSettings| {
        Measure::new(MeasureId::Sage, settings).expect_err("refused").to_string()
    };
    let default = MeasureSettings::default;
    let none = refused(MeasureSettings { background_rows: Some(0), ..default() });
    assert!(none.contains("background"), "{none}");
    let all = refused(MeasureSettings { precision: Some(1.5), ..default() });
    assert!(all.contains("precision"), "{all}");
    let both = refused(MeasureSettings { precision: Some(0.1), samples: Some(100), ..default() });
    assert!(both.contains("both"), "{both}");
    let few = refused(MeasureSettings { samples: Some(2), ..default() });
    assert!(few.contains("samples"), "{few}");
    let other = Measure::new(MeasureId::Mdi, MeasureSettings { precision: Some(0.1), ..default() });
    assert!(other.expect_err("refused").to_string().contains("precision"));
}
