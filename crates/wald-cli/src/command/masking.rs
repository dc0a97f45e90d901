//! `wald masking`: importances against mtry, as a table, JSON, CSV, Parquet or picture.

use wald::forest::Keep;
use wald::masking::{Masking, masking, usual_mtry};
use wald::{ForestConfig, Measure, Progress, Run};
use wald_report::Growing;

use crate::arguments::{Format, MaskingArguments};
use crate::failure::Failure;
use crate::grouping::Grouping;
use crate::host::Host;
use crate::inputs::{self, Data};
use crate::output::{Destination, PictureFile};
use crate::progress::with_percent;
use crate::subject::announce;
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
        Format::Json => data.notes().write_json(writer, found.document(&data.prepared.dataset)),
        format => format.of_frame().write(&found.frame(), writer),
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
    };
    growing.check(&Host::new(&arguments.run))?;
    let grow = || masking(dataset, config, measure, &mtry, &Run::new(threads, progress));
    Ok(with_percent("growing forests", progress, quiet, grow)?)
}
