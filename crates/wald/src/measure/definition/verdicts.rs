//! Which objective a measure serves in each column of Table 2 of Bénard, Da Veiga & Scornet 2022,
//! as the definitions of the measures state it; and sentences that several of them share.

use serde::Serialize;

/// Whether a measure answers a question on these data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Validity {
    /// It estimates what the objective asks for.
    Valid,
    /// It does so under conditions that the evidence does not settle.
    Careful,
    /// It estimates something else, or misleads.
    Invalid,
}

/// Whether a measure serves one objective, and why: where variables are independent; dependent with
/// effects that add up; dependent with interactions.
#[derive(Debug, PartialEq)]
pub struct Judgement {
    /// Whether it serves.
    pub serves: [Validity; 3],
    /// Why.
    pub because: [&'static str; 3],
}

/// A row of Table 2, or one like it for a measure that the table does not have.
#[derive(Debug, PartialEq)]
pub struct Row {
    /// Objective (i): few variables, best accuracy.
    pub selection: Judgement,
    /// Objective (ii): all influential variables.
    pub influence: Judgement,
    /// Paper and table.
    pub source: &'static str,
}

/// The row of a measure, and its place among measures that serve equally well.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdicts {
    /// The smaller, the better.
    pub place: u8,
    /// The row.
    pub row: &'static Row,
}

pub(in crate::measure) const TABLE_2: &str = "Bénard, Da Veiga & Scornet 2022, Table 2";
pub(in crate::measure) const INDEPENDENT: &str = "\
    With independent variables it estimates the total Sobol index, which serves both objectives \
    (Corollary 1).";
pub(in crate::measure) const NOT_WHAT_IS_SHARED: &str = "\
    Estimates the total Sobol index, which is near zero for influential variables that others can \
    replace.";
pub(in crate::measure) const THIRD_TERM: &str = "\
    Contains the third term of Proposition 2, which is not an importance and can exceed the \
    others.";
pub(in crate::measure) const PART_OF_INTERACTIONS: &str = "\
    Credits a variable for part of the interactions only; the order is often that of the total \
    Sobol index.";
pub(in crate::measure) const SHARES_CREDIT: &str = "\
    Shares credit among variables that can replace each other: it does not show what is lost \
    without one.";
