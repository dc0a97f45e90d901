//! `wald explain`: local measures, which tell of single rows, as a table, JSON, CSV or Parquet.

use std::path::Path;

use wald::explain::{Explainer, Rows, Shape};
use wald::forest::Keep;
use wald::{Features, Forest, Monitor};

use crate::analysis::{tell, tell_notes};
use crate::arguments::{ExplainArguments, Format};
use crate::curves::Curves;
use crate::explained::Found;
use crate::failure::Failure;
use crate::inputs::{self, Data, ForestFile};
use crate::output::Destination;
use crate::progress::with_progress;
use crate::room::{self, Growing};
use crate::terms::Terms;

pub(crate) fn run(arguments: &ExplainArguments) -> Result<(), Failure> {
    let (asked, run) = (&arguments.explanation, &arguments.run);
    let settings = asked.settings()?;
    let config = arguments.growing.config(run.seed)?;
    let design = arguments.data.design(asked.forest.is_some())?;
    let input = arguments.data.data.as_path();
    let rows = asked.rows.as_deref();
    inputs::refuse_two_streams(input, rows)?;
    let inputs: Vec<&Path> =
        [Some(input), rows, asked.forest.as_deref()].into_iter().flatten().collect();
    let output = &arguments.output;
    let destination = Destination::check(output.path(), output.force, &inputs)?;
    let (threads, quiet, monitor) = (run.threads(), run.quiet, Monitor::new());
    let stored = match &asked.forest {
        Some(path) => Some(ForestFile::read(path)?.with_training_data(
            input,
            design.clone(),
            (threads, quiet),
        )?),
        None => None,
    };
    let (forest, data) = match stored {
        Some((forest, data)) => (Some(forest), data),
        None => (None, inputs::data(input, &design, quiet)?),
    };
    let dataset = &data.prepared.dataset;
    settings.check(dataset.features())?;
    let n_trees = forest.as_ref().map_or(config.n_trees, |forest| forest.trees().len());
    tell(&data, n_trees, quiet);
    let other = rows.map(|path| new_rows(path, dataset.features(), quiet)).transpose()?;
    let forest = if let Some(forest) = forest {
        forest
    } else {
        let growing = Growing {
            data: dataset,
            config: &config,
            measures: &[],
            keep: Keep::Trees,
            is_written: false,
            threads,
        };
        growing.check(quiet)?;
        let grow = || Forest::grow(dataset, &config, threads, &monitor);
        with_progress("growing trees", &monitor, quiet, grow)
            .map_err(|error| Failure::from(error).at_data_file(&data.source))?
    };
    let what = other.as_ref().map_or(Rows::Training, Rows::Other);
    let explainer = forest.explainer(dataset, what, (asked.measure, &settings))?;
    room::check_explaining(explainer.layout(), bytes_per_value(arguments.format))?;
    let explain = || records(&explainer, threads, &monitor);
    let values = with_progress("explaining rows", &monitor, quiet, explain)?;
    let found = Found {
        info: asked.measure.info(),
        forest: &forest,
        layout: explainer.layout(),
        expected_value: explainer.expected_value(),
        adds_up: explainer.adds_up(),
        values: &values,
        places: &places(&data, other.as_ref()),
    };
    let format = arguments.format;
    destination.write(|writer| match found.layout.shape {
        Shape::Values(_) | Shape::Pairs(_) => {
            Terms(found).write(format, writer, destination.terminal())
        }
        _ => Curves(found).write(format, writer, destination.terminal()),
    })?;
    tell_notes(&data.notes().collect::<Vec<_>>(), quiet);
    Ok(())
}

fn new_rows(path: &Path, training: &Features, quiet: bool) -> Result<Features, Failure> {
    let expected = wald_table::expected_columns(training);
    let features = with_progress("reading rows", &Monitor::new(), quiet, || {
        let table = wald_table::read(path, &wald_table::read_options_for(&expected))?;
        wald_table::prepare_new(table, &expected)
    })?;
    Ok(features)
}

/// All records, one after the other.
fn records(
    explainer: &Explainer<'_>,
    threads: wald::Threads,
    monitor: &Monitor,
) -> Result<Vec<f64>, wald::Error> {
    let layout = explainer.layout();
    let mut values = Vec::with_capacity(layout.n_records() * layout.n_values());
    explainer.run((threads, monitor), |_, record| values.extend_from_slice(record))?;
    Ok(values)
}

/// The rows of the table that were explained, counted from 1.
fn places(data: &Data, other: Option<&Features>) -> Vec<u32> {
    match other {
        Some(features) => (1..=features.n_rows() as u32).collect(),
        None => data.prepared.rows.iter().map(|row| row + 1).collect(),
    }
}

/// Memory that a number takes with what is made of it to be written.
fn bytes_per_value(format: Format) -> u64 {
    match format {
        Format::Table | Format::Json | Format::Csv => 8,
        // Text and numbers of a line.
        Format::Parquet => 8 + 5 * 32,
    }
}
