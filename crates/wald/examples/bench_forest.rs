//! Grows and measures one forest and prints timings as JSON: the wald side of
//! `cargo xtask bench grow`.
//!
//! `bench_forest TRAIN TEST [key=value ...]` reads two files that `bench/grow_vs_sklearn.py`
//! wrote: three little-endian u64 (rows, columns, classes; no classes for regression), the
//! columns one after another as f64, and the target as f64.

use std::error::Error;
use std::io::Write;
use std::time::Instant;

use serde_json::{Map, Value, json};
use wald::data::{Column, Response, Target};
use wald::forest::Keep;
use wald::measure::{Measure, MeasureId, MeasureSettings};
use wald::{Dataset, Forest, ForestConfig, Monitor, Threads};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [train, test, options @ ..] = arguments.as_slice() else {
        return Err("usage: bench_forest TRAIN TEST [key=value ...]".into());
    };
    let (data, test) = (read(train)?, read(test)?);
    let run = Run::parse(options)?;
    let (mut result, forest) = run.grow(&data)?;
    if run.measures != Measures::None {
        let timings = run.measure(&data, &forest)?;
        result.extend(timings);
    }
    let predictions = forest.predict(test.features(), run.threads, &Monitor::new())?;
    result.insert("test_error".to_owned(), json!(test_error(&test, &predictions)));
    writeln!(std::io::stdout(), "{}", Value::Object(result))?;
    Ok(())
}

/// What one call of the benchmark does.
struct Run {
    config: ForestConfig,
    threads: Threads,
    measures: Measures,
}

#[derive(Clone, Copy, PartialEq)]
enum Measures {
    /// Growing alone.
    None,
    /// All measures at once.
    All,
    /// All measures at once, then one after the other.
    Each,
}

impl Run {
    fn parse(options: &[String]) -> Outcome<Self> {
        let config = ForestConfig { n_trees: 100, ..ForestConfig::default() };
        let mut run = Self { config, threads: Threads::new(1)?, measures: Measures::All };
        for option in options {
            let (key, value) = option.split_once('=').ok_or("options look like key=value")?;
            match key {
                "trees" => run.config.n_trees = value.parse()?,
                "mtry" => run.config.mtry = Some(value.parse()?),
                "min-node-size" => run.config.min_node_size = Some(value.parse()?),
                "min-leaf-size" => run.config.min_leaf_size = value.parse()?,
                "seed" => run.config.seed = value.parse()?,
                "threads" => run.threads = Threads::new(value.parse()?)?,
                "measures" => {
                    run.measures = match value {
                        "none" => Measures::None,
                        "all" => Measures::All,
                        "each" => Measures::Each,
                        _ => return Err("measures is none, all or each".into()),
                    }
                }
                _ => return Err(format!("there is no option `{key}`").into()),
            }
        }
        Ok(run)
    }

    /// Growing alone, with the trees kept.
    fn grow(&self, data: &Dataset) -> Outcome<(Map<String, Value>, Forest)> {
        let clock = Clock::start();
        let around = (self.threads, &Monitor::new());
        let grown = Forest::grow_and_measure(data, &self.config, &[], Keep::Trees, around)?;
        let seconds = clock.read();
        let out_of_bag = grown.measured.out_of_bag.convergence().last().map(|last| last.1);
        let mut result = Map::new();
        result.insert("grow_seconds".to_owned(), json!(seconds));
        result.insert("leaves".to_owned(), json!(grown.measured.mean_leaves));
        result.insert("depth".to_owned(), json!(grown.measured.mean_depth));
        result.insert("out_of_bag_error".to_owned(), json!(out_of_bag));
        Ok((result, grown.forest.ok_or("the trees were not kept")?))
    }

    /// All measures that apply: while another forest grows, and on the stored one.
    fn measure(&self, data: &Dataset, forest: &Forest) -> Outcome<Map<String, Value>> {
        let monitor = Monitor::new();
        let around = (self.threads, &monitor);
        let mut measures = Vec::new();
        for &id in MeasureId::ALL {
            let measure = Measure::new(id, MeasureSettings::default())?;
            if measure.check(forest).is_ok() {
                measures.push(measure);
            }
        }
        let clock = Clock::start();
        Forest::grow_and_measure(data, &self.config, &measures, Keep::Nothing, around)?;
        let both = clock.read();
        let clock = Clock::start();
        forest.measure(data, &measures, around)?;
        let stored = clock.read();
        let mut result = Map::new();
        let ids: Vec<&str> = measures.iter().map(|measure| measure.id().info().id).collect();
        result.insert("measures".to_owned(), json!(ids));
        result.insert("grow_and_measure_seconds".to_owned(), json!(both));
        result.insert("measure_stored_seconds".to_owned(), json!(stored));
        if self.measures == Measures::Each {
            let mut each = Map::new();
            let clock = Clock::start();
            forest.measure(data, &[], around)?;
            each.insert("(none)".to_owned(), json!(clock.read()));
            for measure in &measures {
                let clock = Clock::start();
                forest.measure(data, std::slice::from_ref(measure), around)?;
                each.insert(measure.id().info().id.to_owned(), json!(clock.read()));
            }
            result.insert("each_seconds".to_owned(), Value::Object(each));
        }
        Ok(result)
    }
}

/// Elapsed time, and processor time where the system tells it.
struct Clock {
    start: Instant,
    processor: Option<f64>,
}

impl Clock {
    fn start() -> Self {
        Self { start: Instant::now(), processor: processor_seconds() }
    }

    /// Seconds since the start: `[elapsed, processor]`.
    fn read(&self) -> [Option<f64>; 2] {
        let elapsed = self.start.elapsed().as_secs_f64();
        let processor = processor_seconds().zip(self.processor).map(|(now, then)| now - then);
        [Some(elapsed), processor]
    }
}

/// User and system time of all threads so far (proc(5), fields 14 and 15 of `stat`, which
/// Linux counts in hundredths of a second).
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let mut ticks = fields.split_whitespace().skip(11).map_while(|field| field.parse::<f64>().ok());
    Some((ticks.next()? + ticks.next()?) / 100.0)
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
    }
}

fn read(path: &str) -> Outcome<Dataset> {
    let bytes = std::fs::read(path)?;
    let (words, rest) = bytes.as_chunks::<8>();
    let [n_rows, n_columns, n_classes, ref body @ ..] = *words else {
        return Err(format!("{path} has no header").into());
    };
    let [n_rows, n_columns, n_classes] =
        [n_rows, n_columns, n_classes].map(|word| u64::from_le_bytes(word) as usize);
    if !rest.is_empty() || Some(body.len()) != n_rows.checked_mul(n_columns + 1) {
        return Err(format!("{path} does not have the length that its header states").into());
    }
    let values: Vec<f64> = body.iter().map(|&word| f64::from_le_bytes(word)).collect();
    let (features, target) = values.split_at(n_rows * n_columns);
    let columns = features
        .chunks_exact(n_rows)
        .enumerate()
        .map(|(index, values)| Column::numeric(format!("x{}", index + 1), values.to_vec()))
        .collect::<Result<Vec<_>, _>>()?;
    let target = if n_classes == 0 {
        Target::regression("y", target.to_vec())?
    } else {
        let classes = (0..n_classes).map(|class| class.to_string()).collect();
        Target::classification("y", classes, target.iter().map(|&code| code as u32).collect())?
    };
    Ok(Dataset::new(columns, target)?)
}
