//! The expected loss when the out-of-bag values of a group of columns are permuted, over all
//! permutations.
//!
//! Under a uniform permutation the values a row receives are uniform over the group's
//! out-of-bag values. A row's expected loss is therefore a sum over the leaves it can reach
//! when splits on the group let it go everywhere, each weighted by the share of values
//! (donors) that lead there. All rows of a node are sent down together.

use std::ops::Range;

use crate::forest::Router;
use crate::measure::kernel::donors::{Donors, Marks, Reach};
use crate::measure::permutation::kernel::leaf_loss::{LeafLoss, RowSummary};
use crate::pass::TreeView;

/// Fewer rows are looked at one by one in every leaf.
const FEW: usize = 8;

/// Sums expected losses under the permutation of one group of columns.
pub(crate) struct ExpectedLoss<'a> {
    view: &'a TreeView<'a>,
    router: Router<'a>,
    loss: &'a LeafLoss<'a>,
    group: usize,
    donors: Donors,
    rows: Vec<u32>,
    pending: Vec<Step>,
    /// Rows that several leaves share, once the first of them has summed them up.
    summaries: Vec<Option<RowSummary>>,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    /// Rows (a range of `rows`) and donors that meet at a node.
    Visit {
        node: usize,
        start: usize,
        end: usize,
        reach: Reach,
        /// Position of the summary of these rows, if other leaves may share them.
        shared: Option<usize>,
    },
    Unmark(Marks),
}

impl<'a> ExpectedLoss<'a> {
    /// Prepares for one tree; `donors` are the rows that lead at splits on the group.
    pub(crate) fn new(
        view: &'a TreeView<'a>,
        loss: &'a LeafLoss<'a>,
        group: usize,
        donors: Donors,
    ) -> Self {
        Self {
            view,
            router: view.router(),
            loss,
            group,
            donors,
            rows: Vec::new(),
            pending: Vec::new(),
            summaries: Vec::new(),
        }
    }

    /// Expected loss of the out-of-bag rows below `node`, the first split on the group on
    /// their path, summed over rows and multiplied by the mass of all donors.
    pub(crate) fn below(&mut self, node: usize) -> f64 {
        self.rows_below(node, self.view.out_of_bag.rows(node))
    }

    /// The same for some of these rows.
    pub(crate) fn rows_below(&mut self, node: usize, rows: &[u32]) -> f64 {
        let reach = self.donors.all(self.view);
        self.of_rows(node, rows, reach)
    }

    /// The same for some of the out-of-bag rows below `node` and some of the donors.
    pub(crate) fn of_rows(&mut self, node: usize, rows: &[u32], reach: Reach) -> f64 {
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        let mut total = 0.0;
        self.summaries.clear();
        let end = self.rows.len();
        self.pending.push(Step::Visit { node, start: 0, end, reach, shared: None });
        while let Some(step) = self.pending.pop() {
            match step {
                Step::Unmark(marks) => self.donors.unmark(marks),
                Step::Visit { node, start, end, reach, shared } => {
                    if self.view.progress.is_cancelled() {
                        self.pending.clear();
                        return total;
                    }
                    total += self.visit(node, start..end, reach, shared);
                }
            }
        }
        total
    }

    /// The loss at a leaf; at a split, makes the visits of its children pending.
    fn visit(
        &mut self,
        node: usize,
        range: Range<usize>,
        reach: Reach,
        shared: Option<usize>,
    ) -> f64 {
        let Range { start, end } = range;
        let mass = reach.mass();
        if start == end || mass == 0.0 {
            return 0.0;
        }
        let Some(column) = self.router.ranked.nodes[node].column() else {
            return mass * self.loss_at(node, range, shared);
        };
        let pending = &mut self.pending;
        if self.view.group(column) == self.group {
            let bottom = pending.len();
            // The same rows go to all children.
            let shared = shared.unwrap_or_else(|| {
                self.summaries.push(None);
                self.summaries.len() - 1
            });
            let marks = self.donors.split(reach, node, self.view, |child, reach| {
                let shared = Some(shared);
                pending.push(Step::Visit { node: child, start, end, reach, shared });
            });
            if let Some(marks) = marks {
                // Below the children, so that it is taken up after everything under them.
                pending.insert(bottom, Step::Unmark(marks));
            }
        } else {
            self.router.partition(node, &mut self.rows[start..end], |child, part| {
                let (from, to) = (start + part.start, start + part.end);
                pending.push(Step::Visit {
                    node: child,
                    start: from,
                    end: to,
                    reach,
                    shared: None,
                });
            });
        }
        0.0
    }

    /// The losses of rows in a leaf, summed.
    fn loss_at(&mut self, leaf: usize, range: Range<usize>, shared: Option<usize>) -> f64 {
        let rows = &self.rows[range];
        let Some(position) = shared.filter(|_| rows.len() > FEW) else {
            return self.loss.sum(leaf, rows);
        };
        let summary = &mut self.summaries[position];
        if summary.is_none() {
            *summary = self.loss.summary(rows);
        }
        match summary {
            Some(summary) => self.loss.sum_of(leaf, summary),
            None => self.loss.sum(leaf, rows),
        }
    }
}
