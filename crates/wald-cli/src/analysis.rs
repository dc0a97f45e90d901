//! From options to measurements: the part that `report` and `importance` share.

use std::path::Path;
use std::sync::Arc;

use wald::measure::MeasureOption;
use wald::pass::Measured;
use wald::words::counted;
use wald::{Dataset, ForestConfig};
use wald_report::{Content, Depth, Page, Parts, Report, ReportNotice, Study, WantedMeasures};
use wald_table::{DesignOptions, Notice};

use crate::arguments::{DataArguments, GrowingArguments, MeasureArguments, RunArguments};
use crate::failure::Failure;
use crate::grouping::Grouping;
use crate::host::Host;
use crate::inputs::{self, Data};
use crate::messages;
use crate::notes::Notes;
use crate::provenance::file_name;
use crate::subject::{Subject, announce};
use crate::wording::{CommandLine, command_line};

/// Checked options: what to do once the data are read.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    data: &'a Path,
    forest: Option<&'a Path>,
    test: Option<&'a Path>,
    background: Option<&'a Path>,
    design: DesignOptions,
    config: ForestConfig,
    wanted: WantedMeasures,
    grouping: Grouping<'a>,
    content: Content<'a>,
    host: Host,
}

/// What was found.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) dataset: Arc<Dataset>,
    pub(crate) measured: Measured,
    pub(crate) report: Report,
    /// What deserves a second look.
    pub(crate) notes: Notes,
}

impl<'a> Plan<'a> {
    /// Checks all options before any data is read.
    pub(crate) fn new(
        data: &'a DataArguments,
        measures: &'a MeasureArguments,
        growing: &'a GrowingArguments,
        run: &'a RunArguments,
    ) -> Result<Self, Failure> {
        let forest = measures.forest.as_deref();
        let test = measures.table(MeasureOption::TestRows);
        let background = measures.table(MeasureOption::Background);
        inputs::refuse_two_streams(&data.data, &[test, background])?;
        let config = growing.config(run.seed)?;
        if forest.is_none() {
            measures.check_blocks(config.n_trees)?;
        }
        Ok(Self {
            data: &data.data,
            forest,
            test,
            background,
            design: data.design(forest.is_some())?,
            config,
            wanted: measures.wanted(run.seed)?,
            grouping: measures.grouping.grouping(),
            content: Content { seed: run.seed, ..Content::default() },
            host: Host::new(run),
        })
    }

    /// Also looks at what a report shows beside importances.
    pub(crate) fn with_report(self, depth: Depth, explains: bool) -> Self {
        Self { content: Content { depth, explains, ..self.content }, ..self }
    }

    /// States what matters, unless measures are named.
    pub(crate) fn with_answer(self) -> Self {
        let is_open = self.wanted.is_open() && self.test.is_none();
        let depth = if is_open { Depth::Answer } else { Depth::Importances };
        Self { content: Content { depth, ..self.content }, ..self }
    }

    /// Files that are read and must not be overwritten.
    pub(crate) fn inputs(&self) -> Vec<&'a Path> {
        let tables = [Some(self.data), self.forest, self.test, self.background];
        tables.into_iter().flatten().collect()
    }

    /// Reads the background rows, if there are any, and gives them to the measures that average
    /// over them; returns what deserves a second look.
    fn read_background(&mut self, training: &Dataset) -> Result<Notes, Failure> {
        let Some(path) = self.background else { return Ok(Notes::default()) };
        let expected = wald_table::expected_columns(training.features());
        let read = self.design.cells_as_here(wald_table::read_options_for(&expected));
        let (doing, quiet) = ("reading background rows", self.host.quiet);
        let inputs::Rows { features, notes } = inputs::rows(path, &expected, read, doing, quiet)?;
        self.wanted = std::mem::take(&mut self.wanted).with_background(&Arc::new(features))?;
        Ok(notes)
    }

    /// Reads the test rows, if there are any, and gives them to the measures that look at them;
    /// returns what deserves a second look.
    fn read_test(&mut self, training: &Dataset) -> Result<Notes, Failure> {
        let Some(path) = self.test else { return Ok(Notes::default()) };
        let data = inputs::test_data(path, training, &self.design, self.host.quiet)?;
        let mut notes = vec![counted(data.prepared.dataset.n_rows(), "test row")];
        if std::fs::canonicalize(path).ok() == std::fs::canonicalize(self.data).ok() {
            let what = "the test rows are the training rows, which the forest has seen";
            notes.push(what.to_owned());
        }
        notes.extend(data.notes());
        self.wanted = std::mem::take(&mut self.wanted).with_test(&data.prepared.dataset)?;
        Ok(Notes::of_source(&data.source, notes))
    }

    /// Reads, grows, measures.
    pub(crate) fn carry_out(mut self) -> Result<Analysis, Failure> {
        let (design, grouping) = (&self.design, self.grouping);
        let subject = Subject::read(self.data, self.forest, design, grouping, &self.host)?;
        let Data { prepared, source, .. } = &subject.data;
        let dataset = &prepared.dataset;
        let of_others = self.read_test(dataset)?.and(self.read_background(dataset)?);
        let origin = subject.origin(&self.config);
        let (measures, refusals) = self.wanted.for_origin(origin, dataset, &self.host)?;
        announce(&subject.data, origin.n_trees(), self.host.quiet);
        let at_data = |error: wald::Error| Failure::from(error).at_data_file(source);
        let study = Study::new(dataset, origin, measures, self.content.depth, &self.host);
        let study = study.map_err(at_data)?;
        let row_numbers: Vec<u32> = prepared.rows.iter().map(|row| row + 1).collect();
        let content = Content { row_numbers: &row_numbers, ..self.content };
        let parts = Parts::make(&study, content, &self.host).map_err(at_data)?;
        if !self.host.quiet && content.depth > Depth::Answer {
            print_seconds(&parts);
        }
        let of_parts = parts.notices.clone();
        let page = Page {
            source: file_name(source),
            n_rows_read: prepared.n_rows_read,
            notices: notices(&subject.data),
            command: command_line(self.host.words.iter().cloned()),
            predictions: None,
        };
        let report = Report::build(&study, parts, page)?;
        let notes = subject.data.notes().and(of_others).and(refusals).and(of_parts);
        let Study { data: dataset, measured, .. } = study;
        Ok(Analysis { dataset, measured, report, notes })
    }
}

/// Prints how long every part took.
fn print_seconds(parts: &Parts) {
    let seconds = parts.seconds.iter();
    let seconds: Vec<String> =
        seconds.map(|(name, time)| format!("{name} {:.1} s", time.as_secs_f64())).collect();
    if !seconds.is_empty() {
        messages::print(&format!("parts of the report took: {}", seconds.join(", ")));
    }
}

pub(crate) fn notices(data: &Data) -> Vec<ReportNotice> {
    let of_file = data.notes.iter().map(|note| ReportNotice {
        kind: "note".to_owned(),
        column: None,
        message: note.clone(),
    });
    let of_column = |notice: &Notice| ReportNotice {
        kind: notice.kind.word().to_owned(),
        // The message names it.
        column: None,
        message: notice.message.worded(&CommandLine),
    };
    of_file.chain(data.prepared.notices.iter().map(of_column)).collect()
}
