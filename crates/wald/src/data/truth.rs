//! What is true of the rows of a table.

use std::sync::Arc;

use crate::data::target::{Response, Target};

/// What is true of the rows, and how much they count. Copies share it, so that measures may keep
/// one while trees are still coming.
#[derive(Debug, Clone)]
pub(crate) struct Truth {
    pub(super) response: Arc<TrainingResponse>,
    /// Case weights in multiples of their unit.
    pub(super) weights: Option<Arc<[f64]>>,
    n_rows: usize,
}

/// The response of a training set.
#[derive(Debug)]
pub(crate) enum TrainingResponse {
    /// Numbers, and the same minus their mean, so that a large common offset costs no digits.
    Numbers { values: Vec<f64>, centred: Vec<f64>, mean: f64 },
    /// Class codes.
    Classes { codes: Vec<u32>, n_classes: usize },
}

impl Truth {
    /// Also returns what a weight of 1 stands for.
    pub(super) fn new(target: &Target, weights: Option<&[f64]>) -> (Self, f64) {
        // Only ratios of weights count. A power of two as their unit changes no digit, and keeps
        // their squares away from overflow and underflow.
        let weight_unit = power_of_two(weights.unwrap_or_default());
        let weights: Option<Vec<f64>> =
            weights.map(|weights| weights.iter().map(|weight| weight / weight_unit).collect());
        let response = match target.response() {
            Response::Regression(values) => {
                let mean = weighted_mean(values, weights.as_deref());
                let centred = values.iter().map(|value| value - mean).collect();
                TrainingResponse::Numbers { values: values.clone(), centred, mean }
            }
            Response::Classification(classes) => TrainingResponse::Classes {
                codes: classes.codes().to_vec(),
                n_classes: classes.levels().len(),
            },
        };
        let truth = Self {
            response: Arc::new(response),
            weights: weights.map(Arc::from),
            n_rows: target.len(),
        };
        (truth, weight_unit)
    }

    pub(crate) fn response(&self) -> &TrainingResponse {
        &self.response
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Case weight of a row, in units; the largest one is at least 1 and below 2.
    pub(crate) fn weight(&self, row: u32) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row as usize])
    }

    /// The class of a row; `None` for numbers.
    pub(crate) fn class(&self, row: u32) -> Option<usize> {
        match &*self.response {
            TrainingResponse::Numbers { .. } => None,
            TrainingResponse::Classes { codes, .. } => Some(codes[row as usize] as usize),
        }
    }

    /// 0 for numbers.
    pub(crate) fn n_classes(&self) -> usize {
        match *self.response {
            TrainingResponse::Numbers { .. } => 0,
            TrainingResponse::Classes { n_classes, .. } => n_classes,
        }
    }

    /// 1 for regression, the number of classes for classification.
    pub(crate) fn n_outputs(&self) -> usize {
        self.n_classes().max(1)
    }
}

/// The largest power of two that is not above the largest weight; 1 without weights.
fn power_of_two(weights: &[f64]) -> f64 {
    const EXPONENT: u64 = 0x7FF0_0000_0000_0000;
    let largest = weights.iter().copied().fold(0.0, f64::max);
    if largest > 0.0 { f64::from_bits(largest.to_bits() & EXPONENT) } else { 1.0 }
}

/// The weighted mean, summed with compensation (Neumaier) around the first value.
fn weighted_mean(values: &[f64], weights: Option<&[f64]>) -> f64 {
    let Some(&origin) = values.first() else {
        return 0.0;
    };
    let (mut sum, mut lost, mut total) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (row, value) in values.iter().enumerate() {
        let weight = weights.map_or(1.0, |weights| weights[row]);
        let term = weight * (value - origin);
        let next = sum + term;
        lost += if sum.abs() >= term.abs() { (sum - next) + term } else { (term - next) + sum };
        sum = next;
        total += weight;
    }
    origin + (sum + lost) / total
}
