//! `wald report`: the ranking here, everything else on one HTML page.

use wald::digits::Digits;
use wald_report::{Depth, Report};

use crate::analysis::Plan;
use crate::arguments::ReportArguments;
use crate::failure::Failure;
use crate::messages;
use crate::output::{Destination, refuse_same};
use crate::terminal::{Terminal, hanging};
use crate::text::{answer_text, ranking};

/// The page shows all variables.
const MOST_VARIABLES: usize = 30;

pub(crate) fn run(arguments: &ReportArguments) -> Result<(), Failure> {
    run_with(arguments, summary)
}

/// Writes the page, and a text about it to the standard output.
pub(super) fn run_with(
    arguments: &ReportArguments,
    summary: fn(&Report, Terminal) -> String,
) -> Result<(), Failure> {
    arguments.measures.refuse_apart("the page")?;
    let plan = Plan::new(&arguments.data, &arguments.measures, &arguments.growing, &arguments.run)?
        .with_report(
            if arguments.quick { Depth::Quick } else { Depth::Full },
            !arguments.no_explanations,
        );
    let destination = Destination::check(Some(&arguments.output), arguments.force, &plan.inputs())?;
    let json = arguments.json.as_deref();
    let json = json.map(|path| Destination::check(Some(path), arguments.force, &plan.inputs()));
    let json = json.transpose()?;
    if let Some(json) = &json {
        refuse_same("the JSON", json, "the page", &destination)?;
        refuse_same("the JSON", json, "the standard output", &Destination::Stdout)?;
    }
    if destination != Destination::Stdout {
        refuse_same("the page", &destination, "the ranking", &Destination::Stdout)?;
    }
    let analysis = plan.carry_out()?;
    let page = wald_html::render(&analysis.report, arguments.decimal_mark)?;
    if let Some(json) = &json {
        json.write(|writer| analysis.notes.write_json(writer, &analysis.report))?;
    }
    destination.write(|writer| writer.write_all(page.as_bytes()))?;
    if destination == Destination::Stdout {
        return Ok(());
    }
    let terminal = Terminal { decimal_mark: arguments.decimal_mark, ..Terminal::stdout() };
    let text = summary(&analysis.report, terminal);
    Destination::Stdout.write(|writer| writer.write_all(text.as_bytes()))?;
    analysis.notes.print(arguments.run.quiet);
    if !arguments.run.quiet {
        let written = arguments.json.iter().chain([&arguments.output]);
        written.for_each(|path| messages::print(&messages::written(path)));
    }
    Ok(())
}

fn summary(report: &Report, terminal: Terminal) -> String {
    let advice = report.advice.as_ref().map(|advice| advice.summary.join(" "));
    let answer = report.answer.as_ref();
    let mut text = answer.map_or_else(String::new, |answer| answer_text(answer, terminal));
    for paragraph in [Some(accuracy(report)), advice].into_iter().flatten() {
        if !paragraph.is_empty() {
            text += &hanging(&wald_table::escape_controls(&paragraph), terminal);
            text.push('\n');
        }
    }
    text + &ranking(report, MOST_VARIABLES, terminal)
}

/// How well the forest predicts: the importances of a forest that does not are worth little.
fn accuracy(report: &Report) -> String {
    let forest = &report.forest;
    let four = |value: f64| Digits::of([value]).text(value);
    let mut parts: Vec<String> =
        forest.errors.iter().map(|error| format!("{} {}", error.name, four(error.value))).collect();
    parts.extend(forest.auc.map(|area| format!("area under the curve {}", four(area))));
    if let Some(explained) = forest.explained_variance {
        parts.push(format!("{:.1} % of the variance explained", 100.0 * explained));
    }
    if parts.is_empty() { String::new() } else { format!("Out of bag: {}", parts.join("; ")) }
}
