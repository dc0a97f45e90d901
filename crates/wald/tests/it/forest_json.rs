//! `wald-forest` JSON: wald's own forests come back, foreign ones are understood.

use proptest::prelude::*;
use serde_json::{Value, json};
use wald::data::{Column, Target};
use wald::forest::{Aggregation, Impurity, LevelSet, Node, Rule, Sampling, Side, argmax};
use wald::{Dataset, Features, Forest, ForestConfig, Run};

use crate::golden_case::read_json;
use crate::stump::{read, six_rows, stump};
use crate::support::{Shape, dataset, grow, threads};

pub fn written(forest: &Forest) -> Vec<u8> {
    let mut json = Vec::new();
    forest.to_json(&mut json).expect("memory does not fail");
    json
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn own_forests_come_back_bit_by_bit(
        seed in any::<u64>(),
        n_rows in 5_usize..80,
        n_classes in prop::sample::select(vec![0_u32, 2, 3, 5]),
        (missing, weights, entropy) in any::<(bool, bool, bool)>(),
        sampling in prop::sample::select(vec![
            Sampling::Bootstrap, Sampling::Subsample, Sampling::All,
        ]),
    ) {
        let data = dataset(Shape { n_rows, n_classes, missing, weights, seed });
        let impurity = (entropy && n_classes > 0).then_some(Impurity::Entropy);
        let config = ForestConfig {
            n_trees: 3, seed, sampling, impurity, min_node_size: Some(1), ..ForestConfig::default()
        };
        let forest = grow(&data, &config);
        let json = written(&forest);
        let alone = Forest::from_json(&json, None, &Run::on(threads()));
        prop_assert_eq!(alone.as_ref(), Ok(&forest));
        let with_data = Forest::from_json(&json, Some(&data), &Run::on(threads()));
        prop_assert_eq!(with_data.as_ref(), Ok(&forest));
        // The impurity from the data is that of growing, to the last bits of a sum.
        let mut bare: Value = serde_json::from_slice(&json).expect("JSON");
        for tree in bare["trees"].as_array_mut().expect("trees") {
            let tree = tree.as_object_mut().expect("a tree");
            tree.retain(|key, _| !["value", "weight", "impurity"].contains(&key.as_str()));
        }
        let computed = read_json(&bare, Some(&data)).expect("from the data");
        for (tree, known) in computed.trees().iter().zip(forest.trees()) {
            prop_assert_eq!(tree.nodes(), known.nodes());
            for node in 0..tree.n_nodes() {
                let (one, other) = (tree.statistics(), known.statistics());
                let (one, other) = (one.expect("computed"), other.expect("grown"));
                let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * (1.0 + b.abs());
                prop_assert!(close(one.weight(node), other.weight(node)));
                prop_assert!(close(one.impurity(node), other.impurity(node)));
                if other.weight(node) > 0.0 {
                    let (one, other) = (tree.value(node), known.value(node));
                    let pairs = one.iter().zip(&*other);
                    for (one, other) in pairs {
                        prop_assert!(close(*one, *other));
                    }
                }
            }
        }
    }
}

pub fn predict(forest: &Forest, u: &[f64]) -> Vec<f64> {
    let n = u.len();
    let columns = vec![
        Column::numeric("u", u.to_vec()).expect("finite values"),
        Column::numeric("v", vec![0.0; n]).expect("finite values"),
        Column::categorical("w", vec!["a".to_owned()], vec![0; n]).expect("codes"),
    ];
    let features = Features::new(columns).expect("a table");
    forest.predict(&features, &Run::on(threads())).expect("fits")
}

pub fn rule(forest: &Forest) -> Rule {
    match forest.trees()[0].nodes()[0] {
        Node::Split(split) => split.rule,
        Node::Leaf => panic!("the root is a split"),
    }
}

#[test]
fn values_and_statistics_come_from_the_data() {
    let forest = read(&stump());
    let tree = &forest.trees()[0];
    assert_eq!(*tree.value(1), [1.5]);
    assert_eq!(*tree.value(2), [15.0]);
    let known = tree.statistics().expect("computed");
    assert_eq!((known.weight(0), known.weight(1), known.weight(2)), (6.0, 2.0, 4.0));
    assert_eq!(known.impurity(1), 0.25);
    assert_eq!(forest.target().name, "y");
    // Missing values follow the heavier child.
    assert!(matches!(rule(&forest), Rule::AtMost { missing: Side::Right, .. }));
    let bags = forest.bags().expect("given");
    assert_eq!(bags[0].counts(), [1; 6]);
}

#[test]
fn case_weights_multiply_the_bag() {
    let weights = vec![1.0, 3.0, 0.0, 1.0, 1.0, 1.0];
    let data = six_rows().with_weights(weights.clone()).expect("valid weights");
    let mut document = stump();
    document["row_weights"] = json!(weights);
    let forest = read_json(&document, Some(&data)).expect("a forest");
    let tree = &forest.trees()[0];
    assert_eq!(*tree.value(1), [1.75]);
    assert_eq!(tree.statistics().expect("computed").weight(2), 3.0);
    let error = read_json(&document, Some(&six_rows())).expect_err("other weights");
    assert!(error.to_string().contains("row_weights"), "{error}");
}

#[test]
fn less_than_is_the_next_smaller_threshold() {
    let mut document = stump();
    document["trees"][0]["split"] = json!(["lt", null, null]);
    document["trees"][0]["threshold"] = json!([2.0, null, null]);
    let forest = read(&document);
    assert!(
        matches!(rule(&forest), Rule::AtMost { threshold, .. } if threshold == 2.0_f64.next_down())
    );
    assert_eq!(predict(&forest, &[2.0_f64.next_down(), 2.0]), [1.0, 12.4]);
}

#[test]
fn inputs_are_rounded_to_single_precision_where_the_forest_did_so() {
    let mut document = stump();
    let threshold = f64::from(2.1_f32);
    document["trees"][0]["threshold"] = json!([threshold, null, null]);
    let above = threshold + 1e-12;
    assert_eq!(predict(&read(&document), &[above]), [15.0]);
    document["float32_inputs"] = json!(true);
    assert_eq!(predict(&read(&document), &[above]), [1.5]);
}

#[test]
fn levels_and_presence_split_too() {
    let mut document = stump();
    let tree = &mut document["trees"][0];
    tree["feature"] = json!([2, -1, -1]);
    tree["split"] = json!(["levels", null, null]);
    tree["levels"] = json!([[2, 0], null, null]);
    tree["missing"] = json!(["right", null, null]);
    let forest = read(&document);
    assert_eq!(*forest.trees()[0].value(1), [(1.0 + 4.0 + 8.0 + 32.0) / 4.0]);
    let set = &forest.trees()[0].level_sets()[0];
    assert!(set.contains(0) && !set.contains(1) && set.contains(2));

    document["trees"][0]["split"] = json!(["levels_right", null, null]);
    assert_eq!(*read(&document).trees()[0].value(1), [2.0]);

    document["trees"][0]["split"] = json!(["present", null, null]);
    assert_eq!(*read(&document).trees()[0].value(2), [16.0]);
}

#[test]
fn big_level_sets_come_back_in_the_same_form() {
    let n_levels = 128_u32;
    let names: Vec<String> = (0..n_levels).map(|level| format!("L{level}")).collect();
    let lists: [&[u32]; 4] = [&[5], &[5, 77, 99], &[1, 2, 3, 4, 5, 6, 7], &[]];
    for list in lists {
        for kind in ["levels", "levels_right"] {
            let mut document = stump();
            document["feature_levels"][2] = json!(names);
            let tree = &mut document["trees"][0];
            tree["feature"] = json!([2, -1, -1]);
            tree["split"] = json!([kind, null, null]);
            tree["levels"] = json!([list, null, null]);
            tree["value"] = json!([0, 1, 2]);
            let forest = read_json(&document, None).expect("a forest");
            let set: &LevelSet = &forest.trees()[0].level_sets()[0];
            let inside = kind == "levels";
            assert!((0..n_levels).all(|l| set.contains(l) == (list.contains(&l) == inside)));
            let again = Forest::from_json(&written(&forest), None, &Run::on(threads()));
            assert_eq!(again, Ok(forest));
        }
    }
}

#[test]
fn nodes_without_in_bag_rows_take_the_value_of_their_parent() {
    let mut document = stump();
    document["trees"][0]["in_bag"] = json!([0, 0, 1, 1, 0, 0]);
    let forest = read(&document);
    let tree = &forest.trees()[0];
    assert_eq!((&*tree.value(0), &*tree.value(1)), (&[6.0][..], &[6.0][..]));
    let known = tree.statistics().expect("computed");
    assert_eq!((known.weight(1), known.impurity(1)), (0.0, 0.0));
    // An empty bag: the mean of all rows.
    document["trees"][0]["in_bag"] = json!([0, 0, 0, 0, 0, 0]);
    assert_eq!(*read(&document).trees()[0].value(0), [10.5]);
}

#[test]
fn values_must_agree_with_the_data() {
    let mut document = stump();
    document["trees"][0]["value"] = json!([10.5, [1.5], null]);
    assert_eq!(*read(&document).trees()[0].value(2), [15.0]);
    document["trees"][0]["value"] = json!([10.500_000_1, [1.5], 15.0]);
    assert_eq!(*read(&document).trees()[0].value(0), [10.500_000_1]);
    document["trees"][0]["value"] = json!([10.5, [1.6], 15.0]);
    let error = read_json(&document, Some(&six_rows())).expect_err("another value");
    assert_eq!(
        error.to_string(),
        "tree 0, node 1 has the value [1.6], but its in-bag rows the mean [1.5]"
    );
    // The trees of a sum fit residuals.
    document["aggregation"] = json!("sum");
    assert_eq!(*read(&document).trees()[0].value(1), [1.6]);
    assert_eq!(read(&document).aggregation(), Aggregation::Sum);
}

#[test]
fn without_data_inner_values_follow_from_the_leaves() {
    let mut document = stump();
    document["trees"][0]["value"] = json!([null, 1.0, 4.0]);
    document["trees"][0]["weight"] = json!([3, 2, 1]);
    let forest = read_json(&document, None).expect("a forest");
    assert!((forest.trees()[0].value(0)[0] - 2.0).abs() < 1e-15);
    assert!(forest.trees()[0].statistics().is_none(), "no impurities are known");
    // Missing values follow the heavier child by weights alone, and the left one where none are given.
    let heavier = |weights: Value| {
        let mut document = document.clone();
        document["trees"][0]["value"] = json!([2.0, 1.0, 4.0]);
        document["trees"][0]["weight"] = weights;
        let forest = read_json(&document, None).expect("a forest");
        let Rule::AtMost { missing, .. } = rule(&forest) else { panic!("a threshold") };
        (missing, predict(&forest, &[f64::NAN]))
    };
    assert_eq!(heavier(json!([3, 2, 1])), (Side::Left, vec![1.0]));
    assert_eq!(heavier(json!([3, 1, 2])), (Side::Right, vec![4.0]));
    assert_eq!(heavier(json!(null)), (Side::Left, vec![1.0]));
    document["trees"][0]["impurity"] = json!([2.5, 1.0, 0.0]);
    let forest = read_json(&document, None).expect("a forest");
    assert_eq!(forest.trees()[0].statistics().expect("given").impurity(0), 2.5);
}

#[test]
fn votes_are_kept_and_proportions_computed() {
    let mut document = stump();
    document["task"] = json!("classification");
    document["classes"] = json!(["n", "p"]);
    document["aggregation"] = json!("vote");
    document["trees"][0]["value"] = json!([null, [1, 0], [0, 1]]);
    let features = six_rows().features().columns().to_vec();
    let classes = vec!["n".to_owned(), "p".to_owned()];
    let target = Target::classification("y", classes, vec![0, 1, 1, 1, 0, 1]);
    let data = Dataset::new(features, target.expect("codes")).expect("consistent");
    let forest = read_json(&document, Some(&data)).expect("a forest");
    let tree = &forest.trees()[0];
    assert_eq!(*tree.value(2), [0.25, 0.75]);
    // A tie, which the file decides.
    assert_eq!(*tree.value(1), [0.5, 0.5]);
    document["trees"][0]["value"] = json!([null, [0, 1], [0, 1]]);
    let forest = read_json(&document, Some(&data)).expect("a forest");
    let proportions = forest.trees()[0].value(1);
    assert_eq!(argmax(&proportions), 1);
    proportions.iter().for_each(|share| assert!((share - 0.5).abs() < 1e-11, "{share}"));
    // No node votes for a class that none of its in-bag rows has.
    document["trees"][0]["in_bag"] = json!([1, 0, 1, 1, 1, 1]);
    let error = read_json(&document, Some(&data)).expect_err("an absent class");
    assert!(error.to_string().starts_with("tree 0, node 1 has the value [0.0, 1.0]"), "{error}");
}

#[test]
fn a_chain_of_a_million_nodes_is_read() {
    let n = 1_000_001_i64;
    let inner = |node: i64| node % 2 == 0 && node + 2 < n;
    let pick = |if_inner: &dyn Fn(i64) -> i64| -> Vec<i64> {
        (0..n).map(|node| if inner(node) { if_inner(node) } else { -1 }).collect()
    };
    let mut document = stump();
    document["trees"][0] = json!({
        "feature": pick(&|_| 0),
        "threshold": pick(&|node| node),
        "left": pick(&|node| node + 1),
        "right": pick(&|node| node + 2),
        "value": (0..n).collect::<Vec<_>>(),
    });
    let forest = read_json(&document, None).expect("a deep tree");
    assert_eq!(predict(&forest, &[-1.0, 2e6]), [1.0, 1e6]);
    let bytes = forest.to_bytes().expect("a deep tree");
    assert_eq!(Forest::from_bytes(&bytes), Ok(forest));
}

fn out_of_bag_predictions(forest: &Forest) -> (Vec<Option<f64>>, bool) {
    let measured = forest.measure(&six_rows(), &[], &Run::on(threads())).expect("applies");
    let predictions = (0..6).map(|row| measured.out_of_bag.prediction(row).map(|value| value[0]));
    (predictions.collect(), measured.errors.is_some())
}

#[test]
fn a_sum_of_some_trees_is_no_out_of_bag_prediction() {
    let mut document = stump();
    document["aggregation"] = json!("sum");
    document["trees"][0]["value"] = json!([[0.0], [1.0], [2.0]]);
    document["trees"][0]["in_bag"] = json!([1, 0, 1, 0, 1, 1]);
    assert_eq!(out_of_bag_predictions(&read(&document)), (vec![None; 6], false));
}

#[test]
fn leaves_without_weight_have_no_say_where_leaves_are_weighted() {
    let mut document = stump();
    document["aggregation"] = json!("leaf_weighted");
    document["trees"][0]["in_bag"] = json!([1, 0, 0, 0, 0, 0]);
    let found = out_of_bag_predictions(&read(&document));
    assert_eq!(found, (vec![None, Some(1.0), None, None, None, None], true));
}

#[test]
fn where_all_leaves_of_a_row_weigh_nothing_they_count_alike() {
    let mut document = stump();
    document["aggregation"] = json!("leaf_weighted");
    document["trees"][0]["in_bag"] = json!([1, 0, 0, 0, 0, 0]);
    // The right leaf has no in-bag row and takes its parent's value.
    let forest = read(&document);
    assert_eq!(predict(&forest, &[1.0, 9.0]), [1.0, 1.0]);
}
