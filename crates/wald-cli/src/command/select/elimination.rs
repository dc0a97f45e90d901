//! Recursive feature elimination with cross-validation.

use std::fs;
use std::io;
use std::path::Path;

use wald::selection::SelectionState;
use wald::{Dataset, SelectionConfig, select};

use crate::arguments::Format;
use crate::command::select::Ready;
use crate::failure::Failure;
use crate::messages;
use crate::output::{Destination, refuse_same};
use crate::picture;
use crate::text::errors_table;

/// Selects, and writes the errors of all numbers of variables.
pub(super) fn run(
    config: &SelectionConfig,
    store: Option<&Store<'_>>,
    ready: &Ready<'_>,
) -> Result<(), Failure> {
    let Ready { data, destination, files, host, format } = ready;
    let dataset = &data.prepared.dataset;
    ready.check_room(config.size(dataset, host.run.threads), config.forest.n_trees)?;
    let state = match store {
        Some(store) => store.read(dataset, config, host.quiet)?,
        None => SelectionState::new(dataset, config),
    };
    let mut unwritten = None;
    let finished = |state: &SelectionState| {
        if let Some(Err(failure)) = store.map(|store| store.write(state)) {
            unwritten.get_or_insert(failure);
            host.run.progress.cancel();
        }
    };
    let work = || select(dataset, config, state, finished, &host.run);
    let selected = host.show_percent("selecting variables", work);
    if let Some(failure) = unwritten {
        return Err(failure);
    }
    let selection = selected.map_err(|error| ready.at_data(error))?;
    let loss = config.loss.unit(dataset.target().task());
    if let Some(files) = files {
        let id = config.measure.id().info().id;
        let sheet = picture::of_selection(&selection, id, loss, files.columns());
        files.write(sheet, dataset.groups().names(), host.quiet)?;
    }
    destination.write(|writer| match format {
        Format::Json => data.notes().write_json(writer, selection.document(dataset, config)),
        Format::Frame(frame) => frame.write(&selection.frame(), writer),
        Format::Table(look) => {
            writer.write_all(errors_table(&selection, loss, destination.terminal(*look)).as_bytes())
        }
    })
}

/// The file of finished folds.
pub(super) struct Store<'a> {
    path: &'a Path,
    destination: Destination,
}

impl<'a> Store<'a> {
    pub(super) fn check(
        path: &'a Path,
        data: &Path,
        output: &Destination,
    ) -> Result<Self, Failure> {
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if real(data) != real(path) {
            let destination = Destination::check(Some(path), true, &[])?;
            if destination.is_file() {
                refuse_same("the finished folds", &destination, "the results", output)?;
                return Ok(Self { path, destination });
            }
        }
        let help = "name a file of its own with `--resume`";
        Err(Failure::usage("finished folds need a file of their own", help)
            .at_file(&path.to_string_lossy()))
    }

    fn read(
        &self,
        data: &Dataset,
        config: &SelectionConfig,
        quiet: bool,
    ) -> Result<SelectionState, Failure> {
        let bytes = match fs::read(self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(SelectionState::new(data, config));
            }
            Err(error) => return Err(Failure::file("read", self.path, &error)),
        };
        let name = self.path.to_string_lossy();
        let state = SelectionState::from_bytes(&bytes, data, config)
            .map_err(|error| Failure::from(error).at_file(&name))?;
        if !quiet {
            let n_all = config.folds * config.repeats + 1;
            let name = wald_table::escape_controls(&name);
            messages::print(&format!(
                "{name}: {} of {n_all} eliminations are done",
                state.n_done()
            ));
        }
        Ok(state)
    }

    fn write(&self, state: &SelectionState) -> Result<(), Failure> {
        let bytes = state.to_bytes()?;
        self.destination.write(|writer| writer.write_all(&bytes))
    }
}
