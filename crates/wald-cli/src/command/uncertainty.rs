//! `wald uncertainty`: how sure importances are, as a table, JSON, CSV or Parquet.

use wald::forest::Keep;
use wald::inference::{Grower, SamplingErrors, Uncertainty, UncertaintyConfig, uncertainty};
use wald::{Measure, Progress, Run};

use crate::analysis::announce;
use crate::arguments::{Format, UncertaintyArguments};
use crate::failure::Failure;
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
        Format::Json => {
            let document = Uncertainty::document(&found, &data.prepared.dataset, &asked);
            data.notes().write_json(writer, document)
        }
        format => format.of_frame().write(&Uncertainty::frame(&found), writer),
    })?;
    // Tables have what is to be known of ranks below them.
    let of_ranks = found.iter().filter(|_| output.format != Format::Table);
    let of_ranks = of_ranks.filter_map(|found| Some((found, found.note_on_ranks()?)));
    let of_measures = found.iter().flat_map(|found| found.notes().map(move |note| (found, note)));
    let of_measures = of_measures.chain(of_ranks);
    let of_measures = of_measures.map(|(found, note)| format!("{}: {note}", found.importance.id));
    data.notes().and(of_measures).print(quiet);
    Ok(())
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
