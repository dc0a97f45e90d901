//! What is said on the standard error.

use std::io::{self, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};

use crate::failure::Failure;
use crate::terminal::Terminal;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const NOTE: Style = AnsiColor::Yellow.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default().bold();
const PLACE: Style = AnsiColor::Blue.on_default().bold();

/// Says why the command failed.
pub(crate) fn failure(failure: &Failure) {
    let mut text = format!("{}: {}\n", styled("error", ERROR), failure.what);
    if let Some(place) = &failure.place {
        text.push_str(&format!("  {} {place}\n", styled("-->", PLACE)));
    }
    if let Some(value) = &failure.value {
        text.push_str(&format!("  {} \"{value}\"\n", styled("value:", PLACE)));
    }
    if !failure.help.is_empty() {
        text.push_str(&format!("  {} {}\n", styled("help:", HELP), failure.help));
    }
    write(&text);
}

/// Says what the reader should know.
pub(crate) fn note(text: &str) {
    write(&format!("{}: {text}\n", styled("note", NOTE)));
}

/// Says what is being done or was done.
pub(crate) fn say(text: &str) {
    write(&format!("{text}\n"));
}

/// The path of a result, as a line of text.
pub(crate) fn written(path: &Path) -> String {
    format!("wrote {}", wald_table::escape_controls(&path.to_string_lossy()))
}

/// Text with a style, where the standard error has colours.
fn styled(text: &str, style: Style) -> String {
    if Terminal::stderr().colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

fn write(text: &str) {
    // Where nobody listens, the exit code still speaks.
    let _ = io::stderr().write_all(text.as_bytes());
}
