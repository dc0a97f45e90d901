//! p-values of many tests.

use crate::error::Error;
use crate::{message, setting};

/// How p-values are corrected for the number of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adjustment {
    /// Not at all.
    None,
    /// Holm 1979: the probability that any true null hypothesis is rejected stays below the level.
    Holm,
    /// Benjamini & Hochberg 1995: of the rejected null hypotheses, the expected share of true ones
    /// stays below the level, where tests are independent or positively dependent.
    BenjaminiHochberg,
}

impl Adjustment {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::None, Self::Holm, Self::BenjaminiHochberg];

    /// The name users type.
    pub fn id(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Holm => "holm",
            Self::BenjaminiHochberg => "benjamini_hochberg",
        }
    }

    /// The correction of that name.
    ///
    /// # Errors
    /// [`Error::Setting`] for another name.
    pub fn named(name: &str) -> Result<Self, Error> {
        let found = Self::ALL.iter().copied().find(|how| how.id() == name);
        found.ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|how| how.id()).collect();
            Error::bad_setting(
                setting::MULTIPLE_TESTING,
                message!(setting::MULTIPLE_TESTING.name(), " is \"", name, "\""),
                format!("use one of: {}", known.join(", ")),
            )
        })
    }

    /// Adjusted p-values; undefined ones stay so and count as no test. Cost O(p log p).
    ///
    /// ```
    /// use wald::inference::Adjustment;
    ///
    /// let p_values = [Some(0.25), Some(0.5), None]; // two tests
    /// assert_eq!(Adjustment::Holm.adjust(&p_values), [Some(0.5), Some(0.5), None]);
    /// assert_eq!(Adjustment::None.adjust(&p_values), p_values);
    /// ```
    pub fn adjust(self, p_values: &[Option<f64>]) -> Vec<Option<f64>> {
        let mut order: Vec<usize> =
            (0..p_values.len()).filter(|&index| p_values[index].is_some()).collect();
        order.sort_by(|&a, &b| {
            p_values[a].partial_cmp(&p_values[b]).unwrap_or(std::cmp::Ordering::Equal)
        });
        let n_tests = order.len();
        let mut adjusted = vec![None; p_values.len()];
        let p_value = |index: usize| p_values[index].unwrap_or(1.0);
        match self {
            Self::None => return p_values.to_vec(),
            Self::Holm => {
                // Never below that of a smaller p-value.
                let mut largest = 0.0_f64;
                for (rank, &index) in order.iter().enumerate() {
                    largest = largest.max((n_tests - rank) as f64 * p_value(index)).min(1.0);
                    adjusted[index] = Some(largest);
                }
            }
            Self::BenjaminiHochberg => {
                // Never above that of a larger p-value.
                let mut smallest = 1.0_f64;
                for (rank, &index) in order.iter().enumerate().rev() {
                    let scaled = n_tests as f64 / (rank + 1) as f64 * p_value(index);
                    smallest = smallest.min(scaled);
                    adjusted[index] = Some(smallest);
                }
            }
        }
        adjusted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R 4.2: `p.adjust(c(.01, .04, .03, NA, .5, .002, .04), method)`.
    #[test]
    fn adjusted_p_values_are_those_of_r() {
        let p_values =
            [Some(0.01), Some(0.04), Some(0.03), None, Some(0.5), Some(0.002), Some(0.04)];
        let check = |adjustment: Adjustment, expected: [f64; 7]| {
            let found = adjustment.adjust(&p_values);
            assert_eq!(found[3], None);
            for (found, expected) in found.iter().zip(expected).filter(|(found, _)| found.is_some())
            {
                assert!((found.unwrap_or(f64::NAN) - expected).abs() < 1e-15, "{found:?}");
            }
        };
        let not_there = f64::NAN;
        check(Adjustment::Holm, [0.05, 0.12, 0.12, not_there, 0.5, 0.012, 0.12]);
        check(Adjustment::BenjaminiHochberg, [0.03, 0.048, 0.048, not_there, 0.5, 0.012, 0.048]);
        assert_eq!(Adjustment::None.adjust(&p_values), p_values);
        assert_eq!(Adjustment::Holm.adjust(&[None, None]), [None, None]);
    }
}
