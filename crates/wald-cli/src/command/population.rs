//! `wald population`: exact importances of a distribution as a table, JSON, CSV, Parquet or picture.

use crate::wording::CommandLine;
use wald::words::counted;
use wald::{Progress, Run};
use wald_population::{Limits, Population, Request};
use wald_table::NoticeKind;

use crate::arguments::{Format, Mtry, PopulationArguments};
use crate::failure::Failure;
use crate::grouping;
use crate::inputs::{self, Data};
use crate::messages;
use crate::notes::Notes;
use crate::output::Destination;
use crate::picture::PictureFiles;
use crate::population::{self, Answer};
use crate::progress::with_percent;

/// Of more rows, a sample should hold some twice.
const FEW_ROWS: usize = 50;
const MANY: f64 = 0.5;

pub(crate) fn run(arguments: &PopulationArguments) -> Result<(), Failure> {
    arguments.check()?;
    let (output, run) = (&arguments.output, &arguments.run);
    let inputs = [arguments.table.as_path()];
    let destination = Destination::check(output.path(), output.force, &inputs)?;
    let files = PictureFiles::check(&arguments.picture, output, &inputs, &destination)?;
    let data = inputs::data(&arguments.table, &arguments.design(), run.quiet)?;
    let grouped = wald::Dataset::clone(&data.prepared.dataset)
        .with_groups(&grouping::named(&arguments.group, &data.prepared.dataset)?)?;
    let population = Population::new(&grouped, arguments.impurity)
        .map_err(|error| Failure::from(error).at_data_file(&data.source))?;
    if !run.quiet {
        messages::print(&population::summary(&data.source, &population));
    }
    let request = request(arguments, population.n_variables())?;
    let progress = Progress::new();
    let around = Run::new(run.threads(), &progress);
    let work = || population.find(&request, &limits(arguments), &around);
    let notes = notes(&data, &population, arguments);
    let found = with_percent("adding up all sets", &progress, run.quiet, work)?;
    let answer = Answer { population: &population, request: &request, found };
    if let Some(files) = files {
        let (columns, most) = (files.columns(), files.most_variables());
        let sheet = population::picture(&answer, columns, most);
        files.write(sheet, grouped.groups().names(), run.quiet)?;
    }
    destination.write(|writer| match arguments.output.format() {
        Format::Table(look) => {
            writer.write_all(population::table(&answer, destination.terminal(look)).as_bytes())
        }
        Format::Json => notes.write_json(writer, answer.found.document(&population, &request)),
        Format::Frame(frame) => frame.write(&answer.found.frame(&population, &request), writer),
    })?;
    notes.print(run.quiet);
    Ok(())
}

/// All that is requested of so many variables.
fn request(arguments: &PopulationArguments, p: usize) -> Result<Request, Failure> {
    if let Some(depth) = arguments.depth.filter(|depth| *depth > p) {
        let what = format!(
            "trees of {} were requested, but the number of variables is {p}",
            counted(depth, "level")
        );
        return Err(Failure::usage(what, format!("give a depth between 1 and {p}")));
    }
    let mtry = match arguments.mtry {
        Mtry::Best(mtry) => vec![mtry],
        Mtry::All => (1..=p).collect(),
    };
    let PopulationArguments { depth, subspace, local, terms, samples, .. } = *arguments;
    Ok(Request { mtry, depth, subspace, local, terms, samples, seed: arguments.run.seed })
}

/// A minute and 8 GiB, or the user's limit and all the memory that is free.
fn limits(arguments: &PopulationArguments) -> Limits {
    let free = wald_table::free_memory().map_or(f64::INFINITY, |bytes| bytes as f64);
    let usual = Limits::default();
    match arguments.limit {
        Some(seconds) => Limits { seconds, bytes: free },
        None => Limits { bytes: usual.bytes.min(free), ..usual },
    }
}

/// Warnings. Those about tables to learn from do not apply here.
fn notes(data: &Data, population: &Population, arguments: &PopulationArguments) -> Notes {
    let mut notes = data.notes.clone();
    for notice in &data.prepared.notices {
        match notice.kind {
            NoticeKind::SingletonClass
            | NoticeKind::Identifier
            | NoticeKind::Leak
            | NoticeKind::IntegerColumns => {}
            NoticeKind::TaskChosen => notes.push(population::target_note(population)),
            _ => notes.push(notice.message.worded(&CommandLine)),
        }
    }
    notes.extend(population::number_note(population));
    let (n_rows, n_points) = (data.prepared.dataset.n_rows(), population.probabilities().len());
    let is_sample = arguments.probability.is_none();
    if is_sample && n_rows > FEW_ROWS && n_points as f64 > MANY * n_rows as f64 {
        notes.push(format!(
            "{n_rows} rows are {n_points} different combinations: if they are a sample, hardly \
             any is met twice, and all variables together determine the target even if they \
             are irrelevant"
        ));
    }
    notes.into_iter().collect()
}
