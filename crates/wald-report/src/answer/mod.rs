//! What matters, in sentences and as shares with their intervals: what a report begins with.

mod dependent;
mod nothing;
mod sentences;
#[cfg(test)]
mod tests;
mod words;

pub(super) use dependent::DependentRows;
pub(super) use sentences::{Subject, by_rank, in_sentences};

use serde::Serialize;

/// The answer to the question what matters for the target.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// What matters and how much; how sure that is; and what the shares are. In this order.
    pub sentences: Vec<String>,
    /// Identifier of the measure.
    pub measure: String,
    /// What the shares are of, in words.
    pub unit: String,
    /// Which rows and trees the shares come from, where these are not all: words that follow "from".
    pub sample: Option<String>,
    /// What the intervals cover, in words; `None` where there are none.
    pub interval: Option<String>,
    /// Variables, and groups of variables that depend on each other, by decreasing share; empty where
    /// shares are unknown.
    pub entries: Vec<AnswerEntry>,
}

/// A variable, or a group of variables that depend on each other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnswerEntry {
    /// The variable's name, or those of the members.
    pub name: String,
    /// The variables of a group, and what each of them adds alone, beyond all others; empty for a
    /// single variable.
    pub members: Vec<Self>,
    /// The share of the target's variance that the forest no longer explains without it; `None`
    /// where undefined.
    pub share: Option<f64>,
    /// What the measure of the answer gives where it is too large because the forest hides variables that
    /// could take the place of these (masking), and the share is that of trees that were grown again
    /// without these (`total_sobol_regrow`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub masked_share: Option<f64>,
    /// What the share is too large by where the trees hide variables, but growing them again takes long.
    /// The lower end of the interval is that of the share without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub too_large_by: Option<f64>,
    /// Standard error of the share: of trees and rows, or clusters of rows.
    pub standard_error: Option<f64>,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
    /// Whether it adds anything.
    pub finding: Adds,
    /// What it explains by itself, where that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_order: Option<FirstOrder>,
}

/// The first-order Sobol index of a variable: the share of the target's variance that it explains
/// without any other variable.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FirstOrder {
    /// The index.
    pub share: f64,
    /// Lower end of its interval, as that of shares.
    pub low: Option<f64>,
    /// Upper end of it.
    pub high: Option<f64>,
}

/// Whether a variable or a group adds anything to the prediction, beyond all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Adds {
    /// Its share is above zero by more than its error, also where so many are looked at.
    Something,
    /// Its interval does not hold zero, which may be chance where many are looked at; or its share is above
    /// its error and may be large.
    Unclear,
    /// Its share is not distinguishable from zero, or is below it.
    Nothing,
}

/// Half the width of a 95 % interval in standard errors.
const HALF_WIDTH: f64 = 1.96;

/// Errors of fewer rows, or clusters of them, are themselves uncertain.
const FEW_ROWS: usize = 100;

impl FirstOrder {
    pub(super) fn new(share: f64, standard_error: Option<f64>) -> Self {
        let end = |sign: f64| Some(share + sign * HALF_WIDTH * standard_error?);
        Self { share, low: end(-1.0), high: end(1.0) }
    }
}

/// A share that matters, if it is true.
const MUCH: f64 = 0.05;

/// The probability that no entry that adds nothing is reported to add something.
const LEVEL: f64 = 0.05;

/// A forest of which nothing shows that it explains anything does not show that a variable adds to it, nor do rows
/// that depend on their neighbours of a variable that changes little from row to row.
pub(super) fn judged(
    entries: &mut [AnswerEntry],
    explains_nothing: bool,
    dependent: Option<&DependentRows>,
) {
    if let Some(dependent) = dependent {
        dependent.doubt(entries);
    }
    if explains_nothing {
        let seen = entries.iter_mut().filter(|entry| entry.finding == Adds::Something);
        seen.for_each(|entry| entry.finding = Adds::Unclear);
    }
}

/// The quantile of a mean over so many rows, or clusters of them, in standard errors: of fewer than 100, of
/// Student's distribution.
pub(crate) fn quantile(probability: f64, n_units: usize) -> f64 {
    use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
    let freedom = n_units.saturating_sub(1).max(1) as f64;
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(student) if n_units < FEW_ROWS => student.inverse_cdf(probability),
        _ => Normal::standard().inverse_cdf(probability),
    }
}

impl AnswerEntry {
    /// One of `n` that are looked at in so many independent units: rows, or clusters of them.
    pub(super) fn new(
        name: String,
        share: Option<f64>,
        standard_error: Option<f64>,
        too_large_by: Option<f64>,
        (n, n_units): (usize, usize),
    ) -> Self {
        let least = share.map(|share| share - too_large_by.unwrap_or(0.0));
        let half_width = if n_units < FEW_ROWS { quantile(0.975, n_units) } else { HALF_WIDTH };
        let of_many = quantile(1.0 - LEVEL / n.max(1) as f64, n_units);
        let above = |errors: f64| Some(least? - errors * standard_error? > 0.0);
        let end = |from: Option<f64>, sign: f64| Some(from? + sign * half_width * standard_error?);
        let (low, high) = (end(least, -1.0), end(share, 1.0));
        // More than its error, and perhaps much.
        let may_matter = above(1.0) == Some(true) && high > Some(MUCH);
        let finding = match (above(half_width.max(of_many)), above(half_width)) {
            (Some(true), _) => Adds::Something,
            (_, Some(false)) if !may_matter => Adds::Nothing,
            _ => Adds::Unclear,
        };
        Self {
            name,
            members: Vec::new(),
            share,
            masked_share: None,
            too_large_by,
            standard_error,
            low,
            high,
            finding,
            first_order: None,
        }
    }

    /// Whether the whole interval is below zero: the forest predicts better without it.
    pub fn is_below_zero(&self) -> bool {
        self.high.is_some_and(|high| high < 0.0)
    }

    /// Its variables.
    pub(super) fn variables(&self) -> Vec<&str> {
        if self.members.is_empty() {
            return vec![&self.name];
        }
        self.members.iter().map(|member| member.name.as_str()).collect()
    }
}
