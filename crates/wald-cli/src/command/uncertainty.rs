//! `wald uncertainty`: how sure importances are, as a table, JSON, CSV or Parquet.

use std::io::{self, Write};

use serde::Serialize;
use wald::data::Task;
use wald::forest::Keep;
use wald::importance::DataUsed;
use wald::inference::{Interval, Uncertainty, UncertaintyConfig, uncertainty};
use wald::{ForestConfig, Measure, Monitor};
use wald_table::{Frame, FrameColumn};

use crate::analysis::{tell, tell_notes};
use crate::arguments::{Format, UncertaintyArguments};
use crate::csv;
use crate::failure::{Failure, wald_version};
use crate::grouping::Grouping;
use crate::inputs::{self, Data};
use crate::output::Destination;
use crate::progress::with_percent;
use crate::room::Growing;
use crate::uncertainty_table::uncertainty_table;

pub(crate) fn run(arguments: &UncertaintyArguments) -> Result<(), Failure> {
    let (threads, quiet) = (arguments.run.threads(), arguments.run.quiet);
    let (config, measure, asked) = arguments.settings()?;
    let design = arguments.data.design(false)?;
    let input = arguments.data.data.as_path();
    let output = &arguments.output;
    let destination = Destination::check(output.path(), output.force, &[input])?;
    let monitor = Monitor::new();
    let measures = &arguments.measures;
    let grouping = Grouping { named: &measures.group, rule: measures.groups };
    let data = inputs::data(input, &design, quiet)?;
    let data = grouping.apply(data, (threads, &monitor), quiet)?;
    let found = find(arguments, (&data, &config, &measure, &asked), &monitor)
        .map_err(|failure| failure.at_data_file(&data.source))?;
    let names = data.prepared.dataset.groups().names();
    destination.write(|writer| match arguments.format {
        Format::Table => {
            let text = uncertainty_table((&found, &asked), names, destination.terminal());
            writer.write_all(text.as_bytes())
        }
        Format::Json => write_json(writer, &data, (&found, &asked)),
        Format::Csv => csv::write(writer, &frame(&found, names)),
        Format::Parquet => frame(&found, names).write_parquet(writer),
    })?;
    let notes: Vec<String> = data.notes().chain(found.importance.notes.iter().cloned()).collect();
    tell_notes(&notes, quiet);
    Ok(())
}

/// Grows and measures, after a look at what a forest needs.
fn find(
    arguments: &UncertaintyArguments,
    (data, config, measure, asked): (&Data, &ForestConfig, &Measure, &UncertaintyConfig),
    monitor: &Monitor,
) -> Result<Uncertainty, Failure> {
    let (threads, quiet) = (arguments.run.threads(), arguments.run.quiet);
    let dataset = &data.prepared.dataset;
    measure.check_config(config)?;
    tell(data, config.n_trees, quiet);
    let growing = Growing {
        data: dataset,
        config,
        measures: std::slice::from_ref(measure),
        keep: Keep::Nothing,
        is_written: false,
        threads,
    };
    growing.check(quiet)?;
    let grow = || uncertainty(dataset, config, measure, asked, (threads, monitor));
    Ok(with_percent("growing forests", monitor, quiet, grow)?)
}

#[derive(Serialize)]
struct Document<'a> {
    wald: &'static str,
    measure: &'static str,
    data: DataUsed,
    loss: Option<&'static str>,
    unit: &'a str,
    task: Task,
    target: &'a str,
    n_rows: usize,
    features: &'a [String],
    confidence: f64,
    n_subsamples: usize,
    /// Share of the rows, or clusters, of each.
    subsample_fraction: f64,
    values: &'a [Option<f64>],
    monte_carlo_errors: Option<&'a [Option<f64>]>,
    sampling_errors: &'a [Option<f64>],
    standard_errors: &'a [Option<f64>],
    intervals: &'a [Option<Interval<f64>>],
    simultaneous_intervals: &'a [Option<Interval<f64>>],
    rank_intervals: Option<&'a [Option<Interval<usize>>]>,
    p_values: Option<&'a [Option<f64>]>,
    adjusted_p_values: Option<&'a [Option<f64>]>,
    adjustment: Option<&'static str>,
    /// How many permuted responses each variable took.
    permutations: Option<&'a [u32]>,
    /// Of neighbours in the ranking; null trees where they are equal.
    trees_to_separate: Vec<Separated<'a>>,
    notes: &'a [String],
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
    (found, asked): (&Uncertainty, &UncertaintyConfig),
) -> io::Result<()> {
    let dataset = &data.prepared.dataset;
    let names = dataset.groups().names();
    let (importance, intervals) = (&found.importance, &found.intervals);
    let document = Document {
        wald: wald_version(),
        measure: importance.id,
        data: importance.data,
        loss: importance.loss,
        unit: &importance.unit,
        task: dataset.target().task(),
        target: dataset.target().name(),
        n_rows: dataset.n_rows(),
        features: names,
        confidence: intervals.confidence,
        n_subsamples: found.sampled.n_subsamples,
        subsample_fraction: asked.subsampling.fraction,
        values: &importance.values,
        monte_carlo_errors: importance.standard_errors.as_deref(),
        sampling_errors: &found.sampled.standard_errors,
        standard_errors: &intervals.standard_errors,
        intervals: &intervals.each,
        simultaneous_intervals: &intervals.together,
        rank_intervals: intervals.ranks.as_deref(),
        p_values: found.tested.as_ref().map(|tested| tested.p_values.as_slice()),
        adjusted_p_values: found.adjusted.as_deref(),
        adjustment: found.tested.as_ref().map(|_| asked.adjustment.id()),
        permutations: found.tested.as_ref().map(|tested| tested.permutations.as_slice()),
        trees_to_separate: found
            .separations
            .iter()
            .map(|pair| Separated {
                first: &names[pair.first],
                second: &names[pair.second],
                n_trees: pair.n_trees,
            })
            .collect(),
        notes: &importance.notes,
    };
    serde_json::to_writer(&mut *writer, &document)?;
    writer.write_all(b"\n")
}

/// One row per variable, in the order of the table.
fn frame(found: &Uncertainty, names: &[String]) -> Frame {
    let (importance, intervals) = (&found.importance, &found.intervals);
    let ends = |of: &[Option<Interval<f64>>]| -> [Vec<Option<f64>>; 2] {
        [
            of.iter().map(|found| found.map(|found| found.low)).collect(),
            of.iter().map(|found| found.map(|found| found.high)).collect(),
        ]
    };
    let nothing = || vec![None; names.len()];
    let [low, high] = ends(&intervals.each);
    let [all_low, all_high] = ends(&intervals.together);
    let ranks = intervals.ranks.clone().unwrap_or_else(|| vec![None; names.len()]);
    let rank = |end: &dyn Fn(Interval<usize>) -> usize| -> Vec<Option<f64>> {
        ranks.iter().map(|found| found.map(|found| end(found) as f64)).collect()
    };
    let mut columns = vec![
        ("variable", FrameColumn::Text(names.to_vec())),
        ("value", FrameColumn::Numbers(importance.values.clone())),
        (
            "monte_carlo_error",
            FrameColumn::Numbers(importance.standard_errors.clone().unwrap_or_else(nothing)),
        ),
        ("sampling_error", FrameColumn::Numbers(found.sampled.standard_errors.clone())),
        ("standard_error", FrameColumn::Numbers(intervals.standard_errors.clone())),
        ("low", FrameColumn::Numbers(low)),
        ("high", FrameColumn::Numbers(high)),
        ("simultaneous_low", FrameColumn::Numbers(all_low)),
        ("simultaneous_high", FrameColumn::Numbers(all_high)),
        ("lowest_rank", FrameColumn::Numbers(rank(&|found| found.low))),
        ("highest_rank", FrameColumn::Numbers(rank(&|found| found.high))),
    ];
    if let (Some(tested), Some(adjusted)) = (&found.tested, &found.adjusted) {
        columns.push(("p_value", FrameColumn::Numbers(tested.p_values.clone())));
        columns.push(("adjusted_p_value", FrameColumn::Numbers(adjusted.clone())));
    }
    let columns = columns.into_iter().map(|(name, column)| (name.to_owned(), column));
    Frame { columns: columns.collect() }
}
