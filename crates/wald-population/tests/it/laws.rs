//! Theorems on importances of populations, on random distributions; Shapley values by
//! brute force over all orders.

use std::collections::BTreeMap;

use wald::data::{Column, MISSING_LEVEL, Target};
use wald::forest::Impurity;
use wald::{Dataset, Run, Threads};
use wald_population::{Limits, Population, Relevance, TreeSettings, VariableSet};

use crate::joint::{IMPURITIES, Joint, shapley};
use crate::multiway_limits::{digits, exclusive_or};
use crate::worked_cases::{assert_near, best_of, exact};

#[test]
fn importances_are_shapley_values() {
    for (seed, n_levels) in [[2, 3, 2, 2], [3, 2, 4, 2], [2, 2, 2, 2]].iter().enumerate() {
        for impurity in IMPURITIES {
            let joint = Joint::random(n_levels, seed as u64);
            let mut games = BTreeMap::new();
            for bits in 0..16_usize {
                let known: Vec<usize> = (0..4).filter(|v| bits >> v & 1 == 1).collect();
                let gain = joint.left(&[], impurity) - joint.left(&known, impurity);
                games.insert(known, gain);
            }
            let exact = exact(&joint.population(impurity));
            assert_near(&exact.importances().values(), &shapley(4, |known| games[known]), 1e-12);
            for (known, gain) in &games {
                assert_near(&[exact.information(VariableSet::of(known))], &[*gain], 1e-12);
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
fn gains_that_are_equal_are_so_far_from_zero_too() {
    let values = |offset: f64| {
        let ones = [0, 3, 7];
        let y = (0..8).map(|row| offset + f64::from(u8::from(ones.contains(&row)))).collect();
        let column = |at: usize| {
            let bits = (0..8_usize).map(|row| (row >> (2 - at) & 1) as f64).collect();
            Column::numeric(format!("x{at}"), bits).expect("finite")
        };
        let target = Target::regression("y", y).expect("finite");
        let data = Dataset::new((0..3).map(column).collect(), target).expect("consistent");
        best_of(&Population::new(&data, None).expect("categories"), 2).values()
    };
    // By exact fractions.
    let expected = [0.036_458_333_333_333_33, 0.098_958_333_333_333_33, 0.098_958_333_333_333_33];
    for offset in [0.0, 1e5, 1e6, -1e12] {
        assert_near(&values(offset), &expected, 1e-15);
    }
}

#[test]
fn rare_classes_have_importances() {
    // By exact fractions: a and b with 4, 1, 3, 1 cases among 5, 5, 3 and 2 times 10^8.
    let counts = [([0, 0], 4.0, 5e8), ([0, 1], 1.0, 5e8), ([1, 0], 3.0, 3e8), ([1, 1], 1.0, 2e8)];
    let rows = counts.iter().flat_map(|(levels, cases, others)| {
        [(levels.to_vec(), 0, *cases), (levels.to_vec(), 1, *others)]
    });
    let joint = Joint { rows: rows.collect() };
    let population = joint.population(Impurity::Gini);
    let of = |cells: &[(f64, f64)]| -> f64 {
        cells.iter().map(|(cases, others)| 2.0 * cases * (others / (cases + others))).sum()
    };
    let whole = 1_500_000_009.0;
    let rows = [(4.0, 5e8), (1.0, 5e8), (3.0, 3e8), (1.0, 2e8)];
    let expected = (of(&[(9.0, 1.5e9)]) - of(&rows)) / whole;
    assert!((population.total() / expected - 1.0).abs() < 1e-6, "{}", population.total());
    let sum: f64 = exact(&population).importances().values().iter().sum();
    assert!((sum / expected - 1.0).abs() < 1e-6, "{sum}");
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
        let around = &Run::on(Threads::new(n).expect("threads"));
        let exact = population.exact(&Limits::default(), around).expect("small");
        let trees = population.best_of(&settings, &Limits::default(), around).expect("small");
        (exact.importances().clone(), trees)
    });
    assert!(all.iter().all(|found| *found == all[0]));
}
