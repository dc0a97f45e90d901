//! Numbers made ready for many correlations.

/// Sums that are formed side by side.
const LANES: usize = 8;

/// Numbers without their mean, times the roots of the weights of the rows, of length 1.
#[derive(Debug)]
pub struct Direction(Vec<f64>);

impl Direction {
    /// `None` where a number is missing, where they do not vary, and where squares of them are too
    /// large or too small to be numbers. Cost O(rows).
    pub(crate) fn new(values: &[f64], weight: impl Fn(usize) -> f64) -> Option<Self> {
        // Distances from one of the values, so that a large common offset costs no digits.
        let counted = values.iter().enumerate().find(|(row, _)| weight(*row) > 0.0);
        let (_, &origin) = counted?;
        let (mut total, mut sum) = (0.0, 0.0);
        for (row, value) in values.iter().enumerate() {
            total += weight(row);
            sum += weight(row) * (value - origin);
        }
        let mean = sum / total;
        let centred = values.iter().enumerate();
        let mut values: Vec<f64> =
            centred.map(|(row, value)| weight(row).sqrt() * (value - origin - mean)).collect();
        // NaN is not normal, and a missing value makes all others NaN.
        let length = dot(&values, &values).sqrt();
        if !length.is_normal() {
            return None;
        }
        values.iter_mut().for_each(|value| *value /= length);
        Some(Self(values))
    }

    pub(crate) fn values(&self) -> &[f64] {
        &self.0
    }

    /// The squared correlation of two columns of equal length, over rows of the same weights.
    pub(crate) fn squared_correlation(&self, other: &Self) -> f64 {
        dot(&self.0, &other.0).powi(2).min(1.0)
    }
}

/// The products of pairs, summed in a fixed order that a processor can follow side by side.
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (x, y) = (x.chunks_exact(LANES), y.chunks_exact(LANES));
    let rest = x.remainder().iter().zip(y.remainder());
    let rest: f64 = rest.map(|(x, y)| x * y).sum();
    for (x, y) in x.zip(y) {
        sums.iter_mut().zip(x).zip(y).for_each(|((sum, x), y)| *sum += x * y);
    }
    sums.iter().sum::<f64>() + rest
}
