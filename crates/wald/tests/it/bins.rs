//! Trees that divide bins of values instead of values.

use wald::data::{Column, ColumnData, Target};
use wald::forest::{Forest, Impurity, Keep, Node, Rule, Split, Splitting, Trend};
use wald::{Dataset, ForestConfig, Run, Threads};

use crate::support::{Numbers, Shape, all_measures, dataset, grow};

fn binned(most: usize) -> ForestConfig {
    ForestConfig { n_trees: 3, max_bins: Some(most), ..ForestConfig::default() }
}

/// The same columns, numbers rounded to so many distinct values.
fn rounded(data: &Dataset, n_values: f64) -> Dataset {
    let columns = data.features().columns().iter().map(|column| match column.data() {
        ColumnData::Numeric(values) => {
            let round = |value: &f64| (value * n_values / 4.0).floor();
            Column::numeric(column.name(), values.iter().map(round).collect()).expect("finite")
        }
        ColumnData::Categorical(_) => column.clone(),
    });
    let rounded = Dataset::new(columns.collect(), data.target().clone()).expect("a data set");
    match data.weights() {
        Some(weights) => rounded.with_weights(weights.to_vec()).expect("weights"),
        None => rounded,
    }
}

/// Missing values, categories, weights, numbers and classes, in nodes of all sizes.
#[test]
fn columns_of_few_values_are_divided_exactly() {
    for (n_classes, impurity, weights) in [
        (0, Impurity::Variance, false),
        (0, Impurity::Variance, true),
        (2, Impurity::Gini, true),
        (2, Impurity::Entropy, false),
        (4, Impurity::Gini, false),
    ] {
        let seed = u64::from(n_classes) + 5;
        let shape = Shape { n_rows: 5000, n_classes, missing: true, weights, seed };
        let data = rounded(&dataset(shape), 250.0);
        let impurity = Some(impurity);
        let exact = ForestConfig { max_bins: None, impurity, ..binned(255) };
        let expected = grow(&data, &exact);
        let forest = grow(&data, &ForestConfig { max_bins: Some(255), ..exact });
        assert!(expected.trees().iter().all(|tree| tree.n_leaves() > 300));
        assert_eq!(forest.trees(), expected.trees(), "{n_classes} classes");
        // Rows outside the bag are sent down by their bins.
        let out_of_bag = |forest: &Forest| {
            let measured = forest.measure(&data, &[], &Run::on(Threads::ONE)).expect("measured");
            measured.out_of_bag
        };
        assert_eq!(out_of_bag(&forest), out_of_bag(&expected), "{n_classes} classes");
    }
}

/// Bins have the cuts that constraints allow, and no others.
#[test]
fn columns_of_few_values_are_divided_exactly_within_constraints() {
    for n_classes in [0, 2] {
        let shape = Shape { n_rows: 1500, n_classes, missing: true, weights: true, seed: 8 };
        let data = rounded(&dataset(shape), 250.0);
        let monotonic = [("one", Trend::Decreasing), ("two", Trend::Increasing)];
        let free = ForestConfig { max_bins: None, mtry: Some(4), ..binned(255) };
        let exact = ForestConfig { monotonic: monotonic.into_iter().collect(), ..free.clone() };
        let expected = grow(&data, &exact);
        let forest = grow(&data, &ForestConfig { max_bins: Some(255), ..exact });
        assert!(expected.trees().iter().all(|tree| tree.n_leaves() > 20));
        assert_eq!(forest.trees(), expected.trees(), "{n_classes} classes");
        assert_ne!(forest.trees(), grow(&data, &free).trees(), "{n_classes} classes");
    }
}

/// More rows than positions of 16 bits number.
#[test]
fn large_nodes_are_divided_exactly() {
    let mut numbers = Numbers(3);
    let n = 120_000;
    let column = |numbers: &mut Numbers, below: u32| -> Vec<f64> {
        (0..n).map(|_| f64::from(numbers.below(below))).collect()
    };
    let (one, two, three) =
        (column(&mut numbers, 255), column(&mut numbers, 90), column(&mut numbers, 3));
    let y = (0..n).map(|at| (one[at] / 40.0).sin() * three[at] + two[at] * 0.02 + numbers.unit());
    let target = Target::regression("y", y.collect()).expect("finite");
    let columns = [("one", one), ("two", two), ("three", three)];
    let columns = columns.map(|(name, values)| Column::numeric(name, values).expect("finite"));
    let data = Dataset::new(columns.into(), target).expect("a data set");
    let exact = ForestConfig { n_trees: 1, mtry: Some(2), ..ForestConfig::default() };
    let forest = grow(&data, &ForestConfig { max_bins: Some(255), ..exact.clone() });
    assert_eq!(forest.trees(), grow(&data, &exact).trees());
}

/// The numbers of values below the thresholds of a forest, by column.
fn cuts(forest: &Forest, data: &Dataset) -> Vec<Vec<usize>> {
    let mut cuts = vec![Vec::new(); data.n_features()];
    for node in forest.trees().iter().flat_map(wald::forest::Tree::nodes) {
        if let Node::Split(Split { feature, rule: Rule::AtMost { threshold, .. }, .. }) = node {
            let column = &data.features().columns()[*feature as usize];
            let ColumnData::Numeric(values) = column.data() else {
                panic!("a threshold of levels")
            };
            let below = values.iter().filter(|value| *value <= threshold).count();
            cuts[*feature as usize].push(below);
        }
    }
    cuts
}

#[test]
fn thresholds_lie_between_few_bins() {
    let shape = Shape { n_rows: 1600, n_classes: 0, missing: false, weights: false, seed: 4 };
    let data = dataset(shape);
    for most in [2, 16] {
        let forest = grow(&data, &ForestConfig { n_trees: 20, ..binned(most) });
        let mut cuts = cuts(&forest, &data);
        // The first two columns are continuous.
        for below in &mut cuts[..2] {
            assert!(below.len() > 50);
            below.sort_unstable();
            below.dedup();
            assert_eq!(below.len(), most - 1, "{below:?}");
            let middle = below[most / 2 - 1];
            assert!(
                middle.abs_diff(800) <= 16,
                "half of the bins hold half of the rows: {below:?}"
            );
        }
    }
}

/// What bins are for: the same divisions as those of the numbers of the bins.
#[test]
fn bins_are_divided_as_their_numbers_are() {
    let mut numbers = Numbers(8);
    let columns: Vec<Vec<f64>> =
        (0..3).map(|_| (0..3200).map(|_| numbers.unit()).collect()).collect();
    let y = (0..3200).map(|row| columns[0][row] * columns[1][row] + columns[2][row].powi(3));
    let target = Target::regression("y", y.collect()).expect("finite");
    let data = |columns: &[Vec<f64>]| {
        let named =
            |(at, values): (usize, &Vec<f64>)| Column::numeric(format!("x{at}"), values.clone());
        let columns = columns.iter().enumerate().map(|at| named(at).expect("finite"));
        Dataset::new(columns.collect(), target.clone()).expect("a data set")
    };
    // The thresholds of many trees are all that there are.
    let many = ForestConfig { n_trees: 100, ..binned(16) };
    let mut ends = cuts(&grow(&data(&columns), &many), &data(&columns));
    ends.iter_mut().for_each(|ends| {
        ends.sort_unstable();
        ends.dedup();
        assert_eq!(ends.len(), 15);
    });
    let number_of_bin = |(values, ends): (&Vec<f64>, &Vec<usize>)| -> Vec<f64> {
        let rank = |value: &f64| values.iter().filter(|other| *other < value).count();
        values.iter().map(|value| ends.partition_point(|&end| end <= rank(value)) as f64).collect()
    };
    let numbered: Vec<Vec<f64>> = columns.iter().zip(&ends).map(number_of_bin).collect();
    let config =
        ForestConfig { mtry: Some(3), max_depth: Some(7), min_leaf_size: 20, ..binned(16) };
    let forest = grow(&data(&columns), &config);
    let expected = grow(&data(&numbered), &ForestConfig { max_bins: None, ..config });
    for (tree, expected) in forest.trees().iter().zip(expected.trees()) {
        let splits = |tree: &wald::forest::Tree| -> Vec<Option<(u32, u32)>> {
            let split = |node: &Node| match node {
                Node::Leaf => None,
                Node::Split(split) => Some((split.feature, split.first_child)),
            };
            tree.nodes().iter().map(split).collect()
        };
        assert!(tree.n_leaves() > 50);
        assert_eq!(splits(tree), splits(expected));
        for node in 0..tree.n_nodes() {
            assert_eq!(tree.value(node), expected.value(node));
        }
    }
}

#[test]
fn measures_do_not_depend_on_threads_or_storing() {
    let shape = Shape { n_rows: 900, n_classes: 2, missing: true, weights: true, seed: 6 };
    let data = dataset(shape);
    let measures = all_measures(&data);
    let config = ForestConfig { n_trees: 4, ..binned(12) };
    let on = |threads: usize| Run::on(Threads::new(threads).expect("few"));
    let measured = |threads: usize| {
        let grown = Forest::grow_and_measure(&data, &config, &measures, Keep::Trees, &on(threads));
        let grown = grown.expect("grown");
        (grown.forest.expect("kept"), grown.measured.importances, grown.measured.out_of_bag)
    };
    let (forest, importances, out_of_bag) = measured(1);
    assert_eq!(measured(3), (forest.clone(), importances.clone(), out_of_bag.clone()));
    let bytes = forest.to_bytes().expect("a forest");
    let read = Forest::read(&bytes, Some(&data), &on(2)).expect("intact");
    assert_eq!(read.config().and_then(|config| config.max_bins), Some(12));
    let stored = read.measure(&data, &measures, &on(2)).expect("measured");
    assert_eq!((stored.importances, stored.out_of_bag), (importances, out_of_bag));
    let predictions = read.predict(data.features(), &on(2)).expect("predicted");
    assert!(predictions.iter().all(|prediction| prediction.is_finite()));
}

#[test]
fn numbers_of_bins_that_a_byte_does_not_hold_are_refused() {
    for most in [0, 1, 256, 1000] {
        let refused = binned(most).validate().expect_err("no number of bins");
        assert_eq!(refused.to_string(), format!("`max_bins` is {most}"));
        let help = refused.help();
        assert!(help.contains("between 2 and 255"), "{help}");
    }
    for most in [2, 255] {
        assert_eq!(binned(most).validate(), Ok(()));
    }
    let config = ForestConfig { splitting: Splitting::RandomThreshold, ..binned(255) };
    let refused = config.validate().expect_err("no bins");
    assert!(refused.to_string().contains("only best splitting"), "{refused}");
}
