//! Gradients against finite differences, leave-one-out errors against fits without the run.

use wald_gp::{Design, GaussianProcess, Kernel, Parameters};

use crate::known::{columns, friedman};

fn parameters(n_inputs: usize) -> Parameters {
    let log_lengths = (0..n_inputs).map(|at| 0.3 * at as f64 - 0.9).collect();
    Parameters { log_lengths, log_noise: -5.0 }
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let (columns, outputs) = (columns(40, 5, 1), friedman);
    let design = Design::new(&columns, &outputs(&columns)).expect("a design");
    for &kernel in Kernel::ALL {
        let at = parameters(5);
        let found = at.likelihood(kernel, &design).expect("regular").gradient;
        let value = |at: &Parameters| at.likelihood(kernel, &design).expect("regular").value;
        for (place, found) in found.iter().enumerate() {
            let moved = |by: f64| {
                let mut to = at.clone();
                if place < 5 {
                    to.log_lengths[place] += by;
                } else {
                    to.log_noise += by;
                }
                value(&to)
            };
            let numeric = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            let off = (found - numeric).abs();
            assert!(off < 1e-6 * (1.0 + numeric.abs()), "{kernel:?} {place}: {off:e}");
            // No derivative is small: a gradient of zeros would not pass.
            assert!(numeric.abs() > 0.2, "{kernel:?} {place}: {numeric}");
        }
    }
}

#[test]
fn leave_one_out_is_that_of_processes_without_the_run() {
    let columns = columns(25, 3, 2);
    let outputs = friedman(&columns);
    let design = Design::new(&columns, &outputs).expect("a design");
    for &kernel in Kernel::ALL {
        let at = parameters(3);
        let process = GaussianProcess::at(&design, kernel, at.clone()).expect("regular");
        let found = process.leave_one_out();
        for run in 0..25 {
            let shorter = |column: &Vec<f64>| {
                let mut column = column.clone();
                column.remove(run);
                column
            };
            let others: Vec<Vec<f64>> = columns.iter().map(shorter).collect();
            let rest = Design::new(&others, &shorter(&outputs)).expect("a design");
            // The ranges of the inputs change with the run, and the lengths with them.
            let range = |column: &[f64]| {
                let least = column.iter().copied().fold(f64::INFINITY, f64::min);
                column.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least
            };
            let moved = |(input, length): (usize, &f64)| {
                length + (range(&columns[input]) / range(&others[input])).ln()
            };
            let log_lengths = at.log_lengths.iter().enumerate().map(moved).collect();
            let parameters = Parameters { log_lengths, log_noise: at.log_noise };
            let without = GaussianProcess::at(&rest, kernel, parameters).expect("regular");
            let point: Vec<f64> = columns.iter().map(|column| column[run]).collect();
            let predicted = without.predict(&point);
            let error = outputs[run] - predicted.mean;
            let off = (found.errors[run] - error).abs();
            assert!(off < 1e-9, "{kernel:?} run {run}: {off:e}");
            // The variance of the process is that of all runs.
            let variance = predicted.variance * process.noise() / without.noise();
            let off = (found.variances[run] / (variance + process.noise()) - 1.0).abs();
            assert!(off < 1e-8, "{kernel:?} run {run}: {off:e}");
        }
        let largest = found.errors.iter().copied().fold(0.0, f64::max);
        assert!(largest > 0.5, "{kernel:?}: {largest}");
    }
}
