//! What tables of explained rows have in common.

use crate::terminal::{Terminal, hanging};

/// Names leave room for the rest.
pub(super) const WIDEST_NAME: usize = 40;

/// What stands below a table.
pub(super) fn legend(about: &str, terminal: Terminal) -> String {
    let lines = [about, "all numbers: --format json, csv or parquet"];
    format!("\n{}", lines.map(|line| hanging(line, terminal)).concat())
}
