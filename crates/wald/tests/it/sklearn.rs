//! Forests of scikit-learn 1.9.1 (`fixtures/make_sklearn.py`): same leaves, same numbers.

use serde_json::Value;
use wald::data::{Column, Target};
use wald::explain::{GridValues, Rows};
use wald::measure::{MeasureSettings, Normalise};
use wald::{Dataset, Features, Forest, Measure, MeasureId, Run};
use wald::{ExplanationId, ExplanationSettings};

use crate::curves::explain;
use crate::golden_case::{floats, read_json, table};
use crate::tree_shap::explain as shares_of_rows;

const CASES: [&str; 8] = [
    "diabetes",
    "diabetes_missing",
    "diabetes_best_first",
    "breast_cancer",
    "wine_entropy",
    "wine_missing",
    "iris",
    "iris_extra_trees",
];

pub struct Case {
    file: Value,
    pub data: Dataset,
}

impl Case {
    pub fn read(name: &str) -> Self {
        let path = format!("{}/tests/fixtures/sklearn/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).expect("the fixture is there");
        let file: Value = serde_json::from_slice(&bytes).expect("JSON");
        let strings = |value: &Value| -> Vec<String> {
            serde_json::from_value(value.clone()).expect("a list of names")
        };
        let names = strings(&file["forest"]["features"]);
        let rows = table(&file["X"]);
        let column = |(j, name): (usize, String)| {
            Column::numeric(name, rows.iter().map(|row| row[j]).collect()).expect("finite values")
        };
        let columns = names.into_iter().enumerate().map(column).collect();
        let y = floats(&file["y"]);
        let target = if file["forest"]["classes"].is_null() {
            Target::regression("y", y).expect("finite values")
        } else {
            let codes = y.iter().map(|&class| class as u32).collect();
            Target::classification("y", strings(&file["forest"]["classes"]), codes)
                .expect("valid codes")
        };
        let data = Dataset::new(columns, target).expect("consistent");
        Self { file, data }
    }

    fn expected(&self) -> &Value {
        &self.file["expected"]
    }

    /// The forest as scikit-learn describes it, and with values and statistics left out.
    pub fn forests(&self) -> [Forest; 2] {
        let mut document = self.file["forest"].clone();
        let read = read_json(&document, Some(&self.data)).expect("a forest");
        for tree in document["trees"].as_array_mut().expect("trees") {
            let tree = tree.as_object_mut().expect("a tree");
            tree.retain(|key, _| !["value", "weight", "impurity"].contains(&key.as_str()));
        }
        [read, read_json(&document, Some(&self.data)).expect("a forest")]
    }

    fn rows(&self) -> Vec<u32> {
        serde_json::from_value(self.expected()["rows"].clone()).expect("row numbers")
    }

    /// The rows that scikit-learn predicted.
    fn asked(&self) -> Features {
        let rows = self.rows();
        let columns = self.data.features().columns();
        Features::new(columns.iter().map(|column| column.select(&rows)).collect()).expect("rows")
    }
}

fn run() -> Run {
    Run::on(crate::support::threads())
}

fn check(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        let tolerance = 1e-12 * expected.abs().max(1.0);
        assert!((found - expected).abs() <= tolerance, "{what}: {found} is not {expected}");
    }
}

#[test]
fn impurity_importances_are_those_of_scikit_learn() {
    for name in CASES {
        let case = Case::read(name);
        for forest in case.forests() {
            let normalise = Normalise::Sum;
            let settings = MeasureSettings { normalise, ..MeasureSettings::default() };
            let measure = Measure::new(MeasureId::Mdi, settings).expect("offered");
            let run = run();
            let measured = forest.measure(&case.data, &[measure], &run).expect("applies");
            let found: Vec<f64> =
                measured.importances[0].values.iter().map(|v| v.expect("defined")).collect();
            check(&found, &floats(&case.expected()["feature_importances"]), name);
        }
    }
}

#[test]
fn predictions_are_those_of_scikit_learn() {
    for name in CASES {
        let case = Case::read(name);
        for forest in case.forests() {
            let run = run();
            let found = forest.predict(&case.asked(), &run).expect("fits");
            check(&found, &table(&case.expected()["predictions"]).concat(), name);
        }
        // Each tree by itself.
        for (index, expected) in
            case.expected()["tree_predictions"].as_array().expect("trees").iter().enumerate()
        {
            let mut document = case.file["forest"].clone();
            document["trees"] = Value::Array(vec![document["trees"][index].clone()]);
            let tree = read_json(&document, None).expect("a forest");
            let run = run();
            let found = tree.predict(&case.asked(), &run).expect("fits");
            check(&found, &table(expected).concat(), name);
        }
    }
}

#[test]
fn rows_end_in_the_leaves_of_scikit_learn() {
    for name in CASES {
        let case = Case::read(name);
        for (index, leaves) in
            case.expected()["leaves"].as_array().expect("trees").iter().enumerate()
        {
            // Every leaf predicts its own number in the file.
            let mut document = case.file["forest"].clone();
            let mut tree = document["trees"][index].clone();
            let n_nodes = tree["feature"].as_array().expect("nodes").len();
            tree["value"] = (0..n_nodes).collect();
            document["trees"] = Value::Array(vec![tree]);
            document["task"] = "regression".into();
            document["impurity"] = "variance".into();
            document["classes"] = Value::Null;
            let tree = read_json(&document, None).expect("a forest");
            let run = run();
            let found = tree.predict(&case.asked(), &run).expect("fits");
            assert_eq!(found, floats(leaves), "{name}");
        }
    }
}

#[test]
fn out_of_bag_predictions_are_those_of_scikit_learn() {
    for name in CASES {
        let case = Case::read(name);
        if case.expected()["oob_predictions"].is_null() {
            continue;
        }
        let expected = table(&case.expected()["oob_predictions"]);
        for forest in case.forests() {
            let run = run();
            let measured = forest.measure(&case.data, &[], &run).expect("applies");
            let mut n_checked = 0;
            for (row, expected) in expected.iter().enumerate() {
                if let Some(found) = measured.out_of_bag.prediction(row) {
                    check(&found, expected, name);
                    n_checked += 1;
                }
            }
            assert!(n_checked * 2 > expected.len());
        }
    }
}

/// The value that a step function has at `at`, given its values at increasing places.
fn step(grid: &[f64], values: &[f64], n_outputs: usize, at: f64) -> Vec<f64> {
    let place = grid.partition_point(|&end| end < at).min(grid.len() - 1);
    values[place * n_outputs..(place + 1) * n_outputs].to_vec()
}

#[test]
fn curves_are_those_of_scikit_learn() {
    for name in CASES {
        let case = Case::read(name);
        let [forest, _] = case.forests();
        for expected in case.expected()["curves"].as_array().expect("two variables") {
            let feature = expected["feature"].as_u64().expect("a position") as usize;
            let variables = vec![forest.features()[feature].name.clone()];
            let settings = ExplanationSettings { variables, ..ExplanationSettings::default() };
            let of = |id| {
                let question = (id, settings.clone());
                explain(&forest, &case.data, Rows::Training, question, 2)
            };
            let ((layout, ice), (_, pdp)) = (of(ExplanationId::Ice), of(ExplanationId::Pdp));
            let wald::explain::Shape::Curves(grids) = &layout.shape else { panic!("curves") };
            let GridValues::Numbers(grid) = &grids[0].values else { panic!("numbers") };
            let n_outputs = layout.n_outputs();
            let average = table(&expected["average"]);
            let every = expected["every"].as_u64().expect("a step") as usize;
            let individual: Vec<Vec<Vec<f64>>> =
                expected["individual"].as_array().expect("outputs").iter().map(table).collect();
            // Of two classes, scikit-learn returns the second one.
            let outputs = if n_outputs == 2 { 1..2 } else { 0..n_outputs };
            assert_eq!(average.len(), outputs.len());
            for (place, &at) in floats(&expected["grid"]).iter().enumerate() {
                // scikit-learn rounds what it is given.
                let at = f64::from(at as f32);
                let mean = step(grid, &pdp[0], n_outputs, at);
                for (output, average) in outputs.clone().zip(&average) {
                    check(&[mean[output]], &[average[place]], &format!("{name} at {at}"));
                }
                let rows = ice.iter().step_by(every).enumerate();
                for (index, record) in rows {
                    let found = step(grid, record, n_outputs, at);
                    for (output, curves) in outputs.clone().zip(&individual) {
                        check(&[found[output]], &[curves[index][place]], &format!("{name} {at}"));
                    }
                }
            }
        }
    }
}

#[test]
fn shapley_values_are_those_of_shap() {
    let path = format!("{}/tests/fixtures/shap.json", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("the fixture is there");
    let file: Value = serde_json::from_slice(&bytes).expect("JSON");
    for (name, expected) in file.as_object().expect("forests") {
        let case = Case::read(name);
        let rows: Vec<usize> = serde_json::from_value(expected["rows"].clone()).expect("rows");
        for forest in case.forests() {
            let id = ExplanationId::TreeShap;
            let subject = (&forest, &case.data);
            let (found, base) = shares_of_rows(subject, Rows::Training, id, (false, 2));
            let close = |found: &[f64], expected: &[f64]| {
                assert_eq!(found.len(), expected.len(), "{name}");
                for (found, expected) in found.iter().zip(expected) {
                    let gap = (found - expected).abs();
                    assert!(gap <= 1e-8 * expected.abs().max(1.0), "{name}: {found}, {expected}");
                }
            };
            let base = base.expect("one for all rows");
            close(&base, &floats(&expected["expected_value"]));
            let values = expected["values"].as_array().expect("rows");
            assert!(rows.len() > 5 && rows.len() == values.len());
            for (&row, values) in rows.iter().zip(values) {
                close(&found[row], &table(values).concat());
            }
        }
    }
}
