//! From words and numbers of Python's to the engine's settings.

use std::sync::Arc;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Deserialize;
use serde_json::Value;
use wald::forest::{ForestConfig, Impurity, Splitting};
use wald::measure::{Loss, MeasureInfo, MeasureSettings, Normalise, Permutations, Summary};
use wald::{ExplanationId, ExplanationSettings, Measure, MeasureId};

use crate::data::{Dataset, Table};
use crate::errors;

/// A measure in words.
#[derive(serde::Serialize)]
struct Described {
    #[serde(flatten)]
    info: &'static MeasureInfo,
    errors_over: &'static str,
}

impl Described {
    fn of(info: &'static MeasureInfo) -> Self {
        Self { info, errors_over: info.errors_over() }
    }
}

/// What every measure is, as JSON.
#[pyfunction]
pub(crate) fn measures(py: Python<'_>) -> PyResult<String> {
    let infos: Vec<_> = MeasureId::ALL.iter().map(|id| Described::of(id.info())).collect();
    json(py, &infos)
}

/// What every local measure is, as JSON.
#[pyfunction]
pub(crate) fn explanations(py: Python<'_>) -> PyResult<String> {
    let infos: Vec<_> = ExplanationId::ALL.iter().map(|id| id.info()).collect();
    json(py, &infos)
}

/// What to use instead of a name that no measure, or no local measure, has.
#[pyfunction]
pub(crate) fn suggestion(name: &str, local: bool) -> String {
    if local { ExplanationId::suggestion(name) } else { MeasureId::suggestion(name) }
}

/// A value of the engine as JSON.
pub(crate) fn json(py: Python<'_>, value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| errors::internal(py, &error.to_string()))
}

/// A refusal of an argument.
pub(crate) fn refuse(py: Python<'_>, what: &str, help: &str) -> PyErr {
    errors::make(py, "SettingError", what, help, None)
}

/// The settings of a forest: those that go with `splitting`, changed by a JSON object.
pub(crate) fn config(py: Python<'_>, changes: &str) -> PyResult<ForestConfig> {
    let bad = |error: serde_json::Error| errors::internal(py, &error.to_string());
    let changes: Value = serde_json::from_str(changes).map_err(bad)?;
    let splitting = match changes.get("splitting") {
        Some(splitting) => Splitting::deserialize(splitting).map_err(bad)?,
        None => Splitting::Best,
    };
    let mut config = serde_json::to_value(ForestConfig::for_splitting(splitting)).map_err(bad)?;
    if let (Value::Object(config), Value::Object(changes)) = (&mut config, changes) {
        config.extend(changes);
    }
    serde_json::from_value(config).map_err(bad)
}

/// A measure by name with its settings.
fn measure(py: Python<'_>, name: &str, settings: &Bound<'_, PyDict>) -> PyResult<Measure> {
    let Some(id) = MeasureId::parse(name) else {
        let help = MeasureId::suggestion(name);
        return Err(refuse(py, &format!("{name:?} is no measure"), &help));
    };
    let mut asked = MeasureSettings::default();
    for (key, value) in settings {
        set(py, &mut asked, &key.extract::<String>()?, &value)?;
    }
    Measure::new(id, asked).map_err(|error| errors::exception(py, &error))
}

/// A measure by name, with its settings.
#[derive(FromPyObject)]
pub(crate) struct NamedMeasure<'py>(String, Bound<'py, PyDict>);

impl NamedMeasure<'_> {
    pub(crate) fn measure(&self) -> PyResult<Measure> {
        measure(self.1.py(), &self.0, &self.1)
    }
}

/// Measures by name, each with its settings.
pub(crate) fn measures_of(measures: &[NamedMeasure<'_>]) -> PyResult<Vec<Measure>> {
    measures.iter().map(NamedMeasure::measure).collect()
}

/// A loss by name.
pub(crate) fn loss(py: Python<'_>, word: &str) -> PyResult<Loss> {
    let known: Vec<&str> = Loss::ALL.iter().map(|loss| loss.id()).collect();
    let refusal = || refuse(py, &format!("{word:?} is no loss"), &one_of(&known));
    Loss::parse(word).ok_or_else(refusal)
}

fn set(
    py: Python<'_>,
    asked: &mut MeasureSettings,
    key: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<()> {
    match key {
        "loss" => asked.loss = Some(loss(py, &value.extract::<String>()?)?),
        "permutations" => {
            asked.permutations = match value.extract::<u32>() {
                Ok(repeats) => Permutations::Random(repeats),
                Err(_) if value.extract::<String>().is_ok_and(|word| word == "exact") => {
                    Permutations::Exact
                }
                Err(_) => {
                    let help = "give \"exact\", or a number of random permutations";
                    return Err(refuse(py, &format!("permutations is {value}"), help));
                }
            };
        }
        "normalise" => asked.normalise = normalise(py, &value.extract::<String>()?)?,
        "impurity" => asked.impurity = Some(impurity(py, &value.extract::<String>()?)?),
        "association" => asked.association = Some(value.extract()?),
        "test" => {
            let test: PyRef<'_, Dataset> = value.extract()?;
            asked.test = Some(Arc::clone(&test.0));
        }
        "seed" => asked.seed = value.extract()?,
        "blocks" => asked.blocks = value.extract()?,
        "summary" => {
            let word: String = value.extract()?;
            let found = Summary::ALL.iter().find(|how| how.id() == word);
            let known: Vec<&str> = Summary::ALL.iter().map(|how| how.id()).collect();
            let refusal = || refuse(py, &format!("{word:?} is no summary"), &one_of(&known));
            asked.summary = *found.ok_or_else(refusal)?;
        }
        "per_class" => asked.per_class = value.extract()?,
        "by_degree" => asked.by_degree = value.extract()?,
        "exclude_self" => asked.exclude_self = value.extract()?,
        "background" => {
            let table: PyRef<'_, Table> = value.extract()?;
            asked.background = Some(Arc::new(table.0.clone()));
        }
        "background_rows" => asked.background_rows = Some(value.extract()?),
        "time_budget" => asked.time_budget = Some(seconds(py, value.extract()?)?),
        "precision" => asked.precision = Some(value.extract()?),
        "samples" => asked.samples = Some(value.extract()?),
        _ => return Err(no_setting(py, "measure", key)),
    }
    Ok(())
}

fn no_setting(py: Python<'_>, of: &str, key: &str) -> PyErr {
    let help = "wald.measures() lists the options of each";
    refuse(py, &format!("no {of} has a setting {key:?}"), help)
}

fn seconds(py: Python<'_>, number: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(number)
        .map_err(|_| refuse(py, &format!("time_budget is {number}"), "give a number of seconds"))
}

fn normalise(py: Python<'_>, word: &str) -> PyResult<Normalise> {
    let all = [Normalise::None, Normalise::Variance, Normalise::StandardError, Normalise::Sum];
    let known = all.map(Normalise::id);
    let found = all.into_iter().find(|each| each.id() == word);
    found.ok_or_else(|| refuse(py, &format!("{word:?} is no normalisation"), &one_of(&known)))
}

pub(crate) fn impurity(py: Python<'_>, word: &str) -> PyResult<Impurity> {
    let all = [Impurity::Variance, Impurity::Gini, Impurity::Entropy];
    let known = all.map(Impurity::id);
    let found = all.into_iter().find(|each| each.id() == word);
    found.ok_or_else(|| refuse(py, &format!("{word:?} is no impurity"), &one_of(&known)))
}

pub(crate) fn one_of(known: &[&str]) -> String {
    let quoted: Vec<String> = known.iter().map(|word| format!("{word:?}")).collect();
    format!("give one of {}", quoted.join(", "))
}

/// A local measure by name with its settings.
pub(crate) fn explanation(
    py: Python<'_>,
    name: &str,
    settings: &Bound<'_, PyDict>,
) -> PyResult<(ExplanationId, ExplanationSettings)> {
    let Some(id) = ExplanationId::parse(name) else {
        let help = ExplanationId::suggestion(name);
        return Err(refuse(py, &format!("{name:?} is no local measure"), &help));
    };
    let mut asked = ExplanationSettings::default();
    for (key, value) in settings {
        match key.extract::<String>()?.as_str() {
            "variables" => asked.variables = value.extract()?,
            "out_of_bag" => asked.out_of_bag = value.extract()?,
            "loss" => asked.loss = Some(loss(py, &value.extract::<String>()?)?),
            "background" => {
                let table: PyRef<'_, Table> = value.extract()?;
                asked.background = Some(Arc::new(table.0.clone()));
            }
            "background_rows" => asked.background_rows = Some(value.extract()?),
            "seed" => asked.seed = value.extract()?,
            "impurity" => asked.impurity = Some(impurity(py, &value.extract::<String>()?)?),
            "grid" => {
                asked.grid = match value.extract::<usize>() {
                    Ok(n) => wald::explain::GridSize::AtMost(n),
                    Err(_) => wald::explain::GridSize::Exact,
                };
            }
            key => {
                return Err(no_setting(py, "local measure", key));
            }
        }
    }
    Ok((id, asked))
}
