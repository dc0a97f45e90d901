//! A row goes through a tree by itself: few rows share little of what pieces of the tree add, and an
//! outline costs more than it saves.

use crate::forest::Router;
use crate::tree_shap::factors::{AtEdge, Places, Records, add, dot, product, sum};
use crate::tree_shap::pairs::pair;
use crate::tree_shap::tree_columns::TreeColumns;

/// The predictions of the nodes of a tree for rows of which nothing is known there.
#[derive(Debug, Default)]
pub(super) struct Sketch {
    /// By node: the columns split on there or below, as bits.
    below: Vec<u64>,
    /// By node, for the output at hand.
    means: Vec<f64>,
    /// By node: how many columns are split on above at most, as bits and edges.
    above: Vec<(u64, u32)>,
}

/// A tree with its sketch, and the shares of its nodes.
#[derive(Debug, Clone, Copy)]
pub(super) struct SketchedTree<'a> {
    pub(super) router: &'a Router<'a>,
    pub(super) columns: &'a TreeColumns,
    pub(super) shares: &'a [f64],
    pub(super) sketch: &'a Sketch,
}

/// The bit of a place; all places from this one on share the last.
const LAST: u32 = 63;

fn bit(place: u32) -> u64 {
    1 << place.min(LAST)
}

impl Sketch {
    /// Looks at the columns of a tree; reports at least as many as there are on any path.
    pub(super) fn fill(&mut self, router: &Router<'_>, columns: &TreeColumns) -> usize {
        let nodes = &router.ranked.nodes;
        self.above.clear();
        self.above.resize(nodes.len(), (0, 0));
        self.below.clear();
        self.below.extend(nodes.iter().map(|node| columns.place(node).map_or(0, bit)));
        // Children come after their parents.
        for (node, split) in router.tree.splits() {
            let (bits, n_edges) = self.above[node];
            let above = (bits | self.below[node], n_edges + 1);
            router.tree.children(split).for_each(|child| self.above[child] = above);
        }
        for node in (0..nodes.len()).rev() {
            let Some(split) = router.split(node) else { continue };
            for child in router.tree.children(split) {
                self.below[node] |= self.below[child];
            }
        }
        let shared = columns.used.len().saturating_sub(LAST as usize);
        let n_columns = |&(bits, n_edges): &(u64, u32)| {
            let more = if bits >> LAST == 1 { shared.saturating_sub(1) } else { 0 };
            (bits.count_ones() as usize + more).min(n_edges as usize)
        };
        self.above.iter().map(n_columns).max().unwrap_or_default()
    }

    /// Takes in the predictions of the leaves.
    pub(super) fn load(&mut self, router: &Router<'_>, shares: &[f64], node_values: &[f64]) {
        self.means.clear();
        self.means.extend_from_slice(node_values);
        for node in (0..node_values.len()).rev() {
            let Some(split) = router.split(node) else { continue };
            let children = router.tree.children(split);
            self.means[node] = children.map(|child| shares[child] * self.means[child]).sum();
        }
    }
}

/// A column at the node at hand: its edges above, and whether the row satisfies it.
#[derive(Debug, Clone, Copy)]
struct ColumnState<const Q: usize> {
    n_edges: u32,
    is_satisfied: bool,
    share: f64,
    /// One by its factor of the product.
    inverse: [f64; Q],
    gain: [f64; Q],
}

/// A node on the path, and the edge that led there.
#[derive(Debug, Clone, Copy)]
struct Level<const Q: usize> {
    /// Place of the column that it splits on; children, and the one that the row takes.
    place: u32,
    next: u32,
    end: u32,
    taken: u32,
    product: [f64; Q],
    sums: [f64; Q],
    /// The place of the edge's column, and what was before it.
    edge_place: u32,
    saved: ColumnState<Q>,
    satisfied: u64,
    /// What the sums are multiplied with to correct the column's value; `None` if they do not.
    correction: Option<[f64; Q]>,
}

/// Memory of walks with `Q` places at a time.
#[derive(Debug, Default)]
pub(super) struct RowWalk<const Q: usize> {
    levels: Vec<Level<Q>>,
    /// By place.
    columns: Vec<ColumnState<Q>>,
    /// Places split on above.
    above: Vec<u32>,
    /// The columns that the row satisfies so far, as bits.
    satisfied: u64,
}

impl<const Q: usize> RowWalk<Q> {
    /// Adds the values of a row, given by its codes by place, to its record.
    pub(super) fn walk(
        &mut self,
        tree: SketchedTree<'_>,
        places: &Places<Q>,
        codes: &[u32],
        record: &mut Records<'_>,
    ) {
        let SketchedTree { router, columns, shares, sketch } = tree;
        let one = [1.0; Q];
        let unsplit = ColumnState {
            n_edges: 0,
            is_satisfied: true,
            share: 1.0,
            inverse: one,
            gain: [0.0; Q],
        };
        self.columns.clear();
        self.columns.resize(columns.used.len(), unsplit);
        self.levels.clear();
        self.above.clear();
        self.satisfied = u64::MAX;
        let gain_of_left = places.gain_of_left();
        let level = |node: u32, product: [f64; Q]| -> Option<Level<Q>> {
            let place = columns.place(&router.ranked.nodes[node as usize])?;
            let split = router.split(node as usize)?;
            let next = split.first_child;
            Some(Level {
                place,
                next,
                end: next + router.tree.n_children(split),
                taken: router.child_of(node, codes[place as usize]),
                product,
                sums: [0.0; Q],
                edge_place: 0,
                saved: unsplit,
                satisfied: 0,
                correction: None,
            })
        };
        self.levels.extend(level(0, one));
        while let Some(top) = self.levels.last_mut() {
            if top.next == top.end {
                self.leave(record);
                continue;
            }
            let child = top.next;
            top.next += 1;
            let (place, above) = (top.place, top.product);
            let share = shares[child as usize];
            let before = self.columns[place as usize];
            let mut after = before;
            after.share *= share;
            after.n_edges += 1;
            let how = if !before.is_satisfied {
                AtEdge::Unsatisfied
            } else if child == top.taken {
                AtEdge::Takes
            } else {
                AtEdge::Leaves
            };
            let mut satisfied = self.satisfied;
            let below = match how {
                AtEdge::Unsatisfied => above.map(|above| above * share),
                AtEdge::Takes => {
                    let factor = places.at.map(|t| t + (1.0 - t) * after.share);
                    after.inverse = factor.map(f64::recip);
                    after.gain = after.inverse.map(|inverse| (1.0 - after.share) * inverse);
                    product(&product(&above, &factor), &before.inverse)
                }
                AtEdge::Leaves => {
                    after.is_satisfied = false;
                    after.gain = gain_of_left;
                    // The last bit stands for many columns.
                    satisfied &= if place < LAST { !bit(place) } else { u64::MAX };
                    let factor = places.at.map(|t| (1.0 - t) * after.share);
                    product(&product(&above, &factor), &before.inverse)
                }
            };
            let correction = (how != AtEdge::Unsatisfied).then(|| {
                let gain = |at: usize| places.weights[at] * (after.gain[at] - before.gain[at]);
                std::array::from_fn(gain)
            });
            if sketch.below[child as usize] & satisfied == 0 {
                // Nothing below depends on the row.
                let sums = below.map(|below| below * sketch.means[child as usize]);
                add(&mut top.sums, &sums);
                self.correct(place, &sums, correction.as_ref(), record);
            } else if let Some(level) = level(child, below) {
                let (edge_place, saved) = (place, before);
                self.levels.push(Level {
                    edge_place,
                    saved,
                    satisfied: self.satisfied,
                    correction,
                    ..level
                });
                self.satisfied = satisfied;
                self.columns[place as usize] = after;
                if before.n_edges == 0 {
                    self.above.push(place);
                }
            }
        }
    }

    /// Goes back over the edge to the last node.
    fn leave(&mut self, record: &mut Records<'_>) {
        let Some(last) = self.levels.pop() else { return };
        let Some(top) = self.levels.last_mut() else { return };
        add(&mut top.sums, &last.sums);
        self.satisfied = last.satisfied;
        self.columns[last.edge_place as usize] = last.saved;
        if last.saved.n_edges == 0 {
            self.above.pop();
        }
        self.correct(last.edge_place, &last.sums, last.correction.as_ref(), record);
    }

    /// Corrects the value of a column, and of its pairs with the others above.
    #[inline]
    fn correct(
        &self,
        place: u32,
        sums: &[f64; Q],
        correction: Option<&[f64; Q]>,
        record: &mut Records<'_>,
    ) {
        let Some(correction) = correction else { return };
        let Records { values, pairs } = record;
        let place = place as usize;
        if !*pairs {
            values[place] += dot(sums, correction);
            return;
        }
        let term = product(sums, correction);
        values[pair(place, place)] += sum(&term);
        for other in self.above.iter().map(|&other| other as usize) {
            if other != place {
                values[pair(place, other)] += dot(&term, &self.columns[other].gain);
            }
        }
    }
}
