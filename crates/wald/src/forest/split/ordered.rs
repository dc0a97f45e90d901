//! All thresholds of a numeric variable.

use crate::forest::split::sort::{Sorter, code_of, row_of};
use crate::forest::split::{Best, Cut, Limits, Scorer};
use crate::forest::tree::Side;

/// Tries every cut between neighbouring values, with missing rows on either side.
pub(crate) fn search(
    scorer: &mut impl Scorer,
    column: u32,
    sorter: &Sorter,
    (limits, best): (Limits, &mut Best),
) {
    let has_missing = !sorter.missing.is_empty();
    scorer.start();
    scan(scorer, &sorter.keys, column, has_missing.then_some(Side::Right), (limits, best));
    if has_missing {
        scorer.start();
        sorter.missing.iter().for_each(|&row| scorer.push(row));
        scan(scorer, &sorter.keys, column, Some(Side::Left), (limits, best));
    }
}

fn scan(
    scorer: &mut impl Scorer,
    keys: &[u64],
    column: u32,
    missing: Option<Side>,
    (limits, best): (Limits, &mut Best),
) {
    let is_constant = keys.first().map(|&key| code_of(key)) == keys.last().map(|&key| code_of(key));
    if is_constant {
        return;
    }
    for pair in keys.windows(2) {
        scorer.push(row_of(pair[0]));
        let (low, high) = (code_of(pair[0]), code_of(pair[1]));
        if low != high {
            best.offer(scorer, limits, column, (Cut::Between { low, high }, missing));
        }
    }
}
