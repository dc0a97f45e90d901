//! The parts of a report that were made.

use std::time::Duration;

use crate::advice::Advice;
use crate::answer::Answer;
use crate::explanations::Explanations;
use crate::leading::{REGROWN, SHARES};
use crate::making::sampled::SampledMeasure;
use crate::parts::{DependenceMap, Disagreement, SelectionCurve, VariablePage};
use wald::Importance;
use wald::measure::Measure;

/// The parts of a report that could be made; the others are missing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parts {
    /// What matters for the target.
    pub answer: Option<Answer>,
    /// Which measure answers which question here.
    pub advice: Option<Advice>,
    /// Why the measures disagree.
    pub disagreement: Option<Disagreement>,
    /// Redundant variables.
    pub dependence: Option<DependenceMap>,
    /// Single variables.
    pub variables: Vec<VariablePage>,
    /// How many variables are enough.
    pub selection: Option<SelectionCurve>,
    /// Explanations of single rows.
    pub explanations: Option<Explanations>,
    /// What is missing and why, and what was looked at in part, in sentences without a full stop.
    pub notices: Vec<String>,
    /// How long every part took. It is no part of a report: equal data have equal reports.
    pub seconds: Vec<(&'static str, Duration)>,
    /// Measures that are advised and were not asked for.
    pub(crate) advised: Vec<(Measure, Importance)>,
    /// One entry per measure, where other rows were requested.
    pub(super) sampled: Vec<Option<SampledMeasure>>,
}

impl Parts {
    /// Whether other rows were requested.
    pub(crate) fn has_intervals(&self) -> bool {
        self.sampled.iter().any(Option::is_some)
    }

    /// What other rows of the same population would change of a measure.
    pub(crate) fn sampled_measure(&self, measure: usize) -> Option<&SampledMeasure> {
        self.sampled.get(measure)?.as_ref()
    }
}

/// The measure that a report leads with: the one advised for selecting variables, where it was
/// computed, or the one of the answer, else the first. Where growing branches again is advised, that is
/// Sobol-MDA, which estimates the same.
pub(crate) fn leading(parts: &Parts, measures: &[Measure]) -> usize {
    let of_answer = parts.answer.as_ref().map(|answer| answer.measure.as_str());
    let advised = recommended(parts.advice.as_ref());
    let likewise = advised.filter(|id| *id == REGROWN.info().id).map(|_| SHARES.info().id);
    let place = |id: &str| measures.iter().position(|measure| measure.id().info().id == id);
    [advised, likewise, of_answer].into_iter().flatten().find_map(place).unwrap_or(0)
}

/// The measure advised for few variables with the best accuracy.
pub(super) fn recommended(advice: Option<&Advice>) -> Option<&str> {
    let objective = advice?.objectives.iter().find(|objective| objective.id == "selection");
    objective?.recommended.as_deref()
}
