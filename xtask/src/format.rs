//! `cargo xtask format`: formats all Rust files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{Outcome, cargo, execute, program};
use crate::place::root;

/// The folder whose modules a macro declares, so that `cargo fmt` does not find them.
const DECLARED_BY_MACRO: &str = "crates/wald/src/measure";

/// Formats all files, or with `--check` fails where one is not formatted.
pub(crate) fn run(options: &[&str]) -> Outcome {
    execute(cargo(["fmt", "--all"].iter().chain(options)))?;
    let mut rustfmt = program("rustfmt");
    rustfmt.args(["--edition", "2024"]).args(options);
    rustfmt.args(files(&root().join(DECLARED_BY_MACRO))?);
    execute(rustfmt)
}

/// All Rust files of a folder and of those in it.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let unreadable = |error| format!("{} cannot be read: {error}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
