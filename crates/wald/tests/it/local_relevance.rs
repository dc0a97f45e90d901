//! Local relevance, against Definition 2 of Sutera et al. by brute force over all sets of
//! variables, and against rows followed one by one.

use wald::data::{Column, Target};
use wald::explain::Rows;
use wald::forest::{Node, Sampling, Splitting, Tree};
use wald::{Dataset, ExplanationId, ExplanationSettings, ForestConfig};

use crate::support::{Shape, assert_close, best_and_multiway, child, explained, grow};

const ID: ExplanationId = ExplanationId::LocalRelevance;

/// P(Y = 1) is .25 or .75, by x1; x2 takes a quarter away, adds one, or changes nothing; x3
/// is irrelevant; x4 copies x1 where it is 1.
fn rows() -> Vec<([u32; 4], u32)> {
    let mut rows = Vec::new();
    for (x1, x2, x3) in
        (0..2).flat_map(|x1| (0..3).flat_map(move |x2| (0..2).map(move |x3| (x1, x2, x3))))
    {
        let n_ones = [1, 3][x1 as usize] + [-1, 1, 0][x2 as usize];
        let y = (0..4).map(|place| u32::from(place < n_ones));
        rows.extend(y.map(|y| ([x1, x2, x3, x1], y)));
    }
    rows
}

fn table(is_number: bool) -> Dataset {
    let column = |index: usize| {
        let codes = rows().iter().map(|(row, _)| row[index]).collect();
        let names = (0..3).map(|level| level.to_string()).collect();
        Column::categorical(format!("x{}", index + 1), names, codes).expect("codes")
    };
    let y: Vec<u32> = rows().iter().map(|(_, y)| *y).collect();
    let target = if is_number {
        // Far from zero, where sums are rounded.
        Target::regression("y", y.iter().map(|&y| 1e6 + f64::from(y)).collect())
    } else {
        Target::classification("y", vec!["no".to_owned(), "yes".to_owned()], y)
    };
    Dataset::new((0..4).map(column).collect(), target.expect("valid")).expect("consistent")
}

/// Definition 2: no set of other variables leaves the variable anything to change.
fn is_irrelevant(at: [u32; 4], variable: usize) -> bool {
    let ones_and_rows = |known: &dyn Fn(usize) -> bool| {
        let all = rows();
        let here = all.iter().filter(|(row, _)| (0..4).all(|j| !known(j) || row[j] == at[j]));
        here.fold((0, 0), |(ones, n), (_, y)| (ones + y, n + 1))
    };
    (0..16_u32).filter(|set| set >> variable & 1 == 0).all(|set| {
        let (ones, n) = ones_and_rows(&|j| set >> j & 1 == 1);
        let (ones_given, n_given) = ones_and_rows(&|j| set >> j & 1 == 1 || j == variable);
        ones * n_given == ones_given * n
    })
}

#[test]
fn totally_randomized_trees_find_what_definition_2_says() {
    let config = ForestConfig {
        splitting: Splitting::Multiway,
        sampling: Sampling::All,
        mtry: Some(1),
        n_trees: 300,
        ..ForestConfig::default()
    };
    for is_number in [false, true] {
        let data = table(is_number);
        let forest = grow(&data, &config);
        let settings = ExplanationSettings::default();
        let found = explained((&data, &forest), Rows::Training, (ID, &settings), 2);
        let mut n_irrelevant = [0; 4];
        for ((at, _), record) in rows().iter().zip(&found) {
            for (variable, &share) in record.iter().enumerate() {
                let expected = is_irrelevant(*at, variable);
                assert_eq!(share == 0.0, expected, "x{} at {at:?}: {share}", variable + 1);
                assert!((0.0..=1.0).contains(&share));
                n_irrelevant[variable] += u32::from(expected);
            }
        }
        // x2 where it is 2, and x3 everywhere.
        assert_eq!(n_irrelevant, [0, 16, 48, 0]);
    }
}

/// By column, whether any step of a row changes the mean or the impurity of its node.
fn changes(data: &Dataset, tree: &Tree, row: usize) -> Vec<bool> {
    let known = tree.statistics().expect("own trees");
    let mut has_changed = vec![false; data.n_features()];
    let mut node = 0;
    while let Node::Split(split) = &tree.nodes()[node] {
        let next = split.first_child as usize + child(data, tree, split, row, None);
        let differs = |(one, other): (&f64, &f64)| (one - other).abs() > 1e-9;
        let means = tree.value(node).iter().zip(&*tree.value(next)).any(differs);
        let impurities = differs((&known.impurity(node), &known.impurity(next)));
        has_changed[split.feature as usize] |= known.weight(next) > 0.0 && (means || impurities);
        node = next;
    }
    has_changed
}

#[test]
fn shares_of_trees_count_every_tree_once() {
    for n_classes in [0, 2, 3] {
        let shape = Shape { n_rows: 60, n_classes, missing: true, weights: true, seed: 94 };
        for (data, config) in best_and_multiway(shape, 2, 7) {
            let forest = grow(&data, &ForestConfig { max_depth: None, ..config });
            let settings = ExplanationSettings::default();
            let found = explained((&data, &forest), Rows::Training, (ID, &settings), 2);
            for (row, record) in found.iter().enumerate() {
                let mut counts = vec![0.0; data.n_features()];
                for tree in forest.trees() {
                    let changed = changes(&data, tree, row);
                    counts
                        .iter_mut()
                        .zip(changed)
                        .for_each(|(n, has)| *n += f64::from(u8::from(has)));
                }
                for (share, count) in record.iter().zip(counts) {
                    assert_close(*share, count / 7.0, "share of trees");
                }
            }
        }
    }
}
