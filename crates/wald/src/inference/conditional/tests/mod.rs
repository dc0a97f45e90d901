mod draws;

use std::io::Cursor;
use std::sync::Arc;

use crate::data::{Column, ColumnData, Dataset, MISSING_LEVEL, Response, Target};
use crate::forest::ForestConfig;
use crate::inference::conditional::estimate::Judged;
use crate::inference::{Adjustment, ConditionalConfig, ConditionalMethod, conditional_test};
use crate::parts::{PartFile, PartOf, Parts, Recorder};
use crate::random::{Purpose, Stream};
use crate::run::{Run, Threads};
use crate::simulate::Friedman1;

fn forest(n_trees: usize) -> ForestConfig {
    ForestConfig { n_trees, seed: 3, ..ForestConfig::default() }
}

fn config(n_trees: usize, method: ConditionalMethod) -> ConditionalConfig {
    ConditionalConfig { method, folds: 3, ..ConditionalConfig::new(forest(n_trees)) }
}

const METHODS: [ConditionalMethod; 2] =
    [ConditionalMethod::SobolCpi { draws: 3 }, ConditionalMethod::Loco];

fn normal(stream: &mut Stream) -> f64 {
    (0..12).map(|_| stream.unit()).sum::<f64>() - 6.0
}

/// A number, a copy of it with noise, levels and a number of two values that follow it, all with missing
/// cells; the response follows the first.
fn mixed(n_rows: usize, seed: u64) -> Dataset {
    let mut stream = Stream::new(seed, 0, Purpose::Simulation { part: 9 });
    let x: Vec<f64> = (0..n_rows).map(|_| normal(&mut stream)).collect();
    let follows: Vec<f64> = x.iter().map(|x| x + 0.5 * normal(&mut stream)).collect();
    let noisy = |x: &f64, stream: &mut Stream| x + 0.5 * normal(stream);
    let levels = x.iter().map(|x| match noisy(x, &mut stream) {
        number if number < -0.5 => 0,
        number if number < 0.5 => 2,
        _ => 3,
    });
    let levels: Vec<u32> = levels.collect();
    let two: Vec<f64> =
        x.iter().map(|x| f64::from(u8::from(noisy(x, &mut stream) > 0.0))).collect();
    let y: Vec<f64> = x.iter().map(|x| 2.0 * x + normal(&mut stream)).collect();
    let with_gaps = |values: Vec<f64>| {
        let cell = |(row, value)| if row % 11 == 3 { f64::NAN } else { value };
        values.into_iter().enumerate().map(cell).collect::<Vec<f64>>()
    };
    let codes = levels.into_iter().enumerate();
    let codes = codes.map(|(row, code)| if row % 13 == 5 { MISSING_LEVEL } else { code });
    let names = ["a", "never", "b", "c"].map(str::to_owned).to_vec();
    let columns = vec![
        Column::numeric("x", x),
        Column::numeric("follows", with_gaps(follows)),
        Column::categorical("levels", names, codes.collect()),
        Column::numeric("two", with_gaps(two)),
    ];
    let columns: Result<_, _> = columns.into_iter().collect();
    let target = Target::regression("y", y).expect("finite");
    Dataset::new(columns.expect("finite"), target).expect("a data set")
}

/// scipy: `ttest_1samp(d, 0, alternative="greater")` and `t.ppf(.95, 7)`, where d are half of the
/// differences below; error and interval of the quotient by its definition.
#[test]
fn estimates_are_those_of_the_textbook() {
    let y = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    let x = Column::numeric("x", y.clone()).expect("finite");
    let data = Dataset::new(vec![x], Target::regression("y", y).expect("finite")).expect("data");
    let config = config(1, ConditionalMethod::SobolCpi { draws: 1 });
    let full = [0.1, 0.2, 0.1, 0.3, 0.2, 0.1, 0.4, 0.2];
    let reduced = [0.5, 0.1, 0.7, 0.3, 1.2, 0.1, 0.6, 0.9];
    let parts = [0; 8];
    let judged = Judged::new(&data, &config, &parts, &full);
    let found = judged.estimate(&reduced);
    // Of one draw, half of the difference counts: its mean is 0.175, the variance of y 5.25.
    assert!((found.value - 0.175 / 5.25).abs() < 1e-15);
    assert!((found.p_value - 0.019_896_889_402_322_65).abs() < 1e-12, "{}", found.p_value);
    assert!((judged.explained_variance() - (1.0 - 0.2 / 5.25)).abs() < 1e-15);
    // What a row adds: (d - value * (y - 4.5)^2) / 5.25, of mean zero.
    let adds = (0..8).map(|row| {
        let deviation = row as f64 - 3.5;
        let difference = (reduced[row] - full[row]) / 2.0;
        (difference - found.value * deviation * deviation) / 5.25
    });
    let error = (adds.map(|adds| adds * adds).sum::<f64>() / 7.0 / 8.0).sqrt();
    assert!((found.standard_error - error).abs() < 1e-15);
    // The 95 % point of Student's distribution with seven degrees of freedom.
    let reach = 1.894_578_605_090_006_2 * error;
    assert!((found.interval.high - found.value - reach).abs() < 1e-9);

    // Of clusters, each of two equal rows, the errors are those of half as many rows.
    let twice = |values: &[f64]| values.iter().flat_map(|value| [*value; 2]).collect::<Vec<_>>();
    let y: Vec<f64> = twice(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    let x = Column::numeric("x", y.clone()).expect("finite");
    let data = Dataset::new(vec![x], Target::regression("y", y).expect("finite")).expect("data");
    let data = data.with_clusters((0..16).map(|row| row / 2).collect()).expect("clusters");
    let (full, reduced) = (twice(&full), twice(&reduced));
    let parts = [0; 16];
    let of_clusters = Judged::new(&data, &config, &parts, &full).estimate(&reduced);
    assert!((of_clusters.standard_error - found.standard_error).abs() < 1e-15);
    assert!((of_clusters.p_value - found.p_value).abs() < 1e-12);
    // A weight of two is as good as a second row for the value.
    let loco = ConditionalConfig { method: ConditionalMethod::Loco, ..config };
    let halves: Vec<u32> = (0..16).map(|row| row / 2 % 2).collect();
    let split = Judged::new(&data, &loco, &halves, &full).estimate(&reduced);
    let mean = |losses: &[f64], half: u32| {
        losses.iter().zip(&halves).filter(|(_, of)| **of == half).map(|(loss, _)| loss).sum::<f64>()
            / 8.0
    };
    assert!((split.value - (mean(&reduced, 1) - mean(&full, 0)) / 5.25).abs() < 1e-15);
}

/// A forest on fewer columns would overfit more: values of the irrelevant one of two variables were .075 on
/// average, with an error of .017.
#[test]
fn forests_without_a_variable_are_as_good_where_it_adds_nothing() {
    const N: u32 = 40;
    let mut values = Vec::new();
    for seed in 0..N {
        let mut stream = Stream::new(u64::from(seed), 0, Purpose::Simulation { part: 9 });
        let mut column = || (0..300).map(|_| normal(&mut stream)).collect::<Vec<f64>>();
        let (x, noise, error) = (column(), column(), column());
        let y = x.iter().zip(error).map(|(x, error)| x + error).collect();
        let columns = [("x", x), ("noise", noise)];
        let columns = columns.map(|(name, cells)| Column::numeric(name, cells).expect("finite"));
        let target = Target::regression("y", y).expect("finite");
        let data = Dataset::new(columns.to_vec(), target).expect("consistent");
        let config = config(50, ConditionalMethod::Loco);
        values.push(conditional_test(&data, &config, &Run::all()).expect("a test").values[1]);
    }
    let mean = values.iter().sum::<f64>() / f64::from(N);
    let variance =
        values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / f64::from(N - 1);
    let error = (variance / f64::from(N)).sqrt();
    assert!(mean < 2.0 * error && error < 0.02, "{mean} {error}");
}

/// A column of its own is permuted, so that its index is the loss of permuted predictions.
#[test]
fn a_single_column_is_permuted() {
    let all = mixed(80, 2);
    let x = all.features().columns()[0].clone();
    let data = Dataset::new(vec![x], all.target().clone()).expect("data");
    let config = config(10, ConditionalMethod::SobolCpi { draws: 2 });
    let found = conditional_test(&data, &config, &Run::all()).expect("a test");
    // All that is explained is explained by it.
    assert!((found.values[0] - found.explained_variance).abs() < 0.25, "{found:?}");
    assert!(found.p_values[0] < 1e-4);
    let loco = ConditionalConfig { method: ConditionalMethod::Loco, ..config };
    let found = conditional_test(&data, &loco, &Run::all()).expect("a test");
    assert!((found.values[0] - found.explained_variance).abs() < 0.25, "{found:?}");
}

#[test]
fn results_are_the_same_on_any_threads_and_in_parts() {
    let data = mixed(60, 3);
    let groups = [("pair".to_owned(), vec!["follows".to_owned(), "levels".to_owned()])];
    let data = data.with_groups(&groups).expect("groups");
    let data = data.with_clusters((0..60).map(|row| row / 2).collect()).expect("clusters");
    let data = data.with_weights((1..=60).map(f64::from).collect()).expect("weights");
    let data = Arc::new(data);
    for method in METHODS {
        let config = config(4, method);
        let alone = conditional_test(&data, &config, &Run::on(Threads::ONE)).expect("a test");
        let three = Run::on(Threads::new(3).expect("threads"));
        assert_eq!(conditional_test(&data, &config, &three).expect("a test"), alone);
        let mut files = Vec::new();
        for number in 1..=2 {
            let part = PartOf::new(number, 2).expect("a part");
            let part = Arc::new(Recorder::new(part, Vec::new()));
            let run = Run::all().recording(&part);
            assert!(conditional_test(&data, &config, &run).is_err(), "the rest is for merging");
            let bytes = part.bytes().expect("bytes").expect("the part is done");
            files.push(PartFile::new(format!("{number}.part"), Cursor::new(bytes)));
        }
        let run = Run::all().merging(Parts::read(files).expect("parts"));
        assert_eq!(conditional_test(&data, &config, &run).expect("a test"), alone);
    }
}

/// Of columns that only follow the relevant one, few are found at 5 %; the relevant one always is.
/// With 240 rows the largest of its p-values is .0004; with 90 it is .02 or .14, by the draws.
#[test]
fn irrelevant_variables_are_rarely_found() {
    const N: u32 = 30;
    let config = ConditionalConfig {
        adjustment: Adjustment::None,
        ..config(15, ConditionalMethod::SobolCpi { draws: 5 })
    };
    let mut found = [0; 4];
    for seed in 0..N {
        let data = mixed(240, u64::from(seed) + 100);
        let test = conditional_test(&data, &config, &Run::all()).expect("a test");
        for (n, p_value) in found.iter_mut().zip(&test.p_values) {
            *n += u32::from(*p_value < 0.05);
        }
    }
    assert_eq!(found[0], N);
    // More than six of thirty have a probability below 1 in 1000 at a level of 5 %.
    assert!(found[1..].iter().all(|n| *n <= 6), "{found:?}");
}

#[test]
fn classes_and_refusals() {
    let more = Friedman1::default().draw(300, 1).expect("a draw");
    let classes = match more.target().response() {
        Response::Regression(values) => {
            values.iter().map(|value| u32::from(*value > 14.0)).collect()
        }
        _ => panic!("numbers"),
    };
    let names = vec!["low".to_owned(), "high".to_owned()];
    let target = Target::classification("y", names, classes).expect("classes");
    let classes = Dataset::new(more.features().columns().to_vec(), target).expect("data");
    let data = Friedman1::default().draw(90, 1).expect("a draw");
    for method in METHODS {
        let found = conditional_test(&classes, &config(30, method), &Run::all()).expect("a test");
        let best = (0..10).max_by(|&a, &b| found.values[a].total_cmp(&found.values[b]));
        assert!(best.is_some_and(|best| [0, 1, 3].contains(&best)), "{method:?} {found:?}");
        assert!((0.1..0.9).contains(&found.explained_variance));
    }
    let refused = |config: ConditionalConfig| {
        conditional_test(&data, &config, &Run::all()).expect_err("refused").to_string()
    };
    let usual = config(2, METHODS[0]);
    assert!(
        refused(ConditionalConfig { folds: 1, ..usual.clone() })
            .contains("is 1, but there are 90 rows")
    );
    let loco = ConditionalConfig { folds: 46, method: ConditionalMethod::Loco, ..usual.clone() };
    assert!(refused(loco).contains("90 rows"));
    let single = ConditionalConfig { folds: 46, ..usual.clone() };
    assert!(refused(single).contains("is 46, but there are 90 rows"));
    let none = ConditionalMethod::SobolCpi { draws: 0 };
    assert!(refused(ConditionalConfig { method: none, ..usual.clone() }).contains("is 0"));
    let target = Target::regression("y", vec![1.0; 90]).expect("finite");
    let constant = Dataset::new(data.features().columns().to_vec(), target).expect("data");
    let error = conditional_test(&constant, &usual, &Run::all()).expect_err("refused");
    assert!(error.to_string().contains("constant"), "{error}");
}

/// Residuals are those of other rows: with its own one a row would keep its value, and in folds of one or two
/// rows nothing would be lost. With that of a single other row in all draws, the loss would grow by 1.7 times
/// as much.
#[test]
fn folds_of_few_rows_do_not_hide_a_variable() {
    let value = |folds: usize| {
        let of_table = |seed| {
            let mut stream = Stream::new(seed, 0, Purpose::Simulation { part: 9 });
            let x: Vec<f64> = (0..40).map(|_| normal(&mut stream)).collect();
            let y = x.iter().map(|x| 2.0 * x + 0.3 * normal(&mut stream)).collect();
            let column = Column::numeric("x", x).expect("finite");
            let data = Dataset::new(vec![column], Target::regression("y", y).expect("finite"));
            let method = ConditionalMethod::SobolCpi { draws: 5 };
            let config = ConditionalConfig { folds, ..config(20, method) };
            let found = conditional_test(&data.expect("consistent"), &config, &Run::all());
            found.expect("a test").values[0]
        };
        (0..30).map(of_table).sum::<f64>() / 30.0
    };
    let (usual, few) = (value(4), value(20));
    assert!(usual > 0.7 && (0.8..1.25).contains(&(few / usual)), "{usual} {few}");
    let mut stream = Stream::new(5, 0, Purpose::Simulation { part: 9 });
    let mut items: Vec<u32> = (0..9).collect();
    for _ in 0..200 {
        let before = items.clone();
        stream.cycle(&mut items);
        assert!(items.iter().zip(&before).all(|(now, before)| now != before), "{items:?}");
    }
}

/// Columns that do not vary add nothing by either method; weights that differ much are noted. Of two values that
/// nothing predicts, fully grown trees have probabilities that vary, by which the index was 1.3.
#[test]
fn constant_columns_add_nothing_and_indices_are_shares() {
    const TABLES: u64 = 10;
    let table = |seed| {
        let mut stream = Stream::new(seed, 0, Purpose::Simulation { part: 9 });
        let two: Vec<f64> = (0..120).map(|_| f64::from(stream.below(2))).collect();
        let y = two.iter().map(|two| two + 0.15 * normal(&mut stream)).collect();
        let noise = (0..120).map(|_| normal(&mut stream)).collect();
        let columns = [("two", two), ("noise", noise), ("constant", vec![7.0; 120])];
        let columns = columns.map(|(name, values)| Column::numeric(name, values).expect("finite"));
        let target = Target::regression("y", y).expect("finite");
        Dataset::new(columns.to_vec(), target).expect("consistent")
    };
    for method in METHODS {
        let mut sum = 0.0;
        for seed in 0..TABLES {
            let forest = ForestConfig { mtry: Some(3), ..forest(20) };
            let config = ConditionalConfig { method, folds: 3, ..ConditionalConfig::new(forest) };
            let found = conditional_test(&table(seed), &config, &Run::all()).expect("a test");
            assert_eq!((found.values[2], found.p_values[2]), (0.0, 1.0), "{method:?}");
            assert!(found.notes.is_empty(), "{found:?}");
            sum += found.values[0];
        }
        // The truth is .92, and the mean has a standard error of .025.
        let mean = sum / TABLES as f64;
        assert!(mean > 0.8, "{method:?} {mean}");
        // A forest that has nothing left to learn from overfits, so that loco may be above one.
        assert!(method == ConditionalMethod::Loco || mean < 1.0, "{mean}");
    }
    let mut weights = vec![1.0; 120];
    weights[5] = 60.0;
    let weighted = table(6).with_weights(weights).expect("weights");
    let found = conditional_test(&weighted, &config(20, METHODS[1]), &Run::all()).expect("a test");
    assert_eq!(found.notes.len(), 1, "a single weight depends on nothing");
    assert!(found.notes[0].ends_with("120 rows are as informative as about 9 of equal weight"));
    let data = table(6);
    let ColumnData::Numeric(two) = data.features().columns()[0].data() else { panic!("numbers") };
    let weighted = data.clone().with_weights(two.iter().map(|two| 1.0 + 3.0 * two).collect());
    let weighted = weighted.expect("weights");
    let found = conditional_test(&weighted, &config(20, METHODS[1]), &Run::all()).expect("a test");
    assert!(found.notes[0].starts_with("case weights depend on the target \"y\""), "{found:?}");
}

/// A column that is constant in clusters is drawn with residuals of other clusters, of which there are few in a
/// fold; and rows of weight w give theirs w times as often: with residuals of any rows, x had half of its
/// index in the first table and 1.9 times of it in the second one.
#[test]
fn residuals_are_of_other_clusters_and_by_weight() {
    const TABLES: u64 = 16;
    let means = |table: &dyn Fn(&mut Stream) -> Dataset, folds| {
        let of_table = |seed| {
            let data = table(&mut Stream::new(seed, 0, Purpose::Simulation { part: 9 }));
            let forest = ForestConfig { mtry: Some(2), min_leaf_size: 10, ..forest(20) };
            let config = ConditionalConfig { folds, ..ConditionalConfig::new(forest) };
            let found = conditional_test(&data, &config, &Run::all()).expect("a test");
            [found.values[0], found.values[1]]
        };
        let all = (0..TABLES).map(of_table);
        all.fold([0.0; 2], |sum, of| [0, 1].map(|at| sum[at] + of[at] / TABLES as f64))
    };
    let data = |x: Vec<f64>, z: Vec<f64>, stream: &mut Stream| {
        let y = x.iter().zip(&z).map(|(x, z)| x + z + 0.3 * normal(stream)).collect();
        let columns = [("x", x), ("z", z)];
        let columns = columns.map(|(name, cells)| Column::numeric(name, cells).expect("finite"));
        let target = Target::regression("y", y).expect("finite");
        Dataset::new(columns.to_vec(), target).expect("consistent")
    };
    let clustered = |stream: &mut Stream| {
        let own: Vec<f64> = (0..60).map(|_| normal(stream)).collect();
        let x = own.iter().flat_map(|own| [*own; 6]).collect();
        let z = (0..360).map(|_| normal(stream)).collect();
        let data = data(x, z, stream);
        data.with_clusters((0..360).map(|row| row / 6).collect()).expect("clusters")
    };
    // The truth is .478, of which forests know less.
    let found = means(&clustered, 20);
    assert!(found.iter().all(|mean| (0.35..0.53).contains(mean)), "{found:?}");
    let weighted = |stream: &mut Stream| {
        let x: Vec<f64> = (0..600).map(|_| normal(stream)).collect();
        let weights = x.iter().map(|x| x.exp()).collect();
        let z = (0..600).map(|_| normal(stream)).collect();
        data(x, z, stream).with_weights(weights).expect("weights")
    };
    let found = means(&weighted, 5);
    assert!(found.iter().all(|mean| (0.35..0.53).contains(mean)), "{found:?}");
    let config = ConditionalConfig { folds: 31, ..ConditionalConfig::new(forest(5)) };
    let data = clustered(&mut Stream::new(1, 0, Purpose::Simulation { part: 9 }));
    let refused = conditional_test(&data, &config, &Run::all()).expect_err("single clusters");
    assert!(refused.to_string().contains("is 31, but there are 60 clusters"), "{refused}");
}

/// The error of a weighted mean is that of the jackknife, for rows and for clusters, and with equal weights
/// the usual one.
#[test]
fn errors_of_weighted_means_are_those_of_the_jackknife() {
    let data = mixed(12, 4);
    let values: Vec<f64> = (0..12).map(|row| f64::from(row * row % 7)).collect();
    let weights: Vec<f64> = (0..12).map(|row| if row == 3 { 50.0 } else { 1.0 }).collect();
    let mean = |rows: &[usize], weights: &[f64]| {
        let sum: f64 = rows.iter().map(|&row| weights[row] * values[row]).sum();
        sum / rows.iter().map(|&row| weights[row]).sum::<f64>()
    };
    let all: Vec<usize> = (0..12).collect();
    let check = |data: &Dataset, weights: &[f64], unit_of: &dyn Fn(usize) -> usize| {
        let n = 1 + unit_of(11);
        let without = (0..n).map(|unit| {
            let rows: Vec<usize> =
                all.iter().copied().filter(|&row| unit_of(row) != unit).collect();
            (mean(&rows, weights) - mean(&all, weights)).powi(2)
        });
        let expected = (without.sum::<f64>() * (n as f64 - 1.0) / n as f64).sqrt();
        let whole: f64 = weights.iter().sum();
        let shares: Vec<f64> = weights.iter().map(|weight| weight / whole).collect();
        let influence = |row: &usize| shares[*row] * (values[*row] - mean(&all, weights));
        let influences: Vec<f64> = all.iter().map(influence).collect();
        let (found, alike) = data.error_of_mean(&influences, &shares);
        assert!((found - expected).abs() < 1e-12 * expected, "{found} {expected}");
        alike
    };
    assert!((check(&data, &[1.0; 12], &|row| row) - 12.0).abs() < 1e-12);
    assert!(check(&data, &weights, &|row| row) < 2.0);
    let clustered = data.with_clusters((0..12).map(|row| row / 3).collect()).expect("clusters");
    check(&clustered, &weights, &|row| row / 3);
}
