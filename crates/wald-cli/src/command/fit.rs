//! `wald fit`: grows a forest and stores it.

use wald::Forest;
use wald::forest::Keep;
use wald::work::notes_on_forest;
use wald_report::Growing;

use crate::arguments::FitArguments;
use crate::command::convert::{write_forest, writes_json};
use crate::failure::Failure;
use crate::host::Host;
use crate::inputs;
use crate::messages;
use crate::output::Destination;
use crate::subject::announce;

pub(crate) fn run(arguments: &FitArguments) -> Result<(), Failure> {
    let run = &arguments.run;
    let design = arguments.data.design(false)?;
    let config = arguments.growing.config(run.seed)?;
    let input = arguments.data.data.as_path();
    let destination = Destination::check(Some(&arguments.output), arguments.force, &[input])?;
    let data = inputs::data(input, &design, run.quiet)?;
    announce(&data, config.n_trees, run.quiet);
    let growing = Growing {
        data: &data.prepared.dataset,
        config: &config,
        measures: &[],
        keep: Keep::Trees,
        is_written: !writes_json(&arguments.output, &destination),
    };
    let host = Host::new(run);
    growing.check(&host)?;
    let grow = || Forest::grow(&data.prepared.dataset, &config, &host.run);
    let forest = host
        .show("growing trees", grow)
        .map_err(|error| Failure::from(error).at_data_file(&data.source))?;
    host.run.check_whole()?;
    write_forest(&forest, &arguments.output, &destination)?;
    let of_forest = notes_on_forest(&data.prepared.dataset, &forest);
    data.notes().and(of_forest).print(run.quiet);
    if !run.quiet && destination != Destination::Stdout {
        messages::print(&messages::written(&arguments.output));
    }
    Ok(())
}
