//! `benard-two-step`: few runs of a smooth function, measured directly and by way of a Gaussian
//! process.
//!
//! The abstract of the paper ends with it: where the sample is small, Gaussian processes often
//! outperform forests; so fit one, let it generate a large sample, and estimate total Sobol indices
//! from that by Sobol-MDA.

mod cells;
pub(crate) mod coverage;
pub(crate) mod forests;
mod functions;
mod picture;
mod results;
mod sample;

use clap::ValueEnum;
use wald::Run;
use wald::work::ordered;

use crate::benard::SOURCE;
use crate::exhibit::Exhibit;
use crate::failure::Failure;
use crate::study::Study;
use cells::{CELLS, Cell};
pub(crate) use functions::Function;
use results::Results;
use sample::DIRECT_TREES;

/// What is compared, and how often. The rows and trees are those of the second step.
#[derive(Debug, Clone)]
pub(crate) struct TwoStepStudy {
    pub(crate) study: Study,
    /// All where there are none.
    pub(crate) functions: Vec<Function>,
    /// All where there are none.
    pub(crate) runs: Vec<usize>,
}

impl TwoStepStudy {
    fn functions(&self) -> Vec<Function> {
        if self.functions.is_empty() {
            Function::value_variants().to_vec()
        } else {
            self.functions.clone()
        }
    }

    fn cells(&self) -> Vec<&'static Cell> {
        let is_asked = |cell: &&Cell| {
            (self.functions.is_empty() || self.functions.contains(&cell.function))
                && (self.runs.is_empty() || self.runs.contains(&cell.n_runs))
        };
        CELLS.iter().filter(is_asked).collect()
    }
}

pub(crate) fn run(two_step: &TwoStepStudy) -> Result<Exhibit, Failure> {
    let study = &two_step.study;
    let cells = two_step.cells();
    let n = study.repetitions;
    let mut samples = Vec::new();
    // Repetitions share the threads, and each works on one: fits of processes use one anyway.
    ordered(
        cells.len() * n,
        &Run::on(study.threads),
        || (),
        |place, ()| cells[place / n].sample(study, study.seed_of(place % n)),
        |_, sample| samples.push(sample),
    )?;
    let of_cell = cells.iter().zip(samples.chunks(n));
    let found: Vec<Results> = of_cell.map(|(cell, samples)| Results::of(cell, samples)).collect();
    let mut settings = study.settings();
    settings.retain(|(name, _)| *name != "trees");
    settings.push(("trees of the runs", DIRECT_TREES.to_string()));
    settings.push(("trees of the rows", study.n_trees.to_string()));
    Ok(Exhibit {
        title: "Few runs: total Sobol indices directly, and by way of a Gaussian process".to_owned(),
        source: SOURCE,
        settings,
        comparisons: results::comparisons(&found),
        listings: vec![results::listing(&found)],
        claims: results::claims(&found),
        notes: vec![
            "Errors are distances of estimates from true total Sobol indices, in the mean over inputs. \
             What noise explains is no part of the function: direct estimates are compared with shares \
             of the variance of the response, the others with shares of that of the function."
                .to_owned(),
            "Prototype: a program in numpy that was written before, with 1 to 3 sets of runs; its \
             standard errors are taken to be the spread found here over the root of their number."
                .to_owned(),
        ],
        figure: Some(picture::draw(&found)),
    })
}
