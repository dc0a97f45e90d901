//! Runs of functions whose total Sobol indices are known.

use std::sync::Arc;

use wald::data::{Column, Target};
use wald::work::{Purpose, Stream};
use wald::{Dataset, ForestConfig, Threads};
use wald_surrogate::Settings;

/// Runs of a function at inputs that are uniform between two numbers.
pub(crate) fn runs(n: usize, between: &[(f64, f64)], f: impl Fn(&[f64]) -> f64) -> Arc<Dataset> {
    let mut stream = Stream::new(7, 0, Purpose::Simulation { part: 1 });
    let mut columns = vec![Vec::new(); between.len()];
    let mut outputs = Vec::new();
    for _ in 0..n {
        let row: Vec<f64> =
            between.iter().map(|(low, high)| low + (high - low) * stream.unit()).collect();
        outputs.push(f(&row));
        columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    table(columns, outputs)
}

/// A table with inputs x1, x2, ... and target y.
pub(crate) fn table(columns: Vec<Vec<f64>>, outputs: Vec<f64>) -> Arc<Dataset> {
    let named = columns.into_iter().enumerate();
    let columns = named.map(|(at, values)| {
        Column::numeric(format!("x{}", at + 1), values).expect("finite numbers")
    });
    let target = Target::regression("y", outputs).expect("finite numbers");
    Arc::new(Dataset::new(columns.collect(), target).expect("equal lengths"))
}

/// x1 + x2² + x1 x2 + 0 x3, whose inputs are uniform between -1 and 1: parts of the variance are 1/3 of x1,
/// 4/45 of x2, and 1/9 of both together.
pub(crate) fn polynomial(n: usize) -> Arc<Dataset> {
    runs(n, &[(-1.0, 1.0); 3], |x| x[0] + x[1] * x[1] + x[0] * x[1])
}

/// Settings that make tests short.
pub(crate) fn small(n_rows: usize, n_trees: usize) -> Settings {
    let forest = ForestConfig { n_trees, ..ForestConfig::default() };
    Settings { n_rows, n_draws: 3, forest, ..Settings::default() }
}

pub(crate) fn threads(n: usize) -> wald::Run {
    wald::Run::on(Threads::new(n).expect("a number of threads"))
}
