//! `wald advise`: which measure answers which question on these data.

use crate::wording::{CommandLine, command_line};
use std::path::Path;

use serde::Serialize;
use wald::data::Task;
use wald::forest::{Keep, TargetInfo};
use wald::measure::MeasureSettings;
use wald::pass::Measured;
use wald::{Dataset, Forest, ForestConfig, Measure, MeasureId, Progress, Run};
use wald_report::advice::{Advice, AdviceInput, advise};

use crate::analysis::announce;
use crate::arguments::{AdviseArguments, Format};
use crate::failure::{Failure, wald_version};
use crate::grouping::Grouping;
use crate::inputs::{self, Data, ForestFile};
use crate::output::Destination;
use crate::progress::with_progress;
use crate::room::{self, Growing};
use crate::text::advice_text;

/// The measured importances, which show whether there are enough trees.
const MEASURED: MeasureId = MeasureId::MdaBreimanCutler;

pub(crate) fn run(arguments: &AdviseArguments) -> Result<(), Failure> {
    let quiet = arguments.run.quiet;
    let settings = arguments.settings()?;
    let config = arguments.growing.config(arguments.run.seed)?;
    let design = arguments.data.design(arguments.forest.is_some())?;
    let input = arguments.data.data.as_path();
    let files: Vec<&Path> =
        [Some(input), arguments.forest.as_deref()].into_iter().flatten().collect();
    let output = &arguments.output;
    let destination = Destination::check(output.path(), output.force, &files)?;
    let progress = Progress::new();
    let threads = arguments.run.threads();
    let grouping = Grouping { named: &arguments.group, rule: arguments.group_by };
    let (data, looked) = if let Some(path) = &arguments.forest {
        let file = ForestFile::read(path)?;
        let (forest, data) = file.with_training_data(input, design, threads, quiet)?;
        let data = grouping.apply(data, &Run::new(threads, &progress), quiet)?;
        let looked = look(arguments, &forest, &data, &progress)?;
        (data, looked)
    } else {
        let data = inputs::data(input, &design, quiet)?;
        let data = grouping.apply(data, &Run::new(threads, &progress), quiet)?;
        let looked = grow(arguments, config, &data, &progress)?;
        (data, looked)
    };
    let dataset = &data.prepared.dataset;
    let asked = AdviceInput {
        data: dataset,
        measured: &looked.measured,
        config: looked.config.as_ref(),
        target: looked.target.as_ref(),
        allowed: &looked.allowed,
        wording: &CommandLine { data: Some((&input.to_string_lossy(), dataset.target().name())) },
    };
    let advise = || advise(&asked, settings, &Run::new(threads, &progress));
    let mut advice = with_progress("testing", &progress, quiet, advise)
        .map_err(|error| Failure::from(error).at_data_file(&data.source))?;
    if let Some(path) = &arguments.forest {
        name_forest(&mut advice, path);
    }
    destination.write(|writer| match arguments.output.format {
        Format::Json => data.notes().write_json(writer, document(dataset, &advice)),
        _ => writer.write_all(advice_text(&advice, destination.terminal()).as_bytes()),
    })?;
    data.notes().print(quiet);
    Ok(())
}

/// What is known of the forest.
struct Looked {
    measured: Measured,
    config: Option<ForestConfig>,
    target: Option<TargetInfo>,
    allowed: Vec<MeasureId>,
}

/// Commands that take a measure of the forest name its file; others grow forests of their own.
fn name_forest(advice: &mut Advice, path: &Path) {
    let option = command_line([format!("--forest={}", path.display())].into_iter());
    for objective in &mut advice.objectives {
        if objective.recommended.is_some() && objective.command.starts_with("wald importance ") {
            objective.command.push_str(option.trim_start_matches("wald"));
        }
    }
}

fn grow(
    arguments: &AdviseArguments,
    config: ForestConfig,
    data: &Data,
    progress: &Progress,
) -> Result<Looked, Failure> {
    let (threads, quiet) = (arguments.run.threads(), arguments.run.quiet);
    let dataset = &data.prepared.dataset;
    let measure = Measure::new(MEASURED, MeasureSettings::default())?;
    let measures: Vec<Measure> =
        if measure.check_config(&config).is_ok() { vec![measure] } else { Vec::new() };
    announce(data, config.n_trees, quiet);
    let growing = Growing {
        data: dataset,
        config: &config,
        measures: &measures,
        keep: Keep::Nothing,
        is_written: false,
        threads,
    };
    growing.check(quiet)?;
    let run = &Run::new(threads, progress);
    let grow = || Forest::grow_and_measure(dataset, &config, &measures, Keep::Nothing, run);
    let grown = with_progress("growing trees", progress, quiet, grow)
        .map_err(|error| Failure::from(error).at_data_file(&data.source))?;
    let allowed = MeasureId::allowed_when_grown(&config);
    Ok(Looked { measured: grown.measured, config: Some(config), target: None, allowed })
}

fn look(
    arguments: &AdviseArguments,
    forest: &Forest,
    data: &Data,
    progress: &Progress,
) -> Result<Looked, Failure> {
    let (threads, quiet) = (arguments.run.threads(), arguments.run.quiet);
    let dataset = &data.prepared.dataset;
    let measure = Measure::new(MEASURED, MeasureSettings::default())?;
    let measures: Vec<Measure> =
        if measure.check(forest).is_ok() { vec![measure] } else { Vec::new() };
    announce(data, forest.trees().len(), quiet);
    room::check_measuring(forest, dataset, &measures, threads)?;
    let measure = || forest.measure(dataset, &measures, &Run::new(threads, progress));
    let measured = with_progress("measuring trees", progress, quiet, measure)
        .map_err(|error| Failure::from(error).at_data_file(&data.source))?;
    let (config, target) = (forest.config().cloned(), forest.target().clone());
    Ok(Looked { measured, config, target: Some(target), allowed: MeasureId::allowed_by(forest) })
}

#[derive(Serialize)]
struct Document<'a> {
    wald: &'static str,
    task: Task,
    target: &'a str,
    n_rows: usize,
    features: &'a [String],
    #[serde(flatten)]
    advice: &'a Advice,
}

fn document<'a>(data: &'a Dataset, advice: &'a Advice) -> Document<'a> {
    Document {
        wald: wald_version(),
        task: data.target().task(),
        target: data.target().name(),
        n_rows: data.n_rows(),
        features: data.groups().names(),
        advice,
    }
}
