//! Rows that a forest never saw.

use crate::data::{MISSING_CODE, Training};
use crate::forest::Forest;

/// A note for every column of the test rows with levels that the forest does not know.
pub(in crate::measure) fn new_levels(
    rows: &Training,
    forest: &Forest,
) -> impl Iterator<Item = String> {
    let features = rows.features();
    (0..features.n_columns() as u32).zip(rows.known_levels()).filter_map(move |(column, &known)| {
        let codes = features.column(column).codes().iter();
        let is_new = |code: &&u32| known > 0 && **code >= known && **code != MISSING_CODE;
        let n_rows = codes.filter(is_new).count();
        let name = &forest.features()[features.original(column) as usize].name;
        (n_rows > 0).then(|| {
            format!(
                "test rows whose level of \"{name}\" the forest never met, which take the heavier \
                 side of its splits: {n_rows}"
            )
        })
    })
}
