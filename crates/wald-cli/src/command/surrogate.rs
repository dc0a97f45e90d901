//! `wald surrogate`: importances from few runs, by a Gaussian process.

use std::path::Path;

use wald::data::Task;
use wald_surrogate::{Source, Surrogate, surrogate};
use wald_table::FrameFormat;

use crate::arguments::{Format, SurrogateArguments};
use crate::failure::Failure;
use crate::grouping::Grouping;
use crate::host::Host;
use crate::inputs;
use crate::messages;
use crate::output::{Destination, refuse_same};
use crate::subject::{Subject, announce};
use crate::text::surrogate_text;

pub(crate) fn run(arguments: &SurrogateArguments) -> Result<(), Failure> {
    let (settings, measures) = arguments.settings()?;
    let mut design = arguments.data.design(false)?;
    // Few different outputs are no classes here.
    design.task.get_or_insert(Task::Regression);
    let input = arguments.data.data.as_path();
    let given = arguments.inputs.as_deref();
    inputs::refuse_two_streams(input, &[given])?;
    let output = &arguments.output;
    let read: Vec<&Path> = [Some(input), given].into_iter().flatten().collect();
    let destination = Destination::check(output.path(), output.force, &read)?;
    let sample = arguments.write.as_deref();
    let sample = sample.map(|path| {
        let place = Destination::check(Some(path), output.force, &read)?;
        refuse_same("the sample", &place, "the results", &destination)?;
        Ok::<_, Failure>((path, place))
    });
    let sample = sample.transpose()?;
    let host = Host::new(&arguments.run);
    let grouping = Grouping { named: &arguments.measures.group, rule: arguments.measures.group_by };
    let Subject { data, .. } = Subject::read(input, None, &design, grouping, &host)?;
    announce(&data, settings.forest.n_trees, host.quiet);
    let runs = &data.prepared.dataset;
    let mut notes = data.notes();
    let rows = match given {
        Some(path) => {
            let expected = wald_table::expected_columns(runs.features());
            let read = design.cells_as_here(wald_table::read_options_for(&expected));
            let rows = inputs::rows(path, &expected, read, "reading inputs", host.quiet)?;
            notes = notes.and(rows.notes);
            Some(rows.features)
        }
        None => None,
    };
    let source = rows.as_ref().map_or_else(|| arguments.source(), Source::Rows);
    let find = || surrogate(runs, &source, &measures, &settings, &host.run);
    let found = host
        .show_percent("fitting and growing", find)
        .map_err(|error| Failure::from(error).at_data_file(&data.source))?;
    if let Some((path, place)) = &sample {
        write_sample(&found, path, place, host.quiet)?;
    }
    destination.write(|writer| match output.format {
        Format::Table => {
            let text = surrogate_text(&found, &settings, destination.terminal());
            writer.write_all(text.as_bytes())
        }
        Format::Json => {
            let notes = notes.clone().and(found.notes().map(|note| note.worded(&host)));
            notes.write_json(writer, found.document(runs, &settings))
        }
        format => format.of_frame().write(&found.frame(), writer),
    })?;
    notes.and(found.notes().map(|note| note.worded(&host))).print(host.quiet);
    Ok(())
}

/// Writes inputs and outputs of the sample.
fn write_sample(
    found: &Surrogate,
    path: &Path,
    place: &Destination,
    quiet: bool,
) -> Result<(), Failure> {
    let is_parquet = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("parquet"));
    let format = if is_parquet { FrameFormat::Parquet } else { FrameFormat::Csv };
    place.write(|writer| format.write(&found.sample.frame(), writer))?;
    if !quiet && *place != Destination::Stdout {
        messages::print(&messages::written(path));
    }
    Ok(())
}
