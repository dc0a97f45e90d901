//! How much neighbours of a series resemble each other.

use crate::association::ranks::ranks;

/// Correlations of the values of a series with the next ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Serial {
    /// Of ranks, which outlying values do not determine.
    pub(crate) correlation: f64,
    /// The same in standard errors: of random orders its mean is -1 / n and its standard deviation nearly
    /// 1 / sqrt(n) (Wald & Wolfowitz 1943).
    pub(crate) standard_errors: f64,
    /// The sum of products of neighbouring deviations from the mean, divided by the root of the sum of their squares:
    /// standard normal for independent values of any variances, also if these change smoothly along the series.
    pub(crate) of_values: f64,
}

/// Correlations of neighbours; `None` where the values are all equal. Cost O(n log n).
pub(crate) fn serial_correlation(values: &[f64]) -> Option<Serial> {
    let n = values.len() as f64;
    let ranks = centred(&ranks(values));
    let squares: f64 = ranks.iter().map(|rank| rank * rank).sum();
    let products: f64 = ranks.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let correlation = products / squares;
    let deviations = centred(values);
    let (sum, sum_of_squares) = deviations
        .windows(2)
        .map(|pair| pair[0] * pair[1])
        .fold((0.0, 0.0), |(sum, squares), product| (sum + product, squares + product * product));
    (squares > 0.0 && sum_of_squares > 0.0).then(|| Serial {
        correlation,
        standard_errors: correlation * n.sqrt(),
        of_values: sum / sum_of_squares.sqrt(),
    })
}

/// The correlation of the ranks of the values with their places in the series (Spearman 1904).
pub(crate) fn trend(values: &[f64]) -> f64 {
    let ranks = centred(&ranks(values));
    let places = centred(&(0..values.len()).map(|place| place as f64).collect::<Vec<f64>>());
    let squares = |of: &[f64]| of.iter().map(|value| value * value).sum::<f64>();
    let scale = (squares(&ranks) * squares(&places)).sqrt();
    let products: f64 = ranks.iter().zip(&places).map(|(rank, place)| rank * place).sum();
    if scale > 0.0 { products / scale } else { 0.0 }
}

fn centred(values: &[f64]) -> Vec<f64> {
    // Deviations from the first value keep the digits that a large offset would cost.
    let origin = values.first().copied().unwrap_or(0.0);
    let mean = values.iter().map(|value| value - origin).sum::<f64>() / values.len() as f64;
    values.iter().map(|value| value - origin - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Stream};

    /// The mean over 24 orders of four ranks is -1 / 4, and one order is computed by hand.
    #[test]
    fn correlations_are_those_of_neighbouring_ranks() {
        let of = |values: &[f64]| serial_correlation(values).expect("values that differ");
        // Ranks -1.5, -0.5, 0.5, 1.5: (0.75 - 0.25 + 0.75) / 5.
        let found = of(&[1.0, 2.0, 4.0, 90.0]);
        assert!((found.correlation - 0.25).abs() < 1e-12, "{found:?}");
        assert!((found.standard_errors - 0.5).abs() < 1e-12, "{found:?}");
        // Deviations from the mean -1, 0, 1: products 0 and 0 have no scale.
        assert_eq!(serial_correlation(&[1.0, 2.0, 3.0]), None);
        assert_eq!(serial_correlation(&[2.0; 5]), None);
        let mut sum = 0.0;
        let mut n_orders = 0;
        for a in 0..4 {
            for b in (0..4).filter(|b| *b != a) {
                for c in (0..4).filter(|c| ![a, b].contains(c)) {
                    sum += of(&[a, b, c, 6 - a - b - c].map(f64::from)).correlation;
                    n_orders += 1;
                }
            }
        }
        assert_eq!(n_orders, 24);
        assert!((sum / 24.0 + 1.0 / 4.0).abs() < 1e-12, "{sum}");
        assert!((trend(&[1.0, 2.0, 4.0, 90.0]) - 1.0).abs() < 1e-12);
        assert_eq!(trend(&[3.0; 4]), 0.0);
    }

    /// Standard errors of independent values have mean near zero and variance near one, with and without smooth
    /// changes of the variance.
    #[test]
    fn standard_errors_are_those_of_random_orders() {
        let n_series = 400;
        let mut of_ranks = Vec::new();
        let mut of_values = Vec::new();
        for seed in 0..n_series {
            let mut stream = Stream::new(seed, 0, Purpose::Signs);
            let series: Vec<f64> = (0..200)
                .map(|place| (stream.unit() - 0.5) * (1.0 + 0.05 * f64::from(place)))
                .collect();
            let found = serial_correlation(&series).expect("values that differ");
            of_ranks.push(found.standard_errors);
            of_values.push(found.of_values);
        }
        for found in [of_ranks, of_values] {
            let mean = found.iter().sum::<f64>() / found.len() as f64;
            let variance =
                found.iter().map(|z| (z - mean).powi(2)).sum::<f64>() / found.len() as f64;
            assert!(mean.abs() < 0.2 && (0.8..1.2).contains(&variance), "{mean} {variance}");
        }
    }
}
