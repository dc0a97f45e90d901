//! `wald importance`: global measures as a table, JSON or CSV.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use wald::Importance;
use wald::data::Task;
use wald::importance::DataUsed;
use wald::report::{ForestSummary, Report};

use crate::analysis::{Analysis, Plan, tell_notes};
use crate::arguments::{Format, ImportanceArguments};
use crate::csv;
use crate::failure::{Failure, wald_version};
use crate::output::Destination;
use crate::ranking::ranking;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &ImportanceArguments) -> Result<(), Failure> {
    let plan = Plan::new(&arguments.data, &arguments.measures, &arguments.growing, &arguments.run)?;
    let output = &arguments.output;
    let destination = Destination::check(output.path(), output.force, &plan.inputs())?;
    let analysis = plan.carry_out()?;
    destination.write(|writer| match arguments.format {
        Format::Table => writer.write_all(table(&analysis.report, &destination).as_bytes()),
        Format::Json => write_json(writer, &analysis),
        Format::Csv => write_csv(writer, &analysis),
    })?;
    tell_notes(&analysis.notes, arguments.run.quiet);
    Ok(())
}

fn table(report: &Report, destination: &Destination) -> String {
    let terminal = match destination {
        Destination::Stdout => Terminal::stdout(),
        _ => Terminal { width: None, unicode: true, colour: false },
    };
    ranking(report, usize::MAX, terminal)
}

/// The result as one JSON object.
#[derive(Serialize)]
struct Document<'a> {
    wald: &'static str,
    task: Task,
    target: &'a str,
    n_rows: usize,
    features: Vec<&'a str>,
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
    values: &'a [Option<f64>],
    standard_errors: Option<&'a [Option<f64>]>,
    per_class: Option<ByClass<'a>>,
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

fn write_json(writer: &mut dyn Write, analysis: &Analysis) -> io::Result<()> {
    let document = document(analysis);
    serde_json::to_writer(&mut *writer, &document)?;
    writer.write_all(b"\n")
}

fn document(analysis: &Analysis) -> Document<'_> {
    let (data, report) = (&analysis.dataset, &analysis.report);
    Document {
        wald: wald_version(),
        task: report.task,
        target: &report.target,
        n_rows: data.n_rows(),
        features: data.features().columns().iter().map(wald::data::Column::name).collect(),
        classes: data.target().classes(),
        forest: forest_object(&report.forest),
        measures: analysis.measured.importances.iter().map(measure_object).collect(),
    }
}

fn measure_object(importance: &Importance) -> MeasureObject<'_> {
    MeasureObject {
        id: importance.id,
        data: importance.data,
        loss: importance.loss,
        values: &importance.values,
        standard_errors: importance.standard_errors.as_deref(),
        per_class: importance.per_class.as_deref().map(ByClass),
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
fn write_csv(writer: &mut dyn Write, analysis: &Analysis) -> io::Result<()> {
    writer.write_all(b"measure,data,loss,class,variable,value,standard_error\n")?;
    let columns = analysis.dataset.features().columns();
    let names: Vec<String> = columns.iter().map(|column| csv::name(column.name())).collect();
    for importance in &analysis.measured.importances {
        let data = match importance.data {
            DataUsed::Training => "training",
            DataUsed::OutOfBag => "out_of_bag",
            DataUsed::Test => "test",
        };
        let mut write = |class: &str, values: &[Option<f64>], errors: Option<&[Option<f64>]>| {
            for (index, name) in names.iter().enumerate() {
                let error = errors.and_then(|errors| errors[index]);
                let record = csv::record(&[
                    importance.id.to_owned(),
                    data.to_owned(),
                    importance.loss.unwrap_or_default().to_owned(),
                    class.to_owned(),
                    name.clone(),
                    csv::number(values[index]),
                    csv::number(error),
                ]);
                writer.write_all(record.as_bytes())?;
            }
            io::Result::Ok(())
        };
        write("", &importance.values, importance.standard_errors.as_deref())?;
        for (class, values) in importance.per_class.iter().flatten() {
            write(&csv::name(class), values, None)?;
        }
    }
    Ok(())
}
