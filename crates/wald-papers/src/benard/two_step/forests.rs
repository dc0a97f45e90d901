//! `benard-two-step-forests`: the error of the second step alone, against the settings of its forest.

use wald::forest::Keep;
use wald::work::ordered;
use wald::{Error, ForestConfig, Run, Threads};

use crate::benard::SOURCE;
use crate::benard::two_step::TwoStepStudy;
use crate::benard::two_step::functions::Function;
use crate::benard::two_step::sample::{Distance, grow};
use crate::estimate::Estimate;
use crate::exhibit::{Exhibit, Listing};
use crate::failure::Failure;
use crate::study::Study;

/// How many inputs compete for a split, and the draws of the largest node that is not divided.
#[derive(Debug, Clone, Copy)]
struct Settings {
    name: &'static str,
    mtry: fn(usize) -> usize,
    node_size: usize,
}

const fn settings(name: &'static str, mtry: fn(usize) -> usize, node_size: usize) -> Settings {
    Settings { name, mtry, node_size }
}

const SETTINGS: [Settings; 8] = [
    settings("square root, 5", usize::isqrt, 5),
    settings("square root, 20", usize::isqrt, 20),
    settings("half, 5", half, 5),
    settings("half, 10", half, 10),
    settings("half, 20", half, 20),
    settings("half, 40", half, 40),
    settings("all, 5", all, 5),
    settings("all, 20", all, 20),
];

fn half(n_inputs: usize) -> usize {
    n_inputs.div_ceil(2)
}

fn all(n_inputs: usize) -> usize {
    n_inputs
}

pub(crate) fn run(two_step: &TwoStepStudy) -> Result<Exhibit, Failure> {
    if !two_step.runs.is_empty() {
        return Err(Failure::usage("this exhibit has no runs", "leave `--runs` out"));
    }
    let study = &two_step.study;
    let functions = two_step.functions();
    let (n, n_settings) = (study.repetitions, SETTINGS.len());
    let mut errors = Vec::new();
    ordered(
        n_settings * functions.len() * n,
        &Run::on(study.threads),
        || (),
        |place, ()| {
            let (row, function) = (place / n / functions.len(), place / n % functions.len());
            error(functions[function], SETTINGS[row], study, study.seed_of(place % n))
        },
        |_, error| errors.push(error),
    )?;
    let cell = |errors: &[f64]| {
        let error = Estimate::of(errors);
        format!("{:.4} ± {:.4}", error.mean, error.standard_error())
    };
    let rows = SETTINGS.iter().zip(errors.chunks(functions.len() * n)).map(|(settings, errors)| {
        std::iter::once(settings.name.to_owned()).chain(errors.chunks(n).map(cell)).collect()
    });
    let names = functions.iter().map(|function| function.design().world.name);
    Ok(Exhibit {
        title: "The second step alone: errors of the Sobol-MDA on samples without noise".to_owned(),
        source: SOURCE,
        settings: study.settings(),
        listings: vec![Listing {
            title: "Competing inputs and draws of undivided nodes; mean errors over inputs"
                .to_owned(),
            head: std::iter::once("settings").chain(names).map(str::to_owned).collect(),
            rows: rows.collect(),
        }],
        ..Exhibit::default()
    })
}

/// The mean error over inputs, of one sample.
fn error(function: Function, settings: Settings, study: &Study, seed: u64) -> Result<f64, Error> {
    let design = function.design();
    let sample = design.world.draw(study.n_rows, seed, design.variance)?;
    let config = ForestConfig {
        n_trees: study.n_trees,
        seed,
        mtry: Some((settings.mtry)(sample.n_features())),
        min_node_size: Some(settings.node_size),
        ..ForestConfig::default()
    };
    let (_, measured) = grow(&sample, &config, Keep::Nothing, &Run::on(Threads::ONE))?;
    Ok(Distance::of(&measured.values, design.total_sobol).mean)
}
