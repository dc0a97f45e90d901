//! Reads the worked cases of `fixtures/golden`, and compares what is found with them.

use serde_json::{Value, json};
use wald::data::{Column, Target};
use wald::measure::MeasureSettings;
use wald::pass::Measured;
use wald::{Dataset, Forest, Importance, MeasureId, Run, Threads};

use crate::support::{assert_close, measure};

/// One file: the forest, its training data, and the expected numbers.
pub struct Case {
    pub name: String,
    pub file: Value,
    pub data: Dataset,
    pub forest: Forest,
}

pub fn floats(value: &Value) -> Vec<f64> {
    let number = |entry: &Value| entry.as_f64().unwrap_or(f64::NAN);
    value.as_array().expect("a list").iter().map(number).collect()
}

pub fn table(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().expect("a list of lists").iter().map(floats).collect()
}

/// Columns named x0, x1, ... from rows.
pub fn columns(rows: &Value) -> Vec<Column> {
    let rows = table(rows);
    (0..rows[0].len())
        .map(|j| {
            let values = rows.iter().map(|row| row[j]).collect();
            Column::numeric(format!("x{j}"), values).expect("finite values")
        })
        .collect()
}

pub fn read_json(document: &Value, data: Option<&Dataset>) -> Result<Forest, wald::Error> {
    let threads = Threads::new(2).expect("two threads");
    Forest::from_json(document.to_string().as_bytes(), data, &Run::on(threads))
}

/// The wald-forest JSON of a grown forest whose thresholds are other ones.
pub fn with_thresholds(grown: &Forest, other: impl Fn(f64) -> f64) -> Value {
    let mut text = Vec::new();
    grown.to_json(&mut text).expect("memory does not fail");
    let mut document: Value = serde_json::from_slice(&text).expect("JSON");
    for tree in document["trees"].as_array_mut().expect("trees") {
        for threshold in tree["threshold"].as_array_mut().expect("nodes") {
            if let Some(middle) = threshold.as_f64() {
                *threshold = json!(other(middle));
            }
        }
    }
    document
}

fn class_names(n_classes: u64) -> Vec<String> {
    (0..n_classes).map(|class| format!("class {class}")).collect()
}

/// The wald-forest JSON of a case.
fn document(file: &Value, aggregation: &str) -> Value {
    let n_features = file["X"][0].as_array().expect("rows").len();
    let n_classes = file["forest"]["n_classes"].as_u64().expect("a number");
    let names: Vec<String> = (0..n_features).map(|j| format!("x{j}")).collect();
    json!({
        "format": "wald-forest",
        "version": 1,
        "task": file["forest"]["task"],
        "features": names,
        "classes": if n_classes == 0 { Value::Null } else { json!(class_names(n_classes)) },
        "aggregation": aggregation,
        "trees": file["forest"]["trees"],
    })
}

impl Case {
    pub fn read(name: &str, aggregation: &str) -> Self {
        let path = format!("{}/tests/fixtures/golden/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).expect("the fixture is there");
        let file: Value = serde_json::from_slice(&bytes).expect("JSON");
        let y = floats(&file["y"]);
        let n_classes = file["forest"]["n_classes"].as_u64().expect("a number");
        let target = if n_classes == 0 {
            Target::regression("y", y).expect("finite values")
        } else {
            let codes = y.iter().map(|&class| class as u32).collect();
            Target::classification("y", class_names(n_classes), codes).expect("valid codes")
        };
        let data = Dataset::new(columns(&file["X"]), target).expect("consistent");
        let forest = read_json(&document(&file, aggregation), Some(&data)).expect("a forest");
        Self { name: name.to_owned(), file, data, forest }
    }

    pub fn all() -> Vec<Self> {
        ["reg_bootstrap_p4", "reg_shuffled_node_ids", "reg_f64_thresholds"]
            .into_iter()
            .chain(["bin_subsample_p6", "multi3_unsplit_root_p3"])
            .map(|name| Self::read(name, "mean"))
            .collect()
    }

    pub fn measures(&self) -> &Value {
        &self.file["measures"]
    }

    pub fn is_regression(&self) -> bool {
        self.file["forest"]["n_classes"] == 0
    }

    pub fn measure(&self, id: MeasureId, settings: MeasureSettings) -> Importance {
        measure(&self.data, &self.forest, id, settings)
    }

    pub fn measured(&self) -> Measured {
        let run = &Run::on(Threads::new(1).expect("one thread"));
        self.forest.measure(&self.data, &[], run).expect("applies")
    }

    pub fn check(&self, found: &[f64], expected: &[f64], what: &str) {
        assert_eq!(found.len(), expected.len(), "{}: {what}", self.name);
        for (index, (&found, &expected)) in found.iter().zip(expected).enumerate() {
            assert_close(found, expected, &format!("{}: {what} [{index}]", self.name));
        }
    }

    pub fn check_importance(&self, found: &Importance, expected: &Value, what: &str) {
        let values: Vec<f64> = found.values.iter().map(|value| value.expect("defined")).collect();
        self.check(&values, &floats(expected), what);
    }
}
