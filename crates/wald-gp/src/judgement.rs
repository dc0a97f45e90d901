//! How far a process is to be believed.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::process::LeaveOneOut;

/// Levels at which the coverage of intervals is compared.
const LEVELS: usize = 99;

/// Measures of leave-one-out predictions (Marrel and Iooss 2024, Reliability Engineering and System
/// Safety 247:110094).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement {
    /// One minus the mean square of the errors over the variance of the outputs; 1 is perfect.
    pub q2: f64,
    /// Predictive variance adequacy: absolute logarithm of the mean of squared errors over their
    /// variances; 0 is perfect.
    pub pva: f64,
    /// Integrated absolute error of the coverage of predictive intervals over all levels; 0 is perfect,
    /// 0.5 the worst.
    pub iae_alpha: f64,
}

impl From<&LeaveOneOut> for Judgement {
    fn from(found: &LeaveOneOut) -> Self {
        let ratios = found.errors.iter().zip(&found.variances);
        let ratios: Vec<f64> = ratios.map(|(error, variance)| error * error / variance).collect();
        let n = ratios.len() as f64;
        let normal = Normal::standard();
        let off = |level: usize| {
            let level = level as f64 / (LEVELS + 1) as f64;
            let half_width = normal.inverse_cdf(0.5 + 0.5 * level);
            let covered = ratios.iter().filter(|ratio| ratio.sqrt() <= half_width).count();
            (covered as f64 / n - level).abs()
        };
        Self {
            q2: found.q2,
            pva: (ratios.iter().sum::<f64>() / n).ln().abs(),
            iae_alpha: (1..=LEVELS).map(off).sum::<f64>() / LEVELS as f64,
        }
    }
}
