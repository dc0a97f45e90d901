//! The values of a column in the runs.

/// Values that differ by less than this share are equal but for rounding.
const ROUNDING: f64 = 1e-14;

/// Points farther away, in ranges of the runs, are correlated with none of them.
const FARTHEST: f64 = 1e6;

/// The values of a column in the runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Range {
    pub(crate) least: f64,
    /// Infinite for a constant column, whose values are all scaled to 0; NaN where it is beyond the
    /// numbers there are.
    pub(crate) width: f64,
}

impl Range {
    pub(crate) fn of(values: &[f64]) -> Self {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let width = largest - least;
        let is_constant = width <= ROUNDING * least.abs().max(largest.abs());
        let width = match width {
            _ if is_constant => f64::INFINITY,
            f64::INFINITY => f64::NAN,
            _ => width,
        };
        Self { least, width }
    }

    pub(crate) fn varies(self) -> bool {
        !self.width.is_infinite()
    }

    /// A value on the scale of the runs, from 0 to 1.
    pub(crate) fn scaled(self, value: f64) -> f64 {
        ((value - self.least) / self.width).clamp(-FARTHEST, FARTHEST)
    }
}
