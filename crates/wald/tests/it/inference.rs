//! Sampling errors, intervals, p-values: against the spread over samples, and against definitions.

use wald::data::{Column, Target};
use wald::forest::{Keep, Sampling};
use wald::inference::{
    Confidence, PermutedResponse, Subsampling, jackknife, permuted_response, separations,
    subsampling,
};
use wald::measure::MeasureSettings;
use wald::simulate::Friedman1;
use wald::{
    Dataset, Error, Forest, ForestConfig, Importance, Measure, MeasureId, Monitor, Threads,
};

use crate::support::{Numbers, Shape, dataset};

fn measures(ids: &[MeasureId]) -> Vec<Measure> {
    let measure = |id: &MeasureId| Measure::new(*id, MeasureSettings::default()).expect("defaults");
    ids.iter().map(measure).collect()
}

fn importances(data: &Dataset, config: &ForestConfig, measures: &[Measure]) -> Vec<Importance> {
    let run = (Threads::new(2).expect("two"), &Monitor::new());
    let grown = Forest::grow_and_measure(data, config, measures, Keep::Nothing, run);
    grown.expect("valid").measured.importances
}

fn deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
}

/// The errors that a table reports of itself are those that fresh tables show, for the variables
/// that matter; over 80 tables, a standard deviation is known to about 8 %, the reported ones differ
/// by chance too.
#[test]
fn sampling_errors_are_those_of_fresh_samples() {
    let measures = measures(&[MeasureId::Mdi, MeasureId::MdaBreimanCutler, MeasureId::SobolMda]);
    let design = Friedman1 { n_columns: 6, noise: 1.0 };
    let forest = |seed| ForestConfig { n_trees: 60, seed, ..ForestConfig::default() };
    let tables: Vec<Dataset> = (0..80).map(|seed| design.draw(150, seed).expect("rows")).collect();
    let found: Vec<Vec<Importance>> = tables
        .iter()
        .zip(0..)
        .map(|(table, seed)| importances(table, &forest(seed), &measures))
        .collect();
    let settings = Subsampling { n_subsamples: 40, fraction: 0.5, n_trees: Some(20) };
    let run = (Threads::new(2).expect("two"), &Monitor::new());
    let confidence = Confidence::new(0.9).expect("a probability");
    let reported: Vec<Vec<Vec<f64>>> = (0..10)
        .map(|table| {
            let config = forest(table as u64);
            let sampled = subsampling(&tables[table], &config, &measures, &settings, run);
            let both = sampled.expect("valid").into_iter().zip(&found[table]);
            let errors = both.map(|(sampled, importance)| {
                let intervals = sampled.intervals(importance, confidence);
                intervals.standard_errors.into_iter().map(|error| error.expect("defined")).collect()
            });
            errors.collect()
        })
        .collect();
    for (measure, id) in measures.iter().enumerate() {
        for variable in 0..5 {
            let values: Vec<f64> =
                found.iter().map(|all| all[measure].values[variable].expect("defined")).collect();
            let squares = reported.iter().map(|all| all[measure][variable].powi(2));
            let ratio = (squares.sum::<f64>() / 10.0).sqrt() / deviation(&values);
            assert!((0.7..1.45).contains(&ratio), "{:?}, x{}: {ratio}", id.id(), variable + 1);
        }
    }
}

#[test]
fn subsamples_have_the_same_bits_for_any_number_of_threads() {
    let shape = Shape { n_rows: 90, n_classes: 3, missing: true, weights: true, seed: 11 };
    let data = dataset(shape);
    let config = ForestConfig { n_trees: 9, ..ForestConfig::default() };
    let measures = measures(&[MeasureId::MdiOob, MeasureId::MdaIshwaranKogalur]);
    let settings = Subsampling { n_subsamples: 7, fraction: 0.6, n_trees: None };
    let with = |threads| {
        let run = (Threads::new(threads).expect("a number"), &Monitor::new());
        subsampling(&data, &config, &measures, &settings, run).expect("valid")
    };
    let found = with(1);
    assert_eq!(found, with(3));
    assert_eq!(found[0].n_subsamples, 7);
    let other = ForestConfig { seed: 1, ..config.clone() };
    let run = (Threads::all(), &Monitor::new());
    assert_ne!(found, subsampling(&data, &other, &measures, &settings, run).expect("valid"));
}

/// Rows that are there twice tell nothing new: as clusters they count once.
#[test]
fn clusters_are_drawn_as_one() {
    let once = Friedman1 { n_columns: 5, noise: 1.0 }.draw(80, 5).expect("rows");
    let rows: Vec<u32> = (0..80).flat_map(|row| [row, row]).collect();
    let twice = once.select(&rows).expect("rows");
    let clustered = twice.clone().with_clusters(rows).expect("one per row");
    let config = ForestConfig { n_trees: 20, ..ForestConfig::default() };
    let measures = measures(&[MeasureId::Mdi]);
    let settings = Subsampling { n_subsamples: 60, fraction: 0.5, n_trees: None };
    let run = (Threads::new(2).expect("two"), &Monitor::new());
    let error = |data: &Dataset| {
        let found = subsampling(data, &config, &measures, &settings, run).expect("valid");
        let errors = &found[0].standard_errors;
        errors.iter().map(|error| error.expect("defined")).sum::<f64>()
    };
    let ratio = error(&clustered) / error(&twice);
    assert!((1.15..2.2).contains(&ratio), "{ratio}");
}

/// Pure noise: a number, a flag and levels, with classes.
fn noise(seed: u64, n_rows: usize) -> Dataset {
    let mut numbers = Numbers(seed.wrapping_mul(7919) + 13);
    let mut column =
        |bound: u32| -> Vec<u32> { (0..n_rows).map(|_| numbers.below(bound)).collect() };
    let number = column(1 << 20).into_iter().map(f64::from).collect();
    let flag = column(2).into_iter().map(f64::from).collect();
    let levels = column(5);
    let classes = column(2);
    let names = |count: u32| (0..count).map(|level| format!("L{level}")).collect::<Vec<_>>();
    let columns = vec![
        Column::numeric("number", number).expect("finite"),
        Column::numeric("flag", flag).expect("finite"),
        Column::categorical("levels", names(5), levels).expect("codes"),
    ];
    let target = Target::classification("y", names(2), classes).expect("codes");
    Dataset::new(columns, target).expect("a data set")
}

/// Of 150 tables of noise, p <= .2 in 30 on average, for every type of column and every measure, and
/// in 16 to 46 with a probability of .998.
#[test]
fn p_values_are_uniform_where_nothing_matters() {
    let ids = [MeasureId::Mdi, MeasureId::MdaBreimanCutler, MeasureId::SobolMda];
    let measures = measures(&ids);
    let settings = PermutedResponse { permutations: 19, enough: None };
    let mut small = vec![[0; 3]; ids.len()];
    for seed in 0..150 {
        let data = noise(seed, 60);
        let config = ForestConfig { n_trees: 10, seed, ..ForestConfig::default() };
        let observed = importances(&data, &config, &measures);
        let run = (Threads::new(1).expect("one"), &Monitor::new());
        let tested = permuted_response(&data, &config, (&measures, &observed), settings, run);
        for (small, tested) in small.iter_mut().zip(tested.expect("valid")) {
            for (count, p_value) in small.iter_mut().zip(tested.p_values) {
                *count += u32::from(p_value.expect("defined") <= 0.2);
            }
        }
    }
    let is_plausible = |count: &u32| (16..=46).contains(count);
    assert!(small.iter().flatten().all(is_plausible), "{small:?}");
}

#[test]
fn what_matters_has_small_p_values_and_tests_stop_when_all_is_known() {
    let data = Friedman1 { n_columns: 8, noise: 1.0 }.draw(150, 3).expect("rows");
    let config = ForestConfig { n_trees: 40, ..ForestConfig::default() };
    let measures = measures(&[MeasureId::SobolMda, MeasureId::MinimalDepth]);
    let observed = importances(&data, &config, &measures);
    let tested = |settings| {
        let run = (Threads::new(2).expect("two"), &Monitor::new());
        permuted_response(&data, &config, (&measures, &observed), settings, run).expect("valid")
    };
    let all = tested(PermutedResponse { permutations: 99, enough: None });
    let early = tested(PermutedResponse { permutations: 99, enough: Some(4) });
    for (all, early) in all.iter().zip(&early) {
        assert_eq!(all.permutations, [99; 8]);
        // x4 matters most; no permuted response comes near it.
        assert_eq!(all.p_values[3], Some(0.01), "{}", all.id);
        assert_eq!(early.p_values[3], all.p_values[3], "its test went on");
        assert!(all.p_values[5..].iter().all(|p| p.expect("defined") > 0.02), "{all:?}");
        for (p_value, permutations) in early.p_values.iter().zip(&early.permutations) {
            let p_value = p_value.expect("defined");
            if *permutations < 99 {
                assert!((p_value - 4.0 / f64::from(*permutations)).abs() < 1e-15);
            }
        }
        assert!(early.permutations[5..].iter().all(|count| *count < 99), "{early:?}");
    }
    // One variable that means nothing is enough to see that the test can end before its limit.
    let noise = data.select(&(0..20).collect::<Vec<_>>()).expect("rows");
    let observed = importances(&noise, &config, &measures);
    let run = (Threads::new(2).expect("two"), &Monitor::new());
    let once = PermutedResponse { permutations: 10_000, enough: Some(1) };
    let ended = permuted_response(&noise, &config, (&measures, &observed), once, run);
    assert!(ended.expect("valid")[1].permutations.iter().all(|count| *count < 10_000));
}

/// Wager, Hastie & Efron 2014, Eq. 5 and 7, written out.
#[test]
fn the_jackknife_is_that_of_its_definition() {
    let data = Friedman1 { n_columns: 5, noise: 1.0 }.draw(40, 8).expect("rows");
    let config = ForestConfig { n_trees: 300, ..ForestConfig::default() };
    let measures = measures(&[MeasureId::Mdi, MeasureId::SobolMda]);
    let run = (Threads::new(2).expect("two"), &Monitor::new());
    let grown = Forest::grow_and_measure(&data, &config, &measures, Keep::Trees, run);
    let grown = grown.expect("valid");
    let forest = grown.forest.expect("kept");
    let [mdi, sobol] = &grown.measured.importances[..] else { panic!("two measures") };
    let bags = forest.bags().expect("grown here");
    let found = jackknife(&forest, mdi).expect("a bootstrap");
    for (variable, found) in found.iter().enumerate() {
        let of_tree = |tree: usize| mdi.per_tree[tree][variable];
        let mean = (0..300).map(of_tree).sum::<f64>() / 300.0;
        let covariance = |row: usize| {
            let terms = (0..300)
                .map(|tree| (f64::from(bags[tree].counts()[row]) - 1.0) * (of_tree(tree) - mean));
            terms.sum::<f64>() / 300.0
        };
        let sum: f64 = (0..40).map(|row| covariance(row).powi(2)).sum();
        let squares: f64 = (0..300).map(|tree| (of_tree(tree) - mean).powi(2)).sum();
        let expected = sum - 40.0 / (300.0 * 300.0) * squares;
        match found {
            Some(found) => assert!((found * found - expected).abs() < 1e-12 * sum, "x{variable}"),
            None => assert!(expected <= 0.0),
        }
    }
    assert!(found[3].is_some(), "x4 matters most");
    let refused = jackknife(&forest, sobol);
    let Err(Error::Measure { help, .. }) = refused else { panic!("{refused:?}") };
    assert!(help.contains("subsampling"));
    let config = ForestConfig { sampling: Sampling::Subsample, n_trees: 5, ..config };
    let run = (Threads::new(1).expect("one"), &Monitor::new());
    let grown = Forest::grow_and_measure(&data, &config, &measures[..1], Keep::Trees, run);
    let grown = grown.expect("valid");
    assert!(jackknife(&grown.forest.expect("kept"), &grown.measured.importances[0]).is_err());
}

/// With as many trees as asked for, the difference is as many standard errors away from zero.
#[test]
fn trees_that_separate_ranks() {
    let data = Friedman1 { n_columns: 6, noise: 1.0 }.draw(100, 1).expect("rows");
    let config = ForestConfig { n_trees: 80, ..ForestConfig::default() };
    let importance = &importances(&data, &config, &measures(&[MeasureId::Mdi]))[0];
    let confidence = Confidence::new(0.95).expect("a probability");
    let found = separations(importance, false, confidence);
    let ranking = importance.ranking(false);
    assert_eq!(found.len(), 5);
    for (pair, ranked) in found.iter().zip(ranking.windows(2)) {
        assert_eq!([pair.first, pair.second], [ranked[0], ranked[1]]);
        let differences: Vec<f64> =
            importance.per_tree.iter().map(|tree| tree[pair.first] - tree[pair.second]).collect();
        let mean = differences.iter().sum::<f64>() / 80.0;
        let n_trees = pair.n_trees.expect("they differ") as f64;
        let reach = |n: f64| 1.959_964 * deviation(&differences) / n.sqrt();
        assert!(reach(n_trees) <= mean * (1.0 + 1e-6), "{pair:?}");
        assert!(n_trees == 1.0 || reach(n_trees - 1.0) >= mean * (1.0 - 1e-6), "{pair:?}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let data = noise(1, 40);
    let config = ForestConfig { n_trees: 5, ..ForestConfig::default() };
    let measures = measures(&[MeasureId::Mdi]);
    let run = (Threads::new(1).expect("one"), &Monitor::new());
    let subsampled = |settings| subsampling(&data, &config, &measures, &settings, run);
    let settings = Subsampling::default();
    for wrong in [
        Subsampling { n_subsamples: 1, ..settings },
        Subsampling { fraction: 0.0, ..settings },
        Subsampling { fraction: 1.0, ..settings },
        Subsampling { fraction: f64::NAN, ..settings },
    ] {
        assert!(matches!(subsampled(wrong), Err(Error::Setting { .. })), "{wrong:?}");
    }
    let few = Subsampling { fraction: 0.01, ..settings };
    assert!(matches!(subsampled(few), Err(Error::Data { .. })));
    let clustered = data.clone().with_clusters((0..40).map(|row| row / 4).collect());
    let clustered = clustered.expect("one per row");
    let observed = importances(&clustered, &config, &measures);
    let settings = PermutedResponse::default();
    let tested = permuted_response(&clustered, &config, (&measures, &observed), settings, run);
    let Err(Error::Data { what, .. }) = tested else { panic!("{tested:?}") };
    assert!(what.contains("clusters"), "{what}");
    let cancelled = Monitor::new();
    cancelled.cancel();
    let run = (run.0, &cancelled);
    let stopped = subsampling(&data, &config, &measures, &Subsampling::default(), run);
    assert!(matches!(stopped, Err(Error::Cancelled)));
}
