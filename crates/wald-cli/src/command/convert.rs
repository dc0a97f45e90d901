//! `wald convert`: between the wald model file and wald-forest JSON.

use std::path::Path;

use wald::{Forest, Threads};

use crate::arguments::ConvertArguments;
use crate::failure::Failure;
use crate::inputs::ForestFile;
use crate::messages;
use crate::output::Destination;

pub(crate) fn run(arguments: &ConvertArguments) -> Result<(), Failure> {
    let (input, output) = (arguments.forest.as_path(), arguments.output.as_path());
    let destination = Destination::check(Some(output), arguments.force, &[input])?;
    let forest = ForestFile::read(input)?.forest(Threads::all(), arguments.quiet)?;
    write_forest(&forest, output, &destination)?;
    if !arguments.quiet && destination != Destination::Stdout {
        messages::print(&messages::written(output));
    }
    Ok(())
}

/// Whether a forest that goes there is written as JSON, a piece at a time.
pub(crate) fn writes_json(path: &Path, destination: &Destination) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
        || *destination == Destination::Stdout
}

/// Writes a forest in the format that the name of its file asks for.
pub(crate) fn write_forest(
    forest: &Forest,
    path: &Path,
    destination: &Destination,
) -> Result<(), Failure> {
    if writes_json(path, destination) {
        return destination.write(|writer| forest.to_json(writer));
    }
    let bytes = forest.to_bytes()?;
    destination.write(|writer| writer.write_all(&bytes))
}
