//! From runs to importances: process, sample, forest.

use std::f64::consts::SQRT_2;
use std::sync::Arc;

use serde::Serialize;
use wald::forest::Impurity;
use wald::inference::{Confidence, Interval};
use wald::pass::{Errors as Losses, Measured};
use wald::{Dataset, Error, ForestConfig, Importance, Measure, MeasureId, Run, message, setting};
use wald_gp::FitSettings;

use crate::bias::Bias;
use crate::errors::{Errors, OfForest, of_process, of_rows, of_spread};
use crate::exact::{Exact, Seeded, exact};
use crate::inputs::Rows;
use crate::model::Model;
use crate::settings::Settings;
use crate::source::{Sample, Source, SourceKind};
use crate::spacing::are_too_even;
use crate::steps::{PARTS, Steps, Values, Varied, forest_of_sample, searching};
use crate::verdict::Judged;

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
    check(measures, config)?;
    if runs.weights().is_some() || runs.clusters().is_some() {
        return Err(Error::data(
            "a Gaussian process has no use for case weights or clusters of rows",
            "leave them out",
        ));
    }
    let seed = config.seed;
    let fit = FitSettings { kernel: settings.kernel, n_starts: settings.n_starts, seed };
    let model = Model::fit(runs, &fit, &run.part())?;
    let points = model.points();
    let folds = model.folds(&points, &run.part())?;
    let functions = settings.n_draws + folds.len() + 1;
    let target = runs.target().name();
    let steps = Steps { run, config, measures, groups: runs.groups(), target };
    let is_sobol = |measure: &Measure| measure.id() == MeasureId::SobolMda;
    let needs_copula = matches!(source, Source::Rows(_)) && measures.iter().any(is_sobol);
    run.progress.start(2 + PARTS + functions + usize::from(needs_copula));
    let of_runs = &searching(config, model.rows.n_varying() < runs.n_features());
    // Of runs at one point, those in a tree's bag would give away the others.
    let direct = if points.n_points < model.n_runs() {
        let by_point = Arc::new(runs.as_ref().clone().with_clusters(points.of_run)?);
        if measures.iter().all(|measure| measure.check_rows(&by_point).is_ok()) {
            steps.measure(&by_point, of_runs)?
        } else {
            // What refuses rows that belong together is measured on all of them alike.
            let of_points = Steps { measures: &[], ..steps }.measure(&by_point, of_runs)?;
            Measured { errors: of_points.errors, ..steps.measure(runs, of_runs)? }
        }
    } else {
        steps.measure(runs, of_runs)?
    };
    let mut judged = model.judged(&folds, share(&direct));
    if source.kind().is_estimated() {
        judged.verdict = judged.verdict.of_estimated_law();
    }

    let inputs = source.sample(runs.features(), settings.n_rows, seed)?;
    let rows = inputs.rows();
    let means = model.at(rows, &run.part(), |point| model.process().mean(point))?;
    let of_sample = forest_of_sample(config, rows.n_varying(), runs.n_features());
    let all = steps.sample(&model, rows, means.clone())?;
    let two_step = steps.measure(&all, &of_sample)?;

    let parts = steps.parts(&model, rows, &means, &of_sample)?;
    let varied = steps.functions(&model, rows, &folds, settings, &of_sample)?;
    let law = match &inputs {
        Sample::Drawn { law, drawn } if law.has_exact_conditionals() => {
            let around = Seeded { seed, run: &run.part() };
            Some(exact(&model, law, drawn, &steps.positions(), &around)?)
        }
        _ => None,
    };
    let by_copula =
        if needs_copula { Bias::by_copula(steps, &model, rows, &of_sample)? } else { None };
    let explained_by_forest = share(&two_step);
    let estimates = two_step.importances.into_iter().enumerate().map(|(measure, importance)| {
        let is_sobol = is_sobol(&measures[measure]);
        let known = law.as_ref().filter(|_| is_sobol);
        let known = known.and_then(|law| Bias::of(&importance.values, law));
        let around = Around {
            parts: &parts,
            varied: &varied,
            known: known.as_ref(),
            by_copula: by_copula.as_ref().filter(|_| is_sobol),
            confidence: settings.confidence,
        };
        let of_group = |group| around.errors(&importance, Place { measure, group });
        let found: Vec<_> = (0..importance.values.len()).map(of_group).collect();
        Estimate {
            intervals: found.iter().map(|of| of.map(|(_, interval)| interval)).collect(),
            errors: found.iter().map(|of| of.map(|(errors, _)| errors)).collect(),
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

/// Refuses what importances in two steps do not have.
fn check(measures: &[Measure], config: &ForestConfig) -> Result<(), Error> {
    if config.impurity == Some(Impurity::Poisson) {
        return Err(Error::bad_setting(
            setting::IMPURITY,
            "outputs of a Gaussian process may be negative, but Poisson trees take counts",
            message!("leave out ", setting::IMPURITY),
        ));
    }
    for measure in measures {
        measure.check_config(config)?;
        if let Some(name) = measure.settings().taken_apart_by() {
            return Err(Error::bad_setting(
                name,
                "importances in two steps are those of variables, without parts or pairs",
                message!("leave out ", name, ", or store the sample and measure it as any table"),
            ));
        }
    }
    Ok(())
}

/// The share of variance that is explained out of bag.
fn share(measured: &Measured) -> Option<f64> {
    match measured.errors {
        Some(Losses::Regression { explained_variance, .. }) => explained_variance,
        _ => None,
    }
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

/// What errors of a measure are estimated from.
struct Around<'a> {
    parts: &'a [Values],
    varied: &'a Varied,
    /// How far the forest of the sample is from total Sobol indices.
    known: Option<&'a Bias>,
    /// How far that of another sample is, which is much alike.
    by_copula: Option<&'a Bias>,
    confidence: Confidence,
}

impl Around<'_> {
    fn errors(&self, importance: &Importance, place: Place) -> Option<(Errors, Interval<f64>)> {
        let group = place.group;
        let value = importance.values[group]?;
        let of_trees = importance.errors_of_trees().and_then(|errors| errors[group]);
        let of_draws = importance.standard_errors.as_ref().and_then(|errors| errors[group]);
        let of_others = of_draws.filter(|_| of_trees.is_none()).unwrap_or(0.0);
        let base = &self.varied.base.importances[place.measure];
        let paths = place.all(&self.varied.paths)?;
        let parts = place.all(self.parts)?;
        let of_forest = match (self.known, self.by_copula) {
            (Some(bias), _) => OfForest {
                bias: bias.values[group],
                spread: bias.standard_errors[group],
                is_known: true,
            },
            (None, Some(bias)) => OfForest {
                bias: bias.values[group],
                // The other sample has an error of its rows, too.
                spread: bias.standard_errors[group].hypot(SQRT_2 * of_spread(&parts)),
                is_known: false,
            },
            (None, None) => OfForest {
                bias: 0.0,
                spread: of_rows(&parts, value).hypot(of_others),
                is_known: false,
            },
        };
        let errors = Errors {
            trees: of_trees,
            rows: of_forest.error(),
            process: of_process(&paths, &place.all(&self.varied.folds)?, base.values[group]?),
        };
        let half = of_forest.half_width(&errors, self.confidence);
        Some((errors, Interval { low: value - half, high: value + half }))
    }
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
