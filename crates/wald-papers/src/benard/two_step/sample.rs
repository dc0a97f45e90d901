//! One set of runs: importances measured directly, and in two steps.

use wald::data::{ColumnData, Response, Target};
use wald::forest::Keep;
use wald::{Dataset, Error, Forest, ForestConfig, Measure, MeasureId, Run, Threads};
use wald_gp::FitSettings;
use wald_surrogate::{Model, Source, Way, forest_of_sample, sample};

use crate::benard::two_step::cells::Cell;
use crate::copula::{Draws, Truth};
use crate::study::{Study, explained};

/// Trees of the forest of the runs alone.
pub(super) const DIRECT_TREES: usize = 500;

/// Ways to estimate total Sobol indices.
pub(super) const WAYS: [&str; 4] = ["direct", "two-step", "copula", "GP+law"];

/// Draws from conditional laws, of the function and of the process.
const DRAWS: Draws = Draws { per_input: 2_000, per_set: 0 };

/// What one set of runs showed.
#[derive(Debug)]
pub(super) struct Sample {
    /// By way.
    pub(super) distances: [Distance; WAYS.len()],
    pub(super) explained: Explained,
    /// Whether the process is believed, rather than the forest of the runs.
    pub(super) is_believed: bool,
}

/// Shares of the variance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Explained {
    /// By the forest of the runs, of fresh rows.
    pub(super) forest: f64,
    /// By the process, of fresh rows.
    pub(super) process: f64,
    /// By the process, leaving out one run at a time.
    pub(super) leave_one_out: f64,
    /// By processes that were fitted without a tenth of the runs, of that.
    pub(super) cross_validated: f64,
}

/// How far estimates are from the truth, as shares of the variance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Distance {
    /// Over inputs.
    pub(super) mean: f64,
    /// Of the input with the largest error.
    pub(super) largest: f64,
}

impl Distance {
    pub(super) fn of(values: &[f64], truth: &[f64]) -> Self {
        let errors: Vec<f64> =
            values.iter().zip(truth).map(|(value, truth)| (value - truth).abs()).collect();
        let largest = errors.iter().copied().fold(0.0, f64::max);
        Self { mean: errors.iter().sum::<f64>() / errors.len() as f64, largest }
    }
}

impl Cell {
    /// Draws runs and measures them.
    pub(super) fn sample(&self, study: &Study, seed: u64) -> Result<Sample, Error> {
        let design = self.function.design();
        let truth = design.total_sobol;
        let run = &Run::on(Threads::ONE);
        let variance = design.variance / (1.0 - self.noise);
        let runs = design.with_noise(self.noise).draw(self.n_runs, seed, variance)?;
        // No set of runs has this seed.
        let fresh = design.world.draw(study.n_rows, !seed, design.variance)?;
        let config = |n_trees| ForestConfig { n_trees, seed, ..ForestConfig::default() };

        let (forest, direct) = grow(&runs, &config(DIRECT_TREES), Keep::Trees, run)?;
        let predicted = forest.map(|forest| forest.predict(fresh.features(), run)).transpose()?;
        let of_forest = predicted.map_or(f64::NAN, |predicted| share(&predicted, &fresh));

        let model = Model::fit(&runs, &FitSettings { seed, ..FitSettings::default() }, run)?;
        let judged = model.judge(Some(direct.explained), run)?;
        let mean = |point: &[f64]| model.process().mean(point);
        let means = rows(&fresh).map(|point| mean(&point)).collect::<Vec<f64>>();
        let of_process = share(&means, &fresh);
        let columns = fresh.features().columns().to_vec();
        let known = Dataset::new(columns, Target::regression("y", means)?)?;
        let estimated = sample(&model, &Source::Copula, study.n_rows, seed, run)?;
        let of_sample =
            forest_of_sample(&config(study.n_trees), runs.n_features(), runs.n_features());
        let (_, two_step) = grow(&known, &of_sample, Keep::Nothing, run)?;
        let (_, copula) = grow(&estimated, &of_sample, Keep::Nothing, run)?;
        let law = Truth::of_signal(&design.world, &mean, DRAWS).total_sobol;

        // What the forest of the runs estimates shares of contains the noise.
        let with_noise: Vec<f64> = truth.iter().map(|share| share * (1.0 - self.noise)).collect();
        Ok(Sample {
            distances: [
                Distance::of(&direct.values, &with_noise),
                Distance::of(&two_step.values, truth),
                Distance::of(&copula.values, truth),
                // The error of equal draws cancels.
                Distance::of(&law, &Truth::of(&design.world, DRAWS).total_sobol),
            ],
            explained: Explained {
                forest: of_forest,
                process: of_process,
                leave_one_out: judged.explained.leave_one_out,
                cross_validated: judged.explained.cross_validated,
            },
            is_believed: judged.verdict.believed == Way::TwoStep,
        })
    }
}

/// Importances, and the share of the variance that the forest explains out of bag.
pub(super) struct Measured {
    pub(super) values: Vec<f64>,
    explained: f64,
}

/// Grows a forest and measures it by the Sobol-MDA.
pub(super) fn grow(
    data: &Dataset,
    config: &ForestConfig,
    keep: Keep,
    run: &Run,
) -> Result<(Option<Forest>, Measured), Error> {
    let measures = [Measure::from(MeasureId::SobolMda)];
    let grown = Forest::grow_and_measure(data, config, &measures, keep, run)?;
    let explained = explained(grown.measured.errors.as_ref());
    let values = grown.measured.importances.into_iter().flat_map(|importance| importance.values);
    let values = values.map(|value| value.unwrap_or(f64::NAN)).collect();
    Ok((grown.forest, Measured { values, explained }))
}

/// The inputs, row by row.
fn rows(data: &Dataset) -> impl Iterator<Item = Vec<f64>> + '_ {
    let columns = data.features().columns();
    let value = |row: usize| {
        let of = columns.iter().filter_map(move |column| match column.data() {
            ColumnData::Numeric(values) => Some(values[row]),
            ColumnData::Categorical(_) => None,
        });
        of.collect()
    };
    (0..data.n_rows()).map(value)
}

fn outputs(data: &Dataset) -> &[f64] {
    match data.target().response() {
        Response::Regression(outputs) => outputs,
        Response::Classification(_) | Response::Several(_) => &[],
    }
}

/// The share of the variance of the target that predictions explain.
fn share(predicted: &[f64], data: &Dataset) -> f64 {
    let outputs = outputs(data);
    let mean = outputs.iter().sum::<f64>() / outputs.len() as f64;
    let around = |output: &f64| (output - mean).powi(2);
    let left = predicted.iter().zip(outputs).map(|(one, other)| (one - other).powi(2));
    1.0 - left.sum::<f64>() / outputs.iter().map(around).sum::<f64>()
}
