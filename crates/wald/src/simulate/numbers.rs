//! Uniform and normal numbers from a seed.

use crate::random::{Purpose, Stream};

/// A sequence of independent numbers, the same on every platform.
#[derive(Debug, Clone)]
pub struct Numbers {
    stream: Stream,
    /// The polar method makes two normal numbers at a time.
    spare: Option<f64>,
}

impl Numbers {
    /// The sequence of a seed and a part; two parts share no numbers.
    pub fn new(seed: u64, part: u32) -> Self {
        Self { stream: Stream::new(seed, 0, Purpose::Simulation { part }), spare: None }
    }

    /// Uniform on [0, 1).
    pub fn uniform(&mut self) -> f64 {
        self.stream.unit()
    }

    /// Uniform on 0, 1, ..., bound - 1.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.stream.below(bound)
    }

    /// A permutation of 0, 1, ..., n - 1, uniform over all.
    pub fn permutation(&mut self, n: u32) -> Vec<u32> {
        let mut items: Vec<u32> = (0..n).collect();
        self.stream.shuffle(&mut items);
        items
    }

    /// `k` of the numbers 0, 1, ..., n - 1 (all, where that is more), increasing; every choice is
    /// equally likely.
    pub fn choose(&mut self, n: u32, k: usize) -> Vec<usize> {
        let mut chosen = self.permutation(n);
        chosen.truncate(k);
        chosen.sort_unstable();
        chosen.into_iter().map(|item| item as usize).collect()
    }

    /// Standard normal, by the polar method (Marsaglia & Bray 1964).
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (u, v) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square = u * u + v * v;
            if square > 0.0 && square < 1.0 {
                let factor = (-2.0 * libm::log(square) / square).sqrt();
                self.spare = Some(v * factor);
                return u * factor;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_follow_the_normal_distribution() {
        // Counts between the deciles of the standard normal distribution (NIST tables):
        // chi-square with 9 degrees of freedom, 27.9 is the 99.9 % point.
        let deciles = [
            -1.281_551_565_5,
            -0.841_621_233_6,
            -0.524_400_512_7,
            -0.253_347_103_1,
            0.0,
            0.253_347_103_1,
            0.524_400_512_7,
            0.841_621_233_6,
            1.281_551_565_5,
        ];
        let mut numbers = Numbers::new(1, 0);
        let mut counts = [0_u32; 10];
        let mut beyond_three = 0_u32;
        for _ in 0..200_000 {
            let value = numbers.normal();
            counts[deciles.iter().filter(|&&decile| decile < value).count()] += 1;
            beyond_three += u32::from(value.abs() > 3.0);
        }
        let chi_square: f64 = counts.iter().map(|&c| (f64::from(c) - 2e4).powi(2) / 2e4).sum();
        assert!(chi_square < 27.9, "{counts:?}");
        // P(|Z| > 3) = .0026998, so 540 are expected, standard deviation 23.
        assert!((470..610).contains(&beyond_three), "{beyond_three}");
    }

    #[test]
    fn successive_normal_numbers_are_uncorrelated() {
        let mut numbers = Numbers::new(2, 7);
        let values: Vec<f64> = (0..100_000).map(|_| numbers.normal()).collect();
        for lag in 1..4 {
            let products = values.iter().zip(&values[lag..]).map(|(a, b)| a * b);
            let correlation = products.sum::<f64>() / 1e5;
            assert!(correlation.abs() < 3.5 / 1e5_f64.sqrt(), "lag {lag}: {correlation}");
        }
    }
}
