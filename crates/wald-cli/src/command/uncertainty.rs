//! `wald uncertainty`: how sure importances are, as a table, JSON, CSV or Parquet.

use wald::forest::Keep;
use wald::inference::{SamplingErrors, Uncertainty, UncertaintyConfig, uncertainty};
use wald::{Error, Measure, Origin};
use wald_report::{Front, check_room};

use crate::arguments::{Format, UncertaintyArguments};
use crate::failure::Failure;
use crate::host::Host;
use crate::inputs::Data;
use crate::output::Destination;
use crate::picture::{self, PictureFiles};
use crate::subject::{Subject, announce};
use crate::text::uncertainty_table;

pub(crate) fn run(arguments: &UncertaintyArguments) -> Result<(), Failure> {
    let (measures, asked) = arguments.settings()?;
    let path = arguments.measures.forest.as_deref();
    let config = arguments.growing.config(arguments.run.seed)?;
    if path.is_none() {
        arguments.measures.check_blocks(config.n_trees)?;
    }
    let design = arguments.data.design(path.is_some())?;
    let input = arguments.data.data.as_path();
    let output = &arguments.output;
    let inputs: Vec<_> = [Some(input), path].into_iter().flatten().collect();
    let destination = Destination::check(output.path(), output.force, &inputs)?;
    let files = PictureFiles::check(&arguments.picture, output, &inputs, &destination)?;
    let host = Host::new(&arguments.run);
    let grouping = arguments.measures.grouping.grouping();
    let subject = Subject::read(input, path, &design, grouping, &host)?;
    let data = &subject.data;
    announce(data, subject.origin(&config).n_trees(), host.quiet);
    let found = find(data, subject.origin(&config), &measures, &asked, &host)
        .map_err(|error| Failure::from(error).at_data_file(&data.source))?;
    let names = data.prepared.dataset.groups().names();
    if let Some(files) = files {
        let (columns, most) = (files.columns(), files.most_variables());
        let sheet = picture::of_uncertainty(&found, names, columns, most);
        files.write(sheet, names, host.quiet)?;
    }
    destination.write(|writer| match arguments.output.format() {
        Format::Table(look) => {
            let table = |one| uncertainty_table(one, &asked, names, destination.terminal(look));
            let tables: Vec<String> = found.iter().map(table).collect();
            writer.write_all(tables.join("\n").as_bytes())
        }
        Format::Json => {
            let document = Uncertainty::document(&found, &data.prepared.dataset, &asked);
            data.notes().write_json(writer, document)
        }
        Format::Frame(frame) => frame.write(&Uncertainty::frame(&found), writer),
    })?;
    // Tables have what is to be known of ranks below them.
    let of_ranks = found.iter().filter(|_| !matches!(output.format(), Format::Table(_)));
    let of_ranks = of_ranks.filter_map(|found| Some((found, found.note_on_ranks()?)));
    let of_measures = found.iter().flat_map(|found| found.notes().map(move |note| (found, note)));
    let of_measures = of_measures.chain(of_ranks);
    let of_measures = of_measures.map(|(found, note)| format!("{}: {note}", found.importance.id));
    data.notes().and(of_measures).print(host.quiet);
    Ok(())
}

/// Grows and measures, after a look at what the forests need.
fn find(
    data: &Data,
    origin: Origin<'_>,
    measures: &[Measure],
    asked: &UncertaintyConfig,
    host: &Host,
) -> Result<Vec<Uncertainty>, Error> {
    let (dataset, threads) = (&*data.prepared.dataset, host.run.threads);
    measures.iter().try_for_each(|measure| origin.check(measure, dataset))?;
    let keep = if asked.errors == SamplingErrors::Jackknife { Keep::Trees } else { Keep::Nothing };
    check_room(dataset, origin, measures, keep, host)?;
    if let Some(config) = origin.config()
        && let Some(size) = asked.size_of_more(dataset, config, measures, threads)?
    {
        size.check("growing further forests", config.n_trees, threads, host.free())?;
    }
    let find = || uncertainty(dataset, origin, measures, asked, &host.run);
    host.show_percent("growing forests", find)
}
