//! Importances from random orders and paths, beside the exact ones.

use wald::data::{Column, Target};
use wald::forest::Impurity;
use wald::{Dataset, Error, Run, Threads};
use wald_population::{Importances, Population, Relevance, SampleSettings, Sampled};

use crate::joint::{IMPURITIES, Joint};
use crate::multiway_limits::digits;
use crate::support::{Numbers, threads};
use crate::worked_cases::{assert_near, best_of, exact};

fn sampled(population: &Population, samples: usize, mtry: usize) -> Sampled {
    let settings = SampleSettings { samples, mtry, depth: None, seed: 1 };
    population.sampled(settings, &Run::on(threads())).expect("valid settings")
}

const SAMPLES: usize = 4000;

/// Distances from the exact values in standard errors. Terms that never vary are exact, or so rare
/// that no sample has met them.
fn distances(found: &Sampled, exact: &Importances) -> Vec<f64> {
    let values = found.importances.values().into_iter().zip(&found.standard_errors);
    let values = values.zip(exact.values());
    let terms = found.importances.by_degree.iter().flatten().copied();
    let terms = terms.zip(found.by_degree_errors.iter().flatten());
    let terms = terms.zip(exact.by_degree.iter().flatten().copied());
    values
        .chain(terms)
        .map(|((value, error), exact)| {
            let distance = (value - exact).abs();
            let is_rare = *error == 0.0 && exact < 12.0 / SAMPLES as f64;
            if distance < 1e-12 || is_rare { 0.0 } else { distance / error }
        })
        .collect()
}

#[test]
fn estimates_are_within_their_errors() {
    let digits = digits();
    let led = Population::new(&digits.data(), Some(digits.impurity)).expect("categories");
    let random = |impurity| Joint::random(&[2, 3, 2, 2, 3], 40).population(impurity);
    for population in std::iter::once(led).chain(IMPURITIES.map(random)) {
        for mtry in [1, 2, 4] {
            let found = sampled(&population, SAMPLES, mtry);
            let distances = distances(&found, &best_of(&population, mtry));
            // Of at most 63 numbers, largely independent.
            assert!(distances.iter().all(|distance| *distance < 4.5), "{distances:?}");
            let squares: f64 = distances.iter().map(|distance| distance * distance).sum();
            let mean = squares / distances.len() as f64;
            assert!((0.2..2.5).contains(&mean), "{mean}");
        }
    }
}

#[test]
fn errors_shrink_with_the_root_of_the_number_of_samples() {
    let population = Joint::random(&[2, 2, 2, 2], 14).population(Impurity::Entropy);
    for mtry in [1, 3] {
        let (few, many) = (sampled(&population, 500, mtry), sampled(&population, 8000, mtry));
        for (few, many) in few.standard_errors.iter().zip(&many.standard_errors) {
            assert!((few / many / 4.0 - 1.0).abs() < 0.25, "{few} {many}");
        }
    }
}

#[test]
fn orders_add_up_and_say_what_is_strong_exactly() {
    let mut joint = Joint::random(&[2, 3, 2], 21);
    joint.rows.iter_mut().for_each(|(levels, ..)| levels.extend([levels[0], 0]));
    let population = joint.population(Impurity::Gini);
    let found = sampled(&population, 20, 1);
    assert_near(&[found.importances.values().iter().sum()], &[population.total()], 1e-12);
    let expected = [
        Some(Relevance::Weak),
        Some(Relevance::Strong),
        Some(Relevance::Strong),
        Some(Relevance::Weak),
        // No set is known to show otherwise.
        None,
    ];
    assert_eq!(found.relevance, expected);
    assert_eq!(found.is_marginally_relevant, exact(&population).is_marginally_relevant());
}

#[test]
fn shallow_trees_can_be_sampled() {
    let population = Joint::random(&[2, 3, 2, 2], 4).population(Impurity::Entropy);
    for mtry in [1, 2] {
        let settings = SampleSettings { samples: 50, mtry, depth: Some(2), seed: 1 };
        let found = population.sampled(settings, &Run::on(threads())).expect("valid");
        let whole = sampled(&population, 50, mtry).importances.pruned(2);
        assert_near(&found.importances.values(), &whole.values(), 1e-14);
        assert!(found.importances.by_degree.iter().all(|degrees| degrees[2..] == [0.0; 2]));
    }
}

#[test]
fn samples_do_not_depend_on_the_number_of_threads() {
    let population = Joint::random(&[2, 3, 2, 2], 4).population(Impurity::Entropy);
    for mtry in [1, 2] {
        let all = [1, 2, 3, 7].map(|n| {
            let threads = Threads::new(n).expect("threads");
            let settings = SampleSettings { samples: 50, mtry, depth: None, seed: 3 };
            population.sampled(settings, &Run::on(threads)).expect("valid settings")
        });
        assert!(all.iter().all(|found| *found == all[0]));
    }
}

#[test]
fn many_variables_are_no_obstacle() {
    // y depends on the first two of 60 variables only.
    let mut numbers = Numbers(5);
    let values: Vec<Vec<f64>> =
        (0..60).map(|_| (0..300).map(|_| f64::from(numbers.below(2))).collect()).collect();
    let y = (0..300).map(|row| 2.0 * values[0][row] + values[1][row]).collect();
    let column = |(v, values)| Column::numeric(format!("x{v}"), values).expect("finite");
    let columns = values.into_iter().enumerate().map(column).collect();
    let data = Dataset::new(columns, Target::regression("y", y).expect("finite"));
    let population = Population::new(&data.expect("consistent"), None).expect("categories");
    let found = sampled(&population, 200, 60);
    let values = found.importances.values();
    assert!(values[0] > 0.9 && values[1] > 0.2 && values[2..].iter().all(|value| *value < 1e-12));
}

#[test]
fn one_sample_is_refused() {
    let population = Joint::random(&[2, 2], 4).population(Impurity::Entropy);
    for (samples, mtry) in [(0, 1), (1, 1), (10, 0), (10, 3)] {
        let settings = SampleSettings { samples, mtry, depth: None, seed: 3 };
        let refusal = population.sampled(settings, &Run::on(threads()));
        assert!(matches!(refusal, Err(Error::Setting { .. })));
    }
}
