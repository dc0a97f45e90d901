//! `wald select`: recursive feature elimination with cross-validation.

use std::fs;
use std::io;
use std::path::Path;

use serde::Serialize;
use wald::data::Task;
use wald::selection::{PerStep, SelectionState, SizePoint};
use wald::{Dataset, ForestConfig, Progress, Run, Selection, SelectionConfig, select};
use wald_table::{Frame, FrameColumn};

use crate::analysis::announce;
use crate::arguments::{Format, SelectArguments};
use crate::csv;
use crate::failure::{Failure, wald_version};
use crate::grouping::Grouping;
use crate::inputs;
use crate::messages;
use crate::output::{Destination, refuse_same};
use crate::progress::with_percent;
use crate::room;
use crate::text::errors_table;

pub(crate) fn run(arguments: &SelectArguments) -> Result<(), Failure> {
    let (threads, quiet) = (arguments.run.threads(), arguments.run.quiet);
    let config = arguments.config()?;
    let design = arguments.data.design(false)?;
    let data_path = arguments.data.data.as_path();
    let output = &arguments.output;
    let destination = Destination::check(output.path(), output.force, &[data_path])?;
    let store = arguments.elimination.resume.as_deref();
    let store = store.map(|path| Store::check(path, data_path, &destination)).transpose()?;
    let progress = Progress::new();
    let measures = &arguments.measures;
    let grouping = Grouping { named: &measures.group, rule: measures.group_by };
    let data = inputs::data(data_path, &design, quiet)?;
    let data = grouping.apply(data, &Run::new(threads, &progress), quiet)?;
    let dataset = &data.prepared.dataset;
    announce(&data, config.forest.n_trees, quiet);
    let at_data = |failure: Failure| failure.at_data_file(&data.source);
    room::check_selecting(dataset, &config, threads).map_err(at_data)?;
    let state = match &store {
        Some(store) => store.read(dataset, &config, quiet)?,
        None => SelectionState::new(dataset, &config),
    };
    let mut unwritten = None;
    let finished = |state: &SelectionState| {
        if let Some(Err(failure)) = store.as_ref().map(|store| store.write(state)) {
            unwritten.get_or_insert(failure);
            progress.cancel();
        }
    };
    let work = || select(dataset, &config, state, finished, &Run::new(threads, &progress));
    let selected = with_percent("selecting variables", &progress, quiet, work);
    if let Some(failure) = unwritten {
        return Err(failure);
    }
    let selection = selected.map_err(|error| at_data(Failure::from(error)))?;
    let loss = config.loss.unit(dataset.target().task());
    destination.write(|writer| match arguments.output.format {
        Format::Json => data.notes().write_json(writer, document(dataset, &config, &selection)),
        Format::Csv => csv::write(writer, &frame(&selection)),
        Format::Table | Format::Parquet => {
            let terminal = destination.terminal();
            writer.write_all(errors_table(&selection, loss, terminal).as_bytes())
        }
    })?;
    data.notes().print(quiet);
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

/// The result as one JSON object.
#[derive(Serialize)]
struct Document<'a> {
    wald: &'static str,
    task: Task,
    target: &'a str,
    n_rows: usize,
    features: &'a [String],
    classes: Option<&'a [String]>,
    settings: SettingsObject<'a>,
    curve: Vec<PointObject<'a>>,
    best: ChoiceObject<'a>,
    one_standard_error: ChoiceObject<'a>,
    order: Vec<&'a str>,
    folds: Vec<FoldObject<'a>>,
}

#[derive(Serialize)]
struct SettingsObject<'a> {
    measure: &'static str,
    error: &'static str,
    folds: usize,
    repeats: usize,
    drop: f64,
    smallest: usize,
    standard_errors_over: &'static str,
    forest: &'a ForestConfig,
}

#[derive(Serialize)]
struct PointObject<'a> {
    n_variables: usize,
    error: f64,
    standard_error: f64,
    sd: Option<f64>,
    errors: &'a [f64],
    explained_variance: f64,
    explained_variances: &'a [f64],
    /// One per feature.
    frequencies: &'a [f64],
    leaving: Vec<&'a str>,
}

#[derive(Serialize)]
struct ChoiceObject<'a> {
    n_variables: usize,
    variables: Vec<&'a str>,
}

#[derive(Serialize)]
struct FoldObject<'a> {
    repeat: usize,
    fold: usize,
    order: Vec<&'a str>,
}

fn document<'a>(
    data: &'a Dataset,
    config: &'a SelectionConfig,
    selection: &'a Selection,
) -> Document<'a> {
    let choice = |n_variables: usize| ChoiceObject {
        n_variables,
        variables: names(selection, &selection.kept(n_variables)),
    };
    let folds = selection.folds.iter().map(|fold| FoldObject {
        repeat: fold.repeat,
        fold: fold.fold,
        order: names(selection, &fold.order),
    });
    Document {
        wald: wald_version(),
        task: data.target().task(),
        target: data.target().name(),
        n_rows: data.n_rows(),
        features: &selection.variables,
        classes: data.target().classes(),
        settings: SettingsObject {
            measure: config.measure.id().info().id,
            error: config.loss.id(),
            folds: config.folds,
            repeats: config.repeats,
            drop: match config.drop {
                PerStep::Variables(number) => number as f64,
                PerStep::Share(share) => share,
            },
            smallest: config.smallest,
            standard_errors_over: over(selection),
            forest: &config.forest,
        },
        curve: selection.curve.iter().map(|point| point_object(selection, point)).collect(),
        best: choice(selection.best_size),
        one_standard_error: choice(selection.one_standard_error_size),
        order: names(selection, &selection.order),
        folds: folds.collect(),
    }
}

fn point_object<'a>(selection: &'a Selection, point: &'a SizePoint) -> PointObject<'a> {
    PointObject {
        n_variables: point.n_variables,
        error: point.error,
        standard_error: point.standard_error,
        sd: point.sd,
        errors: &point.errors,
        explained_variance: point.explained_variance,
        explained_variances: &point.explained_variances,
        frequencies: &point.frequencies,
        leaving: names(selection, &point.leaving),
    }
}

fn over(selection: &Selection) -> &'static str {
    if selection.is_error_over_repeats { "repeats" } else { "folds" }
}

fn names<'a>(selection: &'a Selection, variables: &[usize]) -> Vec<&'a str> {
    variables.iter().map(|&variable| selection.variables[variable].as_str()).collect()
}

/// One row per number of variables.
fn frame(selection: &Selection) -> Frame {
    let curve = &selection.curve;
    let numbers = |of: &dyn Fn(&SizePoint) -> Option<f64>| FrameColumn::numbers(curve, of);
    let is = |size: usize| numbers(&|point| Some(f64::from(u8::from(point.n_variables == size))));
    let leaving = |point: &SizePoint| names(selection, &point.leaving).join(" ");
    Frame::from_iter([
        ("n_variables", numbers(&|point| Some(point.n_variables as f64))),
        ("error", numbers(&|point| Some(point.error))),
        ("standard_error", numbers(&|point| Some(point.standard_error))),
        ("sd", numbers(&|point| point.sd)),
        ("explained_variance", numbers(&|point| Some(point.explained_variance))),
        ("leaving", FrameColumn::texts(curve, leaving)),
        ("best", is(selection.best_size)),
        ("one_standard_error", is(selection.one_standard_error_size)),
    ])
}
