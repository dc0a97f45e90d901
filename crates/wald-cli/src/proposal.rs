//! Which column may be the target, where none is named.

use std::path::Path;

use wald_table::{LikelyTarget, ReadOptions, escape, escape_controls, likely_targets};

use crate::failure::Failure;
use crate::inputs;
use crate::provenance;
use crate::wording::command_line;

/// The refusal, with the command that names the likeliest column; of a table that cannot be read, why.
pub(crate) fn no_target(table: &Path, options: ReadOptions) -> Failure {
    let what = "no target is named";
    let found = match inputs::table(table, options) {
        Ok(table) => likely_targets(&table),
        Err(error) => return error.into(),
    };
    let Some((first, others)) = found.split_first() else {
        return Failure::usage(what, "name the column to predict with `--target`");
    };
    let named = ["--target".to_owned(), escape_controls(&first.name)];
    let mut help = format!(
        "\"{}\" may be the column to predict, because {}: `{}`",
        escape(&first.name),
        first.reason,
        command_line(provenance::words().chain(named))
    );
    if !others.is_empty() {
        let other =
            |one: &LikelyTarget| format!("\"{}\", because {}", escape(&one.name), one.reason);
        let others: Vec<String> = others.iter().map(other).collect();
        help.push_str(&format!("; or {}; or any other", others.join("; or ")));
    }
    Failure::usage(what, help).at_file(&table.to_string_lossy())
}
