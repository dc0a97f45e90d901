//! Where random thresholds lie among the distinct values of their columns.
//!
//! A threshold's place is guessed by dividing the range of the values evenly, which is one look
//! into a small table and one at the values, where a search by halves would miss the fast memory
//! at every other step: growing takes 1.1 times as long with 20,000 rows, and 1.3 times with a
//! million (`docs/benchmarks.md`).

use crate::data::{RankedColumn, RankedFeatures, RankedKind};
use crate::forest::ranked::{RankedNode, RankedTree};
use crate::forest::tree::{Node, Rule, Tree};

/// Values per part of the range, on average.
const VALUES_PER_PART: usize = 4;

/// For every column, which of its values lie in which part of its range.
#[derive(Debug, Default)]
pub(super) struct Places {
    columns: Vec<Parts>,
}

/// The range of increasing values, in parts of equal width.
#[derive(Debug, Default)]
struct Parts {
    /// Half of the smallest value: differences of halves do not overflow.
    low: f64,
    /// Parts per unit of halved values.
    scale: f64,
    /// Where the values of each part begin, and where the last ones end.
    starts: Vec<u32>,
}

impl Places {
    /// Looks at the values once per table.
    pub(super) fn prepare(&mut self, features: &RankedFeatures) {
        if self.columns.len() != features.n_columns() {
            let columns = 0..features.n_columns() as u32;
            self.columns = columns.map(|index| Parts::new(features.column(index))).collect();
        }
    }

    /// The tree in the codes of the table.
    pub(super) fn bind(&self, tree: &Tree, features: &RankedFeatures) -> RankedTree {
        let bind = |node: &Node| {
            let Node::Split(split) = node else { return RankedNode::Leaf };
            let (column, first_child) = (features.canonical(split.feature), split.first_child);
            match split.rule {
                Rule::AtMost { threshold, missing } => {
                    let (asked, parts) = (features.column(column), &self.columns[column as usize]);
                    let below = parts.first_above(asked, threshold);
                    RankedNode::Below { column, below, first_child, missing }
                }
                _ => RankedNode::Other { column, first_child },
            }
        };
        RankedTree { nodes: tree.nodes().iter().map(bind).collect() }
    }
}

impl Parts {
    fn new(column: &RankedColumn) -> Self {
        let n_codes = column.n_codes() as u32;
        if n_codes == 0 || !matches!(column.kind(), RankedKind::Ordered(_)) {
            return Self::default();
        }
        let n_parts = n_codes as usize / VALUES_PER_PART + 1;
        let low = column.value(0) / 2.0;
        let scale = n_parts as f64 / (column.value(n_codes - 1) / 2.0 - low);
        // Values that are too close together, or one alone, are all in one part.
        let scale = if scale.is_finite() { scale } else { 0.0 };
        let mut parts = Self { low, scale, starts: vec![0; n_parts + 1] };
        for code in 0..n_codes {
            let part = parts.part(column.value(code));
            parts.starts[part + 1] += 1;
        }
        for part in 0..n_parts {
            parts.starts[part + 1] += parts.starts[part];
        }
        parts
    }

    /// Never smaller for a larger number, since rounding keeps the order of numbers.
    #[inline]
    fn part(&self, number: f64) -> usize {
        (((number / 2.0 - self.low) * self.scale) as usize).min(self.starts.len() - 2)
    }

    /// The first code whose value is above a threshold that is not below all values.
    #[inline]
    fn first_above(&self, column: &RankedColumn, threshold: f64) -> u32 {
        let part = self.part(threshold);
        let codes = self.starts[part]..self.starts[part + 1];
        column.first_without(codes, |value| value <= threshold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;
    use crate::run::Threads;

    #[test]
    fn thresholds_are_found_however_the_values_are_spread() {
        let spreads: [Vec<f64>; 8] = [
            (0..100).map(f64::from).collect(),
            (0..100).map(|power| 1.5_f64.powi(power)).collect(),
            (-40..41).map(|power: i32| f64::from(power).powi(7)).collect(),
            (0..50).map(|step| 1.0 + f64::from(step) * f64::EPSILON).collect(),
            vec![-1.7e308, -1.0, 0.0, 1.0, 1.7e308],
            vec![0.0, 5e-324, 1e-323],
            vec![7.0],
            vec![1.0, 1e300],
        ];
        for values in spreads {
            // Once without ties, once with one.
            for n_equal in 0..2 {
                let mut cells = values.clone();
                cells.extend_from_slice(&values[..n_equal]);
                let column = Column::numeric("x", cells).expect("finite");
                let features = RankedFeatures::new(&[&column], Threads::all());
                let parts = Parts::new(features.column(0));
                let between = values.windows(2).map(|pair| pair[0] / 2.0 + pair[1] / 2.0);
                for threshold in values.iter().copied().chain(between) {
                    let expected = values.partition_point(|&value| value <= threshold);
                    let found = parts.first_above(features.column(0), threshold);
                    assert_eq!(found as usize, expected, "{threshold} among {values:?}");
                }
            }
        }
    }
}
