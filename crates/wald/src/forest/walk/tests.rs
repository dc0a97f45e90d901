//! Rows reach the same leaves by keys as by values.

use std::cell::Cell;

use super::*;
use crate::data::{Dataset, Target};
use crate::forest::config::ForestConfig;
use crate::forest::walk::keys::Scale;
use crate::random::{Purpose, Stream};
use crate::run::Run;

const N_ROWS: usize = 500;

/// Columns whose keys are often equal (large numbers that differ little beside a small one), of zeros with
/// both signs, with missing values, of numbers far apart, and of whole numbers, whose keys are exact.
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
        column("whole", Box::new(|stream| f64::from(stream.below(40)) - 20.0)),
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
        let walk = Walk::of_rows(&forest, forest.trees(), &new, 0..N_ROWS);
        let keys = walk.keys.as_ref().expect("many rows");
        let n_by_values = Cell::new(0);
        for tree in forest.trees() {
            // Rows from another one than the first on, and no whole groups.
            for (first, n) in [(0, N_ROWS), (3, N_ROWS - 3), (70, 64), (0, 1)] {
                let (mut found, mut expected) = (vec![7; n], vec![7; n]);
                walk.by_values(tree, first, &mut expected);
                let is_able = keys.leaves(tree, first, &mut found, |row, node| {
                    n_by_values.set(n_by_values.get() + 1);
                    walk.is_second(tree, row, node)
                });
                assert!(is_able);
                assert_eq!(found, expected);
            }
        }
        assert!(n_by_values.get() > 0, "some keys are equal");
    }
}

#[test]
fn keys_increase_with_numbers() {
    let numbers =
        [f64::NEG_INFINITY, -1e300, -2.0, -1.0, -1e-300, -0.0, 0.0, 1e-30, 1.0, 2.0, 1e300];
    for scale in [Scale::Exact, Scale::From(0.0), Scale::From(-2.0), Scale::From(1e9)] {
        let keys = numbers.map(|number| scale.key(number));
        assert!(keys.is_sorted(), "{keys:?}");
        assert_eq!(keys[5], keys[6], "zeros are equal");
        assert!(keys.iter().all(|&key| keys::LEFT < key && key < keys::RIGHT));
    }
}

#[test]
fn exact_keys_are_compared_like_their_numbers() {
    let largest = f64::from(f32::MAX.next_down());
    let smallest = f64::from(f32::from_bits(2));
    let numbers = [-largest, -3.0, -1.0, -smallest, -0.0, 0.0, smallest, 0.5, 1.0, 2.0, largest];
    assert_eq!(Scale::of(&numbers), Scale::Exact);
    let between = numbers.windows(2).map(|pair| pair[0] / 2.0 + pair[1] / 2.0);
    let beside = numbers.iter().flat_map(|number| [number.next_up(), number.next_down()]);
    let extreme = [f64::MIN, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, 1e-300, -1e-300];
    let thresholds = numbers.into_iter().chain(between).chain(beside).chain(extreme);
    for threshold in thresholds {
        let key = Scale::Exact.key_of_threshold(threshold);
        for number in numbers {
            let of_number = Scale::Exact.key(number);
            assert_ne!(of_number, key, "{number:e}, threshold {threshold:e}");
            assert_eq!(of_number > key, number > threshold, "{number:e}, threshold {threshold:e}");
        }
    }
}

#[test]
fn keys_are_exact_or_relative_to_a_suitable_number() {
    let of = Scale::of;
    assert_eq!(of(&[3.0, f64::NAN, -7.0]), Scale::Exact);
    assert_eq!(of(&[1e9 + 0.1, 1e9 + 0.2]), Scale::From(1e9 + 0.1), "differences are small");
    assert_eq!(of(&[-1e30, 0.1, 0.2]), Scale::From(0.0), "one number is far below the others");
    assert_eq!(of(&[f64::MIN, 0.1, f64::MAX]), Scale::From(0.0), "their difference is infinite");
    assert_eq!(of(&[f64::from(1.0_f32.next_up())]), Scale::From(f64::from(1.0_f32.next_up())));
}

#[test]
fn vectors_go_down_like_single_rows() {
    let mut stream = Stream::new(2, 0, Purpose::Splits);
    for (chosen, has_equal_keys) in [(0..4, true), (2..3, false), (4..5, false)] {
        let grown_on = columns(&mut stream)[chosen.clone()].to_vec();
        let forest = forest(grown_on, &mut stream);
        let new = &columns(&mut stream)[chosen];
        let new: Vec<Cow<'_, Column>> = new.iter().map(Cow::Borrowed).collect();
        let walk = Walk::of_rows(&forest, forest.trees(), &new, 0..N_ROWS);
        let keys = walk.keys.as_ref().expect("many rows");
        let is_any_equal = Cell::new(false);
        for tree in forest.trees() {
            let steps = keys.steps(tree).expect("numbers only");
            for (keys, first_row) in keys.of_groups().zip((0..).step_by(simd::GROUP)) {
                let (mut expected, mut found) = ([7; simd::GROUP], [7; simd::GROUP]);
                let is_second = |row: usize, node: u32| {
                    is_any_equal.set(true);
                    walk.is_second(tree, first_row + row, node)
                };
                steps.go(keys, &mut expected, is_second);
                if simd::go(&steps, keys, &mut found, is_second) {
                    assert_eq!(found, expected);
                }
            }
        }
        assert_eq!(is_any_equal.get(), has_equal_keys);
    }
}

#[test]
fn columns_that_no_tree_splits_have_no_keys_where_trees_are_few() {
    let mut stream = Stream::new(4, 0, Purpose::Splits);
    let unused = |at: usize| Column::numeric(format!("unused {at}"), vec![1.0; N_ROWS]);
    let unused = (0..30).map(|at| unused(at).expect("numbers"));
    let all: Vec<Column> = columns(&mut stream).into_iter().chain(unused).collect();
    let forest = forest(all.clone(), &mut stream);
    let all: Vec<Cow<'_, Column>> = all.iter().map(Cow::Borrowed).collect();
    for (n_trees, n_keyed) in [(20, 5), (1, 5)] {
        let trees = &forest.trees()[..n_trees];
        assert_eq!(keyed(trees, all.len()).iter().filter(|&&is_keyed| is_keyed).count(), n_keyed);
        let walk = Walk::of_rows(&forest, trees, &all, 0..N_ROWS);
        for tree in trees {
            let (mut found, mut expected) = (vec![7; N_ROWS], vec![7; N_ROWS]);
            walk.leaves(tree, 0, &mut found);
            walk.by_values(tree, 0, &mut expected);
            assert_eq!(found, expected);
        }
    }
    let trees = &forest.trees()[..1];
    assert!(keyed(trees, 1).iter().all(|&is_keyed| is_keyed), "no more columns than trees");
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
    let walk = Walk::of_rows(&forest, forest.trees(), &all, 0..N_ROWS);
    let keys = walk.keys.as_ref().expect("one column of numbers");
    let tree = forest.trees().iter().find(|tree| tree.n_nodes() > 1).expect("levels divide rows");
    assert!(!keys.leaves(tree, 0, &mut [0; N_ROWS], |_, _| false));
}
