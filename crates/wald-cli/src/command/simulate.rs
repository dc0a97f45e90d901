//! `wald simulate`: data from the designs of the papers, and which of their variables matter.

use wald::Dataset;
use wald::data::{Categories, ColumnData, MISSING_LEVEL, Response};
use wald::simulate::Design;
use wald::words::counted;
use wald_table::{Frame, FrameColumn};

use crate::arguments::{Format, SimulateArguments};
use crate::csv;
use crate::failure::Failure;
use crate::messages;
use crate::output::Destination;
use crate::room;
use crate::terminal::{Terminal, described};

pub(crate) fn run(arguments: &SimulateArguments) -> Result<(), Failure> {
    let output = &arguments.output;
    let destination = Destination::check(output.path(), output.force, &[])?;
    let Some(design) = arguments.design else {
        let terminal = destination.terminal();
        let list = Design::ALL.iter().map(|design| listed(*design, terminal));
        let list = list.collect::<Vec<_>>().join("\n");
        return destination.write(|writer| writer.write_all(list.as_bytes()));
    };
    if arguments.rows == 0 {
        let what = "a table of 0 rows was requested (`--rows`)";
        return Err(Failure::usage(what, "give 1 or more"));
    }
    let frame = if arguments.truth {
        truth(design, arguments.seed)
    } else {
        let n_columns = design.info().n_columns;
        let needed = needed(arguments.rows, n_columns);
        room::check_simulating(arguments.rows, n_columns + 1, needed)?;
        rows(&design.draw(arguments.rows, arguments.seed)?)
    };
    destination.write(|writer| match arguments.output.format {
        Format::Parquet => frame.write_parquet(writer),
        _ => csv::write(writer, &frame),
    })?;
    if !arguments.quiet {
        messages::print(&summary(design, arguments));
        if let (Some(path), false) = (output.path(), destination == Destination::Stdout) {
            messages::print(&messages::written(path));
        }
    }
    Ok(())
}

fn listed(design: Design, terminal: Terminal) -> String {
    let info = design.info();
    let fields = [
        ("inputs", format!("{}, x1 to x{}: {}", info.n_columns, info.n_columns, info.inputs)),
        ("y", info.target.to_owned()),
        ("matter", info.relevant.to_owned()),
        ("source", info.source.to_owned()),
    ];
    described(info.id, info.name, &fields, terminal)
}

/// Bytes of the rows, while they are drawn and in the form that is written.
fn needed(n_rows: usize, n_columns: usize) -> u64 {
    // Columns grow by doubling; a class is a text of its own.
    let row = 2 * 8 * n_columns + 16 * n_columns + 64;
    (row as u64).saturating_mul(n_rows as u64)
}

/// The inputs, then the target.
fn rows(data: &Dataset) -> Frame {
    let inputs = data.features().columns().iter().map(|column| {
        let cells = match column.data() {
            ColumnData::Numeric(values) => numbers(values),
            ColumnData::Categorical(categories) => levels(categories),
        };
        (column.name().to_owned(), cells)
    });
    let target = match data.target().response() {
        Response::Regression(values) => numbers(values),
        Response::Classification(classes) => levels(classes),
    };
    inputs.chain([(data.target().name().to_owned(), target)]).collect()
}

fn numbers(values: &[f64]) -> FrameColumn {
    FrameColumn::numbers(values, |value| Some(*value).filter(|value| !value.is_nan()))
}

fn levels(categories: &Categories) -> FrameColumn {
    FrameColumn::texts(categories.codes(), |code| match *code {
        MISSING_LEVEL => String::new(),
        code => categories.levels()[code as usize].clone(),
    })
}

/// A row per input.
fn truth(design: Design, seed: u64) -> Frame {
    let relevant = design.relevant(seed);
    let places: Vec<usize> = (0..design.info().n_columns).collect();
    let matters = |at: &usize| Some(f64::from(u8::from(relevant.contains(at))));
    Frame::from_iter([
        ("variable", FrameColumn::texts(&places, |at| variable(*at))),
        ("relevant", FrameColumn::numbers(&places, matters)),
    ])
}

/// What was drawn, and what is true of it.
fn summary(design: Design, arguments: &SimulateArguments) -> String {
    let info = design.info();
    let seed = arguments.seed;
    let matter: Vec<String> = design.relevant(seed).into_iter().map(variable).collect();
    let rows = if arguments.truth {
        String::new()
    } else {
        format!(", {}", counted(arguments.rows, "row"))
    };
    format!(
        "{}, seed {seed}: `y` by {} variables{rows}; what matters: {}",
        info.id,
        info.n_columns,
        matter.join(", ")
    )
}

/// The name of the input at a position.
fn variable(at: usize) -> String {
    format!("x{}", at + 1)
}
