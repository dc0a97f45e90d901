//! Ctrl-C ends the program at once, from any phase, and leaves no temporary file behind.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use tempfile::{NamedTempFile, TempPath};

use crate::failure::INTERRUPTED;

/// The temporary file that is being written, if any. Whoever holds the lock decides whether
/// it exists, so that the handler cannot miss a file that is just coming into being.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Installs the handler. Without it, Ctrl-C still ends the program in the system's way.
pub(crate) fn install() {
    let _ = ctrlc::set_handler(|| {
        let temporary = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = temporary.as_ref() {
            let _ = std::fs::remove_file(path);
        }
        let mut stderr = io::stderr();
        if stderr.is_terminal() {
            // The shell's prompt starts on a line of its own.
            let _ = writeln!(stderr);
        }
        std::process::exit(i32::from(INTERRUPTED));
    });
}

/// Creates a temporary file that the handler knows.
pub(crate) fn create(
    create: impl FnOnce() -> io::Result<NamedTempFile>,
) -> io::Result<NamedTempFile> {
    let mut temporary = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    let file = create()?;
    *temporary = Some(file.path().to_owned());
    Ok(file)
}

/// Renames the temporary file, after which the handler leaves it alone.
pub(crate) fn persist(
    path: TempPath,
    persist: impl FnOnce(TempPath) -> io::Result<()>,
) -> io::Result<()> {
    let mut temporary = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    *temporary = None;
    persist(path)
}
