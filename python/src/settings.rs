//! From words and numbers of Python's to the engine's settings.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Deserialize;
use serde_json::Value;
use wald::explain::ExplanationOption;
use wald::forest::{ForestConfig, Impurity, Splitting};
use wald::measure::{Loss, MeasureInfo, MeasureOption, MeasureSettings};
use wald::options::{OptionInfo, OptionValue, Options, ValueKind};
use wald::{ExplanationId, ExplanationSettings, Measure, MeasureId};

use crate::arguments::{argument, names, one_of, refuse};
use crate::data::{Dataset, Table};
use crate::errors::{self, About};

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

/// The refusal of a name that no measure has.
fn unknown(py: Python<'_>, what: &str, help: &str) -> PyErr {
    let about = About { setting: Some("measure"), ..About::default() };
    errors::make(py, "UnknownMeasureError", [what, help], about)
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

/// A measure by name.
fn measure_id(py: Python<'_>, name: &str) -> PyResult<MeasureId> {
    let refusal = || {
        let help = MeasureId::suggestion(name);
        unknown(py, &format!("{name:?} is not a measure"), &help)
    };
    MeasureId::parse(name).ok_or_else(refusal)
}

/// The settings of measures.
fn measure_settings(settings: &Bound<'_, PyDict>) -> PyResult<MeasureSettings> {
    let py = settings.py();
    let mut asked = MeasureSettings::default();
    for (key, given) in settings {
        let key: String = key.extract()?;
        if key == "seed" {
            asked.seed = argument(&key, &given)?;
            continue;
        }
        let option = MeasureOption::parse(&key).ok_or_else(|| no_setting(py, &key))?;
        let value = value(&option.info(), &given)?;
        option.set(&mut asked, value).map_err(|error| errors::exception(py, &error))?;
    }
    Ok(asked)
}

fn measure(py: Python<'_>, id: MeasureId, settings: MeasureSettings) -> PyResult<Measure> {
    Measure::new(id, settings).map_err(|error| errors::exception(py, &error))
}

/// A measure by name, with its settings.
#[derive(FromPyObject)]
pub(crate) struct NamedMeasure<'py>(String, Bound<'py, PyDict>);

impl NamedMeasure<'_> {
    pub(crate) fn measure(&self) -> PyResult<Measure> {
        let py = self.1.py();
        measure(py, measure_id(py, &self.0)?, measure_settings(&self.1)?)
    }
}

/// A local measure by name, with its settings.
#[derive(FromPyObject)]
pub(crate) struct NamedExplanation<'py>(String, Bound<'py, PyDict>);

impl NamedExplanation<'_> {
    pub(crate) fn explanation(&self) -> PyResult<(ExplanationId, ExplanationSettings)> {
        explanation(self.1.py(), &self.0, &self.1)
    }
}

/// Measures by name, and settings, each of which goes to the measures that offer it.
#[derive(FromPyObject)]
pub(crate) struct NamedMeasures<'py>(Vec<String>, Bound<'py, PyDict>);

impl NamedMeasures<'_> {
    pub(crate) fn measures(&self) -> PyResult<Vec<Measure>> {
        let py = self.1.py();
        let ids: PyResult<Vec<_>> = self.0.iter().map(|name| measure_id(py, name)).collect();
        let (ids, settings) = (ids?, measure_settings(&self.1)?);
        if let [id] = ids.as_slice() {
            // It names the values that it offers.
            return Ok(vec![measure(py, *id, settings)?]);
        }
        let offered: Vec<_> = ids.iter().map(|id| settings.offered_by(id.info())).collect();
        let is_unused = |option: &&MeasureOption| {
            // Test rows are for the measures that read them; others ignore them.
            **option != MeasureOption::TestRows
                && option.is_set(&settings)
                && !offered.iter().any(|settings| option.is_set(settings))
        };
        if let Some(option) = MeasureOption::ALL.iter().find(is_unused) {
            return Err(self.unused(*option, &ids));
        }
        ids.into_iter().zip(offered).map(|(id, settings)| measure(py, id, settings)).collect()
    }

    /// The refusal of a setting that none of the measures offers, or not with this value.
    fn unused(&self, option: MeasureOption, ids: &[MeasureId]) -> PyErr {
        let name = option.id();
        let takes_others = ids.iter().any(|id| id.info().takes(option));
        let value = self.1.get_item(name).ok().flatten().filter(|_| takes_others);
        let value = value.map_or_else(String::new, |value| value.to_string());
        let names: Vec<&str> = ids.iter().map(|id| id.info().id).collect();
        let what = format!("none of the measures {} offers `{name}={value}`", names.join(", "));
        let other = MeasureId::ALL.iter().map(|id| id.info()).find(|info| info.takes(option));
        let other = other.filter(|_| !takes_others).map(|info| info.id);
        let help = other.map_or_else(
            || "give another value, or leave it out".to_owned(),
            |other| format!("leave it out, or add a measure that offers it, such as `{other}`"),
        );
        let about = About { setting: Some(name), ..About::default() };
        errors::make(self.1.py(), "MeasureError", [&what, &help], about)
    }
}

/// Refuses measures that there are not, and those that forests of these settings do not allow.
#[pyfunction]
pub(crate) fn check_measures(
    py: Python<'_>,
    config: &str,
    measures: NamedMeasures<'_>,
) -> PyResult<()> {
    let config = self::config(py, config)?;
    let check = |measure: &Measure| measure.check_config(&config);
    measures.measures()?.iter().try_for_each(check).map_err(|error| errors::exception(py, &error))
}

/// A loss by name.
pub(crate) fn loss(py: Python<'_>, word: &str) -> PyResult<Loss> {
    let known: Vec<&str> = Loss::ALL.iter().map(|loss| loss.id()).collect();
    let refusal = || refuse(py, "loss", &format!("{word:?} is not a loss"), &one_of(&known));
    Loss::parse(word).ok_or_else(refusal)
}

/// A value of Python's for an option.
fn value(info: &OptionInfo, given: &Bound<'_, PyAny>) -> PyResult<OptionValue> {
    let name = info.id;
    Ok(match &info.kind {
        ValueKind::Flag => OptionValue::Flag(argument(name, given)?),
        ValueKind::Whole => OptionValue::Whole(argument(name, given)?),
        ValueKind::WholeOr(_) => match argument(name, given) {
            Ok(number) => OptionValue::Whole(number),
            Err(_) => OptionValue::Word(given.str()?.extract()?),
        },
        ValueKind::Number | ValueKind::Seconds => OptionValue::Number(argument(name, given)?),
        ValueKind::Word(_) => OptionValue::Word(argument(name, given)?),
        ValueKind::Names => OptionValue::Names(names(name, given)?),
        ValueKind::Table => {
            let table: PyRef<'_, Table> = given.extract()?;
            OptionValue::Table(Arc::new(table.0.clone()))
        }
        ValueKind::TableWithTarget => {
            let data: PyRef<'_, Dataset> = given.extract()?;
            OptionValue::TableWithTarget(Arc::clone(&data.0))
        }
    })
}

/// What the options of global and local measures are, as JSON.
#[pyfunction]
pub(crate) fn options(py: Python<'_>) -> PyResult<String> {
    let global: Vec<_> = MeasureOption::ALL.iter().map(|option| option.info()).collect();
    let local: Vec<_> = ExplanationOption::ALL.iter().map(|option| option.info()).collect();
    json(py, &serde_json::json!({ "importance": global, "explain": local }))
}

/// Settings are checked in `wald/_checks.py`, which names those that were probably meant.
fn no_setting(py: Python<'_>, key: &str) -> PyErr {
    errors::internal(py, &format!("setting {key:?} was not checked"))
}

pub(crate) fn impurity(py: Python<'_>, word: &str) -> PyResult<Impurity> {
    let all = Impurity::OF_DISTRIBUTIONS;
    let known = all.map(Impurity::id);
    let found = all.into_iter().find(|each| each.id() == word);
    let what = format!("{word:?} is not an impurity");
    found.ok_or_else(|| refuse(py, "impurity", &what, &one_of(&known)))
}

/// The refusal of a setting that a local measure does not have.
pub(crate) fn not_taken(py: Python<'_>, measure: &str, key: &str) -> PyErr {
    let what = format!("local measure `{measure}` has no setting '{key}'");
    refuse(py, key, &what, "leave it out")
}

/// A local measure by name with its settings.
fn explanation(
    py: Python<'_>,
    name: &str,
    settings: &Bound<'_, PyDict>,
) -> PyResult<(ExplanationId, ExplanationSettings)> {
    let Some(id) = ExplanationId::parse(name) else {
        let help = ExplanationId::suggestion(name);
        return Err(unknown(py, &format!("{name:?} is not a local measure"), &help));
    };
    let mut asked = ExplanationSettings::default();
    for (key, given) in settings {
        let key: String = key.extract()?;
        let option = ExplanationOption::parse(&key).ok_or_else(|| no_setting(py, &key))?;
        let value = value(&option.info(), &given)?;
        option.set(&mut asked, value).map_err(|error| errors::exception(py, &error))?;
    }
    Ok((id, asked))
}
