//! Differences of importances between two forests.

use std::sync::Arc;

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wald::Origin;
use wald::inference::{
    Adjustment, ComparedSide, Comparison, ComparisonConfig, Confidence, Subsampling,
    compare as find,
};

use crate::arguments::{optional, required};
use crate::data::Dataset;
use crate::errors;
use crate::forest::Forest;
use crate::results::grid;
use crate::settings;
use crate::watch::Work;

/// Differences by several measures, each with errors, intervals and p-values.
#[pyfunction]
#[pyo3(signature = (first, second, measures, asked, *, work))]
pub(crate) fn compare<'py>(
    first: (Py<Forest>, Py<Dataset>),
    second: (Py<Forest>, Py<Dataset>),
    measures: settings::NamedMeasures<'py>,
    asked: Bound<'py, PyDict>,
    work: Work<'py>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let py = work.py;
    let measures = measures.measures()?;
    let config = config(py, &asked)?;
    let sides = [&first, &second].map(|(forest, data)| (forest.get(), Arc::clone(&data.get().0)));
    for (forest, data) in &sides {
        work.check_room(data, forest.0.trees().len(), || {
            let size = |grown| config.subsampling.size(data, grown, &measures, work.threads);
            Ok(forest.0.config().map(size).transpose()?.unwrap_or_default())
        })?;
    }
    let found = work.watched(|run| {
        let [(first, first_data), (second, second_data)] = &sides;
        let fitted = [first.fitted(first_data, run)?, second.fitted(second_data, run)?];
        let first = ComparedSide { data: first_data, origin: Origin::Fitted(&fitted[0]) };
        let second = ComparedSide { data: second_data, origin: Origin::Fitted(&fitted[1]) };
        find(first, second, &measures, &config, run)
    })?;
    found.iter().map(|found| fields(py, found)).collect()
}

fn config(py: Python<'_>, asked: &Bound<'_, PyDict>) -> PyResult<ComparisonConfig> {
    let name: String = required(asked, "multiple_testing")?;
    let usual = Subsampling::default();
    let exception = |error: wald::Error| errors::exception(py, &error);
    Ok(ComparisonConfig {
        confidence: Confidence::new(required(asked, "confidence")?).map_err(exception)?,
        subsampling: Subsampling {
            n_subsamples: optional(asked, "subsamples")?.unwrap_or(usual.n_subsamples),
            fraction: optional(asked, "subsample_fraction")?.unwrap_or(usual.fraction),
            n_trees: optional(asked, "subsample_trees")?,
        },
        adjustment: Adjustment::named(&name).map_err(exception)?,
    })
}

fn fields<'py>(py: Python<'py>, found: &Comparison) -> PyResult<Bound<'py, PyDict>> {
    let array = |values: &[Option<f64>]| {
        let values: Vec<f64> = values.iter().map(|value| value.unwrap_or(f64::NAN)).collect();
        values.into_pyarray(py)
    };
    let ends = found.intervals.iter();
    let ends = ends.flat_map(|ends| ends.map_or([f64::NAN; 2], |ends| [ends.low, ends.high]));
    let result = PyDict::new(py);
    result.set_item("measure", found.id)?;
    result.set_item("feature_names", &found.variables)?;
    result.set_item("unit", &found.unit)?;
    result.set_item("first", array(&found.first))?;
    result.set_item("second", array(&found.second))?;
    result.set_item("differences", array(&found.differences))?;
    result.set_item("standard_errors", array(&found.standard_errors))?;
    result.set_item("intervals", grid(py, ends.collect(), 2)?)?;
    result.set_item("p_values", array(&found.p_values))?;
    result.set_item("adjusted_p_values", array(&found.adjusted))?;
    result.set_item("is_paired", found.is_paired)?;
    result.set_item("notes", &found.notes)?;
    Ok(result)
}
