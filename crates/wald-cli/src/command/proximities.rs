//! `wald proximities`: outliers, prototypes, and weights of training rows.

use std::io;
use std::path::Path;
use std::sync::Arc;

use wald::forest::Keep;
use wald::memory::check_bytes;
use wald::weights::{Placed, Rows, Weights, bytes};
use wald::words::counted;
use wald::{Fitted, Frame, Run};
use wald_report::check_room;
use wald_table::file::Writer;
use wald_table::{FrameFormat, free_memory, read_options_for};

use crate::arguments::{Format, ProximitiesArguments, Shows};
use crate::failure::Failure;
use crate::host::Host;
use crate::inputs;
use crate::output::Destination;
use crate::progress::with_progress;
use crate::subject::{Subject, announce};
use crate::text::write_frame;

/// Rows of the largest scores, which a table shows.
const MOST_SHOWN: usize = 20;

/// Lines of weights that are written together.
const LINES_TOGETHER: usize = 1 << 17;

pub(crate) fn run(arguments: &ProximitiesArguments) -> Result<(), Failure> {
    let format = arguments.frame_format()?;
    let config = arguments.growing.config(arguments.run.seed)?;
    let (input, forest) = (arguments.data.data.as_path(), arguments.forest.as_deref());
    let design = arguments.data.design(forest.is_some())?;
    let rows = arguments.rows.as_deref();
    inputs::refuse_two_streams(input, &[rows])?;
    let inputs: Vec<&Path> = [Some(input), forest, rows].into_iter().flatten().collect();
    let output = &arguments.output;
    let destination = Destination::check(output.path(), output.force, &inputs)?;
    let host = Host::new(&arguments.run);
    let subject = Subject::ungrouped(input, forest, &design, &host)?;
    let (data, origin) = (&subject.data, subject.origin(&config));
    let dataset = &data.prepared.dataset;
    announce(data, origin.n_trees(), host.quiet);
    let other = rows.map(|path| {
        let expected = wald_table::expected_columns(dataset.features());
        let read = design.cells_as_here(read_options_for(&expected));
        inputs::rows(path, &expected, read, "reading rows", host.quiet)
    });
    let other = other.transpose()?;
    check_room(dataset, origin, &[], Keep::Trees, &host)?;
    let fit = || match origin.forest() {
        Some(forest) => Fitted::new(Arc::clone(forest), Arc::clone(dataset), &host.run),
        None => wald::fit(Arc::clone(dataset), &config, &host.run),
    };
    let doing = if forest.is_some() { "reading the data" } else { "growing trees" };
    let fitted =
        host.show(doing, fit).map_err(|error| Failure::from(error).at_data_file(&data.source))?;
    let help = "use fewer trees or rows";
    let needed = bytes(fitted.forest());
    check_bytes("keeping the rows of all leaves", needed, free_memory(), help)?;
    let weights = host.show("sorting rows by leaves", || fitted.weights(&host.run))?;
    let places: Vec<u32> = data.prepared.rows.iter().map(|row| row + 1).collect();
    let placed = Placed { data: dataset, rows: &places };
    let mut notes = data.notes().and(other.iter().flat_map(|other| other.notes.clone()));
    let doing = "comparing rows";
    match arguments.show {
        Shows::Outliers => {
            let scores = host.show(doing, || weights.outliers(&host.run))?;
            let (shown, n_more) = shown(&scores, output.format());
            let frame = placed.outliers(&scores, &shown);
            let json =
                |writer: &mut Writer| notes.write_json(writer, placed.outliers_document(&scores));
            write(&destination, output.format(), &frame, json)?;
            if n_more > 0 {
                let more = counted(n_more, "row");
                notes = notes.and([format!(
                    "{more} with smaller scores left out: `--format csv` lists all"
                )]);
            }
        }
        Shows::Prototypes => {
            let find = || weights.prototypes(arguments.neighbours, &host.run);
            let found = host.show(doing, find)?;
            let json =
                |writer: &mut Writer| notes.write_json(writer, placed.prototypes_document(&found));
            write(&destination, output.format(), &placed.prototypes(&found), json)?;
        }
        Shows::Weights => {
            let rows = other.as_ref().map_or(Rows::OutOfBag, |other| Rows::Of(&other.features));
            let lines = Lines { places: &places, format };
            let quiet = host.quiet || destination.is_terminal();
            write_weights(&destination, &lines, (&weights, rows), (&host.run, quiet))?;
        }
    }
    notes.print(host.quiet);
    Ok(())
}

/// The places of the rows that are shown, and how many are left out: a table shows the largest scores.
fn shown(scores: &[f64], format: Format) -> (Vec<usize>, usize) {
    let mut places: Vec<usize> = (0..scores.len()).collect();
    if !matches!(format, Format::Table(_)) {
        return (places, 0);
    }
    places.retain(|&place| !scores[place].is_nan());
    places.sort_by(|&one, &other| scores[other].total_cmp(&scores[one]));
    let n_more = places.len().saturating_sub(MOST_SHOWN);
    places.truncate(MOST_SHOWN);
    (places, n_more)
}

/// Writes a table in any format.
fn write(
    destination: &Destination,
    format: Format,
    frame: &Frame,
    json: impl FnOnce(&mut Writer) -> io::Result<()>,
) -> Result<(), Failure> {
    destination.write(|writer| match format {
        Format::Json => json(writer),
        Format::Table(look) => write_frame(frame, destination.terminal(look), writer),
        Format::Frame(format) => format.write(frame, writer),
    })
}

/// How weights are written.
struct Lines<'a> {
    /// The numbers of the training rows in their table.
    places: &'a [u32],
    format: FrameFormat,
}

/// Weights that wait to be written, a line for each.
#[derive(Default)]
struct Waiting {
    rows: Vec<f64>,
    training_rows: Vec<f64>,
    weights: Vec<f64>,
}

impl Waiting {
    fn take(&mut self) -> Frame {
        let Self { rows, training_rows, weights } = std::mem::take(self);
        Frame::default()
            .with_numbers("row", rows)
            .with_numbers("training_row", training_rows)
            .with_numbers("weight", weights)
    }
}

/// Writes weights while they are computed.
fn write_weights(
    destination: &Destination,
    lines: &Lines<'_>,
    (weights, rows): (&Weights, Rows<'_>),
    (run, quiet): (&Run, bool),
) -> Result<(), Failure> {
    let mut stopped = None;
    let place = |row: usize| match rows {
        Rows::OutOfBag => f64::from(lines.places[row]),
        Rows::Of(_) => (row + 1) as f64,
    };
    let written = destination.write(|writer| {
        let mut writer = lines.format.writer(writer);
        let (mut waiting, mut written) = (Waiting::default(), Ok(()));
        let each = |row: usize, others: &[u32], of_row: &[f64]| {
            waiting.rows.extend(std::iter::repeat_n(place(row), others.len()));
            let places = others.iter().map(|&other| f64::from(lines.places[other as usize]));
            waiting.training_rows.extend(places);
            waiting.weights.extend_from_slice(of_row);
            if waiting.weights.len() >= LINES_TOGETHER && written.is_ok() {
                written = writer.write(&waiting.take());
                if written.is_err() {
                    run.progress.cancel();
                }
            }
        };
        run.progress.start(0);
        let compute = || weights.each(rows, run, each);
        let found = with_progress("comparing rows", &run.progress, quiet, compute);
        written?;
        if let Err(error) = found {
            stopped = Some(error);
            return Err(io::ErrorKind::Interrupted.into());
        }
        writer.write(&waiting.take())?;
        writer.finish()
    });
    // The first failure is reported.
    stopped.map_or(Ok(()), Err)?;
    written
}
