//! The advice: which measure answers which question, and what that rests on.

use serde::Serialize;
use wald_report::Report;
use wald_report::advice::{Concern, Finding, FurtherQuestion, ObjectiveAdvice, Validity, Verdict};

use crate::view::cell::Cell;

/// The results of the advice.
#[derive(Debug, Serialize)]
pub(super) struct Answer<'a> {
    summary: &'a [String],
    objectives: Vec<Objective<'a>>,
    further: &'a [FurtherQuestion],
    /// What was found, the most serious first.
    found: Vec<Found<'a>>,
    /// What was looked at and is no concern.
    no_concern: Vec<Found<'a>>,
}

#[derive(Debug, Serialize)]
struct Objective<'a> {
    id: &'a str,
    question: &'a str,
    measure: &'a str,
    measure_id: &'a str,
    /// Number of the measure's article, where the report has it.
    article: Option<usize>,
    reason: &'a str,
    is_thin: bool,
    command: &'a str,
    verdicts: Vec<Judged<'a>>,
    counts: [usize; 3],
}

#[derive(Debug, Serialize)]
struct Judged<'a> {
    name: &'a str,
    id: &'a str,
    article: Option<usize>,
    validity: &'static str,
    words: &'static str,
    reason: &'a str,
    source: &'a str,
}

#[derive(Debug, Serialize)]
struct Found<'a> {
    id: &'a str,
    name: &'a str,
    concern: &'static str,
    words: &'static str,
    sentence: &'a str,
    consequence: &'a str,
    evidence: Vec<(&'a str, Cell)>,
    variables: &'a [String],
    source: &'a str,
}

/// Arranges the advice.
pub(super) fn answer(report: &Report) -> Option<Answer<'_>> {
    let advice = report.advice.as_ref()?;
    let mut findings: Vec<&Finding> = advice.findings.iter().collect();
    findings.sort_by_key(|finding| match finding.concern {
        Concern::Serious => 0,
        Concern::Minor => 1,
        Concern::Unknown => 2,
        Concern::None => 3,
    });
    let (no_concern, found): (Vec<&Finding>, Vec<&Finding>) =
        findings.into_iter().partition(|finding| finding.concern == Concern::None);
    Some(Answer {
        summary: &advice.summary,
        objectives: advice.objectives.iter().map(|one| objective(one, report)).collect(),
        further: &advice.further,
        found: found.into_iter().map(of_finding).collect(),
        no_concern: no_concern.into_iter().map(of_finding).collect(),
    })
}

fn article(id: &str, report: &Report) -> Option<usize> {
    report.measures.iter().position(|measure| measure.id == id).map(|index| index + 1)
}

fn objective<'a>(objective: &'a ObjectiveAdvice, report: &'a Report) -> Objective<'a> {
    let id = objective.recommended.as_deref().unwrap_or("a forest to be grown");
    let named = objective.verdicts.iter().find(|verdict| verdict.measure == id);
    let computed = report.measures.iter().find(|measure| measure.id == id);
    let name = named.map(|verdict| verdict.name.as_str());
    let count =
        |validity| objective.verdicts.iter().filter(|verdict| verdict.validity == validity).count();
    Objective {
        id: &objective.id,
        question: &objective.question,
        measure: computed.map(|measure| measure.name.as_str()).or(name).unwrap_or(id),
        measure_id: id,
        article: article(id, report),
        reason: &objective.reason,
        is_thin: objective.is_thin,
        command: &objective.command,
        verdicts: objective.verdicts.iter().map(|verdict| judged(verdict, report)).collect(),
        counts: [Validity::Valid, Validity::Careful, Validity::Invalid].map(count),
    }
}

fn judged<'a>(verdict: &'a Verdict, report: &Report) -> Judged<'a> {
    let (validity, words) = match verdict.validity {
        Validity::Valid => ("valid", "valid"),
        Validity::Careful => ("careful", "with caution"),
        Validity::Invalid => ("invalid", "not valid"),
    };
    Judged {
        name: &verdict.name,
        id: &verdict.measure,
        article: article(&verdict.measure, report),
        validity,
        words,
        reason: &verdict.reason,
        source: &verdict.source,
    }
}

fn of_finding(finding: &Finding) -> Found<'_> {
    let (concern, words) = match finding.concern {
        Concern::None => ("none", "no concern"),
        Concern::Unknown => ("unknown", "not known"),
        Concern::Minor => ("minor", "worth knowing"),
        Concern::Serious => ("serious", "serious"),
    };
    Found {
        id: &finding.id,
        name: &finding.name,
        concern,
        words,
        sentence: &finding.sentence,
        consequence: &finding.consequence,
        evidence: finding
            .evidence
            .iter()
            .map(|evidence| (evidence.name.as_str(), Cell::single(evidence.value)))
            .collect(),
        variables: &finding.variables,
        source: &finding.source,
    }
}
