//! Forests.

use std::sync::{Arc, Mutex, PoisonError};

use extendr_api::prelude::*;
use wald::forest::{FeatureKind, Keep, Predictions};
use wald::pass::Measured;
use wald::weights::Rows;
use wald::{Dataset, Fitted, Run};
use wald_report::Growing;

use crate::failure::{Failure, answer};
use crate::given::Given;
use crate::pointer::{self, Kept};
use crate::settings;
use crate::table::features;
use crate::values;
use crate::watch::Work;

/// A grown, stored or foreign forest, which never changes, and the ranks of the data that it was
/// measured on last.
#[derive(Clone)]
pub(crate) struct Forest(Arc<wald::Forest>, Arc<Mutex<Option<Arc<Fitted>>>>);

impl Forest {
    fn of(forest: wald::Forest) -> Self {
        Self(Arc::new(forest), Arc::default())
    }

    pub(crate) fn trees(&self) -> &wald::Forest {
        &self.0
    }

    /// This forest on its training data, whose ranks are kept for the next call.
    pub(crate) fn fitted(
        &self,
        data: &Arc<Dataset>,
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

/// Grows a forest. Returns it with its out-of-bag predictions and errors.
#[extendr]
fn grow_forest(data: Robj, config: Robj, work: Robj) -> Robj {
    answer(|| {
        let (data, work) = (pointer::data(&data)?, Work::of(&work)?);
        let config = settings::config(&config)?.without_defaults(&data);
        let (fitted, measured) = work.watched(|run| {
            // The model file is made later, if at all.
            let (measures, keep, is_written) = (&[], Keep::Trees, false);
            let growing = Growing { data: &data, config: &config, measures, keep, is_written };
            growing.check(&work.room.front(run))?;
            Fitted::grow(Arc::clone(&data), &config, &[], run)
        })?;
        let found = out_of_bag_of(&data, &measured)?;
        let forest = Arc::clone(fitted.forest());
        let forest = Forest(forest, Arc::new(Mutex::new(Some(Arc::new(fitted)))));
        values::named([("forest", Kept::Forest(forest).into_robj()?), ("out_of_bag", found)])
    })
}

/// What trees predict for the rows that they did not see.
#[extendr]
fn out_of_bag(forest: Robj, data: Robj, work: Robj) -> Robj {
    answer(|| {
        let (forest, data, work) =
            (pointer::forest(&forest)?, pointer::data(&data)?, Work::of(&work)?);
        out_of_bag_of(&data, &work.watched(|run| forest.fitted(&data, run)?.measure(&[], run))?)
    })
}

fn out_of_bag_of(data: &Dataset, measured: &Measured) -> Result<Robj, Failure> {
    let n_outputs = data.target().n_outputs();
    let none = || vec![f64::na(); n_outputs];
    let prediction = |row| measured.out_of_bag.prediction(row).unwrap_or_else(none);
    let predictions: Vec<f64> = (0..data.n_rows()).flat_map(prediction).collect();
    let convergence = measured.out_of_bag.convergence();
    let convergence: Vec<f64> =
        convergence.iter().flat_map(|&(n_trees, error)| [n_trees as f64, error]).collect();
    values::named([
        ("predictions", values::matrix(&predictions, n_outputs)?),
        ("errors", values::document(&measured.errors)?),
        ("convergence", values::matrix(&convergence, 2)?),
        ("mean_leaves", Robj::from(measured.mean_leaves)),
        ("mean_depth", Robj::from(measured.mean_depth)),
    ])
}

/// Reads a model file or `wald-forest` JSON; `data` is NULL for a forest that only predicts.
#[extendr]
fn read_forest(bytes: Robj, data: Robj, work: Robj) -> Robj {
    answer(|| {
        let work = Work::of(&work)?;
        let bytes = bytes.as_raw_slice().ok_or_else(|| Failure::internal("no bytes"))?;
        let data = if data.is_null() { None } else { Some(pointer::data(&data)?) };
        let forest = work.watched(|run| wald::Forest::read(bytes, data.as_deref(), run))?;
        Kept::Forest(Forest::of(forest)).into_robj()
    })
}

/// The bytes of the model file, or of `wald-forest` JSON.
#[extendr]
fn forest_bytes(forest: Robj, json: bool) -> Robj {
    answer(|| {
        let forest = pointer::forest(&forest)?;
        let mut bytes = Vec::new();
        if json {
            let written = forest.trees().to_json(&mut bytes);
            written.map_err(|error| Failure::internal(error.to_string()))?;
        } else {
            bytes = forest.trees().to_bytes()?;
        }
        Ok(Raw::from_bytes(&bytes).into())
    })
}

/// The predictions of rows as a long table: numbers, or classes and proportions of them.
#[extendr]
fn predict_forest(forest: Robj, columns: Robj, work: Robj) -> Robj {
    answer(|| {
        let (forest, work) = (pointer::forest(&forest)?, Work::of(&work)?);
        let (trees, table) = (forest.trees(), features(&columns)?);
        let predictions = work.watched(|run| trees.predict(&table, run))?;
        values::frame(Predictions { forest: trees, values: &predictions }.frame())
    })
}

/// Quantiles of rows: a matrix of rows and levels; `columns` is NULL for the rows of training, by the
/// trees that did not see them.
#[extendr]
fn predict_quantiles(forest: Robj, data: Robj, asked: Robj, work: Robj) -> Robj {
    answer(|| {
        let (forest, data, work) =
            (pointer::forest(&forest)?, pointer::data(&data)?, Work::of(&work)?);
        let asked = Given::of(&asked)?;
        let levels = asked.get("quantiles").and_then(|levels| levels.as_real_vector());
        let levels = levels.ok_or_else(|| Failure::internal("no quantiles"))?;
        let table = asked.get("columns").map(|columns| features(&columns)).transpose()?;
        let rows = table.as_ref().map_or(Rows::OutOfBag, Rows::Of);
        let found = work.watched(|run| {
            forest.fitted(&data, run)?.quantiles(run)?.predict(rows, &levels, run)
        })?;
        values::matrix(&found, levels.len())
    })
}

/// What is known of a forest: numbers of trees, names, levels, classes, settings.
#[extendr]
fn describe_forest(forest: Robj) -> Robj {
    answer(|| {
        let forest = pointer::forest(&forest)?;
        let trees = forest.trees();
        let names: Vec<&str> = trees.features().iter().map(|known| known.name.as_str()).collect();
        let levels = trees.features().iter().map(|known| match &known.kind {
            FeatureKind::Numeric => ().into(),
            FeatureKind::Categorical { levels } => Robj::from(levels.clone()),
        });
        let levels = List::from_names_and_values(names.clone(), levels.collect::<Vec<Robj>>());
        values::named([
            ("n_trees", Robj::from(trees.trees().len() as i32)),
            ("features", Robj::from(names)),
            ("levels", levels.unwrap_or_default().into()),
            ("classes", trees.target().classes.clone().map_or(().into(), Robj::from)),
            ("target", Robj::from(trees.target().name.as_str())),
            ("has_bags", Robj::from(trees.bags().is_some())),
            ("config", values::document(&trees.config())?),
        ])
    })
}

extendr_module! {
    mod forest;
    fn grow_forest;
    fn read_forest;
    fn forest_bytes;
    fn out_of_bag;
    fn predict_forest;
    fn predict_quantiles;
    fn describe_forest;
}
