//! Prevalence and precision of every set that is found, from the definition: rows are sent down the
//! stored trees by their values, and leaves are listed one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use wald::data::{Column, Response, Target};
use wald::forest::{Node, Rule};
use wald::interactions::{Interaction, InteractionConfig, interactions};
use wald::simulate::Friedman1;
use wald::words::shortest;
use wald::{Dataset, Fitted, Forest, ForestConfig, Origin, Run};

use crate::support::{Numbers, Shape, child, dataset, threads, weight};

/// A leaf by its definition.
#[derive(Debug, Clone)]
pub struct Leaf {
    /// Variables with `+`, `-` or nothing.
    pub path: BTreeSet<String>,
    pub label: usize,
    pub rows: f64,
    /// Out-of-bag rows, by class.
    out_of_bag: BTreeMap<usize, f64>,
}

/// The class of each row.
fn labels(data: &Dataset) -> Vec<usize> {
    match data.target().response() {
        Response::Classification(classes) => {
            classes.codes().iter().map(|&code| code as usize).collect()
        }
        Response::Regression(values) => {
            let cut = median(data, values);
            values.iter().map(|&value| usize::from(value > cut)).collect()
        }
        Response::Several(_) => panic!("one target"),
    }
}

/// Of rows of positive weight.
fn median(data: &Dataset, values: &[f64]) -> f64 {
    let rows = data.rows_of_positive_weight().into_iter();
    let mut sorted: Vec<f64> = rows.map(|row| values[row as usize]).collect();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2])
}

/// All leaves of a forest, with its out-of-bag rows.
pub fn leaves(forest: &Forest, data: &Dataset) -> Vec<Leaf> {
    let is_out = |tree: usize, row| forest.bags().is_some_and(|bags| bags[tree].counts()[row] == 0);
    leaves_judged_by(forest, data, is_out)
}

/// All leaves of a forest, in which those rows of a tree judge sets.
fn leaves_judged_by(
    forest: &Forest,
    data: &Dataset,
    is_judging: impl Fn(usize, usize) -> bool,
) -> Vec<Leaf> {
    let labels = labels(data);
    let cut = match data.target().response() {
        Response::Regression(values) => Some(median(data, values)),
        Response::Classification(_) | Response::Several(_) => None,
    };
    let mut all = Vec::new();
    for (at, tree) in forest.trees().iter().enumerate() {
        let mut of_tree: BTreeMap<usize, Leaf> = BTreeMap::new();
        for (row, &class) in labels.iter().enumerate() {
            let (mut node, mut path) = (0, BTreeMap::new());
            while let Node::Split(split) = &tree.nodes()[node] {
                let side = child(data, tree, split, row, None);
                let name = &forest.features()[split.feature as usize].name;
                let sign = match split.rule {
                    Rule::AtMost { .. } => ["-", "+"][side],
                    _ => "",
                };
                // The first split on a variable decides.
                path.entry(name.clone()).or_insert(sign);
                node = split.first_child as usize + side;
            }
            let value = tree.value(node);
            let largest = value.iter().copied().fold(f64::MIN, f64::max);
            let label = match cut {
                Some(cut) => usize::from(value[0] > cut),
                None => value.iter().position(|share| *share == largest).expect("a class"),
            };
            let path = path.into_iter().map(|(name, sign)| format!("{name}{sign}")).collect();
            let new = Leaf { path, label, rows: 0.0, out_of_bag: BTreeMap::new() };
            let leaf = of_tree.entry(node).or_insert(new);
            let weight = weight(data, row);
            leaf.rows += weight;
            if is_judging(at, row) {
                *leaf.out_of_bag.entry(class).or_insert(0.0) += weight;
            }
        }
        all.extend(of_tree.into_values());
    }
    all
}

/// A set as its signed variables.
pub fn texts(set: &Interaction) -> BTreeSet<String> {
    set.variables.iter().map(ToString::to_string).collect()
}

/// Checks every number of every set that a search with small trees finds.
fn check(data: Dataset, names: &[String]) {
    let data = Arc::new(data);
    let forest = ForestConfig { n_trees: 15, seed: 3, ..ForestConfig::default() };
    let run = Run::on(threads());
    let fitted = Arc::new(wald::fit(Arc::clone(&data), &forest, &run).expect("a forest"));
    let leaves = leaves(fitted.forest(), &data);
    let usual = InteractionConfig::default();
    let asked = InteractionConfig { trees: 40, depth: 3, min_size: 1, resamples: 0, ..usual };
    let found = interactions(&data, Origin::Fitted(&fitted), &asked, &run).expect("sets");
    assert!(found.sets.len() > 20 && found.is_out_of_bag);
    for set in &found.sets {
        let label = names.iter().position(|name| *name == set.class).expect("a class");
        let variables = texts(set);
        let sum = |is_in: &dyn Fn(&Leaf) -> bool, of: &dyn Fn(&Leaf) -> f64| -> f64 {
            leaves.iter().filter(|leaf| is_in(leaf)).map(of).sum()
        };
        let has = |leaf: &Leaf| variables.is_subset(&leaf.path);
        let is_of = |leaf: &Leaf| leaf.label == label;
        let rows = |leaf: &Leaf| leaf.rows;
        let judging = |leaf: &Leaf| leaf.out_of_bag.values().sum::<f64>();
        let of_class = |leaf: &Leaf| leaf.out_of_bag.get(&label).copied().unwrap_or(0.0);
        let prevalence = sum(&|leaf| has(leaf) && is_of(leaf), &rows) / sum(&is_of, &rows);
        let elsewhere =
            sum(&|leaf| has(leaf) && !is_of(leaf), &rows) / sum(&|leaf| !is_of(leaf), &rows);
        assert_eq!(set.prevalence, prevalence, "{variables:?}");
        assert_eq!(set.prevalence_elsewhere, Some(elsewhere), "{variables:?}");
        let precision = sum(&has, &of_class) / sum(&has, &judging);
        assert_eq!(set.precision, (!precision.is_nan()).then_some(precision), "{variables:?}");
        let without = sum(&|leaf| !has(leaf), &of_class) / sum(&|leaf| !has(leaf), &judging);
        assert_eq!(set.precision_without, (!without.is_nan()).then_some(without));
        assert_eq!(set.stability, None);
    }
    let differences: Vec<f64> = found.sets.iter().map(Interaction::difference).collect();
    assert!(differences.is_sorted_by(|one, other| one >= other));
    let stored =
        Arc::new(Forest::from_bytes(&fitted.forest().to_bytes().expect("bytes")).expect("it"));
    assert_eq!(interactions(&data, Origin::Forest(&stored), &asked, &run), Ok(found));
}

#[test]
fn sets_of_classes_are_counted_as_by_brute_force() {
    for weights in [false, true] {
        let data = dataset(Shape { n_rows: 90, n_classes: 3, missing: true, weights, seed: 4 });
        let names = data.target().classes().expect("classes").to_vec();
        check(data, &names);
    }
}

#[test]
fn sets_of_means_are_counted_as_by_brute_force() {
    for (n_rows, weights) in [(101, false), (90, true)] {
        let data = dataset(Shape { n_rows, n_classes: 0, missing: true, weights, seed: 5 });
        let Response::Regression(values) = data.target().response() else { panic!("numbers") };
        let cut = shortest(median(&data, values));
        check(data, &[format!("<= {cut}"), format!("> {cut}")]);
    }
}

/// y = 1 in 9 % of rows, the more often the larger x is; z is noise.
fn rare_cases(n_rows: usize, seed: u64) -> Dataset {
    let mut numbers = Numbers(seed);
    let rows: Vec<[f64; 3]> = (0..n_rows).map(|_| [0; 3].map(|_| numbers.unit())).collect();
    let column = |at: usize| rows.iter().map(|row| row[at]).collect();
    let columns = [("x", 0), ("z", 1)].map(|(name, at)| Column::numeric(name, column(at)));
    let columns = columns.into_iter().collect::<Result<_, _>>().expect("numbers");
    let codes = rows.iter().map(|row| u32::from(row[2] < 0.27 * row[0] * row[0]));
    let names = ["control", "case"].map(str::to_owned).to_vec();
    let target = Target::classification("y", names, codes.collect()).expect("classes");
    Dataset::new(columns, target).expect("data")
}

/// Rows of rare classes, of which bags draw many, are out of bag half as often as others; precisions are those of
/// new rows nevertheless.
#[test]
fn precisions_of_forests_that_favour_classes_hold_for_new_rows() {
    let (data, new) = (Arc::new(rare_cases(3000, 5)), rare_cases(20_000, 6));
    let forest = ForestConfig {
        n_trees: 100,
        max_depth: Some(3),
        stratify: true,
        ..ForestConfig::default()
    };
    let run = Run::on(threads());
    let fitted = Arc::new(wald::fit(Arc::clone(&data), &forest, &run).expect("a forest"));
    let leaves = leaves_judged_by(fitted.forest(), &new, |_, _| true);
    let asked = InteractionConfig { resamples: 0, ..InteractionConfig::default() };
    let found = interactions(&data, Origin::Fitted(&fitted), &asked, &run).expect("sets");
    assert!(found.is_out_of_bag && !found.sets.is_empty());
    for set in &found.sets {
        let (variables, label) = (texts(set), usize::from(set.class == "case"));
        let share = |has: bool| {
            let those = || leaves.iter().filter(|leaf| variables.is_subset(&leaf.path) == has);
            let judging = those().flat_map(|leaf| leaf.out_of_bag.values()).sum::<f64>();
            those().filter_map(|leaf| leaf.out_of_bag.get(&label)).sum::<f64>() / judging
        };
        assert!((set.precision.expect("rows") - share(true)).abs() < 0.04, "{set:?}");
        assert!((set.precision_without.expect("rows") - share(false)).abs() < 0.04, "{set:?}");
    }
}

/// Columns that count as one variable have no sign, and stand for any of them.
#[test]
fn groups_of_columns_are_one_variable() {
    let groups = [("both".to_owned(), vec!["x1".to_owned(), "x2".to_owned()])];
    let data = Friedman1 { n_columns: 5, noise: 0.5 }.draw(80, 8).expect("rows");
    let data = Arc::new(data.with_groups(&groups).expect("columns"));
    let forest = ForestConfig { n_trees: 15, ..ForestConfig::default() };
    let run = Run::on(threads());
    let fitted: Arc<Fitted> =
        Arc::new(wald::fit(Arc::clone(&data), &forest, &run).expect("a forest"));
    let asked = InteractionConfig { resamples: 0, ..InteractionConfig::default() };
    let found = interactions(&data, Origin::Fitted(&fitted), &asked, &run).expect("sets");
    let leaves = leaves(fitted.forest(), &data);
    let joined = |leaf: &Leaf| -> BTreeSet<String> {
        let is_one = |text: &String| text.starts_with("x1") || text.starts_with("x2");
        leaf.path
            .iter()
            .map(|text| if is_one(text) { "both".to_owned() } else { text.clone() })
            .collect()
    };
    let sets = found.sets.iter().filter(|set| texts(set).contains("both"));
    let mut n_checked = 0;
    for set in sets {
        let label = usize::from(set.class.starts_with('>'));
        let of_class = || leaves.iter().filter(|leaf| leaf.label == label);
        let rows = |has: &dyn Fn(&Leaf) -> bool| -> f64 {
            of_class().filter(|leaf| has(leaf)).map(|leaf| leaf.rows).sum()
        };
        let with = rows(&|leaf| texts(set).is_subset(&joined(leaf)));
        assert_eq!(set.prevalence, with / rows(&|_| true));
        n_checked += 1;
    }
    assert!(n_checked > 3);
}

/// A set that all paths contain leaves no rows for the other leaves, whatever rounding leaves of weights.
#[test]
fn shares_of_no_rows_are_not_defined() {
    for seed in 0..8 {
        let shape = Shape { n_rows: 200, n_classes: 2, missing: true, weights: false, seed };
        let weights = (0..200).map(|row| [0.1, 0.7, 1.3][row % 3]).collect();
        let data = dataset(shape).with_weights(weights).expect("weights");
        let columns = data.features().columns().iter();
        let members = columns.map(|column| column.name().to_owned()).collect();
        let data = Arc::new(data.with_groups(&[("all".to_owned(), members)]).expect("columns"));
        let forest = ForestConfig { n_trees: 40, seed, ..ForestConfig::default() };
        let usual = InteractionConfig::default();
        let config = InteractionConfig { resamples: 0, min_size: 1, depth: 2, ..usual };
        let found = interactions(&data, Origin::Settings(&forest), &config, &Run::all());
        let sets = found.expect("sets").sets;
        assert_eq!(sets.len(), 2, "of each class");
        for set in sets {
            assert!(set.precision.is_some_and(|precision| precision > 0.3));
            assert_eq!((set.prevalence, set.precision_without), (1.0, None), "seed {seed}");
        }
    }
}
