//! `wald predict`: a stored forest's predictions for new rows.

use wald::forest::Predictions;
use wald::{Progress, Run, Threads};
use wald_table::ReadOptions;

use crate::arguments::{Format, PredictArguments};
use crate::command::quantiles;
use crate::failure::Failure;
use crate::inputs::{self, ForestFile};
use crate::output::Destination;
use crate::progress::with_progress;
use crate::room;
use crate::text::write_frame;

pub(crate) fn run(arguments: &PredictArguments) -> Result<(), Failure> {
    let output = &arguments.output;
    let (forest, data, quiet) = (&*arguments.forest, &*arguments.data, arguments.quiet);
    let destination = Destination::check(output.path(), output.force, &[forest, data])?;
    if !arguments.quantiles.quantiles.is_empty() {
        return quantiles::run(arguments, &destination);
    }
    let threads = arguments.threads.unwrap_or_else(Threads::all);
    let forest = ForestFile::read(forest)?.forest(threads, quiet)?;
    let expected = inputs::expected(&forest);
    let read = ReadOptions {
        numeric: arguments.cells.numeric(),
        infinite: arguments.cells.infinite,
        ..wald_table::read_options_for(&expected)
    };
    let doing = "reading rows";
    let inputs::Rows { features, notes } = inputs::rows(data, &expected, read, doing, quiet)?;
    let (n_rows, n_outputs) = (features.n_rows(), forest.target().n_outputs());
    room::check_predicting(
        n_rows,
        n_outputs,
        needed(n_rows, n_outputs, arguments.output.format()),
    )?;
    let progress = Progress::new();
    let predict = || forest.predict(&features, &Run::new(threads, &progress));
    let values = with_progress("predicting rows", &progress, quiet, predict)?;
    let predictions = Predictions { forest: &forest, values: &values };
    destination.write(|writer| match arguments.output.format() {
        Format::Json => notes.write_json(writer, predictions.document()),
        Format::Table(look) => {
            write_frame(&predictions.frame(), destination.terminal(look), writer)
        }
        Format::Frame(frame) => frame.write(&predictions.frame(), writer),
    })?;
    notes.print(quiet);
    Ok(())
}

/// Bytes of the predictions and of what is made of them to be written.
fn needed(n_rows: usize, n_outputs: usize, format: Format) -> u64 {
    let (row, number) = match format {
        Format::Frame(_) => (64, 8 + 16),
        Format::Json => (40, 8),
        Format::Table(_) => (100, 8 + 60),
    };
    let row = (n_outputs as u64).saturating_mul(number).saturating_add(row);
    row.saturating_mul(n_rows as u64)
}
