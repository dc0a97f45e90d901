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
mod lists;
mod markup;
mod messages;
mod notes;
mod output;
mod pager;
mod panics;
mod picture;
mod population;
mod progress;
mod proposal;
mod provenance;
mod room;
mod subject;
mod terminal;
mod text;
mod wording;

use std::process::ExitCode;

use arguments::Parsed;

fn main() -> ExitCode {
    interrupt::install();
    let outcome = panics::caught(|| match arguments::parse()? {
        Parsed::Command(command) => command::run(&command).map(|()| ExitCode::SUCCESS),
        Parsed::Help => Ok(ExitCode::SUCCESS),
        // As for all that is missing: a script that forgot its words must not go on.
        Parsed::Nothing => Ok(ExitCode::from(failure::USAGE)),
    });
    match outcome {
        Ok(code) => code,
        Err(failure) => {
            messages::failure(&failure);
            ExitCode::from(failure.exit_code)
        }
    }
}
