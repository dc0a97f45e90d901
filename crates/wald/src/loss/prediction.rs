//! The loss of a forest's predictions.

use crate::data::{Response, TrainingResponse};
use crate::forest::argmax;
use crate::loss::kind::Loss;

/// Probabilities are kept away from 0 by this much before their logarithm is taken.
const CLIP: f64 = 1e-15;

/// The loss of predicting `prediction` for a row: a number, proportions of classes, or the numbers of
/// several targets, over which losses are averaged. The area
/// under the curve is no mean over rows; its rows have none.
pub(crate) fn prediction_loss(
    loss: Loss,
    response: &TrainingResponse,
    row: usize,
    prediction: &[f64],
) -> f64 {
    match response {
        TrainingResponse::Numbers { values, .. } => loss_of_number(loss, values[row], prediction),
        TrainingResponse::Classes { codes, .. } => loss_of_class(loss, codes[row], prediction),
        TrainingResponse::Several(several) => {
            loss_of_several(loss, several.row(row), several.n_targets, prediction)
        }
    }
}

/// The same of rows that no forest was grown on.
pub(crate) fn unseen_loss(loss: Loss, response: &Response, row: usize, prediction: &[f64]) -> f64 {
    match response {
        Response::Regression(values) => loss_of_number(loss, values[row], prediction),
        Response::Classification(classes) => loss_of_class(loss, classes.codes()[row], prediction),
        Response::Several(outputs) => {
            loss_of_several(loss, outputs.row(row), outputs.n_targets(), prediction)
        }
    }
}

/// The response of a row in an output, from which the squared loss counts: a number, or for classes one
/// for the row's own and zero for the others.
pub(crate) fn response_in(response: &TrainingResponse, row: usize, output: usize) -> f64 {
    match response {
        TrainingResponse::Numbers { values, .. } => values[row],
        TrainingResponse::Classes { codes, .. } => is_class(codes[row], output),
        TrainingResponse::Several(several) => several.row(row)[output],
    }
}

/// The same of rows that no forest was grown on.
pub(crate) fn unseen_response_in(response: &Response, row: usize, output: usize) -> f64 {
    match response {
        Response::Regression(values) => values[row],
        Response::Classification(classes) => is_class(classes.codes()[row], output),
        Response::Several(outputs) => outputs.row(row)[output],
    }
}

fn is_class(truth: u32, class: usize) -> f64 {
    f64::from(u8::from(class == truth as usize))
}

fn loss_of_number(loss: Loss, truth: f64, prediction: &[f64]) -> f64 {
    let error = truth - prediction[0];
    if loss == Loss::Absolute { error.abs() } else { error * error }
}

fn loss_of_several(loss: Loss, truth: &[f64], n_targets: usize, prediction: &[f64]) -> f64 {
    let each = truth.iter().zip(prediction);
    let sum: f64 = each.map(|(truth, value)| loss_of_number(loss, *truth, &[*value])).sum();
    sum / n_targets as f64
}

fn loss_of_class(loss: Loss, truth: u32, shares: &[f64]) -> f64 {
    match loss {
        Loss::Squared | Loss::Absolute => {
            let squares = shares
                .iter()
                .enumerate()
                .map(|(class, share)| (is_class(truth, class) - share).powi(2));
            squares.sum()
        }
        Loss::ZeroOne | Loss::ZeroOneVote => f64::from(u8::from(argmax(shares) != truth as usize)),
        Loss::Log => -shares[truth as usize].max(CLIP).ln(),
        Loss::Auc => 0.0,
    }
}
