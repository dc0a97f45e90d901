//! `wald merge`: what a command gives whose work was divided into parts.

use std::fs::File;
use std::path::{Path, PathBuf};

use wald::forest::ForestPart;
use wald::parts::{PartFile, Parts};
use wald::{Forest, Threads};

use crate::arguments::{MergeArguments, Shared, parse_shared};
use crate::command::convert::write_forest;
use crate::failure::Failure;
use crate::inputs::ForestFile;
use crate::messages;
use crate::output::Destination;

pub(crate) fn run(arguments: &MergeArguments) -> Result<(), Failure> {
    if let Some(output) = arguments.output.as_deref() {
        return forests(&arguments.parts, output, arguments.force);
    }
    let parts = Parts::read(part_files(&arguments.parts)?)?;
    let words = parts.words().to_vec();
    super::run(&parse_shared(&words, &Shared::Merge(parts))?)
}

/// Files of parts, which are read as they are needed.
pub(super) fn part_files(paths: &[PathBuf]) -> Result<Vec<PartFile>, Failure> {
    let open = |path: &PathBuf| {
        let file = File::open(path).map_err(|error| Failure::file("read", path, &error))?;
        Ok(PartFile::new(path.to_string_lossy(), file))
    };
    paths.iter().map(open).collect()
}

/// Writes the forest of all trees of several.
fn forests(parts: &[PathBuf], output: &Path, force: bool) -> Result<(), Failure> {
    let inputs: Vec<&Path> = parts.iter().map(PathBuf::as_path).collect();
    let destination = Destination::check(Some(output), force, &inputs)?;
    let read = |path: &&Path| {
        let forest = ForestFile::read(path)?.forest(Threads::all(), false)?;
        Ok(ForestPart { name: path.to_string_lossy().into_owned(), forest })
    };
    let parts = inputs.iter().map(read).collect::<Result<Vec<_>, Failure>>()?;
    let merged = Forest::merged(parts)?;
    write_forest(&merged, output, &destination)?;
    if destination != Destination::Stdout {
        messages::print(&messages::written(output));
    }
    Ok(())
}
