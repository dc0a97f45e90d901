//! `wald measures`: estimand and caveat of each measure.

use serde::Serialize;
use wald::explain::{ExplanationInfo, ExplanationOption};
use wald::measure::{Loss, MeasureInfo, MeasureOption};
use wald::{ExplanationId, MeasureId};

use crate::arguments::{Format, MeasuresArguments, Offered};
use crate::failure::Failure;
use crate::output::Destination;
use crate::terminal::{Terminal, described};
use crate::wording::long;

pub(crate) fn run(arguments: &MeasuresArguments) -> Result<(), Failure> {
    let infos: Vec<&MeasureInfo> = MeasureId::ALL.iter().map(|id| id.info()).collect();
    let local: Vec<&ExplanationInfo> = ExplanationId::ALL.iter().map(|id| id.info()).collect();
    Destination::Stdout.write(|writer| {
        if arguments.format == Format::Json {
            let list = (infos.iter().map(Listed::Global)).chain(local.iter().map(Listed::Local));
            serde_json::to_writer_pretty(&mut *writer, &list.collect::<Vec<_>>())?;
            return writer.write_all(b"\n");
        }
        let terminal = Terminal::stdout();
        let global = infos.iter().map(|info| global_in_words(info, terminal));
        let local = local.iter().map(|info| local_in_words(info, terminal));
        let texts: Vec<String> = global.chain(local).collect();
        writer.write_all(texts.join("\n").as_bytes())
    })
}

/// A measure of the JSON list.
#[derive(Serialize)]
#[serde(untagged)]
enum Listed<'a> {
    Global(&'a &'a MeasureInfo),
    Local(&'a &'a ExplanationInfo),
}

fn global_in_words(info: &MeasureInfo, terminal: Terminal) -> String {
    let fields = [
        ("also called", info.aliases.join(", ")),
        ("estimates", info.estimand.to_owned()),
        ("caveat", info.caveat.to_owned()),
        ("data", info.data.in_words().to_owned()),
        ("requires", info.needs_in_words()),
        ("losses", losses(info)),
        ("options", options(|option: MeasureOption| info.takes(option))),
        ("unit", info.unit.to_owned()),
        ("cost", info.cost.to_owned()),
        ("source", info.source.to_owned()),
    ];
    described(info.id, info.name, &fields, terminal)
}

fn local_in_words(info: &ExplanationInfo, terminal: Terminal) -> String {
    let global = MeasureId::parse(info.id).map(MeasureId::info);
    let fields = [
        ("also called", global.map_or_else(String::new, |global| global.aliases.join(", "))),
        ("estimates", info.estimand.to_owned()),
        ("caveat", info.caveat.to_owned()),
        ("data", "single rows: `wald explain`".to_owned()),
        ("options", options(|option: ExplanationOption| info.takes(option))),
        ("cost", info.cost.to_owned()),
        ("source", info.source.to_owned()),
    ];
    described(info.id, info.name, &fields, terminal)
}

/// The options that a measure takes.
fn options<O: Offered>(takes: impl Fn(O) -> bool) -> String {
    let taken = O::offered().filter(|option| takes(*option));
    taken.map(|option| format!("--{}", long(option.id()))).collect::<Vec<_>>().join(", ")
}

fn losses(info: &MeasureInfo) -> String {
    let list = |losses: &[Loss]| losses.iter().map(|loss| loss.id()).collect::<Vec<_>>().join(", ");
    let tasks = [("regression", info.regression_losses), ("classes", info.classification_losses)];
    let parts = tasks.iter().filter(|(_, losses)| !losses.is_empty());
    parts.map(|(task, losses)| format!("{task}: {}", list(losses))).collect::<Vec<_>>().join("; ")
}
