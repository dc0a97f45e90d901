//! Finding the best split of a node.
//!
//! Two scorers serve ordinary trees: `numbers.rs` (variance, and Gini of two classes, which is the
//! same up to a factor) and `classes.rs` (Gini of more classes, and entropy; `class_scans.rs`). Both sum deviations in
//! a fixed order. `losses.rs` is of numbers whose deviance (`deviance.rs`) or distances from the median
//! (`medians.rs`) splits reduce, and `several.rs` of several numbers at once. `dependence.rs` tests variables for conditional inference trees.
//!
//! Levels are summed up in groups, which are ordered so that a scan finds the best division: exact
//! for numbers and two classes; all divisions for more classes or several numbers and few levels; else
//! along the first principal component (`principal.rs`).

mod asked;
mod best;
mod binned;
mod categories;
mod child_rows;
mod children;
mod class_scans;
mod classes;
mod constraint;
mod criterion;
mod dependence;
#[cfg(test)]
mod dependence_tests;
mod deviance;
mod divide;
mod limits;
mod loss_nodes;
mod losses;
mod medians;
mod numbers;
mod ordered;
mod principal;
mod scorer;
mod sequence;
mod several;

pub(crate) use best::{Best, Cut};
pub(crate) use binned::{BinSet, Binned};
pub(crate) use categories::{LEAST_ROWS, MOST_FREE_LEVELS};
pub(crate) use child_rows::ByChild;
pub(crate) use children::{ChildScorer, Divided, Mask, mask};
pub(crate) use classes::ClassScorer;
pub(crate) use criterion::Criterion;
pub(crate) use dependence::{Dependence, TestScorer};
pub(crate) use divide::{divide, divide_by};
pub(crate) use limits::Limits;
pub(crate) use losses::LossScorer;
pub(crate) use numbers::NumberScorer;
pub(crate) use scorer::{NodeSummary, Scorer, TIE};
pub(crate) use sequence::Sequence;
pub(crate) use several::SeveralScorer;

use crate::data::{RankedColumn, RankedKind};
use crate::forest::position::Position;
use crate::forest::split::asked::Asked;
use crate::forest::tree::Side;

/// Tries all splits of a node on the candidate column of `best`: cuts between values or levels with missing rows
/// on either side, then present against missing.
pub(crate) fn search<S: Scorer>(
    scorer: &mut S,
    ranked: &RankedColumn,
    sequence: &impl Sequence,
    missing: &[impl Position],
    best: &mut Best,
) {
    if sequence.items().is_empty() {
        return;
    }
    let node = Asked { sequence, missing, codes: ranked.codes() };
    match ranked.kind() {
        RankedKind::Ordered(_) => ordered::search(scorer, &node, best),
        RankedKind::Unordered { n_levels } if *n_levels > categories::MOST_FREE_LEVELS => {
            categories::search_many(scorer, &node, best);
        }
        RankedKind::Unordered { .. } => categories::search(scorer, &node, best),
    }
    if !missing.is_empty() {
        let mut left = scorer.start();
        for &item in sequence.items() {
            scorer.push(&mut left, sequence.position(item));
        }
        best.offer(scorer, &left, Cut::Present, Some(Side::Right));
    }
}

/// Tries the cuts of some rows of the candidate column between numbers, or levels, given the level of every row of a
/// column of levels.
pub(crate) fn search_present<S: Scorer>(
    scorer: &mut S,
    levels: Option<&[u32]>,
    sequence: &impl Sequence,
    best: &mut Best,
) {
    let missing: &[u32] = &[];
    let node = Asked { sequence, missing, codes: levels.unwrap_or_default() };
    match levels {
        None => ordered::search(scorer, &node, best),
        Some(_) => categories::search(scorer, &node, best),
    }
}
