//! `wald importance`: global measures as a table, JSON or CSV.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use wald::Importance;
use wald::data::Task;
use wald::importance::DataUsed;
use wald::report::{ForestSummary, Report};
use wald_table::{Frame, FrameColumn};

use crate::analysis::{Analysis, Plan, tell_notes};
use crate::arguments::{Format, ImportanceArguments};
use crate::csv;
use crate::failure::{Failure, wald_version};
use crate::output::Destination;
use crate::ranking::ranking;

pub(crate) fn run(arguments: &ImportanceArguments) -> Result<(), Failure> {
    let plan = Plan::new(&arguments.data, &arguments.measures, &arguments.growing, &arguments.run)?;
    let output = &arguments.output;
    let destination = Destination::check(output.path(), output.force, &plan.inputs())?;
    let analysis = plan.carry_out()?;
    destination.write(|writer| match arguments.format {
        Format::Table => writer.write_all(table(&analysis.report, &destination).as_bytes()),
        Format::Json => write_json(writer, &analysis, arguments.per_tree),
        Format::Csv => csv::write(writer, &frame(&analysis)),
        Format::Parquet => frame(&analysis).write_parquet(writer),
    })?;
    tell_notes(&analysis.notes, arguments.run.quiet);
    Ok(())
}

fn table(report: &Report, destination: &Destination) -> String {
    ranking(report, usize::MAX, destination.terminal())
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
    forest: ForestObject,
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

#[derive(Serialize)]
struct MeasureObject<'a> {
    id: &'static str,
    data: DataUsed,
    loss: Option<&'static str>,
    unit: &'a str,
    values: &'a [Option<f64>],
    standard_errors: Option<&'a [Option<f64>]>,
    /// Where the measure has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    p_values: Option<&'a [Option<f64>]>,
    per_class: Option<ByClass<'a>>,
    /// One row per random permutation.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    repeats: &'a [Vec<f64>],
    /// One row per tree, where asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    per_tree: Option<&'a [Vec<f64>]>,
    settings: &'a std::collections::BTreeMap<&'static str, String>,
    notes: &'a [String],
}

/// Classes as keys, in their order.
struct ByClass<'a>(&'a [(String, Vec<Option<f64>>)]);

impl Serialize for ByClass<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(class, values)| (class, values)))
    }
}

fn write_json(writer: &mut dyn Write, analysis: &Analysis, per_tree: bool) -> io::Result<()> {
    let document = document(analysis, per_tree);
    serde_json::to_writer(&mut *writer, &document)?;
    writer.write_all(b"\n")
}

fn document(analysis: &Analysis, per_tree: bool) -> Document<'_> {
    let (data, report) = (&analysis.dataset, &analysis.report);
    Document {
        wald: wald_version(),
        task: report.task,
        target: &report.target,
        n_rows: data.n_rows(),
        features: analysis.measured.groups.names(),
        classes: data.target().classes(),
        forest: forest_object(&report.forest),
        measures: analysis
            .measured
            .importances
            .iter()
            .map(|importance| measure_object(importance, per_tree))
            .collect(),
    }
}

fn measure_object(importance: &Importance, per_tree: bool) -> MeasureObject<'_> {
    MeasureObject {
        id: importance.id,
        data: importance.data,
        loss: importance.loss,
        unit: &importance.unit,
        values: &importance.values,
        standard_errors: importance.standard_errors.as_deref(),
        p_values: importance.p_values.as_deref(),
        per_class: importance.per_class.as_deref().map(ByClass),
        repeats: &importance.repeats,
        per_tree: per_tree.then_some(importance.per_tree.as_slice()),
        settings: &importance.settings,
        notes: &importance.notes,
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

/// One row per measure, class and variable, in the order of the table.
fn frame(analysis: &Analysis) -> Frame {
    let mut texts: [Vec<String>; 5] = Default::default();
    let (mut scores, mut errors, mut p_values) = (Vec::new(), Vec::new(), Vec::new());
    for importance in &analysis.measured.importances {
        let whole = ("", &importance.values, importance.standard_errors.as_deref());
        let classes = importance.per_class.iter().flatten();
        let by_class = classes.map(|(class, values)| (class.as_str(), values, None));
        for (class, values, standard_errors) in std::iter::once(whole).chain(by_class) {
            for (index, name) in analysis.measured.groups.names().iter().enumerate() {
                let cells = [
                    importance.id,
                    importance.data.id(),
                    importance.loss.unwrap_or_default(),
                    class,
                    name,
                ];
                for (column, cell) in texts.iter_mut().zip(cells) {
                    column.push(cell.to_owned());
                }
                scores.push(values[index]);
                errors.push(standard_errors.and_then(|errors: &[Option<f64>]| errors[index]));
                let of_all = importance.p_values.as_ref().filter(|_| class.is_empty());
                p_values.push(of_all.and_then(|p_values| p_values[index]));
            }
        }
    }
    let headers = ["measure", "data", "loss", "class", "variable"].map(str::to_owned);
    let mut columns: Vec<(String, FrameColumn)> =
        headers.into_iter().zip(texts.map(FrameColumn::Text)).collect();
    columns.push(("value".to_owned(), FrameColumn::Numbers(scores)));
    columns.push(("standard_error".to_owned(), FrameColumn::Numbers(errors)));
    if analysis.measured.importances.iter().any(|importance| importance.p_values.is_some()) {
        columns.push(("p_value".to_owned(), FrameColumn::Numbers(p_values)));
    }
    Frame { columns }
}
