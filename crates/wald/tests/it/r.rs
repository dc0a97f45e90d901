//! Forests of ranger and randomForest (`fixtures/make_r.R`, written by `R/R/from_*.R`).

use serde_json::Value;
use wald::data::{Column, Response, Target};
use wald::forest::Aggregation;
use wald::measure::MeasureSettings;
use wald::pass::{Errors, Measured};
use wald::{Dataset, Forest, Measure, MeasureId, Run, Threads};

use crate::golden_case::{floats, read_json, table};

const RANGER: [&str; 5] = [
    "ranger_regression",
    "ranger_partition",
    "ranger_order",
    "ranger_classification",
    "ranger_probability",
];

const RANDOM_FOREST: [&str; 2] = ["random_forest_regression", "random_forest_classification"];

struct Case {
    name: &'static str,
    file: Value,
    data: Dataset,
    forest: Forest,
}

pub fn strings(value: &Value) -> Option<Vec<String>> {
    serde_json::from_value(value.clone()).ok()
}

/// Names in alphabetical order, which is not that of the forest, and the codes of all rows.
fn codes(names: &[String]) -> (Vec<String>, Vec<u32>) {
    let mut levels = names.to_vec();
    levels.sort_unstable();
    levels.dedup();
    let code = |name| levels.iter().position(|level| level == name).expect("listed") as u32;
    let codes = names.iter().map(code).collect();
    (levels, codes)
}

/// The table of a file: a list per column, and the target.
pub fn dataset(file: &Value) -> Dataset {
    let names = strings(&file["names"]).expect("names");
    let column = |(name, values): (String, &Value)| match strings(values) {
        None => Column::numeric(name, floats(values)).expect("finite values"),
        Some(values) => {
            let (levels, codes) = codes(&values);
            Column::categorical(name, levels, codes).expect("valid codes")
        }
    };
    let values = file["columns"].as_array().expect("columns");
    let columns = names.into_iter().zip(values).map(column).collect();
    let target = match strings(&file["y"]) {
        None => Target::regression("y", floats(&file["y"])).expect("finite values"),
        Some(values) => {
            let (classes, codes) = codes(&values);
            Target::classification("y", classes, codes).expect("valid codes")
        }
    };
    Dataset::new(columns, target).expect("consistent")
}

impl Case {
    fn read(name: &'static str) -> Self {
        let path = format!("{}/tests/fixtures/r/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).expect("the fixture is there");
        let file: Value = serde_json::from_slice(&bytes).expect("JSON");
        let data = dataset(&file);
        let forest = read_json(&file["forest"], Some(&data)).expect("a forest");
        Self { name, file, data, forest }
    }

    fn expected(&self, key: &str) -> &Value {
        let value = &self.file["expected"][key];
        assert!(!value.is_null(), "{}: {key}", self.name);
        value
    }

    fn measure(&self) -> Measured {
        let measure = |id| Measure::new(id, MeasureSettings::default()).expect("offered");
        let measures = [measure(MeasureId::Mdi), measure(MeasureId::MdaBreimanCutler)];
        let run = &Run::on(Threads::new(2).expect("two threads"));
        self.forest.measure(&self.data, &measures, run).expect("applies")
    }

    fn predict(&self) -> Vec<f64> {
        let threads = Threads::new(2).expect("two threads");
        self.forest.predict(self.data.features(), &Run::on(threads)).expect("fits")
    }

    /// Both programs sum N(t) times the decrease in a tree and average over trees.
    fn check_impurity(&self, measured: &Measured) {
        let n_draws: f64 =
            self.forest.bags().expect("bags")[0].counts().iter().map(|&n| f64::from(n)).sum();
        let expected = floats(self.expected("impurity"));
        for (found, expected) in measured.importances[0].values.iter().zip(expected) {
            let found = found.expect("defined") * n_draws;
            close(found, expected, 1e-9, self.name);
        }
    }

    fn n_outputs(&self) -> usize {
        self.forest.target().n_outputs()
    }
}

fn close(found: f64, expected: f64, tolerance: f64, what: &str) {
    let tolerance = tolerance * expected.abs().max(1.0);
    assert!((found - expected).abs() <= tolerance, "{what}: {found} is not {expected}");
}

/// A number per row, or a row of classes.
pub fn rows(value: &Value) -> Vec<Vec<f64>> {
    if value[0].is_array() {
        table(value)
    } else {
        floats(value).into_iter().map(|v| vec![v]).collect()
    }
}

/// True when the class with the most votes is the given one or ties with it.
fn may_be(scores: &[f64], class: f64) -> bool {
    scores.iter().all(|&score| score <= scores[class as usize] + 1e-12)
}

#[test]
fn ranger_gives_the_same_impurity_importances() {
    for case in RANGER.map(Case::read) {
        case.check_impurity(&case.measure());
    }
}

#[test]
fn ranger_gives_the_same_predictions() {
    for case in RANGER.map(Case::read) {
        let predictions = case.predict();
        let predictions = predictions.chunks_exact(case.n_outputs());
        let votes = case.forest.aggregation() == Aggregation::Vote;
        for (found, expected) in predictions.zip(rows(case.expected("all"))) {
            if votes {
                assert!(may_be(found, expected[0]), "{}", case.name);
            } else {
                let pairs = found.iter().zip(&expected);
                pairs.for_each(|(found, expected)| close(*found, *expected, 1e-12, case.name));
            }
        }
    }
}

#[test]
fn ranger_gives_the_same_out_of_bag_predictions() {
    for case in RANGER.map(Case::read) {
        let measured = case.measure();
        let votes = case.forest.aggregation() == Aggregation::Vote;
        let expected = rows(case.expected(if votes { "oob_class" } else { "oob" }));
        let (mut ties, mut seen) = (0.0, 0.0);
        for (row, expected) in expected.iter().enumerate() {
            let Some(found) = measured.out_of_bag.prediction(row) else {
                assert!(expected[0].is_nan(), "{}", case.name);
                continue;
            };
            seen += 1.0;
            if votes {
                assert!(may_be(&found, expected[0]), "{}", case.name);
                let largest = found.iter().copied().fold(0.0, f64::max);
                let tied = found.iter().filter(|&&score| score > largest - 1e-12).count() > 1;
                ties += f64::from(u8::from(tied));
            } else {
                let pairs = found.iter().zip(expected);
                pairs.for_each(|(found, expected)| close(*found, *expected, 1e-12, case.name));
            }
        }
        match measured.errors.expect("rows out of bag") {
            Errors::Regression { squared, .. } => {
                let expected = case.expected("oob_error")[0].as_f64().expect("a number");
                close(squared, expected, 1e-12, case.name);
            }
            Errors::Classification { zero_one, .. } if votes => {
                // ranger breaks ties by chance, wald by the order of classes.
                let expected = case.expected("oob_error")[0].as_f64().expect("a number");
                close(zero_one, expected, (ties + 0.1) / seen, case.name);
            }
            Errors::Classification { .. } => {}
        }
    }
}

#[test]
fn random_forest_gives_the_same_predictions_and_votes() {
    for case in RANDOM_FOREST.map(Case::read) {
        let measured = case.measure();
        for (row, expected) in rows(case.expected("oob")).iter().enumerate() {
            let Some(found) = measured.out_of_bag.prediction(row) else {
                assert!(expected[0].is_nan(), "{}", case.name);
                continue;
            };
            let pairs = found.iter().zip(expected);
            pairs.for_each(|(found, expected)| close(*found, *expected, 1e-12, case.name));
        }
        if let Some(Errors::Regression { squared, .. }) = measured.errors {
            let expected = case.expected("oob_error")[0].as_f64().expect("a number");
            close(squared, expected, 1e-12, case.name);
        }
        let expected = rows(case.expected("all")).concat();
        for (found, expected) in case.predict().iter().zip(expected) {
            close(*found, expected, 1e-12, case.name);
        }
    }
}

#[test]
fn random_forest_gives_the_same_importances() {
    for case in RANDOM_FOREST.map(Case::read) {
        let measured = case.measure();
        case.check_impurity(&measured);
        // randomForest permutes once per tree: wald's expectation lies within its noise.
        let mut settings = MeasureSettings::default();
        if case.n_outputs() > 1 {
            settings.loss = wald::measure::Loss::parse("zero_one");
        }
        let measure = Measure::new(MeasureId::MdaBreimanCutler, settings).expect("offered");
        let run = &Run::on(Threads::new(2).expect("two threads"));
        let exact = case.forest.measure(&case.data, &[measure], run).expect("applies");
        let expected = floats(case.expected("accuracy"));
        let errors = floats(case.expected("accuracy_error"));
        for (j, found) in exact.importances[0].values.iter().enumerate() {
            let difference = (found.expect("defined") - expected[j]).abs();
            assert!(difference <= 4.0 * errors[j], "{}: {difference} > 4 {}", case.name, errors[j]);
        }
    }
}

/// Where a class has no out-of-bag row in some trees, randomForest counts these as zero, and wald
/// leaves them out of the mean, as it does trees without any out-of-bag rows.
#[test]
fn random_forest_gives_the_same_importances_by_class() {
    for name in ["random_forest_classification", "random_forest_rare"] {
        let case = Case::read(name);
        let loss = wald::measure::Loss::parse("zero_one");
        let settings = MeasureSettings { loss, per_class: true, ..MeasureSettings::default() };
        let measure = Measure::new(MeasureId::MdaBreimanCutler, settings).expect("offered");
        let run = &Run::on(Threads::new(2).expect("two threads"));
        let found = case.forest.measure(&case.data, &[measure], run).expect("applies");
        let found = &found.importances[0];
        let of = |key: &str| rows(case.expected(key));
        let (expected, errors) = (of("class_accuracy"), of("class_accuracy_error"));
        let Response::Classification(classes) = case.data.target().response() else {
            panic!("classes")
        };
        let bags = case.forest.bags().expect("in the file");
        for (class, (_, values)) in found.per_class.iter().flatten().enumerate() {
            let is_of = |row: usize| classes.codes()[row] as usize == class;
            let has_rows = bags.iter().filter(|bag| {
                let counts = bag.counts().iter().enumerate();
                counts.into_iter().any(|(row, &count)| count == 0 && is_of(row))
            });
            let share = has_rows.count() as f64 / bags.len() as f64;
            assert_eq!(share < 1.0, name == "random_forest_rare" && class == 1, "{share}");
            for (j, value) in values.iter().enumerate() {
                let gap = (value.expect("defined") * share - expected[j][class]).abs();
                let error = errors[j][class];
                assert!(gap <= 4.0 * error, "{name} {class} {j}: {gap} > 4 {error}");
            }
        }
        let is_rare = name == "random_forest_rare";
        assert_eq!(found.notes.iter().any(|note| note.contains("68 for \"virginica\"")), is_rare);
    }
}
