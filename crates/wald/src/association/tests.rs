//! Against scipy 1.17, mpmath 1.3 and a quadratic form written out in numpy.

use super::chi_square::log_upper_tail;
use super::{Independence, Pairs, Ranked, Screening, independence};
use crate::data::{Column, Dataset, MISSING_LEVEL, Target};
use crate::run::Run;

fn numbers(values: &[f64]) -> Column {
    Column::numeric("x", values.to_vec()).expect("finite or NaN")
}

fn levels(codes: &[u32]) -> Column {
    let names = (0..9).map(|level| format!("L{level}")).collect();
    Column::categorical("x", names, codes.to_vec()).expect("known levels")
}

fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-11 * expected.abs().max(1.0), "{found} {expected}");
}

fn check(test: Option<Independence>, [statistic, degrees, log_p]: [f64; 3]) {
    let test = test.expect("both vary");
    assert_close(test.statistic, statistic);
    assert_eq!(test.degrees, degrees);
    assert_close(test.log_p, log_p);
}

/// mpmath with 40 digits: log(gammainc(k/2, x/2, inf, regularized=True)).
#[test]
fn tails_equal_those_of_mpmath() {
    for (statistic, degrees, expected) in [
        (1e-3, 1.0, -0.025_550_779_355_951),
        (1e-20, 1.0, -7.978_845_608_346_96e-11),
        (0.499, 1.0, -0.734_094_509_326_92),
        (0.501, 1.0, -0.735_927_215_519_81),
        (1_399.0, 1.0, -703.348_261_363_41),
        (1_401.0, 1.0, -704.348_974_632_46),
        (0.5, 2.0, -0.25),
        (3.84, 1.0, -2.994_862_227_18),
        (2.5, 10.0, -0.009_166_160_405_775_8),
        (7.855, 12.0, -0.227_708_325_612_78),
        (40.0, 40.5, -0.707_976_969_875_72),
        (80.0, 80.0, -0.736_114_936_123_56),
        (300.0, 250.0, -4.103_288_046_748_3),
        (2000.0, 1900.0, -2.914_951_243_633_2),
        (1e3, 1.0, -503.680_666_504_38),
        (5e3, 3.0, -2_495.966_994_816_9),
        (1e5, 40.0, -49_833.763_716_719),
    ] {
        let found = log_upper_tail(statistic, degrees);
        assert!((found / expected - 1.0).abs() < 1e-11, "{statistic} {degrees}: {found}");
    }
    assert_eq!(log_upper_tail(0.0, 3.0), 0.0);
    assert_eq!(log_upper_tail(f64::INFINITY, 3.0), f64::NEG_INFINITY);
}

/// (N - 1) r^2 with scipy.stats.pearsonr, and chi2.logsf.
#[test]
fn numbers_and_numbers() {
    let values = [2.5, 1.0, 4.0, 3.5, 7.0, 6.0, 5.5, 9.0];
    let x = numbers(&values);
    let y = numbers(&[1.0, 3.0, 2.0, 5.0, 4.5, 8.0, 6.5, 7.0]);
    let expected = [3.377_992_554_104_8, 1.0, -2.717_002_874_666];
    check(independence(&x, &y, |_| 1.0), expected);
    check(independence(&y, &x, |_| 1.0), expected);
    // A large offset and another unit change nothing.
    let far: Vec<f64> = values.iter().map(|value| 1e9 + 1024.0 * value).collect();
    check(independence(&numbers(&far), &y, |_| 1.0), expected);
}

/// `scipy.stats.chi2_contingency(table, correction=False)` times (N - 1) / N.
#[test]
fn levels_and_levels() {
    let table = [[8, 2, 5], [1, 9, 4]];
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for (row, counts) in (0_u32..).zip(table) {
        for (column, count) in (0_u32..).zip(counts) {
            a.extend(std::iter::repeat_n(row, count));
            b.extend(std::iter::repeat_n(column, count));
        }
    }
    let expected = [9.643_097_643_097_6, 2.0, -4.821_548_821_548_8];
    check(independence(&levels(&a), &levels(&b), |_| 1.0), expected);
    check(independence(&levels(&b), &levels(&a), |_| 1.0), expected);
    // The square root of the corrected statistic of Bergsma (2013), section 5, in numpy.
    let dependence = Ranked::new(&levels(&a)).dependence(&Ranked::new(&levels(&b)));
    assert_close(dependence, 0.532_050_458_589_31);
}

/// T, its mean and its covariance as matrices, `numpy.linalg.pinv` and `matrix_rank`.
#[test]
fn weighted_pairs_with_missing_values() {
    let weights = [1.0, 2.0, 1.0, 0.0, 3.0, 1.0, 2.0, 1.0, 1.0, 2.0, 1.0, 1.0];
    let weight = |row: usize| weights[row];
    let few = levels(&[0, 1, 2, 0, 1, 2, 2, 1, 0, 2, 1, 0]);
    let four = levels(&[0, 1, 1, 0, 2, 3, 2, 1, 0, 3, 3, MISSING_LEVEL]);
    let x = numbers(&[1.5, 2.0, f64::NAN, 0.5, 3.0, 2.5, 4.0, 1.0, 1.25, 3.5, 2.25, 0.75]);
    let z = numbers(&[3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0, 5.0, 8.0]);
    let expected = [9.419_766_206_163_66, 2.0, -4.709_883_103_081_8];
    check(independence(&few, &x, weight), expected);
    check(independence(&x, &few, weight), expected);
    check(independence(&few, &four, weight), [16.3, 6.0, -4.403_765_970_731_4]);
    let expected = [2.215_756_414_149_1, 1.0, -1.990_639_097_869_1];
    check(independence(&x, &z, weight), expected);
}

#[test]
fn nothing_is_tested_where_a_variable_does_not_vary() {
    let (constant, x) = (numbers(&[3.0; 4]), numbers(&[1.0, 2.0, f64::NAN, 4.0]));
    let (one, few) = (levels(&[2; 4]), levels(&[0, 1, 0, 1]));
    let missing = numbers(&[f64::NAN; 4]);
    for (a, b) in [(&constant, &x), (&one, &x), (&constant, &few), (&one, &few), (&missing, &x)] {
        assert_eq!(independence(a, b, |_| 1.0), None);
        assert_eq!(independence(b, a, |_| 1.0), None);
    }
    assert_eq!(independence(&x, &few, |_| 0.0), None, "no row counts");
    assert_eq!(independence(&x, &few, |row| f64::from(u8::from(row == 1))), None, "one row");
}

#[test]
fn dependence_of_ranks() {
    let dependence = |a: &Column, b: &Column| Ranked::new(a).dependence(&Ranked::new(b));
    // scipy.stats.spearmanr
    let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0];
    let a = numbers(&values);
    let b = numbers(&[2.0, 7.0, 1.0, 8.0, 2.0, 8.0, 1.0, 8.0]);
    assert_close(dependence(&a, &b), 0.198_853_681_209_92);
    let cubes: Vec<f64> = values.iter().map(|value| -value.powi(3)).collect();
    assert_close(dependence(&a, &numbers(&cubes)), 1.0);
    // The adjusted correlation ratio of scipy.stats.rankdata, in numpy.
    let groups = levels(&[0, 0, 0, 1, 1, 1, 2, 2, 2, 2]);
    let values = numbers(&[3.0, 1.0, 4.0, 5.0, 2.0, 5.5, 9.0, 2.5, 6.0, 5.5]);
    assert_close(dependence(&groups, &values), 0.401_027_643_351_063);
    assert_close(dependence(&groups, &groups), 1.0);
    assert_eq!(dependence(&a, &numbers(&[1.0; 8])), 0.0);
}

/// Columns made ready once give what pairs give that are looked at row by row.
#[test]
fn pairs_equal_single_tests() {
    let weights = [0.0, 2.0, 1.0, 0.5, 1.0, 1.5, 3.0, 0.25];
    let values = [2.5, 1.0, 4.0, 3.5, 7.0, 6.0, 5.5, 9.0];
    let columns = vec![
        numbers(&values),
        numbers(&[1.0, 3.0, 2.0, 5.0, 4.5, 8.0, 6.5, 7.0]),
        numbers(&values.map(|value| 1e8 + 1e-3 * value)),
        // Squares that are no numbers, a missing value, and no two values that count.
        numbers(&values.map(|value| 1e200 * value * value)),
        numbers(&[1.0, 3.0, 2.0, f64::NAN, 4.5, 8.0, 6.5, 7.0]),
        numbers(&[3.3, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7]),
        levels(&[0, 1, 1, 2, 2, 0, 1, MISSING_LEVEL]),
    ];
    let pairs = Pairs::new(columns.clone(), weights.to_vec());
    let mut n_found = 0;
    for (i, one) in columns.iter().enumerate() {
        for (j, other) in columns.iter().enumerate() {
            let single = independence(one, other, |row| weights[row]);
            let found = pairs.test(i, j);
            assert_eq!(found.is_some(), single.is_some(), "{i} {j}");
            if let (Some(found), Some(single)) = (found, single) {
                n_found += 1;
                // 16 digits of 1e8 leave seven of steps of 1e-3.
                let close = |a: f64, b: f64| (a - b).abs() <= 1e-7 * b.abs().max(1e-3);
                assert!(close(found.statistic, single.statistic), "{i} {j}: {found:?} {single:?}");
                assert!(close(found.log_p, single.log_p), "{i} {j}: {found:?} {single:?}");
                assert_eq!(found.degrees, single.degrees);
            }
        }
    }
    assert!(n_found >= 25, "{n_found}");
}

/// What depends on the target in all rows: a monotone, a U-shaped and a grouped column; in the first
/// half only: one more.
#[test]
fn screening_keeps_what_depends_on_the_target_in_these_rows() {
    let mut state = 1_u64;
    let mut uniform = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    let y: Vec<f64> = (0..200).map(|_| uniform()).collect();
    let mut with = |of: &dyn Fn(usize) -> f64| -> Vec<f64> {
        (0..200).map(|row| of(row) + 0.3 * uniform()).collect()
    };
    let half = |row: usize| if row < 100 { y[row] } else { 0.0 };
    let wave = with(&|row| 4.0 * (y[row] - 0.5).powi(2));
    let group: Vec<u32> = with(&|row| 3.0 * y[row]).iter().map(|&x| x as u32).collect();
    let monotone = with(&|row| -y[row].powi(3));
    let partial = with(&half);
    let mut columns: Vec<(String, Column)> = vec![
        ("monotone".into(), numbers(&monotone)),
        ("wave".into(), numbers(&wave)),
        ("group".into(), levels(&group)),
        ("partial".into(), numbers(&partial)),
        ("again".into(), numbers(&partial)),
    ];
    columns.extend((0..40).map(|index| (format!("noise{index}"), numbers(&with(&|_| 0.0)))));
    let columns = columns.into_iter().map(|(name, column)| column.named(name)).collect();
    let target = Target::regression("y", y.clone()).expect("numbers");
    let data = Dataset::new(columns, target).expect("a table");
    let kept = |data: &Dataset, rows: std::ops::Range<u32>, most: usize| -> Vec<usize> {
        let screening = Screening::new(data, 100, &Run::all()).expect("not cancelled");
        let rows: Vec<u32> = rows.collect();
        let is_kept = screening.keep(&rows, most);
        (0..is_kept.len()).filter(|&at| is_kept[at]).collect()
    };
    // Of columns that are as good, none is left out.
    for most in [3, 4] {
        assert_eq!(kept(&data, 0..100, most), [0, 2, 3, 4]);
    }
    assert_eq!(kept(&data, 0..100, 5), [0, 1, 2, 3, 4]);
    assert_eq!(kept(&data, 100..200, 3), [0, 1, 2]);
    // Rows of weight zero have no influence, and only the ratios of weights count.
    let only = |half: std::ops::Range<usize>| -> Vec<f64> {
        (0..200).map(|row| if half.contains(&row) { 1e-3 } else { 0.0 }).collect()
    };
    let weighted = |half| data.clone().with_weights(only(half)).expect("weights");
    assert_eq!(kept(&weighted(0..100), 0..200, 4), [0, 2, 3, 4]);
    assert_eq!(kept(&weighted(100..200), 0..200, 3), [0, 1, 2]);
    // A group is as good as the best of its columns.
    let group = ("pair".to_owned(), vec!["wave".to_owned(), "noise7".to_owned()]);
    let grouped = data.with_groups(&[group]).expect("columns");
    assert_eq!(kept(&grouped, 100..200, 3).len(), 3);
    let names = grouped.groups().names();
    let kept: Vec<&str> =
        kept(&grouped, 100..200, 3).into_iter().map(|at| names[at].as_str()).collect();
    assert_eq!(kept, ["monotone", "pair", "group"]);
}
