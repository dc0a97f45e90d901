//! Measures that see impurity through out-of-bag rows, against worked cases and against formulas
//! written down row by row.

use wald::forest::{Bag, Impurity, Node, Splitting, Tree};
use wald::measure::MeasureSettings;
use wald::{Dataset, Error, Forest, ForestConfig, Measure, MeasureId, Run, Threads};

use crate::golden_case::{Case, floats, table};
use crate::support::{
    Shape, assert_close, child, dataset, grow, in_bag_weight, levels_only, measure, response,
    weight,
};

#[test]
fn worked_cases() {
    for case in Case::all() {
        let expected = case.measures();
        let pairs = [
            (MeasureId::MdiOobUncentred, "mdi_oob"),
            (MeasureId::Ufi, "ufi"),
            (MeasureId::MdiOobNaive, "naive_oob"),
            (MeasureId::MdiOobNaiveInBagAdded, "naive_oob_author_regression"),
        ];
        for (id, key) in pairs.into_iter().filter(|(_, key)| !expected[key].is_null()) {
            let found = case.measure(id, MeasureSettings::default());
            case.check_importance(&found, &expected[key], key);
        }
        assert_eq!(expected["naive_oob_author_regression"].is_null(), !case.is_regression());
        let found = case.measure(MeasureId::MdiOobUncentred, MeasureSettings::default());
        let per_tree = table(&json_without_nulls(&expected["mdi_oob_per_tree"]));
        assert_eq!(found.per_tree.len(), per_tree.len());
        for (found, expected) in found.per_tree.iter().zip(&per_tree) {
            case.check(found, expected, "mdi_oob per tree");
        }
        let total: f64 = floats(&expected["mdi_oob"]).iter().map(|value| value.abs()).sum();
        assert!(total > 0.05);
    }
}

fn json_without_nulls(rows: &serde_json::Value) -> serde_json::Value {
    rows.as_array().expect("a list").iter().filter(|row| !row.is_null()).cloned().collect()
}

/// Rows with weights, as they reach the nodes of a tree: each is followed by its values.
struct Reached<'a> {
    data: &'a Dataset,
    by_node: Vec<Vec<(usize, f64)>>,
}

impl<'a> Reached<'a> {
    fn new(data: &'a Dataset, tree: &Tree, weight: impl Fn(usize) -> f64) -> Self {
        let mut by_node = vec![Vec::new(); tree.n_nodes()];
        for (row, weight) in (0..data.n_rows()).map(|row| (row, weight(row))) {
            let mut node = 0;
            by_node[node].push((row, weight));
            while let Node::Split(split) = &tree.nodes()[node] {
                node = split.first_child as usize + child(data, tree, split, row, None);
                by_node[node].push((row, weight));
            }
        }
        by_node.iter_mut().for_each(|rows| rows.retain(|&(_, weight)| weight > 0.0));
        Self { data, by_node }
    }

    fn in_bag(data: &'a Dataset, tree: &Tree, bag: &Bag) -> Self {
        Self::new(data, tree, |row| in_bag_weight(data, bag, row))
    }

    fn out_of_bag(data: &'a Dataset, tree: &Tree, bag: &Bag) -> Self {
        Self::new(data, tree, |row| if bag.counts()[row] == 0 { weight(data, row) } else { 0.0 })
    }

    fn weight(&self, node: usize) -> f64 {
        self.by_node[node].iter().map(|(_, weight)| weight).sum()
    }

    fn mean(&self, node: usize) -> Vec<f64> {
        let mut mean = vec![0.0; self.data.target().n_outputs()];
        for &(row, weight) in &self.by_node[node] {
            for (mean, y) in mean.iter_mut().zip(response(self.data, row)) {
                *mean += weight * y / self.weight(node);
            }
        }
        mean
    }

    /// Variance summed over outputs, or bits of entropy.
    fn impurity(&self, node: usize, entropy: bool) -> f64 {
        if entropy {
            let shares = self.mean(node).into_iter().filter(|&share| share > 0.0);
            return shares.map(|share| -share * share.log2()).sum();
        }
        let mean = self.mean(node);
        let deviation = |row: usize| squared_distance(&response(self.data, row), &mean);
        let sum: f64 =
            self.by_node[node].iter().map(|&(row, weight)| weight * deviation(row)).sum();
        if sum > 0.0 { sum / self.weight(node) } else { 0.0 }
    }
}

fn squared_distance(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum()
}

/// (1 / N) SUM over rows of f(x) . (Y - origin) per column, f by Proposition 1 of Li et al.
fn covariance(tree: &Tree, in_bag: &Reached<'_>, rows: &Reached<'_>, origin: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; rows.data.n_features()];
    for (node, split) in splits(tree) {
        for child in tree_children(tree, node) {
            let (below, above) = (in_bag.mean(child), in_bag.mean(node));
            for &(row, weight) in &rows.by_node[child] {
                let y = response(rows.data, row);
                let terms = y.iter().zip(origin).zip(below.iter().zip(&above));
                let product: f64 = terms.map(|((y, o), (b, a))| (b - a) * (y - o)).sum();
                sums[split] += weight * product / rows.weight(0);
            }
        }
    }
    sums
}

/// The decreases of a term; splits with a child that the rows do not reach may be left out.
fn decreases(
    tree: &Tree,
    data: &Dataset,
    counts: impl Fn(&[usize]) -> bool,
    term: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let mut sums = vec![0.0; data.n_features()];
    for (node, split) in splits(tree) {
        let children = tree_children(tree, node);
        if counts(&children) {
            sums[split] += term(node) - children.into_iter().map(&term).sum::<f64>();
        }
    }
    sums
}

/// Nodes that split, with their columns.
fn splits(tree: &Tree) -> Vec<(usize, usize)> {
    let nodes = tree.nodes().iter().enumerate();
    let split = |(node, content): (usize, &Node)| match content {
        Node::Leaf => None,
        Node::Split(split) => Some((node, split.feature as usize)),
    };
    nodes.filter_map(split).collect()
}

fn tree_children(tree: &Tree, node: usize) -> Vec<usize> {
    match &tree.nodes()[node] {
        Node::Leaf => Vec::new(),
        Node::Split(split) => tree.children(split).collect(),
    }
}

fn brute_force(data: &Dataset, tree: &Tree, bag: &Bag, id: MeasureId, entropy: bool) -> Vec<f64> {
    let (in_bag, out) = (Reached::in_bag(data, tree, bag), Reached::out_of_bag(data, tree, bag));
    let all_reached = |children: &[usize]| children.iter().all(|&child| out.weight(child) > 0.0);
    let share = |node: usize| out.weight(node) / out.weight(0);
    match id {
        MeasureId::MdiOob => covariance(tree, &in_bag, &out, &in_bag.mean(0)),
        MeasureId::MdiOobUncentred => {
            covariance(tree, &in_bag, &out, &vec![0.0; data.target().n_outputs()])
        }
        MeasureId::MdiOobNaive => {
            decreases(tree, data, |_| true, |node| share(node) * out.impurity(node, entropy))
        }
        MeasureId::MdiOobNaiveInBagAdded => decreases(tree, data, all_reached, |node| {
            share(node) * (out.impurity(node, entropy) + in_bag.impurity(node, entropy))
        }),
        // The mean squared difference over all pairs; of classes, how often they differ.
        _ => decreases(tree, data, all_reached, |node| {
            let mut sum = 0.0;
            for &(one, first) in &in_bag.by_node[node] {
                for &(other, second) in &out.by_node[node] {
                    let distance = squared_distance(&response(data, one), &response(data, other));
                    let halved = if data.target().classes().is_some() { 0.5 } else { 1.0 };
                    sum += first * second * distance * halved;
                }
            }
            if sum == 0.0 { 0.0 } else { sum / out.weight(node) / in_bag.weight(0) }
        }),
    }
}

const ALL: [MeasureId; 5] = [
    MeasureId::MdiOob,
    MeasureId::MdiOobUncentred,
    MeasureId::MdiOobNaive,
    MeasureId::MdiOobNaiveInBagAdded,
    MeasureId::Ufi,
];

fn check(data: &Dataset, forest: &Forest, id: MeasureId, impurity: Option<Impurity>, what: &str) {
    let settings = MeasureSettings { impurity, ..MeasureSettings::default() };
    let found = measure(data, forest, id, settings);
    let entropy = impurity == Some(Impurity::Entropy);
    let trees = forest.trees().iter().zip(forest.bags().expect("own bags"));
    let expected: Vec<Vec<f64>> =
        trees.map(|(tree, bag)| brute_force(data, tree, bag, id, entropy)).collect();
    assert_eq!(found.per_tree.len(), expected.len());
    for column in 0..data.n_features() {
        let mut sum = 0.0;
        for (tree, expected) in expected.iter().enumerate() {
            assert_close(found.per_tree[tree][column], expected[column], what);
            sum += expected[column] / found.per_tree.len() as f64;
        }
        assert_close(found.values[column].expect("defined"), sum, what);
    }
    let total: f64 = found.values.iter().flatten().map(|value| value.abs()).sum();
    assert!(total > 0.01, "{what}: {total}");
}

#[test]
fn rows_followed_one_by_one_give_the_same() {
    for n_classes in [0, 2, 4] {
        for (missing, weights) in [(false, false), (true, true)] {
            let shape = Shape { n_rows: 80, n_classes, missing, weights, seed: 61 };
            let config = ForestConfig { n_trees: 4, mtry: Some(3), ..ForestConfig::default() };
            let multiway = ForestConfig { splitting: Splitting::Multiway, ..config.clone() };
            for (data, config) in [(dataset(shape), &config), (levels_only(shape), &multiway)] {
                let forest = grow(&data, config);
                for id in ALL {
                    let what = format!("{id:?} {shape:?} {:?}", config.splitting);
                    check(&data, &forest, id, None, &what);
                }
                if n_classes > 0 {
                    let entropy = Some(Impurity::Entropy);
                    check(&data, &forest, MeasureId::MdiOobNaive, entropy, "entropy");
                    check(&data, &forest, MeasureId::MdiOobNaiveInBagAdded, entropy, "entropy");
                }
            }
        }
    }
}

/// Proposition 1 of Li et al.: on in-bag rows the covariance is the mean decrease in impurity.
#[test]
fn on_in_bag_rows_the_covariance_is_mdi() {
    for n_classes in [0, 3] {
        let shape = Shape { n_rows: 120, n_classes, missing: true, weights: true, seed: 62 };
        let data = dataset(shape);
        let forest = grow(&data, &ForestConfig { n_trees: 3, ..ForestConfig::default() });
        let mdi = measure(&data, &forest, MeasureId::Mdi, MeasureSettings::default());
        let bags = forest.bags().expect("own bags");
        for ((tree, bag), mdi) in forest.trees().iter().zip(bags).zip(&mdi.per_tree) {
            let in_bag = Reached::in_bag(&data, tree, bag);
            // Whatever responses are counted from: f sums to zero over the bag.
            for origin in [in_bag.mean(0), vec![0.0; data.target().n_outputs()]] {
                let found = covariance(tree, &in_bag, &in_bag, &origin);
                for (found, mdi) in found.iter().zip(mdi) {
                    assert!((found - mdi).abs() <= 1e-12 * mdi.abs().max(1.0), "{found} {mdi}");
                }
            }
        }
        assert!(mdi.values.iter().flatten().sum::<f64>() > 0.1);
    }
}

/// One tree's columns summed give a group; classes give the whole.
#[test]
fn groups_and_classes_add_up() {
    let shape = Shape { n_rows: 150, n_classes: 3, missing: true, weights: true, seed: 63 };
    let data = dataset(shape);
    let forest = grow(&data, &ForestConfig { n_trees: 6, ..ForestConfig::default() });
    let members = ["one", "more", "constant"].map(str::to_owned).to_vec();
    let grouped = data.clone().with_groups(&[("together".to_owned(), members)]).expect("columns");
    for id in ALL {
        let settings = MeasureSettings { per_class: true, ..MeasureSettings::default() };
        let single = measure(&data, &forest, id, settings);
        let values: Vec<f64> = single.values.iter().map(|value| value.expect("defined")).collect();
        let per_class = single.per_class.expect("asked for");
        assert_eq!(per_class.len(), 3);
        for (column, value) in values.iter().enumerate() {
            let sum = per_class.iter().map(|(_, of_class)| of_class[column].expect("defined"));
            assert_close(sum.sum(), *value, "classes");
        }
        let together = measure(&grouped, &forest, id, MeasureSettings::default());
        let place = grouped.groups().names().iter().position(|name| name == "together");
        let found = together.values[place.expect("a group")].expect("defined");
        assert_close(found, values[0] + values[3] + values[5], "group");
        assert!(together.standard_errors.is_some());
    }
}

#[test]
fn entropy_is_refused_where_it_has_no_form() {
    let shape = Shape { n_rows: 60, n_classes: 2, missing: false, weights: false, seed: 64 };
    let data = dataset(shape);
    let impurity = Some(Impurity::Entropy);
    let config = ForestConfig { n_trees: 3, impurity, ..ForestConfig::default() };
    let forest = grow(&data, &config);
    let run = &Run::on(Threads::new(1).expect("one"));
    for id in [MeasureId::MdiOob, MeasureId::MdiOobUncentred, MeasureId::Ufi] {
        let settings = MeasureSettings { impurity, ..MeasureSettings::default() };
        let refused = forest.measure(&data, &[Measure::new(id, settings).expect("valid")], run);
        let Err(Error::Measure { why, help, .. }) = refused else { panic!("{refused:?}") };
        assert!(why.contains("entropy") && help == "use gini", "{why:?} {help:?}");
        // The trees are as good as any: the measure determines the impurity.
        let found = measure(&data, &forest, id, MeasureSettings::default());
        assert_eq!(found.settings["impurity"], "gini");
        assert!(found.notes[0].contains("grown by entropy"), "{:?}", found.notes);
    }
    let naive = measure(&data, &forest, MeasureId::MdiOobNaive, MeasureSettings::default());
    assert_eq!(naive.settings["impurity"], "entropy");
}
