//! From words and numbers of R's to the engine's settings.

use std::sync::Arc;

use extendr_api::prelude::*;
use serde_json::{Map, Value};
use wald::explain::ExplanationOption;
use wald::forest::{ForestConfig, ForestOption};
use wald::measure::{MeasureOption, MeasureSettings};
use wald::message::Setting;
use wald::options::{OptionInfo, OptionValue, Options, ValueKind};
use wald::{ExplanationId, ExplanationSettings, Measure, MeasureId};

use crate::failure::{Failure, answer};
use crate::given::{Given, WHOLE, number, shown, text, texts, whole};
use crate::pointer;
use crate::table::features;
use crate::values;
use crate::wording::argument;

/// The settings of a forest by the engine's names: those that go with `splitting`, changed by the
/// others.
pub(crate) fn config(changes: &Robj) -> Result<ForestConfig, Failure> {
    let given = Given::of(changes)?;
    let mut asked = ForestConfig::default();
    let mut options = Vec::new();
    for (name, value) in given.entries() {
        let option = ForestOption::parse(name).ok_or_else(|| no_setting(name))?;
        option.set(&mut asked, self::value(&option.info(), &value)?)?;
        options.push(option);
    }
    let mut config = ForestConfig::for_splitting(asked.splitting);
    options.into_iter().for_each(|option| option.copy(&asked, &mut config));
    Ok(config)
}

/// A measure by name, with its settings.
pub(crate) fn measure(name: &str, settings: &Robj) -> Result<Measure, Failure> {
    Ok(Measure::new(measure_id(name)?, measure_settings(settings)?)?)
}

/// Measures by name, and settings, each of which goes to the measures that offer it.
pub(crate) fn measures(names: &Robj, settings: &Robj) -> Result<Vec<Measure>, Failure> {
    let names = texts(names).ok_or_else(|| Failure::internal("names of measures"))?;
    let ids = names.iter().map(|name| measure_id(name)).collect::<Result<Vec<_>, _>>()?;
    let settings = measure_settings(settings)?;
    if let [id] = ids.as_slice() {
        // It names the values that it offers.
        return Ok(vec![Measure::new(*id, settings)?]);
    }
    let offered: Vec<_> = ids.iter().map(|id| settings.offered_by(id.info())).collect();
    let is_unused = |option: &&MeasureOption| {
        // Test rows are for the measures that read them; others ignore them.
        **option != MeasureOption::TestRows
            && option.is_set(&settings)
            && !offered.iter().any(|settings| option.is_set(settings))
    };
    if let Some(option) = MeasureOption::ALL.iter().find(is_unused) {
        let what = format!("none of the measures {} offers `{}`", names.join(", "), option.id());
        return Err(Failure::argument(option.id(), what, "leave it out".to_owned()));
    }
    let pairs = ids.into_iter().zip(offered);
    Ok(pairs.map(|(id, settings)| Measure::new(id, settings)).collect::<Result<_, _>>()?)
}

fn measure_id(name: &str) -> Result<MeasureId, Failure> {
    MeasureId::parse(name).ok_or_else(|| {
        let what = format!("{name:?} is not a measure");
        Failure::unknown_measure(what, MeasureId::suggestion(name))
    })
}

fn measure_settings(settings: &Robj) -> Result<MeasureSettings, Failure> {
    let mut asked = MeasureSettings::default();
    for (key, given) in Given::of(settings)?.entries() {
        if key == "seed" {
            asked.seed = whole(&given).ok_or_else(|| wrong("seed", &given, WHOLE))?;
            continue;
        }
        let option = MeasureOption::parse(key).ok_or_else(|| no_setting(key))?;
        option.set(&mut asked, value(&option.info(), &given)?)?;
    }
    Ok(asked)
}

/// A local measure by name with its settings.
pub(crate) fn explanation(
    name: &str,
    settings: &Robj,
) -> Result<(ExplanationId, ExplanationSettings), Failure> {
    let id = ExplanationId::parse(name).ok_or_else(|| {
        let what = format!("{name:?} is not a local measure");
        Failure::unknown_measure(what, ExplanationId::suggestion(name))
    })?;
    let mut asked = ExplanationSettings::default();
    for (key, given) in Given::of(settings)?.entries() {
        let option = ExplanationOption::parse(key).ok_or_else(|| no_setting(key))?;
        option.set(&mut asked, value(&option.info(), &given)?)?;
    }
    Ok((id, asked))
}

/// Settings are checked in `R/R/settings.R`, which names those that were probably meant.
fn no_setting(key: &str) -> Failure {
    Failure::internal(format!("setting {key:?} was not checked"))
}

fn wrong(id: &'static str, given: &Robj, help: &str) -> Failure {
    let name = argument(Setting::new(id)).unwrap_or(id);
    Failure::argument(name, format!("{name} is {}", shown(given)), help.to_owned())
}

/// A value of R's for an option.
fn value(info: &OptionInfo, given: &Robj) -> Result<OptionValue, Failure> {
    let wrong = |help: &str| wrong(info.id, given, help);
    Ok(match &info.kind {
        ValueKind::Flag => {
            OptionValue::Flag(given.as_bool().ok_or_else(|| wrong("give TRUE or FALSE"))?)
        }
        ValueKind::Whole => OptionValue::Whole(whole(given).ok_or_else(|| wrong(WHOLE))?),
        ValueKind::WholeOr(word) => match whole(given) {
            Some(number) => OptionValue::Whole(number),
            None => OptionValue::Word(
                text(given).ok_or_else(|| wrong(&format!("give {word:?} or a whole number")))?,
            ),
        },
        ValueKind::Number | ValueKind::Seconds => {
            OptionValue::Number(number(given).ok_or_else(|| wrong("give a number"))?)
        }
        ValueKind::Word(_) => OptionValue::Word(text(given).ok_or_else(|| wrong("give a text"))?),
        ValueKind::Names => {
            let help = "give names of columns as texts, such as \"age\" or c(\"age\", \"dose\")";
            OptionValue::Names(texts(given).ok_or_else(|| wrong(help))?)
        }
        ValueKind::Table => OptionValue::Table(Arc::new(features(given)?)),
        ValueKind::TableWithTarget => OptionValue::TableWithTarget(pointer::data(given)?),
    })
}

/// What measures are, and what options of forests and measures there are.
#[extendr]
fn facts() -> Robj {
    answer(|| {
        let global: Vec<_> = MeasureId::ALL.iter().map(|id| id.info()).collect();
        let local: Vec<_> = ExplanationId::ALL.iter().map(|id| id.info()).collect();
        let forest: Vec<_> = ForestOption::ALL.iter().map(|option| option.info()).collect();
        let of_global: Vec<_> = MeasureOption::ALL.iter().map(|option| option.info()).collect();
        let of_local: Vec<_> = ExplanationOption::ALL.iter().map(|option| option.info()).collect();
        let mut all = Map::new();
        let mut add = |name: &str, value: Result<Value, serde_json::Error>| {
            let value = value.map_err(|error| Failure::internal(error.to_string()))?;
            all.insert(name.to_owned(), value);
            Ok::<(), Failure>(())
        };
        add("importance", serde_json::to_value(global))?;
        add("explain", serde_json::to_value(local))?;
        add("forest_options", serde_json::to_value(forest))?;
        add("importance_options", serde_json::to_value(of_global))?;
        add("explain_options", serde_json::to_value(of_local))?;
        values::document(&all)
    })
}

extendr_module! {
    mod settings;
    fn facts;
}
