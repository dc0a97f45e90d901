//! Forests.

use std::sync::{Arc, Mutex, PoisonError};

use numpy::{AllowTypeChange, PyArray1, PyArrayLike1, PyReadonlyArray1, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use wald::explain::{ExplanationOption, Rows, Shape};
use wald::forest::{ForestPart, Keep, Node, Tree, TreeArrays};
use wald::memory::Size;
use wald::pass::Measured;
use wald::work::notes_on_forest;
use wald::{Fitted, Run, Threads};

use crate::data::{Dataset, Table};
use crate::watch::{Work, watched};
use crate::{arguments, errors, results, settings, trees};

/// A grown, stored or foreign forest; it never changes.
#[pyclass(frozen, module = "wald._native")]
pub(crate) struct Forest(pub(crate) Arc<wald::Forest>, Mutex<Option<Arc<Fitted>>>);

impl Forest {
    fn of(forest: wald::Forest) -> Self {
        Self(Arc::new(forest), Mutex::default())
    }

    /// The tree of that position.
    fn at(&self, py: Python<'_>, tree: usize) -> PyResult<&Tree> {
        let refusal =
            || arguments::refuse(py, "tree", "there is no such tree", "give a smaller number");
        self.0.trees().get(tree).ok_or_else(refusal)
    }

    /// This forest on its training data, whose ranks are kept for the next call.
    pub(crate) fn fitted(
        &self,
        data: &Arc<wald::Dataset>,
        run: &Run,
    ) -> Result<Arc<Fitted>, wald::Error> {
        let mut known = self.1.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(fitted) = known.as_ref().filter(|fitted| Arc::ptr_eq(fitted.data(), data)) {
            return Ok(Arc::clone(fitted));
        }
        let fitted = Arc::new(Fitted::new(Arc::clone(&self.0), Arc::clone(data), run)?);
        *known = Some(Arc::clone(&fitted));
        Ok(fitted)
    }
}

/// Numbers of any type; -1 becomes the largest one, which is none.
type Numbers<'py, T> = PyArrayLike1<'py, T, AllowTypeChange>;

/// The numbers of a tree.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Arrays<'py> {
    feature: Numbers<'py, u32>,
    threshold: Numbers<'py, f64>,
    left: Numbers<'py, u32>,
    right: Numbers<'py, u32>,
    missing: Numbers<'py, u32>,
    value: Numbers<'py, f64>,
    weight: Option<Numbers<'py, f64>>,
    impurity: Option<Numbers<'py, f64>>,
    in_bag: Option<PyReadonlyArray1<'py, u16>>,
}

impl From<Arrays<'_>> for TreeArrays {
    fn from(given: Arrays<'_>) -> Self {
        Self {
            feature: given.feature.as_array().to_vec(),
            threshold: given.threshold.as_array().to_vec(),
            left: given.left.as_array().to_vec(),
            right: given.right.as_array().to_vec(),
            missing: given.missing.as_array().to_vec(),
            value: given.value.as_array().to_vec(),
            weight: given.weight.map(|list| list.as_array().to_vec()),
            impurity: given.impurity.map(|list| list.as_array().to_vec()),
            in_bag: given.in_bag.map(|list| list.as_array().to_vec()),
        }
    }
}

/// `None` for all processors.
pub(crate) fn threads(py: Python<'_>, n: Option<usize>) -> PyResult<Threads> {
    let threads = n.map_or(Ok(Threads::all()), Threads::new);
    threads.map_err(|error| errors::exception(py, &error))
}

/// The forest, and its out-of-bag results.
fn finish<'py>(
    py: Python<'py>,
    data: &wald::Dataset,
    fitted: Fitted,
    found: Measured,
) -> PyResult<(Forest, Bound<'py, PyDict>)> {
    let measured = results::measured(py, &found)?;
    let n_outputs = data.target().n_outputs();
    let predictions: Vec<f64> = (0..data.n_rows())
        .flat_map(|row| {
            let prediction = found.out_of_bag.prediction(row);
            prediction.unwrap_or_else(|| vec![f64::NAN; n_outputs])
        })
        .collect();
    measured.set_item("out_of_bag", results::grid(py, predictions, n_outputs)?)?;
    let forest = Arc::clone(fitted.forest());
    Ok((Forest(forest, Mutex::new(Some(Arc::new(fitted)))), measured))
}

#[pymethods]
impl Forest {
    /// Grows a forest, and measures its variables on the way; `config` is a JSON object of settings
    /// that differ from the defaults. Returns the forest, and its out-of-bag results.
    #[staticmethod]
    #[pyo3(signature = (data, config, measures=None, *, work))]
    fn grow<'py>(
        data: &Dataset,
        config: &str,
        measures: Option<settings::NamedMeasures<'py>>,
        work: Work<'py>,
    ) -> PyResult<(Self, Bound<'py, PyDict>)> {
        let py = work.py;
        let config = settings::config(py, config)?.without_defaults(&data.0);
        let measures = measures.map_or(Ok(Vec::new()), |measures| measures.measures())?;
        let data = Arc::clone(&data.0);
        work.check_room(&data, config.n_trees, || {
            Size::of_growing(&data, &config, &measures, Keep::Trees, work.threads)
        })?;
        let grow = |run: &_| Fitted::grow(Arc::clone(&data), &config, &measures, run);
        let grown = work.watched(grow)?;
        finish(py, &data, grown.0, grown.1)
    }

    /// Grows the trees that this forest lacks; `config` and `data` must be those of this forest
    /// but for the number of trees. Returns what `grow` would.
    #[pyo3(signature = (data, config, *, work))]
    fn grow_more<'py>(
        &self,
        data: &Dataset,
        config: &str,
        work: Work<'py>,
    ) -> PyResult<(Self, Bound<'py, PyDict>)> {
        let py = work.py;
        let config = settings::config(py, config)?.without_defaults(&data.0);
        let (forest, data) = (Arc::clone(&self.0), Arc::clone(&data.0));
        work.check_room(&data, config.n_trees, || {
            Size::of_growing(&data, &config, &[], Keep::Trees, work.threads)
        })?;
        let grow = |run: &_| Fitted::grow_more(&forest, Arc::clone(&data), &config, run);
        let grown = work.watched(grow)?;
        finish(py, &data, grown.0, grown.1)
    }

    /// One forest of ranges of its trees.
    #[staticmethod]
    fn merged(py: Python<'_>, forests: Vec<PyRef<'_, Self>>) -> PyResult<Self> {
        let part = |(number, forest): (usize, &PyRef<'_, Self>)| ForestPart {
            name: format!("forest {number}"),
            forest: wald::Forest::clone(&forest.0),
        };
        let parts = (1..).zip(&forests).map(part).collect();
        let merged = wald::Forest::merged(parts);
        merged.map(Self::of).map_err(|error| errors::exception(py, &error))
    }

    /// Reads a model file or `wald-forest` JSON.
    #[staticmethod]
    #[pyo3(signature = (bytes, data=None, *, threads=None))]
    fn read(
        py: Python<'_>,
        bytes: &[u8],
        data: Option<&Dataset>,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let threads = self::threads(py, threads)?;
        let data = data.map(|data| Arc::clone(&data.0));
        let read = |run: &_| wald::Forest::read(bytes, data.as_deref(), run);
        watched(py, threads, None, read).map(Self::of)
    }

    /// Reads `wald-forest` JSON whose numbers are arrays beside it, one dictionary for each tree.
    #[staticmethod]
    #[pyo3(signature = (document, trees, data=None, *, threads=None))]
    fn read_arrays(
        py: Python<'_>,
        document: &[u8],
        trees: Vec<Arrays<'_>>,
        data: Option<&Dataset>,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let threads = self::threads(py, threads)?;
        let data = data.map(|data| Arc::clone(&data.0));
        let trees = trees.into_iter().map(TreeArrays::from).collect();
        let read = |run: &_| wald::Forest::from_arrays(document, trees, data.as_deref(), run);
        watched(py, threads, None, read).map(Self::of)
    }

    /// The model file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = watched(py, Threads::ONE, None, |run| self.0.to_bytes_watched(&run.progress))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// For pickle: through the checked model file.
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let read = slf.get_type().getattr("read")?;
        Ok((read, (slf.get().to_bytes(slf.py())?,)))
    }

    /// `wald-forest` JSON.
    fn to_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.0.check_json().map_err(|error| errors::exception(py, &error))?;
        let mut bytes = Vec::new();
        let written = self.0.to_json(&mut bytes);
        written.map_err(|error| errors::internal(py, &error.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Numbers, or proportions of classes: an array of rows and outputs.
    #[pyo3(signature = (table, *, work))]
    fn predict<'py>(&self, table: &Table, work: Work<'py>) -> PyResult<Bound<'py, PyAny>> {
        let py = work.py;
        let predict = |run: &_| self.0.predict(&table.0, run);
        let predictions = work.watched(predict)?;
        results::grid(py, predictions, self.0.target().n_outputs())
    }

    /// The leaves that rows reach: an array of rows and trees.
    #[pyo3(signature = (table, *, threads=None))]
    fn leaves<'py>(
        &self,
        py: Python<'py>,
        table: &Table,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let threads = self::threads(py, threads)?;
        let leaves = watched(py, threads, None, |run| self.0.leaves(&table.0, run))?;
        results::grid(py, leaves, self.0.trees().len())
    }

    /// The leaves that rows reach in one tree.
    #[pyo3(signature = (tree, table, *, threads=None))]
    fn leaves_of_tree<'py>(
        &self,
        py: Python<'py>,
        tree: usize,
        table: &Table,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let threads = self::threads(py, threads)?;
        let leaves = |run: &_| self.0.leaves_of_tree(tree, &table.0, run);
        Ok(watched(py, threads, None, leaves)?.to_pyarray(py))
    }

    /// The nodes of a tree as arrays.
    fn tree<'py>(&self, py: Python<'py>, tree: usize) -> PyResult<Bound<'py, PyDict>> {
        trees::arrays(py, self.at(py, tree)?)
    }

    /// The parents of the nodes of a tree; the root is its own.
    fn parents<'py>(&self, py: Python<'py>, tree: usize) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let tree = self.at(py, tree)?;
        let mut parents = vec![0_u32; tree.n_nodes()];
        for (node, asked) in (0_u32..).zip(tree.nodes()) {
            if let Node::Split(split) = asked {
                parents[tree.children(split)].fill(node);
            }
        }
        Ok(parents.to_pyarray(py))
    }

    /// Measures the variables, by all measures in one pass over the trees.
    #[pyo3(signature = (data, measures, *, work))]
    fn measure<'py>(
        &self,
        data: &Dataset,
        measures: settings::NamedMeasures<'py>,
        work: Work<'py>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = work.py;
        let measures = measures.measures()?;
        work.check_room(&data.0, self.n_trees(), || {
            Ok(Size::of_measuring(&self.0, &data.0, &measures, work.threads))
        })?;
        let measure = |run: &_| self.fitted(&data.0, run)?.measure(&measures, run);
        results::measured(py, &work.watched(measure)?)
    }

    /// Explains rows by a local measure; `table` is `None` for the rows of training, and `test` has
    /// the rows and their target for measures of losses.
    #[pyo3(signature = (data, table, measure, *, test=None, work))]
    fn explain<'py>(
        &self,
        data: &Dataset,
        table: Option<&Table>,
        measure: settings::NamedExplanation<'py>,
        test: Option<&Dataset>,
        work: Work<'py>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = work.py;
        let asked = measure.explanation()?;
        let info = asked.0.info();
        if test.is_some() && !info.takes(ExplanationOption::Loss) {
            return Err(settings::not_taken(py, info.id, "y"));
        }
        let rows = match (test, table) {
            (Some(test), _) => Rows::WithTarget(&test.0),
            (None, Some(table)) => Rows::Other(&table.0),
            (None, None) => Rows::Training,
        };
        let explainer = self.0.explainer(&data.0, rows, asked.0, &asked.1);
        let explainer = explainer.map_err(|error| errors::exception(py, &error))?;
        let layout = explainer.layout();
        let mut values = Vec::with_capacity(layout.n_records() * layout.n_values());
        let mut shares = Vec::new();
        let keep = |_, record: &[f64]| {
            let (of_values, of_shares) = layout.parts(record);
            values.extend_from_slice(of_values);
            shares.extend_from_slice(of_shares);
        };
        work.watched(|run| explainer.run(run, keep))?;
        let result = PyDict::new(py);
        result.set_item("variables", &layout.variables)?;
        result.set_item("classes", &layout.classes)?;
        result.set_item("n_outputs", layout.n_outputs())?;
        result.set_item("is_mean", layout.is_mean)?;
        result.set_item("expected_value", explainer.expected_value().map(<[f64]>::to_vec))?;
        result.set_item("adds_up", explainer.adds_up())?;
        let (shape, grids) = match &layout.shape {
            Shape::Values(_) => ("values", None),
            Shape::Pairs(_) => ("pairs", None),
            Shape::Curves(grids) => ("curves", Some(settings::json(py, grids)?)),
            _ => return Err(errors::internal(py, "a shape that Python does not know")),
        };
        let of_rows = match rows {
            Rows::Training => data.0.weights(),
            Rows::WithTarget(test) => test.weights(),
            Rows::Other(_) => None,
        };
        let weights = of_rows.filter(|_| !layout.is_mean).map(|weights| weights.to_pyarray(py));
        result.set_item("weights", weights)?;
        result.set_item("shape", shape)?;
        result.set_item("grids", grids)?;
        result.set_item("values", results::grid(py, values, layout.n_values())?)?;
        let shares = layout.has_shares.then(|| results::grid(py, shares, layout.n_values()));
        result.set_item("shares_of_variance", shares.transpose()?)?;
        let own = explainer.notes().iter().cloned();
        let notes = own.chain(notes_on_forest(&data.0, &self.0));
        result.set_item("notes", notes.collect::<Vec<_>>())?;
        Ok(result)
    }

    /// Which trees did not see the rows: for each tree how often it drew every row, if known.
    fn in_bag<'py>(&self, py: Python<'py>, tree: usize) -> Option<Bound<'py, PyArray1<u32>>> {
        let bags = self.0.bags()?;
        bags.get(tree).map(|bag| {
            let counts: Vec<u32> = bag.counts().iter().map(|&count| u32::from(count)).collect();
            counts.to_pyarray(py)
        })
    }

    /// True while the ranks of the data are kept, so that measuring does not rank them again.
    fn keeps_ranks_of(&self, data: &Dataset) -> bool {
        let known = self.1.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().is_some_and(|fitted| Arc::ptr_eq(fitted.data(), &data.0))
    }

    #[getter]
    fn n_trees(&self) -> usize {
        self.0.trees().len()
    }

    #[getter]
    fn feature_names(&self) -> Vec<String> {
        self.0.features().iter().map(|feature| feature.name.clone()).collect()
    }

    #[getter]
    fn classes(&self) -> Option<Vec<String>> {
        self.0.target().classes.clone()
    }

    #[getter]
    fn target_name(&self) -> String {
        self.0.target().name.clone()
    }

    #[getter]
    fn has_bags(&self) -> bool {
        self.0.bags().is_some()
    }
}
