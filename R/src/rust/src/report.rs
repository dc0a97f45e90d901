//! Reports.

use extendr_api::prelude::*;
use wald::{DecimalMark, Origin};
use wald_report::{
    Choice, Content, Depth, Page, Parts, Report, Study, WantedMeasures, leading_measures,
};

use crate::failure::{Failure, answer};
use crate::given::Given;
use crate::importance::importance;
use crate::pointer;
use crate::settings;
use crate::table::with_groups;
use crate::values;
use crate::watch::Work;

/// The names of the measures of a report unless others are named.
fn leading(has_test: bool) -> Robj {
    let names = leading_measures(has_test).into_iter().map(|id| id.info().id);
    Robj::from(names.collect::<Vec<&str>>())
}

/// The HTML page, what was measured, and why measures were left out.
#[extendr]
fn report_forest(forest: Robj, data: Robj, asked: Robj, work: Robj) -> Robj {
    answer(|| {
        let (forest, work) = (pointer::forest(&forest)?, Work::of(&work)?);
        let asked = Given::of(&asked)?;
        let part = |name: &str| asked.get(name).unwrap_or_else(|| ().into());
        let data = with_groups(&pointer::data(&data)?, &part("groups"))?;
        let named = asked.get("measures");
        let choice = if named.is_some() { Choice::Named } else { Choice::Leading };
        let names = named.unwrap_or_else(|| leading(asked.get("test").is_some()));
        let measures = settings::measures(&names, &part("settings"))?;
        let wanted = WantedMeasures { measures, choice, left_out: Vec::new() };
        let depth = if asked.flag("quick")? { Depth::Quick } else { Depth::Full };
        let forest = &forest;
        let (study, left_out, parts) = work.watched(|run| {
            let front = work.room.front(run);
            let fitted = forest.fitted(&data, run)?;
            let origin = Origin::Fitted(&fitted);
            let (measures, left_out) = wanted.for_origin(origin, &data, &front)?;
            let study = Study::new(&data, origin, measures, depth, &front)?;
            let content = Content {
                depth,
                explains: true,
                seed: study.config.as_ref().map_or(0, |config| config.seed),
                row_numbers: &(1..=data.n_rows() as u32).collect::<Vec<u32>>(),
            };
            let parts = Parts::make(&study, content, &front)?;
            Ok((study, left_out, parts))
        })?;
        let page = Page {
            source: asked.text("source")?,
            n_rows_read: study.data.n_rows(),
            notices: Vec::new(),
            command: asked.text("command")?,
            predictions: None,
        };
        let report = Report::build(&study, parts, page)?;
        let has_commas = asked.flag("commas")?;
        let mark = if has_commas { DecimalMark::Comma } else { DecimalMark::Point };
        let html = wald_html::render(&report, mark);
        let html = html.map_err(|error| Failure::internal(error.to_string()))?;
        let found = study.measured.importances.iter().map(importance);
        values::named([
            ("html", Robj::from(html)),
            ("importances", List::from_values(found.collect::<Result<Vec<_>, _>>()?).into()),
            ("left_out", Robj::from(left_out)),
            ("answer", values::document(&report.answer)?),
        ])
    })
}

extendr_module! {
    mod report;
    fn report_forest;
}
