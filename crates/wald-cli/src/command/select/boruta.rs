//! Boruta: which variables are relevant at all.

use wald::selection::{BorutaConfig, boruta};

use crate::arguments::Format;
use crate::command::select::Ready;
use crate::failure::Failure;
use crate::text::decisions_table;

/// Selects, and writes what became of every variable.
pub(super) fn run(config: &BorutaConfig, ready: &Ready<'_>) -> Result<(), Failure> {
    let Ready { data, destination, host, format, .. } = ready;
    let dataset = &data.prepared.dataset;
    ready.check_room(config.size(dataset, host.run.threads), config.forest.n_trees)?;
    let work = || boruta(dataset, config, &host.run);
    let found = host.show_percent("selecting variables", work);
    let found = found.map_err(|error| ready.at_data(error))?;
    destination.write(|writer| match format {
        Format::Json => data.notes().write_json(writer, found.document(dataset, config)),
        Format::Frame(frame) => frame.write(&found.frame(), writer),
        Format::Table(look) => {
            let table = decisions_table(&found, config, destination.terminal(*look));
            writer.write_all(table.as_bytes())
        }
    })
}
