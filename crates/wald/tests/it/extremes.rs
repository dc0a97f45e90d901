//! Numbers at the ends of their range give the right results or are refused, never wrong ones.

use std::sync::Arc;

use wald::data::{Outputs, Response, Target};
use wald::forest::Keep;
use wald::inference::{ConditionalConfig, conditional_test};
use wald::pass::Measured;
use wald::{Dataset, Error, Forest, ForestConfig, Run, Threads};

use crate::support::{Shape, all_measures, dataset};

const MIXED: Shape = Shape { n_rows: 150, n_classes: 0, missing: true, weights: true, seed: 5 };

fn measured(data: &Dataset) -> Measured {
    let measures = all_measures(data);
    let config = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    let work = &Run::on(Threads::new(2).expect("two"));
    let grown = Forest::grow_and_measure(data, &config, &measures, Keep::Nothing, work);
    grown.expect("valid settings").measured
}

/// The table with another unit of its target, without weights.
fn scaled(data: &Dataset, factor: f64) -> Dataset {
    let Response::Regression(values) = data.target().response() else { panic!("regression") };
    let values = values.iter().map(|value| value * factor).collect();
    let target = Target::regression("y", values).expect("in range");
    Dataset::new(data.features().columns().to_vec(), target).expect("consistent")
}

#[test]
fn only_ratios_of_weights_count() {
    for n_classes in [0, 2, 3] {
        let data = dataset(Shape { n_classes, ..MIXED });
        let known = data.weights().expect("weighted").to_vec();
        let expected = measured(&data);
        for exponent in [-900, -60, 500, 900] {
            let factor = 2.0_f64.powi(exponent);
            let weights = known.iter().map(|weight| weight * factor).collect();
            let found = measured(&data.clone().with_weights(weights).expect("in range"));
            assert_eq!(found.importances, expected.importances, "2^{exponent}");
            assert_eq!(found.errors, expected.errors, "2^{exponent}");
        }
    }
}

#[test]
fn node_weights_are_in_the_units_of_the_table() {
    let data = dataset(Shape { weights: false, ..MIXED });
    let heavy = data.clone().with_weights(vec![1e7; 150]).expect("in range");
    let config = ForestConfig { n_trees: 2, ..ForestConfig::default() };
    let work = &Run::on(Threads::new(1).expect("one"));
    let forest = Forest::grow(&heavy, &config, work).expect("valid settings");
    let statistics = forest.trees()[0].statistics().expect("grown");
    assert_eq!(statistics.weight(0), 1.5e9);
    assert!(forest.measure(&heavy, &[], work).is_ok());
}

#[test]
fn weights_out_of_the_range_of_sums_are_refused() {
    let data = dataset(Shape { weights: false, ..MIXED });
    for weight in [1e300, 1e-300, 5e-324] {
        let refused = data.clone().with_weights(vec![weight; 150]);
        assert!(matches!(refused, Err(Error::Data { .. })), "{weight}");
    }
    let mixed = (0..150).map(|row| if row < 9 { 1e-300 } else { 1.0 }).collect();
    assert!(data.with_weights(mixed).is_ok());
}

#[test]
fn targets_whose_fourth_powers_would_be_lost_are_refused() {
    let target = |values: Vec<f64>| Target::regression("y", values);
    let several = |values: Vec<f64>| {
        let outputs = Outputs::new(vec!["y".into(), "z".into()], values, 2).expect("outputs");
        Target::several("both", outputs)
    };
    for value in [9e-71, 1e-145, 1e-300, 5e-324, -1.1e70, 1e78, 1e130] {
        for refused in [target(vec![0.0, value]), several(vec![0.0, 0.0, 1.0, value])] {
            assert!(matches!(refused, Err(Error::Data { .. })), "{value}");
        }
    }
    for value in [1e-70, -1e70] {
        assert!(target(vec![0.0, value]).is_ok(), "{value}");
        assert!(several(vec![0.0, 0.0, 1.0, value]).is_ok(), "{value}");
    }
    assert!(target(vec![1e-200; 3]).is_ok(), "constant");
    assert_eq!(
        target(vec![0.0, 1e78]).expect_err("refused").to_string(),
        "row 2 of the target \"y\" is 1e78: standard errors would overflow beyond 1e70"
    );
}

/// Half a range of numbers away from 1, errors of losses and tests are those of the table in other units.
#[test]
fn errors_and_tests_do_not_depend_on_units() {
    let of = |factor: f64| {
        let data = scaled(&dataset(Shape { weights: false, missing: false, ..MIXED }), factor);
        let forest = ForestConfig { n_trees: 10, ..ForestConfig::default() };
        let found = conditional_test(&Arc::new(data), &ConditionalConfig::new(forest), &Run::all());
        let found = found.expect("a test");
        (found.values, found.p_values)
    };
    let expected = of(1.0);
    assert!(expected.1.iter().any(|p| *p < 0.01), "{expected:?}");
    for exponent in [-228, 228] {
        assert_eq!(of(2.0_f64.powi(exponent)), expected, "2^{exponent}");
    }
}

#[test]
fn small_and_large_targets_scale_importances_with_their_square() {
    let data = dataset(MIXED);
    let expected = measured(&data);
    for exponent in [-228, 228] {
        let factor = 2.0_f64.powi(exponent);
        let weights = data.weights().expect("weighted").to_vec();
        let found = measured(&scaled(&data, factor).with_weights(weights).expect("valid"));
        for (found, expected) in
            found.importances[0].values.iter().zip(&expected.importances[0].values)
        {
            assert_eq!(*found, expected.map(|value| value * factor * factor));
        }
    }
}

/// A row that outweighs all others hides them from the root, not from the nodes without it.
#[test]
fn forests_of_rows_that_outweigh_all_others_are_those_of_their_data() {
    for (n_classes, seed) in (0..5).flat_map(|seed| [0, 2, 3].map(|classes| (classes, seed))) {
        let data = dataset(Shape { n_classes, weights: false, seed, ..MIXED });
        let mut weights = vec![1.0; 150];
        weights[17] = 1e30;
        let data = data.with_weights(weights).expect("in range");
        let config = ForestConfig { n_trees: 10, seed, ..ForestConfig::default() };
        let work = &Run::on(Threads::new(1).expect("one"));
        let measures = all_measures(&data);
        let grown = Forest::grow_and_measure(&data, &config, &measures, Keep::Trees, work);
        let grown = grown.expect("valid settings");
        let forest = grown.forest.expect("kept");
        let again = forest.measure(&data, &measures, work).expect("its own data");
        assert_eq!(again, grown.measured, "{n_classes} classes, seed {seed}");
        let bytes = forest.to_bytes().expect("a small forest");
        let read = Forest::read(&bytes, Some(&data), work).expect("its own data");
        assert_eq!(read, forest);
        // With other weights, the nodes are others.
        let mut others = vec![1.0; 150];
        others[18] = 1e30;
        let others = data.clone().with_weights(others).expect("in range");
        let refused = Forest::read(&bytes, Some(&others), work);
        assert!(refused.is_err(), "{n_classes} classes, seed {seed}");
    }
}
