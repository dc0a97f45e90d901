//! `docs/measures.md` agrees with the declarations of the measures.
//!
//! `WALD_WRITE_DOCS=1 cargo test -p wald --test it docs` writes it anew.

use std::path::Path;

use wald::explain::{ExplanationInfo, ExplanationOption};
use wald::measure::{Loss, MeasureInfo, MeasureOption, Normalise};
use wald::options::{Options, ValueKind};
use wald::{ExplanationId, MeasureId};

fn list(ids: &[&str]) -> String {
    ids.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ")
}

/// The losses of a measure that has some.
fn losses(numbers: &[Loss], classes: &[Loss]) -> Option<(&'static str, String)> {
    let [numbers, classes] = [numbers, classes]
        .map(|losses| list(&losses.iter().map(|loss| loss.id()).collect::<Vec<_>>()));
    let both = format!("{numbers} for numbers; {classes} for classes (the first is the default)");
    (!numbers.is_empty()).then_some(("losses", both))
}

fn section(info: &MeasureInfo) -> String {
    let mut rows = vec![
        ("estimates", info.estimand.to_owned()),
        ("caveat", info.caveat.to_owned()),
        ("data", info.data.in_words().to_owned()),
        ("requires", info.needs_in_words()),
        ("unit", info.unit.to_owned()),
        ("cost", info.cost.to_owned()),
        ("source", info.source.to_owned()),
    ];
    rows.extend(losses(info.regression_losses, info.classification_losses));
    if !info.normalisations.is_empty() {
        let offered: Vec<&str> = info.normalisations.iter().copied().map(Normalise::id).collect();
        rows.push(("normalisations", list(&offered)));
    }
    let options = MeasureOption::ALL.iter().filter(|option| info.takes(**option));
    let options: Vec<&str> = options.map(|option| option.id()).collect();
    if !options.is_empty() {
        rows.push(("options", list(&options)));
    }
    listed((info.id, info.name), rows)
}

fn local_section(info: &ExplanationInfo) -> String {
    let fields = [
        ("estimates", info.estimand),
        ("caveat", info.caveat),
        ("unit", info.unit),
        ("cost", info.cost),
        ("source", info.source),
    ];
    let mut rows = fields.map(|(key, value)| (key, value.to_owned())).to_vec();
    rows.extend(losses(info.regression_losses, info.classification_losses));
    let options = ExplanationOption::ALL.iter().filter(|option| info.takes(**option));
    let options: Vec<&str> = options.map(|option| option.id()).collect();
    rows.push(("options", list(&options)));
    listed((info.id, info.name), rows)
}

fn listed((id, name): (&str, &str), rows: Vec<(&str, String)>) -> String {
    let mut text = format!("\n## `{id}`\n\n{name}\n\n| | |\n|---|---|\n");
    for (key, value) in rows {
        text += &format!("| {key} | {value} |\n");
    }
    text
}

/// What the options are, as a table.
fn options_table<O: Options>() -> String {
    let mut text = "\n| option | values | default | |\n|---|---|---|---|\n".to_owned();
    for info in O::ALL.iter().map(|option| option.info()) {
        let values = match &info.kind {
            ValueKind::Flag => "true or false".to_owned(),
            ValueKind::Word(words) => words.join(", "),
            ValueKind::Table => "a table".to_owned(),
            ValueKind::TableWithTarget => "a table with the target".to_owned(),
            ValueKind::Names => "names of columns".to_owned(),
            ValueKind::Whole => "a whole number".to_owned(),
            ValueKind::WholeOr(word) => format!("{word}, or a whole number"),
            ValueKind::Number => "a number".to_owned(),
            ValueKind::Seconds => "a number of seconds".to_owned(),
        };
        let default = if info.kind == ValueKind::Flag { "false" } else { info.default };
        text += &format!("| `{}` | {values} | {default} | {} |\n", info.id, info.help);
    }
    text
}

#[test]
fn the_documentation_agrees_with_the_definitions() {
    let head = "# Measures\n\nThis page lists the estimand, caveat, requirements, cost and source of \
                every measure. It is generated\nfrom their definitions; `wald measures` prints the same information.\n";
    let global: String = MeasureId::ALL.iter().map(|id| section(id.info())).collect();
    let local: String = ExplanationId::ALL.iter().map(|id| local_section(id.info())).collect();
    let expected = format!(
        "{head}{global}\n# Options\n\nOn the command line, options have dashes in the place of \
         underscores: `--background-rows`.\nThe impurity is that of the forest there.\n{}\n\
         # Measures of single rows\n\n`wald explain` computes them.\n{local}\n\
         # Options of measures of single rows\n\nThe command line evaluates curves at 100 values by \
         default, `ale` at 41.\n{}",
        options_table::<MeasureOption>(),
        options_table::<ExplanationOption>()
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/measures.md");
    if std::env::var_os("WALD_WRITE_DOCS").is_some() {
        std::fs::write(&path, &expected).expect("docs can be written");
    }
    let found = std::fs::read_to_string(&path).expect("docs/measures.md is there");
    assert!(
        found == expected,
        "docs/measures.md is out of date; this test's page describes how to write it"
    );
}
