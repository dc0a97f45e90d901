//! How much neighbours of a series resemble each other.

use std::collections::BTreeMap;

use crate::association::ranks::ranks;
use crate::data::{Column, ColumnData};

/// A smaller correlation changes errors little.
pub(crate) const MATERIAL: f64 = 0.1;

/// One-sided p .0002, since neighbours are compared in every table.
pub(crate) const STANDARD_ERRORS: f64 = 3.5;

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

/// A variable whose neighbours are less correlated makes errors of dependent rows little larger: for correlations of .5
/// and of .3 of residuals by a sixth (Bartlett 1935).
const SLOW: f64 = 0.5;

/// Whether the values of a column change slowly: a correlation of neighbouring rows of more than .5, beyond chance
/// (one-sided p .0002). Cost O(n log n).
pub fn changes_slowly(column: &Column, rows: &[u32]) -> bool {
    match column.data() {
        ColumnData::Numeric(values) => {
            let of_rows = rows.iter().map(|&row| values[row as usize]);
            let known: Vec<f64> = of_rows.filter(|value| !value.is_nan()).collect();
            serial_correlation(&known)
                .is_some_and(|found| are_alike(found.correlation, known.len() as f64))
        }
        ColumnData::Categorical(levels) => {
            let codes: Vec<u32> = rows.iter().map(|&row| levels.codes()[row as usize]).collect();
            are_alike(agreement(&codes), codes.len() as f64)
        }
    }
}

fn are_alike(correlation: f64, n: f64) -> bool {
    correlation > SLOW && correlation * n.sqrt() > STANDARD_ERRORS
}

/// How much more often neighbours have equal levels than two rows at random, as a share of how often these differ: 0
/// on average of random orders, with a standard deviation of at most 1 / sqrt(n); 1 where each level comes in one run.
fn agreement(codes: &[u32]) -> f64 {
    let n = codes.len() as f64;
    let mut counts: BTreeMap<u32, f64> = BTreeMap::new();
    codes.iter().for_each(|&code| *counts.entry(code).or_default() += 1.0);
    let by_chance =
        counts.values().map(|count| count * (count - 1.0)).sum::<f64>() / (n * (n - 1.0));
    let n_equal = codes.windows(2).filter(|pair| pair[0] == pair[1]).count() as f64;
    if by_chance < 1.0 { (n_equal / (n - 1.0) - by_chance) / (1.0 - by_chance) } else { 0.0 }
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

    /// Of two levels agreement is the correlation of neighbouring indicators, but for terms of 1 / n; of random orders
    /// its mean is zero.
    #[test]
    fn levels_of_neighbours_agree_by_more_than_chance() {
        let codes = [0, 0, 0, 1, 1, 1];
        // Of 15 pairs of rows 6 have equal levels, of 5 pairs of neighbours 4.
        let expected = (0.8 - 0.4) / (1.0 - 0.4);
        assert!((agreement(&codes) - expected).abs() < 1e-12);
        assert_eq!(agreement(&[3; 5]), 0.0);
        let mut stream = Stream::new(1, 0, Purpose::Signs);
        let mut levels: Vec<u32> = (0..200).map(|row| row * row % 7 % 3).collect();
        let found: Vec<f64> = (0..400)
            .map(|_| {
                stream.shuffle(&mut levels);
                agreement(&levels) * 200_f64.sqrt()
            })
            .collect();
        let mean = found.iter().sum::<f64>() / found.len() as f64;
        let variance = found.iter().map(|z| (z - mean).powi(2)).sum::<f64>() / found.len() as f64;
        assert!(mean.abs() < 0.2 && variance < 1.2, "{mean} {variance}");
    }

    #[test]
    fn columns_that_are_constant_in_persons_change_slowly() {
        let rows: Vec<u32> = (0..400).collect();
        let of_person = |row: &u32| Stream::new(1, (row / 10) as usize, Purpose::Signs).unit();
        let of_row = |row: &u32| Stream::new(2, *row as usize, Purpose::Signs).unit();
        let numeric = |of: &dyn Fn(&u32) -> f64| {
            Column::numeric("x", rows.iter().map(of).collect()).expect("finite")
        };
        let levels = |of: &dyn Fn(&u32) -> f64| {
            let codes = rows.iter().map(|row| (4.0 * of(row)) as u32).collect();
            let names = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
            Column::categorical("x", names, codes).expect("four levels")
        };
        assert!(changes_slowly(&numeric(&of_person), &rows));
        assert!(changes_slowly(&levels(&of_person), &rows));
        assert!(!changes_slowly(&numeric(&of_row), &rows));
        assert!(!changes_slowly(&levels(&of_row), &rows));
        // Every fourth pair of neighbours has a value in common: a correlation of about .2 changes errors little.
        let often = |row: &u32| {
            if (row / 2).is_multiple_of(2) { of_row(row) } else { of_person(row) }
        };
        assert!(!changes_slowly(&numeric(&often), &rows));
        let mostly = |row: &u32| if row.is_multiple_of(7) { of_row(row) } else { of_person(row) };
        assert!(changes_slowly(&numeric(&mostly), &rows));
        // Missing values are left out, of rows that are not looked at nothing is known.
        let missing = numeric(&|row| if row % 3 == 0 { f64::NAN } else { of_person(row) });
        assert!(changes_slowly(&missing, &rows));
        assert!(!changes_slowly(&numeric(&of_person), &[0, 10, 20, 30]));
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
