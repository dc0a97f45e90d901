//! Trees that are limited by their leaves as a whole, or by the cost of them.

use wald::forest::{Forest, Impurity, Keep, Node, Sampling, Splitting, Tree};
use wald::measure::MeasureSettings;
use wald::memory::Size;
use wald::{Dataset, ForestConfig, Measure, MeasureId, Run, Threads};

use crate::support::{Shape, dataset, grow, levels_only};

fn shape(n_rows: usize, n_classes: u32) -> Shape {
    Shape { n_rows, n_classes, missing: true, weights: true, seed: 11 }
}

fn data(n_rows: usize, n_classes: u32) -> Dataset {
    dataset(shape(n_rows, n_classes))
}

fn config() -> ForestConfig {
    ForestConfig { n_trees: 6, min_node_size: Some(1), ..ForestConfig::default() }
}

/// Weight times impurity of a node.
fn cost(tree: &Tree, node: usize) -> f64 {
    let known = tree.statistics().expect("a grown tree");
    known.weight(node) * known.impurity(node)
}

fn children(tree: &Tree, node: usize) -> Option<Vec<usize>> {
    match &tree.nodes()[node] {
        Node::Leaf => None,
        Node::Split(split) => Some(tree.children(split).collect()),
    }
}

/// Nodes of the whole tree and of the pruned one that are the same node.
fn matched(whole: &Tree, pruned: &Tree) -> Vec<(usize, usize)> {
    let mut matched = vec![(0, 0)];
    let mut at = 0;
    while at < matched.len() {
        let (one, other) = matched[at];
        at += 1;
        assert_eq!(whole.value(one), pruned.value(other));
        assert_eq!(cost(whole, one).to_bits(), cost(pruned, other).to_bits());
        if let Some(below) = children(pruned, other) {
            let above = children(whole, one).expect("no split is new");
            matched.extend(above.into_iter().zip(below));
        }
    }
    assert_eq!(matched.len(), pruned.n_nodes(), "no node is left over");
    matched
}

/// The splits that stay, by their nodes in the whole tree, increasing.
fn kept(whole: &Tree, pruned: &Tree) -> Vec<usize> {
    let matched = matched(whole, pruned).into_iter();
    let mut kept: Vec<usize> = matched
        .filter(|&(_, node)| children(pruned, node).is_some())
        .map(|(node, _)| node)
        .collect();
    kept.sort_unstable();
    kept
}

/// By definition: of all leaves, the one whose split decreases the impurity most is divided next.
fn best_first(tree: &Tree, most_leaves: usize) -> Vec<usize> {
    let decrease = |node: usize| {
        let below = children(tree, node)?.iter().map(|&child| cost(tree, child)).sum::<f64>();
        Some((node, cost(tree, node) - below))
    };
    let (mut leaves, mut kept) = (vec![0], Vec::new());
    while leaves.len() < most_leaves {
        let found = leaves.iter().filter_map(|&leaf| decrease(leaf));
        let Some((node, _)) = found.max_by(|one, other| one.1.total_cmp(&other.1)) else { break };
        leaves.retain(|&leaf| leaf != node);
        leaves.extend(children(tree, node).expect("a split"));
        kept.push(node);
    }
    kept.sort_unstable();
    kept
}

#[test]
fn leaves_are_those_of_the_best_splits_first() {
    for (n_classes, splitting) in
        [(0, Splitting::Best), (3, Splitting::Best), (2, Splitting::RandomThreshold)]
    {
        let (data, config) = (data(400, n_classes), ForestConfig { splitting, ..config() });
        let whole = grow(&data, &config);
        for most in [2, 7, 40] {
            let limited = ForestConfig { max_leaf_nodes: Some(most), ..config.clone() };
            let pruned = grow(&data, &limited);
            for (whole, pruned) in whole.trees().iter().zip(pruned.trees()) {
                assert_eq!(pruned.n_leaves(), most);
                assert_eq!(kept(whole, pruned), best_first(whole, most), "{n_classes} {most}");
            }
        }
        let all = ForestConfig { max_leaf_nodes: Some(100_000), ..config.clone() };
        assert_eq!(grow(&data, &all).trees(), whole.trees());
    }
}

/// Costs and numbers of leaves of all pruned trees of a branch.
fn all_pruned(tree: &Tree, node: usize) -> Vec<(f64, usize)> {
    let mut found = vec![(cost(tree, node), 1)];
    if let Some(below) = children(tree, node) {
        let mut together = vec![(0.0, 0)];
        for child in below {
            let of_child = all_pruned(tree, child);
            together = together
                .iter()
                .flat_map(|one| of_child.iter().map(|other| (one.0 + other.0, one.1 + other.1)))
                .collect();
        }
        found.extend(together);
    }
    found
}

/// Against all pruned trees of small ones: none costs less, and none that costs as much is smaller.
#[test]
fn pruned_trees_have_the_least_cost() {
    let mut n_between = 0;
    for (n_classes, impurity) in
        [(0, Impurity::Variance), (3, Impurity::Gini), (2, Impurity::Entropy)]
    {
        let data = data(60, n_classes);
        let config = ForestConfig { min_leaf_size: 5, impurity: Some(impurity), ..config() };
        let whole = grow(&data, &config);
        for alpha in [1e-9, 0.003, 0.02, 0.1, 3.0] {
            let pruned = grow(&data, &ForestConfig { ccp_alpha: alpha, ..config.clone() });
            for (whole, pruned) in whole.trees().iter().zip(pruned.trees()) {
                let leaf = alpha * whole.statistics().expect("grown").weight(0);
                let price = |(cost, n_leaves): (f64, usize)| cost + leaf * n_leaves as f64;
                let all = all_pruned(whole, 0);
                let least = all.iter().map(|&tree| price(tree)).fold(f64::INFINITY, f64::min);
                let near = 1e-9 * cost(whole, 0);
                let as_cheap = all.iter().filter(|&&tree| price(tree) <= least + near);
                let fewest = as_cheap.map(|tree| tree.1).min().expect("the least");
                assert_eq!(pruned.n_leaves(), fewest, "{n_classes} classes, alpha {alpha}");
                let found = matched(whole, pruned).into_iter();
                let leaves = found.filter(|&(_, node)| children(pruned, node).is_none());
                let found: f64 = leaves.map(|(node, _)| cost(whole, node)).sum();
                assert!((price((found, fewest)) - least).abs() <= near, "{n_classes} {alpha}");
                n_between += usize::from(fewest > 1 && fewest < whole.n_leaves());
            }
        }
    }
    assert!(n_between > 20, "{n_between}");
}

/// A tree with a child for every level has larger splits, which may not fit where smaller ones do.
#[test]
fn multiway_trees_have_at_most_so_many_leaves() {
    let data = levels_only(shape(300, 2));
    let config = ForestConfig { splitting: Splitting::Multiway, ..config() };
    let whole = grow(&data, &config);
    assert!(whole.trees().iter().any(|tree| tree.n_leaves() > 10));
    for most in [2, 5, 10] {
        let pruned = grow(&data, &ForestConfig { max_leaf_nodes: Some(most), ..config.clone() });
        for (whole, pruned) in whole.trees().iter().zip(pruned.trees()) {
            assert!(pruned.n_leaves() <= most);
            matched(whole, pruned);
        }
        let stored = Forest::from_bytes(&pruned.to_bytes().expect("small")).expect("valid");
        assert_eq!(stored, pruned);
    }
}

/// Measures see pruned trees; what grows branches again is refused.
#[test]
fn measures_are_those_of_the_pruned_trees() {
    let data = data(300, 0);
    let pruned = ForestConfig {
        max_leaf_nodes: Some(9),
        ccp_alpha: 0.001,
        sampling: Sampling::Bootstrap,
        ..config()
    };
    let run = Run::on(Threads::ONE);
    let bytes = |config: &ForestConfig| {
        Size::of_growing(&data, config, &[], Keep::Trees, run.threads).expect("fits").trees
    };
    assert!(4 * bytes(&pruned) < bytes(&config()), "{} {}", bytes(&pruned), bytes(&config()));
    let forest = grow(&data, &pruned);
    let fitted = wald::fit(data.clone(), &pruned, &run).expect("grown");
    let select = |id| [Measure::new(id, MeasureSettings::default()).expect("valid")];
    let found = fitted.measure(&select(MeasureId::Mdi), &run).expect("measured");
    let mut expected = vec![0.0; data.n_features()];
    for tree in forest.trees() {
        for (node, content) in tree.nodes().iter().enumerate() {
            let Node::Split(split) = content else { continue };
            let below: f64 = tree.children(split).map(|child| cost(tree, child)).sum();
            let total = tree.statistics().expect("grown").weight(0);
            expected[split.feature as usize] += (cost(tree, node) - below) / total / 6.0;
        }
    }
    let found = found.importances[0].values.iter().map(|value| value.expect("defined"));
    found.zip(&expected).for_each(|(one, other)| assert!((one - other).abs() < 1e-12));
    let refused = fitted.measure(&select(MeasureId::TotalSobolRegrow), &run).expect_err("refused");
    assert!(refused.to_string().contains("prune them"), "{refused}");
}
