//! The `wald` command line: which variables matter in a random forest.

mod analysis;
mod arguments;
mod command;
mod explained;
mod failure;
mod grouping;
mod host;
mod inputs;
mod interrupt;
mod messages;
mod notes;
mod output;
mod panics;
mod population;
mod progress;
mod provenance;
mod room;
mod subject;
mod terminal;
mod text;
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
