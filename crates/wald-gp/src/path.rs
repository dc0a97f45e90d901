//! Functions drawn from the process, given the runs.
//!
//! Matheron's rule: a function drawn without the runs, plus the prediction of the process from what
//! the runs leave of it. The former is a sum of cosines whose frequencies are drawn from the spectrum
//! of the kernel (Rahimi and Recht 2007); that of a product Matern kernel is a product of Student's t
//! distributions (Wilson et al. 2021, Journal of Machine Learning Research 22:105).

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::draws::{normal, student, uniform};
use crate::kernel::Kernel;
use crate::process::GaussianProcess;

/// Cosines of a function.
const FEATURES: usize = 1024;

/// A function drawn from a process, given the runs.
#[derive(Debug)]
pub struct Path<'a> {
    process: &'a GaussianProcess,
    /// By cosine: its frequencies, one for each input.
    frequencies: Vec<f64>,
    phases: Vec<f64>,
    amplitudes: Vec<f64>,
    /// Weights of the correlations with the runs.
    weights: Vec<f64>,
    mean: f64,
}

impl Kernel {
    /// A frequency of the spectrum at length 1.
    fn frequency(self, rng: &mut Xoshiro256PlusPlus) -> f64 {
        match self {
            Self::Matern52 => student(rng, 5),
            Self::Matern32 => student(rng, 3),
            Self::SquaredExponential => normal(rng),
        }
    }
}

impl GaussianProcess {
    /// Draws a function; its mean over draws is [`GaussianProcess::mean`], its variance that of
    /// [`GaussianProcess::predict`], up to the error of 1,024 cosines. Equal seeds give equal functions.
    pub fn path(&self, seed: u64) -> Path<'_> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let lengths: Vec<f64> =
            self.parameters().log_lengths.iter().map(|length| length.exp()).collect();
        let mut frequencies = Vec::with_capacity(FEATURES * lengths.len());
        for _ in 0..FEATURES {
            for length in &lengths {
                frequencies.push(self.kernel().frequency(&mut rng) / length);
            }
        }
        let mut phase = || 2.0 * std::f64::consts::PI * uniform(&mut rng);
        let phases = (0..FEATURES).map(|_| phase()).collect();
        let scale = (2.0 * self.variance() / FEATURES as f64).sqrt();
        let amplitudes = (0..FEATURES).map(|_| scale * normal(&mut rng)).collect();
        let mut path =
            Path { process: self, frequencies, phases, amplitudes, weights: Vec::new(), mean: 0.0 };
        let noise = (self.parameters().log_noise.exp() * self.variance()).sqrt();
        let design = self.design();
        let left: Vec<f64> = (0..design.n_rows())
            .map(|row| {
                let drawn = path.prior(&design.row(row)) + noise * normal(&mut rng);
                design.outputs[row] - drawn
            })
            .collect();
        (path.mean, path.weights) = self.regress(&left);
        path
    }
}

impl Path<'_> {
    /// The function without the runs, at a point on their scale.
    fn prior(&self, point: &[f64]) -> f64 {
        let cosines = self.frequencies.chunks_exact(point.len()).zip(&self.phases);
        let value = |((frequencies, phase), amplitude): ((&[f64], &f64), &f64)| {
            let angle = frequencies.iter().zip(point).map(|(one, other)| one * other).sum::<f64>();
            amplitude * (angle + phase).cos()
        };
        cosines.zip(&self.amplitudes).map(value).sum()
    }

    /// The value at a point: one number per input.
    pub fn value(&self, point: &[f64]) -> f64 {
        let design = self.process.design();
        let point = design.scaled(point);
        let with_runs = self.process.with_runs(&point);
        let left: f64 = with_runs.iter().zip(&self.weights).map(|(one, of)| one * of).sum();
        design.mean + design.standard_deviation * (self.mean + self.prior(&point) + left)
    }
}
