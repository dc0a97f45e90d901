//! The first function of Friedman (1991).

use crate::data::Dataset;
use crate::error::Error;
use crate::simulate::numbers::Numbers;
use crate::simulate::table::dataset;

const PART: u32 = 3;

/// Independent inputs, uniform on [0, 1), and
/// Y = 10 sin(pi X1 X2) + 20 (X3 - .5)^2 + 10 X4 + 5 X5 + noise; further inputs are irrelevant.
/// Friedman JH (1991). Multivariate adaptive regression splines. Annals of Statistics 19, 1-67.
///
/// ```
/// use wald::simulate::Friedman1;
///
/// let design = Friedman1 { n_columns: 6, noise: 0.0 };
/// assert_eq!(design.draw(60, 1)?.features().names(), ["x1", "x2", "x3", "x4", "x5", "x6"]);
/// // Without noise, y is the function of the first five inputs.
/// let y = design.signal(&[0.5, 1.0, 0.5, 0.1, 0.2]);
/// assert!((y - 12.0).abs() < 1e-12);
/// # Ok::<(), wald::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friedman1 {
    /// Number of inputs, at least 5.
    pub n_columns: usize,
    /// Standard deviation of the noise.
    pub noise: f64,
}

impl Default for Friedman1 {
    fn default() -> Self {
        Self { n_columns: 10, noise: 1.0 }
    }
}

impl Friedman1 {
    /// Draws rows of the columns `x1`, `x2`, ... and the target `y`. Cost O(rows * columns).
    ///
    /// # Errors
    /// [`Error::Setting`] for fewer than 5 columns or a negative standard deviation of the noise;
    /// [`Error::Data`] for no rows.
    pub fn draw(&self, n_rows: usize, seed: u64) -> Result<Dataset, Error> {
        if self.n_columns < 5 {
            return Err(Error::bad_setting(
                None,
                format!("Friedman 1 was requested with {} inputs", self.n_columns),
                "give at least 5 inputs, which its function needs",
            ));
        }
        if !(self.noise >= 0.0 && self.noise.is_finite()) {
            return Err(Error::bad_setting(
                None,
                format!("the standard deviation of the noise is {}", self.noise),
                "give a finite number, zero or larger",
            ));
        }
        let mut numbers = Numbers::new(seed, PART);
        dataset(n_rows, self.n_columns, |inputs| {
            inputs.iter_mut().for_each(|input| *input = numbers.uniform());
            let signal = inputs.first_chunk().map_or(0.0, |x| self.signal(x));
            signal + self.noise * numbers.normal()
        })
    }

    /// The function of the first five inputs.
    pub fn signal(&self, x: &[f64; 5]) -> f64 {
        10.0 * libm::sin(std::f64::consts::PI * x[0] * x[1])
            + 20.0 * (x[2] - 0.5) * (x[2] - 0.5)
            + 10.0 * x[3]
            + 5.0 * x[4]
    }
}
