//! Fits to functions that are known.

use crate::known::{columns, friedman};
use wald_gp::{Design, FitSettings, fit};

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
