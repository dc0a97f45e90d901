//! How a report describes the growing of the forest.

use std::sync::Arc;

use wald::data::{Column, Target, Task};
use wald::forest::{PValues, Splitting, Trend};
use wald::measure::MeasureSettings;
use wald::message::Neutral;
use wald::{Dataset, ForestConfig, Measure, MeasureId, Origin, Run};
use wald_report::{Depth, Page, Parts, Quiet, Report, Study, forest_settings};

use crate::support::{Numbers, Shape, dataset, levels_only, threads};

fn data() -> Dataset {
    levels_only(Shape { n_rows: 60, n_classes: 0, missing: true, weights: false, seed: 2 })
}

fn report(config: &ForestConfig) -> Report {
    report_of(&data(), config, &[])
}

fn report_of(data: &Dataset, config: &ForestConfig, measures: &[Measure]) -> Report {
    let front = Quiet { run: &Run::on(threads()), wording: &Neutral, free: None };
    let (data, origin) = (Arc::new(data.clone()), Origin::Settings(config));
    let study = Study::new(&data, origin, measures.to_vec(), Depth::Importances, &front);
    Report::build(&study.expect("valid settings"), Parts::default(), Page::default())
        .expect("settings that fit")
}

#[test]
fn the_paragraph_names_and_cites_the_way_of_growing() {
    let base = ForestConfig { n_trees: 3, ..ForestConfig::default() };
    let random = ForestConfig { splitting: Splitting::RandomThreshold, ..base.clone() };
    let branches =
        ForestConfig { splitting: Splitting::Multiway, split_pure: true, ..base.clone() };
    let conditional =
        ForestConfig { n_trees: 3, ..ForestConfig::for_splitting(Splitting::Conditional) };
    let p_values = Some(PValues::Bonferroni);
    let adjusted = ForestConfig { min_criterion: Some(0.95), p_values, ..conditional.clone() };
    let cases = [
        (base.clone(), "the best of all splits on 2 randomly drawn variables", "breiman1984"),
        (random.clone(), "the best of 2 random splits, one for each of 2", "geurts2006"),
        (ForestConfig { mtry: Some(1), ..random }, "totally randomized trees", "geurts2006"),
        (branches.clone(), "every level of the best, by the decrease in variance", "louppe2013"),
        (ForestConfig { mtry: Some(1), ..branches }, "also in pure nodes", "louppe2013"),
        (conditional.clone(), "the variable with the smallest p-value of", "hothorn2006"),
        (conditional, "a subsample of 63.2 % of the rows", "hothorn2006"),
        (adjusted, "p-value (Bonferroni-adjusted)", "hothorn2006"),
        (ForestConfig { subspace: Some(4), ..base }, "4 randomly drawn variables (Ho", "ho1998"),
    ];
    for (config, words, key) in cases {
        let report = report(&config);
        assert_eq!(report.task, Task::Regression);
        assert!(report.methods.contains(words), "{}", report.methods);
        assert!(report.citations.iter().any(|citation| citation.key == key), "{key}");
    }
}

#[test]
fn weights_and_clusters_are_in_the_paragraph() {
    let data = dataset(Shape { n_rows: 60, n_classes: 2, missing: false, weights: true, seed: 2 });
    let data = data.with_clusters((0..60).map(|row| row / 2).collect()).expect("clusters");
    let config = ForestConfig { n_trees: 3, ..ForestConfig::default() };
    let report = report_of(&data, &config, &[]);
    for words in [
        "on 60 rows in clusters with case weights and 6 input variables",
        "a bootstrap sample of the clusters",
    ] {
        assert!(report.methods.contains(words), "{}", report.methods);
    }
    let share = report.forest.errors.iter().find(|error| error.id == "zero_one").expect("classes");
    assert_eq!(share.name, "misclassified share, by case weights");
}

#[test]
fn trends_are_in_the_paragraph_and_among_the_settings() {
    let data = dataset(Shape { n_rows: 60, n_classes: 2, missing: true, weights: false, seed: 2 });
    let monotonic =
        [("tied", Trend::Increasing), ("two", Trend::Increasing), ("one", Trend::Decreasing)];
    let monotonic = monotonic.into_iter().collect();
    let config = ForestConfig { n_trees: 3, monotonic, ..ForestConfig::default() };
    let report = report_of(&data, &config, &[]);
    let words = " Splits after which the probability of L1 would have decreased with tied and two or \
                 increased with one were not made. The random seed";
    assert!(report.methods.contains(words), "{}", report.methods);
    let settings = forest_settings(&config, &data).expect("settings that fit");
    for (name, value) in [("increasing", "tied,two"), ("decreasing", "one")] {
        assert!(settings.contains(&(name.to_owned(), value.to_owned())), "{name} {settings:?}");
    }
}

#[test]
fn p_values_come_with_what_they_rest_on() {
    // Ten columns of the same type, which have nothing to do with the target.
    let mut numbers = Numbers(3);
    let mut draw = || (0..80).map(|_| numbers.unit()).collect::<Vec<f64>>();
    let target = Target::regression("y", draw()).expect("finite");
    let columns = (0..10).map(|index| Column::numeric(format!("x{index}"), draw()));
    let columns = columns.collect::<Result<Vec<_>, _>>().expect("finite");
    let data = Dataset::new(columns, target).expect("equal lengths");
    let measures = [MeasureId::MdiOob, MeasureId::Air]
        .map(|id| Measure::new(id, MeasureSettings::default()).expect("defaults"));
    let config = ForestConfig { n_trees: 20, ..ForestConfig::default() };
    let report = report_of(&data, &config, &measures);
    let [without, with] = report.measures.as_slice() else { panic!("two measures") };
    assert_eq!(without.null, None);
    assert!(without.ranking.iter().all(|variable| variable.p_value.is_none()));
    assert!(with.null.as_ref().is_some_and(|null| null.contains("values at or below zero")));
    assert!(with.ranking.iter().all(|variable| variable.p_value.is_some()));
    assert_eq!(report.methods.matches("p-values").count(), 1, "{}", report.methods);
}

#[test]
fn settings_are_listed_in_the_words_of_the_command_line() {
    let config = ForestConfig {
        splitting: Splitting::Multiway,
        split_pure: true,
        subspace: Some(5),
        ..ForestConfig::default()
    };
    let settings = forest_settings(&config, &data()).expect("settings that fit");
    for (name, value) in [
        ("splitting", "multiway"),
        ("split-pure", "yes"),
        ("subspace", "5"),
        ("mtry", "2"),
        ("min-node-size", "1"),
    ] {
        assert!(settings.contains(&(name.to_owned(), value.to_owned())), "{name} {settings:?}");
    }
    let config = ForestConfig { splitting: Splitting::RandomThreshold, ..ForestConfig::default() };
    let settings = forest_settings(&config, &data()).expect("settings that fit");
    assert!(settings.contains(&("splitting".to_owned(), "random-threshold".to_owned())));
    assert!(settings.contains(&("sampling".to_owned(), "bootstrap".to_owned())));
    let config = ForestConfig::for_splitting(Splitting::Conditional);
    let settings = forest_settings(&config, &data()).expect("settings that fit");
    for (name, value) in [
        ("mtry", "5"),
        ("min-node-size", "19"),
        ("min-leaf-size", "7"),
        ("sampling", "subsample"),
        ("splitting", "conditional"),
        ("sample-fraction", "0.632"),
        ("p-values", "univariate"),
        ("min-criterion", "0"),
        ("min-child-fraction", "0.01"),
    ] {
        assert!(settings.contains(&(name.to_owned(), value.to_owned())), "{name} {settings:?}");
    }
}
