//! `wald predict`: a stored forest's predictions for new rows.

use std::io::{self, Write};

use serde::Serialize;
use wald::data::Task;
use wald::forest::argmax;
use wald::{Forest, Progress, Run, Threads};
use wald_table::{Frame, FrameColumn, ReadOptions, escape_controls};

use crate::arguments::{Format, PredictArguments};
use crate::csv;
use crate::failure::{Failure, wald_version};
use crate::inputs::{self, ForestFile};
use crate::output::Destination;
use crate::progress::with_progress;
use crate::room;
use crate::terminal::Terminal;
use crate::text::Table;

pub(crate) fn run(arguments: &PredictArguments) -> Result<(), Failure> {
    let output = &arguments.output;
    let (forest, data, quiet) = (&*arguments.forest, &*arguments.data, arguments.quiet);
    let destination = Destination::check(output.path(), output.force, &[forest, data])?;
    let threads = arguments.threads.unwrap_or_else(Threads::all);
    let forest = ForestFile::read(forest)?.forest(threads, quiet)?;
    let expected = inputs::expected(&forest);
    let read = ReadOptions {
        numeric: arguments.cells.numeric.clone(),
        infinite: arguments.cells.infinite,
        ..wald_table::read_options_for(&expected)
    };
    let doing = "reading rows";
    let inputs::Rows { features, notes } = inputs::rows(data, &expected, read, doing, quiet)?;
    let (n_rows, n_outputs) = (features.n_rows(), forest.target().n_outputs());
    room::check_predicting(n_rows, n_outputs, needed(n_rows, n_outputs, arguments.output.format))?;
    let progress = Progress::new();
    let predict = || forest.predict(&features, &Run::new(threads, &progress));
    let values = with_progress("predicting rows", &progress, quiet, predict)?;
    let predictions = Predictions { forest: &forest, values: &values };
    destination.write(|writer| match arguments.output.format {
        Format::Csv => csv::write(writer, &predictions.frame()),
        Format::Parquet => predictions.frame().write_parquet(writer),
        Format::Json => notes.write_json(writer, predictions.document()),
        Format::Table => predictions.write_table(writer),
    })?;
    notes.print(quiet);
    Ok(())
}

/// Bytes of the predictions and of what is made of them to be written.
fn needed(n_rows: usize, n_outputs: usize, format: Format) -> u64 {
    let (row, number) = match format {
        Format::Csv | Format::Parquet => (64, 8 + 16),
        Format::Json => (40, 8),
        Format::Table => (100, 8 + 60),
    };
    let row = (n_outputs as u64).saturating_mul(number).saturating_add(row);
    row.saturating_mul(n_rows as u64)
}

/// One number per row, or one proportion per row and class.
struct Predictions<'a> {
    forest: &'a Forest,
    values: &'a [f64],
}

#[derive(Serialize)]
struct Document<'a> {
    wald: &'static str,
    task: Task,
    target: &'a str,
    classes: Option<&'a [String]>,
    n_rows: usize,
    predictions: Vec<Prediction<'a>>,
    probabilities: Option<Vec<&'a [f64]>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Prediction<'a> {
    Number(f64),
    Class(&'a str),
}

impl Predictions<'_> {
    fn classes(&self) -> Option<&[String]> {
        self.forest.target().classes.as_deref()
    }

    /// The target's name, or `prediction` where a foreign forest does not store it.
    fn target(&self) -> &str {
        let name = self.forest.target().name.as_str();
        if name.is_empty() { "prediction" } else { name }
    }

    fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.values.chunks_exact(self.classes().map_or(1, <[String]>::len))
    }

    fn prediction<'a>(&'a self, row: &[f64]) -> Prediction<'a> {
        match self.classes() {
            None => Prediction::Number(row[0]),
            Some(classes) => Prediction::Class(&classes[argmax(row)]),
        }
    }

    fn header(&self) -> Vec<String> {
        let classes = self.classes().unwrap_or_default();
        let probabilities = classes.iter().map(|class| format!("probability_{class}"));
        std::iter::once(self.target().to_owned()).chain(probabilities).collect()
    }

    fn frame(&self) -> Frame {
        let first = match self.classes() {
            None => FrameColumn::Numbers(self.values.iter().copied().map(Some).collect()),
            Some(classes) => {
                FrameColumn::Text(self.rows().map(|row| classes[argmax(row)].clone()).collect())
            }
        };
        let n_classes = self.classes().map_or(0, <[String]>::len);
        let probabilities = (0..n_classes)
            .map(|class| FrameColumn::Numbers(self.rows().map(|row| Some(row[class])).collect()));
        let columns = self.header().into_iter().zip(std::iter::once(first).chain(probabilities));
        Frame { columns: columns.collect() }
    }

    fn document(&self) -> Document<'_> {
        Document {
            wald: wald_version(),
            task: self.forest.task(),
            target: self.target(),
            classes: self.classes(),
            n_rows: self.rows().len(),
            predictions: self.rows().map(|row| self.prediction(row)).collect(),
            probabilities: self.classes().map(|_| self.rows().collect()),
        }
    }

    /// Aligned columns.
    fn write_table(&self, writer: &mut dyn Write) -> io::Result<()> {
        let terminal = Terminal { width: None, unicode: true, colour: false };
        let frame = self.frame();
        let rows: Vec<usize> = (0..self.rows().len()).collect();
        let table = Table::new(terminal, &rows);
        let table = frame.columns.iter().fold(table, |table, (header, column)| {
            table.left(&escape_controls(header), |&row| match column {
                FrameColumn::Text(texts) => escape_controls(&texts[row]),
                FrameColumn::Numbers(numbers) => csv::number(numbers[row]),
            })
        });
        let text = table.text();
        text.lines().try_for_each(|line| writeln!(writer, "{}", line.trim_end()))
    }
}
