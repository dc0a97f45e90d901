//! p-values: uniform without relevant variables, small with them.

use wald::data::{Column, Target};
use wald::forest::Keep;
use wald::inference::{
    Observed, PermutedResponse, ShadowDraws, Test, Tested, mirrored_test, permuted_response,
    shadow_test,
};
use wald::measure::MeasureSettings;
use wald::simulate::Friedman1;
use wald::{
    Dataset, Error, Forest, ForestConfig, Importance, Measure, MeasureId, Progress, Run, Threads,
};

use crate::support::{Numbers, Shape, dataset};

/// Types of the columns of [`noise`].
const TYPES: usize = 3;

/// Pure noise: numbers, as many flags and as many columns of levels, with classes.
pub(crate) fn noise(seed: u64, n_rows: usize, per_type: usize) -> Dataset {
    let mut numbers = Numbers(seed.wrapping_mul(7919) + 13);
    let mut column =
        |bound: u32| -> Vec<u32> { (0..n_rows).map(|_| numbers.below(bound)).collect() };
    let names = |count: u32| (0..count).map(|level| format!("L{level}")).collect::<Vec<_>>();
    let mut columns = Vec::new();
    for index in 0..per_type {
        for bound in [1 << 20, 2] {
            let cells = column(bound).into_iter().map(f64::from).collect();
            let name = format!("below {bound}, {index}");
            columns.push(Column::numeric(name, cells).expect("finite"));
        }
        let levels = Column::categorical(format!("levels {index}"), names(5), column(5));
        columns.push(levels.expect("codes"));
    }
    let target = Target::classification("y", names(2), column(2)).expect("codes");
    Dataset::new(columns, target).expect("a data set")
}

fn measures(ids: &[MeasureId]) -> Vec<Measure> {
    let measure = |id: &MeasureId| Measure::new(*id, MeasureSettings::default()).expect("defaults");
    ids.iter().map(measure).collect()
}

/// What a test finds, after the importances of the forest itself.
fn tested(data: &Dataset, config: &ForestConfig, measures: &[Measure], test: Test) -> Vec<Tested> {
    let run = &Run::on(Threads::new(2).expect("two"));
    let grown = Forest::grow_and_measure(data, config, measures, Keep::Nothing, run);
    let importances: Vec<Importance> = grown.expect("valid").measured.importances;
    let observed = Observed::new(measures, &importances);
    let found = match test {
        Test::Permuted(settings) => permuted_response(data, config, observed, settings, run),
        Test::Shadow(settings) => shadow_test(data, config, observed, settings, run),
        Test::Mirrored => mirrored_test(data, config, observed, run),
    };
    found.expect("valid")
}

/// By measure and type, the mean over tables of the share of p-values of at most .2, and its
/// standard error.
fn levels(ids: &[MeasureId], test: Test, (n_tables, per_type): (u64, usize)) -> Vec<Vec<[f64; 2]>> {
    let measures = measures(ids);
    let mut shares = vec![vec![Vec::new(); TYPES]; ids.len()];
    for seed in 0..n_tables {
        let data = noise(seed, 60, per_type);
        let config = ForestConfig { n_trees: 10, seed, ..ForestConfig::default() };
        for (shares, tested) in shares.iter_mut().zip(tested(&data, &config, &measures, test)) {
            for (kind, shares) in shares.iter_mut().enumerate() {
                let of_kind = tested.p_values.iter().skip(kind).step_by(TYPES);
                // Where no value is below zero, nothing is found.
                let small = of_kind.filter(|p| p.is_some_and(|p| p <= 0.2)).count();
                shares.push(small as f64 / per_type as f64);
            }
        }
    }
    let estimate = |shares: &Vec<f64>| {
        let n = shares.len() as f64;
        let mean = shares.iter().sum::<f64>() / n;
        let squares: f64 = shares.iter().map(|share| (share - mean).powi(2)).sum();
        [mean, (squares / (n - 1.0) / n).sqrt()]
    };
    shares.iter().map(|of_measure| of_measure.iter().map(estimate).collect()).collect()
}

/// Of 150 tables of noise, p <= .2 in 30 on average, for every type of column and every measure, and
/// in 16 to 46 with a probability of .998.
#[test]
fn permuted_responses_are_uniform_where_nothing_matters() {
    let ids = [MeasureId::Mdi, MeasureId::MdaBreimanCutler, MeasureId::SobolMda];
    let settings = PermutedResponse { permutations: 19, enough: None };
    let found = levels(&ids, Test::Permuted(settings), (150, 1));
    let is_plausible = |[share, _]: &[f64; 2]| (16.0..=46.0).contains(&(150.0 * share));
    assert!(found.iter().flatten().all(is_plausible), "{found:?}");
}

/// As before with two columns of a type: 60 of 300 on average, 39 to 81 with a probability of .998.
/// Sobol-MDA, whose null mean is below zero, and the depth, which is small where important, too.
#[test]
fn shadows_are_uniform_where_nothing_matters() {
    let ids =
        [MeasureId::Mdi, MeasureId::MdaBreimanCutler, MeasureId::SobolMda, MeasureId::MinimalDepth];
    let found = levels(&ids, Test::Shadow(ShadowDraws { draws: 12 }), (150, 2));
    let is_plausible = |[share, _]: &[f64; 2]| (39.0..=81.0).contains(&(300.0 * share));
    assert!(found.iter().flatten().all(is_plausible), "{found:?}");
}

/// Of k columns of a type, m are below zero with the binomial probability, any one is above zero in
/// (k - m) / k of these cases, and is then at any of m + 1 places among mirror images.
#[test]
fn mirror_images_are_uniform_on_their_steps() {
    let k = 10;
    let mut ways = 1.0;
    let mut level = 0.0;
    for m in 1..=k {
        ways *= f64::from(k - m + 1) / f64::from(m);
        let above = f64::from(k - m) / f64::from(k);
        let places = (0.2 * f64::from(2 + 2 * m) + 1e-9).floor().min(f64::from(m + 1));
        level += ways * 0.5_f64.powi(k) * above * places / f64::from(m + 1);
    }
    assert!(level < 0.2, "{level}");
    let ids = [
        MeasureId::Mdi,
        MeasureId::MdaBreimanCutler,
        MeasureId::SobolMda,
        MeasureId::MinimalDepth,
        MeasureId::Air,
    ];
    let found = levels(&ids, Test::Mirrored, (150, k as usize));
    // Columns of a forest share its null.
    let is_plausible = |[share, error]: &[f64; 2]| (share - level).abs() <= 3.3 * error;
    assert!(found.iter().flatten().all(is_plausible), "{level}: {found:?}");
}

/// Ten columns that mean something or nothing are enough for shadows, forty for mirror images.
#[test]
fn what_matters_is_found_among_shadows() {
    let ids = [MeasureId::Mdi, MeasureId::SobolMda, MeasureId::MinimalDepth];
    let measures = measures(&ids);
    for (test, n_columns) in [(Test::Shadow(ShadowDraws { draws: 20 }), 10), (Test::Mirrored, 40)] {
        let data = Friedman1 { n_columns, noise: 1.0 }.draw(200, 3).expect("rows");
        let config = ForestConfig { n_trees: 60, ..ForestConfig::default() };
        for found in tested(&data, &config, &measures, test) {
            let p_value = |at: usize| found.p_values[at].expect("defined");
            let least = 1.0 / (1.0 + f64::from(found.null_sizes[3]));
            assert!(p_value(3) <= 1.1 * least, "{test:?}, {}: {}", found.id, p_value(3));
            assert!(p_value(3) <= 0.05, "{test:?}, {}: {}", found.id, p_value(3));
            let small = (5..n_columns).filter(|&at| p_value(at) <= 0.02).count();
            assert!(small <= n_columns / 10, "{test:?}, {}: {small} irrelevant ones", found.id);
        }
    }
}

/// Missing values, weights, classes, groups: the same bits for any number of threads, and a p-value
/// for a group by its own shadows.
#[test]
fn shadows_have_the_same_bits_for_any_number_of_threads() {
    let shape = Shape { n_rows: 90, n_classes: 3, missing: true, weights: true, seed: 11 };
    let data = dataset(shape);
    let names = data.features().names();
    let group = ("pair".to_owned(), names[..2].to_vec());
    let data = data.with_groups(&[group]).expect("columns of the table");
    let config = ForestConfig { n_trees: 9, ..ForestConfig::default() };
    let measures = measures(&[MeasureId::MdiOob, MeasureId::SobolMda]);
    let observed = |threads| {
        let run = &Run::on(threads);
        let grown = Forest::grow_and_measure(&data, &config, &measures, Keep::Nothing, run);
        grown.expect("valid").measured.importances
    };
    let with = |threads| {
        let threads = Threads::new(threads).expect("a number");
        let (progress, observed) = (Progress::new(), observed(threads));
        let run = &Run::new(threads, &progress);
        let settings = ShadowDraws { draws: 6 };
        let shadow =
            shadow_test(&data, &config, Observed::new(&measures, &observed), settings, run);
        let mirrored = mirrored_test(&data, &config, Observed::new(&measures, &observed), run);
        (shadow.expect("valid"), mirrored.expect("valid"))
    };
    let (shadow, mirrored) = with(1);
    assert_eq!((shadow.clone(), mirrored.clone()), with(3));
    assert_eq!(shadow[0].null_sizes[0], 6, "a group has its own shadows only");
    assert!(shadow[0].p_values.iter().all(Option::is_some), "{shadow:?}");
    assert_eq!(mirrored[0].p_values[0], None, "no other group is like it");
}

#[test]
fn what_cannot_change_places_is_refused() {
    let data = noise(1, 40, 1);
    let config = ForestConfig { n_trees: 5, ..ForestConfig::default() };
    let measures = measures(&[MeasureId::Mdi]);
    let run = &Run::on(Threads::new(1).expect("one"));
    let grown = Forest::grow_and_measure(&data, &config, &measures, Keep::Nothing, run);
    let observed = grown.expect("valid").measured.importances;
    let clustered = data.clone().with_clusters((0..40).map(|row| row / 4).collect());
    let clustered = clustered.expect("one per row");
    let on = |data: &Dataset, config: &ForestConfig| {
        let settings = ShadowDraws::default();
        let shadow = shadow_test(data, config, Observed::new(&measures, &observed), settings, run);
        [shadow, mirrored_test(data, config, Observed::new(&measures, &observed), run)]
    };
    for refused in on(&clustered, &config) {
        let Err(Error::Data { what, .. }) = refused else { panic!("{refused:?}") };
        assert!(what.contains("clusters"), "{what:?}");
    }
    let subspace = ForestConfig { subspace: Some(2), ..config.clone() };
    for refused in on(&data, &subspace) {
        assert!(matches!(refused, Err(Error::Setting { .. })), "{refused:?}");
    }
    let cancelled = Progress::new();
    cancelled.cancel();
    let settings = ShadowDraws::default();
    let run = &Run::new(run.threads, &cancelled);
    let stopped = shadow_test(&data, &config, Observed::new(&measures, &observed), settings, run);
    assert!(matches!(stopped, Err(Error::Cancelled)));
}

#[test]
fn what_matters_has_small_p_values_and_tests_stop_when_all_is_known() {
    let data = Friedman1 { n_columns: 8, noise: 1.0 }.draw(150, 3).expect("rows");
    let config = ForestConfig { n_trees: 40, ..ForestConfig::default() };
    let measures = measures(&[MeasureId::SobolMda, MeasureId::MinimalDepth]);
    let with = |settings| tested(&data, &config, &measures, Test::Permuted(settings));
    let all = with(PermutedResponse { permutations: 99, enough: None });
    let early = with(PermutedResponse { permutations: 99, enough: Some(4) });
    for (all, early) in all.iter().zip(&early) {
        assert_eq!(all.null_sizes, [99; 8]);
        // x4 matters most; no permuted response comes near it.
        assert_eq!(all.p_values[3], Some(0.01), "{}", all.id);
        assert_eq!(early.p_values[3], all.p_values[3], "its test went on");
        assert!(all.p_values[5..].iter().all(|p| p.expect("defined") > 0.02), "{all:?}");
        for (p_value, permutations) in early.p_values.iter().zip(&early.null_sizes) {
            let p_value = p_value.expect("defined");
            if *permutations < 99 {
                assert!((p_value - 4.0 / f64::from(*permutations)).abs() < 1e-15);
            }
        }
        assert!(early.null_sizes[5..].iter().all(|count| *count < 99), "{early:?}");
    }
    // One irrelevant variable is enough to see that the test can end before its limit.
    let noise = data.select(&(0..20).collect::<Vec<_>>()).expect("rows");
    let once = PermutedResponse { permutations: 10_000, enough: Some(1) };
    let ended = tested(&noise, &config, &measures, Test::Permuted(once));
    assert!(ended[1].null_sizes.iter().all(|count| *count < 10_000));
}
