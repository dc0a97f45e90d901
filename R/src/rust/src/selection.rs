//! Which variables to keep, are relevant, or are selected with few false discoveries.

use extendr_api::prelude::*;
use wald::Measure;
use wald::measure::Loss;
use wald::memory::Size;
use wald::selection::{
    BorutaConfig, Correction, IpssConfig, PerStep, Power, SelectionConfig, SelectionState, boruta,
    ipss, select,
};
use wald::words::counted;

use crate::failure::{Failure, answer};
use crate::given::{Given, one_of, text};
use crate::pointer;
use crate::settings;
use crate::table::with_groups;
use crate::values;
use crate::watch::{Room, Work};

/// Refuses a selection by forests of so many trees that needs more memory than is free.
fn check_room(
    room: Room,
    n_trees: usize,
    size: Result<Size, wald::Error>,
) -> Result<(), wald::Error> {
    let doing = format!("selecting variables with {}", counted(n_trees, "tree"));
    room.check(&doing, n_trees, size?)
}

/// The measure that is asked for, or the usual one of the method.
fn measure_or(usual: Measure, asked: &Given) -> Result<Measure, Failure> {
    if asked.get("measure").is_none() {
        return Ok(usual);
    }
    let settings = asked.get("settings").unwrap_or_else(|| ().into());
    settings::measure(&asked.text("measure")?, &settings)
}

/// Recursive feature elimination with cross-validation.
#[extendr]
fn eliminate(data: Robj, config: Robj, asked: Robj, work: Robj) -> Robj {
    answer(|| {
        let (work, asked) = (Work::of(&work)?, Given::of(&asked)?);
        let part = |name: &str| asked.get(name).unwrap_or_else(|| ().into());
        let data = with_groups(&pointer::data(&data)?, &part("groups"))?;
        let measure = settings::measure(&asked.text("measure")?, &part("settings"))?;
        let loss = asked.text("loss")?;
        let known: Vec<&str> = Loss::ALL.iter().map(|loss| loss.id()).collect();
        let config = SelectionConfig {
            folds: asked.whole("folds")?,
            repeats: asked.whole("repeats")?,
            drop: match asked.optional_number("step")? {
                None => PerStep::Auto,
                Some(step) if step >= 1.0 => PerStep::Variables(asked.whole("step")?),
                Some(share) => PerStep::Share(share),
            },
            smallest: asked.whole("smallest")?,
            loss: Loss::parse(&loss).ok_or_else(|| one_of("loss", &loss, &known))?,
            ..SelectionConfig::new(settings::config(&config)?.without_defaults(&data), measure)
        };
        let state = SelectionState::new(&data, &config);
        let selection = work.watched(|run| {
            check_room(work.room, config.forest.n_trees, config.size(&data, work.room.threads))?;
            select(&data, &config, state, |_| {}, run)
        })?;
        values::found(selection.frame(), &selection.document(&data, &config))
    })
}

/// Boruta: every variable is confirmed, rejected or left open.
#[extendr]
fn confirm(data: Robj, config: Robj, asked: Robj, work: Robj) -> Robj {
    answer(|| {
        let (work, asked) = (Work::of(&work)?, Given::of(&asked)?);
        let part = |name: &str| asked.get(name).unwrap_or_else(|| ().into());
        let data = with_groups(&pointer::data(&data)?, &part("groups"))?;
        let word = asked.text("multiple_testing")?;
        let known: Vec<&str> = Correction::ALL.iter().map(|each| each.id()).collect();
        let correction = Correction::ALL.iter().copied().find(|each| each.id() == word);
        let correction = correction.ok_or_else(|| one_of("multiple_testing", &word, &known))?;
        let usual = BorutaConfig::new(settings::config(&config)?.without_defaults(&data))?;
        let config = BorutaConfig {
            measure: measure_or(usual.measure.clone(), &asked)?,
            level: asked.optional_number("level")?.unwrap_or(correction.usual_level()),
            correction,
            percentile: asked.number("percentile")?,
            max_runs: asked.whole("max_runs")?,
            rough_fix: asked.flag("rough_fix")?,
            ..usual
        };
        let decided = work.watched(|run| {
            check_room(work.room, config.forest.n_trees, config.size(&data, work.room.threads))?;
            boruta(&data, &config, run)
        })?;
        values::found(decided.frame(), &decided.document(&data, &config))
    })
}

/// Integrated path stability selection.
#[extendr]
fn stabilise(data: Robj, config: Robj, asked: Robj, work: Robj) -> Robj {
    answer(|| {
        let (work, asked) = (Work::of(&work)?, Given::of(&asked)?);
        let part = |name: &str| asked.get(name).unwrap_or_else(|| ().into());
        let data = with_groups(&pointer::data(&data)?, &part("groups"))?;
        let word = part("power");
        let word = text(&word).unwrap_or_else(|| crate::given::shown(&word));
        let known: Vec<&str> = Power::ALL.iter().map(|each| each.id()).collect();
        let power = Power::ALL.iter().copied().find(|each| each.id() == word);
        let usual = IpssConfig::new(settings::config(&config)?)?;
        let config = IpssConfig {
            subsample_trees: asked.optional_whole("subsample_trees")?,
            preselect: asked.optional_whole("preselect")?,
            measure: measure_or(usual.measure.clone(), &asked)?,
            pairs: asked.whole("pairs")?,
            power: power.ok_or_else(|| one_of("power", &word, &known))?,
            ..usual
        };
        let scored = work.watched(|run| {
            check_room(work.room, config.n_trees(), config.size(&data, work.room.threads))?;
            ipss(&data, &config, run)
        })?;
        values::found(scored.frame(), &scored.document(&data, &config))
    })
}

extendr_module! {
    mod selection;
    fn eliminate;
    fn confirm;
    fn stabilise;
}
