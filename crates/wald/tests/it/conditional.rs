//! Conditional permutation importance against brute force: all permutations within cells where
//! few rows are out of bag, all pairs within cells where many are.

use wald::data::{Column, Target, Task};
use wald::forest::{Bag, Node, Sampling, Splitting, Tree};
use wald::measure::{Loss, MeasureSettings, Permutations};
use wald::simulate::Friedman1;
use wald::{Dataset, Forest, ForestConfig, Importance, MeasureId};

use crate::permutation::row_loss;
use crate::support::{
    self, Numbers, Shape, assert_close, assert_scattered, best_and_multiway, child, dataset, grow,
    response, weight,
};
use crate::textbook::are_associated;

/// Columns outside of the members that are associated with one of them.
fn conditions(data: &Dataset, members: &[u32], threshold: f64) -> Vec<usize> {
    let associated = |column: usize| {
        members.iter().any(|&member| are_associated(data, (member as usize, column), threshold))
    };
    let outside = (0..data.n_features()).filter(|&column| !members.contains(&(column as u32)));
    outside.filter(|&column| associated(column)).collect()
}

/// True when no split on these columns anywhere in the tree separates two rows.
fn are_alike(data: &Dataset, tree: &Tree, columns: &[usize], (a, b): (usize, usize)) -> bool {
    tree.nodes().iter().all(|node| match node {
        Node::Split(split) if columns.contains(&(split.feature as usize)) => {
            child(data, tree, split, a, None) == child(data, tree, split, b, None)
        }
        _ => true,
    })
}

/// The leaf of a row with the values of all members taken from a donor.
fn leaf(data: &Dataset, tree: &Tree, row: usize, (members, donor): (&[u32], usize)) -> usize {
    let mut node = 0;
    while let Node::Split(split) = &tree.nodes()[node] {
        let from = if members.contains(&split.feature) { donor } else { row };
        node = split.first_child as usize + child(data, tree, split, from, None);
    }
    node
}

/// Calls `each` with every order of the items.
fn permutations(items: &mut Vec<usize>, from: usize, each: &mut impl FnMut(&[usize])) {
    if from == items.len() {
        return each(items);
    }
    for other in from..items.len() {
        items.swap(from, other);
        permutations(items, from + 1, each);
        items.swap(from, other);
    }
}

struct Case<'a> {
    data: &'a Dataset,
    tree: &'a Tree,
    members: &'a [u32],
    loss: Loss,
    /// Out-of-bag rows, each as often as its weight, where weights are whole numbers.
    rows: Vec<usize>,
    conditions: &'a [usize],
}

impl Case<'_> {
    fn new<'a>(
        (data, tree, bag): (&'a Dataset, &'a Tree, &Bag),
        (members, conditions): (&'a [u32], &'a [usize]),
        loss: Loss,
    ) -> Case<'a> {
        let out_of_bag = (0..data.n_rows()).filter(|&row| bag.counts()[row] == 0);
        Case { data, tree, members, loss, rows: out_of_bag.collect(), conditions }
    }

    fn loss(&self, row: usize, donor: usize) -> f64 {
        let leaf = leaf(self.data, self.tree, row, (self.members, donor));
        row_loss(self.data, self.tree, leaf, row, self.loss)
    }

    fn are_alike(&self, a: usize, b: usize) -> bool {
        are_alike(self.data, self.tree, self.conditions, (a, b))
    }
}

/// The mean over all permutations that stay within cells; rows count as often as their
/// weights are.
fn by_permutations(case: &Case<'_>) -> f64 {
    let mut repeated: Vec<usize> = Vec::new();
    for &row in &case.rows {
        repeated.extend(std::iter::repeat_n(row, weight(case.data, row) as usize));
    }
    assert!((1..=8).contains(&repeated.len()), "{}", repeated.len());
    let base: f64 = repeated.iter().map(|&row| case.loss(row, row)).sum();
    let n = repeated.len();
    let table: Vec<Vec<Option<f64>>> = repeated
        .iter()
        .map(|&row| {
            let loss = |&donor: &usize| case.are_alike(row, donor).then(|| case.loss(row, donor));
            repeated.iter().map(loss).collect()
        })
        .collect();
    let (mut sum, mut count) = (0.0, 0.0);
    permutations(&mut (0..n).collect(), 0, &mut |order| {
        let losses = order.iter().enumerate().map(|(row, &donor)| table[row][donor]);
        if let Some(total) = losses.sum::<Option<f64>>() {
            sum += total - base;
            count += 1.0;
        }
    });
    sum / count / n as f64
}

fn by_pairs(case: &Case<'_>) -> f64 {
    let mass: f64 = case.rows.iter().map(|&row| weight(case.data, row)).sum();
    let mut sum = 0.0;
    for &row in &case.rows {
        let donors = case.rows.iter().filter(|&&donor| case.are_alike(row, donor));
        let of_cell: f64 = donors.clone().map(|&donor| weight(case.data, donor)).sum();
        for &donor in donors.filter(|_| weight(case.data, row) > 0.0) {
            let share = weight(case.data, row) * weight(case.data, donor) / of_cell;
            sum += share * (case.loss(row, donor) - case.loss(row, row));
        }
    }
    sum / mass
}

fn measure(data: &Dataset, forest: &Forest, settings: MeasureSettings) -> Importance {
    support::measure(data, forest, MeasureId::ConditionalPermutation, settings)
}

fn losses(data: &Dataset) -> &'static [Loss] {
    match data.target().task() {
        Task::Regression => &[Loss::Squared, Loss::Absolute],
        Task::Classification => &[Loss::Squared, Loss::ZeroOne],
    }
}

/// Compares every group with the mean over trees of brute force; returns the largest value met
/// where something was conditioned on.
fn check(
    (data, forest): (&Dataset, &Forest),
    (threshold, what): (f64, &str),
    brute: impl Fn(&Case<'_>) -> f64,
) -> f64 {
    let mut largest = 0.0_f64;
    for &loss in losses(data) {
        let settings = MeasureSettings {
            loss: Some(loss),
            conditioning_threshold: Some(threshold),
            ..MeasureSettings::default()
        };
        let found = measure(data, forest, settings);
        let counts: Vec<&str> = found.settings["conditioning_variables"].split(',').collect();
        for (group, members) in data.groups().members().iter().enumerate() {
            let conditions = conditions(data, members, threshold);
            if counts[group] != "-" {
                assert_eq!(counts[group], conditions.len().to_string(), "{what} group {group}");
            }
            let bags = forest.bags().expect("own bags");
            let trees: Vec<(&Tree, &Bag)> = forest
                .trees()
                .iter()
                .zip(bags)
                .filter(|(_, bag)| {
                    (0..data.n_rows()).any(|r| bag.counts()[r] == 0 && weight(data, r) > 0.0)
                })
                .collect();
            let values = trees.iter().map(|&(tree, bag)| {
                brute(&Case::new((data, tree, bag), (members, &conditions), loss))
            });
            let expected = values.sum::<f64>() / trees.len() as f64;
            let value = found.values[group].expect("defined");
            assert_close(value, expected, &format!("{what} {loss:?} {threshold} group {group}"));
            if !conditions.is_empty() {
                largest = largest.max(expected.abs());
            }
        }
    }
    largest
}

fn grouped(data: &Dataset) -> Dataset {
    let members = ["two", "few"].map(str::to_owned).to_vec();
    data.clone().with_groups(&[("both".to_owned(), members)]).expect("columns of the table")
}

#[test]
fn expectations_equal_all_permutations_within_cells() {
    let mut largest = 0.0_f64;
    for n_classes in [0, 3] {
        for (missing, weights) in [(false, false), (true, false), (true, true)] {
            for seed in [1, 2] {
                let shape = Shape { n_rows: 16, n_classes, missing, weights: false, seed };
                let mut data = dataset(shape);
                if weights {
                    let weights = (0..16).map(|row| f64::from(row % 5 % 3)).collect();
                    data = data.with_weights(weights).expect("valid weights");
                }
                let config = ForestConfig {
                    n_trees: 4,
                    mtry: Some(4),
                    min_node_size: Some(1),
                    sampling: Sampling::Subsample,
                    sample_fraction: Some(0.65),
                    ..ForestConfig::default()
                };
                let forest = grow(&data, &config);
                for data in [&data, &grouped(&data)] {
                    for threshold in [0.2, 0.8, 1.0] {
                        let what = format!("{shape:?} {weights}");
                        let met = check((data, &forest), (threshold, &what), by_permutations);
                        largest = largest.max(met);
                    }
                }
            }
        }
    }
    assert!(largest > 0.01, "nothing was permuted within cells: {largest}");
}

#[test]
fn expectations_equal_all_pairs_within_cells() {
    for n_classes in [0, 2, 3] {
        for (missing, weights) in [(false, false), (true, false), (true, true)] {
            let shape = Shape { n_rows: 150, n_classes, missing, weights, seed: 3 };
            for (data, config) in best_and_multiway(shape, 3, 3) {
                let forest = grow(&data, &config);
                // Tables of twelve levels need more degrees of freedom than are tabulated.
                let few = config.splitting == Splitting::Best;
                let thresholds: &[f64] = if few { &[0.2, 0.8] } else { &[1.0] };
                for data in [&data, &grouped(&data)] {
                    for &threshold in thresholds {
                        let what = format!("{shape:?} {:?}", config.splitting);
                        let met = check((data, &forest), (threshold, &what), by_pairs);
                        assert!(met > 1e-4 || !few, "no effect in {what}: {met}");
                    }
                }
            }
        }
    }
}

/// Without conditions the measure is that of Breiman and Cutler, bit for bit, random ones too.
#[test]
fn without_associated_variables_it_is_unconditional() {
    let data = dataset(Shape { n_rows: 80, n_classes: 0, missing: true, weights: true, seed: 6 });
    let forest = grow(&data, &ForestConfig { n_trees: 5, ..ForestConfig::default() });
    for permutations in [Permutations::Exact, Permutations::Random(3)] {
        let settings = MeasureSettings { permutations, ..MeasureSettings::default() };
        let unconditional = crate::permutation::measure(&data, &forest, settings.clone());
        let found = measure(
            &data,
            &forest,
            MeasureSettings { conditioning_threshold: Some(1.0), ..settings },
        );
        assert_eq!(found.values, unconditional.values);
        assert_eq!(found.per_tree, unconditional.per_tree);
        assert_eq!(found.repeats, unconditional.repeats);
    }
}

/// Random permutations within cells scatter around their expectation with their spread.
#[test]
fn random_permutations_agree_with_the_expectation() {
    let data = dataset(Shape { n_rows: 150, n_classes: 0, missing: true, weights: false, seed: 4 });
    let config = ForestConfig { n_trees: 5, max_depth: Some(4), ..ForestConfig::default() };
    let forest = grow(&data, &config);
    let settings =
        MeasureSettings { conditioning_threshold: Some(0.8), ..MeasureSettings::default() };
    let exact = measure(&data, &forest, settings.clone());
    let repeats = 400;
    let permutations = Permutations::Random(repeats);
    let random = measure(&data, &forest, MeasureSettings { permutations, ..settings });
    assert_eq!(random.repeats.len(), repeats as usize);
    assert_scattered(&random, &exact);
}

/// A column that only follows another one matters less once the other is held.
#[test]
fn holding_the_cause_takes_away_the_importance_of_its_copy() {
    let mut numbers = Numbers(3);
    let x: Vec<f64> = (0..600).map(|_| numbers.unit()).collect();
    let copy: Vec<f64> = x.iter().map(|x| x + 0.3 * numbers.unit()).collect();
    let y: Vec<f64> = x.iter().map(|x| 3.0 * x + 0.1 * numbers.unit()).collect();
    let columns = vec![Column::numeric("x", x), Column::numeric("copy", copy)]
        .into_iter()
        .collect::<Result<_, _>>();
    let target = Target::regression("y", y).expect("finite");
    let data = Dataset::new(columns.expect("finite"), target).expect("consistent");
    let config =
        ForestConfig { n_trees: 100, mtry: Some(1), max_depth: Some(4), ..ForestConfig::default() };
    let forest = grow(&data, &config);
    let conditional = measure(&data, &forest, MeasureSettings::default());
    let marginal = crate::permutation::measure(&data, &forest, MeasureSettings::default());
    let ratio =
        |found: &Importance| found.values[1].expect("defined") / found.values[0].expect("defined");
    assert!(ratio(&marginal) > 0.4, "{}", ratio(&marginal));
    assert!(ratio(&conditional) < 0.5 * ratio(&marginal), "{}", ratio(&conditional));
    assert_eq!(response(&data, 0).len(), 1);
}

/// The note states the largest share of rows that no donor of their cell sends another way: counted pair by
/// pair.
#[test]
fn values_of_rows_without_other_rows_alike_are_noted() {
    let data = Friedman1 { n_columns: 5, noise: 1.0 }.draw(80, 3).expect("a sample");
    let forest = grow(&data, &ForestConfig { n_trees: 10, seed: 4, ..ForestConfig::default() });
    let measured = |threshold: f64| {
        let settings = MeasureSettings {
            conditioning_threshold: Some(threshold),
            ..MeasureSettings::default()
        };
        support::measure(&data, &forest, MeasureId::ConditionalPermutation, settings)
    };
    let (every, none) = (measured(0.0), measured(1.0 - 1e-12));
    let bags = forest.bags().expect("kept");
    let share_of = |column: u32| {
        let others: Vec<usize> = (0..5).filter(|&other| other != column as usize).collect();
        let of_tree = |(tree, bag): (&Tree, &Bag)| {
            let uses = |node: &Node| matches!(node, Node::Split(at) if at.feature == column);
            tree.nodes().iter().any(uses).then(|| {
                let rows: Vec<usize> = (0..80).filter(|&row| bag.counts()[row] == 0).collect();
                // No row of the same cell is on the other side of any split on the column.
                let is_fixed = |row: &&usize| {
                    rows.iter().all(|&other| {
                        !are_alike(&data, tree, &others, (**row, other))
                            || are_alike(&data, tree, &[column as usize], (**row, other))
                    })
                };
                rows.iter().filter(is_fixed).count() as f64 / rows.len() as f64
            })
        };
        let shares: Vec<f64> = forest.trees().iter().zip(bags).filter_map(of_tree).collect();
        shares.iter().sum::<f64>() / shares.len() as f64
    };
    let most = (0..5).map(share_of).fold(0.0, f64::max);
    let left = (100.0 * (1.0 - most)).ceil();
    let expected = format!("the way through a tree of no more than {left:.0} % of the rows for ");
    let has = |found: &Importance, text: &str| found.notes.iter().any(|note| note.contains(text));
    assert!(most > 0.8 && has(&every, &expected), "{most}: {:?}", every.notes);
    assert!(!has(&none, "alike in the variables conditioned on"), "{:?}", none.notes);
}

/// Two columns that are constant within clusters depend on each other by rows, by clusters they do not.
#[test]
fn rows_of_a_cluster_count_as_one_in_tests() {
    let of =
        |multiplier: usize| (0..240).map(|row| ((row / 20 * multiplier) % 12) as f64).collect();
    let columns = vec![
        Column::numeric("a", of(1)).expect("finite"),
        Column::numeric("b", of(5)).expect("finite"),
        Column::numeric("c", (0..240).map(|row| f64::from(row % 20)).collect()).expect("finite"),
    ];
    let truth = (0..240).map(|row| f64::from(row % 20 + row / 20)).collect();
    let data = Dataset::new(columns, Target::regression("y", truth).expect("finite"));
    let data = data.expect("consistent");
    let clustered = data.clone().with_clusters((0..240).map(|row| row / 20).collect());
    let conditions = |data: &Dataset| {
        let forest = grow(data, &ForestConfig { n_trees: 20, ..ForestConfig::default() });
        let settings =
            MeasureSettings { conditioning_threshold: Some(0.95), ..MeasureSettings::default() };
        let found = support::measure(data, &forest, MeasureId::ConditionalPermutation, settings);
        found.settings["conditioning_variables"].clone()
    };
    assert_eq!(conditions(&data), "1,1,0");
    assert_eq!(conditions(&clustered.expect("consistent")), "0,0,0");
}
