//! What is learned of a column from others: a forest and a smooth additive regression, stacked.
//!
//! Forests predict too far from the mean where there is little to predict, and not far enough where few of
//! their trees find what there is; of few rows they know lines and curves badly, which the regression
//! ([`Trend`]) knows. Their predictions are combined by the least-squares line of the truth on predictions
//! for rows that were left out, with slopes that are not negative (stacked regressions, Breiman 1996). Of
//! classes, the learner whose probabilities vary most with the truth is taken.

use std::sync::Arc;

use crate::data::{Column, Dataset, Features, Response, Target};
use crate::error::Error;
use crate::fitted::Fitted;
use crate::forest::{ClassWeight, Forest, ForestConfig, Trends};
use crate::inference::conditional::stack::Stack;
use crate::inference::conditional::trend::Trend;
use crate::random::Stream;
use crate::run::Run;

/// All columns compete at a node if there are no more than these, so that a column that follows one of them
/// closely is found at every node; forests on wide tables would be slow by all.
const TRIED: usize = 100;

/// Logarithms are taken of absolute residuals of at least this share of their mean.
const LEAST_RESIDUAL: f64 = 1e-3;

/// The fewest absolute residuals in a leaf.
const LEAST_SIZES: usize = 10;

/// The fewest rows in a leaf that shows probabilities.
const LEAST_LEVELS: usize = 5;

/// Predictions for any rows.
pub(super) enum Predictor {
    /// The same for all rows.
    Mean(Vec<f64>),
    /// Those of a forest and of a trend, where there is one, combined.
    Stacked(Arc<Forest>, Option<Box<Trend>>, Stack),
}

/// How forests are grown.
#[derive(Clone, Copy)]
pub(super) struct Learner<'a> {
    pub(super) forest: &'a ForestConfig,
    pub(super) run: &'a Run,
}

/// Predictions for rows that were left out, combined; of rows that have an out-of-bag one.
type OutOfBagPredictions = Vec<Option<Vec<f64>>>;

impl Learner<'_> {
    /// Learns to predict the target of `data`.
    pub(super) fn learn(
        self,
        data: Dataset,
        stream: &mut Stream,
    ) -> Result<(Predictor, OutOfBagPredictions), Error> {
        let config = self.forest.out_of_bag(self.forest.n_trees);
        let least = match data.target().response() {
            Response::Classification(_) => LEAST_LEVELS,
            Response::Regression(_) | Response::Several(_) => 1,
        };
        let config = ForestConfig {
            // What is about the response may not exist for another one, not hold, or have other units.
            impurity: None,
            stratify: false,
            class_weight: ClassWeight::Equal,
            monotonic: Trends::default(),
            min_impurity_decrease: 0.0,
            ccp_alpha: 0.0,
            min_leaf_size: config.min_leaf_size.max(least),
            ..config.on_columns(data.features(), stream.word())
        };
        let settings = config.resolve(&data)?;
        let mtry = settings.mtry.max(settings.subspace.min(TRIED));
        let config = ForestConfig { mtry: Some(mtry), ..config };
        let (fitted, measured) = Fitted::grow(data, &config, &[], self.run)?;
        let data = fitted.data();
        let n_outputs = data.target().n_outputs();
        let (trend, of_trend) = Trend::learn(data, stream).unzip();
        let of_trend = of_trend.unwrap_or_else(|| vec![0.0; data.n_rows() * n_outputs]);
        let mut of_forest = vec![0.0; of_trend.len()];
        let mut made = Vec::with_capacity(data.n_rows());
        for row in 0..data.n_rows() {
            if let Some(prediction) = measured.out_of_bag.prediction(row) {
                of_forest[row * n_outputs..(row + 1) * n_outputs].copy_from_slice(&prediction);
                made.push(row);
            }
        }
        let stack = Stack::new(data, &made, [&of_forest, &of_trend]);
        let combined = stack.apply([&of_forest, &of_trend]);
        let mut predictions: OutOfBagPredictions = vec![None; data.n_rows()];
        for row in made {
            predictions[row] = Some(combined[row * n_outputs..(row + 1) * n_outputs].to_vec());
        }
        let trend = trend.map(Box::new);
        Ok((Predictor::Stacked(Arc::clone(fitted.forest()), trend, stack), predictions))
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

impl Predictor {
    pub(super) fn predict(&self, columns: &[Column], run: &Run) -> Result<Vec<f64>, Error> {
        match self {
            Self::Mean(mean) => {
                let n_rows = columns.first().map_or(0, Column::len);
                Ok(std::iter::repeat_n(mean.as_slice(), n_rows).flatten().copied().collect())
            }
            Self::Stacked(forest, trend, stack) => {
                let of_forest = forest.predict(&Features::new(columns.to_vec())?, run)?;
                let of_trend = trend.as_ref().map(|trend| trend.predict(columns));
                let of_trend = of_trend.unwrap_or_else(|| vec![0.0; of_forest.len()]);
                Ok(stack.apply([&of_forest, &of_trend]))
            }
        }
    }
}
