//! The loss of rows in the leaves of one tree.

use crate::data::{Training, TrainingResponse};
use crate::forest::TreeView;
use crate::forest::argmax;
use crate::measure::Loss;

/// Losses of training rows if they ended in given leaves, times their case weights.
#[derive(Debug)]
pub(crate) struct LeafLoss<'a> {
    training: &'a Training,
    leaves: Leaves<'a>,
}

#[derive(Debug)]
enum Leaves<'a> {
    Squared {
        truth: &'a [f64],
        values: Vec<f64>,
    },
    Absolute {
        truth: &'a [f64],
        values: Vec<f64>,
    },
    /// The loss of a class in a leaf, one row of classes per node.
    Table {
        truth: &'a [u32],
        n_classes: usize,
        losses: Vec<f64>,
    },
}

impl<'a> LeafLoss<'a> {
    pub(crate) fn new(view: &TreeView<'a>, loss: Loss) -> Self {
        let tree = view.tree;
        let leaves = match view.training.response() {
            TrainingResponse::Numbers { values: truth, .. } => {
                let values = (0..tree.n_nodes()).map(|node| tree.value(node)[0]).collect();
                match loss {
                    Loss::Absolute => Leaves::Absolute { truth, values },
                    Loss::Squared | Loss::ZeroOne | Loss::ZeroOneVote => {
                        Leaves::Squared { truth, values }
                    }
                }
            }
            TrainingResponse::Classes { codes: truth, n_classes } => {
                let losses =
                    (0..tree.n_nodes()).flat_map(|node| class_losses(tree.value(node), loss));
                Leaves::Table { truth, n_classes: *n_classes, losses: losses.collect() }
            }
        };
        Self { training: view.training, leaves }
    }

    /// The weighted loss of one row in a leaf.
    pub(crate) fn row(&self, leaf: usize, row: u32) -> f64 {
        let index = row as usize;
        let loss = match &self.leaves {
            Leaves::Squared { truth, values } => (truth[index] - values[leaf]).powi(2),
            Leaves::Absolute { truth, values } => (truth[index] - values[leaf]).abs(),
            Leaves::Table { truth, n_classes, losses } => {
                losses[leaf * n_classes + truth[index] as usize]
            }
        };
        self.training.weight(row) * loss
    }

    /// The weighted losses of rows in one leaf, summed.
    pub(crate) fn sum(&self, leaf: usize, rows: &[u32]) -> f64 {
        if self.training.is_weighted() {
            return rows.iter().map(|&row| self.row(leaf, row)).sum();
        }
        match &self.leaves {
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

/// The loss of predicting these proportions, for each true class.
fn class_losses(proportions: &[f64], loss: Loss) -> impl Iterator<Item = f64> + '_ {
    let squares: f64 = proportions.iter().map(|share| share * share).sum();
    let predicted = argmax(proportions);
    proportions.iter().enumerate().map(move |(class, share)| match loss {
        // ||one-hot - p||^2 = 1 - 2 p_class + ||p||^2
        Loss::Squared | Loss::Absolute => 1.0 - 2.0 * share + squares,
        Loss::ZeroOne | Loss::ZeroOneVote => f64::from(u8::from(class != predicted)),
    })
}
