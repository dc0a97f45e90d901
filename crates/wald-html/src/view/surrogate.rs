//! A page on importances from few runs: both ways, and how far to believe the process.

use serde::Serialize;
use wald::digits::Digits;
use wald_report::{Citation, SurrogateReport, TwoWays, Value};
use wald_surrogate::Way;

use super::data::{Notice, notice};
use super::fact::{Fact, fact};
use super::ranking::Columns;
use crate::chart::{left_out, two_ways};
use crate::number::{self, Number};
use crate::view::cell::{Cell, align};

/// Everything the template needs.
#[derive(Debug, Serialize)]
pub(crate) struct SurrogatePage<'a> {
    contents: Vec<(&'static str, &'static str)>,
    title: &'a str,
    version: &'a str,
    date: &'a str,
    command: &'a str,
    seed: String,
    task: &'static str,
    kind: &'static str,
    target: &'a str,
    facts: Vec<Fact>,
    data: Source<'a>,
    verdict: &'a str,
    reason: &'a str,
    notices: Vec<Notice<'a>>,
    confidence: &'a str,
    ways: Vec<Ways<'a>>,
    about: &'a [String],
    judgements: Vec<Judged<'a>>,
    /// Markup made by this crate; none where the predictions are not known.
    left_out: Option<String>,
    inputs: &'a str,
    outside: Vec<(&'a str, Cell)>,
    methods: &'a str,
    citations: &'a [Citation],
}

/// Where the runs come from.
#[derive(Debug, Serialize)]
struct Source<'a> {
    source: &'a str,
}

/// One measure.
#[derive(Debug, Serialize)]
struct Ways<'a> {
    id: &'a str,
    name: &'a str,
    estimand: &'a str,
    unit: &'a str,
    /// Which columns are doubtful.
    is_direct_doubtful: bool,
    is_two_step_doubtful: bool,
    has_exact: bool,
    /// Markup made by this crate.
    picture: String,
    /// Names, and cells in the order of the columns.
    rows: Vec<(&'a str, Vec<Cell>)>,
    notes: &'a [String],
}

/// A number that judges the process.
#[derive(Debug, Serialize)]
struct Judged<'a> {
    name: &'a str,
    value: Cell,
    reading: &'a str,
}

/// Arranges the page.
pub(crate) fn surrogate_page(report: &SurrogateReport) -> SurrogatePage<'_> {
    let values = report.judgements.iter().map(|judgement| number::value(judgement.value));
    let outside = report.outside.iter();
    SurrogatePage {
        contents: vec![
            ("two-ways", "Importances"),
            ("process", "The process"),
            ("sample", "The sample"),
            ("methods", "Methods"),
        ],
        title: &report.title,
        version: &report.version,
        date: &report.date,
        command: &report.command,
        seed: report.seed.to_string(),
        task: "Regression",
        kind: "Gaussian process and forest",
        target: &report.target,
        facts: facts(report),
        data: Source { source: &report.source },
        verdict: &report.verdict,
        reason: &report.reason,
        notices: report.notices.iter().map(notice).collect(),
        confidence: &report.confidence,
        ways: report.measures.iter().map(|measure| ways(measure, report.believed)).collect(),
        about: &report.about,
        judgements: report
            .judgements
            .iter()
            .zip(align(values))
            .map(|(judgement, value)| Judged {
                name: &judgement.name,
                value,
                reading: &judgement.reading,
            })
            .collect(),
        left_out: (!report.left_out.is_empty())
            .then(|| left_out(&report.left_out, &report.target).embedded()),
        inputs: &report.inputs,
        outside: outside
            .map(|outside| (outside.input.as_str(), Cell::single(Some(outside.share))))
            .collect(),
        methods: &report.methods,
        citations: &report.citations,
    }
}

fn facts(report: &SurrogateReport) -> Vec<Fact> {
    let explained = &report.explained;
    vec![
        fact("runs", Cell::count(report.n_runs)),
        fact("inputs", Cell::count(report.n_inputs)),
        fact("rows of the sample", Cell::count(report.n_rows)),
        fact("explained by the process, refitted", Cell::single(Some(explained.cross_validated))),
        fact("explained by the forest of the runs, out of bag", Cell::single(explained.forest)),
    ]
}

fn ways(measure: &TwoWays, believed: Way) -> Ways<'_> {
    let digits = Digits::of(measure.values.iter().filter_map(|value| value.two_step));
    let column = |of: &dyn Fn(&Value) -> Option<f64>| {
        let numbers = measure.values.iter().map(|value| number::shared(digits, of(value)));
        numbers.collect::<Vec<Number>>()
    };
    let mut columns = Columns::of([
        column(&|value| value.two_step),
        column(&|value| value.errors?.trees),
        column(&|value| Some(value.errors?.rows)),
        column(&|value| Some(value.errors?.process)),
        column(&|value| Some(value.interval?.low)),
        column(&|value| Some(value.interval?.high)),
        column(&|value| value.direct),
        column(&|value| value.exact),
    ]);
    let rows = measure.values.iter();
    Ways {
        id: &measure.id,
        name: &measure.name,
        estimand: &measure.estimand,
        unit: &measure.unit,
        is_direct_doubtful: believed != Way::Direct,
        is_two_step_doubtful: believed != Way::TwoStep,
        has_exact: measure.values.iter().any(|value| value.exact.is_some()),
        picture: two_ways(measure, believed).embedded(),
        rows: rows.map(|value| (value.name.as_str(), columns.next_row().collect())).collect(),
        notes: &measure.notes,
    }
}
