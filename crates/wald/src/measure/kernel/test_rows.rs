//! Rows that a forest never saw.

use crate::data::{Dataset, MISSING_CODE, Training, response_variance};
use crate::forest::Forest;
use crate::words::counted;

/// Values by fewer rows are hardly more than chance.
const FEW: usize = 20;

/// The note on losses of training rows.
pub(crate) const OF_TRAINING_ROWS: &str = "the loss explained is that of the rows that the forest was grown on; explain held-out rows to see what \
     generalises";

/// Why little can be learned from test rows, and what in them the forest does not know.
pub(in crate::measure) fn notes(
    test: &Dataset,
    rows: &Training,
    forest: &Forest,
) -> impl Iterator<Item = String> {
    let n_rows = test.n_rows();
    let rows_are_few = (n_rows < FEW).then(|| {
        format!(
            "{} only: other test rows may give other values and ranks",
            counted(n_rows, "test row")
        )
    });
    // Of a single row that is clear.
    let target_is_constant = (n_rows > 1 && response_variance(test) == 0.0)
        .then(|| "the target does not vary among the test rows".to_owned());
    rows_are_few.into_iter().chain(target_is_constant).chain(new_levels(rows, forest))
}

/// A note for every column of the test rows with levels that the forest does not know.
fn new_levels(rows: &Training, forest: &Forest) -> impl Iterator<Item = String> {
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
