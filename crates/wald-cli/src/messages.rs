//! Messages on the standard error.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use wald_table::escape_controls;

use crate::failure::Failure;
use crate::terminal::{Terminal, wrap};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const NOTE: Style = AnsiColor::Yellow.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default().bold();
const PLACE: Style = AnsiColor::Blue.on_default().bold();

/// Prints why the command failed.
pub(crate) fn failure(failure: &Failure) {
    let mut text =
        format!("{}: {}\n", styled("error", ERROR), fitted(&escape_controls(&failure.what), 7));
    if let Some(place) = failure.place.as_deref().map(escape_controls) {
        text.push_str(&format!("  {} {place}\n", styled("-->", PLACE)));
    }
    if let Some(value) = failure.value.as_deref().map(escape_controls) {
        text.push_str(&format!("  {} \"{value}\"\n", styled("value:", PLACE)));
    }
    if !failure.help.is_empty() {
        text.push_str(&format!(
            "  {} {}\n",
            styled("help:", HELP),
            fitted(&escape_controls(&failure.help), 8)
        ));
    }
    write(&text);
}

/// Prints what the reader should know, in one line whatever files and columns are called.
pub(crate) fn note(text: &str) {
    write(&format!("{}: {}\n", styled("note", NOTE), fitted(&escape_controls(text), 6)));
}

/// Prints what is being done or was done, in one line whatever files and columns are called.
pub(crate) fn print(text: &str) {
    write(&format!("{}\n", fitted(&escape_controls(text), 0)));
}

/// The commands to begin with, where no command is given.
const FIRST_STEPS: &[(&str, &str)] = &[
    ("wald demo", "an example table and its report, here"),
    ("wald report TABLE --target COLUMN", "which variables matter, with a page"),
    ("wald select TABLE --target COLUMN", "which few variables are enough"),
];

/// Prints where to begin.
pub(crate) fn first_steps() {
    let mut text =
        "wald measures which variables of a table matter, by random forests.\n\n".to_owned();
    for (command, what) in FIRST_STEPS {
        text.push_str(&format!("  {}  {what}\n", styled(&format!("{command:<33}"), HELP)));
    }
    text.push_str(
        "\nAll commands: wald --help; one: wald report --help; measures: wald measures\n",
    );
    write(&text);
}

/// Sets what follows apart from the results above it, where both are on one screen.
pub(crate) fn gap() {
    if io::stdout().is_terminal() && io::stderr().is_terminal() {
        write("\n");
    }
}

/// The path of a result, as a line of text.
pub(crate) fn written(path: &Path) -> String {
    format!("wrote {}", path.to_string_lossy())
}

/// Text that starts at column `start`, in lines that fit a terminal; elsewhere one line, which
/// is easier to search.
fn fitted(text: &str, start: usize) -> String {
    match Terminal::stderr().width {
        Some(width) => wrap(text, width - start).join(&format!("\n{}", " ".repeat(start.max(2)))),
        None => text.to_owned(),
    }
}

/// Text with a style, where the standard error has colours.
fn styled(text: &str, style: Style) -> String {
    if Terminal::stderr().colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

fn write(text: &str) {
    // If the standard error is closed, the exit code still reports the failure.
    let _ = io::stderr().write_all(text.as_bytes());
}
