//! Integrated path stability selection: which variables are selected with few false discoveries.

use wald::selection::{IpssConfig, ipss};

use crate::arguments::{Format, Target};
use crate::command::select::Ready;
use crate::failure::Failure;
use crate::text::stability_table;

/// Selects, and writes the scores of all variables.
pub(super) fn run(config: &IpssConfig, target: Target, ready: &Ready<'_>) -> Result<(), Failure> {
    let Ready { data, destination, host, format, .. } = ready;
    let dataset = &data.prepared.dataset;
    ready.check_room(config.size(dataset, host.run.threads), config.n_trees())?;
    let work = || ipss(dataset, config, &host.run);
    let found = host.show_percent("selecting variables", work);
    let found = found.map_err(|error| ready.at_data(error))?;
    destination.write(|writer| match format {
        Format::Json => data.notes().write_json(writer, found.document(dataset, config)),
        Format::Frame(frame) => frame.write(&found.frame(), writer),
        Format::Table(look) => {
            let table = stability_table(&found, config, target, destination.terminal(*look));
            writer.write_all(table.as_bytes())
        }
    })
}
