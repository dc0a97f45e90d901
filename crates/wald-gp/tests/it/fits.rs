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
