//! What is true of the rows of a table.

use std::sync::Arc;

use crate::data::outputs::Outputs;
use crate::data::target::{Response, Target};

/// What is true of the rows, and how much they count. Copies share it, so that measures may keep
/// one while trees are still coming.
#[derive(Debug, Clone)]
pub(crate) struct Truth {
    pub(super) response: Arc<TrainingResponse>,
    /// Case weights in multiples of their unit.
    pub(super) weights: Option<Arc<[f64]>>,
    /// Codes of the clusters of rows that may depend on each other.
    clusters: Option<Arc<[u32]>>,
    n_rows: usize,
}

/// The response of a training set.
#[derive(Debug)]
pub(crate) enum TrainingResponse {
    /// Numbers, and the same minus their mean, so that a large common offset costs no digits.
    Numbers { values: Vec<f64>, centred: Vec<f64>, mean: f64 },
    /// Class codes.
    Classes { codes: Vec<u32>, n_classes: usize },
    /// The numbers of several targets.
    Several(SeveralNumbers),
}

/// Several numbers for every row, row after row.
#[derive(Debug)]
pub(crate) struct SeveralNumbers {
    pub(crate) values: Vec<f64>,
    /// The same minus the mean of the output; shared with what splits nodes.
    pub(crate) centred: Arc<[f64]>,
    /// Of every output.
    pub(crate) means: Arc<[f64]>,
    /// By which sums over outputs are divided.
    pub(crate) n_targets: usize,
}

impl SeveralNumbers {
    fn new(outputs: &Outputs, weights: Option<&[f64]>) -> Self {
        let n_outputs = outputs.n_outputs();
        let means: Vec<f64> = (0..n_outputs)
            .map(|output| weighted_mean(&outputs.output(output).collect::<Vec<_>>(), weights))
            .collect();
        let values = outputs.values().to_vec();
        let centred = values
            .chunks_exact(n_outputs)
            .flat_map(|row| row.iter().zip(&means).map(|(value, mean)| value - mean));
        Self {
            centred: centred.collect(),
            values,
            means: means.into(),
            n_targets: outputs.n_targets(),
        }
    }

    /// The numbers of a row.
    pub(crate) fn row(&self, row: usize) -> &[f64] {
        let n_outputs = self.means.len();
        &self.values[row * n_outputs..(row + 1) * n_outputs]
    }

    /// The numbers of a row, minus the means.
    pub(crate) fn centred_row(&self, row: u32) -> &[f64] {
        let n_outputs = self.means.len();
        &self.centred[row as usize * n_outputs..(row as usize + 1) * n_outputs]
    }
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
            Response::Several(outputs) => {
                TrainingResponse::Several(SeveralNumbers::new(outputs, weights.as_deref()))
            }
        };
        let truth = Self {
            response: Arc::new(response),
            weights: weights.map(Arc::from),
            clusters: None,
            n_rows: target.len(),
        };
        (truth, weight_unit)
    }

    /// The same of rows in clusters.
    pub(super) fn in_clusters(self, clusters: Option<&[u32]>) -> Self {
        Self { clusters: clusters.map(Arc::from), ..self }
    }

    /// Codes of the clusters of rows; `None` where all rows are independent.
    pub(crate) fn clusters(&self) -> Option<&[u32]> {
        self.clusters.as_deref()
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
            TrainingResponse::Numbers { .. } | TrainingResponse::Several(_) => None,
            TrainingResponse::Classes { codes, .. } => Some(codes[row as usize] as usize),
        }
    }

    /// 0 for numbers.
    pub(crate) fn n_classes(&self) -> usize {
        match *self.response {
            TrainingResponse::Numbers { .. } | TrainingResponse::Several(_) => 0,
            TrainingResponse::Classes { n_classes, .. } => n_classes,
        }
    }

    /// 1 for a number, else the number of classes or of outputs.
    pub(crate) fn n_outputs(&self) -> usize {
        match &*self.response {
            TrainingResponse::Numbers { .. } => 1,
            TrainingResponse::Classes { n_classes, .. } => *n_classes,
            TrainingResponse::Several(several) => several.means.len(),
        }
    }

    /// By which losses and impurities that are summed over outputs are divided: 1 unless there are
    /// several targets.
    pub(crate) fn n_targets(&self) -> usize {
        match &*self.response {
            TrainingResponse::Numbers { .. } | TrainingResponse::Classes { .. } => 1,
            TrainingResponse::Several(several) => several.n_targets,
        }
    }
}

/// The largest power of two that is not above the largest weight; 1 without weights.
fn power_of_two(weights: &[f64]) -> f64 {
    const EXPONENT: u64 = 0x7FF0_0000_0000_0000;
    let largest = weights.iter().copied().fold(0.0, f64::max);
    if largest > 0.0 { f64::from_bits(largest.to_bits() & EXPONENT) } else { 1.0 }
}

/// The weighted mean, summed with compensation (Neumaier) around the first value that weighs anything.
fn weighted_mean(values: &[f64], weights: Option<&[f64]>) -> f64 {
    let first = weights.and_then(|weights| weights.iter().position(|weight| *weight > 0.0));
    let Some(&origin) = values.get(first.unwrap_or(0)) else {
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
