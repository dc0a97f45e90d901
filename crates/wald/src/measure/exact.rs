//! The expected loss when a column's out-of-bag values are permuted, over all permutations.
//!
//! Under a uniform permutation the value a row receives is uniform over the column's
//! out-of-bag values. A row's expected loss is therefore a sum over the leaves it can reach
//! when splits on the column let it go everywhere, each weighted by the share of values
//! (donors) that lead there. All rows of a node are sent down together.

use crate::data::{MISSING_CODE, RankedKind};
use crate::forest::{RankedNode, Router, TreeView};
use crate::measure::leaf_loss::LeafLoss;

/// Sums expected losses under the permutation of one column.
pub(crate) struct ExpectedLoss<'a> {
    view: &'a TreeView<'a>,
    router: Router<'a>,
    loss: &'a LeafLoss<'a>,
    column: u32,
    donors: Donors,
    rows: Vec<u32>,
    pending: Vec<Visit>,
}

/// The out-of-bag values of a column, as masses.
enum Donors {
    /// Values in order: what lies below each split's threshold, by node.
    Ordered { below: Vec<f64>, present: f64, missing: f64 },
    /// Levels in any order, each with its mass.
    Levels { cells: Vec<(u32, f64)>, spare: Vec<(u32, f64)> },
}

/// Donors that lead to a node.
#[derive(Debug, Clone, Copy)]
enum Reach {
    /// Present values between two cumulated masses, and missing ones.
    Interval { low: f64, high: f64, missing: f64 },
    /// A range of the cells.
    Cells { start: usize, end: usize },
}

#[derive(Debug, Clone, Copy)]
struct Visit {
    node: usize,
    start: usize,
    end: usize,
    reach: Reach,
}

impl<'a> ExpectedLoss<'a> {
    /// Prepares the donors of a column for one tree: cost O(out-of-bag rows * log splits).
    pub(crate) fn new(view: &'a TreeView<'a>, loss: &'a LeafLoss<'a>, column: u32) -> Self {
        Self {
            view,
            router: view.router(),
            loss,
            column,
            donors: Donors::new(view, column),
            rows: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// Expected loss of the out-of-bag rows below `node`, the first split on the column on
    /// their path, summed over rows and multiplied by the mass of all donors.
    pub(crate) fn below(&mut self, node: usize) -> f64 {
        self.rows.clear();
        self.rows.extend_from_slice(self.view.out_of_bag.rows(node));
        let mut total = 0.0;
        let reach = self.donors.all();
        self.pending.push(Visit { node, start: 0, end: self.rows.len(), reach });
        while let Some(visit) = self.pending.pop() {
            let Visit { node, start, end, reach } = visit;
            let mass = self.donors.mass(reach);
            if start == end || mass == 0.0 {
                continue;
            }
            match self.router.ranked.nodes[node].column() {
                None => total += mass * self.loss.sum(node, &self.rows[start..end]),
                Some(column) if column == self.column => {
                    let (pending, router) = (&mut self.pending, self.router);
                    self.donors.split(reach, node, router, |child, reach| {
                        pending.push(Visit { node: child, start, end, reach });
                    });
                }
                Some(_) => {
                    let pending = &mut self.pending;
                    self.router.partition(node, &mut self.rows[start..end], |child, part| {
                        pending.push(Visit {
                            node: child,
                            start: start + part.start,
                            end: start + part.end,
                            reach,
                        });
                    });
                }
            }
        }
        total
    }
}

impl Donors {
    fn new(view: &TreeView<'_>, column: u32) -> Self {
        let ranked = view.training.features().column(column);
        let codes = ranked.codes();
        let rows = view.out_of_bag.all();
        match ranked.kind() {
            RankedKind::Ordered { .. } => {
                let mut thresholds: Vec<u32> =
                    view.ranked.nodes.iter().filter_map(|node| below_of(node, column)).collect();
                thresholds.sort_unstable();
                thresholds.dedup();
                let mut masses = vec![0.0; thresholds.len() + 1];
                let mut missing = 0.0;
                for &row in rows {
                    let code = codes[row as usize];
                    let weight = view.training.weight(row);
                    if code == MISSING_CODE {
                        missing += weight;
                    } else {
                        masses[thresholds.partition_point(|&below| below <= code)] += weight;
                    }
                }
                for index in 1..masses.len() {
                    masses[index] += masses[index - 1];
                }
                let nodes = view.ranked.nodes.iter();
                let below = nodes
                    .map(|node| {
                        below_of(node, column).map_or(0.0, |below| {
                            masses[thresholds.partition_point(|&other| other < below)]
                        })
                    })
                    .collect();
                Self::Ordered { below, present: masses[masses.len() - 1], missing }
            }
            RankedKind::Unordered { .. } => {
                let mut values: Vec<(u32, f64)> = rows
                    .iter()
                    .map(|&row| (codes[row as usize], view.training.weight(row)))
                    .collect();
                values.sort_unstable_by_key(|&(code, _)| code);
                let cells: Vec<(u32, f64)> = values
                    .chunk_by(|a, b| a.0 == b.0)
                    .map(|cell| (cell[0].0, cell.iter().map(|value| value.1).sum()))
                    .collect();
                Self::Levels { cells, spare: Vec::new() }
            }
        }
    }

    fn all(&self) -> Reach {
        match self {
            Self::Ordered { present, missing, .. } => {
                Reach::Interval { low: 0.0, high: *present, missing: *missing }
            }
            Self::Levels { cells, .. } => Reach::Cells { start: 0, end: cells.len() },
        }
    }

    fn mass(&self, reach: Reach) -> f64 {
        match (self, reach) {
            (_, Reach::Interval { low, high, missing }) => (high - low).max(0.0) + missing,
            (Self::Levels { cells, .. }, Reach::Cells { start, end }) => {
                cells[start..end].iter().map(|cell| cell.1).sum()
            }
            (Self::Ordered { .. }, Reach::Cells { .. }) => 0.0,
        }
    }

    /// Calls `each` with every child of a split on the column and the donors that go there.
    fn split(
        &mut self,
        reach: Reach,
        node: usize,
        router: Router<'_>,
        mut each: impl FnMut(usize, Reach),
    ) {
        let Some(split) = router.split(node) else {
            return;
        };
        let first = split.first_child as usize;
        match (self, reach) {
            (Self::Ordered { below, .. }, Reach::Interval { low, high, missing }) => {
                let cut = match router.ranked.nodes[node] {
                    RankedNode::Below { .. } => below[node],
                    // Present values go left together.
                    RankedNode::Leaf | RankedNode::Other { .. } => f64::INFINITY,
                };
                let missing_child = router.child_of_code(node, MISSING_CODE);
                let share = |child| if child == missing_child { missing } else { 0.0 };
                let left = Reach::Interval { low, high: high.min(cut), missing: share(0) };
                let right = Reach::Interval { low: low.max(cut), high, missing: share(1) };
                each(first, left);
                each(first + 1, right);
            }
            (Self::Levels { cells, spare }, Reach::Cells { start, end }) => {
                spare.clear();
                spare.extend_from_slice(&cells[start..end]);
                let mut place = start;
                for child in 0..router.tree.n_children(split) {
                    let begin = place;
                    for &cell in spare.iter() {
                        if router.child_of_code(node, cell.0) == child {
                            cells[place] = cell;
                            place += 1;
                        }
                    }
                    each(first + child as usize, Reach::Cells { start: begin, end: place });
                }
            }
            _ => {}
        }
    }
}

fn below_of(node: &RankedNode, of_column: u32) -> Option<u32> {
    match *node {
        RankedNode::Below { column, below, .. } if column == of_column => Some(below),
        _ => None,
    }
}
