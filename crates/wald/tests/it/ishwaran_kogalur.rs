//! Ishwaran-Kogalur importance against brute force: over all permutations of small out-of-bag
//! sets, and over all donors of weighted rows.

use std::borrow::Cow;

use wald::data::{Response, Task};
use wald::forest::{Bag, Node, Sampling, Tree};
use wald::measure::{Loss, MeasureSettings, Normalise, Part, Permutations};
use wald::{Dataset, ForestConfig, Importance, MeasureId};

use crate::support::{
    Shape, assert_close, assert_scattered, child, dataset, grow, measure, response, try_measure,
    weight,
};

/// The leaf of a row that receives the values of a group from another row.
pub fn leaf(data: &Dataset, tree: &Tree, row: usize, group: &[u32], donor: usize) -> usize {
    let mut node = 0;
    while let Node::Split(split) = &tree.nodes()[node] {
        let replaced = group.contains(&split.feature).then_some((split.feature as usize, donor));
        node = split.first_child as usize + child(data, tree, split, row, replaced);
    }
    node
}

pub fn out_of_bag(bag: &Bag) -> Vec<usize> {
    (0..bag.counts().len()).filter(|&row| bag.counts()[row] == 0).collect()
}

/// All orders of 0..n.
pub fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let insert = |shorter: &Vec<usize>, place: usize| {
        let mut longer = shorter.clone();
        longer.insert(place, n - 1);
        longer
    };
    permutations(n - 1)
        .iter()
        .flat_map(|shorter| (0..n).map(|place| insert(shorter, place)).collect::<Vec<_>>())
        .collect()
}

/// Mean squared error over rows, each with the mean prediction of its trees.
fn squared_error(data: &Dataset, predictions: &[Vec<(usize, Vec<f64>)>]) -> f64 {
    let mut sums = vec![(0.0, vec![0.0; data.target().n_outputs()]); data.n_rows()];
    for (row, value) in predictions.iter().flatten() {
        sums[*row].0 += 1.0;
        sums[*row].1.iter_mut().zip(value).for_each(|(sum, value)| *sum += value);
    }
    let (mut error, mut n) = (0.0, 0.0);
    for (row, (n_trees, sums)) in sums.iter().enumerate().filter(|(_, sums)| sums.0 > 0.0) {
        let truth = response(data, row);
        n += 1.0;
        error += truth.iter().zip(sums).map(|(y, sum)| (y - sum / n_trees).powi(2)).sum::<f64>();
    }
    error / n
}

#[test]
fn exact_expectation_equals_the_mean_over_all_permutations() {
    for n_classes in [0, 2, 3] {
        let all = dataset(Shape { n_rows: 13, n_classes, missing: true, weights: false, seed: 5 });
        let together = [("pair".to_owned(), vec!["one".to_owned(), "more".to_owned()])];
        let data = all.with_groups(&together).expect("columns of the table");
        let config = ForestConfig {
            n_trees: 3,
            mtry: Some(3),
            sampling: Sampling::Subsample,
            sample_fraction: Some(0.7),
            min_node_size: Some(1),
            ..ForestConfig::default()
        };
        let forest = grow(&data, &config);
        let bags = forest.bags().expect("own bags");
        let found =
            measure(&data, &forest, MeasureId::MdaIshwaranKogalur, MeasureSettings::default());
        let predict = |tree: usize, group: &[u32], order: Option<&[usize]>| {
            let rows = out_of_bag(&bags[tree]);
            let of = |(place, &row): (usize, &usize)| {
                let donor = order.map_or(row, |order| rows[order[place]]);
                let tree = &forest.trees()[tree];
                (row, tree.value(leaf(&data, tree, row, group, donor)).to_vec())
            };
            rows.iter().enumerate().map(of).collect::<Vec<_>>()
        };
        let base: Vec<_> = (0..3).map(|tree| predict(tree, &[], None)).collect();
        let mut largest = 0.0_f64;
        for (group, members) in data.groups().members().iter().enumerate() {
            let permuted: Vec<Vec<_>> = (0..3)
                .map(|tree| {
                    let orders = permutations(out_of_bag(&bags[tree]).len());
                    orders.iter().map(|order| predict(tree, members, Some(order))).collect()
                })
                .collect();
            let (mut sum, mut n) = (0.0, 0.0);
            for one in &permuted[0] {
                for two in &permuted[1] {
                    for three in &permuted[2] {
                        sum += squared_error(&data, &[one.clone(), two.clone(), three.clone()]);
                        n += 1.0;
                    }
                }
            }
            assert!(n > 5000.0, "{n} permutations");
            let expected = sum / n - squared_error(&data, &base);
            let what = format!("{n_classes} classes, group {group}");
            assert_close(found.values[group].expect("defined"), expected, &what);
            largest = largest.max(expected.abs());
        }
        assert!(largest > 0.01, "{largest}");
    }
}

/// With weights, the value that a row receives is that of each out-of-bag row in proportion to its
/// weight, in every tree for itself.
#[test]
fn exact_expectation_with_weights_equals_brute_force_over_donors() {
    for n_classes in [0, 3] {
        let data = dataset(Shape { n_rows: 40, n_classes, missing: true, weights: true, seed: 6 });
        let config = ForestConfig { n_trees: 3, mtry: Some(3), ..ForestConfig::default() };
        let forest = grow(&data, &config);
        let bags = forest.bags().expect("own bags");
        let settings = MeasureSettings { per_class: n_classes > 0, ..MeasureSettings::default() };
        let found = measure(&data, &forest, MeasureId::MdaIshwaranKogalur, settings);
        let mut largest = 0.0_f64;
        for column in 0..data.n_features() {
            let group = [column as u32];
            let mut by_class = vec![(0.0, 0.0); n_classes.max(1) as usize];
            for row in 0..data.n_rows() {
                let trees = (0..3).filter(|&tree| bags[tree].counts()[row] == 0);
                // Weight and value of every donor, per tree.
                let donors: Vec<Vec<(f64, Cow<'_, [f64]>)>> = trees
                    .map(|tree| {
                        let rows = out_of_bag(&bags[tree]);
                        let total: f64 = rows.iter().map(|&donor| weight(&data, donor)).sum();
                        let tree = &forest.trees()[tree];
                        let of = |&donor: &usize| {
                            let end = leaf(&data, tree, row, &group, donor);
                            (weight(&data, donor) / total, tree.value(end))
                        };
                        rows.iter()
                            .map(of)
                            .chain([(0.0, tree.value(leaf(&data, tree, row, &group, row)))])
                            .collect()
                    })
                    .collect();
                if donors.is_empty() {
                    continue;
                }
                let truth = response(&data, row);
                let loss = |sums: &[f64]| -> f64 {
                    let mean = |sum: &f64| sum / donors.len() as f64;
                    truth.iter().zip(sums).map(|(y, sum)| (y - mean(sum)).powi(2)).sum()
                };
                let mut combinations = vec![(1.0, vec![0.0; truth.len()])];
                let mut own = vec![0.0; truth.len()];
                for donors in &donors {
                    let (last, donors) = donors.split_last().expect("the row itself");
                    own.iter_mut().zip(&*last.1).for_each(|(sum, value)| *sum += value);
                    let with = |(share, sums): &(f64, Vec<f64>)| {
                        let more = donors.iter().map(|(p, value)| {
                            let sums = sums.iter().zip(&**value).map(|(a, b)| a + b).collect();
                            (share * p, sums)
                        });
                        more.collect::<Vec<_>>()
                    };
                    combinations = combinations.iter().flat_map(with).collect();
                }
                let expected: f64 =
                    combinations.iter().map(|(share, sums)| share * loss(sums)).sum();
                let class = match data.target().response() {
                    Response::Regression(_) | Response::Several(_) => 0,
                    Response::Classification(classes) => classes.codes()[row] as usize,
                };
                by_class[class].0 += weight(&data, row) * (expected - loss(&own));
                by_class[class].1 += weight(&data, row);
            }
            let (sum, total) =
                by_class.iter().fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
            let what = format!("{n_classes} classes, column {column}");
            assert_close(found.values[column].expect("defined"), sum / total, &what);
            largest = largest.max((sum / total).abs());
            for (class, (_, values)) in found.per_class.iter().flatten().enumerate() {
                let (sum, total) = by_class[class];
                assert_close(values[column].expect("rows of all classes"), sum / total, &what);
            }
        }
        assert!(largest > 0.01, "{largest}");
    }
}

fn is_close(one: &Importance, other: &Importance, what: &str) {
    for (one, other) in one.values.iter().zip(&other.values) {
        assert_close(one.expect("defined"), other.expect("defined"), what);
    }
    let classes = |importance: &Importance| importance.per_class.clone().unwrap_or_default();
    assert_eq!(classes(one).len(), classes(other).len());
    for ((one, values), (other, others)) in classes(one).iter().zip(&classes(other)) {
        assert_eq!(one, other);
        for (one, other) in values.iter().zip(others) {
            assert_close(one.expect("defined"), other.expect("defined"), what);
        }
    }
}

#[test]
fn blocks_of_one_tree_are_breiman_cutler() {
    for n_classes in [0, 2, 3] {
        let data = dataset(Shape { n_rows: 60, n_classes, missing: true, weights: true, seed: 9 });
        let forest = grow(&data, &ForestConfig { n_trees: 6, ..ForestConfig::default() });
        for permutations in [Permutations::Exact, Permutations::Random(2)] {
            let per_class = n_classes > 0;
            let settings =
                MeasureSettings { permutations, per_class, ..MeasureSettings::default() };
            let trees = measure(&data, &forest, MeasureId::MdaBreimanCutler, settings.clone());
            let settings = MeasureSettings { blocks: 6, ..settings };
            let blocks = measure(&data, &forest, MeasureId::MdaIshwaranKogalur, settings);
            is_close(&blocks, &trees, "blocks of one tree");
            let errors = |importance: &Importance| importance.standard_errors.clone();
            let pairs = errors(&blocks).expect("6 blocks");
            for (one, other) in pairs.iter().zip(errors(&trees).expect("6 trees")) {
                assert_close(one.expect("defined"), other.expect("defined"), "standard error");
            }
            assert_eq!(blocks.repeats.len(), trees.repeats.len());
            for (one, other) in blocks.repeats.concat().iter().zip(trees.repeats.concat()) {
                assert_close(*one, other, "repeat");
            }
        }
    }
}

#[test]
fn random_permutations_agree_with_the_expectation() {
    for n_classes in [0, 3] {
        let data =
            dataset(Shape { n_rows: 120, n_classes, missing: true, weights: false, seed: 4 });
        let forest = grow(&data, &ForestConfig { n_trees: 10, ..ForestConfig::default() });
        let id = MeasureId::MdaIshwaranKogalur;
        let exact = measure(&data, &forest, id, MeasureSettings::default());
        let repeats = 200;
        let permutations = Permutations::Random(repeats);
        let settings = MeasureSettings { permutations, ..MeasureSettings::default() };
        let random = measure(&data, &forest, id, settings);
        assert_eq!(random.repeats.len(), repeats as usize);
        assert_scattered(&random, &exact);
    }
}

#[test]
fn what_has_no_exact_form_is_permuted_at_random_and_says_so() {
    let data = dataset(Shape { n_rows: 80, n_classes: 2, missing: false, weights: false, seed: 2 });
    let forest = grow(&data, &ForestConfig { n_trees: 20, ..ForestConfig::default() });
    let settings = |loss| MeasureSettings { loss: Some(loss), ..MeasureSettings::default() };
    let id = MeasureId::MdaIshwaranKogalur;
    let exact = measure(&data, &forest, id, settings(Loss::Squared));
    assert_eq!((exact.settings["permutations"].as_str(), exact.repeats.len()), ("exact", 0));
    assert!(exact.notes.is_empty(), "{:?}", exact.notes);
    for loss in [Loss::ZeroOne, Loss::ZeroOneVote, Loss::Log, Loss::Auc] {
        let found = measure(&data, &forest, id, settings(loss));
        assert_eq!((found.settings["permutations"].as_str(), found.repeats.len()), ("10", 10));
        assert!(found.notes[0].contains("10 random permutations"), "{:?}", found.notes);
        assert!(found.values[0] > Some(0.0), "{loss:?} {:?}", found.values);
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let three =
        dataset(Shape { n_rows: 40, n_classes: 3, missing: false, weights: false, seed: 2 });
    let number =
        dataset(Shape { n_rows: 40, n_classes: 0, missing: false, weights: false, seed: 2 });
    let config = ForestConfig { n_trees: 5, ..ForestConfig::default() };
    let refusal = |data: &Dataset, id: MeasureId, settings: MeasureSettings| {
        let error =
            try_measure((data, &grow(data, &config)), id, settings, 2).expect_err("refused");
        format!("{error} / {}", error.help())
    };
    let settings = MeasureSettings::default;
    let ours = MeasureId::MdaIshwaranKogalur;
    let check = |found: String, parts: &[&str]| {
        parts.iter().for_each(|part| assert!(found.contains(part), "{found}"));
    };
    let blocks = |blocks| MeasureSettings { blocks, ..settings() };
    check(refusal(&number, ours, blocks(0)), &["0 blocks", "give 1 for the whole forest"]);
    check(
        refusal(&number, ours, blocks(6)),
        &["6 blocks were requested, but there are 5 trees", "at most as many"],
    );
    check(refusal(&number, MeasureId::Mdi, blocks(2)), &["does not offer `blocks`"]);
    let auc = MeasureSettings { loss: Some(Loss::Auc), ..settings() };
    check(refusal(&three, ours, auc.clone()), &["two classes", "the target has 3", "`log`"]);
    check(refusal(&number, ours, auc.clone()), &["does not offer the loss `auc`"]);
    check(refusal(&three, MeasureId::MdaBreimanCutler, auc.clone()), &["does not offer the loss"]);
    let per_class = MeasureSettings { per_class: true, ..settings() };
    check(refusal(&number, ours, per_class), &["it is a number", "leave out `per_class`"]);
    let both = MeasureSettings { per_class: true, ..auc };
    check(refusal(&three, ours, both), &["because it compares two"]);
    let normalise = MeasureSettings { normalise: Normalise::StandardError, ..settings() };
    check(refusal(&number, ours, normalise), &["does not offer the normalisation"]);
    assert_eq!(number.target().task(), Task::Regression);
}

#[test]
fn the_first_trees_stand_for_all_as_a_forest_of_their_own() {
    let id = MeasureId::MdaIshwaranKogalur;
    for n_classes in [0, 3] {
        let data = dataset(Shape { n_rows: 90, n_classes, missing: true, weights: true, seed: 3 });
        let forest = grow(&data, &ForestConfig { n_trees: 12, ..ForestConfig::default() });
        let part = Some(Part { n_trees: 5, n_rows: usize::MAX });
        let settings = MeasureSettings { part, ..MeasureSettings::default() };
        let found = measure(&data, &forest, id, settings);
        let own = measure(&data, &forest.first_trees(5), id, MeasureSettings::default());
        assert_eq!((&found.values, &found.standard_errors), (&own.values, &own.standard_errors));
        assert_eq!(found.notes[0], "from all 90 rows, 5 of 12 trees");
    }
}
