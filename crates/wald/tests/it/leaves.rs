//! The leaves that rows reach, against following the splits row by row.

use serde_json::json;
use wald::data::{Column, ColumnData, MISSING_LEVEL, Target};
use wald::forest::{Node, Rule, Side, Tree};
use wald::{Dataset, Forest, ForestConfig, Run, Threads};

use crate::golden_case::{read_json, with_thresholds};
use crate::support::{self, Numbers, Shape, dataset, grow};

const SHAPE: Shape = Shape { n_rows: 80, n_classes: 3, missing: true, weights: true, seed: 5 };

/// The leaves by following the splits of every tree with the values of each row.
fn assert_leaves(forest: &Forest, data: &Dataset, n_threads: usize) {
    let threads = Threads::new(n_threads).expect("a few");
    let leaves = forest.leaves(data.features(), &Run::on(threads)).expect("its own rows");
    let n_trees = forest.trees().len();
    assert_eq!(leaves.len(), data.n_rows() * n_trees);
    for (row, leaves) in leaves.chunks_exact(n_trees).enumerate() {
        for (tree, &leaf) in forest.trees().iter().zip(leaves) {
            assert_eq!(leaf as usize, support::leaf(data, tree, row, None));
        }
    }
}

#[test]
fn rows_reach_the_leaves_that_following_the_splits_finds() {
    let data = dataset(SHAPE);
    let forest = grow(&data, &ForestConfig { n_trees: 6, ..Default::default() });
    assert_leaves(&forest, &data, 3);
}

/// Many rows go down together by the ranks of their values: one block on one thread, small trees.
#[test]
fn many_rows_reach_the_leaves_that_following_the_splits_finds() {
    let mut sides = [0; 3];
    for (missing, seed) in [(false, 5), (true, 6), (true, 7)] {
        let data = dataset(Shape { n_rows: 700, missing, seed, ..SHAPE });
        let config = ForestConfig { n_trees: 20, min_leaf_size: 15, ..Default::default() };
        let numbers: Vec<_> = data.features().columns()[..3].to_vec();
        assert!(numbers.iter().all(|column| matches!(column.data(), ColumnData::Numeric(_))));
        let numbers = Dataset::new(numbers, data.target().clone()).expect("consistent");
        for data in [&data, &numbers] {
            let forest = grow(data, &config);
            assert_leaves(&forest, data, 1);
            for node in forest.trees().iter().flat_map(Tree::nodes) {
                if let Node::Split(split) = node {
                    match split.rule {
                        Rule::AtMost { missing: Side::Left, .. } => sides[0] += 1,
                        Rule::AtMost { missing: Side::Right, .. } => sides[1] += 1,
                        Rule::Present => sides[2] += 1,
                        Rule::Levels { .. } | Rule::Multiway { .. } => {}
                    }
                }
            }
        }
    }
    assert!(sides.iter().all(|&n| n > 5), "{sides:?}");
}

/// A column with levels whose only split is by presence, in trees that otherwise split numbers.
#[test]
fn many_rows_are_split_by_the_presence_of_a_level() {
    let mut numbers = Numbers(3);
    let x: Vec<f64> = (0..700).map(|_| numbers.unit()).collect();
    let codes: Vec<u32> =
        (0..700).map(|_| if numbers.unit() < 0.4 { MISSING_LEVEL } else { 0 }).collect();
    let y = x.iter().zip(&codes).map(|(x, code)| x + f64::from(u8::from(*code == 0))).collect();
    let columns = vec![
        Column::numeric("x", x).expect("finite"),
        Column::categorical("known", vec!["yes".to_owned()], codes).expect("one level"),
    ];
    let target = Target::regression("y", y).expect("finite");
    let data = Dataset::new(columns, target).expect("consistent");
    let config =
        ForestConfig { n_trees: 10, mtry: Some(2), min_leaf_size: 20, ..Default::default() };
    let forest = grow(&data, &config);
    let splits = forest.trees().iter().flat_map(Tree::nodes).filter_map(|node| match node {
        Node::Split(split) => Some((split.feature, matches!(split.rule, Rule::Present))),
        Node::Leaf => None,
    });
    let splits: Vec<_> = splits.collect();
    assert!(splits.contains(&(1, true)) && splits.contains(&(0, false)), "{splits:?}");
    assert_leaves(&forest, &data, 1);
}

/// What is compared is the value in single precision: a threshold between it and the value itself.
#[test]
fn many_rows_are_rounded_where_the_forest_did_so() {
    let values = (0..600).map(|row| f64::from(row) + 1e-9).collect();
    let column = Column::numeric("x", values).expect("finite");
    let target = Target::regression("y", (0..600).map(f64::from).collect()).expect("finite");
    let data = Dataset::new(vec![column], target).expect("consistent");
    let grown = grow(&data, &ForestConfig { n_trees: 3, min_leaf_size: 20, ..Default::default() });
    let mut document = with_thresholds(&grown, f64::floor);
    for float32_inputs in [false, true] {
        document["float32_inputs"] = json!(float32_inputs);
        let forest = read_json(&document, None).expect("a forest");
        let rounded = |value: f64| if float32_inputs { f64::from(value as f32) } else { value };
        let ColumnData::Numeric(values) = data.features().columns()[0].data() else { panic!() };
        let run = Run::on(Threads::new(1).expect("one"));
        let leaves = forest.leaves(data.features(), &run).expect("its own rows");
        for (&value, leaves) in values.iter().zip(leaves.chunks_exact(3)) {
            for (tree, &leaf) in forest.trees().iter().zip(leaves) {
                let mut node = 0;
                while let Node::Split(split) = &tree.nodes()[node] {
                    let Rule::AtMost { threshold, .. } = split.rule else { panic!("numbers") };
                    let is_right = rounded(value) > threshold;
                    node = split.first_child as usize + usize::from(is_right);
                }
                assert_eq!(leaf as usize, node, "{value} {float32_inputs}");
            }
        }
    }
}
