//! `wald merge`: what a command gives whose work was divided into parts.

use std::fs;

use wald::parts::{PartFile, Parts};

use crate::arguments::{MergeArguments, Shared, parse_shared};
use crate::failure::Failure;

pub(crate) fn run(arguments: &MergeArguments) -> Result<(), Failure> {
    let read = |path: &std::path::PathBuf| {
        let bytes = fs::read(path).map_err(|error| Failure::file("read", path, &error))?;
        Ok(PartFile { name: path.to_string_lossy().into_owned(), bytes })
    };
    let files: Result<Vec<PartFile>, Failure> = arguments.parts.iter().map(read).collect();
    let parts = Parts::read(files?)?;
    let words = parts.words().to_vec();
    super::run(&parse_shared(&words, Shared::Merge(parts))?)
}
