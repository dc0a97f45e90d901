//! Functions whose values are known.

use std::f64::consts::PI;

/// Inputs that fill the unit cube evenly: multiples of square roots of primes, without whole parts.
pub(crate) fn columns(n_rows: usize, n_inputs: usize, seed: usize) -> Vec<Vec<f64>> {
    let primes = [2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0, 29.0_f64];
    let column = |input: usize| {
        let value = |row: usize| ((row + 17 * seed + 1) as f64 * primes[input].sqrt()).fract();
        (0..n_rows).map(value).collect()
    };
    (0..n_inputs).map(column).collect()
}

/// Friedman's first function, of as many of its five inputs as there are.
pub(crate) fn friedman(columns: &[Vec<f64>]) -> Vec<f64> {
    let of_row = |row: usize| {
        let x = |input: usize| columns.get(input).map_or(0.5, |column| column[row]);
        10.0 * (PI * x(0) * x(1)).sin() + 20.0 * (x(2) - 0.5).powi(2) + 10.0 * x(3) + 5.0 * x(4)
    };
    (0..columns[0].len()).map(of_row).collect()
}
