//! Weights of training rows, and what follows from them.

use std::sync::Arc;

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use wald::weights::{Centre, Rows};

use crate::data::{Dataset, Table};
use crate::forest::Forest;
use crate::results;
use crate::watch::Work;

fn rows(table: Option<&Table>) -> Rows<'_> {
    table.map_or(Rows::OutOfBag, |table| Rows::Of(&table.0))
}

/// Quantiles of rows: an array of rows and levels; `table` is `None` for the rows of training, by the
/// trees that did not see them.
#[pyfunction]
#[pyo3(signature = (forest, data, table, levels, *, work))]
pub(crate) fn quantiles<'py>(
    forest: &Forest,
    data: &Dataset,
    table: Option<&Table>,
    levels: Vec<f64>,
    work: Work<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let rows = rows(table);
    let found = work
        .watched(|run| forest.fitted(&data.0, run)?.quantiles(run)?.predict(rows, &levels, run))?;
    results::grid(work.py, found, levels.len())
}

/// Weights as a compressed sparse matrix: where the numbers of every row begin, their columns, and
/// the numbers.
#[pyfunction]
#[pyo3(signature = (forest, data, table, *, work))]
pub(crate) fn weights<'py>(
    forest: &Forest,
    data: &Dataset,
    table: Option<&Table>,
    work: Work<'py>,
) -> PyResult<Bound<'py, PyTuple>> {
    let (mut starts, mut columns, mut numbers) = (vec![0_i64], Vec::new(), Vec::new());
    let rows = rows(table);
    work.watched(|run| {
        forest.fitted(&data.0, run)?.weights(run)?.each(rows, run, |_, others, weights| {
            columns.extend(others.iter().map(|&other| i64::from(other)));
            numbers.extend_from_slice(weights);
            starts.push(numbers.len() as i64);
        })
    })?;
    let py = work.py;
    let numbers = numbers.into_pyarray(py).into_any();
    let arrays = [starts.into_pyarray(py).into_any(), columns.into_pyarray(py).into_any(), numbers];
    PyTuple::new(py, arrays)
}

/// Scores of outlying rows of training.
#[pyfunction]
#[pyo3(signature = (forest, data, *, work))]
pub(crate) fn outliers<'py>(
    forest: &Forest,
    data: &Dataset,
    work: Work<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let found = work.watched(|run| forest.fitted(&data.0, run)?.weights(run)?.outliers(run))?;
    Ok(found.into_pyarray(work.py).into_any())
}

/// The prototype of every class by its name.
#[pyfunction]
#[pyo3(signature = (forest, data, n_neighbours, *, work))]
pub(crate) fn prototypes<'py>(
    forest: &Forest,
    data: &Dataset,
    n_neighbours: Option<usize>,
    work: Work<'py>,
) -> PyResult<Bound<'py, PyDict>> {
    let data = Arc::clone(&data.0);
    let found =
        work.watched(|run| forest.fitted(&data, run)?.weights(run)?.prototypes(n_neighbours, run))?;
    let (py, names) = (work.py, data.features().names());
    let all = PyDict::new(py);
    for prototype in found {
        let (centre, quartiles) = (PyDict::new(py), PyDict::new(py));
        for (name, of_variable) in names.iter().zip(&prototype.centre) {
            match of_variable {
                Centre::Number { lower, median, upper } => {
                    centre.set_item(name, median)?;
                    quartiles.set_item(name, (lower, upper))?;
                }
                Centre::Level(level) => centre.set_item(name, level)?,
            }
        }
        let neighbours: Vec<i64> = prototype.neighbours.into_iter().map(i64::from).collect();
        let one = PyDict::new(py);
        one.set_item("row", prototype.row)?;
        one.set_item("neighbours", neighbours.into_pyarray(py))?;
        one.set_item("centre", centre)?;
        one.set_item("quartiles", quartiles)?;
        all.set_item(prototype.class, one)?;
    }
    Ok(all)
}
