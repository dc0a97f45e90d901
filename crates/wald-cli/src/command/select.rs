//! `wald select`: recursive feature elimination with cross-validation.

use std::fs;
use std::io;
use std::path::Path;

use wald::selection::SelectionState;
use wald::{Dataset, SelectionConfig, select};

use crate::arguments::{Format, SelectArguments};
use crate::failure::Failure;
use crate::grouping::Grouping;
use crate::host::Host;
use crate::messages;
use crate::output::{Destination, refuse_same};
use crate::room;
use crate::subject::{Subject, announce};
use crate::text::errors_table;

pub(crate) fn run(arguments: &SelectArguments) -> Result<(), Failure> {
    let config = arguments.config()?;
    let design = arguments.data.design(false)?;
    let data_path = arguments.data.data.as_path();
    let output = &arguments.output;
    let destination = Destination::check(output.path(), output.force, &[data_path])?;
    let store = arguments.elimination.resume.as_deref();
    let store = store.map(|path| Store::check(path, data_path, &destination)).transpose()?;
    let host = Host::new(&arguments.run);
    let measures = &arguments.measures;
    let grouping = Grouping { named: &measures.group, rule: measures.group_by };
    let Subject { data, .. } = Subject::read(data_path, None, &design, grouping, &host)?;
    let dataset = &data.prepared.dataset;
    announce(&data, config.forest.n_trees, host.quiet);
    let at_data = |error: wald::Error| Failure::from(error).at_data_file(&data.source);
    room::check_selecting(dataset, &config, host.run.threads).map_err(at_data)?;
    let state = match &store {
        Some(store) => store.read(dataset, &config, host.quiet)?,
        None => SelectionState::new(dataset, &config),
    };
    let mut unwritten = None;
    let finished = |state: &SelectionState| {
        if let Some(Err(failure)) = store.as_ref().map(|store| store.write(state)) {
            unwritten.get_or_insert(failure);
            host.run.progress.cancel();
        }
    };
    let work = || select(dataset, &config, state, finished, &host.run);
    let selected = host.show_percent("selecting variables", work);
    if let Some(failure) = unwritten {
        return Err(failure);
    }
    let selection = selected.map_err(at_data)?;
    let loss = config.loss.unit(dataset.target().task());
    destination.write(|writer| match arguments.output.format {
        Format::Json => data.notes().write_json(writer, selection.document(dataset, &config)),
        Format::Csv => output.format.of_frame().write(&selection.frame(), writer),
        Format::Table | Format::Parquet => {
            let terminal = destination.terminal();
            writer.write_all(errors_table(&selection, loss, terminal).as_bytes())
        }
    })?;
    data.notes().print(host.quiet);
    Ok(())
}

/// The file of finished folds.
struct Store<'a> {
    path: &'a Path,
    destination: Destination,
}

impl<'a> Store<'a> {
    fn check(path: &'a Path, data: &Path, output: &Destination) -> Result<Self, Failure> {
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
