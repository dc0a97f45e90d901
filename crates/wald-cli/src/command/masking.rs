//! `wald masking`: importances against mtry, as a table, JSON, CSV, Parquet or picture.

use wald::forest::Keep;
use wald::masking::{Masking, masking, usual_mtry};
use wald::{Error, ForestConfig, Measure, Origin};
use wald_report::check_room;

use crate::arguments::{Format, MaskingArguments};
use crate::failure::Failure;
use crate::host::Host;
use crate::inputs::Data;
use crate::output::Destination;
use crate::picture::{self, PictureFiles};
use crate::subject::{Subject, announce};
use crate::text::masking_table;

pub(crate) fn run(arguments: &MaskingArguments) -> Result<(), Failure> {
    let (config, measure) = arguments.settings()?;
    let design = arguments.data.design(false)?;
    let input = arguments.data.data.as_path();
    let output = &arguments.output;
    let destination = Destination::check(output.path(), output.force, &[input])?;
    let files = PictureFiles::check(&arguments.picture, output, &[input], &destination)?;
    let host = Host::new(&arguments.run);
    let measures = &arguments.measures;
    let grouping = measures.grouping.grouping();
    let Subject { data, .. } = Subject::read(input, None, &design, grouping, &host)?;
    announce(&data, config.n_trees, host.quiet);
    let found = find(&data, &config, &measure, &arguments.values, &host)
        .map_err(|error| Failure::from(error).at_data_file(&data.source))?;
    let names = data.prepared.dataset.groups().names();
    let notes = data.notes().and(found.note());
    if let Some(files) = files {
        let (columns, most) = (files.columns(), files.most_variables());
        let sheet = picture::of_masking(&found, names, columns, most);
        files.write(sheet, names, host.quiet)?;
    }
    destination.write(|writer| match arguments.output.format() {
        Format::Table(look) => {
            let text = masking_table(&found, names, destination.terminal(look));
            writer.write_all(text.as_bytes())
        }
        Format::Json => notes.write_json(writer, found.document(&data.prepared.dataset)),
        Format::Frame(frame) => frame.write(&found.frame(), writer),
    })?;
    notes.print(host.quiet);
    Ok(())
}

/// Grows and measures, after a look at what all forests need.
fn find(
    data: &Data,
    config: &ForestConfig,
    measure: &Measure,
    mtry: &[usize],
    host: &Host,
) -> Result<Masking, Error> {
    let dataset = &data.prepared.dataset;
    let most = config.subspace.unwrap_or(dataset.n_features());
    let mtry = match mtry {
        [] => usual_mtry(most),
        named => named.to_vec(),
    };
    Origin::Settings(config).check(measure, dataset)?;
    // Trees are the larger the fewer variables compete for their splits. What is out of range is
    // refused by `masking`, in the words of its own option.
    let fewest = mtry.iter().min().map(|&mtry| mtry.clamp(1, most.max(1)));
    let largest = ForestConfig { mtry: fewest, ..config.clone() };
    let measures = std::slice::from_ref(measure);
    check_room(dataset, Origin::Settings(&largest), measures, Keep::Nothing, host)?;
    let grow = || masking(dataset, config, measure, &mtry, &host.run);
    host.show_percent("growing forests", grow)
}
