//! The error against the number of variables kept.

use wald::selection::Selection;
use wald_html::chart::{Columns, Medium, Sheet, selection};
use wald_report::SelectionCurve;

/// The curve; `measure` is the one that decides which variable leaves.
pub(crate) fn of_selection(
    found: &Selection,
    measure: &str,
    loss: &str,
    columns: Columns,
) -> Sheet {
    let curve = SelectionCurve::of(found, measure, String::new(), loss);
    Sheet::of(&[selection(&curve, Medium::Paper(columns))], columns)
}
