//! Which measure answers which question, on these data and this forest.
//!
//! Bénard, Da Veiga & Scornet (2022) distinguish two objectives, (i) few variables with the best
//! accuracy and (ii) all influential variables, and their Table 2 lists which importances serve
//! them: that depends on whether inputs depend on each other and whether the regression function is
//! additive. Here both are tested, with what else makes importances mislead, and the evidence is
//! kept. [`advise`] takes the data and what was [`Measured`](wald::pass::Measured) of a forest.

mod additive_fit;
mod advise;
mod cardinality;
mod case_weights;
mod dependence;
mod dependent_rows;
mod forest_quality;
mod further;
mod independent;
mod interactions;
mod leakage;
mod masking;
mod missingness;
mod node_size;
mod objectives;
mod repeated_rows;
mod responses;
mod small_and_smooth;
mod spread;
mod support;
mod trees;
mod verdicts;
mod words;

pub(crate) use dependent_rows::{dependence_of_rows, remedy, slow_names};
pub(crate) use forest_quality::strength;
pub(crate) use words::{correlation, in_sentence, named};

pub use advise::{AdviceSettings, advise, measures};
pub use wald::work::Validity;

use serde::Serialize;

/// Whether something is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    Unknown,
}

/// What was found, and what follows from it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Advice {
    /// The advice, in at most three sentences.
    pub summary: Vec<String>,
    /// Everything that was looked for, also where nothing was found.
    pub findings: Vec<Finding>,
    /// What to use for which objective, one entry each.
    pub objectives: Vec<ObjectiveAdvice>,
    /// Questions beyond the objectives, each with a procedure that answers it.
    pub further: Vec<FurtherQuestion>,
}

/// A question that a procedure answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FurtherQuestion {
    /// Identifier, for example `false_discoveries`.
    pub id: String,
    /// In words.
    pub question: String,
    /// What the procedure does, and what to know of it on these data, as a sentence.
    pub answer: String,
    /// What to run.
    pub command: String,
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Concern {
    /// It was looked for and not found.
    None,
    /// The table or the forest is too small, or of a kind, to decide.
    Unknown,
    /// Worth knowing; the ranking stands.
    Minor,
    /// Some measures mislead because of it.
    Serious,
}

/// One thing that was looked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// Identifier, for example `dependence`.
    pub id: String,
    /// In words, for example `Dependence between variables`.
    pub name: String,
    /// How much it matters.
    pub concern: Concern,
    /// What was found, as a sentence with its numbers.
    pub sentence: String,
    /// What follows for importances, as a sentence; empty where nothing does.
    pub consequence: String,
    /// The numbers it rests on.
    pub evidence: Vec<Evidence>,
    /// The variables concerned, the most concerned first.
    pub variables: Vec<String>,
    /// Where the rule comes from: a paper, or the simulation that supports it.
    pub source: String,
}

/// A number that a finding rests on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// What it is, for example `largest rank correlation`.
    pub name: String,
    /// The number; `None` where undefined.
    pub value: Option<f64>,
}

impl Evidence {
    fn new(name: &str, value: Option<f64>) -> Self {
        Self { name: name.to_owned(), value: value.filter(|value| value.is_finite()) }
    }
}

/// What to use for one objective.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ObjectiveAdvice {
    /// Identifier: `selection` or `influence`.
    pub id: String,
    /// The question, for example `Few variables with the best accuracy`.
    pub question: String,
    /// Identifier of the measure recommended; `None` where no measure that the forest allows
    /// answers the question, so that another forest is to be grown.
    pub recommended: Option<String>,
    /// Why, as a sentence.
    pub reason: String,
    /// True where the evidence is thin: `reason` then explains why.
    pub is_thin: bool,
    /// The command that computes it.
    pub command: String,
    /// All measures considered that the forest allows, valid ones first.
    pub verdicts: Vec<Verdict>,
}

/// Whether one measure serves one objective here, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// Identifier of the measure.
    pub measure: String,
    /// Its name in words.
    pub name: String,
    /// Whether it serves.
    pub validity: Validity,
    /// Why, as a sentence.
    pub reason: String,
    /// The theorem, table or simulation.
    pub source: String,
}
