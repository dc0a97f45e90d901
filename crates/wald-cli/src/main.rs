//! The `wald` command line: which variables matter in a random forest.

mod advice_text;
mod analysis;
mod answer_text;
mod arguments;
mod command;
mod csv;
mod curve_table;
mod curves;
mod degrees_table;
mod errors_table;
mod explained;
mod explained_picture;
mod failure;
mod grouping;
mod importance_frame;
mod inputs;
mod interrupt;
mod masking_table;
mod memory;
mod messages;
mod notes;
mod output;
mod panics;
mod parts;
mod population;
mod progress;
mod provenance;
mod ranking;
mod room;
mod temporary;
mod terminal;
mod terms;
mod terms_table;
mod uncertainty_table;
mod wording;

use std::process::ExitCode;

fn main() -> ExitCode {
    interrupt::install();
    let outcome = panics::caught(|| match arguments::parse()? {
        Some(command) => command::run(&command),
        None => Ok(()),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            messages::failure(&failure);
            ExitCode::from(failure.exit_code)
        }
    }
}
