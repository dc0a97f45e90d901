//! Trees whose predictions change in one direction only with some variables: what they predict, their
//! splits against brute force, and what does not fit them.

use wald::data::{Column, ColumnData, Target};
use wald::forest::{
    Bag, Forest, Impurity, Keep, Node, Rule, Sampling, Splitting, Tree, Trend, Trends,
};
use wald::inference::{ConditionalConfig, conditional_test};
use wald::measure::MeasureSettings;
use wald::selection::{BorutaConfig, SelectionState, boruta};
use wald::simulate::Friedman1;
use wald::{Dataset, Features, ForestConfig, Measure, MeasureId, Run, SelectionConfig, Threads};

use crate::growing::by_definition::{describe, divisions, gain};
use crate::support::{Numbers, Shape, assert_close, child, dataset, grow, in_bag_weight};

/// The opposite of what the responses do with the first, and mostly noise for the others.
fn trends() -> Trends {
    [("one", Trend::Decreasing), ("two", Trend::Increasing), ("tied", Trend::Increasing)]
        .into_iter()
        .collect()
}

fn shape(n_classes: u32) -> Shape {
    Shape { n_rows: 150, n_classes, missing: true, weights: true, seed: 14 }
}

/// Numbers that may be counts, or two classes, with everything that tables have.
fn data(n_classes: u32) -> Dataset {
    let data = dataset(shape(n_classes));
    if n_classes > 0 {
        return data;
    }
    let counts = (0..data.n_rows()).map(|row| crate::support::response(&data, row)[0] + 6.0);
    let target = Target::regression("y", counts.collect()).expect("finite");
    let weights = data.weights().expect("weights").to_vec();
    let data = Dataset::new(data.features().columns().to_vec(), target).expect("consistent");
    data.with_weights(weights).expect("valid")
}

fn config() -> ForestConfig {
    ForestConfig {
        n_trees: 5,
        mtry: Some(4),
        min_node_size: Some(3),
        monotonic: trends(),
        ..ForestConfig::default()
    }
}

/// Every way of growing, with the number of classes.
fn ways() -> Vec<(u32, ForestConfig)> {
    let config = config();
    let thresholds = ForestConfig { splitting: Splitting::RandomThreshold, ..config.clone() };
    let with = |impurity| ForestConfig { impurity: Some(impurity), ..config.clone() };
    vec![
        (0, config.clone()),
        (2, config.clone()),
        (2, with(Impurity::Entropy)),
        (0, with(Impurity::Poisson)),
        (0, with(Impurity::AbsoluteError)),
        (0, thresholds.clone()),
        (2, ForestConfig { impurity: Some(Impurity::Entropy), ..thresholds.clone() }),
        (0, ForestConfig { impurity: Some(Impurity::AbsoluteError), ..thresholds.clone() }),
        // Totally randomized trees.
        (2, ForestConfig { mtry: Some(1), n_trees: 60, ..thresholds }),
        (0, ForestConfig { max_bins: Some(12), ..config.clone() }),
        (2, ForestConfig { max_bins: Some(12), sampling: Sampling::All, ..config.clone() }),
        // Rows are sorted when a node asks.
        (0, ForestConfig { mtry: Some(1), subspace: None, n_trees: 20, ..config.clone() }),
        (0, ForestConfig { max_leaf_nodes: Some(9), min_leaf_size: 4, ..config.clone() }),
        (2, ForestConfig { ccp_alpha: 0.004, sampling: Sampling::Subsample, ..config }),
    ]
}

/// Pairs of points that differ in one variable alone.
fn pairs(data: &Dataset, column: usize) -> [Features; 2] {
    let mut numbers = Numbers(3);
    let n = 400;
    let rows: Vec<u32> = (0..n).map(|_| numbers.below(data.n_rows() as u32)).collect();
    let (mut low, mut high) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let (one, other) = (numbers.unit() * 6.0 - 2.5, numbers.unit() * 6.0 - 2.5);
        low.push(one.min(other));
        high.push(one.max(other));
    }
    [low, high].map(|values| {
        let mut columns: Vec<Column> =
            data.features().columns().iter().map(|column| column.select(&rows)).collect();
        let name = columns[column].name().to_owned();
        columns[column] = Column::numeric(name, values).expect("finite");
        Features::new(columns).expect("of one length")
    })
}

/// How much predictions change in the wrong direction at most, in the right one at most.
fn changes(forest: &Forest, data: &Dataset, column: usize, trend: Trend) -> (f64, f64) {
    let run = &Run::on(Threads::new(1).expect("one"));
    let [low, high] = pairs(data, column).map(|rows| forest.predict(&rows, run).expect("fits"));
    let n_outputs = data.target().n_outputs();
    let of_last = |values: Vec<f64>| -> Vec<f64> {
        values.into_iter().skip(n_outputs - 1).step_by(n_outputs).collect()
    };
    let sign = if trend == Trend::Increasing { 1.0 } else { -1.0 };
    let steps = of_last(low).into_iter().zip(of_last(high)).map(|(low, high)| sign * (high - low));
    steps.fold((0.0, 0.0), |(wrong, right), step| (f64::max(wrong, -step), f64::max(right, step)))
}

#[test]
fn predictions_change_in_one_direction() {
    let mut moved = 0.0_f64;
    for (way, (n_classes, config)) in ways().into_iter().enumerate() {
        let data = data(n_classes);
        let forest = grow(&data, &config);
        let free = grow(&data, &ForestConfig { monotonic: Trends::default(), ..config.clone() });
        let mut wrong_without = 0.0_f64;
        for (column, info) in forest.features().iter().enumerate() {
            let Some(trend) = config.monotonic.of(&info.name) else { continue };
            let (wrong, right) = changes(&forest, &data, column, trend);
            assert!(wrong == 0.0, "way {way}, {}: {wrong}", info.name);
            wrong_without = wrong_without.max(changes(&free, &data, column, trend).0);
            moved = moved.max(right);
        }
        assert!(wrong_without > 0.01, "way {way}: nothing had to be refused");
        // Three threads, and a file.
        let run = &Run::on(Threads::new(3).expect("three"));
        assert_eq!(Forest::grow(&data, &config, run).expect("grows"), forest);
        let mut json = Vec::new();
        forest.to_json(&mut json).expect("memory does not fail");
        for bytes in [forest.to_bytes().expect("small"), json] {
            assert_eq!(Forest::read(&bytes, Some(&data), run).as_ref(), Ok(&forest));
        }
    }
    assert!(moved > 0.3, "with variables that matter, predictions change");
}

/// Without trends that bind, a forest is the one without any.
#[test]
fn trends_of_variables_that_do_not_matter_change_nothing() {
    let data = data(0);
    let free = ForestConfig { monotonic: Trends::default(), ..config() };
    let monotonic = [("constant", Trend::Increasing)].into_iter().collect();
    let config = ForestConfig { monotonic, ..free.clone() };
    assert_eq!(grow(&data, &config).trees(), grow(&data, &free).trees());
}

/// How far a division is from breaking its constraints; negative where it breaks them.
fn room(trend: Option<Trend>, [left, right]: [f64; 2], [low, high]: [f64; 2]) -> f64 {
    let order = match trend {
        Some(Trend::Increasing) => right - left,
        Some(Trend::Decreasing) => left - right,
        None => f64::INFINITY,
    };
    [left - low, right - low, high - left, high - right].into_iter().fold(order, f64::min)
}

const INFINITE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

struct Checked<'a> {
    data: &'a Dataset,
    bag: &'a Bag,
    trends: &'a Trends,
    impurity: Impurity,
}

impl Checked<'_> {
    fn value(&self, rows: &[usize]) -> f64 {
        *describe(self.data, self.bag, rows, self.impurity).1.last().expect("an output")
    }

    fn sides(&self, rows: &[usize], left: &[bool]) -> [f64; 2] {
        [true, false].map(|side| {
            let of_side = rows.iter().zip(left).filter(|(_, left)| **left == side);
            self.value(&of_side.map(|(row, _)| *row).collect::<Vec<_>>())
        })
    }

    fn trend(&self, column: usize) -> Option<Trend> {
        self.trends.of(self.data.features().columns()[column].name())
    }

    /// Whether one side has the rows with a value, the other those without.
    fn tells_missing(&self, column: usize, rows: &[usize], left: &[bool]) -> bool {
        let ColumnData::Numeric(values) = self.data.features().columns()[column].data() else {
            return false;
        };
        let is_present = |row: &usize| !values[*row].is_nan();
        rows.iter().zip(left).all(|(row, left)| is_present(row) == *left)
            || rows.iter().zip(left).all(|(row, left)| is_present(row) != *left)
    }

    /// The node's split is the best of those that are allowed; returns the number of splits, and of those
    /// that are not the best of all.
    fn check(&self, tree: &Tree) -> [usize; 2] {
        let is_drawn = |row: &usize| in_bag_weight(self.data, self.bag, *row) > 0.0;
        let root: Vec<usize> = (0..self.data.n_rows()).filter(is_drawn).collect();
        let mut pending = vec![(0, root, INFINITE)];
        let (mut n_splits, mut n_held_back) = (0, 0);
        while let Some((node, rows, bounds)) = pending.pop() {
            let value = *tree.value(node).last().expect("an output");
            assert_close(value, self.value(&rows), "nodes hold means");
            assert!(bounds[0] - 1e-9 <= value && value <= bounds[1] + 1e-9);
            let gain = |left: &Vec<bool>| gain(self.data, self.bag, &rows, left, self.impurity);
            let (mut best, mut best_of_all) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
            for column in 0..self.data.n_features() {
                for left in divisions(self.data, column, &rows) {
                    if !left.contains(&true) || !left.contains(&false) {
                        continue;
                    }
                    let is_told = self.tells_missing(column, &rows, &left);
                    let trend = self.trend(column).filter(|_| !is_told);
                    let found = gain(&left);
                    best_of_all = best_of_all.max(found);
                    // Rounding decides at the edge.
                    if room(trend, self.sides(&rows, &left), bounds) > 1e-9 {
                        best = best.max(found);
                    }
                }
            }
            let Node::Split(split) = &tree.nodes()[node] else {
                let draws: u16 = rows.iter().map(|&row| self.bag.counts()[row]).sum();
                let is_pure = best_of_all < 1e-9;
                assert!(draws <= 3 || is_pure || best == f64::NEG_INFINITY, "leaf {node}: {best}");
                continue;
            };
            n_splits += 1;
            let side = |row: usize| child(self.data, tree, split, row, None);
            let left: Vec<bool> = rows.iter().map(|&row| side(row) == 0).collect();
            let trend = self.trend(split.feature as usize).filter(|_| split.rule != Rule::Present);
            let sides = self.sides(&rows, &left);
            assert!(room(trend, sides, bounds) > -1e-9, "node {node}: {sides:?}, {bounds:?}");
            let taken = gain(&left);
            assert!(taken >= best - 1e-9 * best.abs().max(1.0), "node {node}: {taken}, not {best}");
            n_held_back += usize::from(taken < best_of_all - 1e-6);
            let middle = 0.5 * (sides[0] + sides[1]);
            let [low, high] = bounds;
            let below = match trend {
                Some(Trend::Increasing) => [[low, middle], [middle, high]],
                Some(Trend::Decreasing) => [[middle, high], [low, middle]],
                None => [bounds; 2],
            };
            for (at, bounds) in below.into_iter().enumerate() {
                let rows = rows.iter().copied().filter(|&row| side(row) == at).collect();
                pending.push((split.first_child as usize + at, rows, bounds));
            }
        }
        [n_splits, n_held_back]
    }
}

/// Columns of numbers: of levels, only divisions in the order of their means are tried.
#[test]
fn splits_are_the_best_that_are_allowed() {
    for (n_classes, impurity) in [
        (0, Impurity::Variance),
        (0, Impurity::Poisson),
        (0, Impurity::AbsoluteError),
        (2, Impurity::Gini),
        (2, Impurity::Entropy),
    ] {
        for missing in [false, true] {
            let whole =
                dataset(Shape { n_rows: 60, missing, weights: missing, ..shape(n_classes) });
            let columns: Vec<Column> = whole.features().columns()[..4].to_vec();
            let target = match (n_classes, data(0).target().response()) {
                (0, wald::data::Response::Regression(values)) => {
                    Target::regression("y", values[..60].to_vec()).expect("finite")
                }
                _ => whole.target().clone(),
            };
            let mut data = Dataset::new(columns, target).expect("consistent");
            if let Some(weights) = whole.weights() {
                data = data.with_weights(weights.to_vec()).expect("valid");
            }
            let config = ForestConfig { n_trees: 2, impurity: Some(impurity), ..config() };
            let forest = grow(&data, &config);
            let trends = &config.monotonic;
            let mut counts = [0; 2];
            for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("bags")) {
                let of_tree = Checked { data: &data, bag, trends, impurity }.check(tree);
                counts = [counts[0] + of_tree[0], counts[1] + of_tree[1]];
            }
            assert!(counts[0] > 8 && counts[1] > 2, "{impurity:?}: {counts:?}");
        }
    }
}

/// Measures that grow trees again keep to the trends of the variables that remain, and to the bounds that
/// the nodes above have set: branches are those of whole trees, where all variables compete.
#[test]
fn trees_are_grown_again_within_their_bounds() {
    const SIGNS: [Trend; 5] = [
        Trend::Increasing,
        Trend::Increasing,
        Trend::Decreasing,
        Trend::Increasing,
        Trend::Decreasing,
    ];
    let data = Friedman1::default().draw(200, 1).expect("a valid design");
    for splitting in [Splitting::Best, Splitting::RandomThreshold] {
        let config = |signs: &[Trend]| ForestConfig {
            n_trees: 4,
            mtry: Some(10),
            min_leaf_size: 12,
            splitting,
            monotonic: (1..).map(|at| format!("x{at}")).zip(signs.iter().copied()).collect(),
            ..ForestConfig::default()
        };
        let ids = [MeasureId::TotalSobolRegrow, MeasureId::TotalSobolRetrain];
        let measures = ids.map(Measure::from);
        let run = &Run::on(Threads::new(2).expect("two"));
        let values = |config: &ForestConfig| {
            let keep = Keep::Nothing;
            let grown = Forest::grow_and_measure(&data, config, &measures, keep, run);
            let of = |one: wald::Importance| -> Vec<f64> {
                one.values.into_iter().map(|value| value.expect("defined")).collect()
            };
            grown.expect("applies").measured.importances.into_iter().map(of).collect::<Vec<_>>()
        };
        let bound = values(&config(&SIGNS));
        for (again, whole) in bound[0].iter().zip(&bound[1]) {
            assert_close(*again, *whole, "grown again");
        }
        assert!((bound[0][0] - values(&config(&[]))[0][0]).abs() > 1e-3, "trends matter");
    }
}

/// All measures apply, since nodes hold the means of their rows.
#[test]
fn all_measures_apply() {
    let forest = grow(&data(0), &config());
    assert_eq!(MeasureId::allowed_by(&forest), MeasureId::ALL);
    let found =
        crate::support::measure(&data(0), &forest, MeasureId::SobolMda, MeasureSettings::default());
    assert!(found.values.iter().all(Option::is_some));
}

/// Selection leaves columns out and adds shadows, and what is independent given the others is tested by
/// forests of other targets.
#[test]
fn procedures_that_grow_forests_of_other_columns_keep_the_trends_that_remain() {
    let data = data(0);
    let forest = ForestConfig { n_trees: 3, mtry: None, ..config() };
    let run = &Run::on(Threads::new(1).expect("one"));
    let measure = Measure::from(MeasureId::Mdi);
    let settings = SelectionConfig { folds: 2, ..SelectionConfig::new(forest.clone(), measure) };
    let state = SelectionState::new(&data, &settings);
    wald::select(&data, &settings, state, |_| {}, run).expect("grows");
    let mut settings = BorutaConfig::new(forest.clone()).expect("usual");
    settings.max_runs = 15;
    boruta(&data, &settings, run).expect("grows");
    let settings = ConditionalConfig { folds: 2, ..ConditionalConfig::new(forest) };
    conditional_test(&data, &settings, run).expect("grows");
}

#[test]
fn what_has_no_direction_is_refused() {
    let refused = |n_classes: u32, config: &ForestConfig| {
        config.resolve(&dataset(shape(n_classes))).expect_err("refused").to_string()
    };
    let with = |name: &str| ForestConfig {
        monotonic: [(name, Trend::Decreasing)].into_iter().collect(),
        ..ForestConfig::default()
    };
    assert_eq!(
        refused(3, &config()),
        "`decreasing` was given, but the target has 3 classes, whose probabilities have no common \
         direction"
    );
    assert_eq!(
        refused(0, &with("three")),
        "`decreasing` names \"three\", which is not an input variable"
    );
    assert_eq!(refused(2, &with("few")), "`decreasing` names \"few\", whose levels have no order");
    let conditional =
        ForestConfig { monotonic: trends(), ..ForestConfig::for_splitting(Splitting::Conditional) };
    assert_eq!(
        refused(0, &conditional),
        "`decreasing` was given, but conditional splitting does not compare the predictions of \
         children"
    );
}
