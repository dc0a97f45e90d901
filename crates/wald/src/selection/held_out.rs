//! What predictions of rows that a forest has not seen cost.

use crate::setting;
use serde::{Deserialize, Serialize};

use crate::data::{Dataset, Task};
use crate::error::Error;
use crate::loss::{Loss, unseen_loss};

/// Losses of held-out rows, multiplied by their case weights and summed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Losses {
    /// The loss that the selection goes by.
    pub(super) chosen: f64,
    /// The squared error, summed over classes.
    pub(super) squared: f64,
}

/// What rows are judged by: their truth and their case weights.
#[derive(Debug)]
pub(super) struct Truth<'a> {
    data: &'a Dataset,
    rows: &'a [u32],
    loss: Loss,
}

impl<'a> Truth<'a> {
    pub(super) fn new(data: &'a Dataset, rows: &'a [u32], loss: Loss) -> Self {
        Self { data, rows, loss }
    }

    fn weight_of(&self, row: u32) -> f64 {
        self.data.weights().map_or(1.0, |weights| weights[row as usize])
    }

    /// The case weights of the rows, summed.
    pub(super) fn weight(&self) -> f64 {
        self.rows.iter().map(|&row| self.weight_of(row)).sum()
    }

    /// Judges predictions, `n_outputs` numbers for each row.
    pub(super) fn losses(&self, predictions: &[f64]) -> Losses {
        let mut sums = Losses { chosen: 0.0, squared: 0.0 };
        let predictions = predictions.chunks_exact(self.data.target().n_outputs());
        for (&row, prediction) in self.rows.iter().zip(predictions) {
            let weight = self.weight_of(row);
            let loss_by =
                |loss| unseen_loss(loss, self.data.target().response(), row as usize, prediction);
            let squared = loss_by(Loss::Squared);
            let chosen = if self.loss == Loss::Squared { squared } else { loss_by(self.loss) };
            sums.chosen += weight * chosen;
            sums.squared += weight * squared;
        }
        sums
    }
}

/// The loss that is minimised must be one that predictions of the forest have.
pub(super) fn check_loss(loss: Loss, task: Task) -> Result<(), Error> {
    let offered = match task {
        Task::Regression => [Loss::Squared, Loss::Absolute],
        Task::Classification => [Loss::Squared, Loss::ZeroOne],
    };
    if offered.contains(&loss) {
        return Ok(());
    }
    Err(Error::bad_setting(
        setting::ERROR,
        format!("held-out rows of this target cannot be judged by the loss `{}`", loss.id()),
        format!("use one of: {}", offered.map(Loss::id).join(", ")),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Target, response_variance as variance};

    #[test]
    fn losses_are_weighted_sums() {
        let x = Column::numeric("x", vec![0.0, 1.0, 2.0]).expect("finite");
        let y = Target::regression("y", vec![1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0]).expect("finite");
        let data = Dataset::new(vec![x.clone()], y).expect("a data set");
        assert_eq!(variance(&data), 2.0 / 3.0);
        let data = data.with_weights(vec![2.0, 1.0, 0.0]).expect("weights");
        assert!((variance(&data) - 2.0 / 9.0).abs() < 1e-15);
        let truth = Truth::new(&data, &[0, 2], Loss::Absolute);
        let losses = truth.losses(&[1e9 + 4.0, 1e9]);
        assert_eq!(losses, Losses { chosen: 6.0, squared: 18.0 });
        assert_eq!(truth.weight(), 2.0);

        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let y = Target::classification("y", names, vec![0, 1, 1]).expect("classes");
        let data = Dataset::new(vec![x], y).expect("a data set");
        assert!((variance(&data) - 4.0 / 9.0).abs() < 1e-15);
        let truth = Truth::new(&data, &[1, 0], Loss::ZeroOne);
        let losses = truth.losses(&[0.5, 0.25, 0.25, 0.5, 0.5, 0.0]);
        assert_eq!(losses, Losses { chosen: 1.0, squared: 0.25 + 0.5625 + 0.0625 + 0.5 });
    }
}
