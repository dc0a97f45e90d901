//! Reports.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use wald::Measure;
use wald::memory::Size;
use wald_report::{Depth, LEADING, Parts, PartsInput, Report, ReportInput, ReportNotice, unasked};

use crate::data::Dataset;
use crate::forest::{Forest, threads as of_number};
use crate::watch::watched;
use crate::wording::Arguments;
use crate::{errors, results, settings};

/// The content of a page besides numbers, and how much of it.
#[derive(FromPyObject)]
pub(crate) struct Words {
    source: String,
    command: String,
    date: String,
    /// Whether no forest is grown again for it.
    quick: bool,
    /// Whether measures were named.
    are_named: bool,
}

/// The measures that everybody sees, without those that do not apply or need much memory; and why each
/// of these was left out.
#[pyfunction]
#[pyo3(signature = (forest, data, *, threads=None))]
pub(crate) fn leading(
    py: Python<'_>,
    forest: &Forest,
    data: &Dataset,
    threads: Option<usize>,
) -> PyResult<(Vec<&'static str>, Vec<String>)> {
    let threads = of_number(py, threads)?;
    let (n_rows, n_trees) = (data.0.n_rows(), forest.0.trees().len());
    let (mut kept, mut left_out) = (Vec::new(), Vec::new());
    for &id in LEADING {
        let measure = Measure::new(id, wald::measure::MeasureSettings::default());
        let measure = measure.map_err(|error| errors::exception(py, &error))?;
        let size = Size::of_measuring(&forest.0, &data.0, std::slice::from_ref(&measure), threads);
        let id = id.info().id;
        if let Err(error) = measure.check(&forest.0) {
            let wald::WordedError { what, help } = error.worded(&Arguments);
            left_out.push(format!("{what}; {help}"));
        } else if let Err(why) = unasked(measure, n_rows, n_trees, &size) {
            left_out.push(format!("measure `{id}` {why}; name it to have it measured"));
        } else {
            kept.push(id);
        }
    }
    Ok((kept, left_out))
}

/// A page, what was measured, what deserves a second look in the data, and the answer as JSON.
type Made<'py> = (String, Bound<'py, PyDict>, Vec<String>, Option<String>);

/// The HTML page, what was measured, and what deserves a second look in the data.
#[pyfunction]
#[pyo3(signature = (forest, data, measures, words, *, threads=None, progress=None))]
pub(crate) fn report<'py>(
    py: Python<'py>,
    forest: &Forest,
    data: &Dataset,
    measures: Vec<settings::NamedMeasure<'py>>,
    words: Words,
    threads: Option<usize>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Made<'py>> {
    let threads = of_number(py, threads)?;
    let mut measures = settings::measures_of(&measures)?;
    if !words.are_named {
        let (n_rows, n_trees) = (data.0.n_rows(), forest.0.trees().len());
        for measure in &mut measures {
            let one = std::slice::from_ref(&*measure);
            let size = Size::of_measuring(&forest.0, &data.0, one, threads);
            // What needs much memory was left out before.
            if let Ok(part) = unasked(measure.clone(), n_rows, n_trees, &size) {
                *measure = part;
            }
        }
    }
    let (own, forest, data) = (forest, Arc::clone(&forest.0), Arc::clone(&data.0));
    let (measured, parts, remarks) = watched(py, threads, progress, |run| {
        let measured = own.fitted(&data, run)?.measure(&measures, run)?;
        let numbers: Vec<u32> = (1..=data.n_rows() as u32).collect();
        let input = PartsInput {
            data: &data,
            forest: Some(&forest),
            config: forest.config(),
            measured: &measured,
            measures: &measures,
            row_numbers: &numbers,
            depth: if words.quick { Depth::Quick } else { Depth::Full },
            explains: true,
            seed: forest.config().map_or(0, |config| config.seed),
            free: None,
            wording: &Arguments,
        };
        let parts = Parts::make(&input, run, |_, work| work())?;
        Ok((measured, parts, wald_table::remarks_on(&data)))
    })?;
    let notices = remarks.iter().map(|remark| ReportNotice {
        kind: remark.kind.word().to_owned(),
        // The message names it.
        column: None,
        message: remark.message.worded(&Arguments),
    });
    let notices = notices.collect();
    let report = Report::build(ReportInput {
        data: &data,
        measured: &measured,
        measures: &measures,
        config: forest.config(),
        source: words.source,
        n_rows_read: data.n_rows(),
        notices,
        parts,
        command: words.command,
        date: words.date,
    });
    let report = report.map_err(|error| errors::exception(py, &error))?;
    let page = wald_html::render(&report);
    let page = page.map_err(|error| errors::internal(py, &error.to_string()))?;
    let remarks = remarks.into_iter().map(|remark| remark.message.worded(&Arguments)).collect();
    let answer = report.answer.as_ref().map(|answer| settings::json(py, answer)).transpose()?;
    Ok((page, results::measured(py, &measured)?, remarks, answer))
}
