//! Importances at single points, by brute force.

use wald::Run;
use wald::forest::Impurity;
use wald_population::{Limits, LocalImportances, Population, TreeSettings};

use crate::joint::{IMPURITIES, Joint, impure, shapley};
use crate::support::threads;
use crate::worked_cases::{assert_near, best_of, exact};

fn local(population: &Population, mtry: usize) -> LocalImportances {
    let settings = TreeSettings { mtry: vec![mtry], local: true };
    let found = population.best_of(&settings, &Limits::default(), &Run::on(threads()));
    found.expect("small").remove(0).local.expect("asked for")
}

/// The points of positive probability, in the order of their levels.
fn points(joint: &Joint) -> Vec<Vec<u32>> {
    let mut points: Vec<Vec<u32>> =
        joint.rows.iter().filter(|row| row.2 > 0.0).map(|row| row.0.clone()).collect();
    points.sort();
    points.dedup();
    points
}

/// Definition 2, for all sets of other variables.
fn is_irrelevant(joint: &Joint, point: &[u32], variable: usize) -> bool {
    let shares = |known: &[usize]| {
        let cell = joint.cell(point, known);
        let total: f64 = cell.iter().map(|(_, weight)| weight).sum();
        let share = |class: u32| {
            cell.iter().filter(|(y, _)| *y == class).map(|(_, weight)| weight).sum::<f64>() / total
        };
        (0..6).map(share).collect::<Vec<f64>>()
    };
    (0..1_usize << point.len()).filter(|bits| bits >> variable & 1 == 0).all(|bits| {
        let mut known: Vec<usize> = (0..point.len()).filter(|v| bits >> v & 1 == 1).collect();
        let before = shares(&known);
        known.push(variable);
        before.iter().zip(shares(&known)).all(|(one, other)| (one - other).abs() < 1e-12)
    })
}

/// The first variable matters where the second is 0 only; the third is noise there, and informs
/// something elsewhere.
fn partly_relevant() -> Joint {
    let mut rows = Vec::new();
    for bits in 0..8_u32 {
        let levels: Vec<u32> = (0..3).map(|v| bits >> v & 1).collect();
        let share = match (levels[1], levels[0], levels[2]) {
            (0, 0, _) => 0.2,
            (0, _, _) => 0.7,
            (_, _, 0) => 0.9,
            _ => 0.4,
        };
        rows.push((levels.clone(), 0, share));
        rows.push((levels, 1, 1.0 - share));
    }
    Joint { rows }
}

#[test]
fn local_importances_are_shapley_values_of_their_point() {
    for impurity in IMPURITIES {
        let joint = Joint::random(&[2, 3, 2, 2], 33);
        let found = local(&joint.population(impurity), 1);
        let points = points(&joint);
        assert_eq!(found.values.len(), points.len());
        for (values, point) in found.values.iter().zip(&points) {
            let root = impure(&joint.cell(point, &[]), impurity);
            let game = |known: &[usize]| root - impure(&joint.cell(point, known), impurity);
            assert_near(values, &shapley(4, game), 1e-12);
        }
    }
}

#[test]
fn local_relevance_is_that_of_its_definition() {
    for joint in [partly_relevant(), Joint::random(&[2, 2, 2], 6), Joint::random(&[3, 2], 9)] {
        for impurity in IMPURITIES {
            let found = local(&joint.population(impurity), 1);
            for (point, of_point) in points(&joint).iter().zip(&found.is_irrelevant) {
                for (variable, found) in of_point.iter().enumerate() {
                    assert_eq!(*found, is_irrelevant(&joint, point, variable), "{point:?}");
                }
            }
        }
    }
    // Nowhere irrelevant altogether: a variable that is noise at a point is still informative
    // where the others are not known. One that is noise given the others, and independent, does not.
    let mut joint = Joint::random(&[2, 2], 7);
    joint.rows = joint
        .rows
        .iter()
        .flat_map(|(levels, y, weight)| {
            [0, 1].map(|noise| ([levels.as_slice(), &[noise]].concat(), *y, weight * 0.5))
        })
        .collect();
    for impurity in IMPURITIES {
        let found = local(&joint.population(impurity), 2);
        assert!(found.is_irrelevant.iter().all(|of_point| of_point == &[false, false, true]));
        assert!(found.values.iter().all(|values| values[2].abs() < 1e-12));
    }
}

#[test]
fn a_variable_can_tell_the_mean_of_nothing_and_yet_be_relevant() {
    // The spread of y depends on x, its mean does not.
    let rows = vec![(vec![0], 1, 1.0), (vec![1], 0, 0.75), (vec![1], 2, 0.25)];
    let population = Joint { rows }.population(Impurity::Variance);
    assert_eq!(exact(&population).importances().values(), [0.0]);
    let found = local(&population, 1);
    assert_eq!(found.is_irrelevant, [[false], [false]]);
    assert_near(&[found.values[0][0], found.values[1][0]], &[1.5, -1.5], 1e-12);
}

#[test]
fn rare_points_may_be_very_impure() {
    // The variance at the last point is ten thousand times that of all points together.
    let rows = vec![
        (vec![0, 0], 0, 1.0),
        (vec![0, 1], 1, 1.0),
        (vec![1, 0], 1, 1.0),
        (vec![1, 1], 0, 1e-9),
        (vec![1, 1], 100, 1e-9),
    ];
    let joint = Joint { rows };
    let found = local(&joint.population(Impurity::Variance), 1);
    let point = [1, 1];
    let root = impure(&joint.cell(&point, &[]), Impurity::Variance);
    let game = |known: &[usize]| root - impure(&joint.cell(&point, known), Impurity::Variance);
    let expected = shapley(2, game);
    assert!(expected.iter().sum::<f64>() < -2e7);
    assert_near(&found.values[3], &expected, 1e-12 * 2.5e7);
}

#[test]
fn local_importances_of_trees_that_choose_average_to_theirs() {
    let joint = Joint::random(&[2, 3, 2, 2, 2], 12);
    for impurity in IMPURITIES {
        let population = joint.population(impurity);
        for mtry in 1..=5 {
            let found = local(&population, mtry);
            let mean = |variable: usize| -> f64 {
                let of_points = found.values.iter().zip(population.probabilities());
                of_points.map(|(values, share)| values[variable] * share).sum()
            };
            let means: Vec<f64> = (0..5).map(mean).collect();
            assert_near(&means, &best_of(&population, mtry).values(), 1e-12);
        }
    }
}
