//! Friedman's H: how much of the joint effect of two variables is interaction (Friedman & Popescu 2008).
//!
//! Partial dependence at the values of a row is a mean over all rows of predictions with these values put
//! in. A tree is gone through with both, the rows whose values are put in and those that are averaged
//! over: at a split on a variable that is put in the former divide and the latter go to both children,
//! at other splits the other way round. Below the last split on a variable that is put in, one mean
//! serves all rows.

use std::borrow::Cow;

use crate::data::Column;
use crate::error::Error;
use crate::explain::curves::wanted;
use crate::explain::{
    ExplanationInfo, ExplanationOption, ExplanationSettings, Layout, Local, Rows, Shape, Sink,
    ToExplain,
};
use crate::forest::{Forest, Node, Split, Tree, Walk, align};
use crate::measure::references::FRIEDMAN_2008;
use crate::random::{Purpose, Stream};
use crate::run::Run;
use crate::threads::ordered;
use crate::tree_shap::check_adds_up;

pub(crate) const INFO: ExplanationInfo = ExplanationInfo {
    id: "friedman_h",
    name: "Friedman's H statistic, squared",
    estimand: "For two variables, the share of the variance of their joint partial dependence that \
               their single ones do not add up to; on the diagonal, for a variable, the share of the \
               variance of predictions that is interaction with any other variable. Beside it the variance \
               of the interaction as a share of that of predictions, by which pairs are sorted (of classes, of \
               the sum of their variances, so that shares of classes add up)",
    caveat: "A share of a small joint effect can be large by noise alone: compare pairs by the share of the \
             variance of predictions. With dependent variables, partial dependence extrapolates. From at most \
             500 rows, drawn at random from those of positive weight",
    unit: "share of a variance",
    source: "Friedman & Popescu 2008, Eq. 44 and 45; on small joint effects section 8.1",
    references: &[FRIEDMAN_2008],
    cost: "per tree and pair of variables, about one pass of the rows for every split on the pair",
    options: &[ExplanationOption::Variables, ExplanationOption::Seed],
    regression_losses: &[],
    classification_losses: &[],
};

/// Rows that are looked at.
const MOST_ROWS: usize = 500;

/// What of a variance may be rounding.
const ROUNDING: f64 = 1e-20;

/// What of a mean may be rounding.
const ROUNDING_OF_MEANS: f64 = 1e-13;

struct FriedmanH<'a> {
    forest: &'a Forest,
    columns: Vec<Cow<'a, Column>>,
    /// By row; they sum to 1.
    weights: Vec<f64>,
    wanted: Vec<usize>,
    layout: Layout,
}

pub(super) fn plan<'a>(
    settings: &ExplanationSettings,
    subject: ToExplain<'a>,
) -> Result<Box<dyn Local + 'a>, Error> {
    let ToExplain { forest, training, rows } = subject;
    check_adds_up(INFO.id, forest)?;
    let wanted = wanted(forest, &settings.variables)?;
    let features = rows.features(training);
    let n_rows = features.n_rows();
    let weight = |row: u32| match (rows, training.weights()) {
        (Rows::Training, Some(weights)) => weights[row as usize],
        _ => 1.0,
    };
    let looked_at = drawn((0..n_rows as u32).filter(|&row| weight(row) > 0.0), settings.seed);
    let weights: Vec<f64> = looked_at.iter().map(|&row| weight(row)).collect();
    let total: f64 = weights.iter().sum();
    let columns = align(features, forest.features())?;
    let shape = Shape::Pairs(wanted.len());
    let layout = Layout {
        is_mean: true,
        has_shares: true,
        ..Layout::of_rows(forest, &wanted, shape, n_rows)
    };
    Ok(Box::new(FriedmanH {
        forest,
        columns: columns.iter().map(|column| Cow::Owned(column.select(&looked_at))).collect(),
        weights: weights.iter().map(|weight| weight / total).collect(),
        wanted,
        layout,
    }))
}

/// The rows that are looked at, in increasing order. They are drawn at random, because rows at equal distances
/// are all alike where the order of a table repeats itself, as it does in a panel.
fn drawn(rows: impl Iterator<Item = u32>, seed: u64) -> Vec<u32> {
    let mut rows: Vec<u32> = rows.collect();
    if rows.len() > MOST_ROWS {
        Stream::new(seed, 0, Purpose::PartOfRows).shuffle(&mut rows);
        rows.truncate(MOST_ROWS);
        rows.sort_unstable();
    }
    rows
}

/// What a whole has that its two parts do not add up to, by output.
struct Rest {
    /// As a share of the variance of the whole.
    of_whole: Vec<f64>,
    /// As a share of the variance of predictions, of all outputs together.
    of_predictions: Vec<f64>,
}

/// Which variables' values are put in.
#[derive(Debug, Clone, Copy)]
enum PutIn {
    These(usize, usize),
    AllBut(usize),
    All,
}

impl PutIn {
    fn has(self, split: &Split) -> bool {
        let feature = split.feature as usize;
        match self {
            Self::These(one, other) => feature == one || feature == other,
            Self::AllBut(one) => feature != one,
            Self::All => true,
        }
    }
}

/// A tree, for one set of variables whose values are put in.
struct Passed<'a> {
    forest: &'a Forest,
    tree: &'a Tree,
    walk: Walk<'a>,
    weights: &'a [f64],
    put_in: PutIn,
    /// By node, whether a split on a variable that is put in is at it or below.
    divides: Vec<bool>,
}

impl<'a> Passed<'a> {
    fn new(of: &'a FriedmanH<'_>, tree: &'a Tree, put_in: PutIn) -> Self {
        let mut divides = vec![false; tree.n_nodes()];
        let splits: Vec<(usize, &Split)> = tree.splits().collect();
        for (node, split) in splits.into_iter().rev() {
            divides[node] = put_in.has(split) || tree.children(split).any(|child| divides[child]);
        }
        let walk = Walk::new(of.forest, &of.columns);
        Self { forest: of.forest, tree, walk, weights: &of.weights, put_in, divides }
    }

    /// Adds the predictions for rows at a node, by output: the mean over the rows of the node that are
    /// averaged over, times their weight.
    fn add(&self, node: usize, rows: &mut [u32], averaged: &mut [u32], sums: &mut [f64]) {
        let n_outputs = self.tree.n_outputs();
        if rows.is_empty() || averaged.is_empty() {
            return;
        }
        let split = match &self.tree.nodes()[node] {
            Node::Split(split) if self.divides[node] => split,
            _ => {
                let mut mean = vec![0.0; n_outputs];
                self.add_mean(node, averaged, &mut mean);
                for &row in rows.iter() {
                    let sums = &mut sums[row as usize * n_outputs..][..n_outputs];
                    sums.iter_mut().zip(&mean).for_each(|(sum, value)| *sum += value);
                }
                return;
            }
        };
        let is_put_in = self.put_in.has(split);
        let divided = if is_put_in { &mut *rows } else { &mut *averaged };
        let mut parts = Vec::new();
        self.walk
            .divide(self.tree, split, 0, divided, |child, part| parts.push((child as usize, part)));
        for (child, part) in parts {
            if is_put_in {
                self.add(child, &mut rows[part], averaged, sums);
            } else {
                self.add(child, rows, &mut averaged[part], sums);
            }
        }
    }

    /// Adds the weighted predictions of rows that go down from a node.
    fn add_mean(&self, node: usize, rows: &mut [u32], mean: &mut [f64]) {
        let Node::Split(split) = &self.tree.nodes()[node] else {
            let weight: f64 = rows.iter().map(|&row| self.weights[row as usize]).sum();
            let mut value = vec![0.0; mean.len()];
            self.forest.aggregation().add(self.tree, node, &mut value);
            mean.iter_mut().zip(value).for_each(|(sum, value)| *sum += weight * value);
            return;
        };
        let mut parts = Vec::new();
        self.walk
            .divide(self.tree, split, 0, rows, |child, part| parts.push((child as usize, part)));
        for (child, part) in parts {
            self.add_mean(child, &mut rows[part], mean);
        }
    }
}

impl FriedmanH<'_> {
    /// Partial dependence on a set of variables at the values of every row, by row and output, with
    /// mean 0.
    fn dependence(&self, put_in: PutIn, run: &Run) -> Result<Vec<f64>, Error> {
        let n_outputs = self.layout.n_outputs();
        let n_rows = self.weights.len();
        let mut sums = vec![0.0; n_rows * n_outputs];
        let (mut rows, mut averaged) = (Vec::new(), Vec::new());
        for tree in self.forest.trees() {
            run.progress.check()?;
            rows.clear();
            rows.extend(0..n_rows as u32);
            averaged.clone_from(&rows);
            Passed::new(self, tree, put_in).add(0, &mut rows, &mut averaged, &mut sums);
        }
        let n_trees = self.forest.aggregation().divisor(self.forest.trees().len() as f64);
        let mut means = vec![0.0; n_outputs];
        for (values, weight) in sums.chunks_exact_mut(n_outputs).zip(&self.weights) {
            for (value, mean) in values.iter_mut().zip(&mut means) {
                *value /= n_trees;
                *mean += weight * *value;
            }
        }
        for values in sums.chunks_exact_mut(n_outputs) {
            for (value, mean) in values.iter_mut().zip(&means) {
                *value -= mean;
                if value.abs() <= ROUNDING_OF_MEANS * mean.abs() {
                    *value = 0.0;
                }
            }
        }
        Ok(sums)
    }

    /// Weighted sums of squares of a function of rows, by output.
    fn squares(&self, value: impl Fn(usize) -> f64) -> Vec<f64> {
        let n_outputs = self.layout.n_outputs();
        let mut sums = vec![0.0; n_outputs];
        for (row, weight) in self.weights.iter().enumerate() {
            for (output, sum) in sums.iter_mut().enumerate() {
                *sum += weight * value(row * n_outputs + output).powi(2);
            }
        }
        sums
    }

    /// The shares of what two parts do not add up to; 0 where the whole varies by no more than rounding,
    /// judged by the variance of predictions.
    fn rest(&self, whole: &[f64], parts: [&[f64]; 2], variance: &[f64]) -> Rest {
        let total = self.squares(|at| whole[at]);
        let rest = self.squares(|at| whole[at] - parts[0][at] - parts[1][at]);
        let of_all: f64 = variance.iter().sum();
        let shares = rest.into_iter().zip(total).zip(variance).map(|((rest, total), variance)| {
            if total > ROUNDING * variance { (rest / total, rest / of_all) } else { (0.0, 0.0) }
        });
        let (of_whole, of_predictions) = shares.unzip();
        Rest { of_whole, of_predictions }
    }
}

/// Many of them, on several threads, in order.
fn all<T: Send>(
    count: usize,
    run: &Run,
    one: impl Fn(usize) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let mut found = Vec::with_capacity(count);
    ordered(count, run, || (), |at, ()| one(at), |_, value| found.push(value))?;
    Ok(found)
}

impl Local for FriedmanH<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn run(&self, run: &Run, each: Sink<'_>) -> Result<(), Error> {
        let (n, n_outputs) = (self.wanted.len(), self.layout.n_outputs());
        let whole = self.dependence(PutIn::All, run)?;
        let variance = self.squares(|at| whole[at]);
        let single =
            all(n, run, |at| self.dependence(PutIn::These(self.wanted[at], self.wanted[at]), run))?;
        let overall = all(n, run, |at| {
            let others = self.dependence(PutIn::AllBut(self.wanted[at]), run)?;
            Ok(self.rest(&whole, [&single[at], &others], &variance))
        })?;
        let pairs: Vec<(usize, usize)> =
            (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other))).collect();
        let of_pairs = all(pairs.len(), run, |at| {
            let (one, other) = pairs[at];
            let both = PutIn::These(self.wanted[one], self.wanted[other]);
            Ok(self.rest(&self.dependence(both, run)?, [&single[one], &single[other]], &variance))
        })?;
        let mut record = vec![0.0; self.layout.n_numbers()];
        let mut put = |one: usize, other: usize, rest: &Rest| {
            for (at, shares) in [&rest.of_whole, &rest.of_predictions].into_iter().enumerate() {
                let start = ((at * n + one) * n + other) * n_outputs;
                record[start..][..n_outputs].copy_from_slice(shares);
            }
        };
        for (at, rest) in overall.iter().enumerate() {
            put(at, at, rest);
        }
        for (&(one, other), rest) in pairs.iter().zip(&of_pairs) {
            put(one, other, rest);
            put(other, one, rest);
        }
        each(0, &record);
        Ok(())
    }
}
