//! Rows on their way down trees by the ranks of their values: two bytes a value, eight a node, so that
//! a tree and some rows stay next to the processor.

use std::borrow::Cow;
use std::ops::Range;

use crate::data::{Column, ColumnData};
use crate::forest::tree::{Node, Rule, Side, Tree};
use crate::forest::walk::TOGETHER;

/// A leaf: no value reaches it, so that all stay.
const LEAF: u16 = u16::MAX;

/// A missing value that goes to the right: it reaches every split.
const RIGHT: u16 = LEAF - 1;

/// A missing value that goes to the left: it reaches no split.
const LEFT: u16 = 0;

/// Ranks of the values of some rows.
#[derive(Debug, Clone)]
pub(super) struct WalkRanks {
    rows: Range<usize>,
    /// `None` where a column has levels.
    columns: Vec<Option<Numbers>>,
    /// Rows after one another.
    ranks: Vec<u16>,
    width: usize,
}

/// A column of numbers.
#[derive(Debug, Clone)]
struct Numbers {
    /// The different values, increasing. The rank of the first one is 1.
    values: Vec<f64>,
    /// Where its rank is among those of a row: with missing values on the right, and on the left.
    places: [u16; 2],
}

/// A node: ranks below `least_right` go to the first child. A leaf leads to itself.
#[derive(Debug, Clone, Copy)]
struct Step {
    least_right: u16,
    place: u16,
    first_child: u32,
}

impl WalkRanks {
    /// `number` is what is compared of a value. `None` where no column has numbers, or there are too
    /// many values or columns. Cost O(columns * rows * log rows).
    pub(super) fn new(
        columns: &[Cow<'_, Column>],
        rows: Range<usize>,
        number: impl Fn(f64) -> f64,
    ) -> Option<Self> {
        let (mut ranked, mut of_places) = (Vec::new(), Vec::new());
        for column in columns {
            let ColumnData::Numeric(numbers) = column.data() else {
                ranked.push(None);
                continue;
            };
            let numbers: Vec<f64> =
                numbers[rows.clone()].iter().map(|&value| number(value)).collect();
            let mut different: Vec<f64> =
                numbers.iter().copied().filter(|value| !value.is_nan()).collect();
            different.sort_unstable_by(f64::total_cmp);
            different.dedup();
            if different.len() >= usize::from(RIGHT) {
                return None;
            }
            let rank = |missing: u16| {
                let rank = |value: &f64| {
                    if value.is_nan() {
                        return missing;
                    }
                    different.partition_point(|other| other < value) as u16 + 1
                };
                numbers.iter().map(rank).collect::<Vec<u16>>()
            };
            let place = of_places.len();
            of_places.push(rank(RIGHT));
            let mut left = place;
            if numbers.iter().any(|value| value.is_nan()) {
                left += 1;
                of_places.push(rank(LEFT));
            }
            let places = [u16::try_from(place).ok()?, u16::try_from(left).ok()?];
            ranked.push(Some(Numbers { values: different, places }));
        }
        let width = of_places.len();
        let row = |row: usize| of_places.iter().map(move |ranks| ranks[row]);
        let ranks = (0..rows.len()).flat_map(row).collect();
        (width > 0).then_some(Self { rows, columns: ranked, ranks, width })
    }

    /// The leaves of consecutive rows, all of them among those that have ranks; false where some splits
    /// are of a column with levels. Cost O(nodes * log rows + rows * depth).
    pub(super) fn leaves(&self, tree: &Tree, first_row: usize, leaves: &mut [u32]) -> bool {
        let Some(steps) = self.steps(tree) else { return false };
        let ranks = &self.ranks[(first_row - self.rows.start) * self.width..];
        leaves.fill(0);
        for (nodes, rows) in leaves.chunks_mut(TOGETHER).zip(ranks.chunks(TOGETHER * self.width)) {
            let mut moved = 1;
            while moved != 0 {
                moved = 0;
                for (row, node) in rows.chunks_exact(self.width).zip(&mut *nodes) {
                    let step = steps[*node as usize];
                    let is_right = row[usize::from(step.place)] >= step.least_right;
                    let next = step.first_child + u32::from(is_right);
                    moved |= next ^ *node;
                    *node = next;
                }
            }
        }
        true
    }

    fn steps(&self, tree: &Tree) -> Option<Vec<Step>> {
        let step = |(node, content): (u32, &Node)| {
            let Node::Split(split) = content else {
                return Some(Step { least_right: LEAF, place: 0, first_child: node });
            };
            let (threshold, missing) = match split.rule {
                Rule::AtMost { threshold, missing } => (threshold, missing),
                Rule::Present => (f64::INFINITY, Side::Right),
                Rule::Levels { .. } | Rule::Multiway { .. } => return None,
            };
            let numbers = self.columns[split.feature as usize].as_ref()?;
            let n_left = numbers.values.partition_point(|&value| value <= threshold);
            let place = numbers.places[usize::from(missing == Side::Left)];
            Some(Step { least_right: n_left as u16 + 1, place, first_child: split.first_child })
        };
        (0..).zip(tree.nodes()).map(step).collect()
    }
}
