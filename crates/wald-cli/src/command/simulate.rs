//! `wald simulate`: data from the designs of the papers, and which of their variables matter.

use wald::simulate::Design;
use wald::words::counted;

use crate::arguments::{Format, SimulateArguments};
use crate::failure::Failure;
use crate::markup::{Look, Markup};
use crate::messages;
use crate::output::Destination;
use crate::room;
use crate::terminal::{Terminal, described};
use crate::text::{write_frame, write_json};

pub(crate) fn run(arguments: &SimulateArguments) -> Result<(), Failure> {
    let output = &arguments.output;
    let destination = Destination::check(output.path(), output.force, &[])?;
    let Some(design) = arguments.design else {
        let terminal = destination.terminal(Look::of(Markup::Plain));
        let list = Design::ALL.iter().map(|design| listed(*design, terminal));
        let list = list.collect::<Vec<_>>().join("\n");
        return destination.write(|writer| writer.write_all(list.as_bytes()));
    };
    if arguments.rows == 0 {
        let what = "a table of 0 rows was requested (`--rows`)";
        return Err(Failure::usage(what, "give 1 or more"));
    }
    let frame = if arguments.truth {
        design.truth(arguments.seed)
    } else {
        let n_columns = design.info().n_columns;
        let needed = needed(arguments.rows, n_columns);
        room::check_simulating(arguments.rows, n_columns + 1, needed)?;
        design.draw(arguments.rows, arguments.seed)?.frame()
    };
    destination.write(|writer| match output.format() {
        Format::Json => write_json(&frame, writer),
        Format::Table(look) => write_frame(&frame, destination.terminal(look), writer),
        Format::Frame(format) => format.write(&frame, writer),
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

/// What was drawn, and what is true of it.
fn summary(design: Design, arguments: &SimulateArguments) -> String {
    let info = design.info();
    let seed = arguments.seed;
    let matter: Vec<String> =
        design.relevant(seed).into_iter().map(|at| format!("x{}", at + 1)).collect();
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
