//! `wald advise`: which measure answers which question on these data.

use std::path::Path;

use serde::Serialize;
use wald::document;
use wald::frame::Frame;
use wald_report::advice::{Advice, ObjectiveAdvice, Validity, Verdict, advise, measures};
use wald_report::{Depth, Study};

use crate::arguments::{AdviseArguments, Format};
use crate::failure::Failure;
use crate::host::Host;
use crate::output::Destination;
use crate::picture::{self, PictureFiles};
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
    let picture = &arguments.picture;
    let picture = PictureFiles::check(picture, output, &files, &destination)?;
    let host = Host::new(&arguments.run);
    let grouping = arguments.grouping.grouping();
    let subject = Subject::read(input, forest, &design, grouping, &host)?;
    let (data, origin) = (&subject.data, subject.origin(&config));
    let dataset = &data.prepared.dataset;
    if let Some(picture) = &picture {
        let n_variables = dataset.groups().n_groups();
        picture::refuse_single(n_variables, picture.most_variables())?;
    }
    announce(data, origin.n_trees(), host.quiet);
    let at_data = |error: wald::Error| Failure::from(error).at_data_file(&data.source);
    let study = Study::new(dataset, origin, measures(origin, dataset), Depth::Importances, &host);
    let study = study.map_err(at_data)?;
    let advice = host.show("testing", || advise(&study, settings, &host)).map_err(at_data)?;
    if let Some(picture) = picture {
        let (columns, most) = (picture.columns(), picture.most_variables());
        let sheet = picture::of_dependence(&study, columns, most, &host.run).map_err(at_data)?;
        picture.write(sheet, dataset.groups().names(), host.quiet)?;
    }
    destination.write(|writer| match arguments.output.format() {
        Format::Json => {
            let subject = document::Subject::from(&**dataset);
            data.notes().write_json(writer, Document { subject, advice: &advice })
        }
        Format::Table(look) => {
            writer.write_all(advice_text(&advice, destination.terminal(look)).as_bytes())
        }
        Format::Frame(frame) => frame.write(&verdicts(&advice), writer),
    })?;
    data.notes().print(host.quiet);
    Ok(())
}

/// A line for every question and measure.
fn verdicts(advice: &Advice) -> Frame {
    let of_objective = |objective: &ObjectiveAdvice| {
        let recommended = objective.recommended.as_deref();
        let of = |verdict: &Verdict| {
            let is_recommended = recommended == Some(verdict.measure.as_str());
            [
                objective.id.clone(),
                objective.question.clone(),
                verdict.measure.clone(),
                in_words(verdict.validity).to_owned(),
                if is_recommended { "yes" } else { "no" }.to_owned(),
                verdict.reason.clone(),
            ]
        };
        objective.verdicts.iter().map(of).collect::<Vec<_>>()
    };
    let lines: Vec<[String; 6]> = advice.objectives.iter().flat_map(of_objective).collect();
    let names = ["objective", "question", "measure", "validity", "recommended", "reason"];
    let add = |frame: Frame, (place, name): (usize, &str)| {
        frame.with_text(name, lines.iter().map(|line| line[place].clone()))
    };
    names.into_iter().enumerate().fold(Frame::default(), add)
}

fn in_words(validity: Validity) -> &'static str {
    match validity {
        Validity::Valid => "valid",
        Validity::Careful => "caution",
        Validity::Invalid => "not valid",
    }
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    subject: document::Subject<'a>,
    #[serde(flatten)]
    advice: &'a Advice,
}
