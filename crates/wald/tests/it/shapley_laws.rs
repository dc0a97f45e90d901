//! What values that add up to predictions must satisfy, whatever the forest, and which forests have
//! none.

use serde_json::{Value, json};
use wald::data::{Column, Target};
use wald::explain::Rows;
use wald::forest::argmax;
use wald::{Dataset, ExplanationId, ExplanationSettings, Forest, ForestConfig};

use crate::golden_case::read_json;
use crate::support::{Shape, assert_close, dataset, grow};
use crate::tree_shap::{brute_force, brute_force_of, explain};

const ALL: [ExplanationId; 4] = [
    ExplanationId::Saabas,
    ExplanationId::TreeShap,
    ExplanationId::TreeShapInteractions,
    ExplanationId::TreeShapInterventional,
];

fn small(n_classes: u32) -> Dataset {
    dataset(Shape { n_rows: 60, n_classes, missing: true, weights: true, seed: 96 })
}

pub fn document(forest: &Forest) -> Value {
    let mut text = Vec::new();
    forest.to_json(&mut text).expect("memory does not fail");
    serde_json::from_slice(&text).expect("JSON")
}

fn values(forest: &Forest, data: &Dataset, id: ExplanationId) -> Vec<f64> {
    explain((forest, data), Rows::Training, id, (false, 2)).0.concat()
}

#[test]
fn values_of_a_forest_are_those_of_its_trees_together() {
    for n_classes in [0, 2, 3] {
        let data = small(n_classes);
        let forest = grow(&data, &ForestConfig { n_trees: 5, ..ForestConfig::default() });
        let whole = document(&forest);
        for (aggregation, divisor) in [("mean", 5.0), ("vote", 5.0), ("sum", 1.0)] {
            // Proportions do not add up to a prediction.
            if aggregation == "sum" && n_classes > 0 {
                continue;
            }
            let read = |trees: Value| {
                let mut part = whole.clone();
                part["aggregation"] = aggregation.into();
                part["trees"] = trees;
                read_json(&part, Some(&data)).expect("a forest")
            };
            let forest = read(whole["trees"].clone());
            for id in ALL {
                let found = values(&forest, &data, id);
                let mut expected = vec![0.0; found.len()];
                for tree in whole["trees"].as_array().expect("trees") {
                    let of_tree = values(&read(json!([tree])), &data, id);
                    expected.iter_mut().zip(of_tree).for_each(|(sum, value)| *sum += value);
                }
                for (found, expected) in found.iter().zip(expected) {
                    assert_close(*found, expected / divisor, aggregation);
                }
            }
        }
    }
}

#[test]
fn votes_and_sums_have_the_values_of_the_definition() {
    for (n_classes, aggregation) in [(0, "sum"), (0, "vote"), (2, "vote"), (3, "vote")] {
        let data = small(n_classes);
        let grown = grow(&data, &ForestConfig { n_trees: 3, ..ForestConfig::default() });
        let mut document = document(&grown);
        document["aggregation"] = aggregation.into();
        let forest = read_json(&document, Some(&data)).expect("a forest");
        let found = values(&forest, &data, ExplanationId::TreeShap);
        let divisor = if aggregation == "sum" { 1.0 } else { 3.0 };
        let width = found.len() / data.n_rows();
        for (row, found) in found.chunks_exact(width).enumerate() {
            let mut expected = vec![0.0; width];
            for tree in forest.trees() {
                let vote = |node: usize| {
                    let mut votes = tree.value(node).to_vec();
                    if n_classes > 0 {
                        let winner = argmax(&votes);
                        votes.fill(0.0);
                        votes[winner] = 1.0;
                    }
                    votes
                };
                let of_tree = brute_force_of(&data, (tree, &vote), row);
                expected.iter_mut().zip(of_tree).for_each(|(sum, value)| *sum += value / divisor);
            }
            for (found, expected) in found.iter().zip(expected) {
                assert_close(*found, expected, aggregation);
            }
        }
    }
}

/// Four columns: two equal ones, one of its own, and one that no tree splits on.
fn twins() -> Dataset {
    let base =
        dataset(Shape { n_rows: 80, n_classes: 0, missing: false, weights: false, seed: 97 });
    let renamed = |from: usize, name: &str| {
        let wald::data::ColumnData::Numeric(values) = base.features().columns()[from].data() else {
            panic!("numbers")
        };
        Column::numeric(name, values.to_vec()).expect("finite")
    };
    let columns = vec![renamed(0, "a"), renamed(0, "b"), renamed(1, "c"), renamed(3, "none")];
    Dataset::new(columns, base.target().clone()).expect("consistent")
}

#[test]
fn equal_variables_exchanged_exchange_their_values() {
    let data = twins();
    let forest = grow(&data, &ForestConfig { n_trees: 4, ..ForestConfig::default() });
    let mut exchanged = document(&forest);
    for tree in exchanged["trees"].as_array_mut().expect("trees") {
        for feature in tree["feature"].as_array_mut().expect("a list") {
            *feature = match feature.as_i64() {
                Some(0) => json!(1),
                Some(1) => json!(0),
                _ => feature.take(),
            };
        }
    }
    let exchanged = read_json(&exchanged, Some(&data)).expect("a forest");
    let other = [1, 0, 2, 3];
    for id in ALL {
        let (before, after) = (values(&forest, &data, id), values(&exchanged, &data, id));
        let mut n_different = 0;
        for (before, after) in before.chunks_exact(4).zip(after.chunks_exact(4)) {
            // Rows of pairs are looked at below.
            if id != ExplanationId::TreeShapInteractions {
                (0..4).for_each(|at| assert_close(after[other[at]], before[at], "exchanged"));
                assert_eq!(before[3], 0.0, "no tree splits on it");
                n_different += usize::from((before[0] - before[1]).abs() > 1e-6);
            }
        }
        for (before, after) in before.chunks_exact(16).zip(after.chunks_exact(16)) {
            if id == ExplanationId::TreeShapInteractions {
                for (one, two) in (0..4).flat_map(|one| (0..4).map(move |two| (one, two))) {
                    let place = other[one] * 4 + other[two];
                    assert_close(after[place], before[one * 4 + two], "exchanged");
                    assert!((one < 3 && two < 3) || before[one * 4 + two] == 0.0);
                }
                n_different += usize::from((before[0] - before[5]).abs() > 1e-6);
            }
        }
        assert!(n_different > 0, "the test has something to see");
    }
}

/// One tree on two variables: the branch at or below 0 of the first has `weight` of 4 rows.
fn foreign(weight: Option<f64>) -> (Value, Dataset) {
    let names = ["x0", "x1"];
    let mut document = json!({
        "format": "wald-forest", "version": 1, "task": "regression", "features": names,
        "classes": null, "aggregation": "mean",
        "trees": [{
            "feature": [0, 1, -1, -1, -1], "threshold": [0.0, 0.0, null, null, null],
            "left": [1, 3, -1, -1, -1], "right": [2, 4, -1, -1, -1],
            "value": [1.0, 2.0, 3.0, 5.0, 11.0],
        }],
    });
    if let Some(weight) = weight {
        let half = weight / 2.0;
        document["trees"][0]["weight"] = json!([4.0, weight, 4.0 - weight, half, half]);
        document["trees"][0]["impurity"] = json!([0.0, 0.0, 0.0, 0.0, 0.0]);
    }
    let columns = names.map(|name| Column::numeric(name, vec![-1.0, 1.0]).expect("finite"));
    let target = Target::regression("y", vec![0.0, 1.0]).expect("finite");
    (document, Dataset::new(columns.to_vec(), target).expect("consistent"))
}

#[test]
fn nodes_that_no_row_reached_are_left_out_until_they_are_known_to_be_taken() {
    let (document, data) = foreign(Some(0.0));
    let forest = read_json(&document, Some(&data)).expect("a forest");
    let (found, base) =
        explain((&forest, &data), Rows::Training, ExplanationId::TreeShap, (false, 1));
    assert_eq!(base.expect("one"), [3.0]);
    // The first row goes left twice. Without the first variable it is at 3; with it and without the
    // second one, at the mean of 5 and 11, whose branches share alike.
    let first = 0.5 * ((8.0 - 3.0) + (5.0 - 3.0));
    let second = 0.5 * (5.0 - 8.0);
    for (found, expected) in found[0].iter().zip([first, second]) {
        assert_close(*found, expected, "value");
    }
    assert_eq!(found[1], [0.0, 0.0], "the second row goes where all rows went");
    let id = ExplanationId::TreeShapInteractions;
    let (pairs, _) = explain((&forest, &data), Rows::Training, id, (false, 1));
    // The game is 3, 3, 8 and 5 for nothing, the second, the first, and both.
    let half = 0.5 * (5.0 - 8.0 - 3.0 + 3.0);
    for (found, expected) in pairs[0].iter().zip([first - half, half, half, second - half]) {
        assert_close(*found, expected, "pair");
    }
    // Where rows are known, the definition does it.
    let (document, data) = foreign(Some(1.0));
    let forest = read_json(&document, Some(&data)).expect("a forest");
    let found = values(&forest, &data, ExplanationId::TreeShap);
    let expected = [0, 1].map(|row| brute_force(&data, &forest.trees()[0], row)).concat();
    for (found, expected) in found.iter().zip(expected) {
        assert_close(*found, expected, "value");
    }
}

#[test]
fn forests_without_such_values_are_refused() {
    let refusal = |forest: &Forest, data: &Dataset, id: ExplanationId| {
        let settings = ExplanationSettings::default();
        let explainer = forest.explainer(data, Rows::Training, id, &settings);
        explainer.err().map(|error| error.to_string())
    };
    let data = small(2);
    let grown = grow(&data, &ForestConfig { n_trees: 2, ..ForestConfig::default() });
    let mut document = document(&grown);
    document["aggregation"] = "leaf_weighted".into();
    let weighted = read_json(&document, Some(&data)).expect("a forest");
    for id in ALL {
        let why = refusal(&weighted, &data, id).expect("refused");
        assert!(why.contains("weighs leaves"), "{why}");
    }
    let (document, data) = foreign(None);
    let unknown = read_json(&document, Some(&data)).expect("a forest");
    for id in [ExplanationId::TreeShap, ExplanationId::TreeShapInteractions] {
        let why = refusal(&unknown, &data, id).expect("refused");
        assert!(why.contains("in-bag weight of every node"), "{why}");
    }
    // Saabas's values need no weights.
    let (found, base) =
        explain((&unknown, &data), Rows::Training, ExplanationId::Saabas, (false, 1));
    assert_eq!(base.expect("one"), [1.0]);
    assert_eq!(found, [[1.0, 3.0], [2.0, 0.0]]);
}
