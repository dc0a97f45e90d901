//! `wald conditional`: tests of what variables add to the others, as a table, JSON, CSV or Parquet.

use wald::inference::conditional_test;
use wald_report::Front;

use crate::arguments::{ConditionalArguments, Format};
use crate::failure::Failure;
use crate::host::Host;
use crate::output::Destination;
use crate::subject::{Subject, announce};
use crate::text::conditional_table;

pub(crate) fn run(arguments: &ConditionalArguments) -> Result<(), Failure> {
    let config = arguments.config()?;
    let design = arguments.data.design(false)?;
    let input = arguments.data.data.as_path();
    let output = &arguments.output;
    let destination = Destination::check(output.path(), output.force, &[input])?;
    let host = Host::new(&arguments.run);
    let grouping = arguments.grouping.grouping();
    let Subject { data, .. } = Subject::read(input, None, &design, grouping, &host)?;
    let n_trees = config.forest.n_trees;
    announce(&data, n_trees, host.quiet);
    let dataset = &data.prepared.dataset;
    let find = || {
        let size = config.size(dataset, host.run.threads)?;
        size.check("growing the forests of all folds", n_trees, host.run.threads, host.free())?;
        let test = || conditional_test(dataset, &config, &host.run);
        host.show_percent("growing forests", test)
    };
    let found = find().map_err(|error| Failure::from(error).at_data_file(&data.source))?;
    let notes = data.notes().and(found.notes.iter().cloned());
    destination.write(|writer| match output.format() {
        Format::Table(look) => {
            let text = conditional_table(
                &found,
                &config,
                dataset.clusters().is_some(),
                destination.terminal(look),
            );
            writer.write_all(text.as_bytes())
        }
        Format::Json => notes.write_json(writer, found.document(dataset, &config)),
        Format::Frame(frame) => frame.write(&found.frame(), writer),
    })?;
    notes.print(host.quiet);
    Ok(())
}
