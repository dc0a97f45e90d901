//! Thresholds in terms of values, which new rows meet, and of codes.
//!
//! A threshold is the middle of two neighbouring values. The code that it corresponds to is found
//! among all rows of the table, so that the threshold itself routes the rows outside the bag.

use std::ops::Range;

use crate::data::{Bins, Differing, GUIDED, Order, RankedColumn, RankedFeatures, first_where};
use crate::forest::grow::simd::fetch;
use crate::forest::ranked::{RankedNode, RankedTree};
use crate::forest::tree::{Node, Rule, Split, Tree};

/// Cuts that are looked up together.
const BLOCK: usize = 64;

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
    /// The neighbouring rows, then their codes; or bins.
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
        most_bins: Option<usize>,
        tree: &mut Tree,
        ranked: &mut RankedTree,
    ) {
        if let Some(most_bins) = most_bins {
            return self.resolve_binned(features, most_bins, tree, ranked);
        }
        for cut in &self.cuts {
            let asked = features.column(cut.column);
            let node = &mut tree.nodes[cut.node as usize];
            if let Node::Split(Split { rule: Rule::AtMost { threshold, .. }, .. }) = node {
                *threshold = midpoint(asked.value_of_row(cut.low), asked.value_of_row(cut.high));
            }
        }
        for cut in &mut self.cuts {
            let codes = features.column(cut.column).codes();
            (cut.low, cut.high) = (codes[cut.low as usize], codes[cut.high as usize]);
        }
        for block in self.cuts.chunks_mut(BLOCK) {
            look_up(block, features, tree, ranked);
        }
    }
}

/// Finds the first codes above the thresholds of some cuts. Rows of other bags may have values between
/// the two that a cut divides. What is read next is fetched for all of the cuts first.
fn look_up(cuts: &mut [CutOf], features: &RankedFeatures, tree: &Tree, ranked: &mut RankedTree) {
    let threshold = |cut: &CutOf| match &tree.nodes[cut.node as usize] {
        Node::Split(Split { rule: Rule::AtMost { threshold, .. }, .. }) => *threshold,
        _ => f64::NAN,
    };
    for cut in &*cuts {
        if let Some(differing) = features.column(cut.column).differing() {
            let middle = cut.low + (cut.high - cut.low) / 2;
            fetch::one(differing.guide, middle as usize / GUIDED);
        }
    }
    for cut in &mut *cuts {
        let asked = features.column(cut.column);
        let range = narrowed(asked, cut.low + 1..cut.high, threshold(cut));
        (cut.low, cut.high) = (range.start, range.end);
        match asked.order() {
            Order::Short(rows) => fetch::one(rows, range.start as usize),
            Order::Long(rows) => fetch::one(rows, range.start as usize),
        }
    }
    for cut in &*cuts {
        let asked = features.column(cut.column);
        if let Some(differing) = asked.differing() {
            for code in cut.low..cut.high {
                fetch::one(differing.values, asked.row_of_code(code) as usize);
            }
        }
    }
    for cut in &*cuts {
        let (asked, threshold) = (features.column(cut.column), threshold(cut));
        if let RankedNode::Below { below, .. } = &mut ranked.nodes[cut.node as usize] {
            *below = outwards(cut.low..cut.high, |code| asked.value(code) > threshold);
        }
    }
}

impl Cuts {
    fn resolve_binned(
        &self,
        features: &RankedFeatures,
        most_bins: usize,
        tree: &mut Tree,
        ranked: &mut RankedTree,
    ) {
        for cut in &self.cuts {
            if let Some(bins) = features.column(cut.column).bins(most_bins)
                && let Node::Split(Split { rule: Rule::AtMost { threshold, .. }, .. }) =
                    &mut tree.nodes[cut.node as usize]
                && let RankedNode::Below { below, .. } = &mut ranked.nodes[cut.node as usize]
            {
                (*threshold, *below) = between_bins(bins, cut);
            }
        }
    }
}

/// The threshold of a cut between two bins, and the first code above it: the middle of their
/// nearest values, or where this would divide a bin of other rows, the upper edge of that bin.
fn between_bins(bins: &Bins, cut: &CutOf) -> (f64, u32) {
    let (low, high, values) = (cut.low as usize, cut.high as usize, bins.values());
    let middle = midpoint(values[low][1], values[high][0]);
    let next = low + 1 + values[low + 1..high].partition_point(|[least, _]| *least <= middle);
    let (before, after) = (values[next - 1][1], values[next][0]);
    (if before <= middle { middle } else { midpoint(before, after) }, bins.starts()[next])
}

/// The part of a range of codes, or its end, where values begin to be above a threshold. Where all
/// values differ, this is a part of a few codes.
fn narrowed(asked: &RankedColumn, codes: Range<u32>, threshold: f64) -> Range<u32> {
    let guided = GUIDED as u32;
    let known = codes.start.div_ceil(guided)..codes.end.div_ceil(guided);
    match asked.differing() {
        Some(Differing { guide, .. }) if !known.is_empty() => {
            let first = outwards(known, |place| guide[place as usize] > threshold) * guided;
            codes.start.max((first + 1).saturating_sub(guided))..codes.end.min(first)
        }
        _ => codes,
    }
}

/// The first of these places of which something holds that holds for all after it, or their end. The
/// values between two others are those of other bags, spread evenly, so that looking outwards from the
/// middle takes few steps.
fn outwards(places: Range<u32>, holds: impl Fn(u32) -> bool) -> u32 {
    let mut start = places.start + (places.end - places.start) / 2;
    let mut end = start;
    let mut step = 1;
    while start > places.start && holds(start - 1) {
        end = start - 1;
        start = places.start.max(start.saturating_sub(step));
        step *= 2;
    }
    while end < places.end && !holds(end) {
        start = end + 1;
        end = places.end.min(end.saturating_add(step));
        step *= 2;
    }
    first_where(start..end, holds)
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
    use crate::data::Column;
    use crate::run::Threads;

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

    #[test]
    fn thresholds_between_bins_are_middles_that_divide_no_bin() {
        let column = Column::numeric("x", squares().collect()).expect("finite");
        let features = RankedFeatures::new(&[&column], Threads::ONE);
        let bins = features.column(0).bins(8).expect("numbers");
        let values = bins.values();
        let (mut n_middles, mut n_edges) = (0, 0);
        for high in 1..values.len() {
            for low in 0..high {
                let cut = CutOf { node: 0, column: 0, low: low as u32, high: high as u32 };
                let (threshold, below) = between_bins(bins, &cut);
                let middle = f64::midpoint(values[low][1], values[high][0]);
                let divided = values.iter().find(|ends| ends[0] <= middle && middle < ends[1]);
                if let Some([_, greatest]) = divided {
                    assert!(threshold > *greatest, "{low} to {high}");
                    n_edges += 1;
                } else {
                    assert_eq!(threshold, middle, "{low} to {high}");
                    n_middles += 1;
                }
                assert!(values.iter().all(|ends| (ends[0] > threshold) == (ends[1] > threshold)));
                let n_below = squares().filter(|value| *value <= threshold).count();
                assert_eq!(below as usize, n_below);
            }
        }
        assert!(n_middles > 5 && n_edges > 5, "{n_middles} middles, {n_edges} edges");
    }

    fn squares() -> impl Iterator<Item = f64> {
        (0_u32..200).map(|row| f64::from(row * row))
    }
}
