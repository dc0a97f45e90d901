//! All thresholds of a numeric variable.

use crate::data::RankedColumn;
use crate::forest::split::sort::{Sorter, code_of, row_of};
use crate::forest::split::{Best, Cut, Limits, Scorer};
use crate::forest::tree::Side;

/// Tries every cut between neighbouring values, with missing rows on either side, and the
/// cut between present and missing. Of equal scores the first wins.
pub(crate) fn search(
    scorer: &mut impl Scorer,
    ranked: &RankedColumn,
    column: u32,
    rows: &[u32],
    sorter: &mut Sorter,
    (limits, best): (Limits, &mut Best),
) {
    sorter.sort(ranked, rows);
    let Some((&first, &last)) = sorter.keys.first().zip(sorter.keys.last()) else {
        return;
    };
    let has_missing = !sorter.missing.is_empty();
    if code_of(first) != code_of(last) {
        scorer.start();
        let missing = has_missing.then_some(Side::Right);
        scan(scorer, &sorter.keys, column, missing, (limits, best));
        if has_missing {
            scorer.start();
            sorter.missing.iter().for_each(|&row| scorer.push(row));
            scan(scorer, &sorter.keys, column, Some(Side::Left), (limits, best));
        }
    }
    if has_missing {
        scorer.start();
        sorter.keys.iter().for_each(|&key| scorer.push(row_of(key)));
        let score = scorer.score();
        if best.is_beaten_by(score, scorer.tolerance()) && limits.allow(scorer.draws_left()) {
            best.score = score;
            best.column = column;
            best.cut = Cut::Present;
            best.missing = Some(Side::Right);
        }
    }
}

fn scan(
    scorer: &mut impl Scorer,
    keys: &[u64],
    column: u32,
    missing: Option<Side>,
    (limits, best): (Limits, &mut Best),
) {
    for pair in keys.windows(2) {
        scorer.push(row_of(pair[0]));
        let (low, high) = (code_of(pair[0]), code_of(pair[1]));
        if low == high {
            continue;
        }
        let score = scorer.score();
        if best.is_beaten_by(score, scorer.tolerance()) && limits.allow(scorer.draws_left()) {
            best.score = score;
            best.column = column;
            best.cut = Cut::Between { low, high };
            best.missing = missing;
        }
    }
}
