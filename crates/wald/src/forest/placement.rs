//! Where a set of rows lies in a tree: one pass that all measures share.

use crate::data::MISSING_CODE;
use crate::forest::ranked::{RankedNode, Router};
use crate::forest::tree::{Node, Side, Tree};

/// Fewer rows than this stay near the processor wherever their codes are.
const LEAST_MOVED: usize = 1 << 14;

/// Rows of more codes than this are not moved: most of their codes are on no path.
const MOST_MOVED: usize = 16;

/// Rows whose codes are copied together.
const BLOCK: usize = 512;

/// Rows arranged so that the rows reaching any node are one contiguous slice.
#[derive(Debug, Clone, Default)]
pub(crate) struct Placement {
    rows: Vec<u32>,
    /// Per node: where its slice starts and ends.
    spans: Vec<(u32, u32)>,
    pending: Vec<(u32, u32, u32)>,
    /// Codes of rows that are moved with them, row after row.
    codes: Vec<u32>,
}

impl Placement {
    /// Drops `rows` through the tree, reusing this placement's memory.
    pub(crate) fn place(&mut self, router: &Router<'_>, rows: impl Iterator<Item = u32>) {
        self.place_rows(router, rows, LEAST_MOVED);
    }

    /// The same, where at least so many rows are moved with their codes.
    fn place_rows(
        &mut self,
        router: &Router<'_>,
        rows: impl Iterator<Item = u32>,
        least_moved: usize,
    ) {
        self.rows.clear();
        self.rows.extend(rows);
        self.spans.clear();
        self.spans.resize(router.ranked.nodes.len(), (0, 0));
        self.pending.clear();
        self.pending.push((0, 0, self.rows.len() as u32));
        if self.rows.len() >= least_moved && router.compares_codes() {
            match router.features.n_columns() {
                0..=4 => return self.place_moving::<4>(router),
                5..=8 => return self.place_moving::<8>(router),
                9..=12 => return self.place_moving::<12>(router),
                13..=MOST_MOVED => return self.place_moving::<MOST_MOVED>(router),
                _ => {}
            }
        }
        while let Some((node, start, end)) = self.pending.pop() {
            self.spans[node as usize] = (start, end);
            if start == end || router.ranked.nodes[node as usize] == RankedNode::Leaf {
                continue;
            }
            let slice = &mut self.rows[start as usize..end as usize];
            let pending = &mut self.pending;
            let n_pending = pending.len();
            router.partition(node as usize, slice, |child, part| {
                pending.push((child as u32, start + part.start as u32, start + part.end as u32));
            });
            // Nodes lie in memory in the order of growing, which grows the left branch first.
            pending[n_pending..].reverse();
        }
    }

    /// The same, where rows take their codes along: many rows of few columns would else be looked up
    /// all over memory at every node, which takes three times as long (a million rows, 10 columns).
    fn place_moving<const N: usize>(&mut self, router: &Router<'_>) {
        self.codes.clear();
        self.codes.resize(N * self.rows.len(), 0);
        for (block, rows) in self.codes.chunks_mut(N * BLOCK).zip(self.rows.chunks(BLOCK)) {
            for column in 0..router.features.n_columns() {
                let codes = router.features.column(column as u32).codes();
                let to = block[column..].iter_mut().step_by(N);
                to.zip(rows).for_each(|(to, &row)| *to = codes[row as usize]);
            }
        }
        let records = self.codes.as_chunks_mut::<N>().0;
        while let Some((node, start, end)) = self.pending.pop() {
            self.spans[node as usize] = (start, end);
            let (column, below, first_child, missing) = match router.ranked.nodes[node as usize] {
                RankedNode::Below { column, below, first_child, missing } => {
                    (column, below, first_child, missing)
                }
                // Whether a value is there.
                RankedNode::Other { column, first_child } => {
                    (column, MISSING_CODE, first_child, Side::Right)
                }
                RankedNode::Leaf => continue,
            };
            if start == end {
                continue;
            }
            // One more than the code of a missing value is 0; it is larger than every threshold.
            let shift = u32::from(missing == Side::Left);
            let span = start as usize..end as usize;
            let (rows, records) = (&mut self.rows[span.clone()], &mut records[span]);
            let mut cut = 0;
            for index in 0..rows.len() {
                // The exchanges of `split_rows`, so that the order is the same.
                let is_left = records[index][column as usize].wrapping_add(shift) < below + shift;
                rows.swap(index, cut);
                records.swap(index, cut);
                cut += usize::from(is_left);
            }
            let middle = start + cut as u32;
            // Nodes lie in memory in the order of growing, which grows the left branch first.
            self.pending.extend([(first_child + 1, middle, end), (first_child, start, middle)]);
        }
    }

    /// The rows that reach a node.
    pub(crate) fn rows(&self, node: usize) -> &[u32] {
        let (start, end) = self.spans[node];
        &self.rows[start as usize..end as usize]
    }

    /// The leaves of the tree, with the rows that reach each.
    pub(crate) fn leaves(&self, tree: &Tree) -> impl Iterator<Item = (usize, &[u32])> {
        let leaves = tree.nodes().iter().enumerate().filter(|(_, node)| **node == Node::Leaf);
        leaves.map(|(leaf, _)| (leaf, self.rows(leaf)))
    }

    /// Where the rows that reach a node lie among all rows.
    pub(crate) fn span(&self, node: usize) -> std::ops::Range<usize> {
        let (start, end) = self.spans[node];
        start as usize..end as usize
    }

    /// All rows placed.
    pub(crate) fn all(&self) -> &[u32] {
        &self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Dataset, Target, Training};
    use crate::forest::{Forest, ForestConfig, RankedTree};
    use crate::random::{Purpose, Stream};
    use crate::run::{Run, Threads};

    /// Ties, missing values on either side, and splits by whether a value is there.
    #[test]
    fn rows_that_are_moved_end_in_the_same_order() {
        let mut met = [0; 3];
        for n_columns in [1, 4, 7, 12, 16, 17] {
            let mut stream = Stream::new(n_columns, 0, Purpose::Bag);
            let mut cells = || -> Vec<f64> {
                let cell =
                    |_| if stream.unit() < 0.1 { f64::NAN } else { f64::from(stream.below(90)) };
                (0..800).map(cell).collect()
            };
            let column =
                |index| Column::numeric(format!("x{index}"), cells()).expect("finite or NaN");
            let columns: Vec<Column> = (0..n_columns).map(column).collect();
            let response = (0..800).map(|row| f64::from(row % 97)).collect();
            let target = Target::regression("y", response).expect("finite");
            let data = Dataset::new(columns, target).expect("a data set");
            let config = ForestConfig { n_trees: 2, seed: n_columns, ..ForestConfig::default() };
            let forest = Forest::grow(&data, &config, &Run::on(Threads::ONE)).expect("grown");
            let training = Training::of(&data, Threads::ONE);
            for tree in forest.trees() {
                let tree = &*tree.unpacked();
                let ranked = RankedTree::bind(tree, training.features(), false);
                for node in &ranked.nodes {
                    match node {
                        RankedNode::Below { missing, .. } => met[missing.index() as usize] += 1,
                        RankedNode::Other { .. } => met[2] += 1,
                        RankedNode::Leaf => {}
                    }
                }
                let router = Router::new(tree, &ranked, &training);
                let placed = |least_moved: usize| {
                    let mut placement = Placement::default();
                    placement.place_rows(&router, (0..800).step_by(3), least_moved);
                    (placement.rows, placement.spans)
                };
                assert!(tree.n_leaves() > 30);
                assert_eq!(placed(0), placed(usize::MAX), "{n_columns} columns");
            }
        }
        assert!(met.iter().all(|&splits| splits > 10), "{met:?}");
    }
}
