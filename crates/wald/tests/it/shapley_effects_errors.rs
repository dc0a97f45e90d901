//! Standard errors of Shapley effects, against deviations from what is known: of drawn coalitions, of trees of
//! their own, of rows that stand for all, and of rows that no tree leaves out.

use wald::measure::{MeasureSettings, Part};
use wald::{Dataset, ForestConfig, Importance, MeasureId};

use crate::golden_case::read_json;
use crate::shapley_effects::{effects, explained, ten_columns};
use crate::shapley_laws::document;
use crate::support::{Numbers, assert_close, grow, try_measure};

/// Of deep and of shallow trees: over seeds, drawn coalitions are as far from all of them as their
/// errors, and right on average.
#[test]
fn drawn_coalitions_err_as_much_as_they_say() {
    for (n_rows, max_depth, samples) in [(200, None, 120), (120, Some(4), 80)] {
        let data = ten_columns(n_rows, 1);
        let config =
            ForestConfig { n_trees: 20, mtry: Some(4), max_depth, ..ForestConfig::default() };
        let forest = grow(&data, &config);
        let exact = effects(&data, &forest, Some(511 * 4), 0);
        assert_eq!(exact.settings["coalitions"], "1022");
        assert_eq!(exact.settings["coalitions-are"], "all");
        let seeds = 24;
        let drawn: Vec<Importance> =
            (0..seeds).map(|seed| effects(&data, &forest, Some(samples), seed)).collect();
        let (mut squares, mut stated) = (0.0, 0.0);
        for column in 0..10 {
            // The stated error besides that of the trees, which all coalitions have.
            let trees = exact.standard_errors.as_ref().expect("trees")[column].expect("defined");
            let truth = exact.values[column].expect("defined");
            let value = |one: &Importance| one.values[column].expect("defined") - truth;
            let mean = drawn.iter().map(value).sum::<f64>() / seeds as f64;
            let spread = drawn.iter().map(|one| (value(one) - mean).powi(2)).sum::<f64>();
            for one in &drawn {
                assert_eq!(one.settings["coalitions-are"], "drawn");
                let error = one.standard_errors.as_ref().expect("errors")[column].expect("defined");
                squares += value(one).powi(2);
                stated += error * error - trees * trees;
            }
            // Ten columns, twice: the largest of twenty t-values of 23 degrees is below 4.
            let error = (spread / (seeds as f64 - 1.0) / seeds as f64).sqrt();
            assert!(mean.abs() < 4.0 * error, "column {column}: bias {mean}, {error}");
        }
        let ratio = (squares / stated).sqrt();
        assert!(
            (0.8..1.25).contains(&ratio),
            "{samples}, errors of drawing: true / stated {ratio}"
        );
        let sum: f64 = drawn[0].values.iter().flatten().sum();
        assert_close(sum, explained(&data, &forest), "values of drawn coalitions sum up, too");
    }
}

/// With sets of variables that have trees of their own, all sets and drawn ones: over forests, values are as
/// far from those of all trees as their errors, and right on average.
#[test]
fn trees_of_their_own_err_as_much_as_they_say() {
    let (ten, many) = (ten_columns(400, 3), ten_columns(800, 4));
    let eight = many.features().columns()[..8].to_vec();
    let eight = Dataset::new(eight, many.target().clone()).expect("fits");
    for (data, samples, more) in [(&eight, None, 127 * 12), (&ten, Some(100), 511 * 12)] {
        let (mut squares, mut stated, mut sums) = (0.0, 0.0, vec![Vec::new(); data.n_features()]);
        let n_forests = if samples.is_some() { 2 } else { 4 };
        for seed in 0..n_forests {
            let config =
                ForestConfig { n_trees: 60, mtry: Some(4), seed, ..ForestConfig::default() };
            let forest = grow(data, &config);
            let exact = effects(data, &forest, Some(more), 0);
            let found = effects(data, &forest, samples, seed);
            assert!(!exact.settings.contains_key("trees-of-a-coalition"));
            let n_trees: usize =
                found.settings["trees-of-a-coalition"].parse().expect("a number of trees");
            let expected = if samples.is_some() { 12 } else { 5 };
            assert_eq!(n_trees, expected);
            let error = |of: &Importance, column: usize| {
                of.standard_errors.as_ref().expect("errors")[column].expect("defined")
            };
            for (column, sums) in sums.iter_mut().enumerate() {
                let value = |of: &Importance| of.values[column].expect("defined");
                sums.push(value(&found) - value(&exact));
                squares += sums[sums.len() - 1].powi(2);
                stated += error(&found, column).powi(2) - error(&exact, column).powi(2);
            }
            let sum: f64 = found.values.iter().flatten().sum();
            assert_close(sum, explained(data, &forest), "values sum up to the explained variance");
        }
        let ratio = (squares / stated).sqrt();
        assert!((0.75..1.3).contains(&ratio), "{samples:?}: true / stated {ratio}");
        for (column, off) in sums.iter().enumerate() {
            let n = off.len() as f64;
            let mean = off.iter().sum::<f64>() / n;
            let error = (stated / data.n_features() as f64 / n / n).sqrt();
            assert!(mean.abs() < 4.0 * error, "{samples:?}, column {column}: {mean}, {error}");
        }
    }
}

/// The largest standard error is what was wanted, by more sets for less of it, or a note reports that it is not;
/// values are as far from those of all sets and trees as their errors.
#[test]
fn sets_are_drawn_until_values_are_as_precise_as_wanted() {
    let many = ten_columns(2500, 8);
    let columns = many.features().columns()[..8].to_vec();
    let data = Dataset::new(columns, many.target().clone()).expect("fits");
    let config = ForestConfig { n_trees: 60, mtry: Some(4), ..ForestConfig::default() };
    let forest = grow(&data, &config);
    let exact = effects(&data, &forest, Some(127 * 12), 0);
    let values = |of: &Importance| -> Vec<f64> {
        of.values.iter().map(|value| value.expect("defined")).collect()
    };
    let errors = |of: &Importance| -> Vec<f64> {
        let errors = of.standard_errors.as_ref().expect("errors");
        errors.iter().map(|error| error.expect("defined")).collect()
    };
    let seeds = 4;
    let mut n_sets = Vec::new();
    for precision in [None, Some(0.01)] {
        let (mut squares, mut stated) = (0.0, 0.0);
        for seed in 0..seeds {
            let settings = MeasureSettings { precision, seed, ..MeasureSettings::default() };
            let found = |threads| {
                try_measure((&data, &forest), MeasureId::ShapleyEffects, settings.clone(), threads)
            };
            let one = found(1).expect("applies");
            if seed == 0 && precision.is_none() {
                assert_eq!(Ok(&one), found(3).as_ref(), "on any number of threads");
            }
            let (value, error) = (values(&one), errors(&one));
            let largest = |of: &[f64]| of.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let least = value.iter().copied().fold(f64::INFINITY, f64::min);
            let share = largest(&error) / (largest(&value) - least);
            let is_noted = one.notes.iter().any(|note| note.starts_with("the precision was not"));
            let is_reached = share <= precision.unwrap_or(0.05);
            assert_ne!(is_reached, is_noted, "{precision:?}, seed {seed}: {share}");
            n_sets.push(one.settings["coalitions"].parse::<usize>().expect("a number"));
            for (column, (value, error)) in value.iter().zip(error).enumerate() {
                squares += (value - values(&exact)[column]).powi(2);
                stated += error.powi(2) - errors(&exact)[column].powi(2);
            }
        }
        let ratio = (squares / stated).sqrt();
        assert!((0.75..1.3).contains(&ratio), "{precision:?}: true / stated {ratio}");
    }
    let (few, more) = n_sets.split_at(seeds as usize);
    assert!(few.iter().max() < more.iter().min(), "{few:?} {more:?}");
}

/// Of rows that stand for all, with and without weights: over draws of rows, values are as far from those of
/// all rows as their errors, and right on average.
#[test]
fn some_rows_err_as_much_as_they_say() {
    let n_rows = 600;
    for is_weighted in [false, true] {
        let ten = ten_columns(n_rows, 5);
        let columns = ten.features().columns()[..5].to_vec();
        let data = Dataset::new(columns, ten.target().clone()).expect("fits");
        let weights = (0..n_rows).map(|row| [1.0, 0.5, 3.0][row % 3]).collect();
        let data = if is_weighted { data.with_weights(weights).expect("positive") } else { data };
        let config = ForestConfig { n_trees: 40, mtry: Some(3), ..ForestConfig::default() };
        let forest = grow(&data, &config);
        let exact = effects(&data, &forest, None, 0);
        let (seeds, part) = (60, Some(Part { n_trees: 40, n_rows: n_rows / 2 }));
        let of_part = |seed| {
            let settings = MeasureSettings { part, seed, ..MeasureSettings::default() };
            try_measure((&data, &forest), MeasureId::ShapleyEffects, settings, 2).expect("applies")
        };
        let drawn: Vec<Importance> = (0..seeds).map(of_part).collect();
        assert!(drawn.iter().all(|one| !one.settings.contains_key("trees-of-a-coalition")));
        let (mut squares, mut stated) = (0.0, 0.0);
        for column in 0..5 {
            let error = |of: &Importance| {
                of.standard_errors.as_ref().expect("errors")[column].expect("defined")
            };
            let value = |of: &Importance| of.values[column].expect("defined");
            let away: Vec<f64> = drawn.iter().map(|one| value(one) - value(&exact)).collect();
            squares += away.iter().map(|away| away * away).sum::<f64>();
            // The trees are the same; what is stated for them is an error of all rows, too.
            let of_rows = |one: &Importance| error(one).powi(2) - error(&exact).powi(2);
            let of_column = drawn.iter().map(of_rows).sum::<f64>();
            stated += of_column;
            let mean = away.iter().sum::<f64>() / f64::from(seeds as u32);
            let bound = 4.0 * of_column.sqrt() / f64::from(seeds as u32);
            assert!(mean.abs() < bound, "column {column}: bias {mean}, {bound}");
        }
        let ratio = (squares / stated).sqrt();
        // About 150 independent deviations: their root mean square errs by 6 %.
        assert!((0.83..1.2).contains(&ratio), "errors of rows: true / stated {ratio}");
    }
}

/// The same tree many times, of bags that differ in rows of hardly any weight: what differs between sets with
/// trees of their own is which rows no tree of a set leaves out.
#[test]
fn rows_that_no_tree_of_a_set_leaves_out_are_an_error() {
    let many = ten_columns(400, 6);
    let columns = many.features().columns()[..8].to_vec();
    let data = Dataset::new(columns, many.target().clone()).expect("fits");
    let config =
        ForestConfig { n_trees: 1, mtry: Some(1), max_depth: Some(5), ..ForestConfig::default() };
    let mut document = document(&grow(&data, &config));
    let mut tree = document["trees"][0].clone();
    // These follow from the bag.
    let nodes = tree.as_object_mut().expect("an object");
    ["value", "weight", "impurity"].iter().for_each(|key| assert!(nodes.remove(*key).is_some()));
    let (mut numbers, mut squares, mut stated) = (Numbers(4), 0.0, 0.0);
    for _ in 0..12 {
        let mut bag = || -> Vec<u32> {
            (0..400)
                .map(|row| if row < 80 { 100 } else { u32::from(numbers.unit() > 0.2) })
                .collect()
        };
        let trees = (0..120).map(|_| {
            let mut tree = tree.clone();
            tree["in_bag"] = bag().into();
            tree
        });
        document["trees"] = trees.collect();
        let forest = read_json(&document, Some(&data)).expect("a forest");
        let exact = effects(&data, &forest, Some(127 * 20), 0);
        let found = effects(&data, &forest, None, 0);
        assert!(!exact.settings.contains_key("trees-of-a-coalition"));
        assert_eq!(found.settings["trees-of-a-coalition"], "12");
        for column in 0..8 {
            let value = |of: &Importance| of.values[column].expect("defined");
            let error = |of: &Importance| {
                of.standard_errors.as_ref().expect("errors")[column].expect("defined")
            };
            squares += (value(&found) - value(&exact)).powi(2);
            stated += error(&found).powi(2) - error(&exact).powi(2);
        }
    }
    let ratio = (squares / stated).sqrt();
    assert!((0.75..1.3).contains(&ratio), "errors of absent rows: true / stated {ratio}");
}

/// As many pairs as distinguish the variables leave nothing to estimate an error from.
#[test]
fn few_coalitions_have_no_errors() {
    let data = ten_columns(60, 2);
    let forest = grow(&data, &ForestConfig { n_trees: 5, ..ForestConfig::default() });
    let found = (9..30)
        .flat_map(|seed| {
            let settings = MeasureSettings { samples: Some(9), seed, ..MeasureSettings::default() };
            try_measure((&data, &forest), MeasureId::ShapleyEffects, settings, 1)
        })
        .next()
        .expect("some nine pairs distinguish ten variables");
    assert_eq!(found.standard_errors, None);
    assert!(found.notes.iter().any(|note| note.starts_with("no standard errors: 18 sets")));
}
