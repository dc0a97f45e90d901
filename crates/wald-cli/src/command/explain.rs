//! `wald explain`: local measures, for single rows, as a table, JSON, CSV or Parquet.

use std::io;
use std::path::Path;
use std::sync::Arc;

use wald::data::{Column, Target};
use wald::explain::{Explainer, GridSize, Layout, Rows, Shape};
use wald::forest::Keep;
use wald::work::notes_on_forest;
use wald::{
    Dataset, ExplanationId, ExplanationSettings, Features, Forest, ForestConfig, Origin, Run,
    Threads,
};
use wald_report::check_room;

use crate::arguments::{ExplainArguments, Format};
use crate::explained::{Found, Records, Shown, records};
use crate::failure::Failure;
use crate::host::Host;
use crate::inputs::{self, Data};
use crate::lists;
use crate::markup::{Look, Markup};
use crate::notes::Notes;
use crate::output::{Destination, Waiting};
use crate::picture::PictureFiles;
use crate::progress::with_progress;
use crate::room;
use crate::subject::{Subject, announce};
use wald_table::file::Writer;

/// Numbers of a block of rows that are explained together, at most.
const MOST_IN_BLOCK: usize = 1 << 22;

/// Of a number that is held.
const BYTES: u64 = 8;

pub(crate) fn run(arguments: &ExplainArguments) -> Result<(), Failure> {
    let (asked, run) = (&arguments.explanation, &arguments.run);
    let mut settings = asked.settings(run.seed)?;
    let config = arguments.growing.config(run.seed)?;
    let design = arguments.data.design(asked.forest.is_some())?;
    let input = arguments.data.data.as_path();
    let rows = asked.rows.as_deref();
    let background = asked.background();
    inputs::refuse_two_streams(input, &[rows, background])?;
    let inputs: Vec<&Path> =
        [Some(input), rows, background, asked.forest.as_deref()].into_iter().flatten().collect();
    let output = &arguments.output;
    let destination = Destination::check(output.path(), output.force, &inputs)?;
    if let Some(option) = arguments.picture.given() {
        asked.check_picture(option)?;
    }
    let picture = PictureFiles::check(&arguments.picture, output, &inputs, &destination)?;
    let host = Host::new(run);
    let (threads, quiet) = (host.run.threads, host.quiet);
    let subject = Subject::ungrouped(input, asked.forest.as_deref(), &design, &host)?;
    let (data, origin) = (&subject.data, subject.origin(&config));
    let dataset = &data.prepared.dataset;
    find_variables(&mut settings, dataset)?;
    announce(data, origin.n_trees(), quiet);
    let expected = wald_table::expected_columns(dataset.features());
    let read = design.cells_as_here(wald_table::read_options_for(&expected));
    let rows_of = |path, doing| inputs::rows(path, &expected, read.clone(), doing, quiet);
    let other = rows.map(|path| {
        if asked.measures_losses() {
            let rows = inputs::test_data(path, dataset, &design, quiet)?;
            return Ok(Other::WithTarget(Box::new(rows)));
        }
        rows_of(path, "reading rows").map(Other::Values)
    });
    let other = other.transpose()?;
    let background = background.map(|path| rows_of(path, "reading background rows"));
    let mut notes = data.notes().and(other.iter().flat_map(Other::notes));
    if let Some(inputs::Rows { features, notes: of_background }) = background.transpose()? {
        settings.background = Some(Arc::new(features));
        notes = notes.and(of_background);
    }
    let grown = || grow(data, &config, &host).map(Arc::new);
    let forest = origin.forest().cloned().map_or_else(grown, Ok)?;
    let what = other.as_ref().map_or(Rows::Training, Other::rows);
    let explainer = forest.explainer(dataset, what, asked.measure, &settings)?;
    let notes = notes.and(explainer.notes().to_vec()).and(notes_on_forest(dataset, &forest));
    let mut shown = picture.as_ref().map(|_| Shown::new(explainer.layout()));
    let n_shown = shown.as_ref().map_or(0, Shown::n_rows);
    let n_held = held(explainer.layout(), threads).saturating_add(n_shown);
    room::check_explaining(&explainer, n_held, BYTES, threads)?;
    let found = Found {
        info: asked.measure.info(),
        forest: &forest,
        layout: explainer.layout(),
        expected_value: explainer.expected_value(),
        adds_up: explainer.adds_up(),
        places: &places(data, other.as_ref()),
        weights: match &other {
            None => dataset.weights(),
            Some(other) => other.weights(),
        },
        are_steps: settings.grid == GridSize::Exact && asked.measure != ExplanationId::Ale,
        notes: &notes,
    };
    // Text would run into the progress.
    let quiet_writing = quiet || destination.is_terminal();
    let format = arguments.output.format();
    let look = if let Format::Table(look) = format { look } else { Look::of(Markup::Plain) };
    let mut stopped = None;
    let write = |writer: &mut Writer| {
        let mut records = records(found, format, writer, destination.terminal(look))?;
        let run = &host.run;
        run.progress.start(0);
        let explain = || explain(&explainer, &found, shown.as_mut(), &mut *records, run);
        let explained = with_progress("explaining rows", &run.progress, quiet_writing, explain)?;
        match explained {
            Ok(()) => records.finish(),
            Err(error) => {
                stopped = Some(error);
                Err(io::ErrorKind::Interrupted.into())
            }
        }
    };
    let written = match picture {
        Some(_) => destination.write_first(write).map(Some),
        None => destination.write(write).map(|()| None),
    };
    // The first failure is reported.
    stopped.map_or(Ok(()), Err)?;
    let waiting = written?;
    if let (Some(picture), Some(shown)) = (picture, shown) {
        let (features, target) = match &other {
            None => (dataset.features(), Some(dataset.target())),
            Some(other) => other.table(),
        };
        let (columns, most) = (picture.columns(), picture.most_variables());
        let sheet = shown.sheet(&found, (dataset, features, target), columns, most);
        picture.write(sheet, &dataset.features().names(), quiet)?;
    }
    waiting.map_or(Ok(()), Waiting::release)?;
    notes.print(quiet);
    Ok(())
}

/// The variables as the table has them, whose names may have commas.
fn find_variables(settings: &mut ExplanationSettings, dataset: &Dataset) -> Result<(), Failure> {
    let known = dataset.features().columns().iter().map(Column::name);
    settings.variables = lists::columns(&settings.variables, known)?;
    Ok(settings.check(dataset.features())?)
}

/// Grows the forest that explains, after a look at whether there is room for it.
fn grow(data: &Data, config: &ForestConfig, host: &Host) -> Result<Forest, Failure> {
    let dataset = &data.prepared.dataset;
    check_room(dataset, Origin::Settings(config), &[], Keep::Trees, host)?;
    let grow = || Forest::grow(dataset, config, &host.run);
    host.show("growing trees", grow)
        .map_err(|error| Failure::from(error).at_data_file(&data.source))
}

/// Rows that are no training rows.
enum Other {
    Values(inputs::Rows),
    WithTarget(Box<Data>),
}

impl Other {
    fn table(&self) -> (&Features, Option<&Target>) {
        match self {
            Self::Values(rows) => (&rows.features, None),
            Self::WithTarget(data) => {
                let rows = &data.prepared.dataset;
                (rows.features(), Some(rows.target()))
            }
        }
    }

    fn rows(&self) -> Rows<'_> {
        match self {
            Self::Values(rows) => Rows::Other(&rows.features),
            Self::WithTarget(data) => Rows::WithTarget(&data.prepared.dataset),
        }
    }

    fn weights(&self) -> Option<&[f64]> {
        match self {
            Self::Values(_) => None,
            Self::WithTarget(data) => data.prepared.dataset.weights(),
        }
    }

    fn notes(&self) -> Notes {
        match self {
            Self::Values(rows) => rows.notes.clone(),
            Self::WithTarget(data) => data.notes_with_source(),
        }
    }
}

/// Sends all records to be written; the first error of writing ends the work.
fn explain(
    explainer: &Explainer<'_>,
    found: &Found<'_>,
    mut shown: Option<&mut Shown>,
    records: &mut dyn Records,
    run: &Run,
) -> io::Result<Result<(), wald::Error>> {
    let mut written = Ok(());
    let explained = explainer.run(run, |row, record| {
        if let Some(shown) = &mut shown {
            shown.record(row, found.weight(row), record);
        }
        if written.is_ok() {
            written = records.record(found.places[row], record);
            if written.is_err() {
                run.progress.cancel();
            }
        }
    });
    written.map(|()| explained)
}

/// The rows of the table that were explained, counted from 1.
fn places(data: &Data, other: Option<&Other>) -> Vec<u32> {
    let data = match other {
        Some(Other::Values(rows)) => return (1..=rows.features.n_rows() as u32).collect(),
        Some(Other::WithTarget(data)) => data,
        None => data,
    };
    data.prepared.rows.iter().map(|row| row + 1).collect()
}

/// How many records are held at a time.
fn held(layout: &Layout, threads: Threads) -> usize {
    match layout.shape {
        // Blocks of every thread, and those that wait to be written.
        Shape::Values(_) | Shape::Pairs(_) => {
            let in_block = (MOST_IN_BLOCK / layout.n_values().max(1)).max(1);
            4 * threads.get() * in_block
        }
        _ => usize::MAX,
    }
}
