//! `wald compare`: differences of importances between two tables or forests.

use wald::inference::{ComparedSide, Comparison, compare};
use wald_report::check_room;

use crate::arguments::{CompareArguments, Format};
use crate::failure::Failure;
use crate::host::Host;
use crate::output::Destination;
use crate::picture::{self, PictureFiles};
use crate::subject::{Subject, announce};
use crate::text::comparison_table;

pub(crate) fn run(arguments: &CompareArguments) -> Result<(), Failure> {
    let (measures, asked) = arguments.settings()?;
    let config = arguments.growing.config(arguments.run.seed)?;
    let forests = [arguments.measures.forest.as_deref(), arguments.second_forest.as_deref()];
    let tables = [arguments.data.data.as_path(), arguments.second()];
    let design = arguments.data.design(forests[0].is_some())?;
    let output = &arguments.output;
    let inputs: Vec<_> = tables.into_iter().chain(forests.into_iter().flatten()).collect();
    let destination = Destination::check(output.path(), output.force, &inputs)?;
    let files = PictureFiles::check(&arguments.picture, output, &inputs, &destination)?;
    let host = Host::new(&arguments.run);
    let read = |at: usize| -> Result<Subject, Failure> {
        let grouping = arguments.measures.grouping.grouping();
        Subject::read(tables[at], forests[at], &design, grouping, &host)
    };
    let subjects = [read(0)?, read(1)?];
    for subject in &subjects {
        announce(&subject.data, subject.origin(&config).n_trees(), host.quiet);
    }
    let [first, second] = subjects.each_ref().map(|subject| ComparedSide {
        data: &subject.data.prepared.dataset,
        origin: subject.origin(&config),
    });
    for (subject, side) in subjects.iter().zip([first, second]) {
        let check = || {
            measures.iter().try_for_each(|measure| side.origin.check(measure, side.data))?;
            check_room(
                &subject.data.prepared.dataset,
                side.origin,
                &measures,
                wald::forest::Keep::Nothing,
                &host,
            )
        };
        check().map_err(|error| Failure::from(error).at_data_file(&subject.data.source))?;
    }
    let found = || compare(first, second, &measures, &asked, &host.run);
    let found = host.show_percent("growing forests", found)?;
    if let Some(files) = files {
        let (columns, most) = (files.columns(), files.most_variables());
        let sheet = picture::of_comparisons(&found, asked.confidence, columns, most);
        files.write(sheet, first.data.groups().names(), host.quiet)?;
    }
    let sources = subjects.each_ref().map(|subject| subject.data.source.clone());
    destination.write(|writer| match output.format() {
        Format::Table(look) => {
            let table = |one| comparison_table(one, &asked, &sources, destination.terminal(look));
            let tables: Vec<String> = found.iter().map(table).collect();
            writer.write_all(tables.join("\n").as_bytes())
        }
        Format::Json => {
            let document = Comparison::document(&found, first.data, &asked);
            subjects[0].data.notes().write_json(writer, document)
        }
        Format::Frame(frame) => frame.write(&Comparison::frame(&found), writer),
    })?;
    for subject in &subjects {
        subject.data.notes().print(host.quiet);
    }
    Ok(())
}
