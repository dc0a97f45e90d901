//! The bytes of a table, and of its ranks.

use crate::data::{Column, ColumnData, Dataset, GUIDED, Response};
use crate::forest::ForestConfig;
use crate::memory::size::LIST;

/// Values of a column that are looked at to learn whether they repeat: among so many, ties show
/// unless there are millions of distinct values.
const SAMPLE: usize = 4096;

/// The cells, and the names of columns and levels.
pub(super) fn cells(data: &Dataset) -> f64 {
    let rows = data.n_rows() as f64;
    let columns = data.features().columns().iter().map(|column| {
        let cells = match column.data() {
            ColumnData::Numeric(_) => 8.0 * rows,
            ColumnData::Categorical(categories) => {
                let names = categories.levels().iter().map(|level| LIST + level.len() as f64);
                4.0 * rows + names.sum::<f64>()
            }
        };
        cells + (size_of::<Column>() + column.name().len()) as f64 + 2.0 * LIST
    });
    let response = match data.target().response() {
        Response::Regression(_) => 8.0,
        Response::Classification(_) => 4.0,
        Response::Several(outputs) => 8.0 * outputs.n_outputs() as f64,
    };
    let weights = if data.weights().is_some() { 8.0 } else { 0.0 };
    let clusters = if data.clusters().is_some() { 4.0 } else { 0.0 };
    // Groups are named and listed besides.
    columns.sum::<f64>()
        + 2.0 * LIST * data.groups().n_groups() as f64
        + rows * (response + weights + clusters)
}

/// Codes, orders and distinct values of the columns, names of levels, the response.
pub(super) fn ranks(data: &Dataset) -> f64 {
    let rows = data.n_rows() as f64;
    let order = if u16::try_from(data.n_rows()).is_ok() { 2.0 } else { 4.0 };
    let columns = data.features().columns().iter().map(|column| match column.data() {
        ColumnData::Numeric(values) => match share_listed(values) {
            // Of values that all differ, some are listed.
            0.0 => 8.0 / GUIDED as f64 * rows,
            share => 8.0 * rows * share,
        },
        ColumnData::Categorical(categories) => {
            categories.levels().iter().map(|level| LIST + level.len() as f64).sum()
        }
    });
    let response = match data.target().response() {
        Response::Regression(_) => 16.0,
        Response::Classification(_) => 4.0,
        Response::Several(outputs) => 16.0 * outputs.n_outputs() as f64,
    };
    let weights = if data.weights().is_some() { 8.0 } else { 0.0 };
    // The sampler lists the rows of classes, where it draws from each, and of clusters, whose codes
    // stand beside the response, too.
    let classes = if data.target().classes().is_some() { 4.0 } else { 0.0 };
    let units = classes + if data.clusters().is_some() { 12.0 } else { 0.0 };
    columns.map(|values| values + rows * (4.0 + order) + 256.0).sum::<f64>()
        + rows * (response + weights + units)
}

/// The bins of all columns, by column and by row, where trees are grown on bins.
pub(super) fn bins(data: &Dataset, config: Option<&ForestConfig>) -> f64 {
    let is_binned = config.is_some_and(|config| config.max_bins.is_some());
    let cells = data.n_rows() as f64 * data.n_features() as f64;
    if is_binned { 2.0 * cells } else { 0.0 }
}

/// How many distinct values are listed, per row. None are if all differ; else a sample shows it: a
/// larger one holds more distinct values, but not a larger share of them.
fn share_listed(values: &[f64]) -> f64 {
    let step = values.len().div_ceil(SAMPLE).max(1);
    let mut sample: Vec<u64> =
        values.iter().step_by(step).filter(|value| !value.is_nan()).map(|v| v.to_bits()).collect();
    let n_present = sample.len();
    sample.sort_unstable();
    sample.dedup();
    if sample.len() == n_present { 0.0 } else { sample.len() as f64 / n_present as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_tells_whether_values_repeat() {
        let share = |value: &dyn Fn(u32) -> f64| {
            share_listed(&(0..100_000).map(value).collect::<Vec<f64>>())
        };
        assert_eq!(share(&|row| f64::from(row)), 0.0);
        assert!(share(&|_| 1.0) < 0.01);
        assert!(share(&|row| f64::from(row % 7)) < 0.01);
        assert_eq!(share_listed(&[f64::NAN; 3]), 0.0);
        assert_eq!(share_listed(&[f64::NAN, 1.0, 2.0, 2.0]), 2.0 / 3.0);
    }
}
