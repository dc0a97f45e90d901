//! From options to measurements: the part that `report` and `importance` share.

use crate::wording::{CommandLine, command_line};
use std::path::Path;
use std::sync::Arc;
use wald::words::counted;

use wald::forest::Keep;
use wald::measure::MeasureOption;
use wald::pass::Measured;
use wald::{Dataset, Forest, ForestConfig, Progress, Run};
use wald_report::{Depth, Parts, Report, ReportInput, ReportNotice};
use wald_table::{DesignOptions, Notice};

use crate::arguments::{
    DataArguments, GrowingArguments, MeasureArguments, RunArguments, Selection,
};
use crate::failure::Failure;
use crate::grouping::Grouping;
use crate::inputs::{self, Data, ForestFile};
use crate::messages;
use crate::notes::Notes;
use crate::parts::{Subject, Wanted, tell_seconds};
use crate::progress::with_progress;
use crate::provenance::{file_name, today, words};
use crate::room::{self, Growing};

/// Checked options: what to do once the data are read.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    data: &'a Path,
    forest: Option<&'a Path>,
    test: Option<&'a Path>,
    background: Option<&'a Path>,
    design: DesignOptions,
    config: ForestConfig,
    selection: Selection,
    grouping: Grouping<'a>,
    /// The results shown with rankings.
    parts: Option<Wanted>,
    run: &'a RunArguments,
}

/// What was found.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) dataset: Dataset,
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
            selection: measures.selection(run.seed)?,
            grouping: Grouping { named: &measures.group, rule: measures.group_by },
            parts: None,
            run,
        })
    }

    /// Also makes the parts of a report, for which trees are kept.
    pub(crate) fn with_parts(self, wanted: Wanted) -> Self {
        Self { parts: Some(wanted), ..self }
    }

    /// States what matters, unless measures are named.
    pub(crate) fn with_answer(self) -> Self {
        let wanted = Wanted { depth: Depth::Answer, explains: false };
        let is_open = self.selection.is_open() && self.test.is_none();
        Self { parts: is_open.then_some(wanted), ..self }
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
        let (doing, quiet) = ("reading background rows", self.run.quiet);
        let inputs::Rows { features, notes } = inputs::rows(path, &expected, read, doing, quiet)?;
        self.selection =
            std::mem::take(&mut self.selection).with_background(&Arc::new(features))?;
        Ok(notes)
    }

    /// Reads the test rows, if there are any, and gives them to the measures that look at them;
    /// returns what deserves a second look.
    fn read_test(&mut self, training: &Dataset) -> Result<Notes, Failure> {
        let Some(path) = self.test else { return Ok(Notes::default()) };
        let data = inputs::test_data(path, training, &self.design, self.run.quiet)?;
        let mut notes = vec![counted(data.prepared.dataset.n_rows(), "test row")];
        if std::fs::canonicalize(path).ok() == std::fs::canonicalize(self.data).ok() {
            let what = "the test rows are the training rows, which the forest has seen";
            notes.push(what.to_owned());
        }
        notes.extend(data.notes());
        let test = Arc::new(data.prepared.dataset);
        self.selection = std::mem::take(&mut self.selection).with_test(&test)?;
        Ok(Notes::of_source(&data.source, notes))
    }

    /// Reads, grows, measures.
    pub(crate) fn carry_out(mut self) -> Result<Analysis, Failure> {
        let (threads, quiet) = (self.run.threads(), self.run.quiet);
        let progress = Progress::new();
        let of_others;
        let (data, measured, forest, (measures, refusals), config) = if let Some(path) = self.forest
        {
            let file = ForestFile::read(path)?;
            let (forest, data) =
                file.with_training_data(self.data, self.design.clone(), threads, quiet)?;
            let data = self.grouping.apply(data, &Run::new(threads, &progress), quiet)?;
            let of_test = self.read_test(&data.prepared.dataset)?;
            of_others = of_test.and(self.read_background(&data.prepared.dataset)?);
            let (measures, refusals) =
                self.selection.for_forest(&forest, &data.prepared.dataset, threads)?;
            announce(&data, forest.trees().len(), quiet);
            room::check_measuring(&forest, &data.prepared.dataset, &measures, threads)?;
            let measure =
                || forest.measure(&data.prepared.dataset, &measures, &Run::new(threads, &progress));
            let measured = with_progress("measuring trees", &progress, quiet, measure)
                .map_err(|error| Failure::from(error).at_data_file(&data.source))?;
            let config = forest.config().cloned();
            (data, measured, Some(forest), (measures, refusals), config)
        } else {
            let data = inputs::data(self.data, &self.design, quiet)?;
            let data = self.grouping.apply(data, &Run::new(threads, &progress), quiet)?;
            let of_test = self.read_test(&data.prepared.dataset)?;
            of_others = of_test.and(self.read_background(&data.prepared.dataset)?);
            let (measures, refusals) =
                self.selection.for_config(&self.config, &data.prepared.dataset, threads)?;
            announce(&data, self.config.n_trees, quiet);
            let dataset = &data.prepared.dataset;
            let growing = Growing {
                data: dataset,
                config: &self.config,
                measures: &measures,
                keep: Keep::Nothing,
                is_written: false,
                threads,
            };
            let keep = match self.parts {
                Some(wanted) => wanted.kept(growing, quiet)?,
                None => growing.check(quiet).map(|()| Keep::Nothing)?,
            };
            let handles = &Run::new(threads, &progress);
            let grow = || Forest::grow_and_measure(dataset, &self.config, &measures, keep, handles);
            let grown = with_progress("growing trees", &progress, quiet, grow)
                .map_err(|error| Failure::from(error).at_data_file(&data.source))?;
            (data, grown.measured, grown.forest, (measures, refusals), Some(self.config))
        };
        let parts = match self.parts {
            Some(wanted) => {
                let (forest, config) = (forest.as_ref(), config.as_ref());
                let subject = Subject {
                    forest,
                    config,
                    data: &data,
                    measured: &measured,
                    measures: &measures,
                };
                wanted.parts(subject, self.run, &progress)?
            }
            None => Parts::default(),
        };
        drop(forest);
        if !quiet && self.parts.is_some_and(|wanted| wanted.depth != Depth::Answer) {
            tell_seconds(&parts);
        }
        let of_parts = parts.notices.clone();
        let report = Report::build(ReportInput {
            data: &data.prepared.dataset,
            measured: &measured,
            measures: &measures,
            parts,
            config: config.as_ref(),
            source: file_name(&data.source),
            n_rows_read: data.prepared.n_rows_read,
            notices: notices(&data),
            command: command_line(words()),
            date: today(),
        })?;
        let notes = data.notes().and(of_others).and(refusals).and(of_parts);
        Ok(Analysis { dataset: data.prepared.dataset, measured, report, notes })
    }
}

/// Prints what was read and decided.
pub(crate) fn announce(data: &Data, n_trees: usize, quiet: bool) {
    if quiet {
        return;
    }
    let dataset = &data.prepared.dataset;
    let kind = match dataset.target().classes() {
        None => "regression".to_owned(),
        Some(classes) => format!("classification into {}", counted(classes.len(), "class")),
    };
    messages::print(&format!(
        "{}: {kind}, `{}` by {}, {}, {}",
        data.source,
        wald_table::escape(dataset.target().name()),
        counted(dataset.n_features(), "variable"),
        counted(dataset.n_rows(), "row"),
        counted(n_trees, "tree"),
    ));
}

fn notices(data: &Data) -> Vec<ReportNotice> {
    let of_file = data.notes.iter().map(|note| ReportNotice {
        kind: "note".to_owned(),
        column: None,
        message: note.clone(),
    });
    let of_column = |notice: &Notice| ReportNotice {
        kind: notice.kind.word().to_owned(),
        // The message names it.
        column: None,
        message: notice.message.worded(&CommandLine::default()),
    };
    of_file.chain(data.prepared.notices.iter().map(of_column)).collect()
}
