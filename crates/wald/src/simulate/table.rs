//! Rows that were drawn, as data sets.

use crate::data::{Column, Dataset, Target};
use crate::error::Error;

/// Rows of inputs and targets as a data set of the columns `x1`, `x2`, ... and the target `y`.
pub(super) fn dataset(
    n_rows: usize,
    n_columns: usize,
    mut row: impl FnMut(&mut [f64]) -> f64,
) -> Result<Dataset, Error> {
    let mut columns = vec![Vec::with_capacity(n_rows); n_columns];
    let mut target = Vec::with_capacity(n_rows);
    let mut inputs = vec![0.0; n_columns];
    for _ in 0..n_rows {
        target.push(row(&mut inputs));
        for (column, &value) in columns.iter_mut().zip(&inputs) {
            column.push(value);
        }
    }
    let named =
        (1..).zip(columns).map(|(number, values)| Column::numeric(format!("x{number}"), values));
    Dataset::new(named.collect::<Result<_, _>>()?, Target::regression("y", target)?)
}

/// The target `y` of the classes `0` and `1`.
pub(super) fn class_target(codes: Vec<u32>) -> Result<Target, Error> {
    Target::classification("y", vec!["0".to_owned(), "1".to_owned()], codes)
}
