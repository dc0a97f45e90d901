//! `wald advise`: which measure answers which question on these data.

use std::path::Path;

use serde::Serialize;
use wald::document::{self, Header};
use wald_report::advice::{Advice, advise, measures};
use wald_report::{Depth, Study};

use crate::arguments::{AdviseArguments, Format};
use crate::failure::Failure;
use crate::host::Host;
use crate::output::Destination;
use crate::subject::{Subject, announce};
use crate::text::advice_text;

pub(crate) fn run(arguments: &AdviseArguments) -> Result<(), Failure> {
    let settings = arguments.settings()?;
    let config = arguments.growing.config(arguments.run.seed)?;
    let forest = arguments.forest.as_deref();
    let design = arguments.data.design(forest.is_some())?;
    let input = arguments.data.data.as_path();
    let files: Vec<&Path> = [Some(input), forest].into_iter().flatten().collect();
    let output = &arguments.output;
    let destination = Destination::check(output.path(), output.force, &files)?;
    let host = Host::new(&arguments.run);
    let grouping = arguments.grouping.grouping();
    let subject = Subject::read(input, forest, &design, grouping, &host)?;
    let (data, origin) = (&subject.data, subject.origin(&config));
    let dataset = &data.prepared.dataset;
    announce(data, origin.n_trees(), host.quiet);
    let at_data = |error: wald::Error| Failure::from(error).at_data_file(&data.source);
    let study = Study::new(dataset, origin, measures(origin), Depth::Importances, &host);
    let study = study.map_err(at_data)?;
    let advice = host.show("testing", || advise(&study, settings, &host)).map_err(at_data)?;
    destination.write(|writer| match arguments.output.format {
        Format::Json => {
            let (header, subject) = (Header::default(), document::Subject::from(&**dataset));
            data.notes().write_json(writer, Document { header, subject, advice: &advice })
        }
        _ => writer.write_all(advice_text(&advice, destination.terminal()).as_bytes()),
    })?;
    data.notes().print(host.quiet);
    Ok(())
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    header: Header,
    #[serde(flatten)]
    subject: document::Subject<'a>,
    #[serde(flatten)]
    advice: &'a Advice,
}
