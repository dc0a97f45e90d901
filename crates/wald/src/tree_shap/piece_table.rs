//! What a piece of a tree contributes, by the state of a row.

use crate::tree_shap::factors::{AtEdge, Factors, Places, add, product, times};
use crate::tree_shap::outline::{LEAF, Outline, OutlinedTree, Piece, PieceNode};
use crate::tree_shap::piece_pairs::{PiecePairs, n_piece_pairs};
use crate::tree_shap::regions::{BlockCodes, Regions};
use crate::tree_shap::small_subtrees::{MOST_COLUMNS, MOST_STATES};

const NONE: u32 = u32::MAX;

/// The states that the rows of a block are in, and the numbers of each.
#[derive(Debug)]
pub(super) struct Table<const Q: usize> {
    /// By row, which entry of the table it reads.
    pub(super) entries: Vec<u32>,
    /// The columns of the numbers, by place.
    pub(super) places: Vec<u32>,
    /// Entry after entry: the sums of the piece, then a factor per column, then one per pair of
    /// columns.
    pub(super) numbers: Vec<[f64; Q]>,
    regions: Vec<Regions>,
    entry_of: Vec<u32>,
    used: Vec<u32>,
    factors: Vec<Factors<Q>>,
    /// By node of the piece, for one state.
    products: Vec<[f64; Q]>,
    sums: Vec<[f64; Q]>,
    /// By node: the columns satisfied, as bits, and the child that the row takes.
    satisfied: Vec<u32>,
    taken: Vec<u32>,
    /// By node: how the row meets the edge above, and the column of that edge.
    meetings: Vec<(AtEdge, u32)>,
    inside: Option<PiecePairs<Q>>,
}

impl<const Q: usize> Default for Table<Q> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            places: Vec::new(),
            numbers: Vec::new(),
            regions: Vec::new(),
            entry_of: vec![NONE; MOST_STATES],
            used: Vec::new(),
            factors: Vec::new(),
            products: Vec::new(),
            sums: Vec::new(),
            satisfied: Vec::new(),
            taken: Vec::new(),
            meetings: Vec::new(),
            inside: None,
        }
    }
}

impl<const Q: usize> Table<Q> {
    /// Whether pairs are computed.
    pub(super) fn set_pairs(&mut self, pairs: bool) {
        if pairs != self.inside.is_some() {
            self.inside = pairs.then(PiecePairs::default);
        }
    }

    /// Numbers of an entry.
    pub(super) fn width(&self) -> usize {
        let n_columns = self.places.len();
        let n_pairs = if self.inside.is_some() { n_piece_pairs(n_columns) } else { 0 };
        1 + n_columns + n_pairs
    }

    pub(super) fn n_entries(&self) -> usize {
        self.used.len()
    }

    pub(super) fn entry(&self, entry: u32) -> &[[f64; Q]] {
        let width = self.width();
        &self.numbers[entry as usize * width..][..width]
    }

    /// Fills the table for the rows of a block.
    pub(super) fn fill(
        &mut self,
        tree: OutlinedTree<'_>,
        piece: &Piece,
        block: &BlockCodes,
        places: &Places<Q>,
    ) {
        let outline = tree.outline;
        let column_splits = &outline.column_splits
            [piece.column_splits.start as usize..piece.column_splits.end as usize];
        self.places.clear();
        self.places.extend(column_splits.iter().map(|splits| splits.place));
        self.entries.clear();
        self.entries.resize(block.n_rows(), 0);
        if self.regions.len() < column_splits.len() {
            self.regions.resize_with(column_splits.len(), Regions::default);
        }
        let mut stride = 1;
        for (splits, regions) in column_splits.iter().zip(&mut self.regions) {
            regions.add(tree, block, splits, stride, &mut self.entries);
            stride *= regions.examples.len().max(1) as u32;
        }
        let nodes = &outline.nodes[piece.nodes.start as usize..piece.nodes.end as usize];
        self.factors.clear();
        // The first node has no edge of its own here; its factors are not used.
        self.factors.extend(nodes.iter().map(|node| {
            let edge = outline.edges.get(node.edge as usize);
            edge.map_or(Factors::NONE, |edge| Factors::new(edge, places))
        }));
        self.products.resize(nodes.len(), [0.0; Q]);
        self.sums.resize(nodes.len(), [0.0; Q]);
        self.satisfied.resize(nodes.len(), 0);
        self.taken.resize(nodes.len(), 0);
        self.meetings.resize(nodes.len(), (AtEdge::Unsatisfied, 0));
        if let Some(inside) = &mut self.inside {
            inside.fill(places, outline, column_splits, nodes);
        }
        self.numbers.clear();
        self.used.clear();
        for row in 0..block.n_rows() {
            let state = self.entries[row];
            let mut entry = self.entry_of[state as usize];
            if entry == NONE {
                entry = self.used.len() as u32;
                self.entry_of[state as usize] = entry;
                self.used.push(state);
                self.enter(tree, nodes, state);
            }
            self.entries[row] = entry;
        }
        self.used.iter().for_each(|&state| self.entry_of[state as usize] = NONE);
    }

    /// Adds the entry of a state.
    fn enter(&mut self, tree: OutlinedTree<'_>, nodes: &[PieceNode], mut state: u32) {
        let OutlinedTree { router, outline, node_values } = tree;
        let mut examples = [None; MOST_COLUMNS];
        let n_columns = self.places.len();
        let mut satisfied = 0;
        for (column, (regions, example)) in
            self.regions[..n_columns].iter().zip(&mut examples).enumerate()
        {
            let n_regions = regions.examples.len().max(1) as u32;
            *example = regions.examples.get((state % n_regions) as usize).copied().flatten();
            state /= n_regions;
            satisfied |= u32::from(example.is_some()) << column;
        }
        let start = self.numbers.len();
        self.numbers.resize(start + self.width(), [0.0; Q]);
        if let Some(inside) = &mut self.inside {
            inside.begin(satisfied);
        }
        for (position, node) in nodes.iter().enumerate() {
            let parent = node.parent as usize;
            if position == 0 {
                self.products[0] = [1.0; Q];
                self.satisfied[0] = satisfied;
            } else {
                let (meeting, column) = self.meeting(outline, nodes, position);
                self.meetings[position] = (meeting, column);
                let factor = &self.factors[position].product[meeting as usize];
                self.products[position] = product(&self.products[parent], factor);
                let lost = u32::from(meeting == AtEdge::Leaves) << column;
                self.satisfied[position] = self.satisfied[parent] & !lost;
                if let Some(inside) = &mut self.inside {
                    inside.step(parent, position, column, meeting);
                }
            }
            let value = node_values[node.node as usize];
            if node.column == LEAF {
                self.sums[position] = times(value, &self.products[position]);
            } else {
                self.sums[position] = [0.0; Q];
                if let Some(code) = examples[node.column as usize] {
                    self.taken[position] = router.child_of_code(node.node as usize, code);
                }
            }
        }
        for position in (1..nodes.len()).rev() {
            let (meeting, column) = self.meetings[position];
            let (sums, parent) = (self.sums[position], nodes[position].parent as usize);
            if meeting != AtEdge::Unsatisfied {
                let factor = &self.factors[position].value[meeting as usize];
                let term = product(&sums, factor);
                let numbers = &mut self.numbers[start + 1..];
                add(&mut numbers[column as usize], &term);
                if let Some(inside) = &self.inside {
                    inside.add(parent, column, &term, &mut numbers[n_columns..]);
                }
            }
            add(&mut self.sums[parent], &sums);
        }
        self.numbers[start] = self.sums[0];
    }

    /// How the state at hand meets the edge above a node, and the column of that edge.
    fn meeting(&self, outline: &Outline, nodes: &[PieceNode], position: usize) -> (AtEdge, u32) {
        let node = &nodes[position];
        let parent = node.parent as usize;
        let column = nodes[parent].column;
        let meeting = if self.satisfied[parent] >> column & 1 == 0 {
            AtEdge::Unsatisfied
        } else if self.taken[parent] == outline.edges[node.edge as usize].child {
            AtEdge::Takes
        } else {
            AtEdge::Leaves
        };
        (meeting, column)
    }
}
