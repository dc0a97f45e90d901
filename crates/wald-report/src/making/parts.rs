//! What parts are made from, and those that were made.

use std::time::Duration;

use crate::advice::Advice;
use crate::answer::Answer;
use crate::explanations::Explanations;
use crate::making::sampled::SampledMeasure;
use crate::parts::{DependenceMap, Disagreement, SelectionCurve, VariablePage};
use crate::report::SampledVariable;
use wald::Importance;
use wald::data::Dataset;
use wald::forest::{Forest, ForestConfig};
use wald::measure::Measure;
use wald::pass::Measured;

/// How much is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Depth {
    /// Everything, also what needs forests grown anew, as far as that takes about as long as the forest
    /// itself.
    #[default]
    Full,
    /// Results for the forest at hand: no forest is grown again.
    Quick,
    /// What matters, and nothing else.
    Answer,
}

/// What parts are made from.
#[derive(Debug, Clone, Copy)]
pub struct PartsInput<'a> {
    /// The data the forest was grown on.
    pub data: &'a Dataset,
    /// Its trees; `None` where they were not kept.
    pub forest: Option<&'a Forest>,
    /// How it was grown; `None` for a foreign forest, which cannot be grown again.
    pub config: Option<&'a ForestConfig>,
    /// What was measured.
    pub measured: &'a Measured,
    /// The measures, in the order of `measured.importances`.
    pub measures: &'a [Measure],
    /// Numbers of the training rows in the user's table, counted from 1.
    pub row_numbers: &'a [u32],
    /// How much is looked at.
    pub depth: Depth,
    /// Whether single rows are explained.
    pub explains: bool,
    /// Seed of the rows that pictures show.
    pub seed: u64,
    /// Bytes of memory that are free; `None` where that is not known.
    pub free: Option<u64>,
}

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

    /// What intervals of a measure cover, in words.
    pub(crate) fn sampling(&self, measure: usize) -> Option<String> {
        self.sampled_measure(measure).map(|sampled| sampled.words.clone())
    }

    /// How sure a measure is of a variable.
    pub(crate) fn sampled_variable(
        &self,
        measure: usize,
        variable: usize,
    ) -> Option<SampledVariable> {
        self.sampled_measure(measure)?.variable(variable)
    }

    fn sampled_measure(&self, measure: usize) -> Option<&SampledMeasure> {
        self.sampled.get(measure)?.as_ref()
    }
}

/// The measure that a report leads with: the one advised for selecting variables, where it was
/// computed, or the one of the answer, else the first.
pub(crate) fn leading(parts: &Parts, measures: &[Measure]) -> usize {
    let of_answer = parts.answer.as_ref().map(|answer| answer.measure.as_str());
    let advised = recommended(parts.advice.as_ref()).or(of_answer);
    let place =
        advised.and_then(|id| measures.iter().position(|measure| measure.id().info().id == id));
    place.unwrap_or(0)
}

/// The measure advised for few variables with the best accuracy.
pub(super) fn recommended(advice: Option<&Advice>) -> Option<&str> {
    let objective = advice?.objectives.iter().find(|objective| objective.id == "selection");
    objective?.recommended.as_deref()
}
