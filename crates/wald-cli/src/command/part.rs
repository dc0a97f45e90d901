//! `wald part`: a part of the work of another command.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wald::parts::{Parts, Recorder};

use crate::arguments::{PartArguments, Shared, parse_shared};
use crate::command::merge::part_files;
use crate::failure::Failure;
use crate::output::Destination;

pub(crate) fn run(arguments: &PartArguments) -> Result<(), Failure> {
    let before: Vec<&Path> = arguments.after.iter().map(PathBuf::as_path).collect();
    let destination = Destination::check(Some(&arguments.output), arguments.force, &before)?;
    let recorder = match arguments.after.as_slice() {
        [] => Recorder::new(arguments.part, arguments.command.clone()),
        before => Recorder::after(arguments.part, Parts::read(part_files(before)?)?),
    };
    let recorder = Arc::new(recorder.kept_in(destination.waiting()));
    let command = parse_shared(recorder.words(), &Shared::Part(Arc::clone(&recorder)))?;
    // A part that is done ends the command, which reports that as an interruption.
    match super::run(&command) {
        Err(failure) if !failure.is_interruption() => return Err(failure),
        Ok(()) | Err(_) => {}
    }
    if !recorder.is_done() {
        let what = "nothing is left to divide";
        return Err(Failure::usage(what, "merge the parts that are there"));
    }
    destination.write(|writer| recorder.write(writer))
}
