//! Thresholds in terms of values, which new rows meet, and of codes.
//!
//! A threshold is the middle of two neighbouring values. The code that it corresponds to is found
//! among all rows of the table, so that the threshold itself routes the rows outside the bag.

use crate::data::{RankedColumn, RankedFeatures};
use crate::forest::ranked::{RankedNode, RankedTree};
use crate::forest::tree::{Node, Rule, Split, Tree};

/// Cuts of numbers whose thresholds are still to be found.
///
/// Every threshold needs numbers from all over memory. Looking for all of them one after the
/// other, once the tree is grown, lets the processor fetch many at a time.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    cuts: Vec<CutOf>,
}

/// Where a node divides a column of numbers.
#[derive(Debug)]
pub(super) struct CutOf {
    pub(super) node: u32,
    pub(super) column: u32,
    /// The neighbouring rows, then their codes.
    pub(super) low: u32,
    pub(super) high: u32,
}

impl Cuts {
    pub(super) fn clear(&mut self) {
        self.cuts.clear();
    }

    pub(super) fn push(&mut self, cut: CutOf) {
        self.cuts.push(cut);
    }

    /// Writes the thresholds, in terms of values and of codes.
    pub(super) fn resolve(
        &mut self,
        features: &RankedFeatures,
        tree: &mut Tree,
        ranked: &mut RankedTree,
    ) {
        for cut in &mut self.cuts {
            let codes = features.column(cut.column).codes();
            (cut.low, cut.high) = (codes[cut.low as usize], codes[cut.high as usize]);
        }
        for cut in &self.cuts {
            let asked = features.column(cut.column);
            let node = &mut tree.nodes[cut.node as usize];
            if let Node::Split(Split { rule: Rule::AtMost { threshold, .. }, .. }) = node {
                *threshold = midpoint(asked.value(cut.low), asked.value(cut.high));
            }
        }
        for cut in &self.cuts {
            if let Node::Split(split) = &tree.nodes[cut.node as usize]
                && let Rule::AtMost { threshold, .. } = split.rule
                && let RankedNode::Below { below, .. } = &mut ranked.nodes[cut.node as usize]
            {
                // Rows of other bags may have values between the two.
                *below = first_above(features.column(cut.column), cut.low, cut.high, threshold);
            }
        }
    }
}

/// The first code after `low`, at most `high`, whose value is above the middle of theirs. The
/// values between are those of other bags, spread evenly, so looking outwards from the middle
/// takes few steps.
fn first_above(asked: &RankedColumn, low: u32, high: u32, threshold: f64) -> u32 {
    let mut start = low + 1 + (high - low - 1) / 2;
    let mut end = start;
    let mut step = 1;
    while start > low + 1 && asked.value(start - 1) > threshold {
        end = start - 1;
        start = (low + 1).max(start.saturating_sub(step));
        step *= 2;
    }
    while end < high && asked.value(end) <= threshold {
        start = end + 1;
        end = high.min(end.saturating_add(step));
        step *= 2;
    }
    asked.first_without(start..end, |value| value <= threshold)
}

/// The middle of two neighbouring values, never the larger one and never overflowing.
fn midpoint(low: f64, high: f64) -> f64 {
    let sum = low + high;
    let middle = if sum.is_finite() { sum * 0.5 } else { low * 0.5 + high * 0.5 };
    if middle < high && middle >= low { middle } else { low }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn midpoints_stay_below_the_larger_value() {
        for (low, high) in [
            (1.0, 2.0),
            (1.0, 1.0 + f64::EPSILON),
            (-1e308, 1e308),
            (1e308, 1.5e308),
            (0.0, 5e-324),
            (5e-324, 1e-323),
            (-5e-324, 0.0),
            (1e16, 1e16 + 2.0),
        ] {
            let middle = midpoint(low, high);
            assert!(low <= middle && middle < high, "{low} {middle} {high}");
        }
        assert_eq!(midpoint(1.0, 2.0), 1.5);
    }
}
