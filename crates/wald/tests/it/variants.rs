//! Ways of growing beside the best split: what must hold of each of them.

use wald::data::{Column, MISSING_LEVEL, Target};
use wald::forest::{Impurity, Keep, Node, PValues, Rule, Sampling, Splitting, Tree};
use wald::measure::{Loss, MeasureSettings};
use wald::pass::Measured;
use wald::{Dataset, Error, Forest, ForestConfig, Measure, MeasureId, Run, Threads};

use crate::forest_json::written;
use crate::permutation::{brute_force, measure};
use crate::support::{
    Numbers, Shape, all_measures_and_random, assert_close, dataset, grow, leaf, levels_only,
    measure as importance, threads,
};

const MIXED: Shape = Shape { n_rows: 150, n_classes: 0, missing: true, weights: true, seed: 31 };

/// The variants, each with data that it can be grown on.
fn variants(shape: Shape) -> Vec<(Dataset, ForestConfig)> {
    let base = ForestConfig { n_trees: 6, ..ForestConfig::default() };
    let impurity = (shape.n_classes > 0).then_some(Impurity::Entropy);
    let random = ForestConfig { splitting: Splitting::RandomThreshold, ..base.clone() };
    let branches = ForestConfig { splitting: Splitting::Multiway, ..base.clone() };
    let mixed = [
        ForestConfig { mtry: Some(3), ..random.clone() },
        ForestConfig { mtry: Some(1), impurity, ..random.clone() },
        ForestConfig { mtry: Some(4), min_leaf_size: 5, subspace: Some(4), ..random },
        ForestConfig { subspace: Some(2), ..base },
    ];
    let levels = [
        ForestConfig { mtry: Some(1), ..branches.clone() },
        ForestConfig { mtry: Some(1), split_pure: true, max_depth: Some(3), ..branches.clone() },
        ForestConfig { mtry: Some(3), impurity, min_leaf_size: 2, ..branches.clone() },
        ForestConfig { mtry: Some(2), subspace: Some(3), split_pure: true, ..branches },
    ];
    let tested = ForestConfig { n_trees: 6, ..ForestConfig::for_splitting(Splitting::Conditional) };
    let tested = [
        ForestConfig { mtry: Some(3), ..tested.clone() },
        ForestConfig {
            mtry: Some(5),
            sampling: Sampling::Bootstrap,
            min_leaf_size: 2,
            min_node_size: Some(6),
            min_criterion: Some(0.3),
            p_values: Some(PValues::Bonferroni),
            impurity,
            ..tested.clone()
        },
        ForestConfig { subspace: Some(4), mtry: Some(2), ..tested },
    ];
    let mixed = mixed.into_iter().chain(tested).map(|config| (dataset(shape), config));
    mixed.chain(levels.into_iter().map(|config| (levels_only(shape), config))).collect()
}

/// All measures that the forest allows, but AIR where each tree uses a subspace, which shadows do not go
/// with.
fn applicable(data: &Dataset, config: &ForestConfig) -> Vec<Measure> {
    let mut measures = all_measures_and_random(data);
    let allowed = MeasureId::allowed_when_grown(config);
    measures.retain(|measure| allowed.contains(&measure.id()));
    measures.retain(|measure| config.subspace.is_none() || measure.id() != MeasureId::Air);
    measures
}

fn measured(data: &Dataset, config: &ForestConfig, n_threads: usize) -> Measured {
    let around = &Run::on(Threads::new(n_threads).expect("sensible"));
    let measures = applicable(data, config);
    let grown = Forest::grow_and_measure(data, config, &measures, Keep::Nothing, around);
    grown.expect("valid settings").measured
}

#[test]
fn equal_bits_for_any_number_of_threads_and_for_a_stored_forest() {
    for n_classes in [0, 2, 4] {
        for (data, config) in variants(Shape { n_classes, ..MIXED }) {
            let one = measured(&data, &config, 1);
            for threads in [2, 7] {
                assert_eq!(one, measured(&data, &config, threads), "{threads} threads {config:?}");
            }
            let stored = grow(&data, &config);
            let around = &Run::on(threads());
            let again =
                stored.measure(&data, &applicable(&data, &config), around).expect("applies");
            assert_eq!(one, again, "the forest measured after it was grown {config:?}");
        }
    }
}

#[test]
fn files_give_the_forest_back() {
    for n_classes in [0, 2, 4] {
        for (data, config) in variants(Shape { n_classes, ..MIXED }) {
            let forest = grow(&data, &config);
            let bytes = forest.to_bytes().expect("a small forest");
            for bytes in [bytes, written(&forest)] {
                let read = Forest::read(&bytes, Some(&data), &Run::on(threads()));
                assert_eq!(read.as_ref(), Ok(&forest), "{config:?}");
                let alone = Forest::read(&bytes, None, &Run::on(threads()));
                assert_eq!(alone.as_ref(), Ok(&forest), "{config:?}");
            }
        }
    }
}

#[test]
fn exact_permutation_importance_equals_brute_force_over_all_pairs() {
    for (n_classes, loss) in [(0, Loss::Squared), (2, Loss::ZeroOne), (4, Loss::Squared)] {
        for (data, config) in variants(Shape { n_rows: 80, n_classes, ..MIXED }) {
            let forest = grow(&data, &config);
            let settings = MeasureSettings { loss: Some(loss), ..MeasureSettings::default() };
            let found = measure(&data, &forest, settings);
            let mut largest = 0.0_f64;
            for column in 0..data.n_features() {
                let trees = forest.trees().iter().zip(forest.bags().expect("own bags"));
                let expected: f64 = trees
                    .map(|(tree, bag)| brute_force(&data, tree, bag, column, loss) / 6.0)
                    .sum();
                let found = found.values[column].expect("defined");
                assert_close(found, expected, &format!("column {column} {config:?}"));
                largest = largest.max(expected.abs());
            }
            assert!(largest > 0.003, "no effect: {largest} {config:?}");
        }
    }
}

#[test]
fn measures_of_splits_count_what_is_in_the_trees() {
    for (data, config) in variants(MIXED) {
        let forest = grow(&data, &config);
        let of = |id| importance(&data, &forest, id, MeasureSettings::default()).values;
        let (counts, depths_of) = (of(MeasureId::SplitCount), of(MeasureId::MinimalDepth));
        for column in 0..data.n_features() {
            let (mut n_splits, mut first) = (0.0, 0.0);
            for tree in forest.trees() {
                let depths = tree.depths();
                let splits = tree.nodes().iter().zip(&depths).filter(|(node, _)| {
                    matches!(node, Node::Split(split) if split.feature as usize == column)
                });
                let deepest = *depths.iter().max().expect("a root");
                let own = splits.clone().map(|(_, depth)| *depth).min().unwrap_or(deepest);
                n_splits += splits.count() as f64;
                first += f64::from(own) / 6.0;
            }
            assert_eq!(counts[column], Some(n_splits));
            assert_close(depths_of[column].expect("defined"), first, "minimal depth");
        }
    }
}

#[test]
fn importances_sum_to_the_impurity_that_the_tree_removes() {
    for n_classes in [0, 3] {
        for (data, config) in variants(Shape { n_classes, ..MIXED }) {
            let forest = grow(&data, &config);
            let removed = |tree: &Tree| {
                let known = tree.statistics().expect("own trees");
                let leaves = (0..tree.n_nodes()).filter(|&node| tree.nodes()[node] == Node::Leaf);
                let rest = leaves.map(|leaf| known.weight(leaf) * known.impurity(leaf));
                known.impurity(0) - rest.sum::<f64>() / known.weight(0)
            };
            let expected: f64 = forest.trees().iter().map(|tree| removed(tree) / 6.0).sum();
            let mdi = importance(&data, &forest, MeasureId::Mdi, MeasureSettings::default());
            let sum: f64 = mdi.values.iter().flatten().sum();
            assert_close(sum, expected, "sum of mdi");
            assert!(sum > 0.01, "{config:?}");
        }
    }
}

#[test]
fn predictions_follow_the_rules_of_the_trees() {
    for n_classes in [0, 3] {
        for (data, config) in variants(Shape { n_classes, ..MIXED }) {
            let forest = grow(&data, &config);
            let found = forest.predict(data.features(), &Run::on(threads()));
            let found = found.expect("aligned");
            let n_outputs = data.target().n_outputs();
            for row in 0..data.n_rows() {
                for output in 0..n_outputs {
                    let values = forest
                        .trees()
                        .iter()
                        .map(|tree| tree.value(leaf(&data, tree, row, None))[output]);
                    let expected = values.sum::<f64>() / 6.0;
                    assert_close(found[row * n_outputs + output], expected, "prediction");
                }
            }
        }
    }
}

#[test]
fn exchanging_columns_exchanges_importances_bit_for_bit() {
    for (data, config) in variants(MIXED) {
        let order = [4, 2, 5, 0, 3, 1];
        let columns = order.iter().map(|&index| data.features().columns()[index].clone()).collect();
        let exchanged = Dataset::new(columns, data.target().clone()).expect("consistent");
        let weights = data.weights().expect("weighted").to_vec();
        let exchanged = exchanged.with_weights(weights).expect("valid weights");
        let (one, two) = (measured(&data, &config, 2), measured(&exchanged, &config, 2));
        for (one, two) in one.importances.iter().zip(&two.importances) {
            let expected: Vec<Option<f64>> = order.iter().map(|&index| one.values[index]).collect();
            assert_eq!(two.values, expected, "{config:?}");
        }
    }
}

#[test]
fn seeds_give_different_trees() {
    for (data, config) in variants(MIXED) {
        let config = ForestConfig { sampling: Sampling::All, ..config };
        let trees = |seed| format!("{:?}", grow(&data, &ForestConfig { seed, ..config.clone() }));
        assert_ne!(trees(1), trees(2), "{config:?}");
    }
}

/// Every tree of a forest that uses a subspace, by the features its splits name.
#[test]
fn trees_use_no_more_variables_than_the_subspace_has() {
    for splitting in [Splitting::Best, Splitting::RandomThreshold, Splitting::Multiway] {
        let data = levels_only(Shape { weights: false, ..MIXED });
        let config = ForestConfig {
            splitting,
            subspace: Some(2),
            mtry: Some(1),
            n_trees: 600,
            ..ForestConfig::default()
        };
        let forest = grow(&data, &config);
        let mut counts = [0.0_f64; 6];
        for tree in forest.trees() {
            let mut used: Vec<u32> = tree
                .nodes()
                .iter()
                .filter_map(|node| match node {
                    Node::Split(split) => Some(split.feature),
                    Node::Leaf => None,
                })
                .collect();
            used.sort_unstable();
            used.dedup();
            assert!(used.len() <= 2, "{used:?}");
            used.iter().for_each(|&feature| counts[feature as usize] += 1.0);
        }
        // Two fifths of the trees for each variable but the constant one, which is not drawn: within four
        // standard deviations.
        for feature in [0, 1, 2, 4, 5] {
            assert!((counts[feature] - 240.0).abs() < 4.0 * 12.0, "{splitting:?} {counts:?}");
        }
    }
}

#[test]
fn settings_that_do_not_fit_are_refused() {
    let data = dataset(Shape { weights: false, ..MIXED });
    let refused = |config: ForestConfig| match Forest::grow(&data, &config, &Run::on(threads())) {
        Err(error @ Error::Setting { .. }) => (error.to_string(), error.help()),
        other => panic!("{other:?}"),
    };
    let base = ForestConfig::default;
    let multiway = ForestConfig { splitting: Splitting::Multiway, ..base() };
    let (what, help) = refused(multiway);
    assert!(
        what.ends_with("columns of numbers: \"one\", \"two\", \"tied\", \"constant\""),
        "{what}"
    );
    assert!(help.contains("`categorical`"), "{help}");
    let (what, _) = refused(ForestConfig { split_pure: true, ..base() });
    assert!(what.contains("only multiway trees split pure nodes"), "{what}");
    let (what, help) = refused(ForestConfig { min_criterion: Some(0.95), ..base() });
    assert_eq!(what, "`min_criterion` was given, but only conditional splitting tests variables");
    assert_eq!(help, "use conditional splitting, or leave out `min_criterion`");
    let p_values = Some(PValues::Bonferroni);
    let (what, _) = refused(ForestConfig { p_values, splitting: Splitting::Multiway, ..base() });
    assert!(what.starts_with("`p_values` was given"), "{what}");
    let conditional = || ForestConfig::for_splitting(Splitting::Conditional);
    for criterion in [-0.1, 1.0, f64::NAN] {
        let (what, _) = refused(ForestConfig { min_criterion: Some(criterion), ..conditional() });
        assert_eq!(what, format!("`min_criterion` is {criterion}"));
    }
    for share in [-0.1, 0.6, f64::NAN] {
        let (what, _) = refused(ForestConfig { min_weight_fraction_leaf: share, ..base() });
        assert_eq!(what, format!("`min_weight_fraction_leaf` is {share}"));
        let (what, _) = refused(ForestConfig { min_impurity_decrease: -share.abs(), ..base() });
        assert_eq!(what, format!("`min_impurity_decrease` is {}", -share.abs()));
    }
    let (what, help) = refused(ForestConfig { min_impurity_decrease: 0.1, ..conditional() });
    assert!(what.ends_with("conditional splitting reduces no impurity"), "{what}");
    assert!(help.starts_with("give `min_criterion`"), "{help}");
    let (what, _) = refused(ForestConfig { split_pure: true, ..conditional() });
    assert!(what.contains("only multiway trees split pure nodes"), "{what}");
    let (what, _) = refused(ForestConfig { subspace: Some(0), ..base() });
    assert_eq!(what, "`subspace` is 0");
    let (what, help) = refused(ForestConfig { subspace: Some(7), ..base() });
    assert_eq!(what, "`subspace` is 7, but there are 6 input variables");
    assert_eq!(help, "give a number between 1 and 6");
    let (what, _) = refused(ForestConfig { subspace: Some(2), mtry: Some(3), ..base() });
    assert_eq!(what, "`mtry` is 3, but each tree uses 2 variables");
}

/// Rows beyond the ranges and levels that a tree has met.
#[test]
fn new_levels_follow_the_heaviest_child() {
    let data = levels_only(Shape { missing: false, weights: false, ..MIXED });
    let config = ForestConfig {
        splitting: Splitting::Multiway,
        n_trees: 1,
        max_depth: Some(1),
        mtry: Some(6),
        ..ForestConfig::default()
    };
    let forest = grow(&data, &config);
    let tree = &forest.trees()[0];
    let Node::Split(split) = tree.nodes()[0] else { panic!("a split") };
    let Rule::Multiway { table } = split.rule else { panic!("branches") };
    let branches = &tree.branches()[table as usize];
    let known = tree.statistics().expect("own trees");
    let heaviest = tree.children(&split).max_by(|&one, &other| {
        known.weight(one).total_cmp(&known.weight(other)).then(other.cmp(&one))
    });
    let heaviest = heaviest.expect("children");
    assert_eq!(split.first_child + branches.others, heaviest as u32);
    assert_eq!(split.first_child + branches.missing, heaviest as u32);
    let columns = data.features().columns().iter().map(|column| {
        let names = vec!["never seen".to_owned()];
        Column::categorical(column.name(), names, vec![0, MISSING_LEVEL]).expect("codes")
    });
    let features = wald::Features::new(columns.collect()).expect("a table");
    let found = forest.predict(&features, &Run::on(threads())).expect("aligned");
    assert_eq!(found, [tree.value(heaviest)[0]; 2]);
}

/// Columns of very many levels, and columns of equal values, are no burden.
#[test]
fn very_many_levels_stay_small() {
    let n_rows = 20_000_u32;
    let mut numbers = Numbers(5);
    let names = (0..n_rows).map(|level| format!("L{level}")).collect();
    // Levels of about five rows each: rarer ones are kept together where all divisions are tried.
    let codes: Vec<u32> = (0..n_rows).map(|_| numbers.below(n_rows / 5)).collect();
    let y: Vec<f64> = codes.iter().map(|&code| f64::from(code % 7) + numbers.unit()).collect();
    let number = codes.iter().map(|_| numbers.unit()).collect();
    let few = (0..n_rows).map(|_| numbers.below(3)).collect();
    let three = ["a", "b", "c"].map(str::to_owned).to_vec();
    let mut columns = vec![
        Column::categorical("many", names, codes).expect("codes"),
        Column::categorical("few", three, few).expect("codes"),
    ];
    let data_of = |columns: &[Column]| {
        let target = Target::regression("y", y.clone()).expect("finite");
        Dataset::new(columns.to_vec(), target).expect("consistent")
    };
    // Splits into all levels at once take no numbers.
    let of_levels = data_of(&columns);
    columns.push(Column::numeric("number", number).expect("finite"));
    let mixed = data_of(&columns);
    let all =
        [Splitting::Best, Splitting::RandomThreshold, Splitting::Multiway, Splitting::Conditional];
    for splitting in all {
        let min_node_size = Some(5);
        let config = ForestConfig { min_node_size, splitting, n_trees: 1, ..Default::default() };
        let data = if splitting == Splitting::Multiway { &of_levels } else { &mixed };
        let config = ForestConfig { mtry: Some(data.n_features()), ..config };
        let forest = grow(data, &config);
        let tree = &forest.trees()[0];
        let bytes = forest.to_bytes().expect("a forest").len();
        // Names and bag take less than 300,000 bytes; a list of all levels at each of
        // thousands of nodes would take hundreds of millions.
        let on_many = |node: &&Node| matches!(node, Node::Split(split) if split.feature == 0);
        let n_splits = tree.nodes().iter().filter(on_many).count();
        let least = if splitting == Splitting::Best { 15 } else { 1 };
        assert!(n_splits >= least, "{splitting:?}: {n_splits} splits on the column of many levels");
        assert!(tree.n_nodes() > 5000 && bytes < 3_000_000, "{splitting:?} {bytes}");
    }
}
