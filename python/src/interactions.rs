//! Sets of variables that a forest splits on together.

use std::sync::Arc;

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wald::Origin;
use wald::interactions::{Interaction, InteractionConfig, interactions as find};

use crate::arguments::{optional, required};
use crate::data::Dataset;
use crate::forest::Forest;
use crate::watch::Work;
use crate::wording::Arguments;

/// The sets, each with its class, variables and shares.
#[pyfunction]
#[pyo3(signature = (forest, data, asked, *, work))]
pub(crate) fn interactions<'py>(
    forest: Py<Forest>,
    data: Py<Dataset>,
    asked: Bound<'py, PyDict>,
    work: Work<'py>,
) -> PyResult<Bound<'py, PyDict>> {
    let py = work.py;
    let config = config(&asked)?;
    let (forest, data) = (forest.get(), Arc::clone(&data.get().0));
    work.check_room(&data, forest.0.trees().len(), || {
        config.size(&data, Origin::Forest(&forest.0), work.threads)
    })?;
    let found = work.watched(|run| {
        let fitted = forest.fitted(&data, run)?;
        find(&data, Origin::Fitted(&fitted), &config, run)
    })?;
    let shares = |share: fn(&Interaction) -> Option<f64>| {
        let shares = found.sets.iter().map(|set| share(set).unwrap_or(f64::NAN));
        shares.collect::<Vec<f64>>().into_pyarray(py)
    };
    let variables = |set: &Interaction| -> Vec<String> {
        set.variables.iter().map(ToString::to_string).collect()
    };
    let has_stability = config.resamples > 0;
    let result = PyDict::new(py);
    result.set_item("classes", found.sets.iter().map(|set| &set.class).collect::<Vec<_>>())?;
    result.set_item("sets", found.sets.iter().map(variables).collect::<Vec<_>>())?;
    result.set_item("prevalence", shares(|set| Some(set.prevalence)))?;
    result.set_item("prevalence_elsewhere", shares(|set| set.prevalence_elsewhere))?;
    result.set_item("precision", shares(|set| set.precision))?;
    result.set_item("precision_without", shares(|set| set.precision_without))?;
    result.set_item("stability", has_stability.then(|| shares(|set| set.stability)))?;
    result.set_item("cut", found.cut)?;
    result.set_item("is_out_of_bag", found.is_out_of_bag)?;
    let notes = found.note().map(|note| note.worded(&Arguments));
    result.set_item("notes", notes.into_iter().collect::<Vec<_>>())?;
    Ok(result)
}

fn config(asked: &Bound<'_, PyDict>) -> PyResult<InteractionConfig> {
    Ok(InteractionConfig {
        trees: required(asked, "intersection_trees")?,
        depth: required(asked, "depth")?,
        children: required(asked, "children")?,
        min_size: required(asked, "min_size")?,
        min_prevalence: required(asked, "min_prevalence")?,
        cut: optional(asked, "cut")?,
        resamples: required(asked, "resamples")?,
        seed: required(asked, "seed")?,
    })
}
