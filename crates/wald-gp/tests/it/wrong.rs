//! Runs that are odd or wrong.

use wald::Error;
use wald::message::Neutral;
use wald_gp::{Design, FitSettings, GaussianProcess, MOST_ROWS, fit};

use crate::known::{columns, friedman};

fn fitted(columns: &[Vec<f64>], outputs: &[f64]) -> GaussianProcess {
    let design = Design::new(columns, outputs).expect("a design");
    fit(&design, &FitSettings { n_starts: 4, ..FitSettings::default() }).expect("a fit")
}

/// Predictions of a process at its runs and beside them, which must be numbers.
fn predictions(process: &GaussianProcess, columns: &[Vec<f64>]) -> Vec<f64> {
    let point = |row: usize| -> Vec<f64> { columns.iter().map(|column| column[row]).collect() };
    let path = process.path(1);
    let predict = |row: usize| {
        let predicted = process.predict(&point(row));
        assert!(predicted.variance >= 0.0 && predicted.variance.is_finite(), "{predicted:?}");
        assert!(predicted.mean.is_finite() && path.value(&point(row)).is_finite());
        predicted.mean
    };
    let found = (0..columns[0].len()).map(predict).collect();
    let left_out = process.leave_one_out();
    assert!(left_out.q2 <= 1.0 && left_out.errors.iter().all(|error| error.is_finite()));
    assert!(left_out.variances.iter().all(|variance| *variance > 0.0 && variance.is_finite()));
    assert!(process.noise().is_finite());
    found
}

/// The largest difference, in standard deviations of the second.
fn difference(found: &[f64], expected: &[f64]) -> f64 {
    let n = expected.len() as f64;
    let mean = expected.iter().sum::<f64>() / n;
    let squares: f64 = expected.iter().map(|one| (one - mean).powi(2)).sum();
    let off = found.iter().zip(expected).map(|(found, expected)| (found - expected).abs());
    off.fold(0.0, f64::max) / (squares / n).sqrt()
}

fn moved(values: &[f64], times: f64, plus: f64) -> Vec<f64> {
    values.iter().map(|value| value * times + plus).collect()
}

#[test]
fn equal_inputs_with_unequal_outputs_are_noise() {
    let mut runs = columns(40, 2, 1);
    let smooth = friedman(&runs);
    let outputs: Vec<f64> =
        smooth.iter().map(|y| y + 2.0).chain(moved(&smooth, 1.0, -2.0)).collect();
    runs.iter_mut().for_each(|column| column.extend_from_within(..));
    let process = fitted(&runs, &outputs);
    assert!((process.noise() / 4.0 - 1.0).abs() < 0.3, "{}", process.noise());
    let found = predictions(&process, &runs);
    assert!(difference(&found[..40], &smooth) < 0.5);
}

#[test]
fn repeated_runs_change_nothing() {
    let mut runs = columns(30, 2, 1);
    let mut outputs = friedman(&runs);
    let alone = fitted(&runs, &outputs);
    runs.iter_mut().for_each(|column| column.extend_from_within(5..));
    outputs.extend_from_within(5..);
    let design = Design::new(&runs, &outputs).expect("a design");
    assert_eq!(design.n_rows(), 30);
    let twice = fitted(&runs, &outputs);
    let fresh = columns(50, 2, 5);
    assert_eq!(predictions(&twice, &fresh), predictions(&alone, &fresh));
    assert_eq!(twice.leave_one_out(), alone.leave_one_out());
    // Where the model is noisy, equal outputs are by chance.
    outputs[0] += 0.1;
    runs.iter_mut().for_each(|column| column.push(column[0]));
    outputs.push(outputs[0] - 0.1);
    let design = Design::new(&runs, &outputs).expect("a design");
    assert_eq!(design.n_rows(), 56);
    predictions(&fitted(&runs, &outputs), &fresh);
}

#[test]
fn units_of_inputs_and_outputs_change_nothing() {
    let runs = columns(30, 3, 1);
    let outputs = friedman(&runs);
    let expected = predictions(&fitted(&runs, &outputs), &runs);
    let units = [(1e-9, 0.0), (1e9, 0.0), (1e-3, 1e3), (1e-300, 0.0), (1e300, -5e299)];
    for (times, plus) in units {
        let other: Vec<Vec<f64>> = runs.iter().map(|column| moved(column, times, plus)).collect();
        let found = predictions(&fitted(&other, &outputs), &other);
        assert!(difference(&found, &expected) < 1e-3, "inputs times {times:e}");
    }
    for (times, plus) in [(1e-9, 0.0), (1e9, 0.0), (1e-3, 1e8), (1e-140, 0.0), (1e140, 0.0)] {
        let found = predictions(&fitted(&runs, &moved(&outputs, times, plus)), &runs);
        let expected = moved(&expected, times, plus);
        assert!(difference(&found, &expected) < 1e-3, "outputs times {times:e} plus {plus:e}");
    }
}

#[test]
fn constant_inputs_have_no_influence() {
    let runs = columns(30, 3, 1);
    let outputs = friedman(&runs);
    let without = fitted(&runs, &outputs);
    let mut more = runs.clone();
    more.insert(1, vec![-7.0; 30]);
    more.push((0..30).map(|run| if run % 2 == 0 { 0.1 + 0.2 } else { 0.3 }).collect());
    let with = fitted(&more, &outputs);
    let path = (without.path(3), with.path(3));
    for at in [0.1, 0.5, 1.4] {
        let expected = without.predict(&[at, 0.3, 0.6]);
        assert_eq!(with.predict(&[at, -7.0, 0.3, 0.6, 0.3]), expected);
        assert_eq!(with.predict(&[at, 1e9, 0.3, 0.6, -50.0]), expected);
        assert!(path.1.value(&[at, 1e9, 0.3, 0.6, -50.0]).is_finite());
    }
}

#[test]
fn few_runs_are_fitted() {
    for (n_runs, n_inputs) in [(3, 1), (3, 10), (5, 10), (8, 9)] {
        let runs = columns(n_runs, n_inputs, 2);
        let process = fitted(&runs, &friedman(&runs));
        predictions(&process, &runs);
        predictions(&process, &columns(20, n_inputs, 3));
    }
}

#[test]
fn points_far_away_are_predicted_by_the_mean() {
    let runs = columns(30, 3, 1);
    let process = fitted(&runs, &friedman(&runs));
    let far = process.predict(&[1e300, -1e12, 0.5]);
    assert_eq!(process.mean(&[1e300, 0.1, -f64::MAX]), far.mean);
    assert!(far.variance.is_finite() && far.variance > 0.0);
    assert!(process.path(1).value(&[1e300, -1e12, 0.5]).is_finite());
}

#[test]
fn functions_that_are_known_exactly_are_fitted() {
    let runs = columns(40, 2, 1);
    let linear: Vec<f64> =
        runs[0].iter().zip(&runs[1]).map(|(one, other)| one - 2.0 * other).collect();
    assert!(difference(&predictions(&fitted(&runs, &linear), &runs), &linear) < 1e-3);
    let step: Vec<f64> = runs[0].iter().map(|x| f64::from(u8::from(*x > 0.5))).collect();
    predictions(&fitted(&runs, &step), &runs);
    let mut spike = vec![0.0; 40];
    spike[7] = 1.0;
    predictions(&fitted(&runs, &spike), &runs);
}

/// Checks that runs are refused, what is said to be wrong, and how to mend it.
fn refused(columns: &[Vec<f64>], outputs: &[f64], what: &str, help: &str) {
    let error = Design::new(columns, outputs).expect_err(what);
    assert!(error.to_string().contains(what), "{what}: {error}");
    let Error::Data { help: words, .. } = error else { panic!("{error}") };
    let words = words.worded(&Neutral);
    assert!(words.contains(help), "{help}: {words}");
}

#[test]
fn tables_of_another_shape_are_refused() {
    let runs = columns(5, 2, 1);
    let outputs = friedman(&runs);
    refused(&[], &outputs, "no inputs", "every input");
    refused(&runs, &outputs[..4], "same number of runs", "every input");
    refused(&runs, &[1.0, 2.0], "3 runs or more; there are 2", "add runs");
    let many = columns(MOST_ROWS + 1, 2, 1);
    refused(&many, &friedman(&many), "2001 runs is not fitted", "the forest directly");
    let repeated = [vec![1.0, 2.0, 2.0, 1.0, 1.0]];
    refused(&repeated, &[3.0, 4.0, 4.0, 3.0, 3.0], "that differ; there are 2", "add runs");
}

#[test]
fn values_that_are_not_numbers_are_refused() {
    let mut runs = columns(5, 2, 1);
    let outputs = friedman(&runs);
    refused(&runs, &[1.0, 2.0, f64::INFINITY, 3.0, 4.0], "output of run 3", "leave out");
    runs[1][3] = f64::NAN;
    refused(&runs, &outputs, "input 2 in run 4", "leave out");
}

#[test]
fn values_without_variance_are_refused() {
    let runs = columns(5, 2, 1);
    let outputs = friedman(&runs);
    let flat = vec![0.1; 5];
    refused(&runs, &flat, "no variance", "differs between runs");
    refused(&runs, &moved(&outputs, 1e-9, 1e8), "no variance", "differs between runs");
    refused(&[flat.clone(), flat], &outputs, "all inputs are constant", "differs between");
}

#[test]
fn values_beyond_double_precision_are_refused() {
    let runs = columns(5, 2, 1);
    let outputs = friedman(&runs);
    refused(&runs, &moved(&outputs, 1e300, 0.0), "too large or too small", "multiply");
    refused(&runs, &moved(&outputs, 1e-300, 0.0), "too large or too small", "multiply");
    let widest = vec![-f64::MAX, 0.0, 1.0, 2.0, f64::MAX];
    refused(&runs, &widest, "too large or too small", "multiply");
    refused(&[widest], &outputs, "values of input 1 are too far apart", "divide");
}
