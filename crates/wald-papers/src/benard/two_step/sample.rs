//! One set of runs: importances measured directly, and in two steps.

use wald::data::{ColumnData, Response, Target};
use wald::forest::Keep;
use wald::{Dataset, Error, Forest, ForestConfig, Measure, MeasureId, Run, Threads};
use wald_gp::{Design, FitSettings, GaussianProcess, Judgement, fit};

use crate::benard::two_step::cells::Cell;
use crate::study::Study;

/// Trees of the forest of the runs alone.
pub(super) const DIRECT_TREES: usize = 500;

/// Ways to estimate total Sobol indices.
pub(super) const WAYS: [&str; 2] = ["direct", "two-step"];

/// What one set of runs showed.
#[derive(Debug)]
pub(super) struct Sample {
    /// By way.
    pub(super) distances: [Distance; WAYS.len()],
    /// Of the forest of the runs, on fresh rows.
    pub(super) q2_forest: f64,
    /// Of the process, on fresh rows.
    pub(super) q2_process: f64,
    /// Of the process, leaving out one run at a time.
    pub(super) q2_left_out: f64,
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
    fn of(values: &[f64], truth: impl Iterator<Item = f64>) -> Self {
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
        let truth = || design.total_sobol.iter().copied();
        let run = &Run::on(Threads::ONE);
        let variance = design.variance / (1.0 - self.noise);
        let runs = design.with_noise(self.noise).draw(self.n_runs, seed, variance)?;
        // No set of runs has this seed.
        let fresh = design.world.draw(study.n_rows, !seed, design.variance)?;
        let config = |n_trees| ForestConfig { n_trees, seed, ..ForestConfig::default() };

        let (forest, direct) = grow(&runs, &config(DIRECT_TREES), Keep::Trees, run)?;
        let predicted = forest.map(|forest| forest.predict(fresh.features(), run)).transpose()?;
        let q2_forest = predicted.map_or(f64::NAN, |predicted| q2(&predicted, outputs(&fresh)));

        let process = fit(&Design::new(&columns(&runs), outputs(&runs))?, &FitSettings::default())?;
        let means = means(&process, &columns(&fresh));
        let q2_process = q2(&means, outputs(&fresh));
        let large =
            Dataset::new(fresh.features().columns().to_vec(), Target::regression("y", means)?)?;
        let (_, two_step) = grow(&large, &config(study.n_trees), Keep::Nothing, run)?;

        Ok(Sample {
            distances: [
                // The forest of the runs explains noise as well as what it estimates shares of.
                Distance::of(&direct, truth().map(|share| share * (1.0 - self.noise))),
                Distance::of(&two_step, truth()),
            ],
            q2_forest,
            q2_process,
            q2_left_out: Judgement::from(&process.leave_one_out()).q2,
        })
    }
}

/// Grows a forest and returns it with its Sobol-MDA.
fn grow(
    data: &Dataset,
    config: &ForestConfig,
    keep: Keep,
    run: &Run,
) -> Result<(Option<Forest>, Vec<f64>), Error> {
    let measures = [Measure::from(MeasureId::SobolMda)];
    let grown = Forest::grow_and_measure(data, config, &measures, keep, run)?;
    let values = grown.measured.importances.into_iter().flat_map(|importance| importance.values);
    Ok((grown.forest, values.map(|value| value.unwrap_or(f64::NAN)).collect()))
}

fn columns(data: &Dataset) -> Vec<Vec<f64>> {
    let values = data.features().columns().iter().map(|column| match column.data() {
        ColumnData::Numeric(values) => values.to_vec(),
        ColumnData::Categorical(_) => Vec::new(),
    });
    values.collect()
}

fn outputs(data: &Dataset) -> &[f64] {
    match data.target().response() {
        Response::Regression(outputs) => outputs,
        Response::Classification(_) => &[],
    }
}

fn means(process: &GaussianProcess, columns: &[Vec<f64>]) -> Vec<f64> {
    let of_row =
        |row: usize| process.mean(&columns.iter().map(|column| column[row]).collect::<Vec<f64>>());
    (0..columns[0].len()).map(of_row).collect()
}

/// The share of the variance of outputs that predictions explain.
fn q2(predicted: &[f64], outputs: &[f64]) -> f64 {
    let mean = outputs.iter().sum::<f64>() / outputs.len() as f64;
    let around = |output: &f64| (output - mean).powi(2);
    let left = predicted.iter().zip(outputs).map(|(one, other)| (one - other).powi(2));
    1.0 - left.sum::<f64>() / outputs.iter().map(around).sum::<f64>()
}
