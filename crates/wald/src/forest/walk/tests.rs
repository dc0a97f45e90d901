//! Rows reach the same leaves by keys as by values.

use super::*;
use crate::data::{Dataset, Target};
use crate::forest::config::ForestConfig;
use crate::random::{Purpose, Stream};
use crate::run::Run;

const N_ROWS: usize = 500;

/// Columns whose keys are often equal (large numbers that differ little beside a small one), of zeros with
/// both signs, with missing values, and of numbers far apart.
fn columns(stream: &mut Stream) -> Vec<Column> {
    let mut column = |name: &str, mut number: Box<dyn FnMut(&mut Stream) -> f64>| {
        let values = (0..N_ROWS).map(|_| number(stream)).collect();
        Column::numeric(name, values).expect("no infinite numbers")
    };
    vec![
        column(
            "close",
            Box::new(|stream| if stream.below(9) == 0 { 0.0 } else { 1e9 + stream.unit() }),
        ),
        column("zeros", Box::new(|stream| [0.0, -0.0, 1.0, -1.0][stream.below(4) as usize])),
        column(
            "missing",
            Box::new(|stream| if stream.below(3) == 0 { f64::NAN } else { stream.unit() }),
        ),
        column(
            "apart",
            Box::new(|stream| (stream.unit() - 0.5) * 10_f64.powi(stream.below(300) as i32)),
        ),
    ]
}

fn forest(columns: Vec<Column>, stream: &mut Stream) -> Forest {
    let response = (0..N_ROWS).map(|_| stream.unit()).collect();
    let target = Target::regression("y", response).expect("numbers");
    let data = Dataset::new(columns, target).expect("as many responses as rows");
    let config = ForestConfig { n_trees: 20, min_node_size: Some(1), ..ForestConfig::default() };
    Forest::grow(&data, &config, &Run::all()).expect("settings of growing")
}

#[test]
fn rows_reach_the_same_leaves_by_keys_as_by_values() {
    let mut stream = Stream::new(1, 0, Purpose::Splits);
    let grown_on = columns(&mut stream);
    let mut forest = forest(grown_on, &mut stream);
    let new = columns(&mut stream);
    let new: Vec<Cow<'_, Column>> = new.iter().map(Cow::Borrowed).collect();
    for float32_inputs in [false, true] {
        forest.float32_inputs = float32_inputs;
        let walk = Walk::of_rows(&forest, &new, 0..N_ROWS, forest.trees().len());
        let keys = walk.keys.as_ref().expect("many rows");
        let mut n_by_values = 0;
        for tree in forest.trees() {
            // Rows from another one than the first on, and no whole groups.
            for (first, n) in [(0, N_ROWS), (3, N_ROWS - 3), (70, 64), (0, 1)] {
                let (mut found, mut expected) = (vec![7; n], vec![7; n]);
                walk.by_values(tree, first, &mut expected);
                let is_able = keys.leaves(tree, first, &mut found, |row, leaves| {
                    n_by_values += leaves.len();
                    walk.by_values(tree, row, leaves);
                });
                assert!(is_able);
                assert_eq!(found, expected);
            }
        }
        assert!(n_by_values > 0, "some keys are equal");
    }
}

#[test]
fn keys_increase_with_numbers() {
    let numbers =
        [f64::NEG_INFINITY, -1e300, -2.0, -1.0, -1e-300, -0.0, 0.0, 1e-30, 1.0, 2.0, 1e300];
    for origin in [0.0, -2.0, 1e9] {
        let keys = numbers.map(|number| keys::key_of(number, origin));
        assert!(keys.is_sorted(), "{keys:?}");
        assert_eq!(keys[5], keys[6], "zeros are equal");
        assert!(keys.iter().all(|&key| keys::LEFT < key && key < keys::RIGHT));
    }
}

#[test]
fn vectors_go_down_like_single_rows() {
    let mut stream = Stream::new(2, 0, Purpose::Splits);
    for (chosen, has_equal_keys) in [(0..4, true), (1..3, false)] {
        let grown_on = columns(&mut stream)[chosen.clone()].to_vec();
        let forest = forest(grown_on, &mut stream);
        let new = &columns(&mut stream)[chosen];
        let new: Vec<Cow<'_, Column>> = new.iter().map(Cow::Borrowed).collect();
        let walk = Walk::of_rows(&forest, &new, 0..N_ROWS, forest.trees().len());
        let keys = walk.keys.as_ref().expect("many rows");
        let mut is_any_equal = false;
        for tree in forest.trees() {
            let steps = keys.steps(tree).expect("numbers only");
            for keys in keys.of_groups() {
                let (mut expected, mut found) = ([0; simd::GROUP], [0; simd::GROUP]);
                let is_equal = steps.go(keys, &mut expected);
                if let Some(also) = simd::go(&steps, keys, &mut found) {
                    assert_eq!((also, found), (is_equal, expected));
                }
                is_any_equal |= is_equal;
            }
        }
        assert_eq!(is_any_equal, has_equal_keys);
    }
}

#[test]
fn trees_that_split_levels_have_no_keys() {
    let mut stream = Stream::new(3, 0, Purpose::Splits);
    let codes: Vec<u32> = (0..N_ROWS).map(|_| stream.below(3)).collect();
    let names = ["a", "b", "c"].map(String::from).to_vec();
    let levels = Column::categorical("levels", names, codes).expect("codes of levels");
    let number = Column::numeric("number", vec![1.0; N_ROWS]).expect("numbers");
    let all = vec![levels, number];
    let forest = forest(all.clone(), &mut stream);
    let all: Vec<Cow<'_, Column>> = all.iter().map(Cow::Borrowed).collect();
    let walk = Walk::of_rows(&forest, &all, 0..N_ROWS, forest.trees().len());
    let keys = walk.keys.as_ref().expect("one column of numbers");
    let tree = forest.trees().iter().find(|tree| tree.n_nodes() > 1).expect("levels divide rows");
    assert!(!keys.leaves(tree, 0, &mut [0; N_ROWS], |_, _| ()));
}
