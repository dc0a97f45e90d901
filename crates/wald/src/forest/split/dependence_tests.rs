//! Against the statistics and p-values of partykit 1.2-16 (`tests/fixtures/make_party.R`), of all
//! variables at every node of its trees.

use serde_json::Value;

use super::{ChildScorer, ClassScorer, Criterion, NumberScorer, Scorer, TestScorer};
use crate::association::Independence;
use crate::data;
use crate::data::{Column, ColumnData, Dataset, Target, Training};
use crate::forest::config::ForestConfig;
use crate::forest::drawn::Drawn;
use crate::forest::sample::{Bag, Sampler};
use crate::forest::ways::{ClassWeight, Impurity, Sampling, Splitting};
use crate::run::Threads;

const TREES: [&str; 8] = [
    "iris_bonferroni",
    "iris_univariate",
    "air_bonferroni",
    "air_univariate",
    "air_missing",
    "uptake",
    "eyes",
    "births",
];

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn floats(value: &Value) -> Vec<f64> {
    list(value).iter().map(|entry| entry.as_f64().unwrap_or(f64::NAN)).collect()
}

/// The distinct texts, and which of them every cell is.
fn codes(cells: &Value) -> (Vec<String>, Vec<u32>) {
    let cells: Vec<String> = serde_json::from_value(cells.clone()).expect("texts");
    let mut levels = cells.clone();
    levels.sort_unstable();
    levels.dedup();
    let code = |cell| levels.iter().position(|level| level == cell).expect("listed") as u32;
    let codes = cells.iter().map(code).collect();
    (levels, codes)
}

fn dataset(file: &Value) -> Dataset {
    let columns = list(&file["columns"]).iter().zip(list(&file["names"])).map(|(cells, name)| {
        let name = name.as_str().expect("a name");
        if cells.as_array().is_some_and(|cells| cells.iter().any(Value::is_string)) {
            let (levels, codes) = codes(cells);
            Column::categorical(name, levels, codes).expect("valid codes")
        } else {
            Column::numeric(name, floats(cells)).expect("finite or NaN")
        }
    });
    let target = if file["y"][0].is_string() {
        let (classes, codes) = codes(&file["y"]);
        Target::classification("y", classes, codes).expect("valid codes")
    } else {
        Target::regression("y", floats(&file["y"])).expect("finite")
    };
    Dataset::new(columns.collect(), target).expect("consistent")
}

/// Tests a column over the given rows.
fn test(scorer: &mut impl TestScorer, column: &Column, rows: &[u32]) -> Option<Independence> {
    scorer.summarise(rows, &mut Vec::new());
    scorer.read(rows);
    let found = match column.data() {
        ColumnData::Numeric(values) => {
            let numbers: Vec<f64> = rows.iter().map(|&row| values[row as usize]).collect();
            scorer.dependence_on_numbers(&numbers)
        }
        ColumnData::Categorical(categories) => {
            let codes = rows.iter().map(|&row| categories.codes()[row as usize]);
            let mut present: Vec<u32> = codes.clone().collect();
            present.sort_unstable();
            present.dedup();
            let place = |code| present.binary_search(&code).expect("present") as u32;
            if present.len() < 2 {
                return None;
            }
            scorer.dependence_on_levels(&codes.map(place).collect::<Vec<u32>>(), present.len())
        }
    }?;
    Independence::new(found.weight, found.share, found.degrees)
}

fn is_missing(column: &Column, row: u32) -> bool {
    match column.data() {
        ColumnData::Numeric(values) => values[row as usize].is_nan(),
        ColumnData::Categorical(categories) => {
            categories.codes()[row as usize] == data::MISSING_LEVEL
        }
    }
}

fn close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-8 * expected.abs(), "{what}: {found} is not {expected}");
}

/// Checks all tests of a file; returns their number.
fn check(name: &str, file: &Value, data: &Dataset, scorer: &mut impl TestScorer) -> usize {
    let is_adjusted = file["p_values"] == "bonferroni";
    let mut n_tests = 0;
    for node in list(&file["nodes"]).iter().filter(|node| node["statistics"].is_array()) {
        let (statistics, p_values) = (floats(&node["statistics"]), floats(&node["p_values"]));
        let n_tested = statistics.iter().filter(|statistic| !statistic.is_nan()).count() as f64;
        let rows: Vec<u32> = serde_json::from_value(node["rows"].clone()).expect("rows");
        for (index, column) in data.features().columns().iter().enumerate() {
            let what = format!("{name}, {} of {} rows", column.name(), rows.len());
            let present: Vec<u32> =
                rows.iter().copied().filter(|&row| !is_missing(column, row)).collect();
            let found = test(scorer, column, &present);
            assert_eq!(found.is_none(), statistics[index].is_nan(), "{what}");
            let Some(found) = found else { continue };
            close(found.statistic, statistics[index], &what);
            let factor = if is_adjusted { n_tested } else { 1.0 };
            let p_value = -(factor * (-found.log_p.exp()).ln_1p()).exp_m1();
            close(p_value, p_values[index], &what);
            n_tests += 1;
        }
    }
    n_tests
}

#[test]
fn statistics_and_p_values_are_those_of_partykit() {
    let mut n_tests = 0;
    for name in TREES {
        let path = format!("{}/tests/fixtures/party/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).expect("the fixture is there");
        let file: Value = serde_json::from_slice(&bytes).expect("JSON");
        let data = dataset(&file);
        let splitting = Splitting::Conditional;
        let config = ForestConfig { sampling: Sampling::All, splitting, ..Default::default() };
        let bag: Bag = Sampler::new(&data, &config.resolve(&data).expect("fits")).bag(0);
        let training = Training::of(&data, Threads::all());
        let drawn = Drawn::new(&training, &bag, ClassWeight::Equal);
        let rows: Vec<u32> = (0..data.n_rows() as u32).collect();
        if let Some(mut scorer) = NumberScorer::new(&drawn, &rows) {
            n_tests += check(name, &file, &data, &mut scorer);
        }
        // Two classes are known to both.
        let (impurity, criterion) = (Impurity::Gini, Criterion::ChiSquare);
        if let Some(mut scorer) = ClassScorer::new(&drawn, &rows, impurity, criterion) {
            n_tests += check(name, &file, &data, &mut scorer);
        }
    }
    assert!(n_tests > 200, "{n_tests}");
}

/// Tests do not depend on where numbers lie, and are uninformative where nothing varies.
#[test]
fn numbers_may_be_far_away() {
    let y: Vec<f64> = (0..40).map(|row| f64::from(row * row % 17)).collect();
    let x: Vec<f64> = (0..40).map(|row| f64::from(row * 7 % 11)).collect();
    let column = Column::numeric("x", x.clone()).expect("finite");
    let target = Target::regression("y", y).expect("finite");
    let data = Dataset::new(vec![column], target).expect("consistent");
    let config = ForestConfig { sampling: Sampling::All, ..Default::default() };
    let bag = Sampler::new(&data, &config.resolve(&data).expect("fits")).bag(0);
    let training = Training::of(&data, Threads::all());
    let drawn = Drawn::new(&training, &bag, ClassWeight::Equal);
    let rows: Vec<u32> = (0..40).collect();
    let mut scorer = NumberScorer::new(&drawn, &rows).expect("numbers");
    scorer.summarise(&rows, &mut Vec::new());
    scorer.read(&rows);
    let near = scorer.dependence_on_numbers(&x).expect("varies").share;
    let far: Vec<f64> = x.iter().map(|x| x * 2.0 - 1e9).collect();
    close(scorer.dependence_on_numbers(&far).expect("varies").share, near, "far away");
    assert_eq!(scorer.dependence_on_numbers(&[5.0; 40]), None);
}
