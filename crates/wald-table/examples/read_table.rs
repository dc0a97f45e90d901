//! Reads a table and prints its shape, its columns and what was decided on the way.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]

use std::path::Path;
use std::process::ExitCode;
use wald::message::Neutral;

use wald_table::{ReadOptions, Values, escape, read};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: read_table FILE [--columns]");
        return ExitCode::from(2);
    };
    let table = match read(Path::new(&path), &ReadOptions::default()) {
        Ok(table) => table,
        Err(error) => {
            eprintln!("{error:#?}");
            return ExitCode::from(error.class.exit_code());
        }
    };
    let memory: usize = table.columns().iter().flat_map(|column| &column.values).map(bytes).sum();
    println!(
        "{}: {} rows, {} columns, {} bytes",
        table.source(),
        table.n_rows(),
        table.columns().len(),
        memory
    );
    if arguments.next().is_some() {
        for note in table.notes() {
            println!("note: {note}");
        }
        for column in table.columns() {
            let kind = match &column.values {
                Ok(Values::Numeric { integers: true, .. }) => "integers".to_owned(),
                Ok(Values::Numeric { .. }) => "numbers".to_owned(),
                Ok(Values::Text { levels, .. }) => format!("{} levels", levels.len()),
                Err(error) => format!("refused: {error} ({})", error.help.worded(&Neutral)),
            };
            println!("  {}: {kind}, {:?} missing", escape(&column.name), column.n_missing());
            for notice in &column.notices {
                println!("    {}", notice.message.worded(&Neutral));
            }
        }
    }
    ExitCode::SUCCESS
}

/// Memory of the values themselves.
fn bytes(values: &Values) -> usize {
    match values {
        Values::Numeric { values, .. } => 8 * values.len(),
        Values::Text { levels, codes } => {
            4 * codes.len() + levels.iter().map(|level| 24 + level.len()).sum::<usize>()
        }
    }
}
