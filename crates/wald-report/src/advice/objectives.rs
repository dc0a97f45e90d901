//! The decision: what to use for which objective, and the advice in three sentences.

use crate::advice::dependence::Dependence;
use crate::advice::forest_quality::Strength;
use crate::advice::interactions::Interactions;
use crate::advice::verdicts::{Cell, Objective, possible, verdicts};
use crate::advice::words::in_sentence;
use crate::advice::{Answer, Concern, Finding, ObjectiveAdvice, Validity, Verdict};
use wald::forest::{ClassWeight, ForestConfig, Sampling};
use wald::measure::{CostClass, MeasureId, Requirement};
use wald::message::{Procedure, Wording};
use wald::{message, setting};

/// With fewer rows the advice is thin whatever was found.
pub(super) const FEW_ROWS: usize = 100;

/// What the decision rests on.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each stands for a finding")]
pub(super) struct Known<'a> {
    pub(super) dependence: &'a Dependence,
    pub(super) interactions: &'a Interactions,
    pub(super) strength: Strength,
    pub(super) wording: &'a dyn Wording,
    pub(super) n_rows: usize,
    /// The measures that the forest allows.
    pub(super) allowed: &'a [MeasureId],
    /// What to do where the forest allows no measure; see [`without_measure`].
    pub(super) without_measure: &'a str,
    /// Whether it is known how the forest was grown, so that others like it can be.
    pub(super) grows_again: bool,
    /// Whether the usual selection takes this table, which few rows or clusters cannot be divided for.
    pub(super) can_select: bool,
    /// What forest would allow the measure that answers a question best.
    pub(super) other_forest: &'a str,
    /// Whether permuted rows lie outside the data.
    pub(super) is_outside: bool,
    /// Whether mdi favours kinds of variables.
    pub(super) favours_kinds: bool,
    /// Whether variables that could take the place of others are hidden from the trees.
    pub(super) hides: bool,
    /// Whether a Gaussian process predicts much better than the forest.
    pub(super) is_smooth: bool,
}

impl Known<'_> {
    fn cells(self) -> Vec<Cell> {
        possible(self.dependence.answer, self.interactions.answer)
    }

    /// Why the evidence is thin, whatever is asked.
    fn thin(self) -> Vec<&'static str> {
        let mut reasons = Vec::new();
        if self.n_rows < FEW_ROWS {
            reasons.push("there are few rows");
        }
        if self.strength.is_nothing() {
            reasons.push("nothing shows that the forest predicts better than the mean");
        } else if self.strength.is_weak() {
            reasons.push("the forest explains little");
        }
        reasons
    }
}

pub(super) fn objectives(known: Known<'_>) -> Vec<ObjectiveAdvice> {
    vec![selection(known), influence(known)]
}

fn selection(known: Known<'_>) -> ObjectiveAdvice {
    let (best, reason) = if known.hides {
        (
            "total_sobol_regrow",
            "total_sobol_regrow estimates the total Sobol index, what is lost without the \
             variable; sobol_mda is too large here, because so many variables compete at a node \
             that those which could take the place of others are hidden",
        )
    } else {
        (
            "sobol_mda",
            "sobol_mda estimates the total Sobol index, the variance lost without the variable, \
             whether or not variables depend on each other and interact (Theorem 2)",
        )
    };
    let question = Question {
        id: "selection",
        words: "Few variables with the best accuracy",
        objective: Objective::Selection,
        procedure: if known.grows_again && known.can_select { "select" } else { "importance" },
        best,
        reason: reason.to_owned(),
        thin: known.thin(),
    };
    question.answered(known)
}

fn influence(known: Known<'_>) -> ObjectiveAdvice {
    let mut thin = known.thin();
    let cells = known.cells();
    let may_interact = cells.contains(&Cell::Interacting);
    let is_dependent = known.dependence.answer == Answer::Yes;
    let (recommended, reason) = if may_interact {
        let reason = if known.interactions.answer == Answer::Yes && is_dependent {
            "with dependence and interactions no permutation importance is valid (Table 2); \
             shapley_effects divides what variables have in common among them, and combines no \
             values that do not occur together"
        } else {
            "it is not clear whether a permutation importance is valid here (Table 2); \
             shapley_effects is, whether or not variables depend on each other and interact"
        };
        ("shapley_effects", reason)
    } else if is_dependent {
        (
            "mda_breiman_cutler",
            "where effects add up it estimates the total and the full total Sobol index together, \
             so that variables which others can replace are found, too (Corollary 2)",
        )
    } else {
        (
            "mda_breiman_cutler",
            "with independent variables all permutation importances estimate the total Sobol \
             index (Corollary 1), and this one stays valid for the objective if a dependence was \
             missed and effects add up (Corollary 2)",
        )
    };
    if !may_interact && is_dependent && known.interactions.are_small() {
        thin.push("effects do not quite add up");
    }
    if !may_interact && is_dependent && known.interactions.could_be_missed() {
        thin.push("interactions could have been missed");
    }
    if !may_interact && is_dependent && known.is_outside {
        thin.push("many permuted rows lie outside the data, where forests extrapolate (Remark 2)");
    }
    if !may_interact && !is_dependent && known.dependence.is_thin() {
        thin.push("dependence could have been missed");
    }
    let mut reason = reason.to_owned();
    if is_dependent && may_interact && known.dependence.n_clusters() > 0 {
        let groups = message!(
            "; or measure each cluster as one variable, with sobol_mda",
            setting::GROUP_BY.word("dependence").hint(),
            ", which can be important even if its members replace each other"
        );
        reason.push_str(&groups.worded(known.wording));
    }
    let question = Question {
        id: "influence",
        words: "All influential variables",
        objective: Objective::Influence,
        procedure: "importance",
        best: recommended,
        reason,
        thin,
    };
    question.answered(known)
}

/// A question with the measure that answers it best where the forest allows it.
struct Question {
    id: &'static str,
    words: &'static str,
    objective: Objective,
    procedure: &'static str,
    best: &'static str,
    reason: String,
    thin: Vec<&'static str>,
}

impl Question {
    /// The answer that the forest allows.
    fn answered(self, known: Known<'_>) -> ObjectiveAdvice {
        let Self { best, mut reason, thin, .. } = self;
        if known.is_smooth {
            reason.push_str(
                "; here it is to be computed on a large sample of a Gaussian process, which \
                 predicts much better than the forest",
            );
        }
        let verdicts = verdicts(self.objective, known.allowed, &known.cells(), known.favours_kinds);
        let is_allowed = verdicts.iter().any(|verdict| verdict.measure == best);
        let next = verdicts.iter().find(|verdict| !is_allowed && stands_in(verdict));
        let (recommended, procedure, reason) = match next {
            _ if is_allowed => (Some(best), self.procedure, reason),
            Some(Verdict { measure, reason: why, .. }) => (
                Some(measure.as_str()),
                "importance",
                format!(
                    "of the measures that this forest allows, {measure} comes nearest: {} {} allows \
                     {best} as well: {reason}",
                    in_sentence(why),
                    known.other_forest,
                ),
            ),
            None => (
                None,
                self.procedure,
                format!("{} and use {best}: {reason}", known.without_measure),
            ),
        };
        ObjectiveAdvice {
            id: self.id.to_owned(),
            question: self.words.to_owned(),
            recommended: recommended.map(str::to_owned),
            reason: with_thin(&reason, &thin),
            is_thin: !thin.is_empty(),
            command: known.wording.line(&Procedure::of(
                if known.is_smooth { "surrogate" } else { procedure },
                recommended.unwrap_or(best),
            )),
            verdicts,
        }
    }
}

/// Whether a measure can be recommended in the place of one that the forest does not allow: it needs
/// no further rows and no further forests.
fn stands_in(verdict: &Verdict) -> bool {
    verdict.validity != Validity::Invalid
        && MeasureId::parse(&verdict.measure).is_some_and(|id| {
            let info = id.info();
            info.effort != CostClass::Refits && !info.needs.contains(&Requirement::TestRows)
        })
}

/// A sentence, with what makes its evidence thin.
fn with_thin(reason: &str, thin: &[&str]) -> String {
    let mut sentence = reason.to_owned();
    // Names of measures keep their letters.
    if !["sobol_mda", "total_sobol_", "shapley_effects", "mda_"]
        .iter()
        .any(|name| reason.starts_with(name))
        && let Some(first) = reason.get(..1)
    {
        sentence.replace_range(..1, &first.to_uppercase());
    }
    if thin.is_empty() {
        sentence + "."
    } else {
        format!("{sentence}. The evidence is thin: {}.", thin.join("; "))
    }
}

/// What to do where a forest, grown with these settings if they are known, allows no measure.
pub(super) fn without_measure(
    config: Option<&ForestConfig>,
    is_one_cluster: bool,
    wording: &dyn Wording,
) -> String {
    if is_one_cluster {
        return "no measure of this forest answers it, because all rows are one cluster: grow a \
                forest of at least two, or without clusters"
            .to_owned();
    }
    if config.is_some_and(|config| config.stratify) {
        return message!(
            "no measure of this forest answers it, because its trees draw some classes more often than \
             the table holds them: grow one without ",
            setting::STRATIFY
        )
        .worded(wording);
    }
    if config.is_some_and(|config| config.class_weight != ClassWeight::Equal) {
        return message!(
            "no measure of this forest answers it, because its trees weigh classes anew, and predict some \
             more often than the table holds them: grow one without ",
            setting::CLASS_WEIGHT
        )
        .worded(wording);
    }
    if config.is_none_or(|config| config.sampling != Sampling::All) {
        return "no measure of this forest answers it: grow a forest from the table".to_owned();
    }
    let bootstrap = setting::SAMPLING.word("bootstrap").hint();
    message!(
        "no measure of this forest answers it, because its trees leave no rows out: grow one with \
         bootstrap",
        bootstrap
    )
    .worded(wording)
}

/// What to do for an objective.
fn to_do(objective: &ObjectiveAdvice, known: Known<'_>) -> String {
    let thin = if objective.is_thin { " (the evidence is thin)" } else { "" };
    match &objective.recommended {
        Some(measure) => format!("use {measure}{thin}"),
        None => format!("{}{thin}", known.without_measure),
    }
}

/// At most three sentences: what the data are like, what to use, and what most deserves attention.
pub(super) fn summary(
    known: Known<'_>,
    findings: &[Finding],
    objectives: &[ObjectiveAdvice],
    names: &[String],
) -> Vec<String> {
    let depend = known.dependence.extent(names);
    let first = match (known.dependence.answer, known.interactions.answer) {
        (Answer::No, _) => "No dependence between variables that matters was found, so all \
                            permutation importances estimate the same up to a factor: what is lost \
                            without the variable."
            .to_owned(),
        (Answer::Yes, Answer::No) if known.interactions.are_small() => format!(
            "{depend} and effects add up but for small interactions, so permutation importances \
             are nearly well defined, but answer different questions."
        ),
        (Answer::Yes, Answer::No) => format!(
            "{depend} and there is no evidence against additivity; where these add up, permutation \
             importances are well defined, but answer different questions."
        ),
        (Answer::Yes, Answer::Yes) => format!(
            "{depend} and effects interact, so permutation importances contain a term that is not \
             an importance."
        ),
        (Answer::Yes, Answer::Unknown) => format!(
            "{depend}, and whether effects add up could not be tested, so permutation importances \
             may contain a term that is not an importance."
        ),
        (Answer::Unknown, _) => {
            "Whether variables depend on each other could not be tested, so only \
                                 measures that are valid in any case can be relied on."
                .to_owned()
        }
    };
    let mut sentences = vec![first];
    if let [selection, influence] = objectives {
        sentences.push(format!(
            "For few variables with the best accuracy {}; for all influential variables {}.",
            to_do(selection, known),
            to_do(influence, known),
        ));
    }
    let order = [
        "leakage",
        "repeated_rows",
        "case_weights",
        "weak_forest",
        "small_and_smooth",
        "masking",
        "cardinality",
        "imbalance",
        "too_few_trees",
        "node_size",
        "missingness",
    ];
    let of = |concern: Concern| {
        let wanted = |id: &&str| {
            findings.iter().find(|finding| finding.id == **id && finding.concern == concern)
        };
        order.iter().find_map(wanted)
    };
    if let Some(finding) = of(Concern::Serious).or_else(|| of(Concern::Minor)) {
        sentences.push(finding.sentence.clone());
    }
    sentences
}
