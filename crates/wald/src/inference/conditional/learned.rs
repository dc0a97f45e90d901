//! What is learned of a column from others: a forest, corrected by its out-of-bag predictions.
//!
//! Forests predict too far from the mean where there is little to predict, and not far enough where few of
//! their trees find what there is. Both are corrected by the least-squares line of the truth on
//! out-of-bag predictions; of classes, one slope from 0 to 1 for all keeps probabilities.

use std::sync::Arc;

use crate::data::{Column, Dataset, Features, Response, Target};
use crate::error::Error;
use crate::fitted::Fitted;
use crate::forest::{ClassWeight, Forest, ForestConfig, Trends};
use crate::random::Stream;
use crate::run::Run;

/// All columns compete at a node if there are no more than these, so that a column that follows one of them
/// closely is found at every node; forests on wide tables would be slow by all.
const TRIED: usize = 100;

/// Logarithms are taken of absolute residuals of at least this share of their mean.
const LEAST_RESIDUAL: f64 = 1e-3;

/// The fewest absolute residuals in a leaf.
const LEAST_SIZES: usize = 10;

/// Predictions for any rows.
pub(super) enum Predictor {
    /// The same for all rows.
    Mean(Vec<f64>),
    /// Those of a forest, corrected.
    Forest(Arc<Forest>, Correction),
}

/// A line through the means of the truth and of predictions.
pub(super) struct Correction {
    truth: Vec<f64>,
    predicted: Vec<f64>,
    slope: f64,
}

/// How forests are grown.
#[derive(Clone, Copy)]
pub(super) struct Learner<'a> {
    pub(super) forest: &'a ForestConfig,
    pub(super) run: &'a Run,
}

/// Out-of-bag predictions, corrected; of rows that have one.
type OutOfBagPredictions = Vec<Option<Vec<f64>>>;

impl Learner<'_> {
    /// Learns to predict the target of `data`.
    pub(super) fn learn(
        self,
        data: Dataset,
        stream: &mut Stream,
    ) -> Result<(Predictor, OutOfBagPredictions), Error> {
        let config = self.forest.out_of_bag(self.forest.n_trees);
        let config = ForestConfig {
            // What is about the response may not exist for another one, not hold, or have other units.
            impurity: None,
            stratify: false,
            class_weight: ClassWeight::Equal,
            monotonic: Trends::default(),
            min_impurity_decrease: 0.0,
            ccp_alpha: 0.0,
            ..config.on_columns(data.features(), stream.word())
        };
        let settings = config.resolve(&data)?;
        let mtry = settings.mtry.max(settings.subspace.min(TRIED));
        let config = ForestConfig { mtry: Some(mtry), ..config };
        let (fitted, measured) = Fitted::grow(data, &config, &[], self.run)?;
        let data = fitted.data();
        let mut predictions: OutOfBagPredictions =
            (0..data.n_rows()).map(|row| measured.out_of_bag.prediction(row)).collect();
        let correction = Correction::new(data, &predictions);
        predictions.iter_mut().flatten().for_each(|made| correction.apply(made));
        Ok((Predictor::Forest(Arc::clone(fitted.forest()), correction), predictions))
    }

    /// Learns the logarithm of the absolute residuals of out-of-bag predictions of numbers; `None` where all are
    /// zero, or predictions were made for fewer than two rows.
    pub(super) fn learn_spread(
        self,
        data: &Dataset,
        predictions: &[Option<Vec<f64>>],
        stream: &mut Stream,
    ) -> Result<Option<Predictor>, Error> {
        let Response::Regression(truth) = data.target().response() else { return Ok(None) };
        let made = predictions.iter().zip(truth).zip(0_u32..);
        let (rows, sizes): (Vec<u32>, Vec<f64>) = made
            .filter_map(|((made, truth), row)| Some((row, (truth - made.as_ref()?[0]).abs())))
            .unzip();
        let least = LEAST_RESIDUAL * sizes.iter().sum::<f64>() / sizes.len() as f64;
        if sizes.len() < 2 || !least.is_normal() {
            return Ok(None);
        }
        let logarithms = sizes.iter().map(|size| size.max(least).ln()).collect();
        let target = Target::regression(data.target().name(), logarithms)?;
        let data = data.select(&rows)?;
        let columns = data.features().columns().to_vec();
        // A single residual shows little of the spread.
        let min_leaf_size = self.forest.min_leaf_size.max(LEAST_SIZES);
        let forest = &ForestConfig { min_leaf_size, ..self.forest.clone() };
        let here = Learner { forest, ..self };
        Ok(Some(here.learn(data.with_content(columns, target)?, stream)?.0))
    }
}

impl Correction {
    fn new(data: &Dataset, predictions: &[Option<Vec<f64>>]) -> Self {
        let (target, n_outputs) = (data.target(), data.target().n_outputs());
        let weight = |row: usize| data.weights().map_or(1.0, |weights| weights[row]);
        let truth = |row: usize, output: usize| match target.response() {
            Response::Classification(classes) => {
                f64::from(u8::from(classes.codes()[row] as usize == output))
            }
            Response::Regression(values) => values[row],
            Response::Several(outputs) => outputs.row(row)[output],
        };
        let made = || {
            let rows = predictions.iter().enumerate();
            rows.filter_map(|(row, made)| made.as_ref().map(|made| (row, made)))
        };
        let whole: f64 = made().map(|(row, _)| weight(row)).sum();
        let mean = |value: &dyn Fn(usize, &[f64], usize) -> f64| -> Vec<f64> {
            let sum = |output| {
                made().map(|(row, made)| weight(row) * value(row, made, output)).sum::<f64>()
            };
            (0..n_outputs).map(|output| sum(output) / whole).collect()
        };
        let truths = mean(&|row, _, output| truth(row, output));
        let predicted = mean(&|_, made, output| made[output]);
        let (mut together, mut alone) = (0.0, 0.0);
        for (row, made) in made() {
            for output in 0..n_outputs {
                let deviation = made[output] - predicted[output];
                together += weight(row) * deviation * (truth(row, output) - truths[output]);
                alone += weight(row) * deviation * deviation;
            }
        }
        let slope = together / alone;
        let slope = match target.response() {
            // Without out-of-bag predictions that differ, there is nothing to correct by.
            _ if !slope.is_finite() => return Self::none(n_outputs),
            Response::Classification(_) => slope.clamp(0.0, 1.0),
            Response::Regression(_) | Response::Several(_) => slope.max(0.0),
        };
        Self { truth: truths, predicted, slope }
    }

    fn none(n_outputs: usize) -> Self {
        let zeros = vec![0.0; n_outputs];
        Self { truth: zeros.clone(), predicted: zeros, slope: 1.0 }
    }

    fn apply(&self, prediction: &mut [f64]) {
        for ((value, truth), predicted) in
            prediction.iter_mut().zip(&self.truth).zip(&self.predicted)
        {
            *value = truth + self.slope * (*value - predicted);
        }
    }
}

impl Predictor {
    pub(super) fn predict(&self, columns: &[Column], run: &Run) -> Result<Vec<f64>, Error> {
        match self {
            Self::Mean(mean) => {
                let n_rows = columns.first().map_or(0, Column::len);
                Ok(std::iter::repeat_n(mean.as_slice(), n_rows).flatten().copied().collect())
            }
            Self::Forest(forest, correction) => {
                let mut predictions = forest.predict(&Features::new(columns.to_vec())?, run)?;
                let n_outputs = correction.truth.len();
                predictions.chunks_exact_mut(n_outputs).for_each(|made| correction.apply(made));
                Ok(predictions)
            }
        }
    }
}
