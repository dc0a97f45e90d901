//! Forests of several targets: against forests of one number, of classes, and brute force.

use std::sync::Arc;

use wald::data::{Column, ColumnData, Outputs, Response, Target};
use wald::forest::{Forest, Predictions, Sampling, Splitting, Tree};
use wald::measure::MeasureSettings;
use wald::pass::Errors;
use wald::{Dataset, ForestConfig, Importance, Measure, MeasureId, Run, Threads};

use crate::support::{Numbers, Shape, assert_close, dataset};

pub fn with_outputs(data: &Dataset, outputs: Outputs) -> Dataset {
    let target = Target::several("y", outputs).expect("finite");
    let several = Dataset::new(data.features().columns().to_vec(), target).expect("consistent");
    match data.weights() {
        Some(weights) => several.with_weights(weights.to_vec()).expect("valid weights"),
        None => several,
    }
}

pub fn names(count: usize) -> Vec<String> {
    (0..count).map(|output| format!("y{output}")).collect()
}

/// The classes of a table as columns of zeros and ones.
fn indicators(data: &Dataset) -> Dataset {
    let Response::Classification(classes) = data.target().response() else { panic!("classes") };
    let count = classes.levels().len();
    let values = classes
        .codes()
        .iter()
        .flat_map(|&code| (0..count).map(move |class| f64::from(u8::from(class == code as usize))));
    with_outputs(data, Outputs::new(names(count), values.collect(), 1).expect("whole rows"))
}

/// Three targets of which one has another scale.
pub fn three(shape: Shape) -> Dataset {
    let data = dataset(shape);
    let Response::Regression(y) = data.target().response() else { panic!("numbers") };
    let mut numbers = Numbers(shape.seed + 1);
    let values = y.iter().flat_map(|y| {
        [*y, 10.0 * (y - 2.0).abs() + numbers.unit(), 1e8 + numbers.unit() + f64::from(*y > 3.0)]
    });
    with_outputs(&data, Outputs::new(names(3), values.collect(), 3).expect("whole rows"))
}

pub fn grow(data: &Dataset, config: &ForestConfig, n_threads: usize) -> Forest {
    let run = &Run::on(Threads::new(n_threads).expect("threads"));
    Forest::grow(data, config, run).expect("valid settings")
}

pub fn measured(forest: &Forest, data: &Dataset, id: MeasureId) -> Importance {
    let settings = MeasureSettings { test: Some(Arc::new(data.clone())), ..Default::default() };
    let measure = Measure::new(id, settings).expect("sensible settings");
    let measured = forest.measure(data, &[measure], &Run::all()).expect("applies");
    measured.importances.into_iter().next().expect("one measure")
}

fn importance(forest: &Forest, data: &Dataset, id: MeasureId) -> Vec<f64> {
    measured(forest, data, id).values.iter().map(|value| value.expect("defined")).collect()
}

/// Same splits, same numbers.
fn check_equal(tree: &Tree, other: &Tree) {
    assert_eq!(tree.nodes(), other.nodes());
    assert_eq!(tree.level_sets(), other.level_sets());
    let (known, of_other) = (tree.statistics().expect("grown"), other.statistics().expect("grown"));
    for node in 0..tree.n_nodes() {
        assert_close(known.weight(node), of_other.weight(node), "weight");
        assert_close(known.impurity(node), of_other.impurity(node), "impurity");
        for (value, other) in tree.value(node).iter().zip(&*other.value(node)) {
            assert_close(*value, *other, "value");
        }
    }
}

fn configs() -> Vec<ForestConfig> {
    let base = ForestConfig { n_trees: 5, min_node_size: Some(2), ..ForestConfig::default() };
    vec![
        ForestConfig { mtry: Some(6), ..base.clone() },
        ForestConfig { seed: 5, min_leaf_size: 3, ..base.clone() },
        ForestConfig { max_depth: Some(4), sampling: Sampling::Subsample, ..base.clone() },
        ForestConfig { max_leaf_nodes: Some(9), min_impurity_decrease: 1e-3, ..base.clone() },
        ForestConfig { ccp_alpha: 1e-3, min_weight_fraction_leaf: 0.02, ..base.clone() },
        ForestConfig { splitting: Splitting::RandomThreshold, mtry: Some(4), ..base },
    ]
}

#[test]
fn one_output_is_a_number() {
    for (missing, weights) in [(false, false), (true, false), (false, true), (true, true)] {
        let data = dataset(Shape { n_rows: 150, n_classes: 0, missing, weights, seed: 3 });
        let Response::Regression(y) = data.target().response() else { panic!("numbers") };
        let outputs = Outputs::new(names(1), y.clone(), 1).expect("whole rows");
        let several = with_outputs(&data, outputs);
        for config in configs() {
            let (one, other) = (grow(&data, &config, 1), grow(&several, &config, 1));
            for (tree, other) in one.trees().iter().zip(other.trees()) {
                check_equal(tree, other);
            }
            let of_forests = [(&one, &data), (&other, &several)];
            let [mdi, of_several] = of_forests.map(|(f, d)| importance(f, d, MeasureId::Mdi));
            mdi.iter().zip(&of_several).for_each(|(one, other)| assert_close(*one, *other, "mdi"));
        }
    }
}

/// Impurities and their decreases are means over the targets.
#[test]
fn a_target_that_is_given_twice_is_a_number() {
    let shape = Shape { n_rows: 150, n_classes: 0, missing: true, weights: true, seed: 5 };
    let data = without_levels(&dataset(shape));
    let Response::Regression(y) = data.target().response() else { panic!("numbers") };
    let values = y.iter().flat_map(|y| [*y, *y]).collect();
    let twice = with_outputs(&data, Outputs::new(names(2), values, 2).expect("whole rows"));
    let plain = ForestConfig { n_trees: 3, seed: 2, ..ForestConfig::default() };
    let whole = grow(&data, &plain, 1);
    let known = whole.trees()[0].statistics().expect("grown");
    let some = known.impurity(0) / 40.0;
    for config in [
        plain.clone(),
        ForestConfig { min_impurity_decrease: some, ..plain.clone() },
        ForestConfig { ccp_alpha: some, ..plain.clone() },
    ] {
        let (one, other) = (grow(&data, &config, 1), grow(&twice, &config, 1));
        let is_limited = config.min_impurity_decrease > 0.0 || config.ccp_alpha > 0.0;
        for ((tree, other), full) in one.trees().iter().zip(other.trees()).zip(whole.trees()) {
            assert_eq!(tree.nodes(), other.nodes());
            assert_eq!(tree.n_nodes() < full.n_nodes(), is_limited);
            let [known, of_other] = [tree, other].map(|tree| tree.statistics().expect("grown"));
            for node in 0..tree.n_nodes() {
                assert_close(known.impurity(node), of_other.impurity(node), "impurity");
            }
        }
    }
}

fn without_levels(data: &Dataset) -> Dataset {
    let is_number = |column: &&Column| matches!(column.data(), ColumnData::Numeric(_));
    let columns = data.features().columns().iter().filter(is_number).cloned().collect();
    let numbers = Dataset::new(columns, data.target().clone()).expect("consistent");
    numbers.with_weights(data.weights().expect("weights").to_vec()).expect("valid weights")
}

/// Splits by the Gini impurity are those by the variances of the indicators, summed.
#[test]
fn classes_are_their_indicators() {
    for n_classes in [2, 3, 5] {
        let shape = Shape { n_rows: 160, n_classes, missing: true, weights: true, seed: 8 };
        let mut data = dataset(shape);
        if n_classes == 2 {
            // Levels are divided alike, but the sides of some divisions are exchanged.
            data = without_levels(&data);
        }
        let several = indicators(&data);
        for config in configs() {
            let mtry = config.mtry.map(|mtry| mtry.min(data.n_features()));
            let config = ForestConfig { mtry, ..config };
            let (one, other) = (grow(&data, &config, 2), grow(&several, &config, 2));
            for (tree, other) in one.trees().iter().zip(other.trees()) {
                check_equal(tree, other);
            }
            let of_forests = [(&one, &data), (&other, &several)];
            for &id in DEFINED {
                let [found, of_several] = of_forests.map(|(f, d)| measured(f, d, id));
                let zipped = |one: &[Option<f64>], other: &[Option<f64>]| {
                    for (one, other) in one.iter().zip(other) {
                        assert_close(one.expect("defined"), other.expect("defined"), id.info().id);
                    }
                };
                zipped(&found.values, &of_several.values);
                let errors = [&found, &of_several].map(|found| found.standard_errors.as_deref());
                zipped(errors[0].unwrap_or_default(), errors[1].unwrap_or_default());
            }
            let [errors, of_several] = of_forests.map(|(forest, data)| {
                forest.measure(data, &[], &Run::all()).expect("grown").errors.expect("out of bag")
            });
            let Errors::Classification { squared, explained_variance, .. } = errors else {
                panic!("classes")
            };
            let Errors::Regression { squared: sum, explained_variance: share, .. } = of_several
            else {
                panic!("numbers")
            };
            assert_close(squared, sum, "Brier score");
            assert_close(explained_variance.expect("varies"), share.expect("varies"), "share");
        }
    }
}

/// Many levels are ordered along the principal component of the outputs' means, as of classes.
#[test]
fn many_levels_of_classes_are_divided_as_those_of_their_indicators() {
    let mut numbers = Numbers(2);
    let n = 400;
    let levels: Vec<u32> = (0..n).map(|_| numbers.below(30)).collect();
    let names: Vec<String> = (0..30).map(|level| format!("L{level}")).collect();
    let codes = levels.iter().map(|level| (level * 7 % 4 + numbers.below(2)) % 4).collect();
    let column = Column::categorical("many", names, levels).expect("valid codes");
    let classes = (0..4).map(|class| format!("c{class}")).collect();
    let target = Target::classification("y", classes, codes).expect("valid codes");
    let data = Dataset::new(vec![column], target).expect("consistent");
    let config = ForestConfig { n_trees: 10, min_node_size: Some(20), ..ForestConfig::default() };
    let (one, other) = (grow(&data, &config, 1), grow(&indicators(&data), &config, 1));
    assert!(one.trees().iter().all(|tree| tree.n_nodes() > 5));
    for (tree, other) in one.trees().iter().zip(other.trees()) {
        check_equal(tree, other);
    }
}

/// The best threshold of the root of one variable, by definition.
#[test]
fn the_root_has_the_largest_decrease_of_the_mean_variance() {
    let mut numbers = Numbers(11);
    let n = 60;
    let x: Vec<f64> = (0..n).map(|_| numbers.unit()).collect();
    let values: Vec<f64> = x
        .iter()
        .flat_map(|x| [numbers.unit(), 3.0 * f64::from(*x > 0.6), 2.0 * f64::from(*x > 0.3)])
        .collect();
    let variance = |rows: &[usize]| -> f64 {
        let of_output = |output: usize| {
            let values: Vec<f64> = rows.iter().map(|row| values[row * 3 + output]).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64
        };
        (0..3).map(of_output).sum::<f64>() / 3.0
    };
    let all: Vec<usize> = (0..n).collect();
    let impurity_below = |cut: f64| {
        let (left, right): (Vec<usize>, Vec<usize>) = all.iter().partition(|row| x[**row] <= cut);
        [left, right].iter().map(|rows| rows.len() as f64 * variance(rows)).sum::<f64>() / n as f64
    };
    let cuts = x.iter().copied().filter(|cut| x.iter().any(|x| x > cut));
    let least = cuts.map(impurity_below).fold(f64::INFINITY, f64::min);
    let outputs = Outputs::new(names(3), values.clone(), 3).expect("whole rows");
    let target = Target::several("y", outputs).expect("finite");
    let column = Column::numeric("x", x.clone()).expect("finite");
    let data = Dataset::new(vec![column], target).expect("consistent");
    let config = ForestConfig {
        n_trees: 1,
        sampling: Sampling::All,
        max_depth: Some(1),
        ..ForestConfig::default()
    };
    let forest = grow(&data, &config, 1);
    let known = forest.trees()[0].statistics().expect("grown");
    assert_close(known.impurity(0), variance(&all), "impurity of the root");
    let below = (1..3).map(|node| known.weight(node) * known.impurity(node)).sum::<f64>();
    assert_close(below / known.weight(0), least, "impurity of the children");
    let mdi = importance(&forest, &data, MeasureId::Mdi);
    assert_close(mdi[0], variance(&all) - least, "mdi");
}

#[test]
fn bits_do_not_depend_on_threads_and_survive_files() {
    let data = three(Shape { n_rows: 200, n_classes: 0, missing: true, weights: true, seed: 4 });
    for config in configs() {
        let forest = grow(&data, &config, 1);
        assert_eq!(forest, grow(&data, &config, 2));
        let few = ForestConfig { n_trees: 2, ..config.clone() };
        let more = grow(&data, &few, 1).grow_more(&data, &config, &Run::all()).expect("the same");
        assert_eq!(more.forest, Some(forest.clone()));
        let bytes = forest.to_bytes().expect("small");
        let read = Forest::read(&bytes, Some(&data), &Run::all()).expect("intact, and its data");
        assert_eq!(read, forest);
        assert_eq!(read.target().outputs.as_ref().map(|outputs| outputs.n_targets), Some(3));
    }
    // A tree that is shared by threads.
    let data =
        three(Shape { n_rows: 12_000, n_classes: 0, missing: true, weights: false, seed: 4 });
    let config = ForestConfig { n_trees: 1, min_node_size: Some(50), ..ForestConfig::default() };
    assert_eq!(grow(&data, &config, 1), grow(&data, &config, 2));
}

#[test]
fn predictions_are_means_over_trees_of_all_outputs() {
    let data = three(Shape { n_rows: 80, n_classes: 0, missing: false, weights: false, seed: 9 });
    let config = ForestConfig { n_trees: 7, ..ForestConfig::default() };
    let run = &Run::all();
    let fitted = wald::fit(data.clone(), &config, run).expect("valid settings");
    let forest = fitted.forest();
    let predictions = forest.predict(data.features(), run).expect("its columns");
    let leaves = forest.leaves(data.features(), run).expect("its columns");
    let measured = fitted.measure(&[], run).expect("its data");
    let outputs = data.target().outputs().expect("several");
    let (mut squared, mut n_out_of_bag) = (0.0, 0.0);
    for row in 0..data.n_rows() {
        let of_trees = |out_of_bag: bool| -> Vec<f64> {
            let counts = |tree: &usize| {
                !out_of_bag || forest.bags().expect("wald's own")[*tree].counts()[row] == 0
            };
            let trees: Vec<usize> = (0..7).filter(counts).collect();
            let value = |output: usize| {
                let of = |&tree: &usize| {
                    forest.trees()[tree].value(leaves[row * 7 + tree] as usize)[output]
                };
                trees.iter().map(of).sum::<f64>() / trees.len() as f64
            };
            (0..3).map(value).collect()
        };
        for (value, mean) in predictions[row * 3..][..3].iter().zip(of_trees(false)) {
            assert_close(*value, mean, "prediction");
        }
        if let Some(found) = measured.out_of_bag.prediction(row) {
            let means = of_trees(true);
            for (value, mean) in found.iter().zip(&means) {
                assert_close(*value, *mean, "out-of-bag prediction");
            }
            let each = outputs.row(row).iter().zip(&means);
            squared += each.map(|(truth, mean)| (truth - mean).powi(2)).sum::<f64>() / 3.0;
            n_out_of_bag += 1.0;
        }
    }
    let Some(Errors::Regression { squared: found, .. }) = measured.errors else { panic!("errors") };
    assert_close(found, squared / n_out_of_bag, "mean squared error");
    let frame = Predictions { forest, values: &predictions }.frame();
    assert_eq!(frame.columns.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["y0", "y1", "y2"]);
}

/// Measures that are defined for several targets.
pub const DEFINED: &[MeasureId] = &[
    MeasureId::Mdi,
    MeasureId::MdaBreimanCutler,
    MeasureId::MdaIshwaranKogalur,
    MeasureId::MdaTrainTest,
    MeasureId::SobolMda,
];
