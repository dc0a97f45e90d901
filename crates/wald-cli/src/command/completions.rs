//! `wald completions`: the script by which a shell completes words.

use crate::arguments::{CompletionsArguments, command};
use crate::failure::Failure;
use crate::output::Destination;

pub(crate) fn run(arguments: &CompletionsArguments) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command(), "wald", &mut script);
    Destination::Stdout.write(|writer| writer.write_all(&script))
}
