//! Fits a process and prints timings and predictions as JSON: the wald side of
//! `bench/gaussian_process.py`.
//!
//! `bench_gp TABLE KERNEL STARTS SEED THREADS`: a table as JSON (`X` row by row, `y`, and `fresh`, points that
//! are predicted), and how the process is fitted.

#[path = "../../wald/bench/bench_forest/meter.rs"]
mod meter;

use std::error::Error;
use std::fs;
use std::io::Write;

use serde_json::{Value, json};
use wald::{Run, Threads};
use wald_gp::{Design, FitSettings, Kernel, fit_on};

use crate::meter::{Clock, peak_memory};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [table, kernel, starts, seed, threads] = arguments.as_slice() else {
        return Err("usage: bench_gp TABLE KERNEL STARTS SEED THREADS".into());
    };
    let table: Value = serde_json::from_slice(&fs::read(table)?)?;
    let rows: Vec<Vec<f64>> = serde_json::from_value(table["X"].clone())?;
    let outputs: Vec<f64> = serde_json::from_value(table["y"].clone())?;
    let fresh: Vec<Vec<f64>> = serde_json::from_value(table["fresh"].clone())?;
    let n_inputs = rows.first().map_or(0, Vec::len);
    let column = |input: usize| rows.iter().map(|row| row[input]).collect();
    let columns: Vec<Vec<f64>> = (0..n_inputs).map(column).collect();
    let kernel = Kernel::ALL.iter().copied().find(|one| one.id() == kernel);
    let kernel = kernel.ok_or("no such kernel")?;
    let settings = FitSettings { kernel, n_starts: starts.parse()?, seed: seed.parse()? };
    let run = Run::on(Threads::new(threads.parse()?)?);
    let clock = Clock::start();
    let design = Design::new(&columns, &outputs)?;
    let process = fit_on(&design, &settings, &run)?;
    let seconds = clock.read();
    let parameters = process.parameters();
    let likelihood = parameters.likelihood(kernel, &design).ok_or("singular")?.value;
    let predicted: Vec<f64> = fresh.iter().map(|point| process.mean(point)).collect();
    let answer = json!({
        "seconds": seconds,
        "memory": peak_memory(),
        "log_likelihood": likelihood,
        "lengths": parameters.log_lengths.iter().map(|one| one.exp()).collect::<Vec<f64>>(),
        "noise": parameters.log_noise.exp(),
        "q2": process.leave_one_out().q2,
        "predicted": predicted,
    });
    writeln!(std::io::stdout(), "{answer}")?;
    Ok(())
}
