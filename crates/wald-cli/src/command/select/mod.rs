//! `wald select`: the few variables that predict best, all relevant ones, or with few false discoveries.

mod boruta;
mod elimination;
mod ipss;

use wald::Error;
use wald::memory::Size;
use wald::words::counted;
use wald_table::free_memory;

use crate::arguments::{Asked, Format, SelectArguments};
use crate::command::select::elimination::Store;
use crate::failure::Failure;
use crate::host::Host;
use crate::inputs::Data;
use crate::output::Destination;
use crate::picture::PictureFiles;
use crate::subject::{Subject, announce};

/// What there is before variables are selected.
struct Ready<'a> {
    data: Data,
    destination: Destination,
    files: Option<PictureFiles<'a>>,
    host: Host,
    format: Format,
}

pub(crate) fn run(arguments: &SelectArguments) -> Result<(), Failure> {
    let asked = arguments.asked()?;
    let design = arguments.data.design(false)?;
    let data_path = arguments.data.data.as_path();
    let output = &arguments.output;
    let destination = Destination::check(output.path(), output.force, &[data_path])?;
    let files = PictureFiles::check(&arguments.picture, output, &[data_path], &destination)?;
    let store = arguments.elimination.resume.as_deref();
    let store = store.map(|path| Store::check(path, data_path, &destination)).transpose()?;
    let host = Host::new(&arguments.run);
    let measures = &arguments.measures;
    let grouping = measures.grouping.grouping();
    let Subject { data, .. } = Subject::read(data_path, None, &design, grouping, &host)?;
    announce(&data, asked.n_trees(), host.quiet);
    let ready = Ready { data, destination, files, host, format: output.format() };
    match &asked {
        Asked::Elimination(config) => elimination::run(config, store.as_ref(), &ready)?,
        Asked::Boruta(config) => boruta::run(config, &ready)?,
        Asked::Ipss(config, target) => ipss::run(config, *target, &ready)?,
    }
    ready.data.notes().print(ready.host.quiet);
    Ok(())
}

impl Ready<'_> {
    fn at_data(&self, error: Error) -> Failure {
        Failure::from(error).at_data_file(&self.data.source)
    }

    /// An error where there is no room for the work, or its settings do not fit the data.
    fn check_room(&self, size: Result<Size, Error>, n_trees: usize) -> Result<(), Failure> {
        let doing = format!("selecting variables with {}", counted(n_trees, "tree"));
        let threads = self.host.run.threads;
        let check = |size: Size| size.check(&doing, n_trees, threads, free_memory());
        size.and_then(check).map_err(|error| self.at_data(error))
    }
}
