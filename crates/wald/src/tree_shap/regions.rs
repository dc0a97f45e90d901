//! Into which region of the values of a column the rows of a block fall.

use std::ops::Range;

use crate::data::MISSING_CODE;
use crate::forest::Router;
use crate::tree_shap::outline::{ColumnSplits, OutlinedTree, Reach};
use crate::tree_shap::tree_columns::TreeColumns;

/// The codes of a few rows in the columns that a tree splits on.
#[derive(Debug, Default)]
pub(super) struct BlockCodes {
    n_rows: usize,
    /// The rows that walk.
    at_hand: Range<usize>,
    /// Place after place.
    pub(super) codes: Vec<u32>,
    /// Of places that are not plain: the distinct codes, increasing; `codes` then holds positions
    /// among them.
    pub(super) distinct: Vec<Vec<u32>>,
}

/// The values of a column that some nodes do not separate, and those that do not
/// satisfy the column above, which are all one.
#[derive(Debug, Default)]
pub(super) struct Regions {
    /// A code in each region; `None` for values that do not satisfy the column.
    pub(super) examples: Vec<Option<u32>>,
    cuts: Vec<u32>,
    /// By distinct code of a place that is not plain.
    region_of: Vec<u32>,
    signatures: Vec<u64>,
}

impl BlockCodes {
    /// Copies the codes of some rows in the columns of a tree.
    pub(super) fn fill(&mut self, router: &Router<'_>, columns: &TreeColumns, rows: &[u32]) {
        self.n_rows = rows.len();
        self.at_hand = 0..rows.len();
        self.codes.clear();
        self.distinct.resize_with(columns.used.len().max(self.distinct.len()), Vec::new);
        for (place, &column) in columns.used.iter().enumerate() {
            let codes = router.features.column(column).codes();
            let start = self.codes.len();
            self.codes.extend(rows.iter().map(|&row| codes[row as usize]));
            if !columns.is_plain[place] {
                let distinct = &mut self.distinct[place];
                distinct.clear();
                distinct.extend_from_slice(&self.codes[start..]);
                distinct.sort_unstable();
                distinct.dedup();
                for code in &mut self.codes[start..] {
                    *code = distinct.partition_point(|other| other < code) as u32;
                }
            }
        }
    }

    /// Chooses the rows that walk.
    pub(super) fn choose(&mut self, rows: Range<usize>) {
        self.at_hand = rows;
    }

    /// How many rows walk.
    pub(super) fn n_rows(&self) -> usize {
        self.at_hand.len()
    }

    fn of(&self, place: u32) -> &[u32] {
        &self.codes[place as usize * self.n_rows..][self.at_hand.clone()]
    }
}

impl Regions {
    /// Finds the regions of a split and adds `stride` times the region of each row to `states`.
    pub(super) fn add(
        &mut self,
        tree: OutlinedTree<'_>,
        block: &BlockCodes,
        splits: &ColumnSplits,
        stride: u32,
        states: &mut [u32],
    ) {
        let OutlinedTree { router, outline, .. } = tree;
        self.examples.clear();
        if splits.is_above {
            self.examples.push(None);
        }
        let split_nodes =
            &outline.split_nodes[splits.nodes.start as usize..splits.nodes.end as usize];
        let codes = block.of(splits.place);
        match &splits.reach {
            Reach::Codes { codes: reached, missing } => {
                let column = outline.columns.used[splits.place as usize];
                let missing = *missing && router.features.column(column).has_missing();
                self.cut(router, split_nodes, reached.clone());
                let first = u32::from(splits.is_above);
                let region = Region {
                    start: reached.start,
                    width: reached.end - reached.start,
                    first,
                    missing: if missing { self.examples.len() as u32 } else { 0 },
                    stride,
                };
                if missing {
                    self.examples.push(Some(MISSING_CODE));
                }
                region.add_all(&self.cuts, codes, states);
            }
            Reach::Edges(edges) => {
                let edges = &outline.edges_above[edges.start as usize..edges.end as usize];
                self.sign(router, split_nodes, edges, &block.distinct[splits.place as usize]);
                for (state, &code) in states.iter_mut().zip(codes) {
                    *state += stride * self.region_of[code as usize];
                }
            }
        }
    }

    /// Cuts a range of codes at the thresholds of nodes.
    fn cut(&mut self, router: &Router<'_>, split_nodes: &[u32], reached: Range<u32>) {
        self.cuts.clear();
        if reached.is_empty() {
            return;
        }
        self.cuts.extend(split_nodes.iter().filter_map(|&node| {
            match router.ranked.nodes[node as usize] {
                crate::forest::RankedNode::Below { below, .. } => Some(below),
                _ => None,
            }
        }));
        self.cuts.retain(|&cut| cut > reached.start && cut < reached.end);
        self.cuts.sort_unstable();
        self.cuts.dedup();
        self.examples.push(Some(reached.start));
        self.examples.extend(self.cuts.iter().map(|&cut| Some(cut)));
    }

    /// Gives codes that take the same edges everywhere the same region.
    fn sign(
        &mut self,
        router: &Router<'_>,
        split_nodes: &[u32],
        above: &[(u32, u32)],
        distinct: &[u32],
    ) {
        self.signatures.clear();
        self.region_of.clear();
        let n_before = self.examples.len();
        for &code in distinct {
            let satisfies = above
                .iter()
                .all(|&(node, child)| router.child_of_code(node as usize, code) == child);
            if !satisfies {
                self.region_of.push(0);
                continue;
            }
            let signature = split_nodes.iter().fold(0_u64, |signature, &node| {
                let split = router.split(node as usize);
                let n_children = split.map_or(1, |split| router.tree.n_children(split));
                let child = router.child_of_code(node as usize, code);
                signature * u64::from(n_children) + u64::from(child)
            });
            let known = self.signatures.iter().position(|other| *other == signature);
            let position = known.unwrap_or_else(|| {
                self.signatures.push(signature);
                self.examples.push(Some(code));
                self.signatures.len() - 1
            });
            self.region_of.push((n_before + position) as u32);
        }
    }
}

/// How codes of numbers become regions.
#[derive(Clone, Copy)]
struct Region {
    /// The codes that satisfy the column.
    start: u32,
    width: u32,
    /// Their first region.
    first: u32,
    /// That of missing values.
    missing: u32,
    /// By how much a region raises the state of a row.
    stride: u32,
}

impl Region {
    /// A loop of its own for the usual numbers of cuts, so that many rows are looked at together.
    fn add_all(self, cuts: &[u32], codes: &[u32], states: &mut [u32]) {
        let at = |cut: u32, code: u32| u32::from(code >= cut);
        match *cuts {
            [] => self.add(codes, states, |_| 0),
            [one] => self.add(codes, states, |code| at(one, code)),
            [one, two] => self.add(codes, states, |code| at(one, code) + at(two, code)),
            [one, two, three] => {
                self.add(codes, states, |code| at(one, code) + at(two, code) + at(three, code));
            }
            _ => self.add(codes, states, |code| cuts.iter().map(|&cut| at(cut, code)).sum()),
        }
    }

    #[inline]
    fn add(self, codes: &[u32], states: &mut [u32], n_cuts_below: impl Fn(u32) -> u32) {
        let Self { start, width, first, missing, stride } = self;
        for (state, &code) in states.iter_mut().zip(codes) {
            let inside =
                if code.wrapping_sub(start) < width { first + n_cuts_below(code) } else { 0 };
            let region = if code == MISSING_CODE { missing } else { inside };
            *state += stride * region;
        }
    }
}
