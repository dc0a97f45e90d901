//! Where things are.

use std::path::{Path, PathBuf};

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

/// Cargo's target folder, wherever settings put it: the marked one that holds this program, or
/// the one above its profile's, because cargo marks only folders that it made.
pub(crate) fn target() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let marked = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    marked.or(program.ancestors().nth(2)).map_or_else(|| root().join("target"), Path::to_owned)
}

/// Where the site made of `docs/` is built.
pub(crate) fn site() -> PathBuf {
    target().join("site")
}
