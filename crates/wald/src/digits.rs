//! Numbers as people read them, with the same digits on a terminal, on a page and in a document.

/// The digits that the numbers of a column share: so many decimals that the largest has four digits.
///
/// ```
/// use wald::digits::{Digits, p_value};
///
/// let digits = Digits::of([0.0623, 0.001]);
/// assert_eq!(digits.text(0.0623), "0.06230");
/// assert_eq!(digits.estimate(Some(0.001), Some(0.0001)), "0.00100 ±0.00010");
/// assert_eq!(Digits::of([12.0, 300.0]).range(12.0, 300.0), "12 to 300");
/// assert_eq!((p_value(0.04), p_value(1e-9)), ("0.0400".to_owned(), "<0.0001".to_owned()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Digits {
    /// That many decimals.
    Fixed(usize),
    /// Four digits and an exponent.
    Scientific,
}

impl Digits {
    /// Four digits for the largest number; whole numbers stay whole.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
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

    /// A number.
    pub fn text(self, value: f64) -> String {
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
    pub fn estimate(self, value: Option<f64>, error: Option<f64>) -> String {
        let value = value.map_or_else(|| "–".to_owned(), |value| self.text(value));
        let error = error.map(|error| format!(" ±{}", self.text(error)));
        value + &error.unwrap_or_default()
    }

    /// The ends of an interval.
    pub fn range(self, low: f64, high: f64) -> String {
        format!("{} to {}", self.text(low), self.text(high))
    }
}

/// A p-value with four decimals.
pub fn p_value(p: f64) -> String {
    if p < 0.0001 { "<0.0001".to_owned() } else { format!("{p:.4}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_column_share_their_decimals() {
        let digits = Digits::of([0.0623, 0.001]);
        assert_eq!(digits.text(0.0623), "0.06230");
        assert_eq!(digits.text(-1e-9), "0.00000");
        assert_eq!(Digits::of([12.0, 300.0]), Digits::Fixed(0));
        assert_eq!(Digits::of([1e-12]).text(1e-12), "1.000e-12");
    }
}
