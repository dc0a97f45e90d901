//! How much larger the loss of single trees on their out-of-bag rows is when a group of columns
//! is no longer informative: what measures that are means over trees share.
//!
//! These measures differ in who the donors of values are: all out-of-bag values, the rows of a
//! cell, or shares of in-bag weight instead of values.

use std::collections::BTreeMap;

use crate::data::Task;
use crate::forest::Aggregation;
use crate::importance::Importance;
use crate::loss::Loss;
use crate::measure::definition::{MeasureInfo, MeasureSettings, Normalise};
use crate::measure::kernel::first_splits::first_uses;
use crate::measure::kernel::over_trees::over_trees;
use crate::measure::permutation::kernel::leaf_loss::LeafLoss;
use crate::pass::{Subject, TreeView};
use crate::words::trees_left_out;

/// What is compared, and how the mean over trees is given.
#[derive(Debug)]
pub(crate) struct Increase {
    info: &'static MeasureInfo,
    n_groups: usize,
    task: Task,
    loss: Loss,
    /// Trees that vote are judged by their votes.
    aggregation: Aggregation,
    normalise: Normalise,
    /// Whether rows meet other rows' values only.
    exclude_self: bool,
    /// Of the target over all rows, divisor n - 1.
    variance: f64,
}

/// One tree: a row of values per repeat (one for exact expectations), or no out-of-bag rows.
pub(crate) type IncreasePart = Option<Vec<Vec<f64>>>;

/// The trees so far.
#[derive(Debug, Default)]
pub(crate) struct IncreaseTotal {
    per_tree: Vec<Vec<f64>>,
    repeats: Vec<Vec<f64>>,
    n_without_rows: usize,
}

/// One tree whose out-of-bag rows weigh something, with the losses where they end.
#[derive(Debug)]
pub(crate) struct Losses<'a> {
    pub(crate) view: &'a TreeView<'a>,
    pub(crate) loss: LeafLoss<'a>,
    /// Weight of the out-of-bag rows.
    pub(crate) mass: f64,
    /// Loss of every out-of-bag row where it ends, by training row.
    base: Vec<f64>,
}

impl IncreaseTotal {
    /// Trees that have no rows to be judged by.
    pub(crate) fn n_without_rows(&self) -> usize {
        self.n_without_rows
    }
}

impl Losses<'_> {
    /// The loss of an out-of-bag row where it ends.
    pub(crate) fn base(&self, row: u32) -> f64 {
        self.base[row as usize]
    }
}

impl Increase {
    pub(crate) fn new(
        info: &'static MeasureInfo,
        settings: &MeasureSettings,
        subject: Subject<'_>,
    ) -> Self {
        let losses = match subject.forest.task() {
            Task::Regression => info.regression_losses,
            Task::Classification => info.classification_losses,
        };
        Self {
            info,
            n_groups: subject.groups.n_groups(),
            task: subject.forest.task(),
            loss: settings.loss.unwrap_or(losses[0]),
            aggregation: subject.forest.aggregation(),
            normalise: settings.normalise,
            exclude_self: settings.exclude_self,
            variance: subject.training.response_variance(),
        }
    }

    /// Losses of one tree; `None` where no out-of-bag row has a weight: rows without weight have
    /// no loss, so they are as good as none. Where rows meet other rows' values only, one row with
    /// a weight has nothing to be compared with.
    pub(crate) fn losses<'a>(&self, view: &'a TreeView<'a>) -> Option<Losses<'a>> {
        let rows = view.out_of_bag.all();
        let mass: f64 = rows.iter().map(|&row| view.training.weight(row)).sum();
        let weighing = rows.iter().filter(|&&row| view.training.weight(row) > 0.0).count();
        if weighing < if self.exclude_self { 2 } else { 1 } {
            return None;
        }
        let loss = LeafLoss::new(view, self.loss, self.aggregation);
        let loss = if self.exclude_self { loss.excluding_self(view) } else { loss };
        let mut base = vec![0.0; view.training.n_rows()];
        for leaf in view.leaves() {
            for &row in view.out_of_bag.rows(leaf) {
                base[row as usize] = loss.row(leaf, row);
            }
        }
        Some(Losses { view, loss, mass, base })
    }

    /// Mean loss with a group altered minus mean loss, for every group the tree uses: `prepare`
    /// alters a group, `below` gives the loss of the rows below a node.
    pub(crate) fn of_tree<P>(
        &self,
        losses: &Losses<'_>,
        prepare: impl FnMut(usize) -> P,
        below: impl Fn(&mut P, usize) -> f64,
    ) -> Vec<f64> {
        self.of_rows(losses, None, losses.mass, prepare, |altered, node, _| below(altered, node))
    }

    /// The same for the out-of-bag rows of one class, with their weight, or all of them; `below`
    /// gives the loss of these rows below a node.
    pub(crate) fn of_rows<P>(
        &self,
        losses: &Losses<'_>,
        class: Option<usize>,
        mass: f64,
        mut prepare: impl FnMut(usize) -> P,
        below: impl Fn(&mut P, usize, &[u32]) -> f64,
    ) -> Vec<f64> {
        let Losses { view, base, .. } = losses;
        let truth = view.training.truth();
        let mut of_class = Vec::new();
        let mut sums = vec![0.0; self.n_groups];
        for uses in first_uses(view).chunk_by(|a, b| a.0 == b.0) {
            let group = uses[0].0;
            let mut altered = prepare(group);
            for node in uses.iter().map(|&(_, node)| node as usize) {
                if view.progress.is_cancelled() {
                    return sums;
                }
                let mut rows = view.out_of_bag.rows(node);
                if class.is_some() {
                    of_class.clear();
                    let is_wanted = |row: &&u32| truth.class(**row) == class;
                    of_class.extend(rows.iter().filter(is_wanted).copied());
                    rows = &of_class;
                }
                if !rows.is_empty() {
                    let unaltered: f64 = rows.iter().map(|&row| base[row as usize]).sum();
                    sums[group] += below(&mut altered, node, rows) - unaltered;
                }
            }
        }
        sums.iter_mut().for_each(|sum| *sum /= mass);
        sums
    }

    pub(crate) fn fits(&self, part: &IncreasePart) -> bool {
        part.iter().flatten().all(|values| values.len() == self.n_groups)
    }

    pub(crate) fn merge(&self, total: &mut IncreaseTotal, part: IncreasePart) {
        let Some(repeats) = part else {
            total.n_without_rows += 1;
            return;
        };
        let n_repeats = repeats.len() as f64;
        let mut mean = vec![0.0; self.n_groups];
        total.repeats.resize(repeats.len(), vec![0.0; self.n_groups]);
        for (sums, repeat) in total.repeats.iter_mut().zip(&repeats) {
            for ((sum, mean), value) in sums.iter_mut().zip(&mut mean).zip(repeat) {
                *sum += value;
                *mean += value / n_repeats;
            }
        }
        total.per_tree.push(mean);
    }

    /// The mean over trees; the repeats are those of random permutations.
    pub(crate) fn finish(&self, mut total: IncreaseTotal) -> Importance {
        let n_trees = total.per_tree.len() as f64;
        let summary = over_trees(&total.per_tree);
        total.repeats.iter_mut().flatten().for_each(|value| *value /= n_trees);
        let (values, standard_errors, [per_tree, repeats]) = match &summary {
            None => (vec![None; self.n_groups], None, [const { Vec::new() }; 2]),
            Some(summary) => {
                // The divisor of randomForest: the population sd over trees / sqrt(trees).
                let population = |feature: usize| {
                    summary
                        .standard_errors
                        .as_ref()
                        .map_or(0.0, |errors| errors[feature] * ((n_trees - 1.0) / n_trees).sqrt())
                };
                let scaled = |values: &[f64]| -> Vec<Option<f64>> {
                    let pairs = values.iter().enumerate();
                    pairs.map(|(j, &value)| self.normalised(value, population(j))).collect()
                };
                let errors = summary.standard_errors.as_deref().map(scaled);
                let all = |rows: &[Vec<f64>]| -> Vec<Vec<f64>> {
                    rows.iter().filter_map(|row| scaled(row).into_iter().collect()).collect()
                };
                (scaled(&summary.means), errors, [all(&total.per_tree), all(&total.repeats)])
            }
        };
        let mut notes = Vec::new();
        let few = if self.exclude_self { "with fewer than two" } else { "without" };
        notes.extend(trees_left_out(total.n_without_rows, few));
        if self.normalise == Normalise::Variance && self.variance <= 0.0 {
            notes.push("undefined, because the target is constant".to_owned());
        }
        Importance {
            loss: Some(self.loss.id()),
            unit: self.unit(),
            values,
            standard_errors,
            per_tree,
            repeats,
            settings: BTreeMap::from([("normalise", self.normalise.id().to_owned())]),
            notes,
            ..self.info.importance()
        }
    }

    /// Whether rows meet other rows' values only.
    pub(crate) fn excludes_self(&self) -> bool {
        self.exclude_self
    }

    fn unit(&self) -> String {
        let loss = self.loss.unit(self.task);
        match self.normalise {
            Normalise::None | Normalise::Sum => loss.to_owned(),
            Normalise::Variance => format!("{loss} / twice the variance of the target"),
            Normalise::StandardError => format!("{loss} / its standard error over trees"),
        }
    }

    /// Divides by what was requested; `None` where the divisor is zero.
    fn normalised(&self, value: f64, population_error: f64) -> Option<f64> {
        match self.normalise {
            Normalise::None | Normalise::Sum => Some(value),
            Normalise::Variance => (self.variance > 0.0).then(|| value / (2.0 * self.variance)),
            Normalise::StandardError if population_error > 0.0 => Some(value / population_error),
            Normalise::StandardError => Some(0.0),
        }
    }
}
