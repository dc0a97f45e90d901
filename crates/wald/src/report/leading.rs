//! The measures of a report unless others are named, and how much of the forest they look at.

use crate::forest::Size;
use crate::measure::{Measure, MeasureId, Part};

/// Measures shown unless others are named.
pub const LEADING: &[MeasureId] =
    &[MeasureId::Mdi, MeasureId::MdaBreimanCutler, MeasureId::SobolMda];

/// Up to so many rows times trees, a measure looks at all of them: what it costs beside growing, which
/// is one to four times as much, is then a few seconds.
const FEW_ROWS_OF_TREES: usize = 2_500_000;

/// Fewer trees than this do not show their error.
const FEWEST_TREES: usize = 30;

/// Nor should a forest be refused for what was not asked for.
const MOST_BYTES: u64 = 1 << 30;

/// Whether projecting the trees, or putting altered predictions together, takes long.
pub(super) fn takes_long(n_rows: usize, n_trees: usize) -> bool {
    n_rows.saturating_mul(n_trees) > 10 * FEW_ROWS_OF_TREES
}

/// A measure that nobody named, on as many trees as take about as long as growing the forest. That
/// follows from counts alone, so that equal data have equal results on every machine. `size` is that of
/// the measure on all trees.
///
/// # Errors
/// The reason why nobody should meet the measure unasked.
pub fn unasked(
    measure: Measure,
    (n_rows, n_trees): (usize, usize),
    size: &Size,
) -> Result<Measure, &'static str> {
    if !matches!(measure.id(), MeasureId::SobolMda | MeasureId::MdaBreimanCutler) {
        return Ok(measure);
    }
    if size.altered > MOST_BYTES {
        return Err("needs much memory");
    }
    let trees = (FEW_ROWS_OF_TREES / n_rows.max(1)).max(FEWEST_TREES).min(n_trees);
    Ok(measure.with_part(Part { n_trees: trees, n_rows }))
}

/// Why a measure that is not shown is not computed either: `None` where it takes no longer than growing
/// the trees, and little memory. `size` is that of this measure.
pub(super) fn left_out(
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
