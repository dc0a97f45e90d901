//! Benard, Da Veiga & Scornet 2022, section 3.3, example 2: groups of correlated inputs.

use crate::data::Dataset;
use crate::error::Error;
use crate::simulate::normal::{check_correlation, check_noise_share, noise_deviation};
use crate::simulate::numbers::Numbers;
use crate::simulate::table::dataset;

const PART: u32 = 2;

/// Independent groups of standard normal inputs of equal correlation within a group; Y is a linear
/// combination of the first input of each group plus noise. The default is example 2 of
/// Bénard, Da Veiga & Scornet (2022): 5 groups of 40 inputs, correlation .8,
/// Y = 2 X1 + X41 + X81 + X121 + X161 + noise.
#[derive(Debug, Clone, PartialEq)]
pub struct BenardExample2 {
    /// Factor of the first input of each group; there are as many groups.
    pub factors: Vec<f64>,
    /// Inputs per group.
    pub group_size: usize,
    /// Correlation of two inputs of a group, from 0 to 1.
    pub correlation: f64,
    /// V\[noise\] / V\[Y\].
    pub noise_share: f64,
}

impl Default for BenardExample2 {
    fn default() -> Self {
        Self {
            factors: vec![2.0, 1.0, 1.0, 1.0, 1.0],
            group_size: 40,
            correlation: 0.8,
            noise_share: 0.1,
        }
    }
}

impl BenardExample2 {
    /// Draws rows of the columns `x1`, `x2`, ... and the target `y`. Cost O(rows * columns).
    ///
    /// # Errors
    /// [`Error::Setting`] for a correlation outside [0, 1] or a share of noise outside [0, 1);
    /// [`Error::Data`] for no rows or no inputs.
    pub fn draw(&self, n_rows: usize, seed: u64) -> Result<Dataset, Error> {
        // One common factor per group makes correlations that are not negative.
        check_correlation(self.correlation)?;
        check_correlation(2.0 * self.correlation - 1.0)?;
        check_noise_share(self.noise_share)?;
        let mut numbers = Numbers::new(seed, PART);
        let variance: f64 = self.factors.iter().map(|factor| factor * factor).sum();
        let noise = noise_deviation(variance, self.noise_share);
        let (common, own) = (self.correlation.sqrt(), (1.0 - self.correlation).sqrt());
        dataset(n_rows, self.factors.len() * self.group_size, |inputs| {
            let mut signal = 0.0;
            let groups = inputs.chunks_exact_mut(self.group_size.max(1));
            for (group, factor) in groups.zip(&self.factors) {
                let shared = common * numbers.normal();
                group.iter_mut().for_each(|input| *input = shared + own * numbers.normal());
                signal += factor * group[0];
            }
            signal + noise * numbers.normal()
        })
    }

    /// Positions of the inputs that the target depends on.
    pub fn relevant(&self) -> Vec<usize> {
        (0..self.factors.len()).map(|group| group * self.group_size).collect()
    }
}
