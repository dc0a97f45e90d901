//! Fitting by maximum likelihood, from several starts.

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use wald::Error;

use crate::design::Design;
use crate::draws::uniform;
use crate::kernel::Kernel;
use crate::likelihood::Parameters;
use crate::optimise::{Bounds, Evaluated, Optimum, maximise};
use crate::process::GaussianProcess;

/// Bounds of lengths, as multiples of the range of an input in the runs.
const LENGTHS: (f64, f64) = (0.01, 100.0);

/// Bounds of the variance of the noise, as multiples of that of the process.
const NOISE: (f64, f64) = (1e-10, 10.0);

/// A step that improves the logarithm of the likelihood by less ends the search.
const TOLERANCE: f64 = 1e-6;

/// Most steps from a start.
const MOST_STEPS: usize = 200;

/// How a process is fitted.
#[derive(Debug, Clone, PartialEq)]
pub struct FitSettings {
    /// The family of correlations.
    pub kernel: Kernel,
    /// Number of starts of the search: the likelihood has several maxima.
    pub n_starts: usize,
    /// Seed of the starts.
    pub seed: u64,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self { kernel: Kernel::default(), n_starts: 4, seed: 0 }
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
    let n_inputs = design.n_inputs();
    let logarithms = |(low, high): (f64, f64)| Bounds { low: low.ln(), high: high.ln() };
    let mut bounds = vec![logarithms(LENGTHS); n_inputs];
    bounds.push(logarithms(NOISE));
    let parameters =
        |at: &[f64]| Parameters { log_lengths: at[..n_inputs].to_vec(), log_noise: at[n_inputs] };
    let function = |at: &[f64]| {
        let likelihood = parameters(at).likelihood(settings.kernel, design)?;
        Some(Evaluated { value: likelihood.value, gradient: likelihood.gradient })
    };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
    let mut best: Option<Optimum> = None;
    for start in 0..settings.n_starts.max(1) {
        let from = start_of(start, design, &mut rng);
        let found = maximise(function, &bounds, &from, MOST_STEPS, TOLERANCE);
        if let Some(found) = found
            && best.as_ref().is_none_or(|best| found.value > best.value)
        {
            best = Some(found);
        }
    }
    let best = best.ok_or_else(|| {
        Error::data(
            "the correlations of the runs are singular",
            "leave out runs whose inputs and outputs are equal to those of others",
        )
    })?;
    GaussianProcess::at(design, settings.kernel, parameters(&best.at))
}

/// Where a search starts: first at lengths that grow with the number of inputs, then at random.
fn start_of(start: usize, design: &Design, rng: &mut Xoshiro256PlusPlus) -> Vec<f64> {
    let varying = || design.ranges.iter().map(|range| range.varies());
    let n_varying = varying().filter(|varies| *varies).count();
    let middle = 0.5 * (n_varying as f64).sqrt();
    let noises = [1e-4, 1e-6, 1e-2, 1e-1];
    // Constant inputs change nothing, not even the random numbers of others.
    let mut length = |varies: bool| match start {
        _ if !varies => 0.0,
        0 => middle.ln(),
        _ => (0.2 * middle).ln() + uniform(rng) * 25.0_f64.ln(),
    };
    let mut from: Vec<f64> = varying().map(&mut length).collect();
    from.push(f64::ln(noises[start % noises.len()]));
    from
}
