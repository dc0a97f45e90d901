//! Out-of-bag predictions and the quality of the forest.
//!
//! They are gathered from the slices of out-of-bag rows at the leaves.

use crate::data::{Training, TrainingResponse, Truth, variance_of};
use crate::forest::Aggregation;
use crate::forest::{SCORE_TIE, argmax};
use crate::loss::{Loss, prediction_loss};
use crate::parts::numbers::{real, whole};
use crate::pass::tree_view::TreeView;

/// Out-of-bag predictions of all rows: for each row, the trees that did not see it.
#[derive(Debug, Clone, PartialEq)]
pub struct OutOfBag {
    n_outputs: usize,
    aggregation: Aggregation,
    /// Sums over trees, `n_outputs` per row, and of the trees' weights.
    sums: Vec<f64>,
    weights: Vec<f64>,
    n_trees: Vec<u32>,
    convergence: Vec<(usize, f64)>,
}

/// Losses of out-of-bag predictions, as means over rows weighted by case weights.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(tag = "task", rename_all = "snake_case")]
pub enum Errors {
    /// Of numbers; of several targets, means over them.
    Regression {
        /// Mean squared error.
        squared: f64,
        /// Mean absolute error.
        absolute: f64,
        /// 1 - squared error / variance over the same rows; `None` where they are all equal.
        explained_variance: Option<f64>,
    },
    /// Of classes.
    Classification {
        /// Brier score summed over classes.
        squared: f64,
        /// Share of rows whose most likely class is wrong.
        zero_one: f64,
        /// Mean negative natural logarithm of the true class's probability.
        log: f64,
        /// Area under the receiver operating characteristic; two classes only, both present.
        auc: Option<f64>,
        /// 1 - Brier score / Gini impurity of the same rows; `None` where one class is left.
        explained_variance: Option<f64>,
        /// Row counts as `[true class][predicted class]`.
        confusion: Vec<Vec<u64>>,
    },
}

/// One tree's contribution.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct OutOfBagPart {
    #[serde(with = "whole")]
    rows: Vec<u32>,
    #[serde(with = "real")]
    values: Vec<f64>,
    /// One for each row, or one for all.
    #[serde(with = "real")]
    weights: Vec<f64>,
}

impl OutOfBagPart {
    /// Whether it can be that of a tree on so many rows.
    pub(crate) fn fits(&self, n_rows: usize, n_outputs: usize) -> bool {
        self.rows.iter().all(|&row| (row as usize) < n_rows)
            && (self.weights.len() == self.rows.len() || self.weights.len() == 1)
            && self.values.len() == self.rows.len() * n_outputs
    }
}

impl OutOfBag {
    pub(crate) fn new(training: &Training, aggregation: Aggregation) -> Self {
        Self::of(training.truth(), aggregation)
    }

    /// The same where only the truth about the rows is at hand.
    pub(crate) fn of(truth: &Truth, aggregation: Aggregation) -> Self {
        let (n_rows, n_outputs) = (truth.n_rows(), truth.n_outputs());
        Self {
            n_outputs,
            aggregation,
            sums: vec![0.0; n_rows * n_outputs],
            weights: vec![0.0; n_rows],
            n_trees: vec![0; n_rows],
            convergence: Vec::new(),
        }
    }

    /// One tree's predictions for its out-of-bag rows.
    pub(crate) fn part(view: &TreeView<'_>, aggregation: Aggregation) -> OutOfBagPart {
        let n_outputs = view.training.n_outputs();
        let n_rows = view.out_of_bag.all().len();
        let mut part = OutOfBagPart {
            rows: Vec::with_capacity(n_rows),
            values: vec![0.0; n_rows * n_outputs],
            weights: Vec::with_capacity(n_rows),
        };
        for leaf in view.leaves() {
            for &row in view.out_of_bag.rows(leaf) {
                let start = part.rows.len() * n_outputs;
                let sums = &mut part.values[start..start + n_outputs];
                part.weights.push(aggregation.add(view.tree, leaf, sums));
                part.rows.push(row);
            }
        }
        if part.weights.windows(2).all(|pair| pair[0] == pair[1]) {
            part.weights.truncate(1);
        }
        part
    }

    pub(crate) fn merge(&mut self, part: &OutOfBagPart) {
        let values = part.values.chunks_exact(self.n_outputs);
        let weight_of = |at: usize| part.weights[if part.weights.len() == 1 { 0 } else { at }];
        for (at, (&row, values)) in part.rows.iter().zip(values).enumerate() {
            let start = row as usize * self.n_outputs;
            for (sum, value) in self.sums[start..start + self.n_outputs].iter_mut().zip(values) {
                *sum += value;
            }
            self.weights[row as usize] += weight_of(at);
            self.n_trees[row as usize] += 1;
        }
    }

    /// Notes the error after the first `n_trees` trees.
    pub(crate) fn note_convergence(&mut self, n_trees: usize, training: &Training) {
        if let Some(error) = self.quick_error(training) {
            self.convergence.push((n_trees, error));
        }
    }

    /// Number of trees for which a row was out of bag.
    pub fn n_trees(&self, row: usize) -> u32 {
        self.n_trees[row]
    }

    /// Rows that were out of bag at least once.
    pub fn n_rows(&self) -> usize {
        self.n_trees.iter().filter(|&&count| count > 0).count()
    }

    /// The prediction of a row by the trees that did not see it; `None` if all did, or if the
    /// leaves it reaches weigh nothing where leaves are weighted.
    ///
    /// ```
    /// use wald::simulate::Friedman1;
    /// use wald::{ForestConfig, Run};
    ///
    /// let data = Friedman1::default().draw(60, 1)?;
    /// let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    /// let found = wald::fit(data, &config, &Run::all())?.measure(&[], &Run::all())?.out_of_bag;
    /// // A row is out of bag for about 37 of 100 trees.
    /// assert!(found.n_trees(0) < 10);
    /// assert_eq!(found.prediction(0).map(|prediction| prediction.len()), Some(1));
    /// assert_eq!(found.convergence().last().map(|(n_trees, _)| *n_trees), Some(10));
    /// # Ok::<(), wald::Error>(())
    /// ```
    pub fn prediction(&self, row: usize) -> Option<Vec<f64>> {
        (self.weights[row] > 0.0).then(|| {
            let divisor = self.aggregation.divisor(self.weights[row]);
            let start = row * self.n_outputs;
            self.sums[start..start + self.n_outputs].iter().map(|sum| sum / divisor).collect()
        })
    }

    /// Writes the prediction of a row; false where there is none.
    pub(crate) fn predict_into(&self, row: usize, prediction: &mut [f64]) -> bool {
        if self.weights[row] <= 0.0 {
            return false;
        }
        let divisor = self.aggregation.divisor(self.weights[row]);
        let sums = &self.sums[row * self.n_outputs..(row + 1) * self.n_outputs];
        prediction.iter_mut().zip(sums).for_each(|(value, sum)| *value = sum / divisor);
        true
    }

    /// Mean squared error or misclassified share after the first k trees, as (k, error).
    pub fn convergence(&self) -> &[(usize, f64)] {
        &self.convergence
    }

    /// Losses over the rows that were out of bag at least once; `None` if there are none.
    pub(crate) fn errors(&self, training: &Training) -> Option<Errors> {
        let rows = Rows { out_of_bag: self, training };
        rows.iter().next()?;
        Some(match training.response() {
            TrainingResponse::Numbers { .. } | TrainingResponse::Several(_) => {
                regression_errors(rows)
            }
            TrainingResponse::Classes { codes, n_classes } => {
                classification_errors(codes, *n_classes, rows)
            }
        })
    }

    /// The variance of the target over the same rows, by which `explained_variance` divides; of classes
    /// their Gini impurity. `None` if there are no rows.
    pub(crate) fn target_variance(&self, training: &Training) -> Option<f64> {
        let rows = Rows { out_of_bag: self, training };
        rows.iter().next()?;
        Some(match training.response() {
            TrainingResponse::Classes { codes, n_classes } => rows.impurity(codes, *n_classes),
            TrainingResponse::Numbers { .. } | TrainingResponse::Several(_) => rows.variance(),
        })
    }

    fn quick_error(&self, training: &Training) -> Option<f64> {
        let loss = match training.response() {
            TrainingResponse::Numbers { .. } | TrainingResponse::Several(_) => Loss::Squared,
            TrainingResponse::Classes { .. } => Loss::ZeroOne,
        };
        let mut prediction = vec![0.0; self.n_outputs];
        let (mut sum, mut total) = (0.0, 0.0);
        for row in 0..self.n_trees.len() {
            if self.predict_into(row, &mut prediction) {
                let weight = training.weight(row as u32);
                sum += weight * prediction_loss(loss, training.response(), row, &prediction);
                total += weight;
            }
        }
        (total > 0.0).then(|| sum / total)
    }
}

/// The rows of positive weight that have an out-of-bag prediction.
#[derive(Clone, Copy)]
struct Rows<'a> {
    out_of_bag: &'a OutOfBag,
    training: &'a Training,
}

impl<'a> Rows<'a> {
    /// Row, case weight, and the sums over trees with their divisor.
    fn iter(self) -> impl Iterator<Item = (usize, f64, (&'a [f64], f64))> + Clone {
        let OutOfBag { n_outputs, aggregation, sums, weights, .. } = self.out_of_bag;
        (0..weights.len()).filter(|&row| weights[row] > 0.0).filter_map(move |row| {
            let weight = self.training.weight(row as u32);
            let sums = &sums[row * n_outputs..(row + 1) * n_outputs];
            (weight > 0.0).then(|| (row, weight, (sums, aggregation.divisor(weights[row]))))
        })
    }

    /// Of numbers, and of several targets the mean over them.
    fn variance(self) -> f64 {
        let weights: Vec<f64> = self.iter().map(|(_, weight, _)| weight).collect();
        let total = weights.iter().sum();
        let of_output = |output: usize| {
            let values = self.iter().map(|(row, ..)| self.training.response_at(row as u32, output));
            variance_of(&values, |at| weights[at], total)
        };
        let truth = self.training.truth();
        (0..truth.n_outputs()).map(of_output).sum::<f64>() / truth.n_targets() as f64
    }

    fn impurity(self, codes: &[u32], n_classes: usize) -> f64 {
        let mut weights = vec![0.0; n_classes];
        self.iter().for_each(|(row, weight, _)| weights[codes[row] as usize] += weight);
        let total: f64 = weights.iter().sum();
        1.0 - weights.iter().map(|weight| (weight / total).powi(2)).sum::<f64>()
    }
}

fn regression_errors(rows: Rows<'_>) -> Errors {
    let total: f64 = rows.iter().map(|(_, weight, _)| weight).sum();
    let mean_loss = |loss| {
        let mut prediction = vec![0.0; rows.out_of_bag.n_outputs];
        let weighted = |(row, weight, (sums, divisor)): (usize, f64, (&[f64], f64))| {
            prediction.iter_mut().zip(sums).for_each(|(value, sum)| *value = sum / divisor);
            weight * prediction_loss(loss, rows.training.response(), row, &prediction)
        };
        rows.iter().map(weighted).sum::<f64>() / total
    };
    let (squared, absolute) = (mean_loss(Loss::Squared), mean_loss(Loss::Absolute));
    let variance = rows.variance();
    let explained_variance = (variance > 0.0).then(|| 1.0 - squared / variance);
    Errors::Regression { squared, absolute, explained_variance }
}

fn classification_errors(codes: &[u32], n_classes: usize, rows: Rows<'_>) -> Errors {
    let response = rows.training.response();
    let (mut squared, mut zero_one, mut log, mut total) = (0.0, 0.0, 0.0, 0.0);
    let mut confusion = vec![vec![0; n_classes]; n_classes];
    let mut scores = vec![0.0; n_classes];
    for (row, weight, (sums, divisor)) in rows.iter() {
        for (score, sum) in scores.iter_mut().zip(sums) {
            *score = sum / divisor;
        }
        let truth = codes[row] as usize;
        let loss_by = |loss| prediction_loss(loss, response, row, &scores);
        squared += weight * loss_by(Loss::Squared);
        zero_one += weight * loss_by(Loss::ZeroOne);
        log += weight * loss_by(Loss::Log);
        total += weight;
        confusion[truth][argmax(&scores)] += 1;
    }
    let gini = rows.impurity(codes, n_classes);
    Errors::Classification {
        squared: squared / total,
        zero_one: zero_one / total,
        log: log / total,
        auc: (n_classes == 2).then(|| area_of_rows(codes, rows)).flatten(),
        explained_variance: (gini > 0.0).then(|| 1.0 - squared / total / gini),
        confusion,
    }
}

fn area_of_rows(codes: &[u32], rows: Rows<'_>) -> Option<f64> {
    let scored = rows
        .iter()
        .map(|(row, weight, (sums, divisor))| (sums[1] / divisor, weight, codes[row] == 1));
    area_under_curve(scored.collect())
}

/// Weighted probability that a row of the second class scores above one of the first, ties
/// counting one half (Mann & Whitney 1947); rows are a score, a weight, and whether they are of
/// the second class. `None` where a class is absent.
pub(crate) fn area_under_curve(mut scored: Vec<(f64, f64, bool)>) -> Option<f64> {
    scored.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut negative, mut positive, mut area) = (0.0, 0.0, 0.0);
    // Equal scores may differ by what rounding left of them.
    for tie in scored.chunk_by(|a, b| b.0 - a.0 <= SCORE_TIE) {
        let tied =
            |class: bool| -> f64 { tie.iter().filter(|row| row.2 == class).map(|row| row.1).sum() };
        let (tied_negative, tied_positive) = (tied(false), tied(true));
        area += tied_positive * (negative + tied_negative / 2.0);
        negative += tied_negative;
        positive += tied_positive;
    }
    (negative > 0.0 && positive > 0.0).then(|| area / (negative * positive))
}
