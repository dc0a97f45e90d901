//! `wald interactions`: sets of variables that a forest splits on together.

use wald::interactions::interactions;
use wald_report::Front;

use crate::arguments::{Format, InteractionsArguments};
use crate::failure::Failure;
use crate::host::Host;
use crate::output::Destination;
use crate::subject::{Subject, announce};
use crate::text::interactions_table;
use crate::wording::CommandLine;

pub(crate) fn run(arguments: &InteractionsArguments) -> Result<(), Failure> {
    let asked = arguments.config()?;
    let config = arguments.growing.config(arguments.run.seed)?;
    let forest = arguments.forest.as_deref();
    let design = arguments.data.design(forest.is_some())?;
    let input = arguments.data.data.as_path();
    let output = &arguments.output;
    let inputs: Vec<_> = std::iter::once(input).chain(forest).collect();
    let destination = Destination::check(output.path(), output.force, &inputs)?;
    let host = Host::new(&arguments.run);
    let subject = Subject::read(input, forest, &design, arguments.grouping.grouping(), &host)?;
    let (data, origin) = (&subject.data, subject.origin(&config));
    announce(data, origin.n_trees(), host.quiet);
    let dataset = &data.prepared.dataset;
    let find = || {
        asked.check(dataset)?;
        let (threads, n_trees) = (host.run.threads, origin.n_trees());
        let size = asked.size(dataset, origin, threads)?;
        size.check("listing the paths of a forest", n_trees, threads, host.free())?;
        let search = || interactions(dataset, origin, &asked, &host.run);
        host.show_percent("searching forests", search)
    };
    let found = find().map_err(|error| Failure::from(error).at_data_file(&data.source))?;
    let notes = data.notes().clone().and(found.note().map(|note| note.worded(&CommandLine)));
    destination.write(|writer| match output.format() {
        Format::Table(look) => {
            let text = interactions_table(&found, destination.terminal(look));
            writer.write_all(text.as_bytes())
        }
        Format::Json => notes.write_json(writer, found.document(dataset)),
        Format::Frame(frame) => frame.write(&found.frame(), writer),
    })?;
    notes.print(host.quiet);
    Ok(())
}
