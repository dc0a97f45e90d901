//! What the theorems say of importances of populations, on random distributions; Shapley values by
//! brute force over all orders.

use std::collections::BTreeMap;

use wald::data::{Column, MISSING_LEVEL, Target};
use wald::forest::Impurity;
use wald::population::{Limits, Relevance, TreeSettings, VariableSet};
use wald::{Dataset, Error, Monitor, Population, Threads};

use crate::multiway_limits::{digits, exclusive_or};
use crate::population::{assert_near, best_of, exact};
use crate::support::Numbers;

/// A joint distribution: levels of the variables, the target's value, and a weight, by row.
#[derive(Debug, Clone)]
pub struct Joint {
    pub rows: Vec<(Vec<u32>, u32, f64)>,
}

pub const IMPURITIES: [Impurity; 3] = [Impurity::Entropy, Impurity::Gini, Impurity::Variance];

impl Joint {
    /// Variables of so many levels, three values of the target, and random weights that do not add
    /// up to one; some are zero.
    pub fn random(n_levels: &[u32], seed: u64) -> Self {
        let mut numbers = Numbers(seed);
        let mut cells = vec![Vec::new()];
        for &n in n_levels {
            let longer = |cell: &Vec<u32>| {
                (0..n).map(|level| [cell.as_slice(), &[level]].concat()).collect::<Vec<_>>()
            };
            cells = cells.iter().flat_map(longer).collect();
        }
        let rows = cells.iter().flat_map(|cell| (0..3).map(move |y| (cell.clone(), y)));
        let weighed = rows.map(|(cell, y)| {
            let weight = (numbers.unit() - 0.3).max(0.0);
            (cell, y, weight * weight)
        });
        Self { rows: weighed.collect() }
    }

    pub fn data(&self) -> Dataset {
        self.data_for(Impurity::Entropy)
    }

    pub fn data_for(&self, impurity: Impurity) -> Dataset {
        let column = |variable: usize| {
            let codes: Vec<u32> = self.rows.iter().map(|(levels, ..)| levels[variable]).collect();
            let names = (0..10).map(|level| format!("level {level}")).collect();
            Column::categorical(format!("x{variable}"), names, codes).expect("codes")
        };
        let y = self.rows.iter().map(|(_, y, _)| *y);
        let target = if impurity == Impurity::Variance {
            Target::regression("y", y.map(|y| f64::from(y * y)).collect())
        } else {
            Target::classification("y", (0..6).map(|y| y.to_string()).collect(), y.collect())
        };
        let columns = (0..self.n_variables()).map(column).collect();
        let data = Dataset::new(columns, target.expect("valid")).expect("consistent");
        data.with_weights(self.rows.iter().map(|(.., weight)| *weight).collect()).expect("positive")
    }

    pub fn population(&self, impurity: Impurity) -> Population {
        Population::new(&self.data_for(impurity), Some(impurity)).expect("categories")
    }

    pub fn n_variables(&self) -> usize {
        self.rows[0].0.len()
    }

    /// Rows that agree with a row in some variables.
    pub fn cell(&self, levels: &[u32], known: &[usize]) -> Vec<(u32, f64)> {
        let agrees = |other: &Vec<u32>| known.iter().all(|&v| other[v] == levels[v]);
        let rows = self.rows.iter().filter(|(other, ..)| agrees(other));
        rows.map(|(_, y, weight)| (*y, *weight)).collect()
    }

    /// The impurity that is left when some variables are known, by definition.
    pub fn left(&self, known: &[usize], impurity: Impurity) -> f64 {
        let mut cells = BTreeMap::<Vec<u32>, Vec<(u32, f64)>>::new();
        for (levels, y, weight) in &self.rows {
            let key = known.iter().map(|&variable| levels[variable]).collect();
            cells.entry(key).or_default().push((*y, *weight));
        }
        let total: f64 = self.rows.iter().map(|(.., weight)| weight).sum();
        let weight = |cell: &[(u32, f64)]| cell.iter().map(|(_, weight)| weight).sum::<f64>();
        let of_cell = |cell: &Vec<(u32, f64)>| weight(cell) / total * impure(cell, impurity);
        cells.values().filter(|cell| weight(cell) > 0.0).map(of_cell).sum()
    }
}

/// The impurity of weighted values of the target, by definition.
pub fn impure(cell: &[(u32, f64)], impurity: Impurity) -> f64 {
    let total: f64 = cell.iter().map(|(_, weight)| weight).sum();
    let value = |y: u32| f64::from(y * y);
    let mean = cell.iter().map(|&(y, weight)| weight * value(y)).sum::<f64>() / total;
    let squares = cell.iter().map(|&(y, weight)| weight * (value(y) - mean).powi(2));
    let share = |class: u32| {
        cell.iter().filter(|(y, _)| *y == class).map(|(_, weight)| weight / total).sum::<f64>()
    };
    let shares = (0..6).map(share).filter(|share| *share > 0.0);
    match impurity {
        Impurity::Variance => squares.sum::<f64>() / total,
        Impurity::Gini => 1.0 - shares.map(|share| share * share).sum::<f64>(),
        Impurity::Entropy => -shares.map(|share| share * share.log2()).sum::<f64>(),
    }
}

/// All orders of the numbers below n.
pub fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let longer = |order: Vec<usize>| {
        (0..=order.len()).map(move |place| {
            let mut longer = order.clone();
            longer.insert(place, n - 1);
            longer
        })
    };
    orders(n - 1).into_iter().flat_map(longer).collect()
}

/// Shapley values of a game, by brute force.
pub fn shapley(n: usize, game: impl Fn(&[usize]) -> f64) -> Vec<f64> {
    let mut values = vec![0.0; n];
    let orders = orders(n);
    for order in &orders {
        for (place, &player) in order.iter().enumerate() {
            let (mut before, mut after) = (order[..place].to_vec(), order[..=place].to_vec());
            before.sort_unstable();
            after.sort_unstable();
            values[player] += (game(&after) - game(&before)) / orders.len() as f64;
        }
    }
    values
}

#[test]
fn importances_are_shapley_values() {
    for (seed, n_levels) in [[2, 3, 2, 2], [3, 2, 4, 2], [2, 2, 2, 2]].iter().enumerate() {
        for impurity in IMPURITIES {
            let joint = Joint::random(n_levels, seed as u64);
            let mut games = BTreeMap::new();
            for bits in 0..16_usize {
                let known: Vec<usize> = (0..4).filter(|v| bits >> v & 1 == 1).collect();
                let told = joint.left(&[], impurity) - joint.left(&known, impurity);
                games.insert(known, told);
            }
            let exact = exact(&joint.population(impurity));
            assert_near(&exact.importances().values(), &shapley(4, |known| games[known]), 1e-12);
            for (known, told) in &games {
                assert_near(&[exact.information(VariableSet::of(known))], &[*told], 1e-12);
            }
        }
    }
}

#[test]
fn terms_add_up_to_importances_by_degree() {
    let exact = exact(&Joint::random(&[3, 2, 2, 3, 2], 5).population(Impurity::Entropy));
    for (variable, by_degree) in exact.importances().by_degree.iter().enumerate() {
        let mut sums = vec![0.0; 5];
        for term in exact.terms(variable) {
            assert!(!term.known.contains(variable));
            sums[term.known.len()] += term.contribution;
        }
        assert_near(&sums, by_degree, 1e-14);
        let largest = exact.largest_terms(variable, 3);
        assert!(largest.is_sorted_by(|one, other| one.contribution >= other.contribution));
        let most = exact.terms(variable).map(|term| term.contribution).fold(0.0, f64::max);
        assert_eq!((largest.len(), largest[0].contribution), (3, most));
    }
}

#[test]
fn trees_that_choose_are_followed_exactly() {
    let cases = [digits(), exclusive_or(Impurity::Variance), exclusive_or(Impurity::Gini), {
        exclusive_or(Impurity::Entropy)
    }];
    for case in cases {
        let population = Population::new(&case.data(), Some(case.impurity)).expect("categories");
        for mtry in 1..=case.n_columns() {
            assert_near(&best_of(&population, mtry).values(), &case.best_of(mtry), 1e-12);
        }
        let one = best_of(&population, 1);
        for (found, expected) in
            one.by_degree.iter().zip(&exact(&population).importances().by_degree)
        {
            assert_near(found, expected, 1e-12);
        }
    }
}

#[test]
fn irrelevant_variables_have_no_importance_and_change_none() {
    for impurity in IMPURITIES {
        let joint = Joint::random(&[2, 3, 2], 11);
        let with_noise = |weights: &[f64]| Joint {
            rows: joint
                .rows
                .iter()
                .flat_map(|(levels, y, weight)| {
                    (0..).zip(weights).map(move |(level, share)| {
                        ([&levels[..1], &[level], &levels[1..]].concat(), *y, weight * share)
                    })
                })
                .collect(),
        };
        let before = exact(&joint.population(impurity)).importances().values();
        let noisy = with_noise(&[0.2, 0.5, 0.3]).population(impurity);
        let found = exact(&noisy);
        let values = found.importances().values();
        assert_eq!((values[1], found.relevance()[1]), (0.0, Relevance::Irrelevant));
        assert_near(&[values[0], values[2], values[3]], &before, 1e-12);
        // With a choice they matter to the others (section 5.3).
        let chosen = best_of(&noisy, 2).values();
        assert!(chosen[1].abs() < 1e-12);
        let alone = best_of(&joint.population(impurity), 2).values();
        assert!((chosen[0] - alone[0]).abs() > 1e-6, "{chosen:?} {alone:?}");
        let total: f64 = chosen.iter().sum();
        assert_near(&[total], &[before.iter().sum()], 1e-12);
    }
}

#[test]
fn exchanged_variables_exchange_their_importances() {
    let joint = Joint::random(&[2, 3, 4], 3);
    let mut exchanged = joint.clone();
    exchanged.rows.iter_mut().for_each(|(levels, ..)| levels.swap(0, 2));
    for impurity in IMPURITIES {
        let all = [&joint, &exchanged].map(|joint| {
            let population = joint.population(impurity);
            [exact(&population).importances().values(), best_of(&population, 2).values()]
        });
        for (one, other) in all[0].iter().zip(&all[1]) {
            assert_near(&[one[2], one[1], one[0]], other, 1e-12);
        }
    }
}

#[test]
fn a_copy_is_as_important_as_the_variable_and_neither_is_strong() {
    let mut joint = Joint::random(&[2, 3, 2], 21);
    let before = exact(&joint.population(Impurity::Entropy));
    assert_eq!(before.relevance(), [Relevance::Strong; 3]);
    joint.rows.iter_mut().for_each(|(levels, ..)| levels.push(levels[0]));
    let after = exact(&joint.population(Impurity::Entropy));
    let values = after.importances().values();
    assert_near(&[values[0], after.total()], &[values[3], before.total()], 1e-12);
    assert!(values[0] < before.importances().values()[0]);
    let expected = [Relevance::Weak, Relevance::Strong, Relevance::Strong, Relevance::Weak];
    assert_eq!(after.relevance(), expected);
    assert_eq!(after.is_marginally_relevant(), [true; 4]);
}

#[test]
fn what_tells_more_in_every_context_is_more_important() {
    // The target is erased in a share of all cases, which takes that share from all information.
    let joint = Joint::random(&[3, 2, 2], 8);
    for erased in [0.1, 0.5, 0.9] {
        let rows = joint.rows.iter().flat_map(|(levels, y, weight)| {
            [(levels.clone(), *y, weight * (1.0 - erased)), (levels.clone(), 5, weight * erased)]
        });
        let less = exact(&Joint { rows: rows.collect() }.population(Impurity::Entropy));
        let all = exact(&joint.population(Impurity::Entropy));
        let expected: Vec<f64> =
            all.importances().values().iter().map(|value| value * (1.0 - erased)).collect();
        assert_near(&less.importances().values(), &expected, 1e-12);
    }
}

#[test]
fn variables_may_matter_only_together() {
    // y is the exclusive or of the first two of three fair coins.
    let rows = (0..8_u32).map(|bits| {
        let levels: Vec<u32> = (0..3).map(|v| bits >> v & 1).collect();
        let y = levels[0] ^ levels[1];
        (levels, y, 1.0)
    });
    let exact = exact(&Joint { rows: rows.collect() }.population(Impurity::Entropy));
    assert_near(&exact.importances().values(), &[0.5, 0.5, 0.0], 1e-15);
    assert_near(&exact.importances().pruned(1).values(), &[0.0; 3], 1e-15);
    let expected = [Relevance::Strong, Relevance::Strong, Relevance::Irrelevant];
    assert_eq!(exact.relevance(), expected);
    assert_eq!(exact.is_marginally_relevant(), [false; 3]);
    let largest = exact.largest_terms(0, 9);
    let known: Vec<VariableSet> = largest.iter().map(|term| term.known).collect();
    assert_eq!(known, [VariableSet::of(&[1, 2]), VariableSet::of(&[1])]);
}

#[test]
fn weights_are_probabilities_and_equal_rows_one() {
    let joint = Joint::random(&[2, 3], 2);
    let counted: Vec<_> = joint
        .rows
        .iter()
        .map(|(levels, y, weight)| (levels.clone(), *y, (weight * 8.0).ceil()))
        .collect();
    let repeated = counted.iter().flat_map(|(levels, y, weight)| {
        std::iter::repeat_n((levels.clone(), *y, 1.0), *weight as usize)
    });
    let scaled = counted.iter().map(|(levels, y, weight)| (levels.clone(), *y, weight * 0.001));
    let mut reversed: Vec<_> = scaled.clone().collect();
    reversed.reverse();
    let all = [counted.clone(), repeated.collect(), scaled.collect(), reversed].map(|rows| {
        let population = Joint { rows }.population(Impurity::Gini);
        let n_points = population.probabilities().len();
        assert_near(&[population.probabilities().iter().sum()], &[1.0], 1e-15);
        (n_points, exact(&population).importances().values())
    });
    let cells: std::collections::BTreeSet<_> =
        counted.iter().filter(|row| row.2 > 0.0).map(|row| row.0.clone()).collect();
    for (n_points, values) in &all {
        assert_eq!(*n_points, cells.len());
        assert_near(values, &all[0].1, 1e-13);
    }
}

#[test]
fn groups_are_one_variable_and_missing_values_a_category() {
    let joint = Joint::random(&[2, 3, 2], 17);
    let pairs = Joint {
        rows: joint
            .rows
            .iter()
            .map(|(levels, y, weight)| (vec![levels[0] * 3 + levels[1], levels[2]], *y, *weight))
            .collect(),
    };
    let expected = exact(&pairs.population(Impurity::Entropy)).importances().values();
    let pair = ("pair".to_owned(), vec!["x0".to_owned(), "x1".to_owned()]);
    let grouped = joint.data().with_groups(&[pair]).expect("columns");
    let population = Population::new(&grouped, None).expect("categories");
    assert_eq!(
        (population.variables()[0].as_str(), population.n_categories()),
        ("pair", &[6, 2][..])
    );
    assert_near(&exact(&population).importances().values(), &expected, 1e-12);

    let data = joint.data();
    let codes = joint.rows.iter().map(|(levels, ..)| levels[1]);
    let codes = codes.map(|level| if level == 2 { MISSING_LEVEL } else { level }).collect();
    let names = vec!["a".to_owned(), "b".to_owned()];
    let mut columns = data.features().columns().to_vec();
    columns[1] = Column::categorical("x1", names, codes).expect("codes");
    let holes = Dataset::new(columns, data.target().clone()).expect("consistent");
    let holes = holes.with_weights(data.weights().expect("weights").to_vec()).expect("positive");
    let population = Population::new(&holes, None).expect("categories");
    let complete = exact(&joint.population(Impurity::Entropy)).importances().values();
    assert_near(&exact(&population).importances().values(), &complete, 1e-15);
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let population = Joint::random(&[2, 3, 2, 2, 4, 2, 3, 2], 4).population(Impurity::Entropy);
    let settings = TreeSettings { mtry: vec![1, 3], local: true };
    let all = [1, 2, 3, 7].map(|n| {
        let around = (Threads::new(n).expect("threads"), &Monitor::new());
        let exact = population.exact(&Limits::default(), around).expect("small");
        let trees = population.best_of(&settings, &Limits::default(), around).expect("small");
        (exact.importances().clone(), trees)
    });
    assert!(all.iter().all(|found| *found == all[0]));
}

#[test]
fn what_cannot_be_done_is_refused() {
    let around = (Threads::new(2).expect("two"), &Monitor::new());
    let population = Joint::random(&[2, 2, 2], 1).population(Impurity::Entropy);
    for mtry in [0, 4] {
        let settings = TreeSettings { mtry: vec![mtry], local: false };
        let refusal = population.best_of(&settings, &Limits::default(), around);
        assert!(
            matches!(refusal, Err(Error::Setting { what, .. }) if what.contains("there are 3"))
        );
    }
    assert!(exact(&population).subspace(0).is_err() && exact(&population).subspace(4).is_err());
    let data = Joint::random(&[2, 2], 1).data();
    assert!(matches!(
        Population::new(&data, Some(Impurity::Variance)),
        Err(Error::Setting { what, .. }) if what.contains("does not fit")
    ));
    let limits = Limits { seconds: 60.0, bytes: 100.0 };
    let refusal = population.exact(&limits, around).expect_err("no room").to_string();
    assert!(refusal.contains("3 variables with 8 combinations"), "{refusal}");
    let monitor = Monitor::new();
    monitor.cancel();
    let cancelled = population.exact(&Limits::default(), (around.0, &monitor));
    assert_eq!(cancelled.err(), Some(Error::Cancelled));
}

#[test]
fn numbers_that_tell_rows_apart_are_refused() {
    let y = || Target::regression("y", (0..100).map(|row| f64::from(row % 7)).collect());
    let x = |divisor: f64| (0..100).map(|row| (f64::from(row) / divisor).floor()).collect();
    let data = |values| {
        let column = Column::numeric("age", values).expect("finite");
        Dataset::new(vec![column], y().expect("finite")).expect("consistent")
    };
    let refusal = Population::new(&data(x(1.0)), None).expect_err("continuous");
    assert_eq!(refusal.column(), Some("age"));
    assert!(refusal.to_string().contains("100 different numbers in 100 rows"), "{refusal}");
    assert!(Population::new(&data(x(2.0)), None).is_ok());
}

#[test]
fn more_variables_than_can_be_listed_are_refused_with_the_estimate() {
    let mut numbers = Numbers(1);
    let column = |v: usize| {
        let values = (0..50).map(|_| f64::from(numbers.below(2))).collect();
        Column::numeric(format!("x{v}"), values).expect("finite")
    };
    let columns = (0..40).map(column).collect();
    let y = Target::regression("y", (0..50).map(f64::from).collect()).expect("finite");
    let data = Dataset::new(columns, y).expect("consistent");
    let population = Population::new(&data, None).expect("categories");
    let around = (Threads::new(2).expect("two"), &Monitor::new());
    match population.exact(&Limits::default(), around) {
        Err(Error::TooLarge { what, help }) => {
            assert!(what.starts_with("exact importances of 40 variables with 50 "), "{what}");
            assert!(
                what.contains("8.8 TB of memory; the limits are 60 seconds and 8.6 GB"),
                "{what}"
            );
            assert!(help.contains("--samples"));
        }
        other => panic!("{other:?}"),
    }
}
