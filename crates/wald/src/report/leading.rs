//! The measures of a report unless others are named.

use crate::forest::Size;
use crate::measure::MeasureId;

/// Measures shown unless others are named.
pub const LEADING: &[MeasureId] =
    &[MeasureId::Mdi, MeasureId::MdaBreimanCutler, MeasureId::SobolMda];

/// Nobody should wait unasked: on more rows times trees than this, which two processors take about
/// a minute for, a measure that costs more than growing is left to those who name it.
const MOST_ROWS_OF_TREES: usize = 25_000_000;

/// Nor should a forest be refused for what was not asked for.
const MOST_BYTES: u64 = 1 << 30;

/// Whether projecting the trees, or putting altered predictions together, takes long.
pub(super) fn takes_long(n_rows: usize, n_trees: usize) -> bool {
    n_rows.saturating_mul(n_trees) > MOST_ROWS_OF_TREES
}

/// Why a measure is computed only for those who name it: `None` where it takes no longer than
/// growing the trees, and little memory. `size` is that of this measure.
pub fn left_to_those_who_ask(
    measure: MeasureId,
    (n_rows, n_trees): (usize, usize),
    size: &Size,
) -> Option<&'static str> {
    if !matches!(measure, MeasureId::SobolMda | MeasureId::MdaIshwaranKogalur) {
        None
    } else if takes_long(n_rows, n_trees) {
        Some("may take longer than growing")
    } else if size.altered > MOST_BYTES {
        Some("needs much memory")
    } else {
        None
    }
}
