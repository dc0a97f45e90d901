//! The designs of the papers' simulations.

use pyo3::prelude::*;
use serde_json::json;
use wald::simulate::Design;

use crate::arguments::{one_of, refuse};
use crate::data;
use crate::errors;

/// What every design is, as JSON.
#[pyfunction]
pub(crate) fn designs(py: Python<'_>) -> PyResult<String> {
    let of = |design: &Design| {
        let info = design.info();
        json!({
            "id": info.id, "name": info.name, "n_columns": info.n_columns, "inputs": info.inputs,
            "target": info.target, "relevant": info.relevant, "source": info.source,
        })
    };
    let all: Vec<_> = Design::ALL.iter().map(of).collect();
    serde_json::to_string(&all).map_err(|error| errors::internal(py, &error.to_string()))
}

/// Columns by name, the target's the last, and the positions of the inputs that matter.
type Drawn<'py> = (Vec<(String, Bound<'py, PyAny>)>, Vec<usize>);

/// Rows of a design.
#[pyfunction]
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    name: &str,
    rows: usize,
    seed: u64,
) -> PyResult<Drawn<'py>> {
    let Some(design) = Design::parse(name) else {
        let known: Vec<&str> = Design::ALL.iter().map(|design| design.id()).collect();
        return Err(refuse(py, "design", &format!("{name:?} is not a design"), &one_of(&known)));
    };
    let drawn = design.draw(rows, seed).map_err(|error| errors::exception(py, &error))?;
    let columns = drawn.features().columns().iter();
    let mut columns: Vec<_> =
        columns.map(|column| data::cells(py, column)).collect::<PyResult<_>>()?;
    let target = data::target_cells(py, drawn.target().response())?;
    columns.push((drawn.target().name().to_owned(), target));
    Ok((columns, design.relevant(seed)))
}
