//! What tables of explained rows have in common.

use wald_table::escape_controls;

use crate::terminal::{Terminal, hanging};

const WIDEST_NAME: usize = 40;

/// What stands below a table.
pub(super) fn legend(about: &str, terminal: Terminal) -> String {
    let lines = [about, "all numbers: --format json, csv or parquet"];
    format!("\n{}", lines.map(|line| hanging(line, terminal.text_width())).concat())
}

/// A name that leaves room for the rest.
pub(super) fn shortened(name: &str) -> String {
    let mut name = escape_controls(name);
    if name.chars().count() > WIDEST_NAME {
        name = name.chars().take(WIDEST_NAME - 3).chain("...".chars()).collect();
    }
    name
}
