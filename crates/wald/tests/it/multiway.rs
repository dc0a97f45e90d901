//! Forests of multiway trees against the importances that Louppe et al. 2013 derive for infinitely
//! many trees on infinitely many rows: a table that lists a distribution stands for the rows.

use wald::data::MISSING_LEVEL;
use wald::forest::{Bag, Impurity, Node, Rule, Sampling, Splitting, Tree};
use wald::{Dataset, ForestConfig, Importance};

use crate::multiway_limits::{digits, exclusive_or};
use crate::support::{Shape, child, grow, in_bag_weight, levels_only, response};

fn config() -> ForestConfig {
    ForestConfig {
        splitting: Splitting::Multiway,
        sampling: Sampling::All,
        mtry: Some(1),
        n_trees: 4000,
        ..ForestConfig::default()
    }
}

/// The grown importances are those expected, up to five standard errors over the trees.
#[track_caller]
fn assert_expected(found: &Importance, expected: &[f64]) {
    let errors = found.standard_errors.as_ref().expect("many trees");
    for (column, &expected) in expected.iter().enumerate() {
        let value = found.values[column].expect("defined");
        let error = errors[column].expect("defined");
        assert!(
            (value - expected).abs() <= 5.0 * error + 1e-9,
            "{column}: {value} {expected} {error}"
        );
        assert!(error < 0.02, "{error}");
    }
}

#[test]
fn totally_randomized_trees_have_the_importances_of_equation_3() {
    // The column of Table 2, to six digits.
    let published = [0.412_693, 0.581_541, 0.531_156, 0.542_129, 0.656_582, 0.225_816, 0.372_011];
    let exact = digits().exact(7);
    for (exact, published) in exact.iter().zip(published) {
        assert!((exact - published).abs() < 1e-6, "{exact} {published}");
    }
    assert!((exact.iter().sum::<f64>() - 10_f64.log2()).abs() < 1e-12);
    assert_expected(&digits().grown(&config()), &exact);
    // Pure nodes have nothing left to give.
    assert_expected(&digits().grown(&ForestConfig { split_pure: true, ..config() }), &exact);
}

#[test]
fn other_impurities_take_the_place_of_entropy() {
    for impurity in [Impurity::Variance, Impurity::Gini, Impurity::Entropy] {
        let distribution = exclusive_or(impurity);
        let exact = distribution.exact(4);
        assert!(exact[0] > 0.1 && exact[2] > exact[3] && exact[3] > 0.001, "{exact:?}");
        assert_expected(&distribution.grown(&config()), &exact);
    }
}

#[test]
fn pruned_trees_and_random_subspaces_have_the_first_terms() {
    for q in 1..7 {
        let exact = digits().exact(q);
        let pruned = ForestConfig { max_depth: Some(q), ..config() };
        assert_expected(&digits().grown(&pruned), &exact);
        let subspace = ForestConfig { subspace: Some(q), ..config() };
        assert_expected(&digits().grown(&subspace), &exact);
    }
    for q in 1..4 {
        let distribution = exclusive_or(Impurity::Variance);
        let exact = distribution.exact(q);
        let pruned = ForestConfig { max_depth: Some(q), ..config() };
        assert_expected(&distribution.grown(&pruned), &exact);
        let subspace = ForestConfig { subspace: Some(q), ..config() };
        assert_expected(&distribution.grown(&subspace), &exact);
    }
}

#[test]
fn the_best_of_k_variables_is_taken_as_in_table_2() {
    // The columns K = 2, 4 and 7 of Table 2; 10,000 trees of the authors.
    let published = [
        (2, [0.362, 0.663, 0.512, 0.525, 0.731, 0.140, 0.385]),
        (4, [0.309, 0.757, 0.489, 0.445, 0.810, 0.122, 0.387]),
        (7, [0.306, 0.799, 0.475, 0.412, 0.835, 0.120, 0.372]),
    ];
    for (k, published) in published {
        let expected = digits().best_of(k);
        for (expected, published) in expected.iter().zip(published) {
            assert!((expected - published).abs() < 0.005, "{k}: {expected} {published}");
        }
        assert_expected(&digits().grown(&ForestConfig { mtry: Some(k), ..config() }), &expected);
    }
    let distribution = exclusive_or(Impurity::Gini);
    for k in 2..=4 {
        let expected = distribution.best_of(k);
        assert_expected(
            &distribution.grown(&ForestConfig { mtry: Some(k), ..config() }),
            &expected,
        );
    }
}

/// Figure 2: what the depth of a split, which is the number of variables it is conditioned on,
/// adds to the importances.
#[test]
fn importances_by_depth_are_those_of_figure_2() {
    let by_depth = |mtry: usize| -> Vec<[f64; 7]> {
        let config = ForestConfig { mtry: Some(mtry), split_pure: true, ..config() };
        let impurity = Some(Impurity::Entropy);
        let forest = grow(&digits().data(), &ForestConfig { impurity, ..config });
        let mut sums = vec![[0.0; 7]; 7];
        for tree in forest.trees() {
            let known = tree.statistics().expect("own trees");
            let term = |node: usize| known.weight(node) / known.weight(0) * known.impurity(node);
            for ((index, node), depth) in tree.nodes().iter().enumerate().zip(tree.depths()) {
                if let Node::Split(split) = node {
                    let rest: f64 = tree.children(split).map(term).sum();
                    sums[split.feature as usize][depth as usize] += (term(index) - rest) / 4000.0;
                }
            }
        }
        sums
    };
    let randomized = by_depth(1);
    let mut before = vec![0.0; 7];
    for k in 0..7 {
        let exact = digits().exact(k + 1);
        for (column, by_depth) in randomized.iter().enumerate() {
            let (found, expected) = (by_depth[k], exact[column] - before[column]);
            assert!((found - expected).abs() < 0.02, "x{} {k}: {found} {expected}", column + 1);
        }
        before = exact;
    }
    let greedy = by_depth(7);
    for (column, by_depth) in greedy.iter().enumerate() {
        // Only X2 and X5 are ever at the root, each in half of the trees.
        let expected = if column == 1 || column == 4 { 0.4855 } else { 0.0 };
        assert!((by_depth[0] - expected).abs() < 0.04, "{by_depth:?}");
        assert!(by_depth[4..].iter().all(|term| term.abs() < 1e-12), "{by_depth:?}");
    }
}

/// Every node by definition: a child per level present, one for missing values, no variable
/// twice on a path, and the best of all variables where all are tried.
fn check_tree(data: &Dataset, tree: &Tree, bag: &Bag, config: &ForestConfig) -> usize {
    let codes = |column: usize| match data.features().columns()[column].data() {
        wald::data::ColumnData::Categorical(categories) => categories.codes(),
        wald::data::ColumnData::Numeric(_) => panic!("levels only"),
    };
    let term = |rows: &[usize]| -> f64 {
        let weight = |row: usize| in_bag_weight(data, bag, row);
        let total: f64 = rows.iter().map(|&row| weight(row)).sum();
        let n_outputs = data.target().n_outputs();
        let mean = |output: usize| -> f64 {
            rows.iter().map(|&row| weight(row) * response(data, row)[output]).sum::<f64>() / total
        };
        // Variance, or Gini as the sum of the variances of one-hot classes.
        (0..n_outputs)
            .map(|output| {
                let mean = mean(output);
                let square = |row: usize| (response(data, row)[output] - mean).powi(2);
                rows.iter().map(|&row| weight(row) * square(row)).sum::<f64>()
            })
            .sum()
    };
    let groups = |rows: &[usize], column: usize| -> Vec<Vec<usize>> {
        let mut groups = std::collections::BTreeMap::<u32, Vec<usize>>::new();
        rows.iter().for_each(|&row| groups.entry(codes(column)[row]).or_default().push(row));
        groups.into_values().collect()
    };
    let draws =
        |rows: &[usize]| -> usize { rows.iter().map(|&row| usize::from(bag.counts()[row])).sum() };
    let root = (0..data.n_rows()).filter(|&row| in_bag_weight(data, bag, row) > 0.0).collect();
    let mut pending: Vec<(usize, Vec<usize>, Vec<usize>)> = vec![(0, root, Vec::new())];
    let mut n_splits = 0;
    while let Some((node, rows, used)) = pending.pop() {
        let unused: Vec<usize> = (0..data.n_features()).filter(|c| !used.contains(c)).collect();
        let decrease = |column: usize| {
            let groups = groups(&rows, column);
            let is_allowed = groups.iter().all(|group| draws(group) >= config.min_leaf_size);
            let rest: f64 = groups.iter().map(|group| term(group)).sum();
            is_allowed.then_some(term(&rows) - rest)
        };
        let is_divided = unused.iter().any(|&column| groups(&rows, column).len() > 1);
        let is_pure = rows.iter().all(|&row| response(data, row) == response(data, rows[0]));
        let may_split = draws(&rows) > 1
            && draws(&rows) >= 2 * config.min_leaf_size
            && is_divided
            && (config.split_pure || !is_pure);
        let Node::Split(split) = &tree.nodes()[node] else {
            let divides = |&column: &usize| groups(&rows, column).len() > 1;
            let mut dividing = unused.iter().filter(|column| divides(column));
            let any_allowed = dividing.any(|&column| decrease(column).is_some());
            assert!(!may_split || !any_allowed, "leaf {node}");
            continue;
        };
        n_splits += 1;
        assert!(may_split, "node {node}");
        let feature = split.feature as usize;
        assert!(!used.contains(&feature), "variable {feature} twice");
        let best = unused.iter().filter_map(|&column| decrease(column)).fold(0.0, f64::max);
        let taken = decrease(feature).expect("allowed");
        assert!(config.mtry == Some(1) || taken >= best - 1e-9, "{taken} {best}");
        let Rule::Multiway { table } = split.rule else { panic!("{split:?}") };
        let branches = &tree.branches()[table as usize];
        let groups = groups(&rows, feature);
        assert_eq!(branches.n_children as usize, groups.len());
        let mut met = vec![false; groups.len()];
        for group in groups {
            let number = child(data, tree, split, group[0], None);
            assert!(group.iter().all(|&row| child(data, tree, split, row, None) == number));
            assert!(!std::mem::replace(&mut met[number], true), "two groups in one child");
            let is_missing = codes(feature)[group[0]] == MISSING_LEVEL;
            assert_eq!(branches.levels.contains(&codes(feature)[group[0]]), !is_missing);
            let used = used.iter().copied().chain([feature]).collect();
            pending.push((split.first_child as usize + number, group, used));
        }
    }
    n_splits
}

#[test]
fn nodes_have_a_child_per_level_and_ask_about_no_variable_twice() {
    for (n_classes, weights) in [(0, false), (0, true), (2, true), (4, false)] {
        let shape = Shape { n_rows: 90, n_classes, missing: true, weights, seed: 12 };
        let data = levels_only(shape);
        for (mtry, split_pure, min_leaf_size) in
            [(1, false, 1), (1, true, 1), (6, false, 1), (6, true, 2)]
        {
            let config = ForestConfig {
                n_trees: 3,
                mtry: Some(mtry),
                split_pure,
                min_leaf_size,
                sampling: Sampling::Bootstrap,
                ..config()
            };
            let forest = grow(&data, &config);
            for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("own bags")) {
                assert!(check_tree(&data, tree, bag, &config) > 0 || min_leaf_size > 1);
            }
        }
    }
}
