//! `wald predict --quantiles`: predictions with quantiles of the target.

use std::sync::Arc;

use wald::weights::{QuantilePredictions, Rows, bytes};
use wald::work::note_on_predictions;
use wald::{Fitted, Progress, Run, Threads};
use wald_table::read_options_for;

use crate::arguments::{Format, PredictArguments};
use crate::failure::Failure;
use crate::inputs::{self, ForestFile};
use crate::output::Destination;
use crate::progress::with_progress;
use crate::room;
use crate::text::write_frame;
use crate::wording::CommandLine;

/// Bytes of a number that is found and then written.
const BYTES: u64 = 8 + 60;

pub(super) fn run(arguments: &PredictArguments, destination: &Destination) -> Result<(), Failure> {
    let (asked, data, quiet) = (&arguments.quantiles, &*arguments.data, arguments.quiet);
    let table = asked.training(data)?;
    if !asked.out_of_bag {
        inputs::refuse_two_streams(data, &[Some(table)])?;
    }
    let progress = Progress::new();
    let run = Run::new(arguments.threads.unwrap_or_else(Threads::all), &progress);
    let file = ForestFile::read(&arguments.forest)?;
    let design = asked.design(&arguments.cells);
    let (forest, training) = file.with_training_data(table, design.clone(), run.threads, quiet)?;
    let other = if asked.out_of_bag {
        None
    } else {
        let expected = inputs::expected(&forest);
        let read = design.cells_as_here(read_options_for(&expected));
        Some(inputs::rows(data, &expected, read, "reading rows", quiet)?)
    };
    let dataset = &training.prepared.dataset;
    let features = other.as_ref().map(|other| &other.features);
    let n_rows = features.map_or(dataset.n_rows(), wald::Features::n_rows);
    let n_numbers = asked.quantiles.len() + 1;
    let needed = (n_rows as u64).saturating_mul(n_numbers as u64).saturating_mul(BYTES);
    room::check_predicting(n_rows, n_numbers, needed.saturating_add(bytes(&forest)))?;
    let find = || {
        let fitted = Fitted::new(forest, Arc::clone(dataset), &run)?;
        let rows = features.map_or(Rows::OutOfBag, Rows::Of);
        let of_forest = fitted.quantiles(&run)?;
        let quantiles = of_forest.predict(rows, &asked.quantiles, &run)?;
        let note = of_forest.note_on_coverage(&asked.quantiles, &run)?;
        let predictions = if let Some(features) = features {
            fitted.forest().predict(features, &run)?
        } else {
            let out_of_bag = fitted.measure(&[], &run)?.out_of_bag;
            let of = |row| out_of_bag.prediction(row).map_or(f64::NAN, |of_row| of_row[0]);
            (0..n_rows).map(of).collect()
        };
        Ok::<_, wald::Error>((fitted, predictions, quantiles, note))
    };
    let (fitted, predictions, quantiles, note) =
        with_progress("predicting rows", &progress, quiet, find)?;
    let places: Vec<u32> = training.prepared.rows.iter().map(|row| row + 1).collect();
    let found = QuantilePredictions {
        forest: fitted.forest(),
        rows: asked.out_of_bag.then_some(&places),
        predictions: &predictions,
        levels: &asked.quantiles,
        quantiles: &quantiles,
    };
    let notes = training
        .notes_with_source()
        .and(other.into_iter().flat_map(|other| other.notes))
        .and(note_on_predictions(dataset, fitted.forest()))
        .and(note.map(|note| note.worded(&CommandLine)));
    destination.write(|writer| match arguments.output.format() {
        Format::Json => notes.write_json(writer, found.document()),
        Format::Table(look) => write_frame(&found.frame(), destination.terminal(look), writer),
        Format::Frame(frame) => frame.write(&found.frame(), writer),
    })?;
    notes.print(quiet);
    Ok(())
}
