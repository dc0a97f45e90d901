//! Numbers of a table that share their number of digits.

/// How the numbers of one column are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberFormat {
    /// With that many decimals.
    Fixed(usize),
    Scientific,
}

impl NumberFormat {
    /// Four digits for the largest number; whole numbers stay whole.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let (mut largest, mut are_whole) = (0.0_f64, true);
        for value in values {
            largest = largest.max(value.abs());
            are_whole &= value.fract() == 0.0;
        }
        if largest < 1e7 && are_whole {
            return Self::Fixed(0);
        }
        let magnitude = largest.log10().floor();
        if !(-5.0..7.0).contains(&magnitude) {
            return Self::Scientific;
        }
        Self::Fixed((3.0 - magnitude).max(0.0) as usize)
    }

    pub(crate) fn text(self, value: f64) -> String {
        let text = match self {
            Self::Fixed(decimals) => format!("{value:.decimals$}"),
            Self::Scientific => format!("{value:.3e}"),
        };
        // A negative number that rounds to zero is shown as zero.
        match text.strip_prefix('-') {
            Some(zero) if zero.chars().all(|c| c == '0' || c == '.') => zero.to_owned(),
            _ => text,
        }
    }

    /// A value that may be undefined, and its standard error if it has one.
    pub(crate) fn estimate(self, value: Option<f64>, error: Option<f64>) -> String {
        let value = value.map_or_else(|| "–".to_owned(), |value| self.text(value));
        let error = error.map(|error| format!(" ±{}", self.text(error)));
        value + &error.unwrap_or_default()
    }

    pub(crate) fn range(self, low: f64, high: f64) -> String {
        format!("{} to {}", self.text(low), self.text(high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_column_share_their_decimals() {
        let format = NumberFormat::of([0.0623, 0.001]);
        assert_eq!(format.text(0.0623), "0.06230");
        assert_eq!(format.text(-1e-9), "0.00000");
        assert_eq!(NumberFormat::of([12.0, 300.0]), NumberFormat::Fixed(0));
        assert_eq!(NumberFormat::of([1e-12]).text(1e-12), "1.000e-12");
    }
}
