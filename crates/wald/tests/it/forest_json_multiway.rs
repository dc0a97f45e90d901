//! `wald-forest` JSON: splits with a child per level.

use serde_json::{Value, json};
use wald::{Forest, Run};

use crate::forest_json::{predict, written};
use crate::golden_case::read_json;
use crate::stump::{read, stump};
use crate::support::threads;

#[test]
fn multiway_splits_have_a_child_per_level() {
    let mut document = stump();
    document["trees"][0] = json!({
        "feature": [2, -1, -1, -1],
        "threshold": [null, null, null, null],
        "left": [-1, -1, -1, -1],
        "right": [-1, -1, -1, -1],
        "split": ["multiway", null, null, null],
        "children": [[3, 1, 2], null, null, null],
        "missing": [1, null, null, null],
        "in_bag": [1, 1, 1, 1, 1, 1],
    });
    let forest = read(&document);
    let tree = &forest.trees()[0];
    assert_eq!(
        (&*tree.value(1), &*tree.value(2), &*tree.value(3)),
        (&[4.5][..], &[9.0][..], &[18.0][..])
    );
    let again = Forest::from_json(&written(&forest), None, &Run::on(threads()));
    assert_eq!(again, Ok(forest));
    // Two levels share a child.
    document["trees"][0]["children"] = json!([[3, 1], null, null, null]);
    document["trees"][0]["feature"] = json!([2, 0, -1, -1]);
    document["trees"][0]["split"] = json!(["multiway", "le", null, null]);
    document["trees"][0]["branches"] = json!([[0, 1, 0], null, null, null]);
    document["trees"][0]["left"] = json!([-1, 2, -1, -1]);
    document["trees"][0]["right"] = json!([-1, 4, -1, -1, -1]);
    let message = read_json(&document, None).expect_err("five entries").to_string();
    assert!(message.starts_with("tree 0 has 5 entries in `right`"), "{message}");
}

/// A tree that splits on w: levels a and c are listed, `others` is where b goes.
fn listed_branches(others: &Value) -> Value {
    let mut document = stump();
    document["trees"][0] = json!({
        "feature": [2, -1, -1],
        "threshold": [null, null, null],
        "left": [-1, -1, -1],
        "right": [-1, -1, -1],
        "split": ["multiway", null, null],
        "levels": [[2, 0], null, null],
        "branches": [[0, 1], null, null],
        "others": others,
        "children": [[2, 1], null, null],
        "missing": [1, null, null],
        "in_bag": [1, 1, 1, 1, 1, 1],
    });
    document
}

#[test]
fn multiway_splits_may_list_some_levels() {
    let document = listed_branches(&json!([1, null, null]));
    let forest = read(&document);
    let tree = &forest.trees()[0];
    let branches = &tree.branches()[0];
    assert_eq!((&*branches.levels, &*branches.children), (&[0, 2][..], &[1, 0][..]));
    assert_eq!([0, 1, 2, 3].map(|level| branches.child_of_level(level)), [1, 1, 0, 1]);
    // Child 0 is node 2 of the file, stored first; it gets the rows of level c.
    assert_eq!((&*tree.value(1), &*tree.value(2)), (&[18.0][..], &[6.75][..]));
    let again = Forest::from_json(&written(&forest), None, &Run::on(threads()));
    assert_eq!(again, Ok(forest));
    let unsaid = read_json(&listed_branches(&Value::Null), None).expect_err("b has no child");
    let words = "tree 0, node 0 does not define in `others` where levels that are not listed go";
    assert_eq!(unsaid.to_string(), words);
    // Where all levels are listed, new ones follow the heaviest child.
    let mut all = listed_branches(&Value::Null);
    all["trees"][0]["levels"] = json!([[2, 0, 1], null, null]);
    all["trees"][0]["branches"] = json!([[0, 1, 1], null, null]);
    assert_eq!(read(&all).trees()[0].branches()[0].others, 1);
}

#[test]
fn multiway_splits_may_have_one_child() {
    let mut document = listed_branches(&json!([0, null]));
    let tree = &mut document["trees"][0];
    for key in ["feature", "threshold", "left", "right", "split"] {
        tree[key].as_array_mut().expect("entries").pop();
    }
    tree["levels"] = json!([[], null]);
    tree["branches"] = json!([[], null]);
    tree["children"] = json!([[1], null]);
    tree["missing"] = json!([0, null]);
    let forest = read(&document);
    assert_eq!(*forest.trees()[0].value(1), [10.5]);
    assert_eq!(predict(&forest, &[0.0, 1.0]), [10.5, 10.5]);
    let again = Forest::from_json(&written(&forest), None, &Run::on(threads()));
    assert_eq!(again, Ok(forest));
}
