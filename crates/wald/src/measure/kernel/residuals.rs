//! What out-of-bag predictions miss.

use crate::data::{TrainingResponse, Truth};
use crate::pass::OutOfBag;

/// Out-of-bag predictions, and what they miss of the truth; zeros for rows without any.
#[derive(Debug)]
pub(crate) struct Residuals {
    n_outputs: usize,
    predictions: Vec<f64>,
    missed: Vec<f64>,
}

impl Residuals {
    pub(crate) fn new(truth: &Truth, out_of_bag: &OutOfBag) -> Self {
        let n_outputs = truth.n_outputs();
        let mut predictions = vec![0.0; truth.n_rows() * n_outputs];
        let mut missed = predictions.clone();
        let rows = predictions.chunks_exact_mut(n_outputs).zip(missed.chunks_exact_mut(n_outputs));
        for (row, (prediction, residual)) in rows.enumerate() {
            if !out_of_bag.predict_into(row, prediction) {
                continue;
            }
            match truth.response() {
                TrainingResponse::Numbers { values, .. } => {
                    residual[0] = values[row] - prediction[0];
                }
                TrainingResponse::Classes { codes, .. } => {
                    residual.iter_mut().zip(&*prediction).for_each(|(r, p)| *r = -p);
                    residual[codes[row] as usize] += 1.0;
                }
                TrainingResponse::Several(several) => {
                    let pairs = several.row(row).iter().zip(&*prediction);
                    residual.iter_mut().zip(pairs).for_each(|(r, (truth, p))| *r = truth - p);
                }
            }
        }
        Self { n_outputs, predictions, missed }
    }

    pub(crate) fn of(&self, row: u32) -> &[f64] {
        let start = row as usize * self.n_outputs;
        &self.missed[start..start + self.n_outputs]
    }

    pub(in crate::measure) fn prediction(&self, row: u32) -> &[f64] {
        let start = row as usize * self.n_outputs;
        &self.predictions[start..start + self.n_outputs]
    }
}
