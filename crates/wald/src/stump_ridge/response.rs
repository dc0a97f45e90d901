//! What is regressed.

use crate::data::{Training, TrainingResponse};
use crate::stump_ridge::design::Design;

/// The responses whose regressions differ, by row of the design and with mean 0: the number, or the
/// indicators of the classes, of which two are each other's mirror image.
pub(crate) fn responses(training: &Training, design: &Design) -> Vec<Vec<f64>> {
    let total: f64 = design.weights.iter().sum();
    let centred = |value: &dyn Fn(u32) -> f64| {
        let values: Vec<f64> = design.rows.iter().map(|&row| value(row)).collect();
        let weighted = values.iter().zip(&design.weights).map(|(value, weight)| value * weight);
        let mean = weighted.sum::<f64>() / total;
        values.into_iter().map(|value| value - mean).collect()
    };
    match training.response() {
        TrainingResponse::Numbers { centred: values, .. } => {
            vec![centred(&|row| values[row as usize])]
        }
        TrainingResponse::Classes { n_classes, .. } => {
            let n_different = if *n_classes == 2 { 1 } else { *n_classes };
            let indicator = |class| centred(&|row| training.response_at(row, class));
            (0..n_different).map(indicator).collect()
        }
        TrainingResponse::Several(several) => {
            let output = |at: usize| centred(&|row| several.centred_row(row)[at]);
            (0..several.means.len()).map(output).collect()
        }
    }
}
