//! The report in the shape in which the template walks through it: numbers as text, tables as
//! rows. Nothing here computes a number that a reader sees; positions of dots and shades of
//! cells are layout.

mod answer;
mod cell;
mod data;
mod dependence;
mod disagreement;
mod explanations;
mod fact;
mod forest;
mod measure;
mod ranking;
mod selection;
mod shares;
mod surrogate;
mod variables;

use serde::Serialize;
use wald::data::Task;
use wald_report::{Citation, Report};

use crate::view::cell::Cell;
use crate::view::fact::{Fact, fact};

pub(crate) use surrogate::surrogate_page;

/// Everything the template needs.
#[derive(Debug, Serialize)]
pub(crate) struct Page<'a> {
    /// Identifiers and headings of the sections, in their order.
    contents: Vec<(&'static str, &'static str)>,
    title: &'a str,
    version: &'a str,
    date: &'a str,
    command: &'a str,
    seed: String,
    task: String,
    /// What importances come from.
    kind: &'static str,
    target: &'a str,
    facts: Vec<Fact>,
    answer: Option<answer::Answer<'a>>,
    /// What matters, in words and shares; where it is not there, what the leading measure shows.
    shares: Option<shares::Shares<'a>>,
    reading: Option<measure::Reading<'a>>,
    /// Those that the page answers with, and all others.
    measures: [Vec<measure::Measure<'a>>; 2],
    all: measure::AllVariables<'a>,
    disagreement: Option<disagreement::Disagreement<'a>>,
    dependence: Option<dependence::Dependence<'a>>,
    variables: Vec<variables::Variable<'a>>,
    selection: Option<selection::Selection<'a>>,
    rows: Option<explanations::Rows<'a>>,
    forest: forest::Forest<'a>,
    data: data::Data<'a>,
    methods: &'a str,
    citations: &'a [Citation],
}

/// Arranges a report.
pub(crate) fn page(report: &Report) -> Page<'_> {
    let pages = report.variables.iter().map(|page| page.name.as_str()).zip(1..).collect();
    Page {
        contents: contents(report),
        title: &report.title,
        version: &report.version,
        date: &report.date,
        command: &report.command,
        seed: report.seed.to_string(),
        task: match (report.task, &report.predictions) {
            (Task::Regression, None) => "Regression".to_owned(),
            (Task::Regression, Some(words)) => format!("Regression of {words}"),
            (Task::Classification, _) => "Classification".to_owned(),
        },
        kind: match report.task {
            Task::Regression => "Regression forest",
            Task::Classification => "Classification forest",
        },
        target: &report.target,
        facts: facts(report),
        answer: answer::answer(report),
        shares: report.answer.as_ref().and_then(|answer| shares::shares(answer, &pages)),
        reading: measure::reading(&report.measures),
        measures: measure::measures(report, &pages),
        all: measure::all_variables(report, &pages),
        disagreement: disagreement::disagreement(report),
        dependence: dependence::dependence(report),
        variables: variables::variables(report),
        selection: selection::selection(report),
        rows: explanations::rows(report),
        forest: forest::forest(report),
        data: data::data(&report.data),
        methods: &report.methods,
        citations: &report.citations,
    }
}

/// The sections that this report has.
fn contents(report: &Report) -> Vec<(&'static str, &'static str)> {
    let n_measures = report.measures.len();
    let has_others = !measure::measures(report, &ranking::Pages::new())[1].is_empty();
    let has_rows = explanations::rows(report).is_some();
    let has_map = report.dependence.as_ref().is_some_and(|map| !map.variables.is_empty());
    let has_curve = report.selection.as_ref().is_some_and(|curve| !curve.points.is_empty());
    let all = [
        ("answer", "Answer", n_measures > 0 || report.advice.is_some() || report.answer.is_some()),
        ("disagreement", "Disagreement", n_measures > 1 || report.disagreement.is_some()),
        ("all", "All variables", n_measures > 0),
        ("dependence", "Dependence", has_map),
        ("variables", "Variable by variable", !report.variables.is_empty()),
        ("selection", "How many", has_curve),
        ("rows", "Single rows", has_rows),
        ("measures", "Other measures", has_others),
        ("forest", "Forest", true),
        ("data", "Data", true),
        ("methods", "Methods", true),
    ];
    all.into_iter().filter(|part| part.2).map(|part| (part.0, part.1)).collect()
}

fn facts(report: &Report) -> Vec<Fact> {
    let mut facts = vec![
        fact("rows", Cell::count(report.data.n_rows)),
        fact("variables", Cell::count(report.data.n_features)),
        fact("missing cells", Cell::count(report.data.n_missing)),
        fact("trees", Cell::count(report.forest.n_trees)),
    ];
    if let Some(error) = report.forest.errors.first() {
        facts.push(fact(&format!("{}, out of bag", error.name), Cell::single(Some(error.value))));
    }
    if let Some(auc) = report.forest.auc {
        facts.push(fact("AUC, out of bag", Cell::single(Some(auc))));
    } else if report.task == Task::Regression {
        let explained = Cell::single(report.forest.explained_variance);
        facts.push(fact("explained variance, out of bag", explained));
    }
    facts
}
