//! All thresholds of a numeric variable.

use crate::forest::position::Position;
use crate::forest::split::asked::Asked;
use crate::forest::split::best::{Best, Cut};
use crate::forest::split::scorer::Scorer;
use crate::forest::split::sequence::Sequence;

/// Tries every cut between neighbouring values, with missing rows on either side.
pub(super) fn search<S: Scorer, Q: Sequence, P: Position>(
    scorer: &mut S,
    node: &Asked<'_, Q, P>,
    best: &mut Best,
) {
    let sequence = node.sequence;
    let items = sequence.items();
    if items.len() < 2 || sequence.key(items[0]) == sequence.key(items[items.len() - 1]) {
        return;
    }
    for &missing in node.sides() {
        let left = node.start(scorer, missing);
        if let Some(found) = scorer.scan(left, sequence, best.limits, best.score) {
            let n_low = found.n_before;
            let (low, high) = (items[n_low as usize - 1], items[n_low as usize]);
            best.score = found.score;
            best.column = best.candidate;
            best.draws_left = found.draws_left;
            best.missing = missing;
            best.cut = Cut::Between { low: sequence.row(low), high: sequence.row(high), n_low };
        }
    }
}
