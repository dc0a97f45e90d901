//! The search for the maximum of the likelihood: first steps from many starts, whose highest climbs go
//! on, then the same from the maximum with one input exchanged for influence or none.

use wald::work::ordered;
use wald::{Error, Run};

use crate::cholesky::Cholesky;
use crate::design::Design;
use crate::kernel::Kernel;
use crate::likelihood::Parameters;
use crate::optimise::{Bounds, Climb, Evaluated};

/// Bounds of lengths, as multiples of the range of an input in the runs.
const LENGTHS: (f64, f64) = (0.01, 100.0);

/// Bounds of the variance of the noise, as multiples of that of the process.
const NOISE: (f64, f64) = (1e-10, 10.0);

/// Steps of every climb before they are compared.
const FIRST_STEPS: usize = 6;

/// Most steps of the climbs that go on.
const MOST_STEPS: usize = 200;

/// A search for the parameters of the largest likelihood.
pub(crate) struct Search<'a> {
    design: &'a Design,
    kernel: Kernel,
    bounds: Vec<Bounds>,
}

/// Lengths to start from.
#[derive(Clone, Copy)]
pub(crate) struct Lengths {
    /// Of inputs with some influence.
    pub(crate) middle: f64,
    /// Of inputs with much influence.
    pub(crate) short: f64,
    /// Of inputs with hardly any.
    pub(crate) long: f64,
}

impl Lengths {
    /// Points of many inputs are far from each other.
    pub(crate) fn of(design: &Design) -> Self {
        let n_varying = design.ranges.iter().filter(|range| range.varies()).count();
        let middle = 0.5 * (n_varying as f64).sqrt();
        Self { middle: middle.ln(), short: (0.5 * middle).ln(), long: (10.0 * middle).ln() }
    }
}

impl<'a> Search<'a> {
    pub(crate) fn new(design: &'a Design, kernel: Kernel) -> Self {
        let logarithms = |(low, high): (f64, f64)| Bounds { low: low.ln(), high: high.ln() };
        let mut bounds = vec![logarithms(LENGTHS); design.n_inputs()];
        bounds.push(logarithms(NOISE));
        Self { design, kernel, bounds }
    }

    /// The parameters at a place.
    pub(crate) fn parameters(&self, at: &[f64]) -> Parameters {
        let n_inputs = self.design.n_inputs();
        Parameters { log_lengths: at[..n_inputs].to_vec(), log_noise: at[n_inputs] }
    }

    fn evaluate(&self, at: &[f64], run: &Run, cholesky: &mut Cholesky) -> Option<Evaluated> {
        // A cancelled climb ends at once.
        run.progress.check().ok()?;
        let likelihood = self.parameters(at).likelihood_in(self.kernel, self.design, cholesky)?;
        Some(Evaluated { value: likelihood.value, gradient: likelihood.gradient })
    }

    /// First steps from all starts; the highest climb is the first.
    pub(crate) fn begin(&self, starts: &[Vec<f64>], run: &Run) -> Result<Vec<Climb<'_>>, Error> {
        let work = |start: usize, cholesky: &mut Cholesky| {
            let function = &mut |at: &[f64]| self.evaluate(at, run, cholesky);
            let mut climb = Climb::new(function, &self.bounds, &starts[start]);
            climb.iter_mut().for_each(|climb| climb.go_on(function, FIRST_STEPS));
            Ok(climb)
        };
        let mut climbs: Vec<Climb<'_>> = Vec::new();
        let memory = || Cholesky::new(self.design.n_rows());
        ordered(starts.len(), run, memory, work, |_, climb| climbs.extend(climb))?;
        climbs.sort_by(|one, other| other.value().total_cmp(&one.value()));
        Ok(climbs)
    }

    /// The highest of climbs that go on to their ends.
    pub(crate) fn end<'b>(
        &'b self,
        climbs: &[Climb<'b>],
        run: &Run,
    ) -> Result<Option<Climb<'b>>, Error> {
        let work = |at: usize, cholesky: &mut Cholesky| {
            let mut climb = climbs[at].clone();
            climb.go_on(&mut |at: &[f64]| self.evaluate(at, run, cholesky), MOST_STEPS);
            Ok(climb)
        };
        let mut best: Option<Climb<'_>> = None;
        let memory = || Cholesky::new(self.design.n_rows());
        ordered(climbs.len(), run, memory, work, |_, climb| {
            if best.as_ref().is_none_or(|best| climb.value() > best.value()) {
                best = Some(climb);
            }
        })?;
        run.progress.check()?;
        Ok(best)
    }

    /// Places where one input has influence that has none at the given place, or the other way around,
    /// or where more or less is noise.
    pub(crate) fn exchanged(&self, at: &[f64]) -> Vec<Vec<f64>> {
        let lengths = Lengths::of(self.design);
        let without_influence = 0.5 * (lengths.middle + lengths.long);
        let mut found = Vec::new();
        let mut exchange = |place: usize, value: f64| {
            let mut at = at.to_vec();
            at[place] = value;
            found.push(at);
        };
        for (input, range) in self.design.ranges.iter().enumerate() {
            if range.varies() {
                let is_long = at[input] > without_influence;
                exchange(input, if is_long { lengths.short } else { lengths.long });
            }
        }
        let noise = self.design.n_inputs();
        exchange(noise, f64::ln(if at[noise] > f64::ln(1e-3) { 1e-6 } else { 1e-1 }));
        found
    }
}
