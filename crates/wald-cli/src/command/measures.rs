//! `wald measures`: estimand and caveat of each measure, and the options of those that are named.

use serde::Serialize;
use wald::explain::{ExplanationInfo, ExplanationOption};
use wald::frame::Frame;
use wald::measure::{Loss, MeasureInfo, MeasureOption};
use wald::{ExplanationId, MeasureId};

use crate::arguments::{Format, MeasuresArguments, Offered};
use crate::failure::Failure;
use crate::output::Destination;
use crate::terminal::{Terminal, described};
use crate::wording::long;

/// What is known of a measure: its name and its fields, in words.
struct Described {
    id: &'static str,
    name: &'static str,
    fields: Vec<(&'static str, String)>,
    /// Options and what they are.
    options: Vec<(String, String)>,
}

pub(crate) fn run(arguments: &MeasuresArguments) -> Result<(), Failure> {
    let is_shown = |id: &str| arguments.measures.is_empty() || arguments.measures.contains(&id);
    let global = MeasureId::ALL.iter().map(|id| id.info()).filter(|info| is_shown(info.id));
    let local = ExplanationId::ALL.iter().map(|id| id.info()).filter(|info| is_shown(info.id));
    let destination = Destination::Stdout;
    destination.write(|writer| match arguments.format {
        Format::Json => {
            let list = global.map(Listed::Global).chain(local.map(Listed::Local));
            serde_json::to_writer_pretty(&mut *writer, &list.collect::<Vec<_>>())?;
            writer.write_all(b"\n")
        }
        Format::Table(look) => {
            let terminal = destination.terminal(look);
            let all = global.map(of_global).chain(local.map(of_local));
            let has_options = !arguments.measures.is_empty();
            let texts: Vec<String> = all.map(|one| in_words(one, has_options, terminal)).collect();
            writer.write_all(terminal.shown(texts.join("\n")).as_bytes())
        }
        Format::Frame(format) => {
            format.write(&frame(global.map(of_global).chain(local.map(of_local))), writer)
        }
    })
}

/// A measure of the JSON list.
#[derive(Serialize)]
#[serde(untagged)]
enum Listed {
    Global(&'static MeasureInfo),
    Local(&'static ExplanationInfo),
}

fn of_global(info: &'static MeasureInfo) -> Described {
    let takes = |option: &MeasureOption| info.takes(*option);
    Described {
        id: info.id,
        name: info.name,
        fields: vec![
            ("aliases", info.aliases.join(", ")),
            ("estimates", info.estimand.to_owned()),
            ("caveat", info.caveat.to_owned()),
            ("data", info.data.in_words().to_owned()),
            ("requires", info.needs_in_words()),
            ("losses", losses(info)),
            ("unit", info.unit.to_owned()),
            ("cost", info.cost.to_owned()),
            ("source", info.source.to_owned()),
        ],
        options: MeasureOption::offered().filter(takes).map(option).collect(),
    }
}

fn of_local(info: &'static ExplanationInfo) -> Described {
    let global = MeasureId::parse(info.id).map(MeasureId::info);
    let takes = |option: &ExplanationOption| info.takes(*option);
    Described {
        id: info.id,
        name: info.name,
        fields: vec![
            ("aliases", global.map_or_else(String::new, |global| global.aliases.join(", "))),
            ("estimates", info.estimand.to_owned()),
            ("caveat", info.caveat.to_owned()),
            ("data", "single rows: `wald explain`".to_owned()),
            ("unit", info.unit.to_owned()),
            ("cost", info.cost.to_owned()),
            ("source", info.source.to_owned()),
        ],
        options: ExplanationOption::offered().filter(takes).map(option).collect(),
    }
}

/// An option, what it is, and its value where none is given.
fn option(option: impl Offered) -> (String, String) {
    let info = option.info();
    let default = option.default_in_words();
    let default = if default.is_empty() { String::new() } else { format!(" [default: {default}]") };
    let help = info.help.trim_end_matches('.');
    (format!("--{}", long(option.id())), format!("{help}{default}"))
}

fn in_words(one: Described, has_options: bool, terminal: Terminal) -> String {
    let Described { id, name, mut fields, options } = one;
    if has_options {
        for (option, what) in options {
            fields.push(("option", format!("{option}: {what}")));
        }
    } else {
        let names: Vec<String> = options.into_iter().map(|(option, _)| option).collect();
        // Before the unit, or what stands in its place.
        let place = fields.iter().position(|(field, _)| ["unit", "cost"].contains(field));
        fields.insert(place.unwrap_or(fields.len()), ("options", names.join(", ")));
    }
    described(id, name, &fields, terminal)
}

/// A line per measure and what is known of it.
fn frame(all: impl Iterator<Item = Described>) -> Frame {
    let of = |one: Described| {
        let Described { id, fields, .. } = one;
        let fields = fields.into_iter().filter(|(_, value)| !value.is_empty());
        fields.map(move |(field, value)| (id, field, value))
    };
    let lines: Vec<(&str, &str, String)> = all.flat_map(of).collect();
    Frame::default()
        .with_text("measure", lines.iter().map(|(id, ..)| *id))
        .with_text("field", lines.iter().map(|(_, field, _)| *field))
        .with_text("value", lines.iter().map(|(.., value)| value.clone()))
}

fn losses(info: &MeasureInfo) -> String {
    let list = |losses: &[Loss]| losses.iter().map(|loss| loss.id()).collect::<Vec<_>>().join(", ");
    let tasks = [("regression", info.regression_losses), ("classes", info.classification_losses)];
    let parts = tasks.iter().filter(|(_, losses)| !losses.is_empty());
    parts.map(|(task, losses)| format!("{task}: {}", list(losses))).collect::<Vec<_>>().join("; ")
}
