//! What held-out rows lose without a variable.

use crate::data::{Column, Dataset, Features, Response, Target};
use crate::error::Error;
use crate::forest::{Forest, ForestConfig};
use crate::inference::conditional::config::{ConditionalConfig, ConditionalMethod};
use crate::inference::conditional::learned::Predictor;
use crate::inference::conditional::sampler::Sampler;
use crate::loss::{Loss, unseen_loss};
use crate::random::{Purpose, Stream};
use crate::run::Run;

/// The rows of every fold, and how forests are grown and judged.
pub(super) struct Losses<'a> {
    data: &'a Dataset,
    config: &'a ConditionalConfig,
    /// Rows that are held out and rows that forests are grown on, by fold.
    folds: Vec<[Vec<u32>; 2]>,
}

/// The forests on all variables.
pub(super) struct Full {
    /// One per fold.
    forests: Vec<Forest>,
    /// One per row.
    losses: Vec<f64>,
    /// Of held-out rows, row after row.
    predictions: Vec<f64>,
}

/// What names the random numbers of forests.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// A forest on all variables.
    All,
    /// Forests without a variable.
    Without(usize),
}

impl Full {
    pub(super) fn losses(&self) -> &[f64] {
        &self.losses
    }

    /// The prediction for a row by the forest that has not seen it.
    pub(super) fn prediction(&self, row: usize) -> &[f64] {
        let n_outputs = self.predictions.len() / self.losses.len();
        &self.predictions[row * n_outputs..(row + 1) * n_outputs]
    }

    /// Whether any tree has a split.
    pub(super) fn has_splits(&self) -> bool {
        self.forests.iter().any(Forest::has_splits)
    }
}

impl<'a> Losses<'a> {
    /// `part_of` has the part of every row; see [`ConditionalConfig::n_parts`].
    pub(super) fn new(data: &'a Dataset, config: &'a ConditionalConfig, part_of: &[u32]) -> Self {
        let in_fold = config.n_parts() / config.folds;
        let rows_of = |fold: usize| -> (Vec<u32>, Vec<u32>) {
            let is_held_out = |&row: &u32| part_of[row as usize] as usize / in_fold == fold;
            (0..data.n_rows() as u32).partition(is_held_out)
        };
        let folds = (0..config.folds).map(rows_of).map(|(held_out, rest)| [held_out, rest]);
        Self { data, config, folds: folds.collect() }
    }

    pub(super) fn held_out(&self, fold: usize) -> &[u32] {
        &self.folds[fold][0]
    }

    /// Forests on all variables, and the squared errors of held-out rows.
    pub(super) fn full(&self, run: &Run) -> Result<Full, Error> {
        let (n_rows, n_outputs) = (self.data.n_rows(), self.data.target().n_outputs());
        let (losses, predictions) = (vec![0.0; n_rows], vec![0.0; n_rows * n_outputs]);
        let mut full = Full { forests: Vec::new(), losses, predictions };
        for (fold, [held_out, rest]) in self.folds.iter().enumerate() {
            let training = self.training(rest)?;
            let config = ForestConfig {
                seed: self.stream(fold, Step::All).word(),
                ..self.config.forest.clone()
            };
            let part = &run.part();
            let forest = Forest::grow(&training, &config, part)?;
            let predictions = forest.predict(&self.features(held_out)?, part)?;
            for (&row, loss) in held_out.iter().zip(self.losses(held_out, &predictions)) {
                full.losses[row as usize] = loss;
            }
            for (&row, prediction) in held_out.iter().zip(predictions.chunks_exact(n_outputs)) {
                let start = row as usize * n_outputs;
                full.predictions[start..start + n_outputs].copy_from_slice(prediction);
            }
            full.forests.push(forest);
            run.progress.advance();
        }
        Ok(full)
    }

    /// The squared errors of the held-out rows of a fold without a variable; with drawn values as if the draws
    /// were independent, although those of few rows share residuals.
    pub(super) fn without(
        &self,
        full: &Full,
        fold: usize,
        variable: usize,
        run: &Run,
    ) -> Result<Vec<f64>, Error> {
        let [held_out, rest] = &self.folds[fold];
        let training = self.training(rest)?;
        let stream = self.stream(fold, Step::Without(variable));
        match self.config.method {
            ConditionalMethod::SobolCpi { draws } => {
                let forest = &self.config.forest;
                let known = &self.data.select(held_out)?;
                let sampler = Sampler { training: &training, held_out: known, forest, stream, run };
                let members = &self.data.groups().members()[variable];
                let (drawn, repeated) = sampler.draw(members, draws)?;
                let mut predictions = vec![0.0; held_out.len() * self.data.target().n_outputs()];
                mean_prediction(&full.forests[fold], &drawn, run, &mut predictions)?;
                let all = held_out.iter().map(|&row| full.losses[row as usize]);
                let losses = self.losses(held_out, &predictions);
                let pairs = losses.into_iter().zip(all).zip(repeated);
                let independent = 1.0 + 1.0 / draws as f64;
                // The mean of draws that share residuals varies more.
                let scaled = |((loss, all), repeated): ((f64, f64), f64)| {
                    let factor = independent + (1.0 - 1.0 / draws as f64) * repeated;
                    all + independent / factor * (loss - all)
                };
                Ok(pairs.map(scaled).collect())
            }
            ConditionalMethod::Loco => {
                let features = self.features(held_out)?;
                let predictions =
                    self.predict_by_others(training, variable, &features, stream, run)?;
                Ok(self.losses(held_out, &predictions))
            }
        }
    }

    /// Predictions of a forest on a table where the values of a variable are shuffled among the rows. A forest
    /// without its columns would have fewer ones to try at a node and more similar trees, and would predict
    /// worse where they add nothing, which would be taken for a loss.
    fn predict_by_others(
        &self,
        training: Dataset,
        variable: usize,
        features: &Features,
        mut stream: Stream,
        run: &Run,
    ) -> Result<Vec<f64>, Error> {
        if self.data.groups().n_groups() == 1 {
            let mean = mean_response(training.target(), training.weights());
            return Predictor::Mean(mean).predict(features.columns(), run);
        }
        let config = ForestConfig { seed: stream.word(), ..self.config.forest.clone() };
        let members = &self.data.groups().members()[variable];
        let mut shuffled = |features: &Features| {
            let mut order: Vec<u32> = (0..features.n_rows() as u32).collect();
            stream.shuffle(&mut order);
            let mut columns = features.columns().to_vec();
            for &member in members {
                let column = &mut columns[member as usize];
                *column = column.select(&order);
            }
            Features::new(columns)
        };
        let (columns, features) = (shuffled(training.features())?, shuffled(features)?);
        let target = training.target().clone();
        let training = training.with_content(columns.columns().to_vec(), target)?;
        Forest::grow(&training, &config, run)?.predict(&features, run)
    }

    fn training(&self, rows: &[u32]) -> Result<Dataset, Error> {
        self.data.select(rows).map_err(|_| {
            Error::data(
                "outside of one of the folds, all weights are zero",
                "use fewer folds, or leave out rows of weight zero",
            )
        })
    }

    fn features(&self, rows: &[u32]) -> Result<Features, Error> {
        let columns = self.data.features().columns().iter();
        Features::new(columns.map(|column: &Column| column.select(rows)).collect())
    }

    fn losses(&self, rows: &[u32], predictions: &[f64]) -> Vec<f64> {
        let target: &Target = self.data.target();
        let predictions = predictions.chunks_exact(target.n_outputs());
        let loss = |(&row, prediction): (&u32, &[f64])| {
            unseen_loss(Loss::Squared, target.response(), row as usize, prediction)
        };
        rows.iter().zip(predictions).map(loss).collect()
    }

    fn stream(&self, fold: usize, step: Step) -> Stream {
        let (variable, step) = match step {
            Step::All => (0, 0),
            Step::Without(variable) => (variable, 1),
        };
        let purpose = Purpose::Conditional { fold: fold as u32, step };
        Stream::new(self.config.forest.seed, variable, purpose)
    }
}

/// The mean of the predictions for several tables.
fn mean_prediction(
    forest: &Forest,
    tables: &[Features],
    run: &Run,
    mean: &mut [f64],
) -> Result<(), Error> {
    // Deviations from the first ones, so that the mean of equal predictions is one of them.
    let mut first = Vec::new();
    for table in tables {
        let predictions = forest.predict(table, run)?;
        if first.is_empty() {
            first = predictions;
            continue;
        }
        let pairs = predictions.iter().zip(&first);
        mean.iter_mut().zip(pairs).for_each(|(sum, (one, first))| *sum += one - first);
    }
    let n = tables.len() as f64;
    mean.iter_mut().zip(&first).for_each(|(sum, first)| *sum = first + *sum / n);
    Ok(())
}

/// The mean response, by case weights: a number, or the shares of the classes.
pub(super) fn mean_response(target: &Target, weights: Option<&[f64]>) -> Vec<f64> {
    let mut mean = vec![0.0; target.n_outputs()];
    let mut whole = 0.0;
    for row in 0..target.len() {
        let weight = weights.map_or(1.0, |weights| weights[row]);
        whole += weight;
        match target.response() {
            Response::Regression(values) => mean[0] += weight * values[row],
            Response::Classification(classes) => mean[classes.codes()[row] as usize] += weight,
            Response::Several(outputs) => {
                mean.iter_mut()
                    .zip(outputs.row(row))
                    .for_each(|(sum, value)| *sum += weight * value);
            }
        }
    }
    mean.iter_mut().for_each(|sum| *sum /= whole);
    mean
}
