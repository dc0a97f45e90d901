//! `wald uncertainty`: how sure importances are, as a table, JSON, CSV or Parquet.

use std::io::{self, Write};

use serde::Serialize;
use wald::data::Task;
use wald::forest::Keep;
use wald::importance::DataUsed;
use wald::inference::{
    Grower, Interval, SamplingErrors, Test, Uncertainty, UncertaintyConfig, uncertainty,
};
use wald::{Measure, Progress, Run};
use wald_table::{Frame, FrameColumn};

use crate::analysis::announce;
use crate::arguments::{Format, UncertaintyArguments};
use crate::csv;
use crate::failure::{Failure, wald_version};
use crate::grouping::Grouping;
use crate::inputs::{self, Data, ForestFile};
use crate::output::Destination;
use crate::progress::with_percent;
use crate::room::{self, Growing};
use crate::text::uncertainty_table;

pub(crate) fn run(arguments: &UncertaintyArguments) -> Result<(), Failure> {
    let (threads, quiet) = (arguments.run.threads(), arguments.run.quiet);
    let (measures, asked) = arguments.settings()?;
    let path = arguments.measures.forest.as_deref();
    let config = arguments.growing.config(arguments.run.seed)?;
    if path.is_none() {
        arguments.measures.check_blocks(config.n_trees)?;
    }
    let design = arguments.data.design(path.is_some())?;
    let input = arguments.data.data.as_path();
    let output = &arguments.output;
    let inputs: Vec<_> = [Some(input), path].into_iter().flatten().collect();
    let destination = Destination::check(output.path(), output.force, &inputs)?;
    let (forest, data) = match path {
        Some(path) => {
            let file = ForestFile::read(path)?;
            let (forest, data) = file.with_training_data(input, design, threads, quiet)?;
            (Some(forest), data)
        }
        None => (None, inputs::data(input, &design, quiet)?),
    };
    let grouping = Grouping { named: &arguments.measures.group, rule: arguments.measures.group_by };
    let data = grouping.apply(data, &Run::new(threads, &Progress::new()), quiet)?;
    let grower = forest.as_ref().map_or(Grower::Settings(&config), Grower::Forest);
    let found = find(arguments, &data, grower, &measures, &asked)
        .map_err(|failure| failure.at_data_file(&data.source))?;
    let names = data.prepared.dataset.groups().names();
    destination.write(|writer| match arguments.output.format {
        Format::Table => {
            let table = |one| uncertainty_table(one, &asked, names, destination.terminal());
            let tables: Vec<String> = found.iter().map(table).collect();
            writer.write_all(tables.join("\n").as_bytes())
        }
        Format::Json => write_json(writer, &data, &found, &asked),
        Format::Csv => csv::write(writer, &frame(&found, names)),
        Format::Parquet => frame(&found, names).write_parquet(writer),
    })?;
    // Tables have what is to be known of ranks below them.
    let of_ranks = found.iter().filter(|_| arguments.output.format != Format::Table);
    let of_measures = found.iter().flat_map(notes).chain(of_ranks.filter_map(note_on_ranks));
    data.notes().and(of_measures).print(quiet);
    Ok(())
}

/// What deserves a second look at one measure.
fn notes(found: &Uncertainty) -> impl Iterator<Item = String> {
    let of_test = found.tested.iter().flat_map(|tested| &tested.notes);
    let id = found.importance.id;
    let of_measure =
        found.importance.notes.iter().chain(of_test).cloned().chain(found.note_on_errors());
    of_measure.map(move |note| format!("{id}: {note}"))
}

fn note_on_ranks(found: &Uncertainty) -> Option<String> {
    found.note_on_ranks().map(|note| format!("{}: {note}", found.importance.id))
}

/// Grows and measures, after a look at what the forests need.
fn find(
    arguments: &UncertaintyArguments,
    data: &Data,
    grower: Grower<'_>,
    measures: &[Measure],
    asked: &UncertaintyConfig,
) -> Result<Vec<Uncertainty>, Failure> {
    let (threads, quiet) = (arguments.run.threads(), arguments.run.quiet);
    let dataset = &data.prepared.dataset;
    let config = match grower {
        Grower::Settings(config) => {
            measures.iter().try_for_each(|measure| measure.check_config(config))?;
            let keep =
                if asked.errors == SamplingErrors::Jackknife { Keep::Trees } else { Keep::Nothing };
            announce(data, config.n_trees, quiet);
            let growing =
                Growing { data: dataset, config, measures, keep, is_written: false, threads };
            growing.check(quiet)?;
            Some(config)
        }
        Grower::Forest(forest) => {
            announce(data, forest.trees().len(), quiet);
            room::check_measuring(forest, dataset, measures, threads)?;
            forest.config()
        }
    };
    if let Some(config) = config {
        room::check_uncertainty(asked, dataset, config, measures, threads)?;
    }
    let progress = Progress::new();
    let find = || uncertainty(dataset, grower, measures, asked, &Run::new(threads, &progress));
    Ok(with_percent("growing forests", &progress, quiet, find)?)
}

#[derive(Serialize)]
struct Document<'a> {
    wald: &'static str,
    task: Task,
    target: &'a str,
    n_rows: usize,
    features: &'a [String],
    confidence: f64,
    /// Where sampling errors come from.
    errors: &'static str,
    /// Share of the rows, or clusters, of each subsample.
    subsample_fraction: Option<f64>,
    /// What p-values rest on.
    null: Option<&'static str>,
    adjustment: Option<&'static str>,
    measures: Vec<MeasureObject<'a>>,
}

#[derive(Serialize)]
struct MeasureObject<'a> {
    id: &'static str,
    data: DataUsed,
    loss: Option<&'static str>,
    unit: &'a str,
    n_subsamples: Option<usize>,
    values: &'a [Option<f64>],
    monte_carlo_errors: Option<&'a [Option<f64>]>,
    sampling_errors: &'a [Option<f64>],
    standard_errors: &'a [Option<f64>],
    intervals: &'a [Option<Interval<f64>>],
    simultaneous_intervals: &'a [Option<Interval<f64>>],
    rank_intervals: Option<&'a [Option<Interval<usize>>]>,
    p_values: Option<&'a [Option<f64>]>,
    adjusted_p_values: Option<&'a [Option<f64>]>,
    /// The number of importances of irrelevant variables with which each variable was compared.
    null_sizes: Option<&'a [u32]>,
    /// Of neighbours in the ranking; null trees where they are equal.
    trees_to_separate: Vec<Separated<'a>>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Separated<'a> {
    first: &'a str,
    second: &'a str,
    n_trees: Option<u64>,
}

fn write_json(
    writer: &mut dyn Write,
    data: &Data,
    found: &[Uncertainty],
    asked: &UncertaintyConfig,
) -> io::Result<()> {
    let dataset = &data.prepared.dataset;
    let names = dataset.groups().names();
    let subsampling = asked.errors.subsampling();
    let document = Document {
        wald: wald_version(),
        task: dataset.target().task(),
        target: dataset.target().name(),
        n_rows: dataset.n_rows(),
        features: names,
        confidence: asked.confidence.get(),
        errors: asked.errors.id(),
        subsample_fraction: subsampling.map(|settings| settings.fraction),
        null: asked.test.map(Test::id),
        adjustment: asked.test.map(|_| asked.adjustment.id()),
        measures: found.iter().map(|found| measure_object(found, names)).collect(),
    };
    data.notes().write_json(writer, &document)
}

fn measure_object<'a>(found: &'a Uncertainty, names: &'a [String]) -> MeasureObject<'a> {
    let (importance, intervals) = (&found.importance, &found.intervals);
    let separated = found.separations.iter().map(|pair| Separated {
        first: &names[pair.first],
        second: &names[pair.second],
        n_trees: pair.n_trees,
    });
    MeasureObject {
        id: importance.id,
        data: importance.data,
        loss: importance.loss,
        unit: &importance.unit,
        n_subsamples: found.sampled.n_subsamples,
        values: &importance.values,
        monte_carlo_errors: importance.standard_errors.as_deref(),
        sampling_errors: &found.sampled.standard_errors,
        standard_errors: &intervals.standard_errors,
        intervals: &intervals.each,
        simultaneous_intervals: &intervals.together,
        rank_intervals: intervals.ranks.as_deref(),
        p_values: found.tested.as_ref().map(|tested| tested.p_values.as_slice()),
        adjusted_p_values: found.adjusted.as_deref(),
        null_sizes: found.tested.as_ref().map(|tested| tested.null_sizes.as_slice()),
        trees_to_separate: separated.collect(),
        notes: notes(found).chain(note_on_ranks(found)).collect(),
    }
}

/// One row per measure and variable, in the order of the table.
fn frame(found: &[Uncertainty], names: &[String]) -> Frame {
    let rows: Vec<(&Uncertainty, usize)> =
        found.iter().flat_map(|one| (0..names.len()).map(move |index| (one, index))).collect();
    let numbers = |of: &dyn Fn(&Uncertainty, usize) -> Option<f64>| {
        FrameColumn::numbers(&rows, |(one, index)| of(one, *index))
    };
    let rank = |one: &Uncertainty, index: usize| one.intervals.ranks.as_ref()?[index];
    let mut columns = vec![
        ("measure", FrameColumn::texts(&rows, |(one, _)| one.importance.id.to_owned())),
        ("variable", FrameColumn::texts(&rows, |(_, index)| names[*index].clone())),
        ("value", numbers(&|one, index| one.importance.values[index])),
        (
            "monte_carlo_error",
            numbers(&|one, index| one.importance.standard_errors.as_ref()?[index]),
        ),
        ("sampling_error", numbers(&|one, index| one.sampled.standard_errors[index])),
        ("standard_error", numbers(&|one, index| one.intervals.standard_errors[index])),
        ("low", numbers(&|one, index| Some(one.intervals.each[index]?.low))),
        ("high", numbers(&|one, index| Some(one.intervals.each[index]?.high))),
        ("simultaneous_low", numbers(&|one, index| Some(one.intervals.together[index]?.low))),
        ("simultaneous_high", numbers(&|one, index| Some(one.intervals.together[index]?.high))),
        ("lowest_rank", numbers(&|one, index| Some(rank(one, index)?.low as f64))),
        ("highest_rank", numbers(&|one, index| Some(rank(one, index)?.high as f64))),
    ];
    if found.iter().any(|one| one.tested.is_some()) {
        columns.push(("p_value", numbers(&|one, index| one.tested.as_ref()?.p_values[index])));
        columns.push(("adjusted_p_value", numbers(&|one, index| one.adjusted.as_ref()?[index])));
    }
    columns.into_iter().collect()
}
