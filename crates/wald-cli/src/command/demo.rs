//! `wald demo`: an example table and its report, in the current folder.

use std::path::Path;

use wald::DecimalMark;
use wald::frame::Frame;
use wald::simulate::Design;
use wald_report::Report;
use wald_table::FrameFormat;

use crate::arguments::{Command, DemoArguments, Shared, parse_shared};
use crate::command::report;
use crate::failure::Failure;
use crate::messages;
use crate::output::Destination;
use crate::terminal::{Terminal, indented};
use crate::text::answer_sentences;

const TABLE: &str = "wald-demo.csv";
const PAGE: &str = "wald-demo.html";
const DESIGN: Design = Design::Friedman1;
const ROWS: usize = 500;
const SEED: u64 = 1;

/// The columns of the design as those of a field trial, from none to the most.
const COLUMNS: [&str; 11] = [
    "rain",
    "warmth",
    "acidity",
    "nitrogen",
    "potassium",
    "altitude",
    "slope",
    "wind",
    "stones",
    "distance",
    "yield",
];

const INTRODUCTION: &str = "A simulated field trial: the yield of 500 fields by ten columns, of which \
                            five matter (nitrogen and potassium, rain together with warmth, and \
                            acidity, which is best in the middle) and five do not.";

pub(crate) fn run(arguments: &DemoArguments) -> Result<(), Failure> {
    let table = Destination::check(Some(Path::new(TABLE)), arguments.force, &[])?;
    Destination::check(Some(Path::new(PAGE)), arguments.force, &[])?;
    let frame = named(DESIGN.draw(ROWS, SEED)?.frame());
    table.write(|writer| FrameFormat::Csv(DecimalMark::Point).write(&frame, writer))?;
    if !arguments.quiet {
        messages::print(&messages::written(Path::new(TABLE)));
    }
    let mut words = vec!["report", TABLE, "--target", "yield", "--output", PAGE];
    words.extend(arguments.force.then_some("--force"));
    words.extend(arguments.quiet.then_some("--quiet"));
    let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
    match parse_shared(&words, &Shared::Instead(words.clone()))? {
        Command::Report(arguments) => report::run_with(&arguments, conclusion),
        _ => Err(Failure::internal("the demo is a report")),
    }
}

/// The design's table with names that stand for something.
fn named(frame: Frame) -> Frame {
    let columns = frame.columns.into_iter().zip(COLUMNS);
    Frame { columns: columns.map(|((_, values), name)| (name.to_owned(), values)).collect() }
}

/// What the table is, what the page concludes, and how to go on.
fn conclusion(report: &Report, terminal: Terminal) -> String {
    let paragraph = |text: &str| indented("", text, 0, terminal);
    let answer = report.answer.as_ref();
    let answer = answer.map_or_else(String::new, |answer| answer_sentences(answer, terminal));
    let next = format!(
        "The page is {PAGE}: open it in a browser. With a table of your own: wald report TABLE \
         --target COLUMN"
    );
    [paragraph(INTRODUCTION), paragraph("The page concludes:") + &answer, paragraph(&next)]
        .join("\n")
}
