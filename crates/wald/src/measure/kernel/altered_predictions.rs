//! How much worse the forest's out-of-bag predictions get when those of its trees are altered.
//!
//! The squared loss of a row with the prediction P instead of m, both of them means over the
//! trees that did not see the row, differs by |Y - P|^2 - |Y - m|^2 = |d|^2 - 2 d (Y - m) with
//! d = P - m, the mean of the trees' changes. So changes are added up, and rows that a tree does
//! not change cost nothing.

use crate::data::Truth;
use crate::forest::Aggregation;
use crate::measure::kernel::changes::Changes;
use crate::measure::kernel::errors_of_rows::{RowMoments, of_clusters};
use crate::measure::kernel::excess::{OfPart, Spread, offset};
use crate::measure::kernel::influences::Influences;
use crate::measure::kernel::part::Taken;
use crate::measure::kernel::residuals::Residuals;
use crate::measure::kernel::row_sums::{RowSums, Shape};
use crate::parts::numbers::{real, whole};
use crate::pass::{OutOfBag, OutOfBagPart, Outcome, TreeView};
use crate::run::Threads;
use crate::threads::map;

/// Trees are kept for standard errors as long as they take at most this many bytes.
pub(crate) const MOST_KEPT: usize = 256 << 20;

/// One tree's out-of-bag predictions, and how they change.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct AlteredTree {
    /// Out-of-bag rows, and what the tree predicts for them.
    #[serde(with = "whole")]
    pub(in crate::measure) rows: Vec<u32>,
    #[serde(with = "real")]
    pub(in crate::measure) values: Vec<f64>,
    pub(in crate::measure) changes: Changes,
    /// Variances of changes that are expectations over chance, one per change; or none.
    #[serde(with = "real")]
    variances: Vec<f64>,
    /// Where some trees stand for all: by how much the square of the prediction grows, one per
    /// change, and the predictions.
    #[serde(with = "real")]
    squares: Vec<f64>,
    out_of_bag: Option<OutOfBagPart>,
}

/// Changes of all trees so far.
#[derive(Debug, Default)]
pub(crate) struct Altered {
    sums: Option<RowSums>,
    variances: Option<RowSums>,
    kept: Vec<AlteredTree>,
    kept_bytes: usize,
    is_full: bool,
    n_trees: usize,
    part: Option<OfPart>,
}

/// What the increases of single rows are computed from.
#[derive(Clone, Copy)]
struct Known<'a> {
    truth: &'a Truth,
    out_of_bag: &'a OutOfBag,
    residuals: &'a Residuals,
    /// What predictions have in common.
    offset: f64,
}

/// What altered predictions cost.
#[derive(Debug)]
pub(crate) struct Increases {
    /// By group: sums over rows, weighted by their case weights.
    pub(crate) values: Vec<f64>,
    /// Standard errors of those sums over trees; `None` with fewer than two trees.
    pub(crate) standard_errors: Option<Vec<f64>>,
    /// What every tree adds to the deviation of those sums from their expectation over forests,
    /// for as many of the first trees as could be kept.
    pub(crate) influences: Vec<Vec<f64>>,
    /// By group: squares of the standard errors of a mean over rows of what is increased, relative to
    /// the variance of the response, times the squares of weight and variance. Bias of the forest
    /// is no part of them.
    pub(crate) of_rows: Vec<f64>,
    /// The same where rows of one cluster may depend on each other; `None` without clusters, and
    /// infinite for a single one.
    pub(crate) of_clusters: Option<Vec<f64>>,
    /// The variance of the response over the rows looked at, where these are some.
    pub(crate) variance: Option<f64>,
    /// Of classes: the sums over the rows of each class.
    pub(crate) per_class: Vec<Vec<f64>>,
    /// Weight of all rows, and of those out of bag at least once; both also by class.
    pub(crate) weight: f64,
    pub(crate) weight_out_of_bag: f64,
    pub(crate) class_weights: Vec<f64>,
    pub(crate) class_weights_out_of_bag: Vec<f64>,
    /// Rows that were never out of bag.
    pub(crate) n_never: usize,
}

impl AlteredTree {
    pub(crate) fn new(
        view: &TreeView<'_>,
        aggregation: Aggregation,
        changes: Changes,
        variances: Vec<f64>,
    ) -> Self {
        let n_outputs = view.training.n_outputs();
        let n_rows = view.out_of_bag.all().len();
        let mut tree = Self {
            rows: Vec::with_capacity(n_rows),
            values: vec![0.0; n_rows * n_outputs],
            changes,
            variances,
            squares: Vec::new(),
            out_of_bag: None,
        };
        for leaf in view.leaves() {
            for &row in view.out_of_bag.rows(leaf) {
                let start = tree.rows.len() * n_outputs;
                aggregation.add(view.tree, leaf, &mut tree.values[start..start + n_outputs]);
                tree.rows.push(row);
            }
        }
        tree
    }

    /// The same where the trees so far stand for more.
    pub(crate) fn of_part(view: &TreeView<'_>, aggregation: Aggregation, changes: Changes) -> Self {
        let mut tree = Self::new(view, aggregation, changes, Vec::new());
        let n_outputs = view.training.n_outputs();
        let offset = offset(view.training.truth());
        let mut place = vec![0_u32; view.training.n_rows()];
        (0..).zip(&tree.rows).for_each(|(at, &row)| place[row as usize] = at);
        let entries = tree.changes.rows.iter().zip(tree.changes.amounts.chunks_exact(n_outputs));
        let square = |(&row, change): (&u32, &[f64])| -> f64 {
            let start = place[row as usize] as usize * n_outputs;
            let values = &tree.values[start..start + n_outputs];
            let terms = change.iter().zip(values);
            terms.map(|(change, value)| change * (2.0 * (value - offset) + change)).sum()
        };
        tree.squares = entries.map(square).collect();
        tree.out_of_bag = Some(OutOfBag::part(view, aggregation));
        tree
    }

    /// Whether it is of rows and groups that exist; with squares and out-of-bag predictions where some
    /// trees stand for all.
    pub(crate) fn fits(&self, shape: Shape, is_part: bool) -> bool {
        let Shape { n_rows, width, .. } = shape;
        let n_changes = self.changes.rows.len();
        let of_part = self.out_of_bag.as_ref();
        self.changes.fits(shape)
            && self.rows.iter().all(|&row| (row as usize) < n_rows)
            && self.values.len() == self.rows.len() * width
            && (self.variances.is_empty() || self.variances.len() == n_changes)
            && self.squares.len() == if is_part { n_changes } else { 0 }
            && of_part.is_some() == is_part
            && of_part.is_none_or(|predictions| predictions.fits(n_rows, width))
    }

    pub(super) fn variances(&self) -> &[f64] {
        &self.variances
    }

    pub(in crate::measure) fn bytes(&self) -> usize {
        4 * (self.rows.len() + 2 * self.changes.rows.len())
            + 8 * (self.values.len() + self.changes.amounts.len() + self.variances.len())
            + 8 * self.squares.len()
    }
}

impl Altered {
    /// Adds a tree of a part of the forest.
    pub(crate) fn add_of_part(
        &mut self,
        mut tree: AlteredTree,
        shape: Shape,
        truth: &Truth,
        aggregation: Aggregation,
        taken: &Taken,
    ) {
        let part = self.part.get_or_insert_with(|| OfPart {
            out_of_bag: OutOfBag::of(truth, aggregation),
            squares: RowSums::new(shape.n_rows, shape.n_groups, 1),
            missing: 1.0 - taken.n_trees as f64 / taken.of_trees as f64,
        });
        if let Some(predictions) = tree.out_of_bag.take() {
            part.out_of_bag.merge(&predictions);
        }
        part.squares.add_all(&tree.changes.rows, &tree.changes.groups, &tree.squares);
        tree.squares = Vec::new();
        self.add(tree, shape);
    }

    pub(crate) fn add(&mut self, tree: AlteredTree, shape: Shape) {
        let Shape { n_rows, n_groups, width } = shape;
        let sums = self.sums.get_or_insert_with(|| RowSums::new(n_rows, n_groups, width));
        let Changes { rows, groups, amounts } = &tree.changes;
        sums.add_all(rows, groups, amounts);
        if !tree.variances.is_empty() {
            let sums = self.variances.get_or_insert_with(|| RowSums::new(n_rows, n_groups, 1));
            sums.add_all(rows, groups, &tree.variances);
        }
        self.n_trees += 1;
        self.kept_bytes += tree.bytes();
        self.is_full |= self.kept_bytes > MOST_KEPT;
        if !self.is_full {
            self.kept.push(tree);
        }
    }

    /// The out-of-bag predictions of the trees so far.
    pub(crate) fn out_of_bag<'a>(&'a self, outcome: Outcome<'a>) -> &'a OutOfBag {
        self.part.as_ref().map_or(outcome.out_of_bag, |part| &part.out_of_bag)
    }

    /// The sum of changes of a row; `None` where there are none.
    pub(crate) fn change(&self, row: u32, group: u32) -> Option<&[f64]> {
        self.sums.as_ref()?.get(row, group)
    }

    /// Compares the altered predictions with those of the forest. Cost O(rows * groups) and, for
    /// the standard errors, as much for every tree that was kept.
    pub(crate) fn increases(&self, n_groups: usize, outcome: Outcome<'_>) -> Increases {
        let Outcome { training, out_of_bag: whole, threads, .. } = outcome;
        let truth = training.truth();
        let Some(part) = &self.part else {
            return self.increases_of(n_groups, truth, whole, threads);
        };
        let mut found = self.increases_of(n_groups, truth, &part.out_of_bag, threads);
        // Rows that no tree of the forest leaves out count as unchanged.
        let weight = |row: &u32| truth.weight(*row);
        let all: f64 = (0..truth.n_rows() as u32).map(|row| truth.weight(row)).sum();
        let seen = (0..truth.n_rows() as u32).filter(|&row| whole.n_trees(row as usize) > 0);
        found.weight *= all / seen.map(|row| weight(&row)).sum::<f64>();
        found
    }

    /// The same where the out-of-bag predictions are those of the trees that were added.
    pub(crate) fn increases_of(
        &self,
        n_groups: usize,
        truth: &Truth,
        out_of_bag: &OutOfBag,
        threads: Threads,
    ) -> Increases {
        let rows = Residuals::new(truth, out_of_bag);
        let spread = Spread::new(truth);
        let mut moments = RowMoments::new(n_groups);
        let mut of_spread = 0.0;
        let known = Known { truth, out_of_bag, residuals: &rows, offset: offset(truth) };
        let mut found = Increases {
            values: vec![0.0; n_groups],
            standard_errors: None,
            influences: Vec::new(),
            of_rows: Vec::new(),
            of_clusters: None,
            variance: None,
            per_class: vec![vec![0.0; n_groups]; truth.n_classes()],
            weight: 0.0,
            weight_out_of_bag: 0.0,
            class_weights: vec![0.0; truth.n_classes()],
            class_weights_out_of_bag: vec![0.0; truth.n_classes()],
            n_never: 0,
        };
        for row in 0..truth.n_rows() as u32 {
            let weight = truth.weight(row);
            let n_trees = f64::from(out_of_bag.n_trees(row as usize));
            if self.part.is_some() && !self.is_known(row, out_of_bag) {
                continue;
            }
            let class = truth.class(row);
            found.weight += weight;
            if let Some(class) = class {
                found.class_weights[class] += weight;
            }
            if n_trees == 0.0 {
                found.n_never += 1;
                continue;
            }
            found.weight_out_of_bag += weight;
            let away = spread.of(row);
            of_spread += weight * away;
            moments.add_row(weight * away);
            if let Some(class) = class {
                found.class_weights_out_of_bag[class] += weight;
            }
            for (group, increase) in self.of_row(row, known) {
                found.values[group] += weight * increase;
                moments.add(group, weight, increase, away);
                if let Some(class) = class {
                    found.per_class[class][group] += weight * increase;
                }
            }
        }
        if found.weight_out_of_bag > 0.0 && of_spread > 0.0 {
            found.of_rows = moments.squares(&found.values, of_spread);
            found.of_clusters = truth.clusters().map(|clusters| {
                let is_known = |row: &u32| self.is_known(*row, out_of_bag);
                let rows = (0..truth.n_rows() as u32).filter(is_known);
                let share = |value: &f64| value / of_spread;
                let shares: Vec<f64> = found.values.iter().map(share).collect();
                let of_row = |row: u32, add: &mut dyn FnMut(usize, f64)| {
                    self.of_row(row, known).for_each(|(group, increase)| add(group, increase));
                    spread.of(row)
                };
                of_clusters(clusters, rows.collect(), truth, &shares, of_row)
            });
            found.variance = self.part.is_some().then(|| of_spread / found.weight_out_of_bag);
        }
        found.influences = self.influences(&rows, truth, out_of_bag, threads);
        found.standard_errors = (found.influences.len() > 1).then(|| {
            let all = self.n_trees as f64 / found.influences.len() as f64;
            let squares = |group: usize| -> f64 {
                found.influences.iter().map(|tree| tree[group] * tree[group]).sum()
            };
            (0..n_groups).map(|group| (all * squares(group)).sqrt()).collect()
        });
        found
    }

    /// Whether there are enough trees to judge a row: one does not show how much more of them would vary.
    fn is_known(&self, row: u32, out_of_bag: &OutOfBag) -> bool {
        out_of_bag.n_trees(row as usize) >= if self.part.is_some() { 2 } else { 1 }
    }

    /// By group how much larger the loss of a row is; none where no tree changes.
    fn of_row<'a>(&'a self, row: u32, known: Known<'a>) -> impl Iterator<Item = (usize, f64)> + 'a {
        let Known { truth, out_of_bag, residuals, offset } = known;
        let n_trees = f64::from(out_of_bag.n_trees(row as usize));
        let n_targets = truth.n_targets() as f64;
        let (residual, prediction) = (residuals.of(row), residuals.prediction(row));
        self.sums.iter().flat_map(move |sums| sums.row(row)).map(move |(group, sums)| {
            let increase = |(sum, residual): (&f64, &f64)| {
                let mean = sum / n_trees;
                mean * (mean - 2.0 * residual)
            };
            let variance = self.variances.as_ref().and_then(|all| all.get(row, group as u32));
            let variance = variance.map_or(0.0, |sum| sum[0] / (n_trees * n_trees));
            let mut increase = sums.iter().zip(residual).map(increase).sum::<f64>() + variance;
            if let Some(part) = &self.part {
                let of_means = sums.iter().zip(prediction).map(|(sum, own)| {
                    let mean = sum / n_trees;
                    mean * (2.0 * (own - offset) + mean)
                });
                increase -= part.excess(row, group, of_means.sum(), n_trees);
            }
            // The mean over targets.
            (group, increase / n_targets)
        })
    }

    /// What each tree adds, those that were kept standing for all; the sum of squares over trees is
    /// the variance.
    fn influences(
        &self,
        rows: &Residuals,
        truth: &Truth,
        out_of_bag: &OutOfBag,
        threads: Threads,
    ) -> Vec<Vec<f64>> {
        let Some(sums) = self.sums.as_ref() else { return Vec::new() };
        let all = Influences::new(sums, self.variances.as_ref(), rows, truth, out_of_bag);
        let of_tree = |index: usize| all.of_tree(&self.kept[index], truth, out_of_bag);
        map(self.kept.len(), threads, of_tree)
    }
}
