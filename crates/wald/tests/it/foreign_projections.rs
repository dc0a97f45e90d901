//! Projections of trees that wald would not grow: splits that divide no rows, nodes and bags without
//! rows.

use serde_json::{Value, json};
use wald::data::{Column, Target};
use wald::measure::MeasureSettings;
use wald::{Dataset, Forest, ForestConfig, Importance, MeasureId};

use crate::forest_json::written;
use crate::golden_case::read_json;
use crate::sobol_first;
use crate::sobol_mda;
use crate::stump::{read, six_rows, stump};
use crate::support::{Shape, assert_close, dataset, grow, try_measure};

fn measure(data: &Dataset, forest: &Forest, id: MeasureId) -> Importance {
    try_measure((data, forest), id, MeasureSettings::default(), 1).expect("applies")
}

/// The forest with every third split moved to the column and the threshold of another split of the same tree:
/// where that is above it, the split divides no rows and has children without in-bag rows.
fn with_moved_splits(data: &Dataset, forest: &Forest) -> Forest {
    let mut document: Value = serde_json::from_slice(&written(forest)).expect("JSON");
    for tree in document["trees"].as_array_mut().expect("trees") {
        let tree = tree.as_object_mut().expect("a tree");
        tree.retain(|key, _| !["value", "weight", "impurity"].contains(&key.as_str()));
        let feature = tree["feature"].as_array().expect("features").clone();
        let splits: Vec<usize> = (0..feature.len())
            .filter(|&node| feature[node] != json!(-1) && tree["threshold"][node].is_number())
            .collect();
        for (place, &node) in splits.iter().enumerate().skip(1).step_by(3) {
            let from = splits[place / 2];
            for key in ["feature", "threshold"] {
                tree[key][node] = tree[key][from].clone();
            }
        }
    }
    read_json(&document, Some(data)).expect("a forest")
}

#[test]
fn splits_that_divide_no_rows_change_nothing() {
    let mut n_empty = 0;
    for (n_classes, n_rows) in [(0, 60), (0, 150), (3, 90)] {
        let shape = Shape { n_rows, n_classes, missing: false, weights: true, seed: 3 };
        let data = dataset(shape);
        let config = ForestConfig { n_trees: 4, min_node_size: Some(1), ..ForestConfig::default() };
        let forest = with_moved_splits(&data, &grow(&data, &config));
        let first = measure(&data, &forest, MeasureId::SobolFirst);
        let total = measure(&data, &forest, MeasureId::SobolMda);
        for column in 0..data.n_features() {
            let columns = [column as u32];
            for (found, (expected, empty)) in [
                (&first, sobol_first::literal(&data, &forest, &columns)),
                (&total, sobol_mda::literal(&data, &forest, &columns)),
            ] {
                n_empty += empty;
                assert_close(found.values[column].expect("defined"), expected, found.id);
            }
        }
    }
    assert!(n_empty > 100, "{n_empty}");
}

/// `sobol_first` leaves it out, and the others leave its predictions as they are.
#[test]
fn a_tree_without_in_bag_rows_spoils_no_other() {
    let mut document = stump();
    document["trees"][0]["in_bag"] = json!([1, 0, 1, 1, 1, 0]);
    let alone = measure(&six_rows(), &read(&document), MeasureId::SobolFirst);
    let mut empty = document["trees"][0].clone();
    empty["in_bag"] = json!([0, 0, 0, 0, 0, 0]);
    document["trees"].as_array_mut().expect("trees").push(empty);
    let forest = read(&document);
    let found = measure(&six_rows(), &forest, MeasureId::SobolFirst);
    assert_eq!(found.values, alone.values);
    let note =
        "trees without out-of-bag rows or in-bag rows of positive weight, which do not count: 1";
    assert!(found.notes.iter().any(|other| other == note), "{:?}", found.notes);
    for id in [MeasureId::SobolMda, MeasureId::ShapleyEffects] {
        let values = measure(&six_rows(), &forest, id).values;
        assert!(values[0].is_some_and(|value| value.is_finite() && value != 0.0), "{values:?}");
        assert_eq!(values[1..], [Some(0.0); 2]);
    }
}

/// The right child has no in-bag row; as a leaf it predicts what its two leaves do.
#[test]
fn a_variable_that_no_split_uses_has_none() {
    let mut document = stump();
    document["trees"][0]["in_bag"] = json!([1, 1, 0, 0, 0, 0]);
    document["trees"][0]["value"] = json!([1.5, 1.5, 20.0]);
    let of_leaf = measure(&six_rows(), &read(&document), MeasureId::SobolMda).values;
    document["trees"][0] = json!({
        "feature": [0, -1, 0, -1, -1],
        "threshold": [2.5, 0.0, 4.5, 0.0, 0.0],
        "left": [1, -1, 3, -1, -1],
        "right": [2, -1, 4, -1, -1],
        "value": [1.5, 1.5, 20.0, 20.0, 20.0],
        "in_bag": [1, 1, 0, 0, 0, 0],
    });
    let of_node = measure(&six_rows(), &read(&document), MeasureId::SobolMda).values;
    assert_eq!(of_node, of_leaf);
    assert!(of_leaf[0].is_some_and(|value| value != 0.0), "{of_leaf:?}");
    assert_eq!(of_leaf[1..], [Some(0.0); 2]);
}

/// Weighted sums of equal numbers differ from their product by rounding, which is no variance.
#[test]
fn rows_with_one_value_of_the_target_explain_nothing() {
    let data = |weights: Vec<f64>| {
        let u = Column::numeric("u", (0..6).map(f64::from).collect()).expect("finite values");
        let target = Target::regression("y", vec![0.1, 5.3, 0.1, 0.1, 0.1, 0.1]);
        let data = Dataset::new(vec![u], target.expect("finite values")).expect("consistent");
        data.with_weights(weights).expect("positive")
    };
    let mut document = stump();
    document["features"] = json!(["u"]);
    document["feature_levels"] = json!([null]);
    document["trees"][0]["in_bag"] = json!([1, 1, 0, 0, 0, 0]);
    for seed in 1..40 {
        let weights = (0..6).map(|row| 0.1 + f64::from(row * seed % 7) / 3.0).collect();
        let data = data(weights);
        let forest = read_json(&document, Some(&data)).expect("a forest");
        let found = measure(&data, &forest, MeasureId::ShapleyEffects);
        assert_eq!(found.values, [None]);
        let note = "undefined, because the rows that are out of bag have one value of the target";
        assert!(found.notes.iter().any(|other| other == note), "{:?}", found.notes);
    }
}
