//! Explains rows by a foreign forest and prints timings as JSON: the wald side of `bench/shap_values.py`.
//!
//! `bench_shap FOREST TABLE ROWS MEASURE THREADS VALUES`: a wald-forest JSON, its table as JSON
//! (`X` row by row, `y`), how many of the rows to explain, and where values are written, as raw
//! numbers. Where it compares with background rows, these are the last 100 of the table.

#[path = "../bench_forest/meter.rs"]
mod meter;

use std::error::Error;
use std::fs;
use std::io::Write;
use std::sync::Arc;

use serde_json::{Value, json};
use wald::data::{Column, Target};
use wald::explain::Rows;
use wald::{Dataset, ExplanationId, ExplanationSettings, Features, Forest, Run, Threads};

use crate::meter::{Clock, peak_memory};

/// Background rows.
const BACKGROUND: u32 = 100;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [forest, table, rows, measure, threads, values] = arguments.as_slice() else {
        return Err("usage: bench_shap FOREST TABLE ROWS MEASURE THREADS VALUES".into());
    };
    let data = table_of(table)?;
    let run = &Run::on(Threads::new(threads.parse()?)?);
    let forest = Forest::from_json(&fs::read(forest)?, Some(&data), run)?;
    let rows: Vec<u32> = (0..rows.parse()?).collect();
    let columns = data.features().columns().iter().map(|column| column.select(&rows));
    let rows = Features::new(columns.collect())?;
    let id = ExplanationId::parse(measure).ok_or("no such measure")?;
    let n_rows = data.n_rows() as u32;
    let last: Vec<u32> = (n_rows.saturating_sub(BACKGROUND)..n_rows).collect();
    let columns = data.features().columns().iter().map(|column| column.select(&last));
    let background = Some(Arc::new(Features::new(columns.collect())?));
    let settings = ExplanationSettings { background, ..ExplanationSettings::default() };
    let settings = settings.offered_by(id.info());
    let explainer = forest.explainer(&data, Rows::Other(&rows), id, &settings)?;
    let mut found: Vec<u8> = Vec::new();
    let clock = Clock::start();
    explainer.run(run, |_, record| {
        record.iter().for_each(|value| found.extend(value.to_le_bytes()));
    })?;
    let seconds = clock.read();
    fs::write(values, found)?;
    let nodes: usize = forest.trees().iter().map(wald::forest::Tree::n_nodes).sum();
    let answer = json!({ "seconds": seconds, "nodes": nodes, "memory": peak_memory() });
    writeln!(std::io::stdout(), "{answer}")?;
    Ok(())
}

fn table_of(file: &str) -> Outcome<Dataset> {
    let file: Value = serde_json::from_slice(&fs::read(file)?)?;
    let rows: Vec<Vec<f64>> = serde_json::from_value(file["X"].clone())?;
    let n_columns = rows.first().map_or(0, Vec::len);
    let column = |at: usize| {
        Column::numeric(format!("x{}", at + 1), rows.iter().map(|row| row[at]).collect())
    };
    let columns = (0..n_columns).map(column).collect::<Result<_, _>>()?;
    let y: Vec<f64> = serde_json::from_value(file["y"].clone())?;
    Ok(Dataset::new(columns, Target::regression("y", y)?)?)
}
