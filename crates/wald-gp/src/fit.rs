//! Fitting by maximum likelihood, from several starts.

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use wald::{Error, Run, Threads};

use crate::design::Design;
use crate::draws::uniform;
use crate::kernel::Kernel;
use crate::process::GaussianProcess;
use crate::search::{Lengths, Search};

/// Climbs that go on after their first steps.
const N_FINAL: usize = 4;

/// How often all inputs are exchanged, one at a time, for influence or none.
const MOST_ROUNDS: usize = 5;

/// A logarithm of the likelihood that is larger by less is not looked for.
const GAIN: f64 = 0.01;

/// How a process is fitted.
#[derive(Debug, Clone, PartialEq)]
pub struct FitSettings {
    /// The family of correlations.
    pub kernel: Kernel,
    /// Number of starts of the search: the likelihood has several maxima. After a few steps, the four
    /// highest climbs go on.
    pub n_starts: usize,
    /// Seed of the starts.
    pub seed: u64,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self { kernel: Kernel::default(), n_starts: 20, seed: 0 }
    }
}

/// Fits a process to runs: lengths and noise maximise the likelihood.
///
/// ```
/// use wald_gp::{Design, FitSettings, fit};
///
/// let x: Vec<f64> = (0..20).map(|i| f64::from(i) / 19.0).collect();
/// let y: Vec<f64> = x.iter().map(|x| (6.0 * x).sin()).collect();
/// let process = fit(&Design::new(&[x], &y)?, &FitSettings::default())?;
/// let predicted = process.predict(&[0.51]);
/// assert!((predicted.mean - (6.0_f64 * 0.51).sin()).abs() < 1e-3);
/// # Ok::<(), wald::Error>(())
/// ```
///
/// # Errors
/// [`Error::Data`] when correlations are singular whatever the parameters are.
pub fn fit(design: &Design, settings: &FitSettings) -> Result<GaussianProcess, Error> {
    fit_on(design, settings, &Run::on(Threads::ONE))
}

/// As [`fit`], on several threads: starts are searched from at the same time. Results have the same bits
/// for any number of threads.
///
/// # Errors
/// As [`fit`]; [`Error::Cancelled`] when the run is cancelled.
pub fn fit_on(
    design: &Design,
    settings: &FitSettings,
    run: &Run,
) -> Result<GaussianProcess, Error> {
    let search = Search::new(design, settings.kernel);
    let starts = (0..settings.n_starts.max(1)).map(|start| start_of(start, design, settings.seed));
    let mut climbs = search.begin(&starts.collect::<Vec<_>>(), run)?;
    climbs.truncate(N_FINAL);
    let mut best = search.end(&climbs, &run.part())?.ok_or_else(|| {
        Error::data(
            "the correlations of the runs are singular",
            "leave out runs whose inputs and outputs are equal to those of others",
        )
    })?;
    for _ in 0..MOST_ROUNDS {
        let mut climbs = search.begin(&search.exchanged(&best.at()), &run.part())?;
        climbs.truncate(1);
        match search.end(&climbs, &run.part())? {
            Some(found) if found.value() > best.value() + GAIN => best = found,
            _ => break,
        }
    }
    GaussianProcess::at(design, settings.kernel, search.parameters(&best.at()))
}

/// Where a search starts: first with some influence of all inputs, then with much influence of a random
/// half of them.
fn start_of(start: usize, design: &Design, seed: u64) -> Vec<f64> {
    let lengths = Lengths::of(design);
    let noises = [1e-4, 1e-6, 1e-2, 1e-1];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..start).for_each(|_| rng.jump());
    // Constant inputs change nothing, not even the random numbers of others.
    let mut length = |varies: bool| match start {
        _ if !varies => 0.0,
        0 => lengths.middle,
        _ if uniform(&mut rng) < 0.5 => lengths.short,
        _ => lengths.long,
    };
    let varying = design.ranges.iter().map(|range| range.varies());
    let mut from: Vec<f64> = varying.map(&mut length).collect();
    from.push(f64::ln(noises[start % noises.len()]));
    from
}
