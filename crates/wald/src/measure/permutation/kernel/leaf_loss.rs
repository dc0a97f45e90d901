//! The loss of rows in the leaves of one tree.

use std::borrow::Cow;

use crate::data::{Training, TrainingResponse};
use crate::forest::{Aggregation, argmax};
use crate::loss::Loss;
use crate::measure::projection::kernel::projected_cart::vote;
use crate::pass::TreeView;

/// Losses of training rows if they ended in given leaves, times their case weights.
#[derive(Debug)]
pub(crate) struct LeafLoss<'a> {
    training: &'a Training,
    /// By training row, where rows count other than by their case weights.
    weights: Option<Vec<f64>>,
    leaves: Leaves<'a>,
}

/// What the loss of a set of rows in any leaf depends on.
#[derive(Debug)]
pub(crate) enum RowSummary {
    /// Weight, the weighted mean as one of the values and the distance from it, so that a large
    /// common offset costs no digits, and the weighted sum of squared deviations from the mean.
    Numbers { weight: f64, origin: f64, distance: f64, squares: f64 },
    /// Weight of each class.
    Classes(Vec<f64>),
}

#[derive(Debug)]
enum Leaves<'a> {
    Squared {
        truth: Cow<'a, [f64]>,
        values: Vec<f64>,
    },
    Absolute {
        truth: Cow<'a, [f64]>,
        values: Vec<f64>,
    },
    /// Squared losses of several targets: outputs by row and by node.
    Several {
        truth: Cow<'a, [f64]>,
        values: Vec<f64>,
        n_outputs: usize,
        n_targets: f64,
    },
    /// The loss of a class in a leaf, one row of classes per node.
    Table {
        truth: Cow<'a, [u32]>,
        n_classes: usize,
        losses: Vec<f64>,
    },
}

impl<'a> LeafLoss<'a> {
    pub(crate) fn new(view: &TreeView<'a>, loss: Loss, aggregation: Aggregation) -> Self {
        let tree = view.tree;
        let leaves = match view.training.response() {
            TrainingResponse::Numbers { values: truth, .. } => {
                let truth = truth.into();
                let values = (0..tree.n_nodes()).map(|node| tree.value(node)[0]).collect();
                match loss {
                    Loss::Absolute => Leaves::Absolute { truth, values },
                    Loss::Squared | Loss::ZeroOne | Loss::ZeroOneVote | Loss::Log | Loss::Auc => {
                        Leaves::Squared { truth, values }
                    }
                }
            }
            TrainingResponse::Classes { codes: truth, n_classes } => {
                let mut losses = Vec::with_capacity(tree.n_nodes() * n_classes);
                for node in 0..tree.n_nodes() {
                    let mut value = tree.value(node).into_owned();
                    if aggregation == Aggregation::Vote {
                        vote(&mut value);
                    }
                    losses.extend(class_losses(&value, loss));
                }
                Leaves::Table { truth: truth.into(), n_classes: *n_classes, losses }
            }
            TrainingResponse::Several(several) => Leaves::Several {
                truth: several.values.as_slice().into(),
                values: tree.all_values().into_owned(),
                n_outputs: several.means.len(),
                n_targets: several.n_targets as f64,
            },
        };
        Self { training: view.training, weights: None, leaves }
    }

    /// The same where rows never receive their own values. The loss that a row is then expected to
    /// have exceeds its own W / (W - w) times as much as where it receives any value, w being its
    /// weight and W that of all out-of-bag rows; so that factor goes into the weights.
    pub(crate) fn excluding_self(self, view: &TreeView<'_>) -> Self {
        let rows = view.out_of_bag.all();
        let weight = |row: &u32| self.training.weight(*row);
        let all: f64 = rows.iter().map(weight).sum();
        // A row that outweighs all others leaves too few digits of the difference.
        let heaviest = rows.iter().copied().max_by(|a, b| weight(a).total_cmp(&weight(b)));
        let rest = rows.iter().filter(|row| Some(**row) != heaviest).map(weight).sum();
        let mut weights = vec![0.0; self.training.n_rows()];
        for row in rows {
            let others = if Some(*row) == heaviest { rest } else { all - weight(row) };
            weights[*row as usize] = weight(row) * (all / others);
        }
        Self { weights: Some(weights), ..self }
    }

    /// The same where rows are called by their places among these, so that what is read of rows of near
    /// places is near in memory.
    pub(crate) fn by_place(&self, rows: &[u32]) -> Self {
        let is_weighted = self.weights.is_some() || self.training.is_weighted();
        let weights = is_weighted.then(|| rows.iter().map(|&row| self.weight(row)).collect());
        let leaves = match &self.leaves {
            Leaves::Squared { truth, values } => {
                Leaves::Squared { truth: placed(truth, rows), values: values.clone() }
            }
            Leaves::Absolute { truth, values } => {
                Leaves::Absolute { truth: placed(truth, rows), values: values.clone() }
            }
            Leaves::Several { truth, values, n_outputs, n_targets } => {
                let of_row = |&row: &u32| &truth[row as usize * n_outputs..][..*n_outputs];
                let truth = rows.iter().flat_map(of_row).copied().collect();
                let (n_outputs, n_targets) = (*n_outputs, *n_targets);
                Leaves::Several { truth, values: values.clone(), n_outputs, n_targets }
            }
            Leaves::Table { truth, n_classes, losses } => {
                let losses = losses.clone();
                Leaves::Table { truth: placed(truth, rows), n_classes: *n_classes, losses }
            }
        };
        Self { training: self.training, weights, leaves }
    }

    #[inline]
    fn weight(&self, row: u32) -> f64 {
        match &self.weights {
            Some(weights) => weights[row as usize],
            None => self.training.weight(row),
        }
    }

    /// The weighted loss of one row in a leaf.
    #[inline]
    pub(crate) fn row(&self, leaf: usize, row: u32) -> f64 {
        let index = row as usize;
        let loss = match &self.leaves {
            Leaves::Squared { truth, values } => (truth[index] - values[leaf]).powi(2),
            Leaves::Absolute { truth, values } => (truth[index] - values[leaf]).abs(),
            Leaves::Several { truth, values, n_outputs, n_targets } => {
                let truth = &truth[index * n_outputs..][..*n_outputs];
                let values = &values[leaf * n_outputs..][..*n_outputs];
                let squares =
                    truth.iter().zip(values).map(|(truth, value)| (truth - value).powi(2));
                squares.sum::<f64>() / n_targets
            }
            Leaves::Table { truth, n_classes, losses } => {
                losses[leaf * n_classes + truth[index] as usize]
            }
        };
        self.weight(row) * loss
    }

    /// The weighted losses of rows in one leaf, summed.
    pub(crate) fn sum(&self, leaf: usize, rows: &[u32]) -> f64 {
        let by_row = || rows.iter().map(|&row| self.row(leaf, row)).sum();
        if self.weights.is_some() || self.training.is_weighted() {
            return by_row();
        }
        match &self.leaves {
            Leaves::Several { .. } => by_row(),
            Leaves::Squared { truth, values } => {
                let value = values[leaf];
                rows.iter().map(|&row| (truth[row as usize] - value).powi(2)).sum()
            }
            Leaves::Absolute { truth, values } => {
                let value = values[leaf];
                rows.iter().map(|&row| (truth[row as usize] - value).abs()).sum()
            }
            Leaves::Table { truth, n_classes, losses } => {
                let losses = &losses[leaf * n_classes..(leaf + 1) * n_classes];
                rows.iter().map(|&row| losses[truth[row as usize] as usize]).sum()
            }
        }
    }
}

impl LeafLoss<'_> {
    /// Whether the loss of rows in a leaf follows from sums over them.
    pub(crate) fn sums_up(&self) -> bool {
        !matches!(self.leaves, Leaves::Absolute { .. } | Leaves::Several { .. })
    }

    /// Sums rows up, so that their loss in any leaf costs the same for any number of them; `None`
    /// where that does not pay, and for absolute errors and several targets, which take all rows.
    pub(crate) fn summary(&self, rows: &[u32]) -> Option<RowSummary> {
        let weighted = || rows.iter().map(|&row| (row as usize, self.weight(row)));
        match &self.leaves {
            Leaves::Squared { truth, .. } => {
                let weight: f64 = weighted().map(|(_, weight)| weight).sum();
                if weight == 0.0 {
                    return None;
                }
                let origin = truth[rows[0] as usize];
                let sum: f64 = weighted().map(|(row, w)| w * (truth[row] - origin)).sum();
                let distance = sum / weight;
                let deviation = |row: usize| truth[row] - origin - distance;
                let squares = weighted().map(|(row, w)| w * deviation(row).powi(2)).sum();
                Some(RowSummary::Numbers { weight, origin, distance, squares })
            }
            Leaves::Absolute { .. } | Leaves::Several { .. } => None,
            Leaves::Table { n_classes, .. } if rows.len() < *n_classes => None,
            Leaves::Table { truth, n_classes, .. } => {
                let mut weights = vec![0.0; *n_classes];
                weighted().for_each(|(row, weight)| weights[truth[row] as usize] += weight);
                Some(RowSummary::Classes(weights))
            }
        }
    }

    /// The weighted losses of the rows of a summary in one leaf, summed.
    pub(crate) fn sum_of(&self, leaf: usize, rows: &RowSummary) -> f64 {
        match (&self.leaves, rows) {
            (
                Leaves::Squared { values, .. } | Leaves::Absolute { values, .. },
                RowSummary::Numbers { weight, origin, distance, squares },
            ) => squares + weight * (origin - values[leaf] + distance).powi(2),
            (Leaves::Table { n_classes, losses, .. }, RowSummary::Classes(weights)) => {
                let losses = &losses[leaf * n_classes..(leaf + 1) * n_classes];
                weights.iter().zip(losses).map(|(weight, loss)| weight * loss).sum()
            }
            _ => 0.0,
        }
    }
}

/// The items of rows, in their order.
fn placed<T: Copy>(items: &[T], rows: &[u32]) -> Cow<'static, [T]> {
    rows.iter().map(|&row| items[row as usize]).collect()
}

/// The loss of predicting these proportions, for each true class.
fn class_losses(proportions: &[f64], loss: Loss) -> impl Iterator<Item = f64> + '_ {
    let squares: f64 = proportions.iter().map(|share| share * share).sum();
    let predicted = argmax(proportions);
    proportions.iter().enumerate().map(move |(class, share)| match loss {
        // ||one-hot - p||^2 = 1 - 2 p_class + ||p||^2
        // Trees have no area under the curve, and the logarithm is for means over trees.
        Loss::Squared | Loss::Absolute | Loss::Log | Loss::Auc => 1.0 - 2.0 * share + squares,
        Loss::ZeroOne | Loss::ZeroOneVote => f64::from(u8::from(class != predicted)),
    })
}
