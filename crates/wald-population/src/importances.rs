//! Importances of a population by degree of interaction, and what variables are to the target.

use serde::Serialize;

use wald::Error;

/// Importances of one kind of trees, as sums over the degrees of interaction.
#[derive(Debug, Clone, PartialEq)]
pub struct Importances {
    /// By variable and degree k: what the variable contributes where k others are known. Its unit
    /// is that of the impurity: bits, a probability, or the square of the target's unit.
    pub by_degree: Vec<Vec<f64>>,
}

/// What a variable is to the target (Kohavi & John 1997), as far as the impurity sees it: the
/// variance sees the mean of a number only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Relevance {
    /// Informative about the target given all others together.
    Strong,
    /// Informative about the target given some set of others, but not given all.
    Weak,
    /// Uninformative about the target whatever else is known.
    Irrelevant,
}

impl Relevance {
    /// The word users read.
    pub fn id(self) -> &'static str {
        match self {
            Self::Strong => "strong",
            Self::Weak => "weak",
            Self::Irrelevant => "irrelevant",
        }
    }
}

impl Importances {
    /// One importance per variable: the sum over all degrees (Louppe et al., Equation 3, for
    /// totally randomized trees).
    pub fn values(&self) -> Vec<f64> {
        self.by_degree.iter().map(|degrees| degrees.iter().sum()).collect()
    }

    /// The importances by trees of at most `depth` levels of splits: the first terms
    /// (Proposition 6).
    #[must_use]
    pub fn pruned(&self, depth: usize) -> Self {
        let first = |degrees: &Vec<f64>| degrees[..depth.min(degrees.len())].to_vec();
        Self { by_degree: self.by_degree.iter().map(first).collect() }
    }

    /// Efficiency (Equation 4): the importances of fully developed trees add up to I(V; Y).
    pub(crate) fn check_sum(&self, total: f64, scale: f64) -> Result<(), Error> {
        let sum: f64 = self.values().iter().sum();
        check_equal("the importances add up to", sum, "I(V; Y) is", total, scale)
    }
}

/// An identity of the theory, which can only fail by a defect of this program.
pub(crate) fn check_equal(
    one_is: &str,
    one: f64,
    other_is: &str,
    other: f64,
    scale: f64,
) -> Result<(), Error> {
    if (one - other).abs() <= 1e-9 * scale {
        return Ok(());
    }
    Err(Error::Inconsistent { what: format!("{one_is} {one}, but {other_is} {other}") })
}
