//! A design whose interaction is known, and the number of threads.

use std::sync::Arc;

use wald::data::{Column, Target};
use wald::interactions::{InteractionConfig, Interactions, interactions};
use wald::{Dataset, ForestConfig, Origin, Run, Threads};

use crate::support::{Numbers, threads};

/// y = 1{x1 > .5} 1{x2 > .5} 1{x3 < .5} + noise, with further columns x4 to x7 that are irrelevant.
pub fn planted(n_rows: usize) -> Arc<Dataset> {
    let mut numbers = Numbers(7);
    let rows: Vec<[f64; 8]> = (0..n_rows).map(|_| [0; 8].map(|_| numbers.unit())).collect();
    let column = |at: usize| rows.iter().map(|row| row[at]).collect();
    let columns = (0..7).map(|at| Column::numeric(format!("x{}", at + 1), column(at)));
    let y = |row: &[f64; 8]| {
        let is_in = row[0] > 0.5 && row[1] > 0.5 && row[2] < 0.5;
        f64::from(u8::from(is_in)) + 0.3 * (row[7] - 0.5)
    };
    let columns = columns.collect::<Result<_, _>>().expect("numbers");
    let target = Target::regression("y", rows.iter().map(y).collect()).expect("numbers");
    Arc::new(Dataset::new(columns, target).expect("data"))
}

pub fn search(
    data: &Arc<Dataset>,
    mtry: usize,
    asked: &InteractionConfig,
    run: &Run,
) -> Interactions {
    let forest =
        ForestConfig { n_trees: 60, mtry: Some(mtry), min_leaf_size: 5, ..ForestConfig::default() };
    interactions(data, Origin::Settings(&forest), asked, run).expect("sets")
}

#[test]
fn the_planted_interaction_is_found_first_and_is_stable() {
    let data = planted(400);
    let usual = InteractionConfig::default();
    let asked = InteractionConfig { cut: Some(0.5), resamples: 20, ..usual };
    let found = search(&data, 5, &asked, &Run::on(threads()));
    let first = &found.sets[0];
    assert_eq!((first.text().as_str(), first.class.as_str()), ("x1+ & x2+ & x3-", "> 0.5"));
    assert!(first.stability >= Some(0.95), "{first:?}");
    assert!(first.prevalence > 0.85 && first.precision > Some(0.9), "{first:?}");
    assert!(first.precision_without < Some(0.1), "{first:?}");
    // An eighth of the rows has the set; few leaves of others do.
    assert!(first.prevalence_elsewhere < Some(0.1), "{first:?}");
    let is_noise = |name: &str| ["x4", "x5", "x6", "x7"].contains(&name);
    for set in &found.sets {
        if set.variables.iter().all(|variable| is_noise(&variable.name)) {
            assert!(set.stability <= Some(0.5), "{set:?}");
        }
        let times = 20.0 * set.stability.expect("resamples");
        assert!((times - times.round()).abs() < 1e-9 && (0.0..=20.0).contains(&times));
    }
    // A set that is just frequent enough is not so in many samples.
    let as_frequent = InteractionConfig { min_prevalence: first.prevalence, ..asked };
    let strict = search(&data, 5, &as_frequent, &Run::on(threads()));
    let same = strict.sets.iter().find(|set| set.text() == first.text()).expect("the set");
    assert!(same.prevalence == first.prevalence && same.stability < Some(0.9), "{same:?}");
    // What is rarer is not reported, and what is reported is the same.
    let common = InteractionConfig { min_prevalence: 0.3, resamples: 0, ..asked };
    let common = search(&data, 5, &common, &Run::on(threads()));
    let expected = found.sets.iter().filter(|set| set.prevalence >= 0.3);
    let expected: Vec<String> = expected.map(|set| set.class.clone() + &set.text()).collect();
    let texts: Vec<String> =
        common.sets.iter().map(|set| set.class.clone() + &set.text()).collect();
    assert_eq!(texts, expected);
    assert!(texts.len() < found.sets.len());
}

#[test]
fn results_have_the_same_bits_for_any_number_of_threads() {
    let data = planted(100);
    let usual = InteractionConfig::default();
    let asked = InteractionConfig { trees: 100, cut: Some(0.5), resamples: 3, ..usual };
    let on = |n: usize| search(&data, 5, &asked, &Run::on(Threads::new(n).expect("threads")));
    let one = on(1);
    assert!(one.sets.iter().any(|set| set.stability > Some(0.0)));
    assert_eq!(one, on(3));
    // Another seed draws other paths and samples.
    let other = InteractionConfig { seed: 1, ..asked };
    assert_ne!(one.sets, search(&data, 5, &other, &Run::on(threads())).sets);
}

#[test]
fn work_is_counted_and_cancelled() {
    let data = planted(120);
    let usual = InteractionConfig::default();
    let asked = InteractionConfig { cut: Some(0.5), trees: 50, resamples: 2, ..usual };
    let run = Run::on(threads());
    search(&data, 5, &asked, &run);
    let (done, all) = run.progress.counts();
    assert_eq!(done, all);
    run.progress.cancel();
    let forest = ForestConfig { n_trees: 10, ..ForestConfig::default() };
    let cancelled = interactions(&data, Origin::Settings(&forest), &asked, &run);
    assert_eq!(cancelled, Err(wald::Error::Cancelled));
}
