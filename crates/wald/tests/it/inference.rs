//! Sampling errors, intervals, p-values: against the spread over samples, and against definitions.

use std::sync::Arc;

use wald::data::Column;
use wald::forest::{Keep, Sampling};
use wald::inference::{
    Adjustment, Confidence, Observed, PermutedResponse, SamplingErrors, Subsampling, Test,
    UncertaintyConfig, jackknife, jackknife_sampled, permuted_response, separations, subsampling,
    uncertainty,
};
use wald::measure::MeasureSettings;
use wald::simulate::Friedman1;
use wald::{
    Dataset, Error, Forest, ForestConfig, Importance, Measure, MeasureId, Origin, Progress, Run,
    Threads,
};

use crate::p_values::noise;
use crate::support::{Shape, dataset};

fn measures(ids: &[MeasureId]) -> Vec<Measure> {
    let measure = |id: &MeasureId| Measure::new(*id, MeasureSettings::default()).expect("defaults");
    ids.iter().map(measure).collect()
}

fn importances(data: &Dataset, config: &ForestConfig, measures: &[Measure]) -> Vec<Importance> {
    let run = &Run::on(Threads::new(2).expect("two"));
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
    let run = &Run::on(Threads::new(2).expect("two"));
    let confidence = Confidence::new(0.9).expect("a probability");
    let reported: Vec<Vec<Vec<f64>>> = (0..10)
        .map(|table| {
            let config = forest(table as u64);
            let observed = Observed::new(&measures, &found[table]);
            let sampled = subsampling(&tables[table], &config, observed, &settings, run);
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
        let run = &Run::on(Threads::new(threads).expect("a number"));
        subsampling(&data, &config, Observed::new(&measures, &[]), &settings, run).expect("valid")
    };
    let found = with(1);
    assert_eq!(found, with(3));
    assert_eq!(found[0].n_subsamples, Some(7));
    let other = ForestConfig { seed: 1, ..config.clone() };
    let run = &Run::on(Threads::all());
    assert_ne!(
        found,
        subsampling(&data, &other, Observed::new(&measures, &[]), &settings, run).expect("valid")
    );
}

/// Repeated rows add no information: as clusters they count once.
/// Before any work, too: a size that is not there would be asked of the system.
#[test]
fn settings_are_checked_before_their_memory_is_estimated() {
    let data = dataset(Shape { n_rows: 60, n_classes: 0, missing: false, weights: false, seed: 1 });
    let measures = measures(&[MeasureId::Mdi]);
    let config = ForestConfig::default();
    let size = |fraction: f64, n_subsamples: usize| {
        let settings = Subsampling { fraction, n_subsamples, ..Subsampling::default() };
        settings.size(&data, &config, &measures, Threads::ONE)
    };
    for (fraction, n_subsamples) in [(1e9, 5), (2.0, 5), (f64::NAN, 5), (0.5, usize::MAX)] {
        let refusal = size(fraction, n_subsamples);
        assert!(matches!(refusal, Err(Error::Setting { .. })), "{refusal:?}");
    }
    assert!(size(0.5, 5).expect("valid").total() > 0);
}

#[test]
fn clusters_are_drawn_as_one() {
    let once = Friedman1 { n_columns: 5, noise: 1.0 }.draw(80, 5).expect("rows");
    let rows: Vec<u32> = (0..80).flat_map(|row| [row, row]).collect();
    let twice = once.select(&rows).expect("rows");
    let clustered = twice.clone().with_clusters(rows).expect("one per row");
    let config = ForestConfig { n_trees: 20, ..ForestConfig::default() };
    let measures = measures(&[MeasureId::Mdi]);
    let settings = Subsampling { n_subsamples: 60, fraction: 0.5, n_trees: None };
    let run = &Run::on(Threads::new(2).expect("two"));
    let error = |data: &Dataset| {
        let found = subsampling(data, &config, Observed::new(&measures, &[]), &settings, run)
            .expect("valid");
        let errors = &found[0].standard_errors;
        errors.iter().map(|error| error.expect("defined")).sum::<f64>()
    };
    let ratio = error(&clustered) / error(&twice);
    assert!((1.15..2.2).contains(&ratio), "{ratio}");
}

/// Of n rows m are drawn: the variance over draws is (1/m - 1/n) s^2, whatever m is. Counts of splits,
/// which grow with rows and trees, are brought to the scale of the whole forest.
#[test]
fn sampling_errors_do_not_depend_on_how_many_rows_are_drawn() {
    let data = Friedman1 { n_columns: 5, noise: 1.0 }.draw(200, 6).expect("rows");
    let config = ForestConfig { n_trees: 100, ..ForestConfig::default() };
    let measures = measures(&[MeasureId::Mdi, MeasureId::SplitCount]);
    let importances = importances(&data, &config, &measures);
    let errors = |fraction, n_trees| {
        let settings = Subsampling { n_subsamples: 150, fraction, n_trees: Some(n_trees) };
        let run = &Run::on(Threads::new(2).expect("two"));
        let found =
            subsampling(&data, &config, Observed::new(&measures, &importances), &settings, run);
        let sum = |of: wald::inference::Sampled| -> f64 {
            of.standard_errors.iter().map(|error| error.expect("defined")).sum()
        };
        found.expect("valid").into_iter().map(sum).collect::<Vec<f64>>()
    };
    let (few, many) = (errors(0.3, 15), errors(0.7, 30));
    for ((few, many), measure) in few.iter().zip(&many).zip(&measures) {
        let ratio = few / many;
        assert!((0.7..1.4).contains(&ratio), "{:?}: {ratio}", measure.id());
    }
}

/// Wager, Hastie & Efron 2014, Eq. 5 and 7, written out; of a sum over trees, as many times that.
#[test]
fn the_jackknife_is_that_of_its_definition() {
    let data = Friedman1 { n_columns: 5, noise: 1.0 }.draw(40, 8).expect("rows");
    let config = ForestConfig { n_trees: 300, ..ForestConfig::default() };
    let measures = measures(&[MeasureId::Mdi, MeasureId::SplitCount, MeasureId::SobolMda]);
    let run = &Run::on(Threads::new(2).expect("two"));
    let grown = Forest::grow_and_measure(&data, &config, &measures, Keep::Trees, run);
    let grown = grown.expect("valid");
    let forest = grown.forest.expect("kept");
    let [mdi, counts, sobol] = &grown.measured.importances[..] else { panic!("three measures") };
    let bags = forest.bags().expect("grown here");
    for (importance, unit) in [(counts, 300.0), (mdi, 1.0)] {
        let found = jackknife(&forest, importance).expect("a bootstrap");
        for (variable, found) in found.iter().enumerate() {
            let of_tree = |tree: usize| unit * importance.per_tree[tree][variable];
            let mean = (0..300).map(of_tree).sum::<f64>() / 300.0;
            assert!((importance.values[variable].expect("defined") - mean).abs() < 1e-9 * mean);
            let values: Vec<f64> = (0..300).map(of_tree).collect();
            let over_trees = deviation(&values) / 300.0_f64.sqrt();
            let stated = importance.standard_errors.as_ref().expect("300 trees")[variable];
            assert!((stated.expect("defined") - over_trees).abs() < 1e-9 * over_trees);
            let covariance = |row: usize| {
                let terms = (0..300).map(|tree| {
                    (f64::from(bags[tree].counts()[row]) - 1.0) * (of_tree(tree) - mean)
                });
                terms.sum::<f64>() / 300.0
            };
            let sum: f64 = (0..40).map(|row| covariance(row).powi(2)).sum();
            let squares: f64 = (0..300).map(|tree| (of_tree(tree) - mean).powi(2)).sum();
            let expected = sum - 40.0 / (300.0 * 300.0) * squares;
            match found {
                Some(found) => {
                    assert!((found * found - expected).abs() < 1e-12 * sum, "x{variable}");
                }
                None => assert!(expected <= 0.0),
            }
        }
    }
    let found = jackknife(&forest, mdi).expect("a bootstrap");
    assert!(found[3].is_some(), "x4 matters most");
    let sampled = jackknife_sampled(&forest, mdi, 1).expect("a bootstrap");
    assert_eq!(sampled.n_subsamples, None);
    let confidence = Confidence::new(0.9).expect("a probability");
    let intervals = sampled.intervals(mdi, confidence);
    for (each, together) in intervals.each.iter().zip(&intervals.together) {
        let (Some(each), Some(together)) = (each, together) else { continue };
        assert!(together.low <= each.low && each.high <= together.high);
    }
    let ranks = intervals.ranks.expect("few variables");
    assert_eq!(ranks[3].expect("defined").low, 1);
    let refused = jackknife(&forest, sobol);
    let Err(Error::Measure { help, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(help, "leave out `variance = jackknife`, or use one of these measures");
    let config = ForestConfig { sampling: Sampling::Subsample, n_trees: 5, ..config };
    let run = &Run::on(Threads::new(1).expect("one"));
    let grown = Forest::grow_and_measure(&data, &config, &measures[..1], Keep::Trees, run);
    let grown = grown.expect("valid");
    assert!(jackknife(&grown.forest.expect("kept"), &grown.measured.importances[0]).is_err());
}

/// With few trees a variance that is reported is no less than one standard error of what bags make
/// of it alone: of a sum of 40 squares with the variance v / 30 each.
#[test]
fn the_jackknife_tells_no_less_than_bags_make_by_chance() {
    let data = Friedman1 { n_columns: 10, noise: 1.0 }.draw(40, 8).expect("rows");
    let config = ForestConfig { n_trees: 30, ..ForestConfig::default() };
    let measures = measures(&[MeasureId::Mdi]);
    let run = &Run::on(Threads::new(2).expect("two"));
    let grown = Forest::grow_and_measure(&data, &config, &measures, Keep::Trees, run);
    let grown = grown.expect("valid");
    let (forest, mdi) = (grown.forest.expect("kept"), &grown.measured.importances[0]);
    let found = jackknife(&forest, mdi).expect("a bootstrap");
    let sampled = jackknife_sampled(&forest, mdi, 1).expect("a bootstrap");
    for (variable, found) in found.iter().enumerate() {
        let values: Vec<f64> = mdi.per_tree.iter().map(|tree| tree[variable]).collect();
        let variance = 29.0 / 30.0 * deviation(&values).powi(2);
        let least = (80.0_f64.sqrt() * variance / 30.0).sqrt();
        let stated = sampled.standard_errors[variable].expect("all have one");
        let expected = found.unwrap_or(0.0).max(least);
        assert!(
            (stated - expected).abs() < 1e-9 * expected,
            "x{variable}: {stated}, not {expected}"
        );
        assert_eq!(sampled.at_most[variable], found.is_none_or(|found| found < least));
    }
    assert!(sampled.at_most.contains(&true), "{found:?}");
}

/// Everything at once is what its parts find alone, for a forest that is grown or exists, and progress
/// never goes back.
#[test]
fn all_of_it_is_its_parts() {
    let data = Friedman1 { n_columns: 6, noise: 1.0 }.draw(80, 2).expect("rows");
    let config = ForestConfig { n_trees: 60, ..ForestConfig::default() };
    let measures = measures(&[MeasureId::Mdi, MeasureId::SobolMda]);
    let run = &Run::on(Threads::new(2).expect("two"));
    let confidence = Confidence::new(0.9).expect("a probability");
    let settings = Subsampling { n_subsamples: 8, ..Subsampling::default() };
    let permuted = PermutedResponse { permutations: 5, enough: None };
    let asked = UncertaintyConfig {
        confidence,
        errors: SamplingErrors::Subsampling(settings),
        test: Some(Test::Permuted(permuted)),
        adjustment: Adjustment::Holm,
    };
    let found = uncertainty(&data, Origin::Settings(&config), &measures, &asked, run);
    let found = found.expect("valid");
    let (done, all) = run.progress.counts();
    assert_eq!((done, all), (60 + 50 * 8 / 2 + 5 * 60, done), "forests in trees");
    let grown = Forest::grow_and_measure(&data, &config, &measures, Keep::Trees, run);
    let grown = grown.expect("valid");
    let forest = grown.forest.expect("kept");
    let stored = uncertainty(&data, Origin::Forest(&Arc::new(forest)), &measures, &asked, run);
    assert_eq!(found, stored.expect("valid"));
    let importances = grown.measured.importances;
    let observed = Observed::new(&measures, &importances);
    let sampled = subsampling(&data, &config, observed, &settings, run).expect("valid");
    let tested = permuted_response(&data, &config, observed, permuted, run).expect("valid");
    for (((found, importance), sampled), tested) in
        found.iter().zip(&importances).zip(sampled).zip(tested)
    {
        assert_eq!(&found.importance, importance);
        assert_eq!(found.intervals, sampled.intervals(importance, confidence));
        assert_eq!(found.adjusted.as_ref(), Some(&Adjustment::Holm.adjust(&tested.p_values)));
        assert_eq!(found.tested.as_ref(), Some(&tested));
    }
    let jackknife = UncertaintyConfig { errors: SamplingErrors::Jackknife, test: None, ..asked };
    let refused = uncertainty(&data, Origin::Settings(&config), &measures, &jackknife, run);
    assert!(matches!(refused, Err(Error::Measure { measure: "sobol_mda", .. })), "{refused:?}");
}

/// With as many trees as asked for, the difference is as many standard errors away from zero.
#[test]
fn trees_that_separate_ranks() {
    let data = Friedman1 { n_columns: 6, noise: 1.0 }.draw(100, 1).expect("rows");
    let config = ForestConfig { n_trees: 80, ..ForestConfig::default() };
    let importance = &importances(&data, &config, &measures(&[MeasureId::Mdi]))[0];
    let confidence = Confidence::new(0.95).expect("a probability");
    let found = separations(importance, confidence);
    let ranking = importance.order();
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
    // Nothing separates two constant columns, the last ones.
    let constant = |name: &str| Column::numeric(name, vec![1.0; 100]).expect("finite");
    let columns = [data.features().columns(), &[constant("c"), constant("d")]].concat();
    let data = Dataset::new(columns, data.target().clone()).expect("consistent");
    let importance = &importances(&data, &config, &measures(&[MeasureId::Mdi]))[0];
    let found = separations(importance, confidence);
    assert_eq!(found.len(), 6);
    assert!(found.iter().all(|pair| pair.first < 6 && pair.n_trees.is_some()));
}

#[test]
fn what_cannot_be_is_refused() {
    let data = noise(1, 40, 1);
    let config = ForestConfig { n_trees: 5, ..ForestConfig::default() };
    let measures = measures(&[MeasureId::Mdi]);
    let run = &Run::on(Threads::new(1).expect("one"));
    let subsampled =
        |settings| subsampling(&data, &config, Observed::new(&measures, &[]), &settings, run);
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
    let tested =
        permuted_response(&clustered, &config, Observed::new(&measures, &observed), settings, run);
    let Err(Error::Data { what, .. }) = tested else { panic!("{tested:?}") };
    assert!(what.contains("clusters"), "{what:?}");
    let cancelled = Progress::new();
    cancelled.cancel();
    let run = &Run::new(run.threads, &cancelled);
    let stopped =
        subsampling(&data, &config, Observed::new(&measures, &[]), &Subsampling::default(), run);
    assert!(matches!(stopped, Err(Error::Cancelled)));
}

#[test]
fn counts_without_the_scale_of_the_whole_forest_are_refused() {
    let data = Friedman1 { n_columns: 5, noise: 1.0 }.draw(60, 2).expect("rows");
    let config = ForestConfig { n_trees: 9, ..ForestConfig::default() };
    let measures = measures(&[MeasureId::SplitCount]);
    let run = &Run::on(Threads::new(1).expect("one"));
    match subsampling(&data, &config, Observed::new(&measures, &[]), &Subsampling::default(), run) {
        Err(Error::Measure { measure, why, .. }) => {
            assert_eq!(measure, "split_count");
            assert!(why.contains("the scale of the whole one"), "{why:?}");
        }
        other => panic!("not refused: {other:?}"),
    }
}

/// Where no forest on a half of the rows can divide them, their zeros do not vary: errors are not known then.
#[test]
fn forests_without_splits_show_no_errors() {
    let data = Friedman1::default().draw(60, 1).expect("a draw");
    let config = ForestConfig { n_trees: 30, min_leaf_size: 20, ..ForestConfig::default() };
    let measures = measures(&[MeasureId::Mdi]);
    let few = Subsampling { n_subsamples: 6, ..Subsampling::default() };
    let asked = UncertaintyConfig {
        errors: SamplingErrors::Subsampling(few),
        confidence: Confidence::new(0.9).expect("a probability"),
        test: None,
        adjustment: Adjustment::Holm,
    };
    let run = &Run::all();
    let found =
        uncertainty(&data, Origin::Settings(&config), &measures, &asked, run).expect("valid");
    assert!(found[0].importance.values.iter().flatten().any(|value| *value > 0.0));
    assert_eq!(found[0].sampled.n_subsamples, Some(0));
    assert!(found[0].sampled.standard_errors.iter().all(Option::is_none));
    assert!(found[0].notes().any(|note| note.starts_with("sampling errors are not known")));
    assert_eq!(found[0].note_on_ranks(), None);
    let of_one_tree = Subsampling { n_trees: Some(1), ..few };
    assert!(of_one_tree.validate().expect_err("refused").to_string().contains("is 1"));
}
