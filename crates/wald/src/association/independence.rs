//! The test of two columns.

use crate::association::chi_square;
use crate::data::{Categories, Column, ColumnData, MISSING_LEVEL};

/// The outcome of a test of independence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Independence {
    /// The quadratic form.
    pub statistic: f64,
    /// Degrees of freedom: the rank of the covariance.
    pub degrees: f64,
    /// Natural logarithm of the p-value.
    pub log_p: f64,
}

impl Independence {
    /// Of the weight of the rows, what the statistic is a multiple of, and degrees of freedom.
    pub(crate) fn new(total: f64, share: f64, degrees: f64) -> Option<Self> {
        let statistic = (total - 1.0) * share;
        let log_p = chi_square::log_upper_tail(statistic, degrees);
        (total > 1.0).then_some(Self { statistic, degrees, log_p })
    }
}

/// Tests two columns of equal length over the rows where both are present; `weight` is how
/// often a row counts. `None` where one of them does not vary, or at most one row is left. Cost
/// O(rows), and of two columns of levels O(levels of one * levels of the other).
///
/// ```
/// use wald::association::independence;
/// use wald::data::Column;
///
/// let x: Vec<f64> = (0..60).map(f64::from).collect();
/// let one = Column::numeric("one", x.clone())?;
/// let other = Column::numeric("other", x.iter().map(|x| 2.0 * x + 1.0).collect())?;
/// let found = independence(&one, &other, |_| 1.0).expect("both vary");
/// // Of a perfect correlation, (n - 1) r^2 is 59.
/// assert!((found.statistic - 59.0).abs() < 1e-9);
/// assert!(found.log_p < -20.0);
/// # Ok::<(), wald::Error>(())
/// ```
pub fn independence(
    one: &Column,
    other: &Column,
    weight: impl Fn(usize) -> f64,
) -> Option<Independence> {
    let (total, share, degrees) = match (one.data(), other.data()) {
        (ColumnData::Numeric(x), ColumnData::Numeric(y)) => {
            let (total, share) = between_numbers(x, y, weight)?;
            (total, share, 1.0)
        }
        (ColumnData::Categorical(levels), ColumnData::Numeric(numbers))
        | (ColumnData::Numeric(numbers), ColumnData::Categorical(levels)) => {
            between_levels_and_numbers(levels, numbers, weight)?
        }
        (ColumnData::Categorical(one), ColumnData::Categorical(other)) => {
            let (total, share, [rows, columns]) = between_levels(one, other, weight)?;
            (total, share, rows * columns)
        }
    };
    Independence::new(total, share, degrees)
}

/// Weight of the rows, and the squared correlation.
pub(super) fn between_numbers(
    x: &[f64],
    y: &[f64],
    weight: impl Fn(usize) -> f64,
) -> Option<(f64, f64)> {
    let rows = || {
        let pairs = x.iter().zip(y).enumerate();
        let present = pairs.filter(|(_, (x, y))| !x.is_nan() && !y.is_nan());
        present.map(|(row, (x, y))| (weight(row), *x, *y))
    };
    let (mut total, mut sum_x, mut sum_y) = (0.0, 0.0, 0.0);
    // Distances from one of the values, so that a large common offset costs no digits.
    let (_, origin_x, origin_y) = rows().find(|(w, ..)| *w > 0.0)?;
    for (w, x, y) in rows() {
        total += w;
        sum_x += w * (x - origin_x);
        sum_y += w * (y - origin_y);
    }
    let (mean_x, mean_y) = (sum_x / total, sum_y / total);
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (w, x, y) in rows() {
        let (x, y) = (x - origin_x - mean_x, y - origin_y - mean_y);
        xx += w * x * x;
        yy += w * y * y;
        xy += w * x * y;
    }
    // The root of a product could overflow.
    let correlation = xy / xx.sqrt() / yy.sqrt();
    (xx > 0.0 && yy > 0.0).then(|| (total, (correlation * correlation).min(1.0)))
}

/// Weight of the rows, the share of the variance between levels, and levels less one.
pub(super) fn between_levels_and_numbers(
    levels: &Categories,
    numbers: &[f64],
    weight: impl Fn(usize) -> f64,
) -> Option<(f64, f64, f64)> {
    let rows = || {
        let pairs = levels.codes().iter().zip(numbers).enumerate();
        let present = pairs.filter(|(_, (code, y))| **code != MISSING_LEVEL && !y.is_nan());
        present.map(|(row, (code, y))| (weight(row), *code as usize, *y))
    };
    let (_, _, origin) = rows().find(|(w, ..)| *w > 0.0)?;
    let mut weights = vec![0.0; levels.levels().len()];
    let mut sums = weights.clone();
    for (w, code, y) in rows() {
        weights[code] += w;
        sums[code] += w * (y - origin);
    }
    let total: f64 = weights.iter().sum();
    let mean = sums.iter().sum::<f64>() / total;
    let all: f64 = rows().map(|(w, _, y)| w * (y - origin - mean).powi(2)).sum();
    let present = || weights.iter().zip(&sums).filter(|(w, _)| **w > 0.0);
    let between: f64 = present().map(|(w, sum)| w * (sum / w - mean).powi(2)).sum();
    let degrees = present().count() as f64 - 1.0;
    (degrees > 0.0 && all > 0.0).then(|| (total, (between / all).min(1.0), degrees))
}

/// Weight of the rows, Pearson's chi-square divided by it, and the levels less one of each.
pub(super) fn between_levels(
    one: &Categories,
    other: &Categories,
    weight: impl Fn(usize) -> f64,
) -> Option<(f64, f64, [f64; 2])> {
    let width = other.levels().len();
    let mut cells: Vec<(usize, f64)> = Vec::with_capacity(one.codes().len());
    let mut of_one = vec![0.0; one.levels().len()];
    let mut of_other = vec![0.0; width];
    for (row, (&a, &b)) in one.codes().iter().zip(other.codes()).enumerate() {
        let w = weight(row);
        if a != MISSING_LEVEL && b != MISSING_LEVEL && w > 0.0 {
            of_one[a as usize] += w;
            of_other[b as usize] += w;
            cells.push((a as usize * width + b as usize, w));
        }
    }
    // Tables of many levels are mostly empty. A stable sort keeps the order of summation.
    cells.sort_by_key(|&(cell, _)| cell);
    let total: f64 = of_one.iter().sum();
    // SUM (O - E)^2 / E = SUM O^2 / E - W, and O^2 / E / W = O^2 / (row sum * column sum).
    let share: f64 = cells
        .chunk_by(|a, b| a.0 == b.0)
        .map(|cell| {
            let observed: f64 = cell.iter().map(|(_, w)| w).sum();
            let (a, b) = (cell[0].0 / width, cell[0].0 % width);
            observed / of_one[a] * (observed / of_other[b])
        })
        .sum::<f64>()
        - 1.0;
    let present = |sums: &[f64]| sums.iter().filter(|sum| **sum > 0.0).count() as f64;
    let (rows, columns) = (present(&of_one), present(&of_other));
    (rows > 1.0 && columns > 1.0).then(|| (total, share.max(0.0), [rows - 1.0, columns - 1.0]))
}
