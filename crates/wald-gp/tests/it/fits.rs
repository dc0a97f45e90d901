//! Fits to functions that are known.

use wald::{Error, Run, Threads};
use wald_gp::{Design, FitSettings, Kernel, fit, fit_on};

use crate::known::{columns, friedman};

#[test]
fn a_smooth_function_is_predicted_from_few_runs() {
    let runs = columns(60, 5, 3);
    let process =
        fit(&Design::new(&runs, &friedman(&runs)).expect("a design"), &FitSettings::default());
    let process = process.expect("a fit");
    let fresh = columns(400, 5, 40);
    let outputs = friedman(&fresh);
    let mean = outputs.iter().sum::<f64>() / 400.0;
    let total: f64 = outputs.iter().map(|output| (output - mean).powi(2)).sum();
    let point = |row: usize| -> Vec<f64> { fresh.iter().map(|column| column[row]).collect() };
    let wrong: f64 = (0..400).map(|row| (outputs[row] - process.mean(&point(row))).powi(2)).sum();
    let q2 = 1.0 - wrong / total;
    assert!(q2 > 0.98, "{q2}");
    assert!(process.leave_one_out().q2 > 0.95);
    for row in [0, 7, 300] {
        let predicted = process.predict(&point(row));
        assert!((predicted.mean - process.mean(&point(row))).abs() < 1e-9);
        assert!(predicted.variance >= 0.0);
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let runs = columns(30, 6, 2);
    let design = Design::new(&runs, &friedman(&runs)).expect("a design");
    for &kernel in Kernel::ALL {
        let settings = FitSettings { kernel, n_starts: 5, seed: 1 };
        let one = fit(&design, &settings).expect("a fit");
        for threads in [2, 3] {
            let run = Run::on(Threads::new(threads).expect("a number"));
            let more = fit_on(&design, &settings, &run).expect("a fit");
            assert_eq!(more.parameters(), one.parameters());
        }
    }
}

#[test]
fn fits_can_be_cancelled() {
    let runs = columns(30, 3, 2);
    let design = Design::new(&runs, &friedman(&runs)).expect("a design");
    let run = Run::on(Threads::ONE);
    run.progress.cancel();
    let error = fit_on(&design, &FitSettings::default(), &run).expect_err("cancelled");
    assert_eq!(error, Error::Cancelled);
}

#[test]
fn searches_from_other_starts_end_at_the_same_likelihood() {
    // Three inputs of eight have influence, and the noise is a tenth.
    let runs = columns(60, 8, 2);
    let x = |input: usize, row: usize| std::f64::consts::PI * (2.0 * runs[input][row] - 1.0);
    let ishigami = |row: usize| {
        let (one, other, third) = (x(0, row), x(1, row), x(2, row));
        let noise = 4.0 * ((row as f64 * 0.618_034).fract() - 0.5);
        one.sin() * (1.0 + 0.1 * third.powi(4)) + 7.0 * other.sin().powi(2) + noise
    };
    let outputs: Vec<f64> = (0..60).map(ishigami).collect();
    let design = Design::new(&runs, &outputs).expect("a design");
    let likelihood = |seed| {
        let settings = FitSettings { seed, ..FitSettings::default() };
        let process = fit(&design, &settings).expect("a fit");
        process.parameters().likelihood(settings.kernel, &design).expect("regular").value
    };
    let found: Vec<f64> = (0..4).map(likelihood).collect();
    let range =
        found.iter().fold((f64::MAX, f64::MIN), |(low, high), one| (low.min(*one), high.max(*one)));
    assert!(range.1 - range.0 < 0.1, "{found:?}");
}
