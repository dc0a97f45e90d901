//! What a command shows: published values beside wald's, and whether they agree.

use serde::Serialize;

use crate::estimate::Estimate;

/// Values further apart than this many standard errors differ.
const LIMIT: f64 = 3.0;

/// A table or figure of a paper, reproduced.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Exhibit {
    pub(crate) title: String,
    pub(crate) source: &'static str,
    /// Name and value.
    pub(crate) settings: Vec<(&'static str, String)>,
    pub(crate) comparisons: Vec<Comparisons>,
    pub(crate) listings: Vec<Listing>,
    pub(crate) claims: Vec<Claim>,
    pub(crate) notes: Vec<String>,
    /// As SVG.
    #[serde(skip)]
    pub(crate) figure: Option<String>,
}

/// Published values beside wald's.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Comparisons {
    pub(crate) title: String,
    /// Where the reference values come from, for example `published`.
    pub(crate) reference: &'static str,
    pub(crate) rows: Vec<Comparison>,
}

/// One cell of a table.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Comparison {
    pub(crate) quantity: String,
    pub(crate) item: String,
    #[serde(rename = "reference")]
    pub(crate) published: Option<f64>,
    /// Of the published value.
    #[serde(skip)]
    pub(crate) decimals: usize,
    pub(crate) value: Option<f64>,
    /// `None` for an exact value.
    pub(crate) standard_error: Option<f64>,
    pub(crate) verdict: Verdict,
}

/// A table without references.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Listing {
    pub(crate) title: String,
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// A sentence of the paper, or a promise, and what was found.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Claim {
    pub(crate) statement: String,
    pub(crate) found: String,
    pub(crate) holds: bool,
}

/// Whether a value agrees with its reference.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "verdict")]
pub(crate) enum Verdict {
    /// The distance beyond rounding, in standard errors, is at most 3.
    Agrees { standard_errors: f64 },
    /// Exact values are equal after rounding.
    Equal,
    Differs {
        /// `None` where both values are exact.
        standard_errors: Option<f64>,
        why: String,
    },
    /// The published value is known to be wrong.
    Erratum { why: String },
    /// There is nothing to compare with.
    NoReference,
}

/// A value of a paper.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Published {
    pub(crate) value: f64,
    /// It was rounded to so many.
    pub(crate) decimals: usize,
    /// 0 where it is exact, or not known.
    pub(crate) standard_error: f64,
}

impl Published {
    /// An exact value that was rounded.
    pub(crate) fn exact(value: f64, decimals: usize) -> Self {
        Self { value, decimals, standard_error: 0.0 }
    }

    fn rounding(self) -> f64 {
        0.5 * 10_f64.powi(-(self.decimals as i32))
    }

    /// Compares with a value and its standard error.
    fn verdict(self, value: f64, standard_error: f64) -> Verdict {
        // Decimals are not exact in binary.
        let beyond = ((value - self.value).abs() - self.rounding() - 1e-12).max(0.0);
        let error = self.standard_error.hypot(standard_error);
        if error == 0.0 && beyond == 0.0 {
            return Verdict::Equal;
        }
        if error == 0.0 {
            return Verdict::Differs { standard_errors: None, why: String::new() };
        }
        let standard_errors = beyond / error;
        if standard_errors <= LIMIT {
            Verdict::Agrees { standard_errors }
        } else {
            Verdict::Differs { standard_errors: Some(standard_errors), why: String::new() }
        }
    }
}

impl Comparison {
    /// A value with its standard error (0 for exact values) beside a published one.
    pub(crate) fn new(
        quantity: &str,
        item: &str,
        published: Published,
        value: f64,
        standard_error: f64,
    ) -> Self {
        Self {
            quantity: quantity.to_owned(),
            item: item.to_owned(),
            published: Some(published.value),
            decimals: published.decimals,
            value: Some(value),
            standard_error: (standard_error > 0.0).then_some(standard_error),
            verdict: published.verdict(value, standard_error),
        }
    }

    /// A mean over repetitions beside a published value.
    pub(crate) fn of_mean(
        quantity: &str,
        item: &str,
        published: Published,
        estimate: &Estimate,
    ) -> Self {
        Self::new(quantity, item, published, estimate.mean, estimate.standard_error())
    }

    /// A mean over repetitions for which nothing was published.
    pub(crate) fn without(
        quantity: &str,
        item: &str,
        decimals: usize,
        estimate: &Estimate,
    ) -> Self {
        Self {
            quantity: quantity.to_owned(),
            item: item.to_owned(),
            published: None,
            decimals,
            value: Some(estimate.mean),
            standard_error: Some(estimate.standard_error()),
            verdict: Verdict::NoReference,
        }
    }

    /// Explains why it differs, where it does.
    pub(crate) fn because(mut self, reason: &str) -> Self {
        if let Verdict::Differs { why, .. } = &mut self.verdict {
            reason.clone_into(why);
        }
        self
    }

    /// The published value is known to be wrong.
    pub(crate) fn erratum(mut self, why: String) -> Self {
        if self.verdict != Verdict::Equal {
            self.verdict = Verdict::Erratum { why };
        }
        self
    }
}

impl Claim {
    pub(crate) fn new(statement: impl Into<String>, holds: bool, found: impl Into<String>) -> Self {
        Self { statement: statement.into(), found: found.into(), holds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_no_difference() {
        let published = Published::exact(0.47, 2);
        assert_eq!(published.verdict(0.4722, 0.0), Verdict::Equal);
        assert_eq!(published.verdict(0.475, 0.0), Verdict::Equal);
        assert!(matches!(published.verdict(0.476, 0.0), Verdict::Differs { .. }));
    }

    #[test]
    fn distances_are_told_in_standard_errors_of_both() {
        let published = Published { value: 0.5, decimals: 1, standard_error: 0.03 };
        match published.verdict(0.65, 0.04) {
            Verdict::Agrees { standard_errors } => assert!((standard_errors - 2.0).abs() < 1e-9),
            other => panic!("{other:?}"),
        }
        assert!(matches!(published.verdict(0.75, 0.04), Verdict::Differs { .. }));
    }
}
