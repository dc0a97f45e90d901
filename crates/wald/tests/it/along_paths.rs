//! Measures that add up along paths, which are gone branch by branch with many rows: neither the rows
//! beside a row nor the number of variables and classes change what is added.

use serde_json::json;
use wald::data::{Column, Target};
use wald::explain::Rows;
use wald::{Dataset, ExplanationId, ExplanationSettings, Features, Forest, ForestConfig};
use wald::{Run, Threads};

use crate::golden_case::{read_json, with_thresholds};
use crate::support::{Shape, assert_close, dataset, explained, grow};
use crate::tree_shap::{along_path, expected};

const ALL: [ExplanationId; 3] =
    [ExplanationId::Saabas, ExplanationId::LocalMdi, ExplanationId::LocalRelevance];

fn grown(data: &Dataset) -> Forest {
    let config = ForestConfig {
        n_trees: 4,
        mtry: Some(data.n_features() / 2),
        min_node_size: Some(1),
        ..ForestConfig::default()
    };
    grow(data, &config)
}

fn table(n_classes: u32) -> Dataset {
    dataset(Shape { n_rows: 150, n_classes, missing: true, weights: true, seed: 98 })
}

/// The same table with so many more columns that a path splits on few of all.
fn wide(n_classes: u32) -> Dataset {
    let base = table(n_classes);
    let mut columns = base.features().columns().to_vec();
    let constant = |index: u32| Column::numeric(format!("none{index}"), vec![1.0; 150]);
    columns.extend((0..60).map(|index| constant(index).expect("finite")));
    let weights = base.weights().expect("weighted").to_vec();
    let data = Dataset::new(columns, base.target().clone()).expect("consistent");
    data.with_weights(weights).expect("valid weights")
}

fn bits<'a>(values: impl IntoIterator<Item = &'a f64>) -> Vec<u64> {
    values.into_iter().map(|value| value.to_bits()).collect()
}

#[test]
fn any_number_of_classes_and_variables_has_the_values_of_the_definition() {
    for n_classes in [0, 2, 3, 4, 5, 6] {
        for data in [table(n_classes), wide(n_classes)] {
            let forest = grown(&data);
            let asked = (ExplanationId::Saabas, &ExplanationSettings::default());
            let found = explained((&data, &forest), Rows::Training, asked, 1);
            for (row, found) in found.iter().enumerate().step_by(3) {
                let expected = expected((&data, &forest), (row, false), along_path);
                assert_eq!(found.len(), expected.len());
                for (found, expected) in found.iter().zip(expected) {
                    assert_close(*found, expected, "value");
                }
            }
        }
    }
}

#[test]
fn rows_beside_a_row_change_no_bit() {
    for data in [table(0), table(3), wide(0), wide(6)] {
        let forest = grown(&data);
        for id in ALL {
            let asked = (id, &ExplanationSettings::default());
            let all = explained((&data, &forest), Rows::Training, asked, 1);
            for threads in [2, 7] {
                let again = explained((&data, &forest), Rows::Training, asked, threads);
                assert_eq!(bits(all.iter().flatten()), bits(again.iter().flatten()), "{id:?}");
            }
            for step in [11, 149] {
                let rows: Vec<u32> = (0..150).step_by(step).collect();
                let columns = data.features().columns().iter().map(|column| column.select(&rows));
                let few = Features::new(columns.collect()).expect("a table");
                let found = explained((&data, &forest), Rows::Other(&few), asked, 1);
                let same = rows.iter().flat_map(|&row| &all[row as usize]);
                assert_eq!(bits(found.iter().flatten()), bits(same), "{id:?}");
            }
        }
    }
}

#[test]
fn variables_that_are_not_wanted_change_no_bit() {
    for n_classes in [0, 3] {
        let data = table(n_classes);
        let n_outputs = data.target().n_outputs();
        let forest = grown(&data);
        for id in ALL {
            let all = ExplanationSettings::default();
            let all = explained((&data, &forest), Rows::Training, (id, &all), 1);
            let variables = vec!["more".to_owned(), "one".to_owned()];
            let settings = ExplanationSettings { variables, ..ExplanationSettings::default() };
            let explainer = forest.explainer(&data, Rows::Training, id, &settings);
            let names = explainer.expect("applies").layout().variables.clone();
            let found = explained((&data, &forest), Rows::Training, (id, &settings), 1);
            let n_values = found[0].len() / names.len();
            assert!(n_values == n_outputs || n_values == 1);
            for (found, all) in found.iter().zip(all) {
                for (name, found) in names.iter().zip(found.chunks_exact(n_values)) {
                    let is_it = |column: &Column| column.name() == name;
                    let place = data.features().columns().iter().position(is_it);
                    let start = place.expect("a column") * n_values;
                    assert_eq!(bits(found), bits(&all[start..start + n_values]), "{id:?}");
                }
            }
        }
    }
}

/// Thresholds that only numbers of double precision are above.
#[test]
fn inputs_in_single_precision_go_where_predicting_sends_them() {
    let x: Vec<f64> = (0..64).map(|row| 0.125 * f64::from(row) + 1e-12).collect();
    let y = x.iter().map(|x| (3.0 * x).sin() + x).collect();
    let column = Column::numeric("x", x).expect("finite");
    let target = Target::regression("y", y).expect("finite");
    let data = Dataset::new(vec![column], target).expect("consistent");
    let grown = grow(&data, &ForestConfig { n_trees: 3, ..ForestConfig::default() });
    let mut document = with_thresholds(&grown, |middle| (8.0 * middle).floor() / 8.0);
    let mut predicted = Vec::new();
    for float32_inputs in [false, true] {
        document["float32_inputs"] = json!(float32_inputs);
        let forest = read_json(&document, None).expect("a forest");
        let run = &Run::on(Threads::new(1).expect("one"));
        let predictions = forest.predict(data.features(), run).expect("a number");
        let settings = ExplanationSettings::default();
        let id = ExplanationId::Saabas;
        let explainer = forest.explainer(&data, Rows::Training, id, &settings).expect("applies");
        let base = explainer.expected_value().expect("adds up")[0];
        let found = explained((&data, &forest), Rows::Training, (id, &settings), 1);
        for (found, predicted) in found.iter().zip(&predictions) {
            assert_close(base + found[0], *predicted, "prediction");
        }
        predicted.push(predictions);
    }
    assert_ne!(predicted[0], predicted[1]);
}
