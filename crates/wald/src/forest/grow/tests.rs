//! The arrangement of rows during growing changes no bit of a forest.

use super::*;
use crate::data::{Column, Dataset, Target, Training};
use crate::forest::config::ForestConfig;
use crate::forest::grow::context::Plan;
use crate::forest::sample::Sampler;
use crate::forest::tree::Node;
use crate::forest::trends::{Trend, Trends};
use crate::forest::ways::{ConstantDraws, Impurity, Sampling, Splitting};
use crate::random::Stream;
use crate::run::{Progress, Threads};

/// Columns with and without ties, with missing values, with levels; weights on every
/// other data set; a target of numbers or of the given number of classes.
pub(super) fn dataset(n_rows: usize, n_classes: u32, seed: u64) -> Dataset {
    let mut stream = Stream::new(seed, 0, Purpose::Bag);
    let mut numbers = |n_distinct: u32, share_missing: f64| -> Vec<f64> {
        let one = |_| {
            let value = f64::from(stream.below(n_distinct));
            if stream.unit() < share_missing { f64::NAN } else { value }
        };
        (0..n_rows).map(one).collect()
    };
    let named = |name: &str, values| Column::numeric(name, values).expect("finite or NaN");
    let x = numbers(u32::MAX, 0.0);
    let levels: Vec<u32> = numbers(9, 0.0).iter().map(|&level| level as u32).collect();
    let response: Vec<f64> = x
        .iter()
        .zip(&levels)
        .zip(numbers(1000, 0.0))
        .map(|((x, &level), noise)| x / 4e9 + f64::from(level % 3) + noise / 1000.0)
        .collect();
    let names = (0..9).map(|level| format!("level {level}")).collect();
    let columns = vec![
        named("continuous", x),
        named("missing", numbers(u32::MAX, 0.2)),
        named("tied", numbers(20, 0.0)),
        named("binary", numbers(2, 0.1)),
        named("constant", vec![1.0; n_rows]),
        Column::categorical("levels", names, levels).expect("known levels"),
    ];
    let target = if n_classes == 0 {
        Target::regression("y", response)
    } else {
        let names = (0..n_classes).map(|class| class.to_string()).collect();
        let class = |value: &f64| (value * f64::from(n_classes) / 4.1) as u32;
        Target::classification("y", names, response.iter().map(class).collect())
    };
    let data = Dataset::new(columns, target.expect("finite")).expect("a data set");
    if seed.is_multiple_of(2) {
        return data;
    }
    data.with_weights(numbers(5, 0.0).iter().map(|weight| weight + 0.5).collect())
        .expect("positive weights")
}

/// Constant columns are not drawn, nor do they count for mtry: predictions are the same without them, and with more of
/// them, also where a subspace is drawn. (Random thresholds depend on the place of a column in the order of all.)
#[test]
fn constant_columns_take_nobodys_place() {
    let data = dataset(150, 0, 2);
    let others = |n_constant: usize| {
        let varying = data.features().columns().iter().filter(|column| column.name() != "constant");
        let constant = |at: usize| {
            let name = format!("constant {at}");
            match at % 3 {
                0 => Column::numeric(name, vec![f64::NAN; 150]),
                1 => Column::numeric(name, vec![-7.0; 150]),
                _ => {
                    Column::categorical(name, ["a", "b"].map(str::to_owned).to_vec(), vec![1; 150])
                }
            }
        };
        let constant = (0..n_constant).map(|at| constant(at).expect("a column"));
        let columns = constant.chain(varying.cloned()).collect();
        Dataset::new(columns, data.target().clone()).expect("consistent")
    };
    for (splitting, subspace) in
        [(Splitting::Best, None), (Splitting::Conditional, None), (Splitting::Best, Some(4))]
    {
        let predictions = |n_constant: usize| {
            let n_trees = 5;
            let config = ForestConfig { n_trees, splitting, subspace, ..ForestConfig::default() };
            let fitted = crate::fit(others(n_constant), &config, &crate::Run::on(Threads::ONE));
            let measured =
                fitted.expect("valid settings").measure(&[], &crate::Run::on(Threads::ONE));
            let out_of_bag = measured.expect("nothing to refuse").out_of_bag;
            (0..150).map(|row| out_of_bag.prediction(row)).collect::<Vec<_>>()
        };
        let without = predictions(0);
        assert_eq!(predictions(1), without, "{splitting:?} {subspace:?}");
        assert_eq!(predictions(20), without, "{splitting:?} {subspace:?}");
    }
    let config = ForestConfig::default();
    assert_eq!(config.resolve(&others(0)).expect("valid").mtry, 2);
    assert_eq!(config.resolve(&others(20)).expect("valid").mtry, 2);
    // Where none varies, trees have no split.
    let constant = Column::numeric("x", vec![1.0; 150]).expect("finite");
    let alone = Dataset::new(vec![constant], data.target().clone()).expect("consistent");
    let fitted = crate::fit(alone, &config, &crate::Run::on(Threads::ONE)).expect("valid settings");
    assert!(fitted.forest().trees().iter().all(|tree| tree.n_leaves() == 1));
}

/// One that is as the response has it, and two that bind.
fn trends() -> Trends {
    let trends = [
        ("continuous", Trend::Increasing),
        ("missing", Trend::Increasing),
        ("tied", Trend::Decreasing),
    ];
    trends.into_iter().collect()
}

/// The same with a column of more levels than a byte numbers.
fn with_many_levels(data: &Dataset) -> Dataset {
    let names = (0..300).map(|level| level.to_string()).collect();
    let levels = (0..data.n_rows() as u32).map(|row| row * 7919 % 300).collect();
    let mut columns = data.features().columns().to_vec();
    columns.push(Column::categorical("many levels", names, levels).expect("known levels"));
    let more = Dataset::new(columns, data.target().clone()).expect("a data set");
    match data.weights() {
        Some(weights) => more.with_weights(weights.to_vec()).expect("as before"),
        None => more,
    }
}

/// Rows that are moved with their bins or stay where they are, and several threads.
#[test]
fn the_arrangement_of_bins_changes_no_bit() {
    let [free, bound] = [Trends::default(), trends()];
    for (n_classes, seed, impurity, monotonic) in [
        (0, 0, None, &free),
        (0, 1, None, &free),
        (0, 1, None, &bound),
        (0, 3, Some(Impurity::Poisson), &free),
        (0, 0, Some(Impurity::AbsoluteError), &free),
        (2, 12, None, &free),
        (4, 3, None, &free),
        (4, 6, None, &free),
    ] {
        let data = with_many_levels(&dataset(3000, n_classes, seed));
        let (mtry, max_bins) = (Some(3), Some(40));
        let monotonic = monotonic.clone();
        let config =
            ForestConfig { mtry, impurity, seed, max_bins, monotonic, ..Default::default() };
        let settings = config.resolve(&data).expect("settings that fit");
        let columns: Vec<&Column> = data.features().columns().iter().collect();
        let (target, weights) = (data.target(), data.weights());
        let one = Threads::new(1).expect("one thread");
        let training = Training::new(&columns, &[0, 0, 0, 0, 0, 9, 300], target, weights, one);
        let progress = Progress::new();
        let growing = Growing::new(&training, &columns, &settings, &progress, one);
        let bag = Sampler::new(&data, &settings).bag(0);
        let plan = growing.plan;
        let tree = |keeps_sorted: bool, smaller: [usize; 2], n_threads: usize| {
            let together = (Threads::new(n_threads).expect("few"), 0);
            let growing = Growing { plan: Plan { keeps_sorted, smaller, together }, ..growing };
            growing.grow(0, &bag, &mut Workspace::default()).expect("not cancelled").0
        };
        let expected = tree(true, plan.smaller, 1);
        let splits = |column: u32| {
            let on_it = |node: &Node| matches!(node, Node::Split(split) if split.feature == column);
            expected.nodes().iter().filter(|node| on_it(node)).count()
        };
        let is_large = expected.n_leaves() > 100 && splits(5) > 0 && splits(6) > 0;
        assert!(
            is_large || expected.n_leaves() > 20 && !settings.trends.is_empty(),
            "{n_classes} {seed} {impurity:?}: {} leaves, {} and {} splits on levels",
            expected.n_leaves(),
            splits(5),
            splits(6)
        );
        assert_eq!(tree(false, plan.smaller, 1), expected, "rows that stay");
        assert_eq!(tree(true, [1200, 300], 2), expected, "two threads for one tree");
        assert_eq!(tree(true, plan.smaller, 3), expected, "three threads for one tree");
    }
}

#[test]
fn the_arrangement_of_rows_changes_no_bit() {
    let [free, bound] = [Trends::default(), trends()];
    for (n_classes, impurity, monotonic) in [
        (0, Impurity::Variance, &free),
        (0, Impurity::Variance, &bound),
        (0, Impurity::Poisson, &free),
        (0, Impurity::AbsoluteError, &free),
        (2, Impurity::Gini, &free),
        (2, Impurity::Entropy, &bound),
        (4, Impurity::Gini, &free),
        (3, Impurity::Entropy, &free),
    ] {
        for seed in 0..4 {
            let data = dataset(700, n_classes, seed);
            let impurity = Some(impurity);
            // Trees of all rows draw columns in another order.
            let sampling = if seed > 1 { Sampling::All } else { Sampling::Bootstrap };
            let mtry = Some(if seed == 1 { 1 } else { 3 });
            let config = ForestConfig {
                mtry,
                sampling,
                impurity,
                monotonic: monotonic.clone(),
                constant_draws: ConstantDraws::Search,
                seed,
                ..Default::default()
            };
            let settings = config.resolve(&data).expect("settings that fit");
            let columns: Vec<&Column> = data.features().columns().iter().collect();
            let known = [0, 0, 0, 0, 0, 9];
            let training = Training::new(
                &columns,
                &known,
                data.target(),
                data.weights(),
                crate::run::Threads::all(),
            );
            let progress = Progress::new();
            let one = Threads::new(1).expect("one thread");
            let growing = Growing::new(&training, &columns, &settings, &progress, one);
            let bag = Sampler::new(&data, &settings).bag(0);
            let plan = growing.plan;
            let grow = |plan: Plan| {
                let growing = Growing { plan, ..growing };
                growing.grow(0, &bag, &mut Workspace::default()).expect("not cancelled").0
            };
            let tree = |keeps_sorted: bool, smaller: [usize; 2]| {
                grow(Plan { keeps_sorted, smaller, ..plan })
            };
            let expected = tree(true, [700, 0]);
            assert!(expected.n_leaves() > if settings.trends.is_empty() { 20 } else { 4 });
            assert_eq!(tree(true, [700, 100]), expected, "a smaller arrangement");
            assert_eq!(tree(true, [200, 20]), expected, "a large one and two smaller ones");
            assert_eq!(tree(true, [0, 0]), expected, "a large one");
            assert_eq!(tree(false, [0, 0]), expected, "sorted when asked");
            for (threads, smaller) in [(2, [700, 0]), (3, [300, 20])] {
                let together = (Threads::new(threads).expect("few"), 0);
                let plan = Plan { keeps_sorted: true, smaller, together };
                assert_eq!(grow(plan), expected, "{threads} threads for one tree");
            }
        }
    }
}
