//! Reports.

use std::collections::HashMap;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use wald::memory::Size;
use wald::{DecimalMark, Origin};
use wald_report::{
    Choice, Content, Depth, Page, Parts, Quiet, Report, ReportNotice, Study, WantedMeasures,
    leading_measures,
};

use crate::data::Dataset;
use crate::forest::Forest;
use crate::watch::Work;
use crate::wording::Arguments;
use crate::{errors, results, settings};

/// What a page states besides numbers, and how much it shows.
#[derive(FromPyObject)]
pub(crate) struct Words {
    source: String,
    command: String,
    /// Whether no forest is grown again for it.
    quick: bool,
    /// Whether measures were named.
    are_named: bool,
    /// Whether numbers have commas before their decimals.
    has_commas: bool,
    /// Measures that are not advised, and not among those of `measures`.
    refused: Vec<String>,
    /// Why some of the measures that were not named are left out.
    left_out: Vec<String>,
    /// By unit that the engine states, the one that the forest has.
    units: HashMap<String, String>,
    /// What predictions are called that are not the target itself.
    predictions: Option<String>,
}

/// The measures of a report unless others are named; with `test`, also the one of test rows.
#[pyfunction]
pub(crate) fn leading(test: bool) -> Vec<&'static str> {
    leading_measures(test).into_iter().map(|id| id.info().id).collect()
}

/// A page, what was measured, why measures were left out, what deserves a second look in the data,
/// and the answer as JSON.
type Made<'py> = (String, Bound<'py, PyDict>, Vec<String>, Vec<String>, Option<String>);

/// The HTML page, and what stands on it.
#[pyfunction]
#[pyo3(signature = (forest, data, measures, words, *, work))]
pub(crate) fn report<'py>(
    forest: &Forest,
    data: &Dataset,
    measures: settings::NamedMeasures<'py>,
    words: Words,
    work: Work<'py>,
) -> PyResult<Made<'py>> {
    let py = work.py;
    let measures = measures.measures()?;
    let choice = if words.are_named { Choice::Named } else { Choice::Leading };
    let Words { source, command, refused, left_out, units, predictions, .. } = words;
    let wanted = WantedMeasures { measures, choice, left_out };
    let (own, data) = (forest, Arc::clone(&data.0));
    work.check_room(&data, own.0.trees().len(), || {
        Ok(Size::of_measuring(&own.0, &data, &wanted.measures, work.threads))
    })?;
    let (study, left_out, parts, remarks) = work.watched(|run| {
        let front = Quiet { run, wording: &Arguments, free: wald_table::free_memory() };
        let fitted = own.fitted(&data, run)?;
        let origin = Origin::Fitted(&fitted);
        let (measures, left_out) = wanted.for_origin(origin, &data, &front)?;
        let depth = if words.quick { Depth::Quick } else { Depth::Full };
        let mut study = Study::new(&data, origin, measures, depth, &front)?;
        study.allowed.retain(|id| !refused.iter().any(|name| name == id.info().id));
        for importance in &mut study.measured.importances {
            if let Some(unit) = units.get(&importance.unit) {
                importance.unit.clone_from(unit);
            }
        }
        let content = Content {
            depth,
            explains: true,
            seed: study.config.as_ref().map_or(0, |config| config.seed),
            row_numbers: &(1..=data.n_rows() as u32).collect::<Vec<u32>>(),
        };
        let parts = Parts::make(&study, content, &front)?;
        Ok((study, left_out, parts, wald_table::remarks_on(&data)))
    })?;
    let notices = remarks.iter().map(|remark| ReportNotice {
        kind: remark.kind.word().to_owned(),
        // The message names it.
        column: None,
        message: remark.message.worded(&Arguments),
    });
    let page = Page {
        source,
        n_rows_read: study.data.n_rows(),
        notices: notices.collect(),
        command,
        predictions,
    };
    let report = Report::build(&study, parts, page);
    let report = report.map_err(|error| errors::exception(py, &error))?;
    let mark = if words.has_commas { DecimalMark::Comma } else { DecimalMark::Point };
    let page = wald_html::render(&report, mark);
    let page = page.map_err(|error| errors::internal(py, &error.to_string()))?;
    let remarks = remarks.into_iter().map(|remark| remark.message.worded(&Arguments)).collect();
    let answer = report.answer.as_ref().map(|answer| settings::json(py, answer)).transpose()?;
    Ok((page, results::measured(py, &study.measured)?, left_out, remarks, answer))
}
