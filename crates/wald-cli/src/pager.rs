//! Texts that do not fit the terminal are shown by a pager, as those of git are.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Seek, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;

use terminal_size::{Height, terminal_size_of};

use crate::interrupt::PAGING;
use crate::terminal::is_dumb;

/// How `less` shows colours, and leaves what it showed on the screen.
const LESS: &str = "RX";

/// The exit codes of a shell that cannot execute a program, and that does not find it.
const NOT_STARTED: [i32; 2] = [126, 127];

/// The command of the pager, for a text that goes to a terminal.
pub(crate) fn pager() -> Option<OsString> {
    if !cfg!(unix) || !io::stdout().is_terminal() || is_dumb() {
        return None;
    }
    let chosen = ["WALD_PAGER", "PAGER"].into_iter().find_map(std::env::var_os);
    let pager = chosen.unwrap_or_else(|| "less".into());
    (!pager.is_empty() && pager != "cat").then_some(pager)
}

/// Shows a text; false where nothing was shown, because the text fits the terminal or there is no such
/// pager. Leaves the text at its beginning.
pub(crate) fn show(pager: &OsString, text: &mut (impl Read + Seek)) -> io::Result<bool> {
    let is_long = is_longer_than_the_terminal(text)?;
    text.rewind()?;
    let child = if is_long { start(pager) } else { None };
    let Some(mut child) = child else { return Ok(false) };
    // Ctrl-C is for the pager now: everything has been computed.
    PAGING.store(true, Ordering::Relaxed);
    let written = child
        .stdin
        .take()
        .map_or(Ok(()), |mut stdin| io::copy(text, &mut stdin).and_then(|_| stdin.flush()));
    let ended = child.wait();
    PAGING.store(false, Ordering::Relaxed);
    text.rewind()?;
    match written {
        // Whoever leaves the pager has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(ended?.code().is_none_or(|code| !NOT_STARTED.contains(&code))),
    }
}

fn is_longer_than_the_terminal(text: &mut impl Read) -> io::Result<bool> {
    let Some((_, Height(height))) = terminal_size_of(io::stdout()) else { return Ok(false) };
    // The prompt takes a line.
    let most = usize::from(height);
    let lines = BufReader::new(text).split(b'\n').take(most);
    Ok(lines.collect::<io::Result<Vec<_>>>()?.len() == most)
}

/// Starts the pager by the shell, as it may have options.
fn start(pager: &OsString) -> Option<Child> {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(pager).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        shell.env("LESS", LESS);
    }
    shell.spawn().ok()
}
