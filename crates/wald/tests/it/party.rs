//! Conditional inference trees against partykit: the same variable and the same division at every
//! node. Forests of party: the same predictions and importances (`fixtures/make_party.R`).

use std::collections::HashMap;

use serde_json::Value;
use wald::forest::{Aggregation, Node, PValues, Rule, Sampling, Side, Splitting};
use wald::measure::{Loss, MeasureSettings};
use wald::{Dataset, Forest, ForestConfig, MeasureId, Run, Threads};

use crate::golden_case::{floats, read_json};
use crate::r::{dataset, rows};
use crate::support::{self, assert_close, child, grow};

const TREES: [&str; 7] = [
    "iris_bonferroni",
    "iris_univariate",
    "air_bonferroni",
    "air_univariate",
    "uptake",
    "eyes",
    "births",
];

fn read(name: &str) -> Value {
    let path = format!("{}/tests/fixtures/party/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_slice(&std::fs::read(path).expect("the fixture is there")).expect("JSON")
}

fn number(value: &Value) -> usize {
    value.as_u64().expect("a whole number") as usize
}

/// The settings of partykit's `ctree`, which tries all variables on all rows.
fn config(file: &Value, data: &Dataset) -> ForestConfig {
    let p_values = match file["p_values"].as_str() {
        Some("bonferroni") => PValues::Bonferroni,
        _ => PValues::Univariate,
    };
    ForestConfig {
        n_trees: 1,
        mtry: Some(data.n_features()),
        min_node_size: Some(number(&file["min_split"]) - 1),
        min_leaf_size: number(&file["min_bucket"]),
        sampling: Sampling::All,
        min_criterion: file["min_criterion"].as_f64(),
        p_values: Some(p_values),
        ..ForestConfig::for_splitting(Splitting::Conditional)
    }
}

fn whole(value: &Value) -> Vec<u32> {
    serde_json::from_value(value.clone()).expect("whole numbers")
}

/// Every node with its rows.
fn rows_of_nodes(data: &Dataset, forest: &Forest) -> Vec<(usize, Vec<u32>)> {
    let tree = &forest.trees()[0];
    let mut found = Vec::new();
    let mut pending = vec![(0, (0..data.n_rows() as u32).collect::<Vec<u32>>())];
    while let Some((node, rows)) = pending.pop() {
        found.push((node, rows.clone()));
        if let Node::Split(split) = &tree.nodes()[node] {
            let goes_left = |row: &u32| child(data, tree, split, *row as usize, None) == 0;
            let (left, right) = rows.into_iter().partition(goes_left);
            pending.push((split.first_child as usize + 1, right));
            pending.push((split.first_child as usize, left));
        }
    }
    found
}

#[test]
fn trees_are_those_of_partykit() {
    let mut n_splits = 0;
    for name in TREES {
        let file = read(name);
        let data = dataset(&file);
        let forest = grow(&data, &config(&file, &data));
        let tree = &forest.trees()[0];
        let nodes = file["nodes"].as_array().expect("nodes");
        // The sides of levels may have changed places.
        let expected: HashMap<Vec<u32>, &Value> =
            nodes.iter().map(|node| (whole(&node["rows"]), node)).collect();
        let found = rows_of_nodes(&data, &forest);
        assert_eq!(found.len(), nodes.len(), "{name}");
        for (node, rows) in found {
            let what = format!("{name}, node {node} of {} rows", rows.len());
            let expected = expected.get(&rows).unwrap_or_else(|| panic!("{what} is not expected"));
            let Node::Split(split) = &tree.nodes()[node] else {
                assert!(expected["feature"].is_null(), "{what} is no leaf");
                continue;
            };
            assert_eq!(Some(u64::from(split.feature)), expected["feature"].as_u64(), "{what}");
            if let Rule::AtMost { threshold, .. } = split.rule {
                assert_eq!(Some(threshold), expected["threshold"].as_f64(), "{what}");
            }
            n_splits += 1;
        }
    }
    assert!(n_splits > 50, "{n_splits}");
}

/// Rows without a value take part neither in the test nor in the choice of the threshold.
#[test]
fn missing_values_change_no_threshold() {
    let file = read("air_missing");
    let data = dataset(&file);
    let config = ForestConfig { max_depth: Some(1), ..config(&file, &data) };
    let forest = grow(&data, &config);
    let Node::Split(split) = &forest.trees()[0].nodes()[0] else { panic!("no split") };
    let Rule::AtMost { threshold, missing } = split.rule else { panic!("{split:?}") };
    assert_eq!(Some(threshold), file["nodes"][0]["threshold"].as_f64());
    // They go to the side where the sum of squares between the children is larger.
    let wald::data::Response::Regression(y) = data.target().response() else { panic!("numbers") };
    let values = floats(&file["columns"][0]);
    let between = |missing_left: bool| {
        let sums = values.iter().zip(y).fold([(0.0, 0.0); 2], |mut sums, (value, y)| {
            let is_left = if value.is_nan() { missing_left } else { *value <= threshold };
            let side = &mut sums[usize::from(!is_left)];
            *side = (side.0 + 1.0, side.1 + y);
            sums
        });
        sums.iter().map(|(n, sum)| sum * sum / n).sum::<f64>()
    };
    assert_eq!(missing == Side::Left, between(true) > between(false));
}

const FORESTS: [&str; 3] = ["forest_air", "forest_iris", "forest_births"];

fn measure(data: &Dataset, forest: &Forest, id: MeasureId) -> Vec<f64> {
    // party counts misclassified rows.
    let loss = data.target().classes().and_then(|_| Loss::parse("zero_one"));
    let found = support::measure(data, forest, id, MeasureSettings { loss, ..Default::default() });
    found.values.iter().map(|value| value.expect("defined")).collect()
}

/// party's forests with party's numbers.
#[test]
fn forests_of_party_predict_as_party_says() {
    for name in FORESTS {
        let file = read(name);
        let data = dataset(&file);
        let forest = read_json(&file["forest"], Some(&data)).expect("a forest");
        assert_eq!(forest.aggregation(), Aggregation::Mean);
        let run = &Run::on(Threads::new(2).expect("two threads"));
        let all = forest.predict(data.features(), run).expect("fits");
        let expected = rows(&file["all"]).concat();
        assert_eq!(all.len(), expected.len());
        for (found, expected) in all.iter().zip(expected) {
            assert_close(*found, expected, name);
        }
        let out_of_bag = forest.measure(&data, &[], run).expect("fits").out_of_bag;
        for (row, expected) in rows(&file["oob"]).iter().enumerate() {
            let found = out_of_bag.prediction(row).expect("once out of bag");
            for (found, expected) in found.iter().zip(expected) {
                assert_close(*found, *expected, name);
            }
        }
    }
}

/// wald gives the expectations, party means of 60 random runs.
#[test]
fn forests_of_party_have_the_importances_of_party() {
    for name in FORESTS {
        let file = read(name);
        let data = dataset(&file);
        let forest = read_json(&file["forest"], Some(&data)).expect("a forest");
        for (key, id) in [
            ("random_split", MeasureId::MdaRandomSplit),
            ("permutation", MeasureId::MdaBreimanCutler),
            ("conditional", MeasureId::ConditionalPermutation),
        ] {
            let (mean, error) = (floats(&file[key]["mean"]), floats(&file[key]["error"]));
            for (j, found) in measure(&data, &forest, id).into_iter().enumerate() {
                let difference = (found - mean[j]).abs();
                let what = format!("{name} {key} {j}: {found} is not {} +- {}", mean[j], error[j]);
                assert!(difference <= 4.0 * error[j] + 1e-12, "{what}");
            }
        }
    }
}
