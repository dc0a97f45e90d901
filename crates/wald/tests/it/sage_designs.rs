//! SAGE by stratified orders and with control variates, against its definition.

use std::sync::Arc;

use wald::data::Column;
use wald::forest::{Sampling, Splitting};
use wald::measure::{Loss, MeasureSettings};
use wald::{Dataset, Forest, ForestConfig, Importance};

use crate::sage::{Case, errors, exactly, measure, named, values};
use crate::support::{Shape, assert_close, dataset, digit, grow, segments};

/// Which orders and control variates so many samples of 60 rows of 6 columns make worth while: 18 walks
/// go around the circles of 6 players, and 8 times as many estimate the error. The exact values of
/// control variates count as 36 walks.
const FORMS: [(u32, Loss, usize, [&str; 2]); 6] = [
    (0, Loss::Squared, 60 * 20, ["antithetic", "none"]),
    (0, Loss::Squared, 60 * 140, ["antithetic", "used"]),
    (0, Loss::Squared, 60 * 720, ["stratified", "used"]),
    (3, Loss::Squared, 60 * 720, ["stratified", "used"]),
    (3, Loss::Log, 60 * 60, ["antithetic", "none"]),
    (3, Loss::Log, 60 * 288, ["stratified", "none"]),
];

/// The rows of these forms, and a forest of them, for which the form does not depend on the seed of samples.
fn grown(n_classes: u32) -> (Dataset, Forest) {
    let shape = Shape { n_rows: 60, n_classes, missing: true, weights: false, seed: 2 };
    let data = dataset(shape);
    let forest = grow(&data, &ForestConfig { n_trees: 5, seed: 11, ..ForestConfig::default() });
    (data, forest)
}

fn form(found: &Importance) -> [&str; 2] {
    ["orders", "control_variates"].map(|key| found.settings[key].as_str())
}

fn singles(n: usize) -> Vec<Vec<usize>> {
    (0..n).map(|column| vec![column]).collect()
}

/// Within 5 standard errors of all orders, which may be known with 7 degrees of freedom only; the sum
/// is exact.
fn assert_agrees(found: &Importance, expected: &[f64]) {
    let form = form(found);
    for ((value, error), expected) in values(found).iter().zip(errors(found)).zip(expected) {
        let gap = (value - expected).abs();
        assert!(gap <= 5.0 * error + 1e-9, "{form:?}: {value} ± {error}, {expected}");
    }
    let (sum, whole): (f64, f64) = (values(found).iter().sum(), expected.iter().sum());
    assert_close(sum, whole, "sum");
}

/// A set of stratified orders of three groups holds all six.
#[test]
fn three_groups_leave_nothing_to_chance() {
    let columns = named(&[&["one", "few"], &["two", "tied"], &["constant", "more"]]);
    let groups = [vec![0, 4], vec![1, 2], vec![3, 5]];
    for (n_classes, losses) in
        [(0, [Loss::Squared, Loss::Absolute]), (3, [Loss::Squared, Loss::Log])]
    {
        let shape = Shape { n_rows: 50, n_classes, missing: true, weights: false, seed: 3 };
        let table = dataset(shape);
        let data = table.clone().with_groups(&columns).expect("groups");
        let forest = grow(&data, &ForestConfig { n_trees: 5, ..ForestConfig::default() });
        for loss in losses {
            let (explained, background) = (0..50, 0..50);
            let case = Case { forest: &forest, table: &table, explained, background, loss };
            // Whoever asks for a precision gets the like: of antithetic orders, a few alike would
            // show no error of a value that is wrong.
            let precise = MeasureSettings { loss: Some(loss), ..MeasureSettings::default() };
            for (settings, orders) in [(exactly(50 * 48, loss), "stratified"), (precise, "all")] {
                let found = measure(&forest, &data, settings, 2);
                assert_eq!(form(&found), [orders, "none"]);
                for (found, expected) in values(&found).into_iter().zip(case.brute_force(&groups)) {
                    assert_close(found, expected, &format!("{n_classes} {loss:?}"));
                }
                assert!(errors(&found).into_iter().all(|error| error < 1e-9), "{loss:?}");
            }
        }
    }
}

/// All forms agree with all orders, of rows with categories and missing values.
#[test]
fn every_form_agrees_with_all_orders() {
    for (n_classes, loss, samples, expected_form) in FORMS {
        let (data, forest) = grown(n_classes);
        let (explained, background) = (0..60, 0..60);
        let case = Case { forest: &forest, table: &data, explained, background, loss };
        let expected = case.brute_force(&singles(6));
        for seed in 0..3 {
            let settings = MeasureSettings { seed, ..exactly(samples, loss) };
            let found = measure(&forest, &data, settings.clone(), 1);
            assert_eq!(form(&found), expected_form, "{loss:?} {samples}");
            assert_agrees(&found, &expected);
            assert_eq!(found, measure(&forest, &data, settings, 2), "threads");
        }
    }
}

/// The Shapley values of groups are not the sums of those of their columns, so that no control variate
/// is known.
#[test]
fn groups_have_no_control_variates() {
    let (table, _) = grown(0);
    let columns = named(&[&["one", "more"], &["two"], &["tied"], &["few", "constant"]]);
    let data = table.clone().with_groups(&columns).expect("groups");
    let forest = grow(&data, &ForestConfig { n_trees: 5, ..ForestConfig::default() });
    let (explained, background, loss) = (0..60, 0..60, Loss::Squared);
    let case = Case { forest: &forest, table: &table, explained, background, loss };
    let groups = [vec![0, 5], vec![1], vec![2], vec![3, 4]];
    let found = measure(&forest, &data, exactly(60 * 400, loss), 2);
    assert_eq!(form(&found), ["stratified", "none"]);
    assert_agrees(&found, &case.brute_force(&groups));
}

/// Where a part of the rows was drawn, values still sum up to what all rows lose, by their weights.
#[test]
fn a_part_of_weighted_rows_sums_up_to_the_loss_of_all() {
    let shape = Shape { n_rows: 340, n_classes: 0, missing: true, weights: false, seed: 7 };
    let weights = (0..340).map(|row| if row < 40 { 1.0 } else { 0.25 * f64::from(row % 7) });
    let table = dataset(shape).with_weights(weights.collect()).expect("valid weights");
    let rows = |range: std::ops::Range<u32>| range.collect::<Vec<u32>>();
    let training = table.select(&rows(0..40)).expect("rows");
    let test = Some(Arc::new(table.select(&rows(40..340)).expect("rows")));
    let forest = grow(&training, &ForestConfig { n_trees: 4, ..ForestConfig::default() });
    for loss in [Loss::Squared, Loss::Absolute] {
        let (explained, background) = (40..340, 0..40);
        let case = Case { forest: &forest, table: &table, explained, background, loss };
        let whole = case.loss_with(&[]) - case.loss_with(&[0, 1, 2, 3, 4, 5]);
        let settings = MeasureSettings { test: test.clone(), ..exactly(150, loss) };
        let found = measure(&forest, &training, settings, 2);
        assert!(found.settings["samples"].parse::<usize>().expect("a number") < 250);
        assert_close(values(&found).iter().sum(), whole, "sum");
    }
}

/// Weighted rows of a test table, more than one block of them, and another background.
#[test]
fn weighted_test_rows_with_control_variates() {
    let shape = Shape { n_rows: 80, n_classes: 3, missing: true, weights: false, seed: 12 };
    let weights = (0..80).map(|row| if row < 40 { 1.0 } else { 0.25 * f64::from(row % 7) });
    let table = dataset(shape).with_weights(weights.collect()).expect("valid weights");
    let rows = |range: std::ops::Range<u32>| range.collect::<Vec<u32>>();
    let training = table.select(&rows(0..40)).expect("rows");
    let test = Arc::new(table.select(&rows(40..80)).expect("rows"));
    let forest = grow(&training, &ForestConfig { n_trees: 4, ..ForestConfig::default() });
    let (explained, background, loss) = (40..80, 0..40, Loss::Squared);
    let case = Case { forest: &forest, table: &table, explained, background, loss };
    let expected = case.brute_force(&singles(6));
    for (samples, orders) in [(40 * 60, "antithetic"), (40 * 288, "stratified")] {
        let settings = MeasureSettings { test: Some(Arc::clone(&test)), ..exactly(samples, loss) };
        let found = measure(&forest, &training, settings, 2);
        assert_eq!(form(&found), [orders, "used"]);
        assert_agrees(&found, &expected);
    }
}

/// Over 60 seeds values vary as much as their standard errors, in every form; and with stratified
/// orders less than with as many antithetic ones.
#[test]
fn standard_errors_tell_the_spread_over_seeds_in_every_form() {
    let mut of_plain = f64::NAN;
    for (n_classes, loss, samples, expected_form) in FORMS {
        let (data, forest) = grown(n_classes);
        let of_seed = |seed| {
            // The same background for all.
            let background_rows = Some(60);
            let settings = MeasureSettings { seed, background_rows, ..exactly(samples, loss) };
            measure(&forest, &data, settings, 2)
        };
        let runs: Vec<Importance> = (0..60).map(of_seed).collect();
        assert!(runs.iter().all(|run| form(run) == expected_form), "{expected_form:?}");
        let mut variance = 0.0;
        for column in [0, 1, 2, 4, 5] {
            let found: Vec<f64> = runs.iter().map(|run| values(run)[column]).collect();
            let mean = found.iter().sum::<f64>() / 60.0;
            let spread = found.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 59.0;
            let stated = runs.iter().map(|run| errors(run)[column]).sum::<f64>() / 60.0;
            let ratio = spread.sqrt() / stated;
            let what = format!("{n_classes} classes, {loss:?}, {samples}, column {column}");
            assert!((0.75..1.3).contains(&ratio), "{what}: {ratio}");
            variance += spread * samples as f64;
        }
        match expected_form {
            ["antithetic", "none"] => of_plain = variance,
            ["stratified", _] if n_classes == 0 || loss == Loss::Log => {
                assert!(variance < 0.7 * of_plain, "{expected_form:?}: {variance}, {of_plain}");
            }
            _ => {}
        }
    }
}

/// Forests that predict the ten digits without error, from segments that share information.
fn digits() -> (Dataset, Forest) {
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
    (data, forest)
}

/// Where much is left to be drawn for the precision asked for, sampling goes on with stratified orders,
/// and for squared loss with control variates.
#[test]
fn sampling_goes_on_in_the_way_that_pays() {
    let (data, forest) = digits();
    for (loss, precision, expected_form) in [
        (Loss::Squared, 0.3, ["antithetic", "none"]),
        (Loss::Squared, 0.005, ["stratified", "used"]),
        (Loss::Log, 0.001, ["stratified", "none"]),
    ] {
        let (explained, background) = (0..10, 0..10);
        let case = Case { forest: &forest, table: &data, explained, background, loss };
        let expected = case.brute_force(&singles(7));
        let settings = MeasureSettings {
            loss: Some(loss),
            precision: Some(precision),
            ..MeasureSettings::default()
        };
        let found = measure(&forest, &data, settings.clone(), 1);
        assert_eq!(form(&found), expected_form, "{loss:?} {precision}");
        assert_agrees(&found, &expected);
        let most = values(&found).into_iter().fold(f64::MIN, f64::max);
        let range = most - values(&found).into_iter().fold(f64::MAX, f64::min);
        let worst = errors(&found).into_iter().fold(0.0, f64::max);
        assert!(worst <= precision * range, "{worst} of {range}");
        assert_eq!(found, measure(&forest, &data, settings, 2), "threads");
    }
}

/// Four and five groups are explained by all orders, however precise: drawn ones are often worth the
/// same, and would then show no error of a value that is wrong. Of many rows, blocks differ.
#[test]
fn few_players_are_explained_by_all_orders() {
    let four: &[&[&str]] = &[&["one", "more"], &["two"], &["tied"], &["few", "constant"]];
    let five: &[&[&str]] = &[&["one"], &["two"], &["tied"], &["few", "constant"], &["more"]];
    let groups_of = [
        (four, vec![vec![0, 5], vec![1], vec![2], vec![3, 4]]),
        (five, vec![vec![0], vec![1], vec![2], vec![3, 4], vec![5]]),
    ];
    for (names, groups) in groups_of {
        for (n_classes, loss) in [(0, Loss::Squared), (0, Loss::Absolute), (3, Loss::Log)] {
            let (table, _) = grown(n_classes);
            let data = table.clone().with_groups(&named(names)).expect("groups");
            let forest = grow(&data, &ForestConfig { n_trees: 5, ..ForestConfig::default() });
            let (explained, background) = (0..60, 0..60);
            let case = Case { forest: &forest, table: &table, explained, background, loss };
            let expected = case.brute_force(&groups);
            for seed in 0..2 {
                let precision = Some(0.2);
                let settings =
                    MeasureSettings { loss: Some(loss), seed, precision, ..Default::default() };
                let found = measure(&forest, &data, settings, 2);
                assert_eq!(form(&found), ["all", "none"]);
                for (found, expected) in values(&found).into_iter().zip(&expected) {
                    assert_close(found, *expected, &format!("{} players, {loss:?}", groups.len()));
                }
                assert!(errors(&found).into_iter().all(|error| error == 0.0), "{loss:?}");
                assert!(!found.notes.iter().any(|note| note.contains("precision")));
            }
        }
    }
}
