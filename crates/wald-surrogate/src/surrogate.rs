//! From runs to importances: process, sample, forest.

use std::sync::Arc;

use serde::Serialize;
use wald::data::{Groups, Target};
use wald::forest::Keep;
use wald::inference::{Confidence, Interval};
use wald::pass::{Errors as Losses, Measured};
use wald::work::{Purpose, Stream};
use wald::{Dataset, Error, Features, ForestConfig, Importance, Measure, MeasureId, Run};
use wald_gp::FitSettings;

use crate::errors::{Errors, of_process, of_rows};
use crate::exact::{Exact, Seeded, exact};
use crate::folds::Fold;
use crate::inputs::Rows;
use crate::model::Model;
use crate::purpose::Draws;
use crate::settings::Settings;
use crate::source::{Sample, Source, SourceKind};
use crate::spacing::are_too_even;
use crate::verdict::Judged;

/// Parts of the sample that show the error of its rows.
const PARTS: usize = 4;

/// Rows and trees of the forests of functions that show the error of the process.
const ROWS_OF_A_FUNCTION: usize = 3000;
const TREES_OF_A_FUNCTION: usize = 100;

/// Importances of a forest of runs, beside those of a sample of the process fitted to them.
#[derive(Debug)]
pub struct Surrogate {
    /// The process.
    pub model: Model,
    /// How far it is to be believed.
    pub judged: Judged,
    /// Where inputs of the sample come from.
    pub source: SourceKind,
    /// The sample, with the mean of the process as its target.
    pub sample: Arc<Dataset>,
    /// Inputs whose values in the sample leave the range of the runs, with the share of such rows.
    pub outside: Vec<Outside>,
    /// Whether rows that were given avoid each other, as those of a low-discrepancy sequence do.
    pub are_too_even: bool,
    /// Importances of the forest of the runs, by measure.
    pub direct: Vec<Importance>,
    /// Importances of the forest of the sample, by measure.
    pub two_step: Vec<Estimate>,
    /// The share of the variance of the sample's target that its forest explains out of bag.
    pub explained_by_forest: Option<f64>,
    /// Total Sobol indices of the mean of the process by conditional laws, where these are known.
    pub exact: Option<Exact>,
}

/// An input that leaves the range of the runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outside {
    /// Its name.
    pub input: String,
    /// The share of rows of the sample.
    pub share: f64,
}

/// Importances by one measure, with their errors.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// The importances of the forest of the sample.
    pub importance: Importance,
    /// By group of inputs; `None` where the importance is undefined.
    pub errors: Vec<Option<Errors>>,
    /// Intervals for all errors together.
    pub intervals: Vec<Option<Interval<f64>>>,
}

/// Fits a process to runs, draws a large sample of it, and measures the forest of the sample, beside
/// the forest of the runs itself. Groups of columns are those of the data.
///
/// ```
/// use std::sync::Arc;
/// use wald::simulate::Friedman1;
/// use wald::{ForestConfig, Run};
/// use wald_surrogate::{Settings, Source, Way, surrogate};
///
/// let runs = Arc::new(Friedman1 { n_columns: 5, noise: 0.0 }.draw(60, 1)?);
/// let settings = Settings {
///     n_rows: 500,
///     n_draws: 4,
///     forest: ForestConfig { n_trees: 20, ..ForestConfig::default() },
///     ..Settings::default()
/// };
/// let measures = ["sobol_mda".parse()?];
/// let found = surrogate(&runs, &Source::Independent, &measures, &settings, &Run::all())?;
/// assert_eq!(found.judged.verdict.believed, Way::TwoStep);
/// assert_eq!(found.two_step[0].importance.names[3], "x4");
/// # Ok::<(), wald::Error>(())
/// ```
///
/// # Errors
/// As [`Model::fit`], growing forests and measuring them; [`Error::Setting`] for settings outside their
/// range.
pub fn surrogate(
    runs: &Arc<Dataset>,
    source: &Source<'_>,
    measures: &[Measure],
    settings: &Settings,
    run: &Run,
) -> Result<Surrogate, Error> {
    settings.validate()?;
    let config = &settings.forest;
    measures.iter().try_for_each(|measure| measure.check_config(config))?;
    if runs.weights().is_some() || runs.clusters().is_some() {
        return Err(Error::data(
            "a Gaussian process has no use for case weights or clusters of rows",
            "leave them out",
        ));
    }
    let seed = config.seed;
    let fit = FitSettings { kernel: settings.kernel, n_starts: settings.n_starts, seed };
    let model = Model::fit(runs, &fit, &run.part())?;
    let folds = model.folds(&run.part())?;
    let functions = settings.n_draws + folds.len() + 1;
    let target = runs.target().name();
    let steps = Steps { run, config, measures, groups: runs.groups(), target };
    run.progress.start(2 + PARTS + functions);
    let direct = steps.measure(runs, config)?;
    let judged = model.judged(&folds, share(&direct));

    let inputs = source.sample(runs.features(), settings.n_rows, seed)?;
    let rows = inputs.rows();
    let means = model.at(rows, &run.part(), |point| model.process().mean(point))?;
    let of_sample = forest_of_sample(config, runs.n_features());
    let all = steps.sample(&model, rows, means.clone())?;
    let two_step = steps.measure(&all, &of_sample)?;

    let parts = steps.parts(&model, rows, &means, &of_sample)?;
    let varied = steps.functions(&model, rows, &folds, settings, &of_sample)?;
    let law = match &inputs {
        Sample::Drawn { law, drawn } if law.has_exact_conditionals() => {
            let groups = runs.groups().members().iter();
            let groups: Vec<Vec<usize>> = groups.map(|group| positions(group)).collect();
            Some(exact(&model, law, drawn, &groups, &Seeded { seed, run: &run.part() })?)
        }
        _ => None,
    };
    let explained_by_forest = share(&two_step);
    let estimates = two_step.importances.into_iter().enumerate().map(|(measure, importance)| {
        let errors = |group| errors_of(&importance, Place { measure, group }, &parts, &varied);
        let errors: Vec<_> = (0..importance.values.len()).map(errors).collect();
        Estimate {
            intervals: intervals(&importance, &errors, settings.confidence),
            errors,
            importance,
        }
    });
    Ok(Surrogate {
        judged,
        source: source.kind(),
        outside: outside(&model, rows),
        are_too_even: matches!(inputs, Sample::Given(_)) && are_too_even(rows, runs.n_features()),
        direct: direct.importances,
        two_step: estimates.collect(),
        explained_by_forest,
        exact: law,
        sample: all,
        model,
    })
}

/// Draws in the smallest node that is divided, in the forest of the sample.
const NODE_SIZE: usize = 20;

/// Settings of the forest of the sample, where they were not set. Half of the variables compete for a split:
/// of more, some stand in for those that they depend on; of fewer, trees fit the sample, which has no
/// noise, less well. Nodes are larger than usual: projections of deep trees have few rows in a cell,
/// and find too much where inputs interact.
pub fn forest_of_sample(config: &ForestConfig, n_features: usize) -> ForestConfig {
    ForestConfig {
        mtry: config.mtry.or(Some(n_features.div_ceil(2))),
        min_node_size: config.min_node_size.or(Some(NODE_SIZE)),
        ..config.clone()
    }
}

fn positions(group: &[u32]) -> Vec<usize> {
    group.iter().map(|&column| column as usize).collect()
}

/// The share of variance that is explained out of bag.
fn share(measured: &Measured) -> Option<f64> {
    match measured.errors {
        Some(Losses::Regression { explained_variance, .. }) => explained_variance,
        _ => None,
    }
}

/// What all forests have in common.
#[derive(Clone, Copy)]
struct Steps<'a> {
    run: &'a Run,
    config: &'a ForestConfig,
    measures: &'a [Measure],
    groups: &'a Groups,
    target: &'a str,
}

/// Values of a function by measure and group.
type Values = Vec<Vec<Option<f64>>>;

/// Importances of functions besides the mean of the process.
struct Varied {
    base: Measured,
    paths: Vec<Values>,
    folds: Vec<Values>,
}

/// A group of inputs, by a measure.
#[derive(Clone, Copy)]
struct Place {
    measure: usize,
    group: usize,
}

impl Place {
    fn of(self, values: &Values) -> Option<f64> {
        values[self.measure][self.group]
    }

    /// The values of several functions, if all are defined.
    fn all(self, values: &[Values]) -> Option<Vec<f64>> {
        values.iter().map(|values| self.of(values)).collect()
    }
}

impl Surrogate {
    /// Total Sobol indices of the process for one of the measures: the Sobol-MDA, which estimates just
    /// these.
    pub fn exact_of(&self, measure: usize) -> Option<&Exact> {
        let is_sobol = self.two_step[measure].importance.id == MeasureId::SobolMda.info().id;
        self.exact.as_ref().filter(|_| is_sobol)
    }
}

impl Steps<'_> {
    fn measure(self, data: &Arc<Dataset>, config: &ForestConfig) -> Result<Measured, Error> {
        let origin = wald::Origin::Settings(config);
        let (measured, _) = origin.measure(data, self.measures, Keep::Nothing, &self.run.part())?;
        self.run.progress.advance_by(1);
        Ok(measured)
    }

    /// A table of these rows, with a function as its target.
    fn sample(self, model: &Model, rows: &Rows, target: Vec<f64>) -> Result<Arc<Dataset>, Error> {
        let features: Features = model.inputs.features(rows)?;
        let target = Target::regression(self.target, target)?;
        let data = Dataset::new(features.columns().to_vec(), target)?;
        let columns = |group: &Vec<u32>| {
            group.iter().map(|&column| model.inputs.names()[column as usize].clone()).collect()
        };
        let groups = self.groups.names().iter().cloned();
        let groups: Vec<(String, Vec<String>)> =
            groups.zip(self.groups.members().iter().map(columns)).collect();
        let data = if self.groups.are_single() { data } else { data.with_groups(&groups)? };
        Ok(Arc::new(data))
    }

    fn values(
        self,
        model: &Model,
        rows: &Rows,
        target: Vec<f64>,
        config: &ForestConfig,
    ) -> Result<Values, Error> {
        let measured = self.measure(&self.sample(model, rows, target)?, config)?;
        Ok(measured.importances.into_iter().map(|importance| importance.values).collect())
    }

    /// Forests of parts of the sample, whose nodes are smaller by as much.
    fn parts(
        self,
        model: &Model,
        rows: &Rows,
        means: &[f64],
        config: &ForestConfig,
    ) -> Result<Vec<Values>, Error> {
        let n = rows.len();
        let min_node_size = config.min_node_size.map(|size| (size / PARTS).max(1));
        let config = &ForestConfig { min_node_size, ..config.clone() };
        let part = |part: usize| {
            let range = part * n / PARTS..(part + 1) * n / PARTS;
            let target = means[range.clone()].to_vec();
            self.values(model, &rows.select(range), target, config)
        };
        (0..PARTS).map(part).collect()
    }

    /// Forests of functions drawn from the process, and of processes without a part of the runs.
    fn functions(
        self,
        model: &Model,
        rows: &Rows,
        folds: &[Fold],
        settings: &Settings,
        config: &ForestConfig,
    ) -> Result<Varied, Error> {
        let rows = &rows.select(0..rows.len().min(ROWS_OF_A_FUNCTION));
        let n_trees = config.n_trees.min(TREES_OF_A_FUNCTION);
        let config = &ForestConfig { n_trees, ..config.clone() };
        let around = &self.run.part();
        let process = model.process();
        let mean = model.at(rows, around, |point| process.mean(point))?;
        let base = self.measure(&self.sample(model, rows, mean)?, config)?;
        let mut paths = Vec::new();
        for draw in 0..settings.n_draws {
            let path = process.path(path_seed(self.config.seed, draw));
            let target = model.at(rows, around, |point| path.value(point))?;
            paths.push(self.values(model, rows, target, config)?);
        }
        let mut without = Vec::new();
        for process in folds.iter().filter_map(|fold| fold.process.as_ref()) {
            let target = model.at(rows, around, |point| process.mean(point))?;
            without.push(self.values(model, rows, target, config)?);
        }
        Ok(Varied { base, paths, folds: without })
    }
}

/// The seed of a function of the process.
fn path_seed(seed: u64, draw: usize) -> u64 {
    Stream::new(seed, draw, Purpose::from(Draws::Paths)).word()
}

fn errors_of(
    importance: &Importance,
    place: Place,
    parts: &[Values],
    varied: &Varied,
) -> Option<Errors> {
    let value = importance.values[place.group]?;
    let trees = |importance: &Importance| {
        importance.standard_errors.as_ref().and_then(|errors| errors[place.group]).unwrap_or(0.0)
    };
    let base = &varied.base.importances[place.measure];
    Some(Errors {
        trees: trees(importance),
        rows: of_rows(&place.all(parts)?, value),
        process: of_process(
            &place.all(&varied.paths)?,
            &place.all(&varied.folds)?,
            base.values[place.group]?,
        ),
    })
}

fn intervals(
    importance: &Importance,
    errors: &[Option<Errors>],
    confidence: Confidence,
) -> Vec<Option<Interval<f64>>> {
    let interval = |(value, errors): (&Option<f64>, &Option<Errors>)| {
        let (value, errors) = ((*value)?, (*errors)?);
        let half = confidence.normal() * errors.total();
        Some(Interval { low: value - half, high: value + half })
    };
    importance.values.iter().zip(errors).map(interval).collect()
}

/// Inputs that leave the range of the runs.
fn outside(model: &Model, rows: &Rows) -> Vec<Outside> {
    let share = |input: usize| {
        let values = || model.rows.column(input);
        let low = values().fold(f64::INFINITY, f64::min);
        let high = values().fold(f64::NEG_INFINITY, f64::max);
        let n_outside = rows.column(input).filter(|value| *value < low || *value > high).count();
        n_outside as f64 / rows.len() as f64
    };
    let names = model.inputs.names().iter().enumerate();
    let outside = names.map(|(input, name)| Outside { input: name.clone(), share: share(input) });
    outside.filter(|outside| outside.share > 0.0).collect()
}
