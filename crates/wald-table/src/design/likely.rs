//! Which columns a table may be about, where no target is named.

use crate::design::quality::{Sole, is_identifier, sole_value};
use crate::table::{Table, TableColumn};

/// Names that targets usually have, the surest first.
const TARGETS: [&str; 7] = ["target", "y", "outcome", "response", "label", "class", "diagnosis"];

/// Names of columns that number or name the rows.
const IDENTIFIERS: [&str; 6] = ["id", "index", "row", "rownames", "unnamed: 0", ""];

/// Names of columns of times, which are rarely predicted.
const TIMES: [&str; 5] = ["year", "month", "day", "date", "time"];

/// A column that may be the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LikelyTarget {
    /// Its name.
    pub name: String,
    /// Why it is proposed, after "column": for example `named as targets are`.
    pub reason: &'static str,
}

/// Columns that may be the target, the likeliest first, at most three.
///
/// Left out are columns that cannot be read, that do not have two different values, that have a
/// different text or a number of the row in every row, or that are named as identifiers. First come
/// those that are named as targets usually are (`target`, `y`, `outcome`, `response`, `label`,
/// `class`, `diagnosis`, in this order, in any case, also as the last word of a name: `heart_class`);
/// then the last column, then the first, of those that are not named as times are, if there are others.
pub fn likely_targets(table: &Table) -> Vec<LikelyTarget> {
    let usable: Vec<&TableColumn> =
        table.columns().iter().filter(|column| may_be_target(column)).collect();
    let named = TARGETS.iter().flat_map(|known| {
        let of_name = usable.iter().filter(move |column| is_named(&column.name, known));
        of_name.map(|column| (&column.name, "it is named as targets are"))
    });
    let is_time = |column: &&TableColumn| TIMES.iter().any(|time| is_named(&column.name, time));
    let others: Vec<&TableColumn> = usable.iter().copied().filter(|one| !is_time(one)).collect();
    let ends = if others.is_empty() { &usable } else { &others };
    let last = ends.last().map(|column| (&column.name, "it is the last one"));
    let first = ends.first().map(|column| (&column.name, "it is the first one"));
    let mut found: Vec<LikelyTarget> = Vec::new();
    for (name, reason) in named.chain(last).chain(first) {
        if found.len() < 3 && found.iter().all(|one| one.name != *name) {
            found.push(LikelyTarget { name: name.clone(), reason });
        }
    }
    found
}

fn may_be_target(column: &TableColumn) -> bool {
    let Ok(values) = &column.values else { return false };
    let name = column.name.trim().to_lowercase();
    let names_rows = IDENTIFIERS.contains(&name.as_str()) || ends_with_word(&name, "id");
    !names_rows && matches!(sole_value(values), Sole::Several) && !is_identifier(values)
}

fn is_named(name: &str, known: &str) -> bool {
    let name = name.trim().to_lowercase();
    name == known || ends_with_word(&name, known)
}

/// Whether a name of several words ends with this one.
fn ends_with_word(name: &str, word: &str) -> bool {
    let before = name.strip_suffix(word);
    // A single letter is a word of its own in too many names, such as `position_y`.
    word.len() > 1 && before.is_some_and(|before| before.ends_with(['_', ' ', '.', '-']))
}
