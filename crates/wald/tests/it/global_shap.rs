//! Shapley values made global: means over the rows of the values by `wald explain`.

use std::sync::Arc;

use wald::data::Groups;
use wald::explain::Rows;
use wald::forest::Keep;
use wald::measure::{MeasureSettings, RowAggregate};
use wald::{
    Dataset, ExplanationId, ExplanationSettings, Forest, ForestConfig, Measure, MeasureId, Run,
    Threads,
};

use crate::support::{
    Shape, assert_close, best_and_multiway, dataset, grow, measure, response, weight,
};
use crate::tree_shap::{brute_force, explain};

/// By class, then by group: summaries over rows by their definitions; rows without are left out.
fn summed_up(data: &Dataset, how: RowAggregate, records: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let (groups, n_outputs) = (data.groups(), data.target().n_outputs());
    let seen: Vec<usize> = (0..records.len()).filter(|&row| !records[row][0].is_nan()).collect();
    let mean = |of_row: &dyn Fn(usize) -> f64| {
        let total: f64 = seen.iter().map(|&row| weight(data, row)).sum();
        seen.iter().map(|&row| weight(data, row) * of_row(row)).sum::<f64>() / total
    };
    let of_output = |output: usize| {
        let centre = mean(&|row| response(data, row)[output]);
        let of_group = |members: &Vec<u32>| {
            let value = |row: usize| -> f64 {
                members.iter().map(|&at| records[row][at as usize * n_outputs + output]).sum()
            };
            match how {
                RowAggregate::MeanAbs => mean(&|row| value(row).abs()),
                RowAggregate::Mean => mean(&value),
                RowAggregate::Covariance => {
                    mean(&|row| value(row) * (response(data, row)[output] - centre))
                }
            }
        };
        groups.members().iter().map(of_group).collect()
    };
    (0..n_outputs).map(of_output).collect()
}

fn check(data: &Dataset, config: &ForestConfig) {
    let forest = &grow(data, config);
    let per_class = data.target().n_outputs() > 1;
    let settings = MeasureSettings { per_class, ..MeasureSettings::default() };
    for (id, local, out_of_bag) in [
        (MeasureId::TreeShap, ExplanationId::TreeShap, false),
        (MeasureId::TreeShapOob, ExplanationId::TreeShap, true),
        // Both draw the same background rows.
        (MeasureId::TreeShapInterventional, ExplanationId::TreeShapInterventional, false),
    ] {
        let how = (out_of_bag, 1);
        let (records, _) = explain((forest, data), Rows::Training, local, how);
        for &aggregate in RowAggregate::ALL {
            let settings = MeasureSettings { aggregate, ..settings.clone() };
            let found = measure(data, forest, id, settings);
            let expected = summed_up(data, aggregate, &records);
            // Signed values of classes sum up to nothing, so that their sizes are added.
            let is_size = per_class && aggregate == RowAggregate::Mean;
            let size = |value: f64| if is_size { value.abs() } else { value };
            for (group, value) in found.values.iter().enumerate() {
                let sum: f64 = expected.iter().map(|values| size(values[group])).sum();
                assert_close(value.expect("defined"), sum, aggregate.id());
            }
            for ((_, found), expected) in found.per_class.iter().flatten().zip(&expected) {
                for (found, expected) in found.iter().zip(expected) {
                    assert_close(found.expect("defined"), *expected, "of a class");
                }
            }
            assert_eq!(found.per_class.is_some(), per_class);
        }
    }
    let found = measure(data, forest, MeasureId::TreeShapOobCovariance, settings.clone());
    let expected = covariance(data, forest);
    for (found, expected) in found.values.iter().zip(data.groups().sums_of(&expected)) {
        assert_close(found.expect("defined"), expected, "covariance");
    }
    // The same while the forest grows.
    let ids = [
        MeasureId::TreeShapOobCovariance,
        MeasureId::TreeShap,
        MeasureId::TreeShapOob,
        MeasureId::TreeShapInterventional,
    ];
    let measures = ids.map(|id| Measure::new(id, settings.clone()).expect("offered"));
    let run = &Run::on(Threads::new(3).expect("three"));
    let grown = Forest::grow_and_measure(data, config, &measures, Keep::Nothing, run);
    let grown = grown.expect("applies").measured.importances;
    for (id, grown) in ids.into_iter().zip(grown) {
        assert_eq!(grown, measure(data, forest, id, settings.clone()), "{id:?}");
    }
}

/// Errors of a sample of rows leave out that background rows are drawn, too.
#[test]
fn errors_that_are_given_drawn_background_rows_are_noted() {
    let data = dataset(Shape { n_classes: 0, weights: false, n_rows: 40, missing: false, seed: 5 });
    let forest = grow(&data, &ForestConfig { n_trees: 5, ..ForestConfig::default() });
    for (samples, n_background, is_noted) in
        [(Some(20), 10, true), (None, 10, false), (Some(20), 40, false)]
    {
        let background_rows = Some(n_background);
        let settings = MeasureSettings { samples, background_rows, ..MeasureSettings::default() };
        let found = measure(&data, &forest, MeasureId::TreeShapInterventional, settings);
        let note = format!(
            "standard errors leave out how far values would differ with other background rows; these are \
             {n_background} training rows drawn at random, of which another seed draws others"
        );
        let notes = found.notes.iter().filter(|found| **found == note);
        assert_eq!(notes.count(), usize::from(is_noted), "{:?}", found.notes);
    }
}

/// All rows are taken where more are wanted: no other values come of it.
#[test]
fn fewer_background_rows_than_were_wanted_are_noted() {
    let data = dataset(Shape { n_classes: 0, weights: false, n_rows: 40, missing: false, seed: 5 });
    let forest = grow(&data, &ForestConfig { n_trees: 5, ..ForestConfig::default() });
    let note = "the table has 40 rows, fewer than the 1,000 background rows that were wanted: only so many are \
                taken";
    let wanted = [(Some(1000), true), (Some(40), false), (None, false)];
    let is_in = |notes: &[String]| notes.iter().any(|found| found == note);
    for id in [MeasureId::TreeShapInterventional, MeasureId::TreeShapLoss, MeasureId::Sage] {
        for (background_rows, is_noted) in wanted {
            let found = measure(
                &data,
                &forest,
                id,
                MeasureSettings { background_rows, ..MeasureSettings::default() },
            );
            assert_eq!(is_in(&found.notes), is_noted, "{id:?} {background_rows:?}");
        }
    }
    for id in [ExplanationId::TreeShapInterventional, ExplanationId::TreeShapLoss] {
        for (background_rows, is_noted) in wanted {
            let settings =
                ExplanationSettings { background_rows, ..ExplanationSettings::default() };
            let explainer =
                forest.explainer(&data, Rows::Training, id, &settings).expect("applies");
            assert_eq!(is_in(explainer.notes()), is_noted, "{id:?} {background_rows:?}");
        }
    }
}

/// Sums over the columns of groups.
trait SumsOf {
    fn sums_of(&self, per_column: &[f64]) -> Vec<f64>;
}

impl SumsOf for Groups {
    fn sums_of(&self, per_column: &[f64]) -> Vec<f64> {
        let sum = |members: &Vec<u32>| members.iter().map(|&at| per_column[at as usize]).sum();
        self.members().iter().map(sum).collect()
    }
}

/// By column: Shapley values by brute force times deviations of the response, out of bag.
fn covariance(data: &Dataset, forest: &Forest) -> Vec<f64> {
    let n_outputs = data.target().n_outputs();
    let mut sums = vec![0.0; data.n_features()];
    let mut n_trees = 0.0;
    for (tree, bag) in forest.trees().iter().zip(forest.bags().expect("own bags")) {
        let rows = (0..data.n_rows()).filter(|&row| bag.counts()[row] == 0);
        let total: f64 = rows.clone().map(|row| weight(data, row)).sum();
        if total <= 0.0 {
            continue;
        }
        n_trees += 1.0;
        for row in rows {
            let (values, y) = (brute_force(data, tree, row), response(data, row));
            for (column, sum) in sums.iter_mut().enumerate() {
                for output in 0..n_outputs {
                    let deviation = y[output] - tree.value(0)[output];
                    *sum +=
                        weight(data, row) / total * values[column * n_outputs + output] * deviation;
                }
            }
        }
    }
    sums.iter().map(|sum| sum / n_trees).collect()
}

#[test]
fn global_values_are_means_of_local_ones() {
    for n_classes in [0, 3] {
        for weights in [false, true] {
            let shape = Shape { n_rows: 70, n_classes, missing: weights, weights, seed: 95 };
            for (data, config) in best_and_multiway(shape, 2, 6) {
                check(&data, &config);
                let names = ["one", "few"].map(str::to_owned).to_vec();
                let grouped = data.with_groups(&[("both".to_owned(), names)]).expect("columns");
                check(&grouped, &config);
            }
        }
    }
}

#[test]
fn other_rows_can_be_given() {
    let shape = Shape { n_rows: 80, n_classes: 0, missing: false, weights: false, seed: 96 };
    let data = dataset(shape);
    let forest = grow(&data, &ForestConfig { n_trees: 5, ..ForestConfig::default() });
    let other = dataset(Shape { n_rows: 30, seed: 97, ..shape });
    let settings =
        MeasureSettings { test: Some(Arc::new(other.clone())), ..MeasureSettings::default() };
    let found = measure(&data, &forest, MeasureId::TreeShap, settings);
    let rows = Rows::Other(other.features());
    let (records, _) = explain((&forest, &data), rows, ExplanationId::TreeShap, (false, 2));
    let expected = summed_up(&other, RowAggregate::MeanAbs, &records);
    for (found, expected) in found.values.iter().zip(&expected[0]) {
        assert_close(found.expect("defined"), *expected, "mean absolute value");
    }
    assert_eq!(found.data.id(), "test");
}

#[test]
fn many_rows_are_sampled_and_the_error_says_how_far_that_is_off() {
    let data = dataset(Shape { n_rows: 900, n_classes: 3, missing: true, weights: true, seed: 98 });
    let forest = grow(&data, &ForestConfig { n_trees: 4, ..ForestConfig::default() });
    for id in [MeasureId::TreeShap, MeasureId::TreeShapOob] {
        let of = |samples, seed| {
            let settings = MeasureSettings { samples, seed, ..MeasureSettings::default() };
            measure(&data, &forest, id, settings)
        };
        let all = of(None, 0);
        assert_eq!((&*all.settings["rows"], all.standard_errors.as_ref()), ("900", None));
        assert_eq!(of(Some(900), 3).values, all.values);
        assert_eq!(of(Some(100), 3), of(Some(100), 3));
        let (mut squares, mut n) = (vec![0.0; data.n_features()], 0.0);
        for seed in 0..60 {
            let some = of(Some(100), seed);
            assert_eq!(&*some.settings["rows"], "100");
            assert!(some.notes.iter().any(|note| note.contains("sample of 100 of 900 rows")));
            let errors = some.standard_errors.expect("a sample has errors");
            for (at, sum) in squares.iter_mut().enumerate() {
                let off = some.values[at].expect("defined") - all.values[at].expect("defined");
                let error = errors[at].expect("defined");
                // A column that no tree splits on has values of zero.
                assert!(error > 0.0 || all.values[at] == Some(0.0));
                *sum += if error > 0.0 { (off / error).powi(2) } else { 1.0 };
            }
            n += 1.0;
        }
        // Of 60 squares, the mean is 1 with a standard deviation of .18, a little more for heavy tails.
        for square in squares {
            assert!((0.45..1.9).contains(&(square / n)), "{id:?}: {}", square / n);
        }
    }
}
