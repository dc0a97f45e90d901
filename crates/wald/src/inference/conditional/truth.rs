//! What regressions predict, and how well they do in cross-validation.

use crate::data::{Dataset, Response};
use crate::inference::conditional::discriminant::Discriminant;

/// Smaller log-odds are taken for this.
const LEAST_LOG_ODDS: f64 = -30.0;

/// What is predicted, and the folds of its cross-validation.
pub(super) struct Truth<'a> {
    /// Row after row: numbers, or 1 for the class of the row and 0 for others.
    pub(super) outputs: Vec<f64>,
    pub(super) n_outputs: usize,
    /// The class of every row.
    pub(super) codes: Option<&'a [u32]>,
    pub(super) weights: Vec<f64>,
    pub(super) fold_of: &'a [u32],
    /// Of linear regression.
    pub(super) link: Link,
}

/// How terms of a row, of which the first one is 1, become its predictions.
pub(super) enum Model {
    /// Coefficients by output.
    Linear(Vec<Vec<f64>>, Link),
    Discriminant(Discriminant),
}

/// How predictions follow from sums of terms.
#[derive(Clone, Copy)]
pub(super) enum Link {
    /// They are these sums.
    Identity,
    /// Probabilities of classes: sums that are not negative, divided by their total.
    Shares,
    /// Probabilities of classes: those of log-odds, divided by their total.
    LogOdds,
}

/// What is learned, and the predictions of cross-validation with their squared error.
pub(super) struct Fit {
    pub(super) model: Model,
    pub(super) predictions: Vec<f64>,
    pub(super) error: f64,
}

impl<'a> Truth<'a> {
    pub(super) fn new(data: &'a Dataset, fold_of: &'a [u32]) -> Self {
        let outputs = outputs(data);
        let (codes, link) = match data.target().response() {
            Response::Classification(classes) => (Some(classes.codes()), Link::Shares),
            Response::Regression(_) | Response::Several(_) => (None, Link::Identity),
        };
        Self {
            n_outputs: outputs.len() / data.n_rows(),
            outputs,
            codes,
            weights: data.weights().map_or_else(|| vec![1.0; data.n_rows()], <[f64]>::to_vec),
            fold_of,
            link,
        }
    }

    pub(super) fn n_folds(&self) -> usize {
        self.fold_of.iter().max().map_or(0, |last| *last as usize + 1)
    }

    /// The outputs of a row.
    pub(super) fn of(&self, row: usize) -> &[f64] {
        &self.outputs[row * self.n_outputs..(row + 1) * self.n_outputs]
    }

    /// The predictions for every row with the model of its fold, and their squared error. `predict` gives those of a fold's
    /// model for terms.
    pub(super) fn predicted(
        &self,
        rows: &[f64],
        predict: impl Fn(usize, &[f64], &mut [f64]),
    ) -> (f64, Vec<f64>) {
        let mut predictions = vec![0.0; self.outputs.len()];
        let mut error = 0.0;
        let width = rows.len() / self.weights.len();
        let made = predictions.chunks_exact_mut(self.n_outputs);
        for ((row, terms), made) in rows.chunks_exact(width).enumerate().zip(made) {
            predict(self.fold_of[row] as usize, terms, made);
            let pairs = made.iter().zip(self.of(row));
            let squares = pairs.map(|(made, truth)| (made - truth).powi(2));
            error += self.weights[row] * squares.sum::<f64>();
        }
        (error, predictions)
    }
}

impl Model {
    /// Predictions of one row.
    pub(super) fn predict(&self, terms: &[f64], made: &mut [f64]) {
        match self {
            Self::Linear(coefficients, link) => predict(coefficients, terms, *link, made),
            Self::Discriminant(discriminant) => discriminant.predict(terms, made),
        }
    }
}

fn predict(coefficients: &[Vec<f64>], terms: &[f64], link: Link, made: &mut [f64]) {
    for (made, coefficients) in made.iter_mut().zip(coefficients) {
        let sum =
            coefficients.iter().zip(terms).map(|(coefficient, term)| coefficient * term).sum();
        *made = match link {
            Link::Identity => sum,
            Link::Shares => f64::max(sum, 0.0),
            Link::LogOdds => probability(sum),
        };
    }
    if !matches!(link, Link::Identity) {
        let sum: f64 = made.iter().sum();
        made.iter_mut().for_each(|share| *share /= sum);
    }
}

/// The numbers of the target, or 1 for the class of a row and 0 for others.
fn outputs(data: &Dataset) -> Vec<f64> {
    match data.target().response() {
        Response::Regression(values) => values.clone(),
        Response::Classification(classes) => {
            let n_classes = classes.levels().len() as u32;
            let of_row =
                |&code: &u32| (0..n_classes).map(move |at| f64::from(u8::from(at == code)));
            classes.codes().iter().flat_map(of_row).collect()
        }
        Response::Several(several) => several.values().to_vec(),
    }
}

/// The probability of log-odds. It is never so small that the sum over classes would be zero.
pub(super) fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds.max(LEAST_LOG_ODDS)).exp())
}
