//! What becomes of a node whose drawn variables are all constant there.

use wald::data::{Column, Target};
use wald::forest::{ConstantDraws, Node, Tree};
use wald::{Dataset, ForestConfig};

use crate::support::{Numbers, grow};

fn config(constant_draws: ConstantDraws) -> ForestConfig {
    ForestConfig { n_trees: 60, constant_draws, ..ForestConfig::default() }
}

fn named(columns: Vec<Vec<f64>>) -> Vec<Column> {
    let column = |(at, values)| Column::numeric(format!("x{at}"), values).expect("finite");
    columns.into_iter().enumerate().map(column).collect()
}

fn classes(columns: Vec<Vec<f64>>, class: impl Fn(usize) -> bool) -> Dataset {
    let codes = (0..columns[0].len()).map(|row| u32::from(class(row))).collect();
    let names = vec!["no".to_owned(), "yes".to_owned()];
    let target = Target::classification("y", names, codes).expect("two classes");
    Dataset::new(named(columns), target).expect("consistent")
}

fn flags(numbers: &mut Numbers, n_rows: usize) -> Vec<f64> {
    (0..n_rows).map(|_| f64::from(numbers.below(2))).collect()
}

fn is_leaf(tree: &Tree) -> bool {
    matches!(tree.nodes()[0], Node::Leaf)
}

/// Three columns, of which one is drawn at a node: below a split on a flag, drawing the flag again
/// ends the branch unless others are drawn.
#[test]
fn trees_of_flags_are_grown_to_their_end() {
    let mut numbers = Numbers(3);
    let (a, b, noise) =
        (flags(&mut numbers, 400), flags(&mut numbers, 400), flags(&mut numbers, 400));
    let truth: Vec<bool> = a.iter().zip(&b).map(|(a, b)| a != b).collect();
    let data = classes(vec![a, b, noise], |row| truth[row]);
    let n_impure = |constant_draws| -> usize {
        let forest = grow(&data, &config(constant_draws));
        let impure = |tree: &Tree| {
            let known = tree.statistics().expect("grown by wald");
            let nodes = tree.nodes().iter().enumerate();
            nodes.filter(|(at, node)| **node == Node::Leaf && known.impurity(*at) > 0.0).count()
        };
        forest.trees().iter().map(impure).sum()
    };
    assert_eq!(n_impure(ConstantDraws::Search), 0);
    assert!(n_impure(ConstantDraws::Leaf) > 60);
}

/// With all rows of a column kept sorted, and with rows sorted where they are needed. Columns that are constant in the
/// whole table are not drawn at all; those that differ in one row, which is in no bag in a third of trees, are.
#[test]
fn the_one_variable_that_varies_is_found_among_constants() {
    for n_constants in [4, 40] {
        let table = |last: f64| {
            let constant = (0..50).map(|row| if row == 49 { last } else { 1.0 }).collect();
            let mut columns: Vec<Vec<f64>> = vec![constant; n_constants];
            columns.push((0..50).map(f64::from).collect());
            classes(columns, |row| row % 3 == 0)
        };
        let few = |constant_draws| ForestConfig { mtry: Some(1), ..config(constant_draws) };
        let constant = table(1.0);
        let searched = grow(&constant, &few(ConstantDraws::Search));
        assert!(!searched.trees().iter().any(is_leaf));
        let all = ForestConfig { mtry: Some(n_constants + 1), ..config(ConstantDraws::Leaf) };
        assert_eq!(searched.trees(), grow(&constant, &all).trees(), "there is but one variable");
        assert_eq!(searched.trees(), grow(&constant, &few(ConstantDraws::Leaf)).trees());
        let nearly = table(2.0);
        let searched = grow(&nearly, &few(ConstantDraws::Search));
        assert!(!searched.trees().iter().any(is_leaf));
        let stunted = grow(&nearly, &few(ConstantDraws::Leaf));
        // Trees without the row, of which four in five or 40 in 41 draw one that is constant in their bags.
        assert!(stunted.trees().iter().filter(|tree| is_leaf(tree)).count() > 10);
    }
}

/// A variable that varies ends the draws, even if the limits on the children rule its divisions out.
#[test]
fn variables_that_vary_are_not_made_up_for() {
    let rare = (0..100).map(|row| f64::from(u8::from(row == 7))).collect();
    let even = (0..100).map(|row| f64::from(row % 2)).collect();
    let data = classes(vec![rare, even], |row| row % 2 == 0);
    let trees = |constant_draws| {
        let limited = ForestConfig {
            mtry: Some(1),
            min_leaf_size: 20,
            sampling: wald::forest::Sampling::All,
            max_depth: Some(1),
            ..config(constant_draws)
        };
        grow(&data, &limited).trees().to_vec()
    };
    let searched = trees(ConstantDraws::Search);
    let n_leaves = searched.iter().filter(|tree| is_leaf(tree)).count();
    assert!((15..=45).contains(&n_leaves), "{n_leaves} of 60");
    assert_eq!(searched, trees(ConstantDraws::Leaf));
}

#[test]
fn where_no_variable_is_constant_both_ways_grow_the_same_trees() {
    let mut numbers = Numbers(9);
    let columns: Vec<Vec<f64>> =
        (0..9).map(|_| (0..150).map(|_| f64::from(numbers.below(1 << 30))).collect()).collect();
    let data = classes(columns, |row| row % 5 < 2);
    let [searched, stunted] =
        [ConstantDraws::Search, ConstantDraws::Leaf].map(|how| grow(&data, &config(how)));
    assert_eq!(searched.trees(), stunted.trees());
}
