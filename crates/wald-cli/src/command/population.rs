//! `wald population`: exact importances of a distribution as a table, JSON, CSV, Parquet or picture.

use crate::wording::CommandLine;
use wald::words::counted;
use wald::{Progress, Run};
use wald_population::{Limits, Population, SampleSettings, TreeSettings};
use wald_table::NoticeKind;

use crate::arguments::{Format, Mtry, PopulationArguments};
use crate::csv;
use crate::failure::Failure;
use crate::inputs::{self, Data};
use crate::memory;
use crate::messages;
use crate::notes::Notes;
use crate::output::{Destination, PictureFile};
use crate::population::{self, Found, Trees};
use crate::progress::with_percent;

/// Of more rows, a sample should hold some twice.
const FEW_ROWS: usize = 50;
const MANY: f64 = 0.5;

pub(crate) fn run(arguments: &PopulationArguments) -> Result<(), Failure> {
    arguments.check()?;
    let (output, run) = (&arguments.output, &arguments.run);
    let inputs = [arguments.table.as_path()];
    let destination = Destination::check(output.path(), output.force, &inputs)?;
    let picture = arguments.svg.as_deref();
    let picture = PictureFile::check(picture, output.force, &inputs, &destination)?;
    let data = inputs::data(&arguments.table, &arguments.design(), run.quiet)?;
    let grouped = data.prepared.dataset.clone().with_groups(&arguments.group)?;
    let population = Population::new(&grouped, arguments.impurity)
        .map_err(|error| Failure::from(error).at_data_file(&data.source))?;
    if !run.quiet {
        messages::print(&population::summary(&data.source, &population));
    }
    let progress = Progress::new();
    let work = || found(&population, arguments, &Run::new(run.threads(), &progress));
    let notes = notes(&data, &population, arguments);
    let found = with_percent("adding up all sets", &progress, run.quiet, work)?;
    if let Some(picture) = picture {
        picture.write(&population::picture(&found), run.quiet)?;
    }
    destination.write(|writer| match arguments.format {
        Format::Table => {
            writer.write_all(population::table(&found, destination.terminal()).as_bytes())
        }
        Format::Json => notes.write_json(writer, population::document(&found)),
        Format::Csv => csv::write(writer, &population::frame(&found)),
        Format::Parquet => population::frame(&found).write_parquet(writer),
    })?;
    notes.print(run.quiet);
    Ok(())
}

/// All that was requested.
fn found<'a>(
    population: &'a Population,
    arguments: &PopulationArguments,
    around: &Run,
) -> Result<Found<'a>, Failure> {
    let p = population.n_variables();
    if let Some(depth) = arguments.depth.filter(|depth| *depth > p) {
        let what = format!(
            "trees of {} were requested, but the number of variables is {p}",
            counted(depth, "level")
        );
        return Err(Failure::usage(what, format!("give a depth between 1 and {p}")));
    }
    let mtry = match arguments.mtry {
        Mtry::Best(mtry) => mtry,
        Mtry::All => 1,
    };
    let trees = Trees { mtry, depth: arguments.depth, subspace: arguments.subspace };
    if let Some(samples) = arguments.samples {
        let (depth, seed) = (arguments.depth, arguments.run.seed);
        let settings = SampleSettings { samples, mtry, depth, seed };
        let sampled = population.sampled(settings, around)?;
        return Ok(Found::sampled(population, trees, samples, sampled));
    }
    let limits = limits(arguments);
    let exact = population.exact(&limits, around)?;
    let mut found = Found::exact(population, trees, &exact)?;
    let asked: Vec<usize> = match arguments.mtry {
        Mtry::All => (1..=p).collect(),
        Mtry::Best(1) if !arguments.local => Vec::new(),
        Mtry::Best(mtry) => vec![mtry],
    };
    if !asked.is_empty() {
        let settings = TreeSettings { mtry: asked, local: arguments.local };
        found.add_trees(population.best_of(&settings, &limits, around)?);
    }
    if let Some(n) = arguments.terms {
        found.terms = Some((0..p).map(|variable| exact.largest_terms(variable, n)).collect());
    }
    Ok(found)
}

/// A minute and 8 GiB, or the user's limit and all the memory that is free.
fn limits(arguments: &PopulationArguments) -> Limits {
    let free = memory::free().map_or(f64::INFINITY, |bytes| bytes as f64);
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
            _ => notes.push(notice.message.worded(&CommandLine::default())),
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
