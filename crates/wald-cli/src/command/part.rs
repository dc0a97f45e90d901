//! `wald part`: a part of the work of another command.

use wald::parts::{Recorder, Unit};

use crate::arguments::{PartArguments, Shared, parse_shared};
use crate::failure::Failure;
use crate::output::Destination;

pub(crate) fn run(arguments: &PartArguments) -> Result<(), Failure> {
    let destination = Destination::check(Some(&arguments.output), arguments.force, &[])?;
    let recorder = Recorder::new(arguments.part, Unit::Trees, arguments.command.clone());
    let shared = Shared::Part(std::sync::Arc::clone(&recorder));
    let command = parse_shared(&arguments.command, shared)?;
    // A part that is done ends the command, which reports that as an interruption.
    let outcome = super::run(&command);
    match recorder.bytes()? {
        Some(bytes) => destination.write(|writer| writer.write_all(&bytes)),
        None => outcome,
    }
}
