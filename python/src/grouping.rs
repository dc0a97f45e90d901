//! How inputs depend on each other, and which of them look like one.

use pyo3::prelude::*;
use wald::grouping::{GroupRule, dependences, suggest_groups};

use crate::data::Dataset;
use crate::forest::threads as of_number;
use crate::results;
use crate::watch::{Work, watched};

/// Members of two clusters that merge, and their mean dependence.
type Merge = (usize, usize, f64);

/// Names of columns, their dependences as a matrix, and the merges of average linkage.
#[pyfunction]
#[pyo3(signature = (data, *, work))]
pub(crate) fn dependence<'py>(
    data: &Dataset,
    work: Work<'py>,
) -> PyResult<(Vec<String>, Bound<'py, PyAny>, Vec<Merge>)> {
    let py = work.py;
    let found = work.watched(|run| dependences(&data.0, run))?;
    let names = data.0.features().names();
    let matrix = results::grid(py, found.values, names.len())?;
    Ok((names, matrix, found.merges))
}

/// Names of groups that the data suggest, with their columns: by name, or by dependence of at
/// least the threshold.
#[pyfunction]
#[pyo3(signature = (data, threshold, *, threads=None))]
pub(crate) fn suggested_groups(
    py: Python<'_>,
    data: &Dataset,
    threshold: Option<f64>,
    threads: Option<usize>,
) -> PyResult<Vec<(String, Vec<String>)>> {
    let threads = of_number(py, threads)?;
    let rule = match threshold {
        None => GroupRule::Names,
        Some(threshold) => GroupRule::Dependence { threshold },
    };
    let found = watched(py, threads, None, |run| suggest_groups(&data.0, rule, run))?;
    Ok(found.into_iter().map(|group| (group.name, group.columns)).collect())
}
