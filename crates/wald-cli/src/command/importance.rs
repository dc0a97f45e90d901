//! `wald importance`: global measures as a table, JSON or CSV.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value};
use wald::Importance;
use wald::document::Subject;
use wald_report::{Answer, ForestSummary};

use crate::analysis::{Analysis, Plan};
use crate::arguments::{Format, ImportanceArguments};
use crate::failure::Failure;
use crate::output::Destination;
use crate::picture::{self, PictureFiles};
use crate::terminal::Terminal;
use crate::text::{answer_text, classes_table, degrees_table, pairs_table, ranking};

pub(crate) fn run(arguments: &ImportanceArguments) -> Result<(), Failure> {
    let plan = Plan::new(&arguments.data, &arguments.measures, &arguments.growing, &arguments.run)?
        .with_answer();
    let output = &arguments.output;
    let destination = Destination::check(output.path(), output.force, &plan.inputs())?;
    let (picture, quiet) = (&arguments.picture, arguments.run.quiet);
    let files = PictureFiles::check(picture, output, &plan.inputs(), &destination)?;
    let analysis = plan.carry_out()?;
    if let Some(files) = files {
        let (columns, most) = (files.columns(), files.most_variables());
        let sheet = picture::of_measures(&analysis.report.measures, columns, most);
        files.write(sheet, analysis.measured.groups.names(), quiet)?;
    }
    destination.write(|writer| match arguments.output.format() {
        Format::Table(look) => {
            writer.write_all(table(&analysis, destination.terminal(look)).as_bytes())
        }
        Format::Json => write_json(writer, &analysis, arguments.per_tree),
        Format::Frame(frame) => {
            frame.write(&Importance::frame(&analysis.measured.importances), writer)
        }
    })?;
    analysis.notes.print(quiet);
    Ok(())
}

fn table(analysis: &Analysis, terminal: Terminal) -> String {
    let answer = analysis.report.answer.as_ref();
    let mut text = answer.map_or_else(String::new, |answer| answer_text(answer, terminal));
    text.push_str(&ranking(&analysis.report, usize::MAX, terminal));
    for importance in &analysis.measured.importances {
        let names = analysis.measured.groups.names();
        if let Some(classes) = &importance.per_class {
            text.push('\n');
            text.push_str(&classes_table(importance, classes, names, terminal));
        }
        if let Some(degrees) = &importance.by_degree {
            text.push('\n');
            text.push_str(&degrees_table(importance, degrees, names, terminal));
        }
        if let Some(pairs) = &importance.second_order {
            text.push('\n');
            text.push_str(&pairs_table(pairs, names, terminal));
        }
    }
    text
}

/// The result as one JSON object.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    classes: Option<&'a [String]>,
    forest: ForestObject,
    /// What matters, unless measures are named.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a Answer>,
    measures: Vec<MeasureObject<'a>>,
}

#[derive(Serialize)]
struct ForestObject {
    n_trees: usize,
    #[serde(flatten)]
    settings: Map<String, Value>,
    mean_leaves: f64,
    mean_depth: f64,
    oob_error: Map<String, Value>,
    explained_variance: Option<f64>,
    auc: Option<f64>,
}

/// An importance, with the values of every tree where they were requested.
#[derive(Serialize)]
struct MeasureObject<'a> {
    #[serde(flatten)]
    importance: &'a Importance,
    /// One row per tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    per_tree: Option<&'a [Vec<f64>]>,
}

fn write_json(writer: &mut dyn Write, analysis: &Analysis, per_tree: bool) -> io::Result<()> {
    analysis.notes.write_json(writer, document(analysis, per_tree))
}

fn document(analysis: &Analysis, per_tree: bool) -> Document<'_> {
    let (data, report) = (&analysis.dataset, &analysis.report);
    Document {
        subject: Subject::from(&**data),
        classes: data.target().classes(),
        forest: forest_object(&report.forest),
        answer: report.answer.as_ref(),
        measures: analysis
            .measured
            .importances
            .iter()
            .map(|importance| MeasureObject {
                importance,
                per_tree: per_tree.then_some(importance.per_tree.as_slice()),
            })
            .collect(),
    }
}

fn forest_object(summary: &ForestSummary) -> ForestObject {
    ForestObject {
        n_trees: summary.n_trees,
        settings: summary
            .settings
            .iter()
            .filter(|(name, _)| name != "trees")
            .map(|(name, value)| (name.replace('-', "_"), typed(value)))
            .collect(),
        mean_leaves: summary.mean_leaves,
        mean_depth: summary.mean_depth,
        oob_error: summary
            .errors
            .iter()
            .map(|error| (error.id.clone(), Value::from(error.value)))
            .collect(),
        explained_variance: summary.explained_variance,
        auc: summary.auc,
    }
}

/// A setting as the JSON value that its text stands for.
fn typed(text: &str) -> Value {
    if let Ok(count) = text.parse::<u64>() {
        return count.into();
    }
    match text {
        "yes" => true.into(),
        _ => text.parse::<f64>().map_or_else(|_| text.into(), Value::from),
    }
}
