//! `wald masking`: importances against mtry, as a table, JSON, CSV, Parquet or picture.

use std::io::{self, Write};

use serde::Serialize;
use wald::data::Task;
use wald::forest::Keep;
use wald::masking::{Masking, masking, usual_mtry};
use wald::{ForestConfig, Importance, Measure, Progress, Run};
use wald_table::{Frame, FrameColumn};

use crate::analysis::announce;
use crate::arguments::{Format, MaskingArguments};
use crate::csv;
use crate::failure::{Failure, wald_version};
use crate::grouping::Grouping;
use crate::inputs::{self, Data};
use crate::output::{Destination, PictureFile};
use crate::progress::with_percent;
use crate::room::Growing;
use crate::text::{masking_picture, masking_table};

pub(crate) fn run(arguments: &MaskingArguments) -> Result<(), Failure> {
    let (threads, quiet) = (arguments.run.threads(), arguments.run.quiet);
    let (config, measure) = arguments.settings()?;
    let design = arguments.data.design(false)?;
    let input = arguments.data.data.as_path();
    let output = &arguments.output;
    let destination = Destination::check(output.path(), output.force, &[input])?;
    let picture = arguments.svg.as_deref();
    let picture = PictureFile::check(picture, output.force, &[input], &destination)?;
    let progress = Progress::new();
    let measures = &arguments.measures;
    let grouping = Grouping { named: &measures.group, rule: measures.group_by };
    let data = inputs::data(input, &design, quiet)?;
    let data = grouping.apply(data, &Run::new(threads, &progress), quiet)?;
    let found = find(arguments, &data, &config, &measure, &progress)
        .map_err(|failure| failure.at_data_file(&data.source))?;
    let names = data.prepared.dataset.groups().names();
    if let Some(picture) = picture {
        picture.write(&masking_picture(&found, names), quiet)?;
    }
    destination.write(|writer| match arguments.output.format {
        Format::Table => {
            let text = masking_table(&found, names, destination.terminal());
            writer.write_all(text.as_bytes())
        }
        Format::Json => write_json(writer, &data, &found),
        Format::Csv => csv::write(writer, &frame(&found, names)),
        Format::Parquet => frame(&found, names).write_parquet(writer),
    })?;
    data.notes().print(quiet);
    Ok(())
}

/// Grows and measures, after a look at what all forests need.
fn find(
    arguments: &MaskingArguments,
    data: &Data,
    config: &ForestConfig,
    measure: &Measure,
    progress: &Progress,
) -> Result<Masking, Failure> {
    let (threads, quiet) = (arguments.run.threads(), arguments.run.quiet);
    let dataset = &data.prepared.dataset;
    let mtry = match arguments.values.as_slice() {
        [] => usual_mtry(config.subspace.unwrap_or(dataset.n_features())),
        named => named.to_vec(),
    };
    measure.check_config(config)?;
    announce(data, config.n_trees, quiet);
    // Trees are the larger the fewer variables compete for their splits.
    let smallest = mtry.iter().copied().min();
    let growing = Growing {
        data: dataset,
        config: &ForestConfig { mtry: smallest, ..config.clone() },
        measures: std::slice::from_ref(measure),
        keep: Keep::Nothing,
        is_written: false,
        threads,
    };
    growing.check(quiet)?;
    let grow = || masking(dataset, config, measure, &mtry, &Run::new(threads, progress));
    Ok(with_percent("growing forests", progress, quiet, grow)?)
}

#[derive(Serialize)]
struct Document<'a> {
    wald: &'static str,
    measure: &'static str,
    unit: &'a str,
    task: Task,
    target: &'a str,
    n_rows: usize,
    features: &'a [String],
    mtry: &'a [usize],
    /// `[variable][mtry]`.
    values: Vec<Vec<Option<f64>>>,
    /// Of the same shape.
    standard_errors: Option<Vec<Vec<Option<f64>>>>,
}

fn write_json(writer: &mut dyn Write, data: &Data, found: &Masking) -> io::Result<()> {
    let dataset = &data.prepared.dataset;
    let names = dataset.groups().names();
    let Some(first) = found.importances.first() else { return Ok(()) };
    let by_variable = |of: &dyn Fn(usize, usize) -> Option<f64>| -> Vec<Vec<Option<f64>>> {
        let sizes = 0..found.mtry.len();
        (0..names.len()).map(|index| sizes.clone().map(|size| of(index, size)).collect()).collect()
    };
    let error = |index: usize, size: usize| {
        found.importances[size].standard_errors.as_ref().and_then(|errors| errors[index])
    };
    let document = Document {
        wald: wald_version(),
        measure: first.id,
        unit: &first.unit,
        task: dataset.target().task(),
        target: dataset.target().name(),
        n_rows: dataset.n_rows(),
        features: names,
        mtry: &found.mtry,
        values: by_variable(&|index, size| found.importances[size].values[index]),
        standard_errors: first.standard_errors.is_some().then(|| by_variable(&error)),
    };
    data.notes().write_json(writer, &document)
}

/// One row per mtry and variable.
fn frame(found: &Masking, names: &[String]) -> Frame {
    let of_mtry = found.mtry.iter().zip(&found.importances);
    let rows: Vec<(usize, &Importance, usize)> =
        of_mtry.flat_map(|(mtry, of)| (0..names.len()).map(move |at| (*mtry, of, at))).collect();
    let error = |of: &Importance, at: usize| of.standard_errors.as_ref()?[at];
    Frame::from_iter([
        ("mtry", FrameColumn::numbers(&rows, |row| Some(row.0 as f64))),
        ("variable", FrameColumn::texts(&rows, |row| names[row.2].clone())),
        ("value", FrameColumn::numbers(&rows, |(_, of, at)| of.values[*at])),
        ("standard_error", FrameColumn::numbers(&rows, |(_, of, at)| error(of, *at))),
    ])
}
