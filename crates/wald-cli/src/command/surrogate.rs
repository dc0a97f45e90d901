//! `wald surrogate`: importances from few runs, by a Gaussian process.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use wald::data::{Column, ColumnData, MISSING_LEVEL, Task};
use wald::words::counted;
use wald::{DecimalMark, Features};
use wald_report::{Page, SurrogateReport};
use wald_surrogate::{Source, Surrogate, surrogate};
use wald_table::{FrameFormat, Missing};

use crate::analysis::notices;
use crate::arguments::{Format, SurrogateArguments};
use crate::failure::Failure;
use crate::host::Host;
use crate::inputs::{self, Data};
use crate::messages;
use crate::output::{Destination, refuse_same};
use crate::picture::PictureFiles;
use crate::provenance::{file_name, words};
use crate::subject::{Subject, announce};
use crate::text::surrogate_text;
use crate::wording::command_line;

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
    let beside = Beside::check(arguments, &read, &destination)?;
    let host = Host::new(&arguments.run);
    let grouping = arguments.measures.grouping.grouping();
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
            let features = match design.missing {
                Missing::Separate => rows.features,
                Missing::Omit => {
                    let (features, n_left_out) = complete_rows(&rows.features)?;
                    let left_out = counted(n_left_out, "row");
                    let note = || format!("{left_out} of inputs with missing values left out");
                    notes = notes.and((n_left_out > 0).then(note));
                    features
                }
            };
            Some(features)
        }
        None => None,
    };
    let source = rows.as_ref().map_or_else(|| arguments.source(), Source::Rows);
    if let Some(path) = given {
        let check = source.check(runs.features());
        check.map_err(|error| Failure::from(error).at_file(&path.to_string_lossy()))?;
    }
    let find = || surrogate(runs, &source, &measures, &settings, &host.run);
    let found = host
        .show_percent("fitting and growing", find)
        .map_err(|error| Failure::from(error).at_data_file(&data.source))?;
    let report = SurrogateReport::build(&found, runs, &settings, page(&data), &host);
    beside.write(&found, &report, host.quiet)?;
    destination.write(|writer| match output.format() {
        Format::Table(look) => {
            let text = surrogate_text(&found, &settings, destination.terminal(look));
            writer.write_all(text.as_bytes())
        }
        Format::Json => {
            let notes = notes.clone().and(found.notes().map(|note| note.worded(&host)));
            notes.write_json(writer, found.document(runs, &settings))
        }
        Format::Frame(frame) => frame.write(&found.frame(), writer),
    })?;
    notes.and(found.notes().map(|note| note.worded(&host))).print(host.quiet);
    Ok(())
}

/// The rows in which no input is missing, and how many others there are.
fn complete_rows(features: &Features) -> Result<(Features, usize), Failure> {
    let is_missing = |column: &Column, row: u32| match column.data() {
        ColumnData::Numeric(values) => values[row as usize].is_nan(),
        ColumnData::Categorical(categories) => categories.codes()[row as usize] == MISSING_LEVEL,
    };
    let is_complete = |row: &u32| !features.columns().iter().any(|column| is_missing(column, *row));
    let rows: Vec<u32> = (0..features.n_rows() as u32).filter(is_complete).collect();
    let columns = features.columns().iter().map(|column| column.select(&rows)).collect();
    Ok((Features::new(columns)?, features.n_rows() - rows.len()))
}

/// What the page states of the table and the command.
fn page(data: &Data) -> Page {
    Page {
        source: file_name(&data.source),
        n_rows_read: data.prepared.n_rows_read,
        notices: notices(data),
        command: command_line(words()),
        predictions: None,
    }
}

/// The ending of names of Parquet files.
const PARQUET: &str = "parquet";

fn is_any_of(end: &OsStr, known: &[&str]) -> bool {
    known.iter().any(|known| end.eq_ignore_ascii_case(known))
}

/// Files that are written beside the results.
struct Beside<'a> {
    sample: Option<(&'a Path, Destination)>,
    picture: Option<PictureFiles<'a>>,
    page: Option<(&'a Path, Destination)>,
    decimal_mark: DecimalMark,
}

impl<'a> Beside<'a> {
    /// Checks before any work that all can be written, and go to different places.
    fn check(
        arguments: &'a SurrogateArguments,
        inputs: &[&Path],
        results: &Destination,
    ) -> Result<Self, Failure> {
        let force = arguments.output.force;
        let mut taken = vec![("the results", results.clone())];
        let mut check = |name: &'static str, path: &'a Option<PathBuf>| {
            let Some(path) = path.as_deref() else { return Ok(None) };
            let place = Destination::check(Some(path), force, inputs)?;
            for (other_name, other) in &taken {
                refuse_same(name, &place, other_name, other)?;
            }
            taken.push((name, place.clone()));
            Ok::<_, Failure>(Some((path, place)))
        };
        let sample = check("the sample", &arguments.write)?;
        let page = check("the page", &arguments.html)?;
        let taken: Vec<(&str, &Destination)> =
            taken.iter().map(|(name, place)| (*name, place)).collect();
        let picture =
            PictureFiles::check_beside(&arguments.picture, &arguments.output, inputs, &taken)?;
        let decimal_mark = arguments.output.decimal_mark;
        let beside = Self { sample, picture, page, decimal_mark };
        let end = arguments.write.as_deref().and_then(Path::extension);
        if let Some(end) = end.filter(|end| !is_any_of(end, &[PARQUET, "csv", "txt"])) {
            let what = format!("the sample is not written as .{}", end.to_string_lossy());
            return Err(Failure::usage(
                what,
                "give a name that ends in .csv or .parquet (`--write`)",
            ));
        }
        Ok(beside)
    }

    fn write(
        &self,
        found: &Surrogate,
        report: &SurrogateReport,
        quiet: bool,
    ) -> Result<(), Failure> {
        if let Some((path, place)) = &self.sample {
            let is_parquet = path.extension().is_some_and(|end| is_any_of(end, &[PARQUET]));
            let csv = FrameFormat::Csv(self.decimal_mark);
            let format = if is_parquet { FrameFormat::Parquet } else { csv };
            place.write(|writer| format.write(&found.sample.frame(), writer))?;
        }
        if let Some(picture) = &self.picture {
            let (columns, most) = (picture.columns(), picture.most_variables());
            let sheet = wald_html::chart::surrogate(report, columns, most);
            picture.write(sheet, &found.sample.features().names(), quiet)?;
        }
        if let Some((_, place)) = &self.page {
            let page = wald_html::render_surrogate(report, self.decimal_mark)?;
            place.write(|writer| writer.write_all(page.as_bytes()))?;
        }
        let written = [&self.sample, &self.page];
        for (path, place) in written.into_iter().flatten() {
            if !quiet && *place != Destination::Stdout {
                messages::print(&messages::written(path));
            }
        }
        Ok(())
    }
}
