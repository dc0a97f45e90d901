//! The loss of a forest's predictions.

use crate::data::TrainingResponse;
use crate::forest::argmax;
use crate::measure::Loss;

/// Probabilities are kept away from 0 by this much before their logarithm is taken.
const CLIP: f64 = 1e-15;

/// The loss of predicting `prediction` for a row: a number, or proportions of classes. The area
/// under the curve is no mean over rows; its rows have none.
pub(crate) fn prediction_loss(
    loss: Loss,
    response: &TrainingResponse,
    row: usize,
    prediction: &[f64],
) -> f64 {
    match response {
        TrainingResponse::Numbers { values, .. } => {
            let error = values[row] - prediction[0];
            if loss == Loss::Absolute { error.abs() } else { error * error }
        }
        TrainingResponse::Classes { codes, .. } => {
            let truth = codes[row] as usize;
            match loss {
                Loss::Squared | Loss::Absolute => {
                    let squares = prediction.iter().enumerate().map(|(class, share)| {
                        (f64::from(u8::from(class == truth)) - share).powi(2)
                    });
                    squares.sum()
                }
                Loss::ZeroOne | Loss::ZeroOneVote => {
                    f64::from(u8::from(argmax(prediction) != truth))
                }
                Loss::Log => -prediction[truth].max(CLIP).ln(),
                Loss::Auc => 0.0,
            }
        }
    }
}
