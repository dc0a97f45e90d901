//! Grows forests on a table and prints timings as JSON: the wald side of the benchmarks.
//!
//! `bench_forest TRAIN [TEST] [key=value ...]` grows one forest with these settings. Without
//! settings it reads them from standard input, one forest a line, so that the tables are read
//! once. Every forest is answered by one line of JSON.

mod explaining;
mod measuring;
mod meter;
mod table;

use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use wald::data::Response;
use wald::forest::{ForestOption, Keep};
use wald::options::{OptionValue, Options};
use wald::{Dataset, ExplanationId, Forest, ForestConfig, Run, Threads};

use crate::measuring::Measures;
use crate::meter::{Clock, peak_memory};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (options, files): (Vec<&str>, Vec<&str>) =
        arguments.iter().map(String::as_str).partition(|argument| argument.contains('='));
    let (train, test_file) = match *files {
        [train] => (train, None),
        [train, test] => (train, Some(test)),
        _ => return Err("usage: bench_forest TRAIN [TEST] [key=value ...]".into()),
    };
    let mut tables = Tables { train: table::read(train)?, test_file, test: None };
    if !options.is_empty() {
        return answer(&mut tables, &options);
    }
    for line in std::io::stdin().lines() {
        answer(&mut tables, &line?.split_whitespace().collect::<Vec<_>>())?;
    }
    Ok(())
}

fn answer(tables: &mut Tables<'_>, options: &[&str]) -> Outcome<()> {
    let result = Bench::parse(options)?.answer(tables)?;
    writeln!(std::io::stdout(), "{}", Value::Object(result))?;
    Ok(())
}

/// What forests are grown on and tested with.
struct Tables<'a> {
    train: Dataset,
    test_file: Option<&'a str>,
    /// Read when first needed, so that it is no part of the memory that growing takes.
    test: Option<Arc<Dataset>>,
}

impl Tables<'_> {
    fn test(&mut self) -> Outcome<Option<&Arc<Dataset>>> {
        if let (Some(file), None) = (self.test_file, &self.test) {
            self.test = Some(Arc::new(table::read(file)?));
        }
        Ok(self.test.as_ref())
    }
}

/// What is done for one line of settings.
struct Bench {
    config: ForestConfig,
    threads: Threads,
    keep: Keep,
    measures: Measures,
    /// Local measures, timed beside predicting.
    explain: Vec<ExplanationId>,
    /// How sure associations must be that measures condition on.
    association: Option<f64>,
    /// How many samples measures draw that draw some.
    samples: Option<usize>,
    /// Where the forest is written to, as `wald-forest` JSON.
    forest: Option<String>,
    /// Such a file of a forest to measure instead of growing one.
    stored: Option<String>,
}

impl Bench {
    fn parse(options: &[&str]) -> Outcome<Self> {
        let mut run = Self {
            config: ForestConfig { n_trees: 100, ..ForestConfig::default() },
            threads: Threads::new(1)?,
            keep: Keep::Trees,
            measures: Measures::None,
            explain: Vec::new(),
            association: None,
            samples: None,
            forest: None,
            stored: None,
        };
        for option in options {
            let (key, value) = option.split_once('=').ok_or("options look like key=value")?;
            let config = &mut run.config;
            match key {
                "trees" => config.n_trees = value.parse()?,
                "mtry" => config.mtry = Some(value.parse()?),
                "min-node-size" => config.min_node_size = Some(value.parse()?),
                "min-leaf-size" => config.min_leaf_size = value.parse()?,
                "max-bins" => config.max_bins = Some(value.parse()?),
                "max-depth" => config.max_depth = Some(value.parse()?),
                "sampling" => config.sampling = serde_json::from_value(value.into())?,
                "splitting" => config.splitting = serde_json::from_value(value.into())?,
                "subspace" => config.subspace = Some(value.parse()?),
                "increasing" | "decreasing" => {
                    let names = value.split(',').map(str::to_owned).collect();
                    let option = ForestOption::parse(key).ok_or("no such option")?;
                    option.set(config, OptionValue::Names(names))?;
                }
                "impurity" => config.impurity = Some(serde_json::from_value(value.into())?),
                "seed" => config.seed = value.parse()?,
                "threads" => run.threads = Threads::new(value.parse()?)?,
                "keep" => {
                    run.keep = match value {
                        "trees" => Keep::Trees,
                        "nothing" => Keep::Nothing,
                        _ => return Err("keep is trees or nothing".into()),
                    }
                }
                "measures" => run.measures = Measures::parse(value)?,
                "explain" => run.explain = explaining::parse(value)?,
                "association" => run.association = Some(value.parse()?),
                "samples" => run.samples = Some(value.parse()?),
                "forest" => run.forest = Some(value.to_owned()),
                "stored" => run.stored = Some(value.to_owned()),
                _ => return Err(format!("there is no option `{key}`").into()),
            }
        }
        Ok(run)
    }

    fn answer(&self, tables: &mut Tables<'_>) -> Outcome<Map<String, Value>> {
        if let Some(path) = &self.stored {
            let test = tables.test()?.cloned();
            let measured = self.of_stored(path, &tables.train, test.as_ref())?;
            return Ok(Map::from_iter([("measured".to_owned(), measured)]));
        }
        let (mut result, forest) = self.grow(&tables.train)?;
        if let Measures::Alone(choices) = &self.measures {
            let test = tables.test()?.cloned();
            let extra = self.alone(&tables.train, choices, test.as_ref())?;
            result.insert("measured".to_owned(), extra);
        }
        let Some(forest) = forest else { return Ok(result) };
        if matches!(self.measures, Measures::All | Measures::Each) {
            self.together(&tables.train, &forest, &mut result)?;
        }
        if !self.explain.is_empty() {
            let seconds = self.explained(&tables.train, &forest, &self.explain)?;
            result.insert("explained_seconds".to_owned(), seconds);
        }
        if let Some(path) = &self.forest {
            forest.to_json(File::create(path)?)?;
        }
        if let Some(test) = tables.test()? {
            let predictions = forest.predict(test.features(), &Run::on(self.threads))?;
            result.insert("test_error".to_owned(), json!(test_error(test, &predictions)));
        }
        Ok(result)
    }

    /// Growing alone; the trees, if they are kept.
    fn grow(&self, data: &Dataset) -> Outcome<(Map<String, Value>, Option<Forest>)> {
        let before = peak_memory();
        let clock = Clock::start();
        let around = &Run::on(self.threads);
        let grown = Forest::grow_and_measure(data, &self.config, &[], self.keep, around)?;
        let seconds = clock.read();
        let memory = [before, peak_memory()];
        let out_of_bag = grown.measured.out_of_bag.convergence().last().map(|last| last.1);
        let mut result = Map::new();
        result.insert("seconds".to_owned(), json!(seconds));
        result.insert("memory".to_owned(), json!(memory));
        result.insert("leaves".to_owned(), json!(grown.measured.mean_leaves));
        result.insert("depth".to_owned(), json!(grown.measured.mean_depth));
        result.insert("out_of_bag_error".to_owned(), json!(out_of_bag));
        Ok((result, grown.forest))
    }
}

/// Mean squared error, or the share of wrong classes.
fn test_error(test: &Dataset, predictions: &[f64]) -> f64 {
    let n_rows = test.n_rows() as f64;
    match test.target().response() {
        Response::Regression(values) => {
            let squares = values.iter().zip(predictions).map(|(y, score)| (y - score).powi(2));
            squares.sum::<f64>() / n_rows
        }
        Response::Classification(classes) => {
            let scores = predictions.chunks_exact(classes.levels().len());
            let wrong = classes.codes().iter().zip(scores).filter(|&(&code, scores)| {
                let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                scores.iter().position(|&score| score == best) != Some(code as usize)
            });
            wrong.count() as f64 / n_rows
        }
        Response::Several(_) => f64::NAN,
    }
}
