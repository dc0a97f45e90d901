//! Tables and data sets.

use std::sync::Arc;

use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray1, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyMapping;
use wald::Features;
use wald::data::{Categories, Column, ColumnData, MISSING_LEVEL, Outputs, Response, Target};
use wald_table::Reading;

use crate::{arguments, errors, results};

/// What a column is made of.
#[derive(FromPyObject)]
pub(crate) enum Cells<'py> {
    /// Names of levels, and their codes.
    Levels(Vec<String>, Aligned<'py, u32>),
    Numbers(Aligned<'py, f64>),
}

/// What a target is made of.
#[derive(FromPyObject)]
pub(crate) enum TargetCells<'py> {
    /// Names of outputs, their values row after row, and the number of targets.
    Several(Vec<String>, Aligned<'py, f64>, usize),
    One(Cells<'py>),
}

impl TargetCells<'_> {
    fn target(self, name: String) -> Result<Target, wald::Error> {
        match self {
            Self::One(Cells::Numbers(numbers)) => Target::regression(name, numbers.to_vec()),
            Self::One(Cells::Levels(classes, codes)) => {
                Target::classification(name, classes, codes.to_vec())
            }
            Self::Several(names, values, n_targets) => {
                Target::several(name, Outputs::new(names, values.to_vec(), n_targets)?)
            }
        }
    }
}

/// A target as Python gives it.
pub(crate) fn target_cells<'py>(
    py: Python<'py>,
    response: &Response,
) -> PyResult<Bound<'py, PyAny>> {
    match response {
        Response::Regression(values) => Ok(numbers(py, values)),
        Response::Classification(classes) => levels(py, classes),
        Response::Several(outputs) => {
            let values = outputs.values().to_pyarray(py);
            let made = (outputs.names().to_vec(), values, outputs.n_targets());
            Ok(made.into_pyobject(py)?.into_any())
        }
    }
}

/// An array of one dimension. Arrays that came over a network may begin at any byte: they are copied.
pub(crate) struct Aligned<'py, T: Element>(PyReadonlyArray1<'py, T>);

impl<'py, T: Element> FromPyObject<'_, 'py> for Aligned<'py, T> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let array = given.cast::<PyArray1<T>>()?;
        if array.getattr("flags")?.getattr("aligned")?.extract()? {
            return Ok(Self(array.try_readonly()?));
        }
        Ok(Self(array.call_method0("copy")?.cast_into::<PyArray1<T>>()?.try_readonly()?))
    }
}

impl<T: Element + Clone> Aligned<'_, T> {
    fn to_vec(&self) -> Vec<T> {
        self.0.as_array().to_vec()
    }
}

/// Input variables.
#[pyclass(frozen, module = "wald._native")]
pub(crate) struct Table(pub(crate) Features);

/// Input variables with a target, and weights and clusters of rows.
#[pyclass(frozen, module = "wald._native")]
pub(crate) struct Dataset(pub(crate) Arc<wald::Dataset>);

/// Names of groups with those of their columns.
pub(crate) struct Groups(Vec<(String, Vec<String>)>);

impl<'py> FromPyObject<'_, 'py> for Groups {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let Ok(groups) = given.cast::<PyMapping>() else {
            let help = "give a dict such as {\"size\": [\"height\", \"weight\"]}";
            return Err(arguments::no_value("groups", &given, help));
        };
        let of_group = |item: Bound<'py, PyAny>| {
            let (name, columns): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
            let name: String = arguments::part("groups", "the name of a group", &name)?;
            let columns = arguments::names_of("groups", &format!("group {name:?}"), &columns)?;
            Ok((name, columns))
        };
        groups.items()?.iter().map(of_group).collect::<PyResult<_>>().map(Self)
    }
}

/// What a data set is made of.
type Parts<'py> = (
    Vec<(String, Bound<'py, PyAny>)>,
    String,
    Bound<'py, PyAny>,
    Option<Bound<'py, PyArray1<f64>>>,
    Option<Bound<'py, PyArray1<u32>>>,
    Option<Vec<(String, Vec<String>)>>,
);

/// A column as Python gives it.
pub(crate) fn cells<'py>(
    py: Python<'py>,
    column: &Column,
) -> PyResult<(String, Bound<'py, PyAny>)> {
    let cells = match column.data() {
        ColumnData::Numeric(values) => numbers(py, values),
        ColumnData::Categorical(categories) => levels(py, categories)?,
    };
    Ok((column.name().to_owned(), cells))
}

pub(crate) fn numbers<'py>(py: Python<'py>, values: &[f64]) -> Bound<'py, PyAny> {
    values.to_pyarray(py).into_any()
}

/// The names of levels and their codes.
pub(crate) fn levels<'py>(py: Python<'py>, categories: &Categories) -> PyResult<Bound<'py, PyAny>> {
    let codes = categories.codes().to_pyarray(py);
    Ok((categories.levels().to_vec(), codes).into_pyobject(py)?.into_any())
}

/// Makes a data set that was pickled.
#[pyfunction]
#[pyo3(signature = (columns, name, target, weights, clusters, groups))]
pub(crate) fn _dataset(
    py: Python<'_>,
    columns: Vec<(String, Cells<'_>)>,
    name: String,
    target: TargetCells<'_>,
    weights: Option<Aligned<'_, f64>>,
    clusters: Option<Aligned<'_, u32>>,
    groups: Option<Vec<(String, Vec<String>)>>,
) -> PyResult<Dataset> {
    let table = Table::new(py, columns)?;
    Dataset::new(py, &table, name, target, weights, clusters, groups.map(Groups))
}

/// What becomes of a column that holds numbers and texts: `numbers`, `levels` or `refused`, the
/// position of the first text that is no number, and the numbers.
#[pyfunction]
pub(crate) fn reading_of(
    py: Python<'_>,
    texts: Vec<String>,
) -> (&'static str, Option<usize>, Bound<'_, PyArray1<f64>>) {
    let (reading, first, numbers) = wald_table::reading_of(&texts);
    let word = match reading {
        Reading::Numbers => "numbers",
        Reading::Levels => "levels",
        Reading::Refuse => "refused",
    };
    (word, first, numbers.to_pyarray(py))
}

/// Leaves out levels that no row has.
fn present(levels: Vec<String>, mut codes: Vec<u32>) -> (Vec<String>, Vec<u32>) {
    let mut place = vec![MISSING_LEVEL; levels.len()];
    let is_known = |code: u32| (code as usize) < levels.len();
    codes.iter().filter(|code| is_known(**code)).for_each(|&code| place[code as usize] = 0);
    let present = place.iter_mut().filter(|place| **place == 0);
    for (number, place) in (0..).zip(present) {
        *place = number;
    }
    for code in codes.iter_mut().filter(|code| is_known(**code)) {
        *code = place[*code as usize];
    }
    let kept = levels.into_iter().zip(place).filter(|(_, place)| *place != MISSING_LEVEL);
    (kept.map(|(level, _)| level).collect(), codes)
}

/// Columns by name.
type NamedCells<'py> = Vec<(String, Bound<'py, PyAny>)>;

#[pymethods]
impl Table {
    /// Columns by name: numbers (NaN is missing), or levels and codes (4294967295 is missing).
    #[new]
    fn new(py: Python<'_>, columns: Vec<(String, Cells<'_>)>) -> PyResult<Self> {
        let columns = columns.into_iter().map(|(name, cells)| match cells {
            Cells::Numbers(numbers) => Column::numeric(name, numbers.to_vec()),
            Cells::Levels(levels, codes) => {
                // As if the table had been read from a file.
                let (levels, codes) = present(levels, codes.to_vec());
                let (levels, codes) = wald_table::sorted_levels(levels, codes);
                Column::categorical(name, levels, codes)
            }
        });
        let columns = columns.collect::<Result<_, _>>();
        let features = columns.and_then(Features::new);
        features.map(Self).map_err(|error| errors::exception(py, &error))
    }

    #[getter]
    fn n_rows(&self) -> usize {
        self.0.n_rows()
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.0.names()
    }

    /// For pickle: the argument that makes it again.
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (NamedCells<'py>,))> {
        Ok((slf.get_type().into_any(), (slf.get().columns(slf.py())?,)))
    }

    /// Names and cells.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<NamedCells<'py>> {
        self.0.columns().iter().map(|column| cells(py, column)).collect()
    }
}

#[pymethods]
impl Dataset {
    /// `target` is numbers, classes and their codes, or the outputs of several targets, their values
    /// and the number of targets.
    #[new]
    #[pyo3(signature = (table, name, target, *, weights=None, clusters=None, groups=None))]
    fn new(
        py: Python<'_>,
        table: &Table,
        name: String,
        target: TargetCells<'_>,
        weights: Option<Aligned<'_, f64>>,
        clusters: Option<Aligned<'_, u32>>,
        groups: Option<Groups>,
    ) -> PyResult<Self> {
        let made = || {
            let target = target.target(name)?;
            let mut data = wald::Dataset::new(table.0.columns().to_vec(), target)?;
            if let Some(weights) = weights {
                data = data.with_weights(weights.to_vec())?;
            }
            if let Some(clusters) = clusters {
                data = data.with_clusters(clusters.to_vec())?;
            }
            match groups {
                Some(Groups(groups)) => data.with_groups(&groups),
                None => Ok(data),
            }
        };
        made().map(|data| Self(Arc::new(data))).map_err(|error| errors::exception(py, &error))
    }

    /// The same rows with columns put together, if any are.
    fn with_groups(&self, py: Python<'_>, groups: Option<Groups>) -> PyResult<Self> {
        let Some(Groups(groups)) = groups else {
            return Ok(Self(Arc::clone(&self.0)));
        };
        let data = wald::Dataset::clone(&self.0).with_groups(&groups);
        data.map(|data| Self(Arc::new(data))).map_err(|error| errors::exception(py, &error))
    }

    /// Whether forests grown on the two are equal.
    fn is_same(&self, other: &Self) -> bool {
        self.0.is_same(&other.0)
    }

    /// For pickle: the arguments that make it again.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let (py, data) = (slf.py(), &slf.get().0);
        let target = target_cells(py, data.target().response())?;
        let columns: Vec<_> = data
            .features()
            .columns()
            .iter()
            .map(|column| cells(py, column))
            .collect::<PyResult<_>>()?;
        let names = data.features().names();
        let member = |&at: &u32| names[at as usize].clone();
        let groups = data.groups();
        let groups = (!groups.are_single()).then(|| {
            let members =
                groups.members().iter().map(|columns| columns.iter().map(member).collect());
            groups.names().iter().cloned().zip(members).collect()
        });
        let again = py.import("wald._native")?.getattr("_dataset")?;
        let weights = data.weights().map(|weights| weights.to_pyarray(py));
        let clusters = data.clusters().map(|clusters| clusters.to_pyarray(py));
        Ok((again, (columns, data.target().name().to_owned(), target, weights, clusters, groups)))
    }

    #[getter]
    fn n_rows(&self) -> usize {
        self.0.n_rows()
    }

    /// The numbers of the target, or the codes of its classes; of several targets, rows of outputs.
    #[getter]
    fn target<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.0.target().response() {
            Response::Regression(values) => Ok(numbers(py, values)),
            Response::Classification(classes) => Ok(classes.codes().to_pyarray(py).into_any()),
            Response::Several(outputs) => {
                results::grid(py, outputs.values().to_vec(), outputs.n_outputs())
            }
        }
    }

    /// The input variables.
    #[getter]
    fn table(&self) -> Table {
        Table(self.0.features().clone())
    }

    /// The names of the groups of columns, or of the columns where there are none.
    #[getter]
    fn group_names(&self) -> Vec<String> {
        self.0.groups().names().to_vec()
    }
}

/// Refuses a sparse table whose columns, with their copy in the engine, do not fit into free memory
/// once they hold all their zeros.
#[pyfunction]
pub(crate) fn check_dense(py: Python<'_>, n_rows: u64, n_columns: u64) -> PyResult<()> {
    let bytes = n_rows.saturating_mul(n_columns).saturating_mul(2 * size_of::<f64>() as u64);
    let doing = "a sparse table with all its zeros, which trees read,";
    let help = "leave out columns or rows";
    wald::memory::check_bytes(doing, bytes, wald_table::free_memory(), help)
        .map_err(|error| errors::exception(py, &error))
}
