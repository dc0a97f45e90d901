//! Benard, Da Veiga & Scornet 2022, section 2.5: dependence and interactions.

use crate::data::Dataset;
use crate::error::Error;
use crate::simulate::normal::{check_correlation, check_noise_share, noise_deviation};
use crate::simulate::numbers::Numbers;
use crate::simulate::table::dataset;

const PART: u32 = 1;

/// Five centred normal inputs, independent but for two correlated pairs, and
/// Y = alpha X1 X2 1{X3 > 0} + beta X4 X5 1{X3 < 0} + noise. The default is the setting of
/// Bénard, Da Veiga & Scornet (2022), section 3.3, example 1.
///
/// ```
/// use wald::simulate::BenardExample1;
///
/// let independent = BenardExample1 { rho_12: 0.0, rho_45: 0.0, ..BenardExample1::default() };
/// assert_eq!(independent.draw(60, 1)?.n_features(), 5);
/// let impossible = BenardExample1 { rho_12: 1.5, ..BenardExample1::default() };
/// assert!(impossible.draw(60, 1).is_err());
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BenardExample1 {
    /// Factor of X1 X2.
    pub alpha: f64,
    /// Factor of X4 X5.
    pub beta: f64,
    /// Correlation of X1 and X2.
    pub rho_12: f64,
    /// Correlation of X4 and X5.
    pub rho_45: f64,
    /// Standard deviations of the inputs.
    pub sigma: [f64; 5],
    /// V\[noise\] / V\[Y\].
    pub noise_share: f64,
}

impl Default for BenardExample1 {
    fn default() -> Self {
        Self { alpha: 1.5, beta: 1.0, rho_12: 0.9, rho_45: 0.6, sigma: [1.0; 5], noise_share: 0.1 }
    }
}

impl BenardExample1 {
    /// Draws rows of the columns `x1` to `x5` and the target `y`. Cost O(rows).
    ///
    /// # Errors
    /// [`Error::Setting`] for a correlation outside [-1, 1], a standard deviation that is not
    /// positive and finite, or a share of noise outside [0, 1); [`Error::Data`] for no rows.
    pub fn draw(&self, n_rows: usize, seed: u64) -> Result<Dataset, Error> {
        self.check()?;
        let mut numbers = Numbers::new(seed, PART);
        let noise = noise_deviation(self.signal_variance(), self.noise_share);
        dataset(n_rows, 5, |inputs| {
            let x = self.inputs(&mut numbers);
            inputs.copy_from_slice(&x);
            self.signal(&x) + noise * numbers.normal()
        })
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// As [`BenardExample1::draw`].
    pub fn check(&self) -> Result<(), Error> {
        check_correlation(self.rho_12)?;
        check_correlation(self.rho_45)?;
        check_noise_share(self.noise_share)?;
        if self.sigma.iter().all(|sigma| *sigma > 0.0 && sigma.is_finite()) {
            return Ok(());
        }
        Err(Error::bad_setting(
            None,
            "a standard deviation of an input is not a positive number",
            "give positive, finite standard deviations",
        ))
    }

    /// One draw of the inputs.
    pub fn inputs(&self, numbers: &mut Numbers) -> [f64; 5] {
        let mut pair = |rho: f64| {
            let first = numbers.normal();
            (first, rho * first + (1.0 - rho * rho).sqrt() * numbers.normal())
        };
        let ((x1, x2), (x4, x5)) = (pair(self.rho_12), pair(self.rho_45));
        let x3 = numbers.normal();
        let [s1, s2, s3, s4, s5] = self.sigma;
        [s1 * x1, s2 * x2, s3 * x3, s4 * x4, s5 * x5]
    }

    /// The regression function m.
    pub fn signal(&self, x: &[f64; 5]) -> f64 {
        if x[2] > 0.0 {
            self.alpha * x[0] * x[1]
        } else if x[2] < 0.0 {
            self.beta * x[3] * x[4]
        } else {
            0.0
        }
    }

    /// V\[m(X)\], from E\[X1^2 X2^2\] = (1 + 2 rho^2) sigma1^2 sigma2^2.
    pub fn signal_variance(&self) -> f64 {
        let (a, b) = self.amplitudes();
        let (rho, tau) = (self.rho_12, self.rho_45);
        let squares = a * a * (1.0 + 2.0 * rho * rho) + b * b * (1.0 + 2.0 * tau * tau);
        let means = a * rho + b * tau;
        0.5 * squares - 0.25 * means * means
    }

    /// V\[Y\].
    pub fn target_variance(&self) -> f64 {
        self.signal_variance() / (1.0 - self.noise_share)
    }

    /// alpha sigma1 sigma2 and beta sigma4 sigma5.
    pub fn amplitudes(&self) -> (f64, f64) {
        let [s1, s2, _, s4, s5] = self.sigma;
        (self.alpha * s1 * s2, self.beta * s4 * s5)
    }
}
