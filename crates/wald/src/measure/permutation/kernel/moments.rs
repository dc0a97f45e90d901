//! What a tree is expected to predict when the out-of-bag values of a group of columns are
//! permuted, over all permutations, and how much that varies.
//!
//! As in `expected_loss`, the rows of a node go both ways at splits on the group, and meet every leaf with
//! the mass of the donors that lead there. Rows that go to several leaves together are added to
//! once, when all of those leaves were visited.

use std::ops::Range;

use crate::forest::{Aggregation, Router};
use crate::measure::kernel::changes::Changes;
use crate::measure::kernel::donors::{Donors, Marks, Reach};
use crate::measure::kernel::first_splits::first_uses;
use crate::measure::kernel::node_predictions::NodePredictions;
use crate::pass::TreeView;

/// Sums up what the rows of one tree may meet.
struct Moments<'a> {
    view: &'a TreeView<'a>,
    router: Router<'a>,
    n_outputs: usize,
    predictions: NodePredictions,
    /// By training row: deviations from `centre` times the mass of their donors, summed, and the
    /// same of the squared deviations, which are summed over outputs.
    sums: Vec<f64>,
    /// The same for the rows that are on their way to several leaves together; the last are those
    /// of the split visited last.
    together: Vec<f64>,
    /// What deviations are counted from, so that squares lose no digits.
    centre: Vec<f64>,
    rows: Vec<u32>,
    pending: Vec<Step>,
}

/// Rows (a range of `rows`) and donors that meet at a node, and whether other leaves share these
/// rows.
#[derive(Debug, Clone, Copy)]
struct Visit {
    node: usize,
    start: usize,
    end: usize,
    reach: Reach,
    is_shared: bool,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Visit(Visit),
    /// The rows that went together are added to.
    Close {
        start: usize,
        end: usize,
    },
    Unmark(Marks),
}

/// Expected changes of all out-of-bag rows by all groups of positive mass, with their variances
/// (summed over outputs). Cost as that of the expected loss.
pub(crate) fn expected_changes(
    view: &TreeView<'_>,
    aggregation: Aggregation,
) -> (Changes, Vec<f64>) {
    let n_outputs = view.training.n_outputs();
    let mut moments = Moments {
        view,
        router: view.router(),
        n_outputs,
        predictions: NodePredictions::new(view, aggregation),
        sums: vec![0.0; view.training.n_rows() * (n_outputs + 1)],
        together: Vec::new(),
        centre: Vec::new(),
        rows: Vec::new(),
        pending: Vec::new(),
    };
    let (mut found, mut variances) = (Changes::default(), Vec::new());
    for uses in first_uses(view).chunk_by(|a, b| a.0 == b.0) {
        let group = uses[0].0;
        let mut donors = Donors::new(view, group);
        for node in uses.iter().map(|&(_, node)| node as usize) {
            let rows = view.out_of_bag.rows(node);
            let reach = donors.all(view);
            let mass = reach.mass();
            if rows.is_empty() || mass <= 0.0 {
                continue;
            }
            if !moments.below(node, group, &mut donors, reach) {
                return (found, variances);
            }
            for &row in rows {
                found.rows.push(row);
                found.groups.push(group as u32);
                let own = moments.predictions.by(moments.predictions.leaf_of(row));
                let start = row as usize * (n_outputs + 1);
                let sums = &mut moments.sums[start..=start + n_outputs];
                let mut variance = sums[n_outputs] / mass;
                for ((sum, own), centre) in sums.iter().zip(own).zip(&moments.centre) {
                    let deviation = sum / mass;
                    variance -= deviation * deviation;
                    found.amounts.push(deviation - (own - centre));
                }
                variances.push(variance.max(0.0));
                sums.fill(0.0);
            }
        }
    }
    (found, variances)
}

impl Moments<'_> {
    /// Adds up what the rows below `node`, the first split on the group on their path, may meet;
    /// false when cancelled.
    fn below(&mut self, node: usize, group: usize, donors: &mut Donors, reach: Reach) -> bool {
        self.rows.clear();
        self.rows.extend_from_slice(self.view.out_of_bag.rows(node));
        self.centre.clear();
        self.centre.extend_from_slice(self.predictions.by(node));
        let end = self.rows.len();
        self.pending.push(Step::Visit(Visit { node, start: 0, end, reach, is_shared: false }));
        while let Some(step) = self.pending.pop() {
            match step {
                Step::Unmark(marks) => donors.unmark(marks),
                Step::Close { start, end } => self.close(start..end),
                Step::Visit(visit) => {
                    if self.view.progress.is_cancelled() {
                        return false;
                    }
                    if visit.start < visit.end && visit.reach.mass() > 0.0 {
                        self.visit(visit, group, donors);
                    }
                }
            }
        }
        true
    }

    /// Adds the prediction of a leaf; at a split, makes the visits of its children pending.
    fn visit(&mut self, visit: Visit, group: usize, donors: &mut Donors) {
        let Visit { node, start, end, reach, is_shared } = visit;
        let Some(column) = self.router.ranked.nodes[node].column() else {
            self.open(is_shared);
            self.add(node, reach.mass());
            if !is_shared {
                self.close(start..end);
            }
            return;
        };
        if self.view.group(column) == group {
            // The same rows go to all children.
            self.open(is_shared);
            if !is_shared {
                self.pending.push(Step::Close { start, end });
            }
            let pending = &mut self.pending;
            let bottom = pending.len();
            let marks = donors.split(reach, node, self.view, |node, reach| {
                pending.push(Step::Visit(Visit { node, start, end, reach, is_shared: true }));
            });
            if let Some(marks) = marks {
                // Below the children, so that it is taken up after everything under them.
                pending.insert(bottom, Step::Unmark(marks));
            }
        } else {
            let pending = &mut self.pending;
            self.router.partition(node, &mut self.rows[start..end], |node, part| {
                let (start, end) = (start + part.start, start + part.end);
                pending.push(Step::Visit(Visit { node, start, end, reach, is_shared: false }));
            });
        }
    }

    fn open(&mut self, is_open: bool) {
        if !is_open {
            self.together.extend(std::iter::repeat_n(0.0, self.n_outputs + 1));
        }
    }

    /// Adds the prediction of a leaf for the rows that are together.
    fn add(&mut self, leaf: usize, mass: f64) {
        let start = self.together.len() - (self.n_outputs + 1);
        let (sums, squares) = self.together[start..].split_at_mut(self.n_outputs);
        for ((sum, value), centre) in
            sums.iter_mut().zip(self.predictions.by(leaf)).zip(&self.centre)
        {
            let deviation = value - centre;
            *sum += mass * deviation;
            squares[0] += mass * deviation * deviation;
        }
    }

    /// Gives the rows of a range what was added up for them.
    fn close(&mut self, range: Range<usize>) {
        let width = self.n_outputs + 1;
        let start = self.together.len() - width;
        for &row in &self.rows[range] {
            let sums = &mut self.sums[row as usize * width..(row as usize + 1) * width];
            sums.iter_mut().zip(&self.together[start..]).for_each(|(sum, more)| *sum += more);
        }
        self.together.truncate(start);
    }
}
