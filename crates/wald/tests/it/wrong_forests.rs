//! Wrong `wald-forest` JSON is refused with the place of the fault.

use serde_json::{Value, json};
use wald::{Error, Forest, Run};

use crate::forest_json::written;
use crate::stump::{six_rows, stump};
use crate::support::{Numbers, threads};

/// The error for a stump after one change.
fn complaint(change: impl FnOnce(&mut Value)) -> String {
    let mut document = stump();
    change(&mut document);
    complaint_about(document.to_string().as_bytes())
}

fn complaint_about(bytes: &[u8]) -> String {
    match Forest::from_json(bytes, Some(&six_rows()), &Run::on(threads())) {
        Err(error @ Error::ForestFile { .. }) => {
            assert!(!error.help().is_empty(), "{error}");
            error.to_string()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn wrong_trees_are_refused_by_tree_and_node() {
    let tree = |key: &'static str, value: Value| {
        complaint(move |document| document["trees"][0][key] = value)
    };
    let begins = |found: String, expected: &str| {
        assert!(found.starts_with(expected), "{found}");
    };
    begins(tree("left", json!([1, -1])), "tree 0 has 2 entries in `left`, but 3 in `feature`");
    begins(tree("threshold", Value::Null), "tree 0 has no `threshold`");
    begins(tree("feature", json!([])), "tree 0 has no nodes");
    begins(
        tree("left", json!([7, -1, -1])),
        "tree 0, node 0 has the child 7, which does not exist",
    );
    begins(tree("left", json!([2, -1, -1])), "tree 0, node 2 is the child of two nodes");
    begins(tree("left", json!([0, -1, -1])), "tree 0, node 0 has node 0, the root, as its child");
    begins(tree("right", json!([-1, -1, -1])), "tree 0, node 0 is a split but lacks");
    begins(
        tree("left", json!([1, 2, -1])),
        "tree 0, node 1 is a leaf (feature -1) but has children",
    );
    begins(tree("feature", json!([3, -1, -1])), "tree 0, node 0 splits on feature 3");
    begins(tree("threshold", json!([null, 0, 0])), "tree 0, node 0 has no finite threshold");
    begins(tree("threshold", json!(["NA", 0, 0])), "tree 0, node 0 has no finite threshold");
    begins(tree("value", json!([1, 2])), "tree 0 has 2 entries in `value`");
    begins(tree("value", json!([1, [1, 2], 3])), "tree 0, node 1 has a value of length 2, not 1");
    begins(tree("value", json!([1, 2, 3])), "tree 0, node 0 has the value [1.0]");
    begins(tree("weight", json!([6, -2, 4])), "tree 0, node 1 has no weight of 0 or more");
    begins(tree("weight", json!([6, 3, 3])), "tree 0, node 1 has the weight 3");
    begins(tree("impurity", json!([null, 0, 0])), "tree 0, node 0 has no finite impurity");
    begins(tree("in_bag", json!([1, 1, 1])), "the forest was grown on 3 rows, but the table has 6");
    begins(tree("in_bag", json!([])), "the forest was grown on 0 rows");
    begins(tree("feature", json!([2, -1, -1])), "tree 0, node 0 compares the levels of \"w\"");
    begins(
        tree("missing", json!([2, null, null])),
        "tree 0, node 0 sends missing values to child 2",
    );
    let orphan = complaint(|document| {
        document["trees"][0] = json!({
            "feature": [-1, 0, -1, -1], "threshold": [0, 0, 0, 0],
            "left": [-1, 2, -1, -1], "right": [-1, 3, -1, -1],
        });
    });
    begins(orphan, "tree 0, node 1 is the child of no node");
    let cycle = complaint(|document| {
        document["trees"][0] = json!({
            "feature": [0, -1, -1, 0, 0, -1, -1], "threshold": [0, 0, 0, 0, 0, 0, 0],
            "left": [1, -1, -1, 4, 3, -1, -1], "right": [2, -1, -1, 5, 6, -1, -1],
        });
    });
    begins(cycle, "tree 0, node 3 is not reached from the root");
    let sideless = complaint(|document| document["trees"][0]["feature"] = json!([1, -1, -1]));
    begins(sideless, "tree 0, node 0 does not define in `missing` where missing \"v\" go");
}

#[test]
fn wrong_entries_are_refused_by_tree_and_node_or_row() {
    let contains = |found: &str, parts: &[&str]| {
        assert!(parts.iter().all(|part| found.contains(part)), "{found}");
    };
    let tree = |key: &'static str, value: Value| {
        complaint(move |document| document["trees"][0][key] = value)
    };
    contains(&tree("split", json!(["leq", null, null])), &["tree 0", "node 0", "`leq`", "`le`"]);
    contains(&tree("threshold", json!([0, "x", 0])), &["tree 0", "node 1", "\"x\"", "a number"]);
    contains(&tree("left", json!([1.5, -1, -1])), &["tree 0", "node 0", "1.5", "position"]);
    contains(&tree("left", json!([4_294_967_295_u64, -1, -1])), &["tree 0", "node 0"]);
    contains(&tree("in_bag", json!([1, 1, -1])), &["tree 0", "row 2", "-1", "65535"]);
    contains(&tree("in_bag", json!([1, 65536, 1])), &["tree 0", "row 1", "65536", "65535"]);
    contains(&tree("missing", json!(["lft", 1, 1])), &["tree 0", "node 0", "lft", "`left`"]);
    contains(&tree("value", json!([1, [1, "a"], 1])), &["tree 0", "node 1", "a number"]);
    contains(&tree("bag", json!([1])), &["tree 0", "unknown field `bag`", "`in_bag`"]);
    contains(&tree("inbag", json!([1])), &["tree 0", "duplicate field"]);
    let levels = |split: Value, levels: Value| {
        complaint(|document| {
            document["trees"][0]["feature"] = json!([2, -1, -1]);
            document["trees"][0]["split"] = json!([split, null, null]);
            document["trees"][0]["levels"] = json!([levels, null, null]);
        })
    };
    contains(&levels(json!("levels"), json!([3])), &["tree 0, node 0 names level 3", "0 to 2"]);
    contains(&levels(json!("levels"), json!([1, 1])), &["tree 0, node 0 names level 1 twice"]);
    contains(&levels(json!("levels"), Value::Null), &["tree 0, node 0 splits levels but has no"]);
    contains(&levels(json!("multiway"), Value::Null), &["is a multiway split but has a left"]);
    contains(&levels(json!("lt"), Value::Null), &["compares the levels of \"w\""]);
    let multiway = |key: &str, value: Value| {
        complaint(|document| {
            let tree = &mut document["trees"][0];
            tree["feature"] = json!([2, -1, -1]);
            tree["split"] = json!(["multiway", null, null]);
            (tree["left"], tree["right"]) = (json!([-1, -1, -1]), json!([-1, -1, -1]));
            tree["children"] = json!([[1, 2], null, null]);
            tree["levels"] = json!([[0, 2], null, null]);
            tree["branches"] = json!([[0, 1], null, null]);
            tree["others"] = json!([0, null, null]);
            tree[key] = json!([value, null, null]);
        })
    };
    contains(&multiway("others", json!(2)), &["tree 0, node 0 sends a level to child 2"]);
    contains(&multiway("branches", json!([0, 2])), &["sends a level to child 2", "0 to 1"]);
    contains(&multiway("branches", json!([0])), &["1 entries in `branches` for the 2 levels"]);
    contains(&multiway("levels", json!([0, 3])), &["names level 3"]);
    contains(&multiway("levels", json!([0, 0])), &["names level 0 twice"]);
    contains(&multiway("children", json!([])), &["has no `children`"]);
}

#[test]
fn wrong_files_are_refused() {
    let field = |key: &'static str, value: Value| complaint(move |document| document[key] = value);
    let contains = |found: &str, part: &str| assert!(found.contains(part), "{found}");
    contains(&field("trees", json!([])), "the forest has no trees");
    contains(&field("format", json!("forest")), "the format of the file is \"forest\"");
    contains(&field("version", json!(2)), "version 2; version 1 is read");
    contains(&field("version", json!(1.5)), "version 1.5; version 1 is read");
    contains(&field("task", json!("regresion")), "`regression` or `classification`");
    contains(&field("task", json!("classification")), "does not list the classes");
    contains(&field("classes", json!(["a"])), "the task is regression, but the file lists classes");
    contains(&field("features", json!([])), "features");
    contains(&field("features", json!(["u", "v", "u"])), "two features are called \"u\"");
    contains(&field("feature_levels", json!([null])), "`feature_levels` has 1 entries for 3");
    contains(
        &field("feature_levels", json!([null, null, ["a", "a"]])),
        "names the level \"a\" twice",
    );
    contains(&field("aggregation", json!("median")), "`leaf_weighted`");
    contains(&field("impurity", json!("gini")), "does not fit the target");
    for mtry in [0, 4] {
        let what = format!("`mtry` is {mtry}, but there are 3 features");
        contains(&field("mtry", json!(mtry)), &what);
    }
    contains(&field("float32_input", json!(true)), "unknown field `float32_input`");
    contains(&field("row_weights", json!([1, 1])), "`row_weights` has 2 entries, but `in_bag` 6");
    contains(&field("row_weights", json!([1, 1, 1, 1, 1, -1])), "entry 5 of `row_weights` is -1");
    let twice = json!([stump()["trees"][0], {
        "feature": [-1], "threshold": [0], "left": [-1], "right": [-1],
    }]);
    contains(&field("trees", twice), "tree 1 has no `in_bag`, but other trees have");
    contains(&complaint(|document| *document = json!({"a": 1})), "is not marked as a forest");
    contains(&complaint(|document| *document = json!({"format": "x", "version": 9})), "\"x\"");

    let text = stump().to_string();
    contains(&complaint_about(b""), "not valid JSON");
    contains(&complaint_about(&text.as_bytes()[..text.len() - 9]), "not valid JSON");
    contains(&complaint_about(format!("{text} x").as_bytes()), "trailing characters");
    contains(&complaint_about(text.replace("2.5", "NaN").as_bytes()), "not valid JSON");
    contains(
        &complaint_about(text.replace("2.5", "1e999").as_bytes()),
        "tree 0: node 0: number out of",
    );
    contains(&complaint_about(text.replace("2.5", &"[".repeat(100_000)).as_bytes()), "tree 0");
    contains(&complaint_about("[".repeat(100_000).as_bytes()), "JSON");
    let bomb = format!("{{\"comment\": {}", "[".repeat(1_000_000));
    contains(&complaint_about(bomb.as_bytes()), "not valid JSON");
    contains(&complaint_about(b"{\"format\": \"wald-\xff\"}"), "not valid JSON");
}

#[test]
fn every_truncation_of_json_is_refused() {
    let text = stump().to_string();
    for length in 0..text.len() {
        complaint_about(&text.as_bytes()[..length]);
    }
}

#[test]
fn changed_bytes_give_errors_or_forests() {
    let text = stump().to_string();
    let mut numbers = Numbers(9);
    for _ in 0..20_000 {
        let mut mutant = text.clone().into_bytes();
        for _ in 0..=numbers.below(2) {
            let place = numbers.below(mutant.len() as u32) as usize;
            mutant[place] = b"0123456789-[]{},:\"eaN. "[numbers.below(23) as usize];
        }
        let read = Forest::from_json(&mutant, Some(&six_rows()), &Run::on(threads()));
        if let Ok(forest) = read {
            let again = Forest::from_json(&written(&forest), None, &Run::on(threads()));
            assert_eq!(again, Ok(forest));
        }
    }
}
