//! Hits compared with a binomial distribution.

use statrs::distribution::{Binomial, DiscreteCDF};

use crate::error::Error;
use crate::inference::Adjustment;

/// What became of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It had significantly more hits than half of the runs.
    Confirmed,
    /// Undecided when the runs were over.
    Tentative,
    /// It had significantly fewer hits than half of the runs, and was left out from then on.
    Rejected,
}

impl Decision {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Confirmed, Self::Tentative, Self::Rejected];

    /// The word of tables and documents.
    pub fn id(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Tentative => "tentative",
            Self::Rejected => "rejected",
        }
    }
}

/// How the tests of a run are corrected for their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Correction {
    /// Not at all.
    None,
    /// p-values times the number of all variables (the R package).
    Bonferroni,
    /// In every run Benjamini & Hochberg over the variables that are not rejected, and the level
    /// divided by the number of runs so far (the Python package).
    TwoStep,
}

impl Correction {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::None, Self::Bonferroni, Self::TwoStep];

    /// The word users type.
    pub fn id(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Bonferroni => "bonferroni",
            Self::TwoStep => "two_step",
        }
    }

    /// The level unless another one is given: that of the program whose correction it is.
    pub fn usual_level(self) -> f64 {
        match self {
            Self::None | Self::Bonferroni => 0.01,
            Self::TwoStep => 0.05,
        }
    }
}

/// The probabilities of at least, and of at most, so many hits in so many runs.
#[derive(Debug)]
pub(super) struct Tails {
    at_least: Vec<f64>,
    at_most: Vec<f64>,
}

impl Tails {
    /// # Errors
    /// None: there is such a distribution for any number of runs.
    pub(super) fn new(n_runs: usize) -> Result<Self, Error> {
        let binomial = Binomial::new(0.5, n_runs as u64)
            .map_err(|error| Error::Inconsistent { what: error.to_string() })?;
        let hits = || 0..=n_runs as u64;
        let at_least = hits().map(|hits| hits.checked_sub(1).map_or(1.0, |k| binomial.sf(k)));
        Ok(Self {
            at_least: at_least.collect(),
            at_most: hits().map(|hits| binomial.cdf(hits)).collect(),
        })
    }

    /// Which of these numbers of hits are significantly many, and which significantly few.
    ///
    /// `n_variables` are all that there are, `hits` those of variables that are not rejected.
    pub(super) fn significant(
        &self,
        hits: &[usize],
        n_variables: usize,
        correction: Correction,
        level: f64,
    ) -> (Vec<bool>, Vec<bool>) {
        let n_runs = (self.at_most.len() - 1).max(1) as f64;
        let test = |tail: &[f64]| -> Vec<bool> {
            let p_values: Vec<f64> = hits.iter().map(|&hits| tail[hits]).collect();
            match correction {
                Correction::None => p_values.iter().map(|&p| p < level).collect(),
                Correction::Bonferroni => {
                    p_values.iter().map(|p| p * (n_variables as f64) < level).collect()
                }
                Correction::TwoStep => {
                    let tests: Vec<Option<f64>> = p_values.iter().copied().map(Some).collect();
                    let adjusted = Adjustment::BenjaminiHochberg.adjust(&tests);
                    let is_small = |(p, q): (&f64, &Option<f64>)| {
                        q.is_some_and(|q| q <= level) && *p <= level / n_runs
                    };
                    p_values.iter().zip(&adjusted).map(is_small).collect()
                }
            }
        };
        (test(&self.at_least), test(&self.at_most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R 4.2: `pbinom(hits - 1, 20, .5, lower.tail = FALSE)` and `pbinom(hits, 20, .5)`.
    #[test]
    fn tails_are_those_of_r() {
        let tails = Tails::new(20).expect("runs");
        for (hits, at_least, at_most) in [
            (0, 1.0, 9.536_743_164_062_5e-7),
            (3, 0.999_798_774_719_238, 0.001_288_414_001_464_84),
            (10, 0.588_098_526_000_977, 0.588_098_526_000_977),
            (17, 0.001_288_414_001_464_84, 0.999_798_774_719_238),
            (20, 9.536_743_164_062_5e-7, 1.0),
        ] {
            assert!((tails.at_least[hits] / at_least - 1.0).abs() < 1e-12, "{hits}");
            assert!((tails.at_most[hits] / at_most - 1.0).abs() < 1e-12, "{hits}");
        }
    }
}
